"""The bridge: a recorded motion of one machine on the skeleton of another, and planned anew at that one's own pace.

Two ways: ``carry_over`` maps every recorded body and foot position and solves the other skeleton onto them; ``replan``
keeps of the recording the body's path and the pace alone, slows both until the machine is within its speed, and
``replay`` lets the machine's own planner walk that.
"""

from footfall.bridge.carry import Carried, carry_over
from footfall.bridge.mapping import Mapping, map_legs, match_machines, reference_feet
from footfall.bridge.recorded import Recorded, record
from footfall.bridge.replan import Replan, replan, replay

__all__ = [
    "Carried",
    "Mapping",
    "Recorded",
    "Replan",
    "carry_over",
    "map_legs",
    "match_machines",
    "record",
    "reference_feet",
    "replan",
    "replay",
]

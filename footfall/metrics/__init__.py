"""Numbers that tell whether a walk is right, measured on the frames alone, and the limits that they are held to.

``measure`` goes over the agents of a frame, with ``body``, ``sole``, ``bones`` and ``hinges`` for their parts and
``turns`` and ``support`` for their formulas; ``tally`` is what is kept between frames, ``metrics`` what is made of it.
"""

from footfall.metrics.limits import AT_LEAST, DEFAULT_LIMITS, PACE_LIMITS, Verdict, judge, walk_limits
from footfall.metrics.metrics import Metrics, Peak
from footfall.metrics.sole_ground import GroundHeight, sole_gaps
from footfall.metrics.state_hash import state_hash

__all__ = [
    "AT_LEAST",
    "DEFAULT_LIMITS",
    "PACE_LIMITS",
    "GroundHeight",
    "Metrics",
    "Peak",
    "Verdict",
    "judge",
    "sole_gaps",
    "state_hash",
    "walk_limits",
]

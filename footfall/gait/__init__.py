"""The gait: which legs are in the air, and why.

One phase runs the whole gait; leg i is at ``frac(phase + offset_i)``. Phase 0 is touchdown, a leg's turn to lift comes
where its phase crosses the duty factor. The phase is integrated from the cadence, never recomputed from time, so no
change of speed or gait makes it jump. A swing, once begun, is a stretch of time with sub-tick ends: it always finishes.

One idea a file: ``settings``, the ``laws`` of stride and swing, ``choice`` of the gait, its ``phase``, feet in
``stance`` and ``airborne``, ``landing`` where
physics moves them, the ``reasons`` of a step, and ``schedule``, the stage.
"""

from footfall.gait.landing import Landing, depth_below
from footfall.gait.laws import cadence_at, stance_share, stride_at, swing_time_at
from footfall.gait.phase import frac, leg_phase
from footfall.gait.reasons import BY_HAND, LET_GO, NOTHING, REFUSED, RESCUE, TURN
from footfall.gait.schedule import schedule_agent
from footfall.gait.settings import Gait
from footfall.gait.stance import anchor_world, stance_after

__all__ = [
    "BY_HAND",
    "LET_GO",
    "NOTHING",
    "REFUSED",
    "RESCUE",
    "TURN",
    "Gait",
    "Landing",
    "anchor_world",
    "cadence_at",
    "depth_below",
    "frac",
    "leg_phase",
    "schedule_agent",
    "stance_after",
    "stance_share",
    "stride_at",
    "swing_time_at",
]

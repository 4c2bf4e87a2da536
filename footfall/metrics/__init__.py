"""Numbers that tell whether a walk is right, measured on the frames alone, and the limits that they are held to."""

from footfall.metrics.limits import AT_LEAST, DEFAULT_LIMITS, Verdict, judge, walk_limits
from footfall.metrics.metrics import Metrics, Peak
from footfall.metrics.sole_ground import GroundHeight, sole_ground
from footfall.metrics.state_hash import state_hash

__all__ = [
    "AT_LEAST",
    "DEFAULT_LIMITS",
    "GroundHeight",
    "Metrics",
    "Peak",
    "Verdict",
    "judge",
    "sole_ground",
    "state_hash",
    "walk_limits",
]

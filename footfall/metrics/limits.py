"""What a walk's numbers are held to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

#: Greatest value that each number may have; for those in ``AT_LEAST``, the least.
DEFAULT_LIMITS: dict[str, float] = {
    "slip_max_mm": 0.01,
    "penetration_max_mm": 1.0,
    "hover_max_mm": 1.0,
    "reach_excess_count": 0,
    "reach_excess_max_mm": 0.0,
    "pole_flips": 0,
    "limit_hits": 0,
    "e_ik_max_mm": 0.01,
    "swing_low_share": 0.15,
    "joint_step_max_deg": 45.0,
    "not_finite": 0,
    "steps": 1,
}

#: The same for a walk that lasts and goes one way.
PACE_LIMITS: dict[str, float] = {"speed_share": 0.7, "rescue_share": 0.2}

#: Numbers that must reach their limit instead of keeping under it.
AT_LEAST = frozenset({"steps", "speed_share"})


class Verdict(NamedTuple):
    """One number, held to its limit."""

    key: str
    value: float | None
    limit: float
    ok: bool


def walk_limits(airborne_limit: int | None = None, **more: float) -> dict[str, float]:
    """Limits of a walk: the defaults, the most feet that the gait may lift at once, and any that are given by key."""
    limits = dict(DEFAULT_LIMITS)
    if airborne_limit is not None:
        limits["airborne_max"] = airborne_limit
    return {**limits, **more}


def judge(result: Mapping[str, Any], limits: Mapping[str, float] | None = None) -> list[Verdict]:
    """Hold a result to limits; a number that is missing or not finite falls short.

    Args:
        result: what ``Metrics.result`` returned.
        limits: greatest values by key, of ``AT_LEAST`` least values; ``DEFAULT_LIMITS`` where none are given.
    """
    verdicts = []
    for key, limit in (DEFAULT_LIMITS if limits is None else limits).items():
        value = result.get(key)
        if not isinstance(value, int | float) or not math.isfinite(value):
            verdicts.append(Verdict(key, None, limit, False))
        else:
            verdicts.append(Verdict(key, value, limit, value >= limit if key in AT_LEAST else value <= limit))
    return verdicts

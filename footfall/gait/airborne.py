"""The limit of feet in the air, and the first instant that it leaves for another."""

from __future__ import annotations

import math

from footfall.compile import inline
from footfall.gait.reasons import NOTHING


@inline
def airborne_at(legs, steps, time):
    """Feet in the air at an instant, those that are about to lift in this tick included."""
    count = 0
    for index in range(legs.shape[0]):
        leg = legs[index]
        step = steps[index]
        if step["reason"] != NOTHING and step["time"] <= time < step["time"] + step["swing_time"]:
            count += 1
        elif leg["held"] != 0 or leg["lift_off"] <= time < leg["touchdown"]:
            count += 1
    return count


@inline
def free_instant(legs, steps, limit, earliest, latest):
    """First instant in [earliest, latest] at which another foot may lift; beyond latest where there is none."""
    time = earliest
    for _ in range(legs.shape[0] + 1):
        if airborne_at(legs, steps, time) < limit:
            return time
        after = math.inf
        for index in range(legs.shape[0]):
            leg = legs[index]
            if leg["touchdown"] > time and leg["lift_off"] <= time:
                after = min(after, leg["touchdown"])
        time = after
        if time > latest:
            return time
    return math.inf

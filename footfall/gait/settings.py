"""What a machine's file says of its gait."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Gt, Le, Lt

from footfall.froude import LENGTH, RATE, SPEED, TIME, Scaled

NotNegative = Annotated[float, Ge(0)]
Positive = Annotated[float, Gt(0)]


class Clock(enum.IntEnum):
    """What the phase follows."""

    time = 0
    distance = 1


@dataclass(frozen=True)
class Gait:
    """A gait as data; the phase offsets stand with the legs."""

    clock: Clock = Clock.time
    """``time``: the cadence that the stride law gives at the asked speed. ``distance``: the way really travelled."""
    duty_factor: Annotated[float, Gt(0), Lt(1)] = 0.75
    """Share of the cycle that a foot is on the ground."""
    swing_time: NotNegative = 0.0
    """Time of every swing [s]; 0 takes the share of the cycle that the duty factor leaves."""
    swing_time_min: Positive = Scaled(0.1, TIME)
    """Shortest swing [s]."""
    swing_time_max: Positive = Scaled(1.5, TIME)
    """Longest swing [s]: at slow cadence the feet stand longer instead."""
    stride: Positive = Scaled(0.5, LENGTH)
    """Way of the body in one cycle at the reference speed [m]."""
    stride_reference_speed: Positive = Scaled(1.0, SPEED)
    """Speed at which the stride is the one above [m/s]."""
    stride_growth: NotNegative = 0.0
    """Exponent of the stride's growth with speed; 0 is a stride that does not change."""
    stride_min: NotNegative = 0.0
    """Shortest stride [m]."""
    stride_max: Positive = 1e3
    """Longest stride [m]."""
    cadence_min: NotNegative = 0.0
    """Slowest cadence while walking [cycles/s]."""
    cadence_max: Positive = 1e3
    """Fastest cadence [cycles/s]."""
    shuffle_cadence: Positive = Scaled(0.5, RATE)
    """Cadence at rest while feet are not where they rest [cycles/s]."""
    settle_radius: Positive = 0.1
    """At rest the shuffle goes on until every foot is this near to its rest position [leg lengths]."""
    settle_share: Annotated[float, Ge(0), Le(1)] = 0.3
    """In a shuffle only feet further away than this share of the settle radius step."""
    airborne_limit: Annotated[int, Ge(1)] = 1
    """Most feet in the air at once."""
    rescue_reach: Annotated[float, Gt(0), Le(1)] = 0.96
    """A planted foot at this share of its reach, going outward, steps out of turn."""
    switch_time: Positive = Scaled(1.0, TIME)
    """Time that an automatic choice of gait stays at least [s]."""
    speed_max: Positive = 1e3
    """Automatic choice: up to this speed [m/s] this gait is taken, where no slower one serves."""

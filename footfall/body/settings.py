"""What a machine's file says of how its body is carried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Gt, Le

from footfall.froude import SPEED, STIFFNESS, TIME, Scaled

NotNegative = Annotated[float, Ge(0)]
Positive = Annotated[float, Gt(0)]
Share = Annotated[float, Ge(0), Le(1)]


@dataclass(frozen=True)
class Carriage:
    """How the body is carried over the feet."""

    kneel_height: NotNegative = 0.0
    """Height of the body over the ground when kneeling [m]; 0 cannot kneel."""
    kneel_time: Positive = Scaled(2.5, TIME)
    """Time to kneel down or to stand up [s]."""
    height_time: Positive = Scaled(0.25, TIME)
    """Time constant of the height's approach to the support plane [s]."""
    height_acceleration: NotNegative = 0.0
    """Greatest vertical acceleration of that approach [m/s²]; 0 limits neither it nor rate and jerk (row B88)."""
    height_jerk: Positive = 0.3
    """Greatest change of that acceleration in a second [m/s³]."""
    height_rate: Positive = 0.3
    """Greatest rate of that approach [m/s]."""
    tilt_time: Positive = Scaled(0.3, TIME)
    """Time constant of the tilt [s]."""
    follow_pitch: Share = 1.0
    """Share of the ground's slope ahead that the body's pitch follows; the rest is levelled."""
    follow_roll: Share = 1.0
    """Share of the ground's slope to the side that the body's roll follows."""
    bob: float = 0.0
    """Amplitude of the height, twice a cycle [m]."""
    sway: float = 0.0
    """Amplitude to the side, once a cycle [m]."""
    roll: float = 0.0
    """Amplitude of the roll, once a cycle [rad]."""
    twist: float = 0.0
    """Amplitude of the turn about up, once a cycle [rad]."""
    bob_phase: float = 0.0
    """Phase of the bob's greatest height after the first leg's lift-off [cycles]."""
    sway_phase: float = 0.0
    """Phase of the greatest sway and roll after the first leg's lift-off [cycles]."""
    amplitude_speed: Positive = Scaled(1.0, SPEED)
    """Speed at which bob, sway, roll and twist have their full amplitude [m/s]."""
    amplitude_time: Positive = Scaled(0.4, TIME)
    """Time constant of the amplitudes [s]."""
    lean_speed: float = 0.0
    """Forward lean for speed [rad s/m]."""
    lean_acceleration: float = 0.0
    """Forward lean for acceleration [rad s²/m]."""
    lean_max: NotNegative = 0.3
    """Greatest lean either way [rad]."""
    lean_time: Positive = Scaled(0.3, TIME)
    """Time constant of the lean [s]."""
    weight_shift: NotNegative = 0.0
    """Shift of the body towards the middle of the planted feet, as a share of the way there."""
    weight_shift_time: Positive = Scaled(0.2, TIME)
    """Time constant of the weight shift [s]."""
    impact_stiffness: Positive = Scaled(60.0, STIFFNESS)
    """ω² of the impact spring [1/s²]."""
    impact_damping: NotNegative = 0.5
    """Damping ratio of the impact spring."""
    impact_kick: NotNegative = 0.0
    """Downward speed that a landing foot gives the body [m/s]."""
    park_time: Positive = Scaled(0.8, TIME)
    """Time constant of the parked posture [s]."""
    park_height: float = 0.0
    """Height that the parked posture adds [m]."""
    park_pitch: float = 0.0
    """Pitch that the parked posture adds, nose down positive [rad]."""
    adapt_reach: Annotated[float, Gt(0), Le(1)] = 0.985
    """Share of a planted leg's reach at which the body begins to come down for it."""
    adapt_time: Positive = Scaled(0.1, TIME)
    """Time constant of that adaptation [s]."""
    pose_time: Positive = Scaled(0.3, TIME)
    """Time constant of an asked body pose [s]."""
    path_smoothing: Positive = 0.6
    """Way over which the height of a path of several trunks follows the ground [leg lengths]."""

"""What a machine's file says of its rigid bodies and of the servos that move them."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Gt, Le

Positive = Annotated[float, Gt(0)]
NotNegative = Annotated[float, Ge(0)]
Count = Annotated[int, Ge(0)]


class SupportRule(enum.IntEnum):
    """How the force on the body is shared out among its supports, see ``support``."""

    equal = 0
    balanced = 1


class GainRule(enum.IntEnum):
    """Which integrator the servos' gains are exact for."""

    substeps = 0
    exact = 1


@dataclass(frozen=True)
class Force:
    """Rigid bodies of a machine and their servos, for the force drive."""

    body_mass: NotNegative = 0.0
    """Mass of the body [kg]; 0 takes the first trunk's volume at 300 kg/m³."""
    body_length: NotNegative = 0.0
    """Side of the body's box, which is half as high [m]; 0 takes the mean side of the first trunk."""
    foot_mass: NotNegative = 0.0
    """Mass of each foot [kg]; 0 takes a twentieth of the body's."""
    foot_radius: NotNegative = 0.0
    """Half the side of a foot's sole [m]; 0 takes the leg's ``foot_radius``, or 0.03 of its length where that is 0."""
    sole_offset: NotNegative = 0.0
    """Distance of the sole under a foot's centre of mass [m]; 0 takes a third of the radius."""
    sole_points: bool = False
    """Count supports in the corners of the soles instead of in feet, with the foot's own moment: for machines that
    stand on one or two feet."""
    friction: NotNegative = 0.5
    """Coefficient of friction between a foot and any ground."""
    gravity: NotNegative = 9.81
    """[m/s²], along world −z."""
    substeps: Count = 0
    """Steps of the physics in one tick; 0 takes as many as keep them below ``substep_max``."""
    substep_max: Positive = 0.001389
    """Longest step of the physics [s]."""
    gains: GainRule = GainRule.substeps
    """``substeps``: exact for the physics' own steps. ``exact``: for exact integration, as the source has them."""
    support: SupportRule = SupportRule.equal
    """``equal``: an even share each, whatever the centre of mass. ``balanced``: moments about the centre of mass, and
    the reaction of feet in the air on the body: action is reaction."""
    supports_min: Annotated[int, Ge(1)] = 3
    """With fewer supports (feet, or corners of soles) than this, nothing holds the body."""
    body_frequency: Positive = 4.0
    """ω of the body's position servo [rad/s]."""
    body_turn_frequency: Positive = 4.0
    """ω of the body's rotation servo [rad/s]."""
    stance_frequency: Positive = 5.0
    """ω of a planted foot's servo, along the ground [rad/s]."""
    swing_frequency: Positive = 40.0
    """ω of the servo of a foot in the air [rad/s]."""
    foot_turn_frequency: Positive = 8.0
    """ω of a foot's rotation servo [rad/s]."""
    body_acceleration: Positive = 1e3
    """Greatest acceleration of the body's servo [m/s²]."""
    body_speed: Positive = 1e3
    """Speed of the body above which samples are counted [m/s]."""
    stance_acceleration: Positive = 1e3
    """Greatest acceleration of a planted foot's servo [m/s²]."""
    swing_acceleration: Positive = 1e3
    """Greatest acceleration of a foot in the air [m/s²], feed-forward included."""
    tangential_share: NotNegative = 0.25
    """Greatest force on the body along the ground, as a share of the upward one."""
    torque_share: NotNegative = 0.25
    """Greatest torque on the body, as a share of the upward force at the supports' mean distance from their middle."""
    contact_window: NotNegative = 0.05
    """A contact still counts for this time after it was last seen [s]."""
    contact_gap: NotNegative = 1e-3
    """As long as the sole is no further from the plane of contact than this [leg lengths]."""
    align_time: Positive = 0.2
    """Time before touchdown in which a foot is brought level with the ground it lands on [s]."""
    align_rate: Positive = 80.0 * math.pi / 180.0
    """Fastest turn of a foot in the air [rad/s]."""
    align_rate_planted: Positive = math.tau
    """Fastest turn of a planted foot's goal [rad/s]."""
    still_along: Positive = 1e-5
    """A foot slower than this along the ground [m/s]…"""
    still_across: Positive = 1e-4
    """…and than this along its normal [m/s] is still."""
    still_body: Positive = 1e-3
    """A body slower than this [m/s]…"""
    still_turn: Annotated[float, Gt(0), Le(100)] = 5e-3
    """…and than this [rad/s] is still."""

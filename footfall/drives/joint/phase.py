"""The phase controller: angles of hip, knee and ankle as a script over the phase of the gait.

After the scripted controller of Carlo (2026), arXiv:2605.19503. A leg at phase u stands while u is less than the duty
factor and swings after that; s is the share of the stance or of the swing that is done:

    stance:  hip = rest + forward · amplitude · (1 − 2s)      knee = rest + curl · extension · sin πs
    swing:   hip = rest + forward · amplitude · (2s − 1)      knee = rest + curl · flexion · sin πs
    ankle = rest + curl · (push in stance, lift in swing) · sin πs

``forward`` is the sign of the hip angle that takes the foot ahead; ``curl`` that of the ankle angle that curls the leg.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
from annotated_types import Ge, Gt, Le, Lt

from footfall.articulation import joint_range
from footfall.rig import Rig
from footfall.state import Array

NotNegative = Annotated[float, Ge(0)]


@dataclass(frozen=True)
class PhaseController:
    """A gait of the joint drive as data. Middle legs are those that rest beside the trunk's origin."""

    frequency: Annotated[float, Gt(0), Le(10)] = 1.5
    """Cycles a second [Hz]."""
    duty_factor: Annotated[float, Gt(0), Lt(1)] = 0.6
    """Share of the cycle that a leg stands."""
    hip_amplitude: float = math.radians(26.0)
    """Greatest angle of the hip to either side [rad]."""
    flexion: float = math.radians(-45.0)
    """Added to the knee in the middle of the swing; negative lifts it [rad]."""
    extension: float = math.radians(15.0)
    """Added to the knee in the middle of the stance [rad]."""
    lift_front: float = math.radians(35.0)
    """Added to the ankle of front legs in the middle of the swing [rad]."""
    lift_middle: float = math.radians(55.0)
    """Added to the ankle of middle legs in the middle of the swing [rad]."""
    lift_rear: float = math.radians(35.0)
    """Added to the ankle of rear legs in the middle of the swing [rad]."""
    push: float = math.radians(35.0)
    """Added to the ankle of front and rear legs in the middle of the stance [rad]."""
    settle_time: NotNegative = 0.75
    """Time at the start for which the joints are asked to rest [s]; the phase goes on meanwhile."""
    ramp_time: NotNegative = 1.0
    """Time at the start in which the motors' position gain grows to its full value [s]."""
    ramp_start: Annotated[float, Ge(0), Le(1)] = 0.3
    """Share of the position gain that the ramp starts from."""


class JointPhases(NamedTuple):
    """What is constant about the legs of one machine under one controller."""

    offset: Array
    """``[legs]`` phase of each leg at phase 0 [cycles]."""
    rest: Array
    """``[legs, 3]`` angles at rest [rad]."""
    forward: Array
    """``[legs]`` sign of the hip angle that takes the foot ahead."""
    curl: Array
    """``[legs]`` sign of the ankle angle that curls the leg."""
    push: Array
    """``[legs]`` added to the ankle in stance [rad]."""
    lift: Array
    """``[legs]`` added to the ankle in swing [rad]."""


def joint_phases(rig: Rig, controller: PhaseController) -> JointPhases:
    """Constants of a machine's legs; ``rig`` has three hinges a leg: hip, knee, ankle."""
    legs = rig.legs
    rest = np.array([[hinge.rest for hinge in leg.hinges] for leg in legs])
    levers = np.array([[*leg.rest, 0.0] for leg in legs]) - np.array([leg.hip for leg in legs])
    forward = np.sign(np.cross(np.array([leg.hinges[0].axis for leg in legs]), levers)[:, 0])
    curl = np.sign([sum(joint_range(leg.hinges[2])) for leg in legs])
    end = rig.leg_table["end"]
    lift = np.choose(end.astype(int) + 1, [controller.lift_rear, controller.lift_middle, controller.lift_front])
    offset = np.array([leg.phase for leg in legs])
    return JointPhases(offset, rest, forward, curl, np.where(end == 0.0, 0.0, controller.push), lift)


def joint_targets(controller: PhaseController, legs: JointPhases, phase: float) -> Array:
    """Angles that the joints are asked for at a phase [cycles], ``[legs, 3]`` [rad]."""
    duty = controller.duty_factor
    u = (phase + legs.offset) % 1.0
    stands = u < duty
    share = np.where(stands, u / duty, (u - duty) / (1.0 - duty))
    bell = np.sin(math.pi * share)
    way = np.where(stands, 1.0 - 2.0 * share, 2.0 * share - 1.0)
    hip = legs.forward * controller.hip_amplitude * way
    knee = legs.curl * np.where(stands, controller.extension, controller.flexion) * bell
    ankle = legs.curl * np.where(stands, legs.push, legs.lift) * bell
    return legs.rest + np.stack([hip, knee, ankle], axis=-1)

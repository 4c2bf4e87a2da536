"""The articulated machine: what rigid bodies, joints and motors need besides the rig. Constants of a machine."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Gt, Le, MinLen

from footfall.rig import Hinge, Leg, Solver, Vector

Positive = Annotated[float, Gt(0)]
NotNegative = Annotated[float, Ge(0)]


class SolidShape(enum.IntEnum):
    """Shape of a solid."""

    ellipsoid = 0
    box = 1


@dataclass(frozen=True)
class Solid:
    """A solid that is fixed to the first trunk."""

    size: tuple[Positive, Positive, Positive]
    """Half of its length, width and height [m]."""
    mass: Positive
    """Mass, evenly spread [kg]."""
    shape: SolidShape = SolidShape.box
    """``ellipsoid`` or ``box``."""
    centre: Vector = (0.0, 0.0, 0.0)
    """Its centre, trunk frame [m]."""
    touches: bool = True
    """Whether it can touch the ground."""


@dataclass(frozen=True)
class Articulation:
    """Bodies, joints and motors of a machine whose legs are ``chain`` legs that end in a ball.

    The ball's radius is the leg's ``foot_height``. Lists go from the hip outward and hold for every leg.
    """

    solids: Annotated[tuple[Solid, ...], MinLen(1)]
    """Solids of the trunk."""
    bone_radii: Annotated[tuple[Positive, ...], MinLen(1)]
    """Radius of each bone, a capsule [m]."""
    density: Positive
    """Density of bones and balls [kg/m³]."""
    damping: tuple[NotNegative, ...]
    """Torque of each joint against its rate of turn [N m s/rad]."""
    armature: tuple[NotNegative, ...]
    """Inertia that each joint's gear and rotor add about its axis [kg m²]."""
    torque: Positive
    """Torque of a motor at full command [N m]; commands go from -1 to 1."""
    drop_height: Positive
    """Height of the trunk's origin over the ground at the start of a run [m]."""
    position_gain: NotNegative
    """Command for each radian that a joint is off its target [1/rad]."""
    velocity_gain: NotNegative
    """Command against each radian a second of a joint [s/rad]."""
    friction: tuple[NotNegative, NotNegative, NotNegative] = (1.0, 0.005, 0.0001)
    """Coefficients of sliding, turning and rolling friction; the last two [m]."""
    margin: NotNegative = 0.0
    """Distance at which contact begins to push [m]."""
    timestep: Annotated[float, Gt(0), Le(0.02)] = 0.002
    """Length of one physics step [s]."""
    control_steps: Annotated[int, Ge(1), Le(1000)] = 25
    """Physics steps for which a command is held."""
    iterations: Annotated[int, Ge(1), Le(10_000)] = 200
    """Most iterations of the contact solver in one step."""

    @property
    def control_interval(self) -> float:
        """Time for which a command is held [s]."""
        return self.control_steps * self.timestep


def joint_range(hinge: Hinge) -> tuple[float, float]:
    """Least and greatest angle of the articulated joint [rad]."""
    return hinge.stops or (hinge.lower, hinge.upper)


def check_articulation(articulation: Articulation, legs: Sequence[Leg]) -> Iterator[tuple[str, str]]:
    """Faults of the section, each with the path of the key it is reported at; ``legs`` are as the file has them."""
    bones = len(articulation.bone_radii)
    for key in ("damping", "armature"):
        if len(getattr(articulation, key)) != bones:
            yield f"articulation.{key}", f"has {len(getattr(articulation, key))} numbers; bone_radii has {bones}"
    for index, leg in enumerate(legs):
        where = f"legs[{index}]"
        if leg.solver != Solver.chain:
            yield f"{where}.solver", f"is '{leg.solver.name}'; articulation takes: chain"
        elif len(leg.segments) != bones:
            yield f"{where}.segments", f"has {len(leg.segments)} bones; articulation.bone_radii has {bones}"
        elif leg.foot_height <= 0.0:
            yield f"{where}.foot_height", "is 0; articulation takes a foot that is a ball of this radius"
        for number, hinge in enumerate(leg.hinges):
            lower, upper = joint_range(hinge)
            if not lower < upper:
                yield f"{where}.hinges[{number}].stops", f"is {lower:g} to {upper:g} rad; allowed: from less to more"
            elif not lower <= hinge.rest <= upper:
                yield f"{where}.hinges[{number}].rest", f"is {hinge.rest:g} rad; stops allow {lower:g} to {upper:g}"

"""Legs to test on, one of each solver, and one call that solves one leg."""

from __future__ import annotations

import dataclasses

import numpy as np

from footfall.ik.legs import fresh_memory, solve_legs
from footfall.rig import Hinge, Leg, Rig, Solver, Trunk, build_rig
from footfall.state import FOOT, POSE

HEIGHT = 0.8

LEGS = {
    "two_bone": Leg("two_bone", (0.1, 0.2, 0.0), (0.1, 0.3), (0.5, 0.45), foot_height=0.05),
    "pantograph": Leg(
        "pantograph", (0.1, 0.2, 0.0), (0.1, 0.3), (0.35, 0.4, 0.3), solver=Solver.pantograph, foot_height=0.08
    ),
    "three_segment": Leg(
        "three_segment",
        (-0.1, 0.2, 0.0),
        (-0.1, 0.3),
        (0.4, 0.42, 0.25),
        solver=Solver.three_segment,
        metatarsus=(-0.3, 0.0, 1.0),
        metatarsus_kneel=(-0.9, 0.0, 0.4),
        metatarsus_fold=(-0.55, 0.0, -0.1),
        foot_height=0.06,
    ),
    "fabrik": Leg("fabrik", (0.0, 0.2, 0.0), (0.1, 0.7), (0.3, 0.5, 0.65), solver=Solver.fabrik, pole=(0.0, 0.0, 1.0)),
    "chain": Leg(
        "chain",
        (0.0, 0.2, 0.0),
        (0.1, 0.7),
        (0.3, 0.5, 0.6),
        solver=Solver.chain,
        hinges=(
            Hinge((0.0, 0.0, 1.0), -1.2, 1.2),
            Hinge((1.0, 0.0, 0.0), -1.0, 1.6, 0.5),
            Hinge((1.0, 0.0, 0.0), -2.6, -0.1, -1.6),
        ),
        directions=((0.0, 1.0, 0.0),) * 3,
    ),
}

LEGS["chain_foot"] = dataclasses.replace(LEGS["chain"], name="chain_foot", foot_height=0.05)
LEGS["fabrik_foot"] = dataclasses.replace(LEGS["fabrik"], name="fabrik_foot", foot_height=0.05)


def scaled(leg: Leg, factor: float) -> Leg:
    """The same leg, larger by a factor."""
    return dataclasses.replace(
        leg,
        hip=tuple(factor * x for x in leg.hip),
        rest=tuple(factor * x for x in leg.rest),
        segments=tuple(factor * x for x in leg.segments),
        foot_height=factor * leg.foot_height,
    )


def rig_of(*legs: Leg, height: float = HEIGHT) -> Rig:
    """Rig of one trunk."""
    return build_rig((Trunk("hull", (1.0, 0.5, 0.3)),), legs, height)


def quaternion(rng: np.random.Generator) -> np.ndarray:
    """A random rotation."""
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def turned(v: np.ndarray, axis: np.ndarray, angle: float) -> np.ndarray:
    """A vector turned by an angle about a unit axis (Rodrigues)."""
    return v * np.cos(angle) + np.cross(axis, v) * np.sin(angle) + axis * (axis @ v) * (1.0 - np.cos(angle))


class Bench:
    """One agent of a rig: solve its legs for given soles, keep the memory."""

    def __init__(self, rig: Rig, height: float = HEIGHT):
        self.rig = rig
        self.memory = fresh_memory(rig, 1)
        self.trunks = np.zeros((1, 1), POSE)
        self.trunks["position"][..., 2] = height
        self.trunks["rotation"][..., 0] = 1.0
        self.headings = np.array([[1.0, 0.0, 0.0, 0.0]])
        self.feet = np.zeros((1, len(rig.legs)), FOOT)
        self.feet["normal"][..., 2] = 1.0
        self.kneel = np.zeros(1)

    def solve(self, soles: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Joints ``[joints, 3]``, hinges ``[bones, 3]`` and excess ``[legs]``."""
        self.feet["sole"][0] = soles
        joints, excess = solve_legs(self.rig, self.memory, self.trunks, self.headings, self.feet, self.kneel)
        return joints.position[0], joints.hinge[0], excess[0]

    def rows(self, index: int) -> tuple[slice, slice]:
        """Rows of a leg's joints and bones."""
        leg = self.rig.leg_table[index]
        first, bone, bones = int(leg["first_joint"]), int(leg["first_bone"]), int(leg["bones"])
        return slice(first, first + bones + 1), slice(bone, bone + bones)

    def lengths(self, index: int) -> np.ndarray:
        """Lengths of a leg's bones, the foot included."""
        leg = self.rig.legs[index]
        return np.array(leg.segments + ((leg.foot_height,) if leg.foot_height > 0.0 else ()))


def circle(leg: Leg, count: int, radius: float = 0.15, lift: float = 0.1) -> np.ndarray:
    """Soles ``[count, 3]`` of one round of a walking foot about its place of rest."""
    angle = 2.0 * np.pi * np.arange(count) / count
    return np.stack(
        [
            leg.rest[0] + radius * np.cos(angle),
            np.full(count, leg.rest[1]),
            lift * np.maximum(np.sin(angle), 0.0),
        ],
        axis=-1,
    )

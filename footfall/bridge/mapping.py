"""How positions of one machine become positions of another: legs paired, lengths scaled, sides swapped if asked."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from footfall.errors import FootfallError
from footfall.ik.forward import pose_angles
from footfall.machine import Machine
from footfall.rig import Rig, Solver
from footfall.state import POSE, Array


class Mapping(NamedTuple):
    """From a source machine to a target machine."""

    scale: float
    """Target lengths over source lengths."""
    axes: Array
    """``[3]`` signs of x, y and z: y is negative where left becomes right."""
    source: NDArray[np.int64]
    """``[target legs]`` index of the source leg that each target leg follows."""

    def points(self, points: Array) -> Array:
        """Points ``[..., 3]`` of the source, as the target has them [m]."""
        return np.asarray(self.scale * points * self.axes)


def reference_feet(rig: Rig) -> Array:
    """Soles ``[legs, 3]`` of the skeleton itself, trunk frame [m].

    Those of ``chain`` legs with all angles zero, of others at rest. They are measured with the trunk's frame on the
    world's and nothing scaled.
    """
    legs, table = rig.legs, rig.leg_table
    if not all(leg.solver == Solver.chain for leg in legs) or len({len(leg.segments) for leg in legs}) > 1:
        return np.array([[*leg.rest, -rig.stand_height] for leg in legs])
    trunks = np.zeros((1, len(rig.trunks)), POSE)
    trunks["rotation"] = (1.0, 0.0, 0.0, 0.0)
    angles = np.zeros((1, len(legs), len(legs[0].segments)))
    joints = pose_angles(rig, trunks, angles, (0.0, 0.0, 1.0))
    return np.asarray(joints.position[0, table["first_joint"] + table["bones"]])


def map_legs(source: Array, target: Array) -> NDArray[np.int64]:
    """For each target foot ``[legs, 3]`` the source foot that lies in the nearest direction from the body.

    Raises:
        FootfallError: two target feet would follow the same source foot.
    """
    ahead, behind = (
        points[:, :2] / np.linalg.norm(points[:, :2], axis=-1, keepdims=True) for points in (target, source)
    )
    found = np.argmax(ahead @ behind.T, axis=1)
    if len(set(found.tolist())) < len(found):
        raise FootfallError("the legs of the two machines do not correspond: two of one follow the same of the other")
    return np.asarray(found, np.int64)


def match_machines(source: Machine, target: Machine, mirror: bool = False) -> Mapping:
    """The mapping from one machine to another.

    Args:
        source: whose motion is recorded.
        target: who is to follow it.
        mirror: reflect y, C = diag(1, −1, 1), as a target with y to its right needs. Our machines all have y to the
            left: for them this swaps the sides, and a step of the source's left foot becomes one of the right foot.

    Raises:
        FootfallError: the legs do not correspond.
    """
    axes = np.array([1.0, -1.0 if mirror else 1.0, 1.0])
    own, other = reference_feet(source.rig) * axes, reference_feet(target.rig)
    legs = map_legs(own, other)
    ratios = np.hypot(other[:, 0], other[:, 1]) / np.hypot(own[legs, 0], own[legs, 1])
    return Mapping(float(np.median(ratios)), axes, legs)

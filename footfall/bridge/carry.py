"""A recorded motion, sample by sample, on another skeleton."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from footfall.bridge.mapping import Mapping
from footfall.bridge.recorded import Recorded
from footfall.frames import arrays
from footfall.ik.legs import fresh_memory, solve_legs
from footfall.machine import Machine
from footfall.pose import part_table, pose_parts
from footfall.rig import Rig
from footfall.state import FOOT, POSE, Array, Joints

UP = (0.0, 0.0, 1.0)
MISS = 1e-6  # a sole this far from its goal is not reached [chain lengths]
LARGEST_TURN = math.radians(5.0)  # of any bone between two samples [rad]
DEEPEST = 4e-4  # of a hull under the floor [leg lengths]


class Carried(NamedTuple):
    """The motion on the target; its body is upright and looks along x."""

    body: Array
    """``[samples, 3]`` origin of the first trunk, world [m]."""
    feet: Array
    """``[samples, legs, 3]`` goals of the soles, world, the floor at z = 0 [m]."""
    joints: Array
    """``[samples, joints, 3]`` world [m]."""
    miss: Array
    """``[samples, legs]`` distance of the solved sole from its goal [m]."""
    turn: Array
    """``[samples]`` largest rotation of any bone since the sample before [rad]; 0 at the first one."""
    lowest: Array
    """``[samples]`` height of the lowest point of the legs' hulls over the floor [m]."""
    accepted: NDArray[np.bool_]
    """``[samples]`` all soles reached, no bone turned too far, no hull under the floor."""


def floor_feet(feet: Array) -> tuple[Array, Array]:
    """Feet ``[samples, legs, 3]`` with each foot's lowest sample on the floor, and those lowest heights ``[legs]``."""
    baseline = feet[..., 2].min(axis=0)
    level = feet.copy()
    level[..., 2] -= baseline
    return level, baseline


def carry_over(recorded: Recorded, mapping: Mapping, target: Machine, stoop: float = 0.0) -> Carried:
    """Map a motion onto another machine and solve its legs, each sample from the one before.

    The body keeps its height over the middle one of the feet's baselines, less the stoop.

    Args:
        recorded: of the source.
        mapping: from the source to the target.
        target: the machine; it has one trunk.
        stoop: the body is carried lower by this [m]: a leg that is nearly straight turns fast for a short way of its
            foot.
    """
    feet, baseline = floor_feet(mapping.points(recorded.feet)[:, mapping.source])
    body = mapping.points(recorded.body)
    body[:, 2] -= np.median(baseline) + stoop
    samples, rig = len(body), target.rig
    memory = fresh_memory(rig, 1)
    position = np.zeros((samples, rig.joint_count, 3))
    hinge = np.zeros((samples, rig.bone_count, 3))
    miss = np.zeros(feet.shape[:2])
    trunks = upright(rig, body)
    for sample in range(samples):
        goals = np.zeros((1, len(rig.legs)), FOOT)
        goals["sole"], goals["normal"] = feet[sample], UP
        heading = trunks["rotation"][sample : sample + 1, 0]
        joints, miss[sample] = solve_legs(rig, memory, trunks[sample : sample + 1], heading, goals, np.zeros(1))
        position[sample], hinge[sample] = joints.position[0], joints.hinge[0]
    turn = bone_turns(rig, trunks, Joints(position, hinge))
    lowest = lowest_points(rig, position)
    reached = miss <= MISS * rig.leg_table["chain_length"]
    accepted = reached.all(axis=1) & (turn < LARGEST_TURN) & (lowest >= -DEEPEST * target.leg_length)
    return Carried(body, feet, position, miss, turn, lowest, accepted)


def upright(rig: Rig, body: Array) -> NDArray[np.void]:
    """``POSE [samples, trunks]`` of upright bodies that look along x."""
    trunks = np.zeros((len(body), len(rig.trunks)), POSE)
    trunks["position"], trunks["rotation"] = body[:, None], (1.0, 0.0, 0.0, 0.0)
    return trunks


def bone_turns(rig: Rig, trunks: NDArray[np.void], joints: Joints) -> Array:
    """Largest rotation of any bone since the sample before ``[samples]`` [rad]."""
    table = part_table(rig)
    count = len(rig.trunks)
    rotation = pose_parts(rig, trunks, joints, table).rotation_world[:, count : count + rig.bone_count]
    turned = arrays.angle_between(rotation[:-1], rotation[1:]).max(axis=1)
    return np.concatenate([[0.0], turned])


def lowest_points(rig: Rig, joints: Array) -> Array:
    """Height of the lowest point of the legs' hulls ``[samples]`` [m].

    Hulls are the soles and, about every bone but the last one of a leg, which narrows to its sole, a capsule with a
    radius of ``thickness`` of the bone's length.
    """
    lowest = joints[:, rig.leg_table["first_joint"] + rig.leg_table["bones"], 2].min(axis=1)
    for leg, first in zip(rig.legs, rig.leg_table["first_joint"], strict=True):
        for bone, length in enumerate(leg.segments[:-1]):
            ends = joints[:, first + bone : first + bone + 2, 2].min(axis=1)
            lowest = np.minimum(lowest, ends - leg.thickness * length)
    return np.asarray(lowest)

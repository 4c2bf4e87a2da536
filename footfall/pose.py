"""Where every part is: trunks, bones, soles and pistons, in the world and in the frame of what carries them.

A bone's frame has its origin at the bone's root joint, x along the bone, y its hinge, z = x × y. A sole's frame has its
origin at the sole, z back along the last bone (up from the ground under a foot) and y along that bone's hinge. Each
half of a piston has its origin on its own anchor and points x at the other one.

``T_parent_part = inverse(T_world_parent) @ T_world_part``; composing the two gives the world pose back.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from footfall.compile import inline, kernel
from footfall.frames.scalar import (
    IDENTITY,
    add,
    conjugate,
    cross,
    from_axes,
    load3,
    load4,
    multiply,
    reject,
    rotate,
    store3,
    store4,
    sub,
    unit_or,
    unrotate,
)
from footfall.ik.rows import row3
from footfall.records import Records
from footfall.rig import Rig
from footfall.state import Array, Joints

TRUNK, BONE, SOLE, PISTON = 0, 1, 2, 3
KINDS = ("trunk", "bone", "sole", "piston")

#: Constants of a part as kernels read them.
PART = np.dtype(
    [
        ("kind", np.int64),  #: TRUNK, BONE, SOLE or PISTON
        ("parent", np.int64),  #: index of the part that carries it, -1 the world
        ("source", np.int64),  #: index of the trunk or bone that it is, or (sole) ends
        ("joint", np.int64),  #: index of the joint at its origin (bones and soles)
        ("anchor", np.float64, (3,)),  #: its origin in the parent's frame [m]; for a trunk 0
        ("other_part", np.int64),  #: pistons: the part that it points at
        ("other", np.float64, (3,)),  #: pistons: point there that it points at, that part's frame [m]
    ],
    align=True,
)

#: A bone's frame to its sole's: z back along the bone, y the same.
Q_BONE_SOLE = (math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0)


class PartTable(NamedTuple):
    """What is constant about a machine's parts; a part's parent stands before it."""

    names: tuple[str, ...]
    """A trunk's name, ``<leg>/<bone>``, ``<leg>_sole``, ``<aim>_cylinder``, ``<aim>_rod``."""
    parents: NDArray[np.int64]
    """``[parts]`` index of the parent, -1 the world."""
    kinds: NDArray[np.int64]
    """``[parts]`` ``TRUNK``, ``BONE``, ``SOLE`` or ``PISTON``."""
    anchors: Array
    """``[parts, 3]`` origin in the parent's frame [m]: constant for all but trunks."""
    records: Records
    """``PART [parts]``."""


class Parts(NamedTuple):
    """Transforms of every part: ``T_world_part`` and ``T_parent_part``."""

    position_world: Array
    """``[agents, parts, 3]`` world [m]."""
    rotation_world: Array
    """``[agents, parts, 4]`` q_world_part."""
    position_parent: Array
    """``[agents, parts, 3]`` parent's frame [m]."""
    rotation_parent: Array
    """``[agents, parts, 4]`` q_parent_part."""


def part_table(rig: Rig) -> PartTable:
    """Names, parents and constants of a machine's parts: trunks, bones, soles, then a cylinder and a rod a piston."""
    trunks, legs = len(rig.trunks), rig.leg_table
    records = np.zeros(trunks + rig.bone_count + len(legs) + 2 * len(rig.aims), PART)
    names = [trunk.name for trunk in rig.trunks]
    records["parent"], records["other_part"] = -1, -1
    records["source"][:trunks] = np.arange(trunks)
    for row in legs:
        lengths = rig.segment_table["length"][row["first_segment"] : row["first_segment"] + row["segments"]]
        ends = [*lengths, row["foot_height"]][: row["bones"]]
        for index in range(row["bones"]):
            part = records[trunks + row["first_bone"] + index]
            part["kind"], part["source"], part["joint"] = BONE, row["first_bone"] + index, row["first_joint"] + index
            part["parent"] = trunks + row["first_bone"] + index - 1 if index else row["trunk"]
            part["anchor"] = (ends[index - 1], 0.0, 0.0) if index else row["hip"]
    names += list(rig.bone_names)
    for index, row in enumerate(legs):
        part, last = records[trunks + rig.bone_count + index], row["first_bone"] + row["bones"] - 1
        foot = row["foot_height"] if row["bones"] > row["segments"] else 0.0
        part["kind"], part["source"], part["parent"] = SOLE, last, trunks + last
        part["joint"] = row["first_joint"] + row["bones"]
        segment = rig.segment_table["length"][row["first_segment"] + row["segments"] - 1]
        part["anchor"] = (foot or segment, 0.0, 0.0)
    names += [f"{leg}_sole" for leg in rig.leg_names]
    first = trunks + rig.bone_count + len(legs)
    for index, aim in enumerate(rig.aims):
        base, end = names.index(aim.base_part), names.index(aim.end_part)
        for half, (own, anchor, far, other) in enumerate(
            ((base, aim.base, end, aim.end), (end, aim.end, base, aim.base))
        ):
            part = records[first + 2 * index + half]
            part["kind"], part["parent"], part["anchor"] = PISTON, own, anchor
            part["other_part"], part["other"] = far, other
        names += [f"{aim.name}_cylinder", f"{aim.name}_rod"]
    records.flags.writeable = False
    return PartTable(
        tuple(names), records["parent"].copy(), records["kind"].copy(), records["anchor"].copy(), records
    )  # fmt: skip


@inline
def bone_rotation(start, end, hinge):
    """q_world_bone of a bone between two joints with a hinge across it; a bone without length keeps x on world x."""
    x = unit_or(sub(end, start), (1.0, 0.0, 0.0))
    y = unit_or(reject(hinge, x), unit_or(reject((0.0, 1.0, 0.0), x), (0.0, 0.0, 1.0)))
    return from_axes(x, y, cross(x, y))


@inline
def aim_rotation(origin, target, parent):
    """q_world_part of a part whose x points at a target, and whose y is as near to its parent's y as can be."""
    x = unit_or(sub(target, origin), rotate(parent, (1.0, 0.0, 0.0)))
    y = reject(rotate(parent, (0.0, 1.0, 0.0)), x)
    y = unit_or(y, unit_or(reject(rotate(parent, (0.0, 0.0, 1.0)), x), (0.0, 0.0, 1.0)))
    return from_axes(x, y, cross(x, y))


@kernel
def pose_parts_agent(table, trunks, joints, hinges, position, rotation, position_parent, rotation_parent):
    """Write the transforms of one agent's parts; ``table`` is ``PART [parts]``, the rest as in ``pose_parts``."""
    for index in range(table.shape[0]):
        part = table[index]
        kind = part["kind"]
        parent = part["parent"]
        p = (0.0, 0.0, 0.0)
        q = IDENTITY
        if kind == TRUNK:
            trunk = trunks[part["source"]]
            p = load3(trunk["position"])
            q = load4(trunk["rotation"])
        elif kind == BONE:
            joint = part["joint"]
            p = row3(joints, joint)
            q = bone_rotation(p, row3(joints, joint + 1), row3(hinges, part["source"]))
        elif kind == SOLE:
            p = row3(joints, part["joint"])
            q = multiply(load4(rotation[parent]), Q_BONE_SOLE)
        else:
            other = part["other_part"]
            p = add(row3(position, parent), rotate(load4(rotation[parent]), load3(part["anchor"])))
            target = add(row3(position, other), rotate(load4(rotation[other]), load3(part["other"])))
            q = aim_rotation(p, target, load4(rotation[parent]))
        store3(position[index], p)
        store4(rotation[index], q)
        if parent >= 0:
            q_parent = load4(rotation[parent])
            p = unrotate(q_parent, sub(p, row3(position, parent)))
            q = multiply(conjugate(q_parent), q)
        store3(position_parent[index], p)
        store4(rotation_parent[index], q)


@kernel
def pose_parts_batch(table, trunks, joints, hinges, position, rotation, position_parent, rotation_parent):
    """``pose_parts_agent`` for each agent."""
    for agent in range(joints.shape[0]):
        pose_parts_agent(
            table, trunks[agent], joints[agent], hinges[agent], position[agent], rotation[agent],
            position_parent[agent], rotation_parent[agent],
        )  # fmt: skip


def pose_parts(rig: Rig, trunks: Records, joints: Joints, table: PartTable | None = None) -> Parts:
    """Transforms of every part of every agent.

    Args:
        rig: the skeleton.
        trunks: ``POSE [agents, trunks]``.
        joints: the solved skeleton.
        table: ``part_table(rig)``, for callers that pose often.

    Returns:
        Positions and rotations in the world and in the parent's frame, in the order of ``part_table(rig).names``.
    """
    table = table or part_table(rig)
    agents, parts = joints.position.shape[0], len(table.names)
    out = Parts(*(np.empty((agents, parts, width)) for width in (3, 4, 3, 4)))
    pose_parts_batch(table.records, trunks, joints.position, joints.hinge, *out)
    return out

"""BVH: a hierarchy and Euler angles as text (Biovision 1995). No meshes, no skin; y up, metres, degrees.

With all angles zero the skeleton has the pose that ``rest`` gives: joints' frames are then those of the root.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from footfall.frames import arrays
from footfall.io.axes import to_y_up, y_up_matrix
from footfall.state import Array


class Joint(NamedTuple):
    """One joint; its parent stands before it."""

    name: str
    parent: int
    """Index of the parent; -1 for the first one, the root."""
    position: Array
    """``[frames, 3]`` world [m]."""
    rotation: Array
    """``[frames, 4]`` q_world_joint."""
    moves: bool
    """It has a position of its own in every frame; the root always has."""
    end: Array | None = None
    """Where the last bone ends, joint's frame ``[3]`` [m]; needed where the joint has no children."""


def euler_zxy(matrices: Array) -> Array:
    """Angles ``[..., 3]`` [deg] about z, x, y of ``R = Rz Rx Ry``, continuous along the first axis."""
    sine = np.clip(matrices[..., 2, 1], -1.0, 1.0)
    x = np.arcsin(sine)
    locked = np.abs(sine) > 1.0 - 1e-12  # then z and y turn about one line: z takes it all
    y = np.where(locked, 0.0, np.arctan2(-matrices[..., 2, 0], matrices[..., 2, 2]))
    z = np.where(
        locked,
        np.arctan2(matrices[..., 1, 0], matrices[..., 0, 0]),
        np.arctan2(-matrices[..., 0, 1], matrices[..., 1, 1]),
    )
    return np.degrees(np.unwrap(np.stack([z, x, y], axis=-1), axis=0))


def write_bvh(joints: list[Joint], frame_time: float) -> str:
    """The text of a file; the rest pose is that of the first frame.

    Args:
        joints: the root first, every parent before its children, each with its z-up world pose.
        frame_time: between frames [s].
    """
    children: list[list[int]] = [[] for _ in joints]
    for index, joint in enumerate(joints):
        if joint.parent >= 0:
            children[joint.parent].append(index)
    start = arrays.conjugate(joints[0].rotation[0])
    rest = [arrays.multiply(start, joint.rotation[0]) for joint in joints]
    world = [arrays.multiply(joint.rotation, arrays.conjugate(q)) for joint, q in zip(joints, rest, strict=True)]
    lines, columns = ["HIERARCHY"], []

    def spot(point: Array) -> str:
        return " ".join(f"{value:.9g}" for value in (to_y_up(point) + 0.0).tolist())

    def describe(index: int, depth: int) -> None:
        joint, pad = joints[index], "\t" * depth
        moves = joint.moves or joint.parent < 0
        offset, turn, place = np.zeros(3), world[index], joint.position
        if joint.parent >= 0:
            parent = joints[joint.parent]
            turn = arrays.multiply(arrays.conjugate(world[joint.parent]), turn)
            place = arrays.unrotate(world[joint.parent], place - parent.position)
            if not moves:
                offset = arrays.rotate(start, joint.position[0] - parent.position[0])
        channels = ["Zrotation", "Xrotation", "Yrotation"]
        if moves:
            channels = ["Xposition", "Yposition", "Zposition", *channels]
            columns.append(to_y_up(place))
        columns.append(euler_zxy(y_up_matrix(turn, place)[:, :3, :3]))
        lines.extend(
            [
                f"{pad}{'ROOT' if joint.parent < 0 else 'JOINT'} {joint.name}", f"{pad}{{",
                f"{pad}\tOFFSET {spot(offset)}", f"{pad}\tCHANNELS {len(channels)} {' '.join(channels)}",
            ]
        )  # fmt: skip
        for child in children[index]:
            describe(child, depth + 1)
        if joint.end is not None or not children[index]:
            end = arrays.rotate(rest[index], np.zeros(3) if joint.end is None else joint.end)
            lines.extend([f"{pad}\tEnd Site", f"{pad}\t{{", f"{pad}\t\tOFFSET {spot(end)}", f"{pad}\t}}"])
        lines.append(f"{pad}}}")

    describe(0, 0)
    table = np.concatenate(columns, axis=1)
    lines += ["MOTION", f"Frames: {len(table)}", f"Frame Time: {frame_time:.9g}"]
    lines += [" ".join(f"{value:.7g}" for value in row) for row in (table + 0.0).tolist()]
    return "\n".join(lines) + "\n"

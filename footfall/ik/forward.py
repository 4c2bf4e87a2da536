"""Forward kinematics of ``chain`` legs from given hinge angles: where measured joints put the bones.

The convention is that of ``footfall.ik.chain``: with all angles zero bone i points along ``direction``, and the hinge
at its root turns it, and all bones after it, about ``axis``; q_i = q_(i−1) · rotation(axis_i, angle_i).
"""

from __future__ import annotations

import numpy as np

from footfall.frames import arrays
from footfall.records import Records
from footfall.rig import Rig
from footfall.state import Array, Joints


def turn_about(axis: Array, angle: Array) -> Array:
    """Rotations about unit axes ``[..., 3]`` by ``angle [...]`` [rad], ``[..., 4]``."""
    half = 0.5 * angle[..., None]
    return np.concatenate([np.cos(half), np.sin(half) * axis], axis=-1)


def pose_angles(rig: Rig, trunks: Records, angles: Array, normal: tuple[float, float, float]) -> Joints:
    """Joints of every leg from its hinge angles.

    Args:
        rig: all legs are ``chain`` legs with as many bones each, and as many feet.
        trunks: ``POSE [agents, trunks]``.
        angles: ``[agents, legs, hinges]`` from the hip outward [rad].
        normal: upward direction of every foot, world.

    Returns:
        Joints from hip to sole, and the hinge of every bone, world.
    """
    agents, legs, hinges = angles.shape
    table = rig.leg_table
    segments = rig.segment_table.reshape(legs, hinges)
    trunk = trunks[:, table["trunk"]]
    feet = int(table["bones"][0]) - hinges
    position = np.zeros((agents, legs, hinges + feet + 1, 3))
    across = np.zeros((agents, legs, hinges + feet, 3))
    rotation = trunk["rotation"]
    end = trunk["position"] + arrays.rotate(rotation, table["hip"])
    position[:, :, 0] = end
    for bone in range(hinges):
        segment = segments[:, bone]
        rotation = arrays.multiply(rotation, turn_about(segment["axis"], angles[:, :, bone]))
        end = end + arrays.rotate(rotation, segment["length"][:, None] * segment["direction"])
        position[:, :, bone + 1] = end
        across[:, :, bone] = arrays.rotate(rotation, segment["across"])
    if feet:
        up = np.array(normal)
        position[:, :, -1] = end - table["foot_height"][:, None] * up
        level = across[:, :, -2] - (across[:, :, -2] @ up)[..., None] * up
        across[:, :, -1] = level / np.linalg.norm(level, axis=-1, keepdims=True)
    return Joints(position.reshape(agents, -1, 3), across.reshape(agents, -1, 3))

"""Quaternion algebra over whole arrays; the last axis holds the vector or the quaternion ``[w, x, y, z]``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def multiply(a: Array, b: Array) -> Array:
    """Hamilton product, ``[..., 4]``: q_a_c from q_a_b and q_b_c."""
    aw, ax, ay, az = np.moveaxis(a, -1, 0)
    bw, bx, by, bz = np.moveaxis(b, -1, 0)
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def cross(a: Array, b: Array) -> Array:
    """Vector product, ``[..., 3]``: as ``numpy.cross``, in less than half the time where arrays are small."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def conjugate(q: Array) -> Array:
    """The inverse rotation, ``[..., 4]``."""
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def rotate(q: Array, v: Array) -> Array:
    """Coordinates in frame a of ``v [..., 3]``, given in frame b, for ``q = q_a_b [..., 4]``."""
    u = q[..., 1:]
    t = 2.0 * cross(u, v)
    return v + q[..., :1] * t + cross(u, t)


def unrotate(q: Array, v: Array) -> Array:
    """Coordinates in frame b of ``v [..., 3]``, given in frame a, for ``q = q_a_b [..., 4]``."""
    return rotate(conjugate(q), v)


def angle_between(a: Array, b: Array) -> Array:
    """Angle of the rotation from a to b [rad], ``[...]``, in [0, π]."""
    relative = multiply(conjugate(a), b)
    return 2.0 * np.arctan2(np.linalg.norm(relative[..., 1:], axis=-1), np.abs(relative[..., 0]))


def continuous(q: Array) -> Array:
    """The same rotations with signs chosen so that neighbours along axis 0 have a dot product ≥ 0."""
    dots = (q[1:] * q[:-1]).sum(axis=-1)
    signs = np.cumprod(np.where(dots < 0.0, -1.0, 1.0), axis=0)
    out = q.copy()
    out[1:] *= signs[..., None]
    return out


def yaw(q: Array) -> Array:
    """Heading of the frame's x axis about z of the frame that ``q`` leads to [rad], ``[...]``."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    return np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def about_z(angle: Array) -> Array:
    """Rotation about z by ``angle [...]`` [rad], ``[..., 4]``."""
    half = 0.5 * np.asarray(angle, dtype=np.float64)
    zero = np.zeros_like(half)
    return np.stack([np.cos(half), zero, zero, np.sin(half)], axis=-1)


def from_z_to(up: Array) -> Array:
    """The shortest rotation ``[..., 4]`` that takes z to unit vectors ``[..., 3]``; to −z, half a turn about x."""
    x, y, z = np.moveaxis(np.asarray(up, dtype=np.float64), -1, 0)
    opposite = 1.0 + z < 1e-12
    q = np.stack([1.0 + z, np.where(opposite, 1.0, -y), np.where(opposite, 0.0, x), np.zeros_like(z)], axis=-1)
    return np.asarray(q / np.linalg.norm(q, axis=-1, keepdims=True))


def rotation_vector(q: Array) -> Array:
    """Axis times angle ``[..., 3]`` [rad] of rotations ``[..., 4]``, the short way; q and −q are the same."""
    q = np.where(q[..., :1] < 0.0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, q[..., :1])
    return q[..., 1:] * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-12), 2.0)


def from_rotation_vector(v: Array) -> Array:
    """Rotation ``[..., 4]`` by axis times angle ``[..., 3]`` [rad]."""
    angle = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.concatenate([np.cos(0.5 * angle), 0.5 * v * np.sinc(0.5 * angle / np.pi)], axis=-1)


def from_axes(x: Array, y: Array, z: Array) -> Array:
    """q_a_b ``[4]`` of a frame b whose orthonormal axes ``[3]`` are given in frame a."""
    m = np.stack([x, y, z], axis=-1)
    # four times the products of w, x, y, z; the column of the largest square is the quaternion, scaled
    products = np.array(
        [
            [1 + m[0, 0] + m[1, 1] + m[2, 2], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]],
            [m[2, 1] - m[1, 2], 1 + m[0, 0] - m[1, 1] - m[2, 2], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0]],
            [m[0, 2] - m[2, 0], m[0, 1] + m[1, 0], 1 - m[0, 0] + m[1, 1] - m[2, 2], m[1, 2] + m[2, 1]],
            [m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], 1 - m[0, 0] - m[1, 1] + m[2, 2]],
        ]
    )
    q = products[int(np.argmax(np.diag(products)))]
    return np.asarray(q / np.linalg.norm(q))


def upright(up: Array) -> Array:
    """The least rotation that takes z to the unit vectors ``up [..., 3]``: q_world_level, ``[..., 4]``."""
    x, y, z = np.moveaxis(np.asarray(up, dtype=np.float64), -1, 0)
    over = z <= -1.0 + 1e-12  # upside down: half a turn about x
    q = np.stack([np.where(over, 0.0, 1.0 + z), np.where(over, 1.0, -y), np.where(over, 0.0, x), np.zeros_like(z)], -1)
    return np.asarray(q / np.linalg.norm(q, axis=-1, keepdims=True))

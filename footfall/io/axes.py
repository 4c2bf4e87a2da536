"""From x forward, y left, z up, quaternions wxyz, to the y-up, z-forward, xyzw of glTF; and to BVH's y up."""

from __future__ import annotations

import numpy as np

from footfall.state import Array


def to_y_up(points: Array) -> Array:
    """Vectors ``[..., 3]`` with y up and z forward: an exact permutation, which keeps handedness."""
    return points[..., [1, 2, 0]]


def to_xyzw(q: Array) -> Array:
    """Quaternions ``[..., 4]`` with y up and z forward, scalar last, of quaternions wxyz with z up and x forward."""
    return q[..., [2, 3, 1, 0]]


def y_up_matrix(q: Array, position: Array) -> Array:
    """Matrices ``[..., 4, 4]`` with y up and z forward of transforms with z up and x forward."""
    x, y, z, w = np.moveaxis(to_xyzw(q), -1, 0)
    out = np.zeros((*q.shape[:-1], 4, 4))
    out[..., 0, 0], out[..., 0, 1], out[..., 0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)
    out[..., 1, 0], out[..., 1, 1], out[..., 1, 2] = 2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)
    out[..., 2, 0], out[..., 2, 1], out[..., 2, 2] = 2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)
    out[..., :3, 3] = to_y_up(position)
    out[..., 3, 3] = 1.0
    return out

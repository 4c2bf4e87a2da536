"""Sole, contact plane and speed of a foot. A foot's centre, its sole and its contact point are three points.

All functions take whole arrays; the last axis holds a vector or a quaternion, and the other axes broadcast.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from footfall.frames.arrays import rotate

Array = NDArray[np.float64]


def sole_below(rotation: ArrayLike, offset: ArrayLike) -> Array:
    """Vector from a foot's centre to its sole, world ``[..., 3]`` [m].

    The sole lies ``offset [...]`` [m] under the centre along the foot's own z: it follows the foot's
    ``rotation [..., 4]``.
    """
    down = np.multiply.outer(np.asarray(offset, np.float64), np.array([0.0, 0.0, -1.0]))
    return rotate(np.asarray(rotation, np.float64), down)


def sole_of(position: ArrayLike, rotation: ArrayLike, offset: ArrayLike) -> Array:
    """Sole ``[..., 3]`` of a foot with its centre at ``position [..., 3]``, world [m]; see ``sole_below``."""
    return np.asarray(position, np.float64) + sole_below(rotation, offset)


def centre_over(sole: ArrayLike, rotation: ArrayLike, offset: ArrayLike) -> Array:
    """Centre ``[..., 3]`` of a foot with its sole at ``sole [..., 3]``, world [m]: the inverse of ``sole_of``."""
    return np.asarray(sole, np.float64) - sole_below(rotation, offset)


def sole_velocity(velocity: ArrayLike, angular_velocity: ArrayLike, rotation: ArrayLike, offset: ArrayLike) -> Array:
    """Velocity ``[..., 3]`` [m/s] of the sole: v + ω × r, with the foot's own velocities in the world's frame."""
    turning = np.cross(np.asarray(angular_velocity, np.float64), sole_below(rotation, offset))
    return np.asarray(velocity, np.float64) + turning


def project_on_plane(sole: ArrayLike, point: ArrayLike, normal: ArrayLike) -> tuple[Array, Array]:
    """Foot of the perpendicular from a sole to a contact plane, and the signed distance from the plane.

    Args:
        sole: ``[..., 3]`` world [m].
        point: ``[..., 3]`` any point of the plane, world [m].
        normal: ``[..., 3]`` outward unit normal of the ground.

    Returns:
        ``[..., 3]`` point on the plane [m]; ``[...]`` (sole − point) · normal [m], negative inside the ground.
    """
    sole, normal = np.asarray(sole, np.float64), np.asarray(normal, np.float64)
    distance = np.sum((sole - np.asarray(point, np.float64)) * normal, axis=-1)
    return sole - distance[..., None] * normal, distance


def split_speed(velocity: ArrayLike, normal: ArrayLike) -> tuple[Array, Array]:
    """Speed along and across a unit normal: v · n, and ‖v − (v · n) n‖, both ``[...]`` [m/s]."""
    velocity, normal = np.asarray(velocity, np.float64), np.asarray(normal, np.float64)
    along = np.sum(velocity * normal, axis=-1)
    return along, np.linalg.norm(velocity - along[..., None] * normal, axis=-1)

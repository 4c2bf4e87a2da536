"""The ground under a point, and batches of rays for those who look at a world from Python."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from footfall.compile import inline, kernel
from footfall.errors import FootfallError
from footfall.frames.scalar import ZERO, add_scaled, load3, scale, store3
from footfall.world.boxes import UNOWNED
from footfall.world.cast import ALL_LAYERS, HIT, MISS, NOBODY, cast_part, cast_ray
from footfall.world.surface_pose import surface_velocity
from footfall.world.surfaces import World

TERRAIN_REACH = 1000.0  # the terrain's own height is looked for this many ray lengths up and down


@kernel
def trace_ground(world, point, up, above, below, owner, mask):
    """The ground met by the ray from ``above`` [m] over a point to ``below`` [m] under it.

    Returns:
        ``(status, ground, normal, surface)`` as ``cast_ray``, with the point on the ground, world [m]; without a hit it
        is the point itself.
    """
    origin = add_scaled(point, up, above)
    down = scale(up, -1.0)
    status, distance, normal, surface = cast_ray(world, origin, down, above + below, owner, mask)
    if status != HIT:
        return status, point, normal, surface
    return status, add_scaled(point, up, above - distance), normal, surface


@inline
def owner_of(world, surface, box):
    """Agent whose part was met, -1 nobody's."""
    if box >= 0 and world.boxes[box]["owner"] >= 0:
        return world.boxes[box]["owner"]
    return world.surfaces[surface]["owner"]


@kernel
def trace_ground_past_own(world, point, up, above, below, owner, skip, tries):
    """As ``trace_ground``, for a host whose ray-cast cannot leave the walker's own parts out (rows A23 to A25).

    A ray that meets an own part starts again ``skip`` [m] below it, up to so many tries in all. After that, and where
    nothing is met, the ground is where the terrain, that nobody owns, lies on the line through the point.
    """
    down = scale(up, -1.0)
    height = above
    for _ in range(tries):
        origin = add_scaled(point, up, height)
        status, distance, normal, surface, box = cast_part(world, origin, down, height + below, NOBODY, ALL_LAYERS)
        if status < MISS:
            return status, point, normal, surface
        if status == MISS:
            break
        if owner < 0 or owner_of(world, surface, box) != owner:
            return status, add_scaled(point, up, height - distance), normal, surface
        height -= distance + skip
        if height < -below:
            break
    far = TERRAIN_REACH * (above + below)
    return trace_ground(world, point, up, far, far, UNOWNED, ALL_LAYERS)


@kernel
def cast_rays(world, points, directions, lengths, owners, mask, dt, found, ground, normals, surfaces, velocity, layers):
    """``cast_ray`` for each point, into the arrays."""
    for n in range(points.shape[0]):
        origin, direction = load3(points[n]), load3(directions[n])
        status, distance, normal, surface, box = cast_part(world, origin, direction, lengths[n], owners[n], mask)
        found[n], surfaces[n] = status, surface
        store3(normals[n], normal)
        store3(velocity[n], ZERO)
        layers[n] = 0
        if status == HIT:
            place = add_scaled(origin, direction, distance)
            store3(ground[n], place)
            layers[n] = world.surfaces[surface]["layer"] & (world.boxes[box]["layer"] if box >= 0 else ALL_LAYERS)
            if dt > 0.0:
                store3(velocity[n], surface_velocity(world, surface, place, dt))
        else:
            store3(ground[n], (math.nan, math.nan, math.nan))


class Hit(NamedTuple):
    """What n rays met."""

    found: NDArray[np.int64]
    """``[n]`` 1 hit, 0 miss, -1 not loaded."""
    point: NDArray[np.float64]
    """``[n, 3]`` where, world [m]; not a number without a hit."""
    normal: NDArray[np.float64]
    """``[n, 3]`` outward unit normal, world; 0 without a hit."""
    surface: NDArray[np.int64]
    """``[n]`` index of the surface, -1 without a hit."""
    velocity: NDArray[np.float64]
    """``[n, 3]`` of the surface there, world [m/s]."""
    layer: NDArray[np.int64]
    """``[n]`` layers of what was met, 0 without a hit."""


def cast(
    world: World, points: ArrayLike, directions: ArrayLike, length: ArrayLike, owner: ArrayLike = NOBODY,
    mask: int = ALL_LAYERS, dt: float = 0.0,
) -> Hit:  # fmt: skip
    """Cast n rays at once; see ``cast_ray`` for what counts.

    Args:
        world: what they may meet.
        points: ``[n, 3]`` origins, world [m].
        directions: ``[3]`` or ``[n, 3]``, world; brought to unit length.
        length: one or ``[n]``, longest distance [m].
        owner: one or ``[n]``, agent whose parts do not count.
        mask: bits of the layers that count.
        dt: tick that velocities are taken over [s]; 0 leaves them 0.
    """
    points = np.ascontiguousarray(np.atleast_2d(np.asarray(points, np.float64)))
    n = len(points)
    if points.shape != (n, 3):
        raise FootfallError(f"points: shape {points.shape}; expected n x 3")
    directions = np.asarray(directions, np.float64)
    directions = np.ascontiguousarray(
        np.broadcast_to(directions / np.linalg.norm(directions, axis=-1, keepdims=True), (n, 3))
    )
    lengths = np.ascontiguousarray(np.broadcast_to(np.asarray(length, np.float64), n))
    owners = np.ascontiguousarray(np.broadcast_to(np.asarray(owner, np.int64), n))
    hit = Hit(
        np.zeros(n, np.int64), np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(n, np.int64), np.zeros((n, 3)),
        np.zeros(n, np.int64),
    )  # fmt: skip
    cast_rays(world, points, directions, lengths, owners, int(mask), float(dt), *hit)
    return hit


def ground_height(
    world: World, points: ArrayLike, above: float = 1e4, below: float = 1e4, owner: int = NOBODY,
    up: ArrayLike = (0.0, 0.0, 1.0),
) -> NDArray[np.float64]:  # fmt: skip
    """Height of the ground ``[n]`` along up [m], on the line along up through points ``[n, 3]``; NaN in a hole.

    ``above`` and ``below``: how far over and under each point it is looked for [m].
    """
    up = np.asarray(up, dtype=np.float64)
    points = np.atleast_2d(np.asarray(points, np.float64)) + above * up
    return np.asarray(cast(world, points, -up, above + below, owner).point @ up)

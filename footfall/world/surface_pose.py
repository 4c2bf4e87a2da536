"""Frames of surfaces: where a point that rides on a surface is, was, and how fast it goes. Surface -1 is the world."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from footfall.compile import inline, kernel
from footfall.frames.scalar import (
    ZERO,
    add,
    lerp,
    load3,
    load4,
    rotate,
    scale,
    slerp,
    store3,
    store4,
    sub,
    unrotate,
)
from footfall.records import Records, copy_records
from footfall.world.shapes import numbers, unit_quaternion
from footfall.world.surfaces import World


@inline
def to_world(world, surface, point):
    """World coordinates [m] of a point given in a surface's frame at this tick."""
    if surface < 0 or world.surfaces[surface]["placed"] == 0:
        return point
    record = world.surfaces[surface]
    return add(load3(record["position"]), rotate(load4(record["rotation"]), point))


@inline
def to_world_direction(world, surface, direction):
    """World coordinates of a direction given in a surface's frame at this tick."""
    if surface < 0 or world.surfaces[surface]["placed"] == 0:
        return direction
    return rotate(load4(world.surfaces[surface]["rotation"]), direction)


@inline
def to_surface(world, surface, point):
    """Coordinates in a surface's frame [m] of a world point at this tick."""
    if surface < 0 or world.surfaces[surface]["placed"] == 0:
        return point
    record = world.surfaces[surface]
    return unrotate(load4(record["rotation"]), sub(point, load3(record["position"])))


@inline
def to_surface_direction(world, surface, direction):
    """Coordinates in a surface's frame of a world direction at this tick."""
    if surface < 0 or world.surfaces[surface]["placed"] == 0:
        return direction
    return unrotate(load4(world.surfaces[surface]["rotation"]), direction)


@inline
def to_previous_world(world, surface, point):
    """World coordinates [m] that a point, given in a surface's frame, had at the last tick."""
    if surface < 0 or world.surfaces[surface]["placed"] == 0:
        return point
    record = world.surfaces[surface]
    return add(load3(record["previous_position"]), rotate(load4(record["previous_rotation"]), point))


@inline
def surface_velocity(world, surface, point, dt):
    """Velocity [m/s] of the surface's material at a world point, over the tick of dt [s] that ends now."""
    if surface < 0 or world.surfaces[surface]["placed"] == 0:
        return ZERO
    before = to_previous_world(world, surface, to_surface(world, surface, point))
    return scale(sub(point, before), 1.0 / dt)


@kernel
def place_surfaces(surfaces, share, placed):
    """Poses of surfaces at a share of the way from their previous to their present one."""
    for index in range(surfaces.shape[0]):
        record = surfaces[index]
        position = lerp(load3(record["previous_position"]), load3(record["position"]), share)
        store3(placed[index]["position"], position)
        rotation = slerp(load4(record["previous_rotation"]), load4(record["rotation"]), share)
        store4(placed[index]["rotation"], rotation)


def world_at(world: World, share: float, room: Records | None = None) -> World:
    """The world at a share of the caller's frame, 0 at its start and 1 at its end.

    Args:
        world: not changed; its surfaces go evenly from their previous to their present poses.
        share: of the frame.
        room: ``SURFACE [surfaces]`` to write in.
    """
    if world.moving[0] == 0 or share >= 1.0:
        return world
    placed = np.empty_like(world.surfaces) if room is None else room
    copy_records(placed, world.surfaces)
    place_surfaces(world.surfaces, share, placed)
    return world._replace(surfaces=placed)


def move_surface(world: World, surface: int, position: ArrayLike, rotation: ArrayLike = (1.0, 0.0, 0.0, 0.0)) -> World:
    """Give a surface its pose at the end of the next frame; its present pose becomes the previous one.

    Within the frame it moves evenly from the one to the other.

    Args:
        world: changed in place, and returned.
        surface: index of the surface.
        position: ``[3]`` origin of its frame, world [m].
        rotation: ``[4]`` q_world_surface, brought to unit length.

    Raises:
        FootfallError: the pose is not finite.
    """
    record = world.surfaces[surface : surface + 1]
    place, turn = numbers("position", position, 3), unit_quaternion("rotation", rotation)
    record["previous_position"], record["previous_rotation"] = record["position"], record["rotation"]
    record["position"], record["rotation"] = place, turn
    record["placed"] = 1
    world.moving[0] = 1
    return world


def rest_surfaces(world: World) -> World:
    """Let all surfaces stand: their present poses become the previous ones. Call before the moves of each frame."""
    world.surfaces["previous_position"] = world.surfaces["position"]
    world.surfaces["previous_rotation"] = world.surfaces["rotation"]
    return world


def delete_surface(world: World, surface: int) -> World:
    """Take a surface away: no ray meets it, and anchors on it stay where they are."""
    record = world.surfaces[surface : surface + 1]
    record["previous_position"], record["previous_rotation"] = record["position"], record["rotation"]
    record["gone"] = 1
    return world

"""Frames of surfaces: where a point that rides on a surface is, was, and how fast it goes. Surface -1 is the world."""

from __future__ import annotations

from numpy.typing import ArrayLike

from footfall.compile import inline
from footfall.frames.scalar import ZERO, add, load3, load4, rotate, scale, sub, unrotate
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


def move_surface(world: World, surface: int, position: ArrayLike, rotation: ArrayLike = (1.0, 0.0, 0.0, 0.0)) -> World:
    """Give a surface its pose at the next tick; its present pose becomes the previous one.

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
    """Let all surfaces stand: their present poses become the previous ones. Call before the moves of each tick."""
    world.surfaces["previous_position"] = world.surfaces["position"]
    world.surfaces["previous_rotation"] = world.surfaces["rotation"]
    return world


def delete_surface(world: World, surface: int) -> World:
    """Take a surface away: no ray meets it, and anchors on it stay where they are."""
    record = world.surfaces[surface : surface + 1]
    record["previous_position"], record["previous_rotation"] = record["position"], record["rotation"]
    record["gone"] = 1
    return world

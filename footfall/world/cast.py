"""One ray against everything in a world."""

from __future__ import annotations

import math

from footfall.compile import inline, kernel
from footfall.frames.scalar import ZERO, load3, load4, rotate, sub, unrotate
from footfall.world.boxes import UNOWNED, cast_boxes, counts
from footfall.world.heightfield import cast_heightfield
from footfall.world.host import cast_host
from footfall.world.mesh import cast_mesh
from footfall.world.surfaces import BODY, BOXES, HEIGHTFIELD, HOST, MESH, PLANE

HIT = 1
MISS = 0
NOT_LOADED = -1
ALL_LAYERS = -1
FARTHEST = 1e30  # longest ray [m]
NOBODY = -1  # owner: nothing is one's own

__all__ = ["ALL_LAYERS", "HIT", "MISS", "NOBODY", "NOT_LOADED", "UNOWNED", "cast_part", "cast_ray"]


@inline
def cast_plane(origin, direction):
    """Distance [m] to the plane z = 0, infinite where it is missed; 0 below it."""
    if origin[2] < 0.0:
        return 0.0
    return origin[2] / -direction[2] if direction[2] < 0.0 else math.inf


@kernel
def cast_part(world, origin, direction, limit, owner, mask):
    """Nearest hit of a ray, and which part of the surface it is on.

    As ``cast_ray``; the fifth value is the index in ``World.boxes`` where a box was met, else -1.
    """
    size = abs(origin[0]) + abs(origin[1]) + abs(origin[2]) + abs(direction[0]) + abs(direction[1]) + abs(direction[2])
    if not (size < FARTHEST and limit >= 0.0):  # no numbers, too
        return MISS, math.inf, ZERO, -1, -1
    best, status, normal, met, part = min(limit, FARTHEST), MISS, ZERO, -1, -1  # a miss is farther than all
    for index in range(world.surfaces.shape[0]):
        surface = world.surfaces[index]
        kind = surface["kind"]
        if surface["gone"] != 0 or kind == BODY:
            continue
        if not counts(surface["owner"], surface["layer"], surface["trigger"], owner, mask):
            continue
        o, d = origin, direction
        if surface["placed"] != 0:
            rotation = load4(surface["rotation"])
            o = unrotate(rotation, sub(origin, load3(surface["position"])))
            d = unrotate(rotation, direction)
        way, n, here, item = math.inf, (0.0, 0.0, 1.0), index, -1
        if kind == PLANE:
            way = cast_plane(o, d)
        elif kind == HEIGHTFIELD:
            way, n = cast_heightfield(world.heights, surface, o, d, best)
        elif kind == MESH:
            way, n = cast_mesh(world.nodes, world.triangles, surface["first"], surface["end"], o, d, best)
        elif kind == BOXES:
            first, end = surface["first"], surface["end"]
            way, n, item = cast_boxes(world.nodes, world.boxes, first, end, o, d, best, owner, mask)
        elif kind == HOST:
            found, way, n, here = cast_host(world.rays, world.slots, world.asked, index, o, d, limit, owner, mask)
            if found < 0:
                return NOT_LOADED, math.inf, ZERO, index, -1
            if found == 0:
                continue
        if way < best or (way == best and status == MISS):
            best, status, met, part = way, HIT, here, item
            normal = rotate(load4(surface["rotation"]), n) if surface["placed"] != 0 else n
    return status, best if status == HIT else math.inf, normal, met, part


@kernel
def cast_ray(world, origin, direction, limit, owner, mask):
    """Nearest hit of a ray.

    Surfaces are met from outside only; an origin inside of a solid is a hit at distance 0, with the normal of the
    surface above it. What belongs to the owner, triggers, what is gone and layers outside of the mask never count.

    Args:
        world: a ``World``.
        origin: start, world [m].
        direction: unit vector, world.
        limit: longest distance [m], included.
        owner: agent whose parts do not count; ``NOBODY``; ``UNOWNED``: nobody's parts count.
        mask: bits of the layers that count; ``ALL_LAYERS``.

    Returns:
        ``(status, distance, normal, surface)``: ``HIT``, ``MISS``, or ``NOT_LOADED`` where a host has no ground yet;
        distance [m], infinite without a hit; unit normal, world; index of the surface, -1 without a hit.
    """
    status, distance, normal, surface, part = cast_part(world, origin, direction, limit, owner, mask)
    return status, distance, normal, surface

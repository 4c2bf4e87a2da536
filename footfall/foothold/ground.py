"""The ground of a spot: found by a ray, and felt for an edge within the foot's radius."""

from __future__ import annotations

from footfall.compile import inline
from footfall.frames.scalar import add, add_scaled, dot, length, rotate, scale, sub, unit_or
from footfall.world.cast import ALL_LAYERS, cast_ray
from footfall.world.ground import trace_ground


@inline
def find_ground(c, world, spot, hip, up, agent):
    """Ground at a wished spot by the machine's kind of ray."""
    settings = c.footholds[0]
    size = c.machine[0]["leg_length"]
    if settings["ray"] == 0:
        return trace_ground(
            world, spot, up, settings["ray_above"] * size, settings["ray_below"] * size, agent, ALL_LAYERS
        )
    start = add_scaled(hip, up, settings["ray_above"] * size)
    way = sub(spot, start)
    far = length(way)
    direction = unit_or(way, scale(up, -1.0))
    status, met_at, normal, surface = cast_ray(world, start, direction, 2.0 * far, agent, ALL_LAYERS)
    return status, add_scaled(start, direction, met_at), normal, surface


@inline
def at_edge(c, world, point, normal, up, heading, radius, agent):
    """Whether the ground within a foot's radius leaves the plane through the spot."""
    settings = c.footholds[0]
    span = c.machine[0]["leg_length"]
    for side in range(4):
        offset = rotate(
            heading,
            (
                radius if side == 0 else (-radius if side == 1 else 0.0),
                radius if side == 2 else (-radius if side == 3 else 0.0),
                0.0,
            ),
        )
        plane = -dot(normal, offset) / max(dot(normal, up), 0.1)
        expected = add_scaled(add(point, offset), up, plane)
        status, ground, other, surface = trace_ground(world, expected, up, 0.5 * span, 0.5 * span, agent, ALL_LAYERS)
        if status != 1 or abs(dot(sub(ground, expected), up)) > settings["edge_tolerance"] * radius:
            return True
    return False

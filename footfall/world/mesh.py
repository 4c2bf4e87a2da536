"""Rays onto a mesh of one-sided triangles, in the frame of its surface."""

from __future__ import annotations

import math

from footfall.compile import inline
from footfall.frames.scalar import ZERO, cross, dot, load3, sub
from footfall.world.bare import bare
from footfall.world.tree import meets_node, safe_inverse


@inline
def cast_triangle(triangle, origin, direction):
    """Distance [m] to a triangle that faces the ray, infinite where it is missed or met from behind.

    The ray passes inside of the edge from p to q where direction · ((q − o) × (p − o)) ≥ 0. Two triangles that share an
    edge get the same number with opposite signs, to the last bit, so no ray slips through between them.
    """
    facing = dot(load3(triangle["normal"]), direction)
    if not facing < 0.0:
        return math.inf
    a, b, c = sub(load3(triangle["a"]), origin), sub(load3(triangle["b"]), origin), sub(load3(triangle["c"]), origin)
    if dot(direction, cross(b, a)) < 0.0 or dot(direction, cross(c, b)) < 0.0 or dot(direction, cross(a, c)) < 0.0:
        return math.inf
    way = dot(load3(triangle["normal"]), a) / facing
    return way if way >= 0.0 else math.inf


@bare
def cast_mesh(nodes, triangles, first, end, origin, direction, limit):
    """Distance [m] to the nearest triangle within the limit, infinite where there is none, and its outward normal."""
    inverse = (safe_inverse(direction[0]), safe_inverse(direction[1]), safe_inverse(direction[2]))
    best, met = limit, -1
    node = first
    while node < end:
        record = nodes[node]
        if not meets_node(record, origin, inverse, best):
            node = int(record["skip"])
            continue
        for item in range(record["first"], record["first"] + record["count"]):
            way = cast_triangle(triangles[item], origin, direction)
            if way < best or (way == best and met < 0):
                best, met = way, item
        node += 1
    if met < 0:
        return math.inf, ZERO
    return best, load3(triangles[met]["normal"])

"""Rays onto a mesh of one-sided triangles, in the frame of its surface."""

from __future__ import annotations

import math

from footfall.compile import inline, kernel
from footfall.frames.scalar import ZERO, dot, load3, sub
from footfall.world.tree import meets_node, safe_inverse


@inline
def screen_axes(direction):
    """Two unit vectors across a ray, anticlockwise for who looks along it from its start (Duff et al. 2017)."""
    x, y, z = -direction[0], -direction[1], -direction[2]
    sign = math.copysign(1.0, z)
    a = -1.0 / (sign + z)
    b = x * y * a
    return (1.0 + sign * x * x * a, sign * b, -sign * x), (b, sign + y * y * a, -y)


@inline
def cast_triangle(triangle, origin, direction, right, up):
    """Distance [m] to a triangle that faces the ray, infinite where it is missed or met from behind.

    Corners are brought onto the plane across the ray, on the axes ``right`` and ``up``, with the ray at its origin. An
    edge from p to q has the ray on its inside where px qy − py qx ≥ 0. The same corner always lands on the same spot,
    and the sign of a difference of two rounded products is never wrong, so no ray slips through between triangles that
    share corners (Woop, Benthin and Wald 2013).
    """
    facing = dot(load3(triangle["normal"]), direction)
    if not facing < 0.0:
        return math.inf
    a, b, c = sub(load3(triangle["a"]), origin), sub(load3(triangle["b"]), origin), sub(load3(triangle["c"]), origin)
    ax, ay = dot(a, right), dot(a, up)
    bx, by = dot(b, right), dot(b, up)
    cx, cy = dot(c, right), dot(c, up)
    if not (ax * by - ay * bx >= 0.0 and bx * cy - by * cx >= 0.0 and cx * ay - cy * ax >= 0.0):
        return math.inf
    way = dot(load3(triangle["normal"]), a) / facing
    return way if way >= 0.0 else math.inf


@kernel
def cast_mesh(nodes, triangles, first, end, origin, direction, limit):
    """Distance [m] to the nearest triangle within the limit, infinite where there is none, and its outward normal."""
    inverse = (safe_inverse(direction[0]), safe_inverse(direction[1]), safe_inverse(direction[2]))
    right, up = screen_axes(direction)
    best, met = limit, -1
    node = first
    while node < end:
        record = nodes[node]
        if not meets_node(record, origin, inverse, best):
            node = int(record["skip"])
            continue
        for item in range(record["first"], record["first"] + record["count"]):
            way = cast_triangle(triangles[item], origin, direction, right, up)
            if way < best or (way == best and met < 0):
                best, met = way, item
        node += 1
    if met < 0:
        return math.inf, ZERO
    return best, load3(triangles[met]["normal"])

"""How far inside the support polygon the body's ground point is."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-incomplete-defs=False

from __future__ import annotations

import math

from footfall.compile import inline, kernel


@inline
def turn_of(x, y, a, b, c):
    """Twice the area of the triangle a, b, c: positive where it turns left."""
    return (x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a])


@inline
def distance_to_segment(ax, ay, bx, by):
    """Distance of the origin from the segment a to b."""
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    share = 0.0 if square == 0.0 else min(max(-(ax * dx + ay * dy) / square, 0.0), 1.0)
    return math.hypot(ax + share * dx, ay + share * dy)


@kernel
def hull_margin(x, y, count, hull):
    """Distance of the origin from the edge of the convex hull of ``count`` points, positive inside.

    Andrew's monotone chain (1979). One point or points in one line are a hull without an inside.

    Args:
        x: ``[n]`` coordinates, sorted in place.
        y: ``[n]`` the same.
        count: how many, 1 or more.
        hull: ``[2 n + 2]`` room for indices.
    """
    for i in range(1, count):  # few points: insertion sort by x, then y
        px, py = x[i], y[i]
        j = i - 1
        while j >= 0 and (x[j] > px or (x[j] == px and y[j] > py)):
            x[j + 1], y[j + 1] = x[j], y[j]
            j -= 1
        x[j + 1], y[j + 1] = px, py
    size = 0
    for i in range(count):
        while size >= 2 and turn_of(x, y, hull[size - 2], hull[size - 1], i) <= 0.0:
            size -= 1
        hull[size] = i
        size += 1
    lower = size + 1
    for i in range(count - 2, -1, -1):
        while size >= lower and turn_of(x, y, hull[size - 2], hull[size - 1], i) <= 0.0:
            size -= 1
        hull[size] = i
        size += 1
    corners = max(size - 1, 1)  # the last corner is the first one again
    inside = corners >= 3
    nearest = math.inf
    for k in range(corners):
        a, b = hull[k], hull[(k + 1) % corners]
        if x[a] * y[b] - y[a] * x[b] < 0.0:
            inside = False
        nearest = min(nearest, distance_to_segment(x[a], y[a], x[b], y[b]))
    return nearest if inside else -nearest

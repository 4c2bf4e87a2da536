"""Triangles of the ground within bounds, for drawing."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from footfall.records import Records
from footfall.world.surfaces import BOXES, HEIGHTFIELD, MESH, PLANE, World

Array = NDArray[np.float64]
Bounds = tuple[float, float, float, float]  # x0, x1, y0, y1 [m]
Span = tuple[float, float]  # [m]
Triangles = tuple[Array, NDArray[np.int64]]

#: Corners of a box's faces, anticlockwise from outside; corner n has the high x, y, z where bit 0, 1, 2 of n is set.
FACES = np.array([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]])


def rotation_matrix(q: Array) -> Array:
    """Matrix ``[3, 3]`` of a unit quaternion."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def local_bounds(record: Records, bounds: Bounds) -> Bounds:
    """Bounds in a surface's frame that hold the corners of the bounds in the world."""
    x0, x1, y0, y1 = bounds
    position = record["position"]
    corners = np.array([[x, y, position[2]] for x in (x0, x1) for y in (y0, y1)]) - position
    local = corners @ rotation_matrix(record["rotation"])
    return local[:, 0].min(), local[:, 0].max(), local[:, 1].min(), local[:, 1].max()


def grid_triangles(rows: int, columns: int) -> NDArray[np.int64]:
    """Triangles ``[m, 3]`` over vertices ``[rows, columns]``, each cell cut as height fields are."""
    index = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = (part.ravel() for part in (index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]))
    return np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


def plane_patch(bounds: Bounds, normal: Array, position: Array, step: float) -> Triangles:
    """A plane as squares of about ``step`` [m] in the world; nothing of a plane that stands upright."""
    if normal[2] < 1e-6:
        return np.zeros((0, 3)), np.zeros((0, 3), np.int64)
    x0, x1, y0, y1 = bounds
    xs = np.linspace(x0, x1, max(2, math.ceil((x1 - x0) / step) + 1))
    ys = np.linspace(y0, y1, max(2, math.ceil((y1 - y0) / step) + 1))
    x, y = np.meshgrid(xs, ys)
    z = position[2] - (normal[0] * (x - position[0]) + normal[1] * (y - position[1])) / normal[2]
    return np.stack([x, y, z], -1).reshape(-1, 3), grid_triangles(*x.shape)


def sample_range(span: Span, first: float, width: float, count: int, periodic: bool) -> NDArray[np.int64]:
    """Indices of the samples of all cells that reach into a span [m]; within 0 to count unless periodic."""
    low, high = math.floor((span[0] - first) / width), math.ceil((span[1] - first) / width)
    if not periodic:
        low, high = max(low, 0), min(high, count - 1)
    return np.arange(low, high + 1)


def heightfield_patch(world: World, record: Records, bounds: Bounds) -> Triangles:
    """The triangles of all cells that reach into the bounds, surface frame."""
    columns, rows, periodic = int(record["columns"]), int(record["rows"]), bool(record["periodic"])
    i = sample_range(bounds[:2], float(record["x0"]), float(record["dx"]), columns, periodic)
    j = sample_range(bounds[2:], float(record["y0"]), float(record["dy"]), rows, periodic)
    if len(i) < 2 or len(j) < 2:
        return np.zeros((0, 3)), np.zeros((0, 3), np.int64)
    heights = world.heights[record["first"] : record["end"]].reshape(rows, columns)
    x, y = np.meshgrid(record["x0"] + i * record["dx"], record["y0"] + j * record["dy"])
    z = heights[np.ix_(j % rows, i % columns)]
    return np.stack([x, y, z], -1).reshape(-1, 3), grid_triangles(len(j), len(i))


def clip_polygon(polygon: Array, bounds: Bounds) -> Array:
    """The part of a convex polygon ``[n, 3]`` within the bounds (Sutherland and Hodgman 1974)."""
    for axis, low, high in ((0, bounds[0], bounds[1]), (1, bounds[2], bounds[3])):
        for sign, limit in ((1.0, low), (-1.0, high)):
            inside = sign * (polygon[:, axis] - limit)
            kept = []
            for n in range(len(polygon)):
                here, there = inside[n], inside[(n + 1) % len(polygon)]
                if here >= 0.0:
                    kept.append(polygon[n])
                if here * there < 0.0:
                    kept.append(polygon[n] + (polygon[(n + 1) % len(polygon)] - polygon[n]) * (here / (here - there)))
            if len(kept) < 3:
                return np.zeros((0, 3))
            polygon = np.array(kept)
    return polygon


def tree_items(world: World, record: Records) -> slice:
    """The triangles or boxes of a surface, in the array of their kind."""
    nodes = world.nodes[record["first"] : record["end"]]
    leaves = nodes[nodes["count"] > 0]
    first = int(leaves["first"].min())
    return slice(first, first + int(leaves["count"].sum()))


def mesh_patch(world: World, record: Records, bounds: Bounds) -> Triangles:
    """The triangles of a mesh, cut off at the bounds, surface frame."""
    items = world.triangles[tree_items(world, record)]
    corners = np.stack([items["a"], items["b"], items["c"]], 1)
    low, high = corners.min(axis=1), corners.max(axis=1)
    x0, x1, y0, y1 = bounds
    inside = (low[:, 0] >= x0) & (high[:, 0] <= x1) & (low[:, 1] >= y0) & (high[:, 1] <= y1)
    apart = (high[:, 0] < x0) | (low[:, 0] > x1) | (high[:, 1] < y0) | (low[:, 1] > y1)
    parts = list(corners[inside])
    for triangle in corners[~inside & ~apart]:
        polygon = clip_polygon(triangle, bounds)
        parts += [polygon[[0, n, n + 1]] for n in range(1, len(polygon) - 1)]
    vertices = np.array(parts).reshape(-1, 3)
    return vertices, np.arange(len(vertices)).reshape(-1, 3)


def boxes_patch(world: World, record: Records, bounds: Bounds) -> Triangles:
    """The faces of all boxes that reach into the bounds, cut off there, surface frame."""
    items = world.boxes[tree_items(world, record)]
    x0, x1, y0, y1 = bounds
    low = np.maximum(items["low"], [x0, y0, -math.inf])
    high = np.minimum(items["high"], [x1, y1, math.inf])
    kept = (low < high).all(axis=1) & (items["trigger"] == 0)
    corner = np.arange(8)[:, None] >> np.arange(3) & 1
    vertices = np.where(corner, high[kept][:, None], low[kept][:, None])  # boxes, corners, axes
    faces = (FACES + 8 * np.arange(len(vertices))[:, None, None]).reshape(-1, 4)
    return vertices.reshape(-1, 3), np.concatenate([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]])


def world_patch(world: World, x0: float, x1: float, y0: float, y1: float, step: float) -> Triangles:
    """Vertices ``[n, 3]`` and triangles ``[m, 3]`` of all ground within bounds, world [m], anticlockwise from outside.

    Height fields, meshes and boxes come with their own exact faces, upright ones too; planes in squares of ``step``
    [m]. What belongs to an agent, triggers and what is gone is left out.
    """
    all_vertices, all_triangles, count = [np.zeros((0, 3))], [np.zeros((0, 3), np.int64)], 0
    for record in world.surfaces:
        if record["gone"] or record["trigger"] or record["owner"] >= 0:
            continue
        turn = rotation_matrix(record["rotation"])
        bounds = local_bounds(record, (x0, x1, y0, y1))
        if record["kind"] == PLANE:
            vertices, triangles = plane_patch((x0, x1, y0, y1), turn[:, 2], record["position"], step)
        elif record["kind"] == HEIGHTFIELD:
            vertices, triangles = heightfield_patch(world, record, bounds)
        elif record["kind"] == MESH:
            vertices, triangles = mesh_patch(world, record, bounds)
        elif record["kind"] == BOXES:
            vertices, triangles = boxes_patch(world, record, bounds)
        else:
            continue
        if record["kind"] != PLANE and record["placed"]:
            vertices = vertices @ turn.T + record["position"]
        all_vertices.append(vertices)
        all_triangles.append(triangles + count)
        count += len(vertices)
    return np.concatenate(all_vertices), np.concatenate(all_triangles)

"""The ground of a world as solid shapes for a rigid-body engine: the same surfaces that rays meet.

Engines keep grids and meshes in single precision and test each against every body, so only a *window* around the
machine is made of them. Windows lie on a lattice: a machine that nears the border of one goes on in another, and the
same window is the same ground each time.

Triangles of a mesh become plates of their own: engines take a mesh for its convex hull. Plates are as thick as asked;
where two faces of a mesh make a valley of less than 90 degrees, the plate of one would stick out of the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from footfall.drives.force.host import Array
from footfall.errors import FootfallError
from footfall.frames.arrays import rotate
from footfall.records import Records
from footfall.world import World
from footfall.world.patch import clip_polygon, local_bounds, rotation_matrix, sample_range, tree_items
from footfall.world.surfaces import BODY, BOXES, HEIGHTFIELD, MESH, PLANE

Bounds = tuple[float, float, float, float]
Window = tuple[int, int]

LATTICE = 8.0  # distance of the middles of windows, in lengths of the body
REACH = 16.0  # half the side of a window
BORDER = 4.0  # the machine goes on in another window where it comes this near to the border
FEW_BOXES = 64  # so many boxes need no window
UPRIGHT = 0.5  # cosine: a surface whose z is tilted more than this is not cut off at the window


@dataclass(frozen=True)
class GroundPlane:
    """The half-space under z = 0 of its frame."""

    position: Array
    rotation: Array


@dataclass(frozen=True)
class GroundBox:
    """A box with its middle at the origin of its frame."""

    position: Array
    rotation: Array
    half: Array
    """``[3]`` half its sides [m]."""


@dataclass(frozen=True, eq=False)
class GroundGrid:
    """A grid of triangles, solid below, with the middle of its area at x = y = 0 of its frame."""

    position: Array
    rotation: Array
    heights: Array
    """``[rows, columns]`` over z = 0; row 0 has the least y [m]."""
    dx: float
    dy: float


@dataclass(frozen=True, eq=False)
class GroundPlate:
    """A flat convex plate, known by the polygon that is its top."""

    position: Array
    """Middle of the corners, world [m]."""
    corners: Array
    """``[n, 3]`` of the top, anticlockwise from outside, as seen from ``position``, world [m]."""
    normal: Array
    """``[3]`` outward, world."""


Shape = GroundPlane | GroundBox | GroundGrid | GroundPlate


def counted(world: World) -> list[Records]:
    """Surfaces that a machine can stand on: not triggers, not what is gone, not what somebody owns.

    Raises:
        FootfallError: a surface is whatever a callable says: it has no shape that could be collided with.
    """
    kept = [
        record
        for record in world.surfaces
        if not record["gone"] and not record["trigger"] and record["owner"] < 0 and record["kind"] != BODY
    ]
    for record in kept:
        if record["kind"] not in (PLANE, BOXES, HEIGHTFIELD, MESH):
            raise FootfallError("the force drive needs ground with a shape; a host's callable has none")
    return kept


def needs_window(world: World) -> bool:
    """Whether only a part of this world's ground is made into shapes."""
    records = counted(world)
    boxes = sum(len(solid_boxes(world, record)) for record in records if record["kind"] == BOXES)
    return boxes > FEW_BOXES or any(record["kind"] in (HEIGHTFIELD, MESH) for record in records)


def window_at(x: float, y: float, length: float) -> Window:
    """The window whose middle is nearest to x, y [m], for a body of this length [m]."""
    if not (math.isfinite(x) and math.isfinite(y)):
        return 0, 0
    return round(x / (LATTICE * length)), round(y / (LATTICE * length))


def window_bounds(window: Window, length: float) -> Bounds:
    """Bounds x0, x1, y0, y1 of a window, world [m]."""
    x, y = (LATTICE * length * index for index in window)
    half = REACH * length
    return x - half, x + half, y - half, y + half


def near_border(window: Window, length: float, position: Array) -> bool:
    """Whether any of the places ``[n, 3]`` is near to the border of a window, or beyond it."""
    away = np.abs(position[:, :2] - LATTICE * length * np.asarray(window, np.float64))
    return bool(away.max() > (REACH - BORDER) * length)


def solid_boxes(world: World, record: Records) -> Records:
    """``BOX [n]`` of a box surface that a machine can stand on."""
    boxes = world.boxes[tree_items(world, record)]
    return boxes[(boxes["trigger"] == 0) & (boxes["owner"] < 0) & ((boxes["layer"] & record["layer"]) != 0)]


def surface_bounds(record: Records, bounds: Bounds) -> Bounds:
    """Bounds of a window in a surface's frame; endless for a surface that stands too steeply to be cut off."""
    if rotation_matrix(record["rotation"])[2, 2] < UPRIGHT:
        return -math.inf, math.inf, -math.inf, math.inf
    return local_bounds(record, bounds)


def place_at(record: Records, point: Array) -> Array:
    """World coordinates of a point in a surface's frame [m]."""
    return np.asarray(record["position"] + rotate(record["rotation"], point))


def box_shapes(world: World, record: Records, bounds: Bounds) -> list[Shape]:
    """All boxes of a surface that reach into the bounds, whole."""
    boxes = solid_boxes(world, record)
    x0, x1, y0, y1 = surface_bounds(record, bounds)
    low, high = boxes["low"], boxes["high"]
    near = (high[:, 0] >= x0) & (low[:, 0] <= x1) & (high[:, 1] >= y0) & (low[:, 1] <= y1)
    return [
        GroundBox(place_at(record, 0.5 * (a + b)), record["rotation"], 0.5 * (b - a))
        for a, b in zip(low[near], high[near], strict=True)
    ]


def grid_shapes(world: World, record: Records, bounds: Bounds) -> list[Shape]:
    """The part of a height field within the bounds, sample for sample; nothing outside of its rim."""
    x0, x1, y0, y1 = surface_bounds(record, bounds)
    columns, rows, periodic = int(record["columns"]), int(record["rows"]), bool(record["periodic"])
    left, front, dx, dy = (float(record[name]) for name in ("x0", "y0", "dx", "dy"))
    if periodic and not math.isfinite(x1 - x0):
        raise FootfallError("a height field without end must not stand upright under the force drive")
    if not math.isfinite(x1 - x0):
        i, j = np.arange(columns), np.arange(rows)
    else:
        i = sample_range((x0, x1), left, dx, columns, periodic)
        j = sample_range((y0, y1), front, dy, rows, periodic)
    if len(i) < 2 or len(j) < 2:
        return []
    heights = world.heights[record["first"] : record["end"]].reshape(rows, columns)[np.ix_(j % rows, i % columns)]
    middle = np.array([left + 0.5 * (i[0] + i[-1]) * dx, front + 0.5 * (j[0] + j[-1]) * dy, 0.0])
    return [GroundGrid(place_at(record, middle), record["rotation"], heights, dx, dy)]


def plate_shapes(world: World, record: Records, bounds: Bounds) -> list[Shape]:
    """The triangles of a mesh, cut off at the bounds."""
    items = world.triangles[tree_items(world, record)]
    corners = np.stack([items["a"], items["b"], items["c"]], axis=1)
    x0, x1, y0, y1 = bounds = surface_bounds(record, bounds)
    low, high = corners.min(axis=1), corners.max(axis=1)
    near = (high[:, 0] > x0) & (low[:, 0] < x1) & (high[:, 1] > y0) & (low[:, 1] < y1)
    shapes: list[Shape] = []
    for triangle, normal in zip(corners[near], items["normal"][near], strict=True):
        polygon = clip_polygon(triangle, bounds)
        if not len(polygon):
            continue
        middle = polygon.mean(axis=0)
        turn = record["rotation"]
        shapes.append(GroundPlate(place_at(record, middle), rotate(turn, polygon - middle), rotate(turn, normal)))
    return shapes


def ground_shapes(world: World, bounds: Bounds) -> list[Shape]:
    """The ground of a world as solid shapes: planes whole, the rest where it reaches into the bounds (world [m])."""
    shapes: list[Shape] = []
    for record in counted(world):
        if record["kind"] == PLANE:
            shapes.append(GroundPlane(record["position"], record["rotation"]))
        elif record["kind"] == BOXES:
            shapes += box_shapes(world, record, bounds)
        elif record["kind"] == HEIGHTFIELD:
            shapes += grid_shapes(world, record, bounds)
        else:
            shapes += plate_shapes(world, record, bounds)
    return shapes

"""How far a world reaches."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from footfall.frames import arrays
from footfall.records import Records
from footfall.world.surfaces import BODY, BOXES, HEIGHTFIELD, MESH, World

Array = NDArray[np.float64]
Extent = tuple[float, float, float, float]  # x0, x1, y0, y1, world [m]

ENDLESS: Extent = (-math.inf, math.inf, -math.inf, math.inf)


def world_extent(world: World) -> Extent:
    """Bounds of all that can be stood on; infinite where a plane, a periodic height field or a host's ground is.

    What belongs to an agent, triggers and what is gone is left out.
    """
    boxes = []
    for record in world.surfaces:
        if record["gone"] or record["trigger"] or record["owner"] >= 0 or record["kind"] == BODY:
            continue
        bounds = surface_bounds(world, record)
        if bounds is None:
            return ENDLESS
        corners = np.stack(np.meshgrid(*bounds.T), -1).reshape(-1, 3)
        boxes.append(arrays.rotate(record["rotation"], corners)[:, :2] + record["position"][:2])
    if not boxes:
        return (0.0, 0.0, 0.0, 0.0)
    low, high = np.concatenate(boxes).min(axis=0), np.concatenate(boxes).max(axis=0)
    return float(low[0]), float(high[0]), float(low[1]), float(high[1])


def surface_bounds(world: World, record: Records) -> Array | None:
    """Lower and upper corner ``[2, 3]`` of a surface, in its own frame [m]; None where it has no bounds."""
    if record["kind"] == HEIGHTFIELD and not record["periodic"]:
        x1 = record["x0"] + (record["columns"] - 1) * record["dx"]
        y1 = record["y0"] + (record["rows"] - 1) * record["dy"]
        return np.array([(record["x0"], record["y0"], record["low"]), (x1, y1, record["high"])])
    if record["kind"] in (MESH, BOXES):
        root = world.nodes[record["first"]]
        return np.array([root["low"], root["high"]])
    return None

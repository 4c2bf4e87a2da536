"""From surfaces as written down to a world of flat arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from footfall.errors import FootfallError
from footfall.records import Records
from footfall.world.shapes import Body, Boxes, Heightfield, Host, Mesh, Plane, Surface, unit_quaternion
from footfall.world.surfaces import BOX, NODE, RAY, SURFACE, TRIANGLE, Kind, World
from footfall.world.tree import build_tree

KINDS = (Plane, Heightfield, Mesh, Boxes, Host, Body)
Bounds = tuple[NDArray[np.float64], NDArray[np.float64]]


def common_record(surface: Surface) -> Records:
    """``SURFACE [1]`` with what all surfaces have."""
    record = np.zeros(1, SURFACE)
    record["position"] = record["previous_position"] = surface.position
    record["rotation"] = record["previous_rotation"] = unit_quaternion("rotation", surface.rotation)
    record["placed"] = surface.position != (0.0, 0.0, 0.0) or tuple(record["rotation"][0]) != (1.0, 0.0, 0.0, 0.0)
    record["owner"], record["layer"], record["trigger"] = surface.owner, surface.layer, surface.trigger
    return record


def triangle_records(mesh: Mesh) -> Records:
    """``TRIANGLE [m]`` of a mesh in its own order."""
    records = np.zeros(len(mesh.triangles), TRIANGLE)
    for corner, name in enumerate("abc"):
        records[name] = mesh.vertices[mesh.triangles[:, corner]]
    across = np.cross(records["b"] - records["a"], records["c"] - records["a"])
    records["normal"] = across / np.linalg.norm(across, axis=1, keepdims=True)
    return records


def box_records(boxes: Boxes) -> Records:
    """``BOX [n]`` of a box surface in its own order."""
    records = np.zeros(len(boxes.low), BOX)
    records["low"], records["high"] = boxes.low, boxes.high
    records["owner"], records["layer"], records["trigger"] = boxes.owners, boxes.layers, boxes.triggers
    return records


def plant(record: Records, items: Records, bounds: Bounds, nodes: list[Records], kept: list[Records]) -> None:
    """Grow a tree over items with these bounds, and append its nodes and its items to those of the world."""
    tree, order = build_tree(*bounds)
    node_base, item_base = sum(map(len, nodes)), sum(map(len, kept))
    tree["skip"] += node_base
    tree["first"] += item_base
    record["first"], record["end"] = node_base, node_base + len(tree)
    nodes.append(tree)
    kept.append(items[order])


def build_world(surfaces: Sequence[Surface]) -> World:
    """World of these surfaces, which keep their index.

    Raises:
        FootfallError: something in the list is not a surface.
    """
    records: list[Records] = [np.zeros(0, SURFACE)]
    heights = [np.zeros(0)]
    nodes, triangles, boxes = [np.zeros(0, NODE)], [np.zeros(0, TRIANGLE)], [np.zeros(0, BOX)]
    capacity = 0
    for place, surface in enumerate(surfaces):
        if type(surface) not in KINDS:
            known = ", ".join(kind.__name__ for kind in KINDS)
            raise FootfallError(f"surface {place} is {surface!r}; expected one of {known}")
        record = common_record(surface)
        if isinstance(surface, Plane):
            record["kind"] = Kind.plane
        elif isinstance(surface, Heightfield):
            record["kind"] = Kind.heightfield
            record["first"] = sum(map(len, heights))
            record["end"] = record["first"] + surface.heights.size
            record["rows"], record["columns"] = surface.heights.shape
            record["low"], record["high"] = surface.heights.min(), surface.heights.max()
            for name in ("periodic", "x0", "y0", "dx", "dy"):
                record[name] = getattr(surface, name)
            record["per_x"], record["per_y"] = 1.0 / surface.dx, 1.0 / surface.dy
            heights.append(surface.heights.ravel())
        elif isinstance(surface, Mesh):
            record["kind"] = Kind.mesh
            items = triangle_records(surface)
            corners = np.stack([items["a"], items["b"], items["c"]])
            plant(record, items, (corners.min(axis=0), corners.max(axis=0)), nodes, triangles)
        elif isinstance(surface, Boxes):
            record["kind"] = Kind.boxes
            plant(record, box_records(surface), (surface.low, surface.high), nodes, boxes)
        elif isinstance(surface, Host):
            record["kind"] = Kind.host
            capacity += surface.capacity
        elif isinstance(surface, Body):
            record["kind"] = Kind.body
        records.append(record)
    return World(
        surfaces=np.concatenate(records),
        heights=np.concatenate(heights),
        nodes=np.concatenate(nodes),
        triangles=np.concatenate(triangles),
        boxes=np.concatenate(boxes),
        moving=np.zeros(1, np.int64),
        rays=np.zeros(capacity, RAY),
        slots=np.full(2 * capacity, -1, np.int64),
        asked=np.zeros(3, np.int64),
    )


def flat_world() -> World:
    """The endless plane z = 0."""
    return build_world([Plane()])

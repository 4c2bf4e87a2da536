"""The world as kernels take it: one ``World`` of flat arrays, and the records in them.

A world is a list of *surfaces*. Each has a kind, a pose, and a range in the flat array of its kind. Every array is
always there, possibly empty, with one dtype and layout, so that a kernel that takes a world compiles once. Arrays are
few on purpose: a call hands each of them over.
"""

from __future__ import annotations

import enum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from footfall.records import Records


class Kind(enum.IntEnum):
    """What a surface is made of."""

    plane = 0  #: half-space under z = 0 of its own frame
    heightfield = 1  #: triangles over a grid; solid below, however deep
    mesh = 2  #: one-sided triangles in a bounding-box tree
    boxes = 3  #: solid boxes along the axes of its own frame, in a bounding-box tree
    host = 4  #: whatever a Python callable says
    body = 5  #: no shape: a pose that the anchors on a host's moving body follow


PLANE = int(Kind.plane)
HEIGHTFIELD = int(Kind.heightfield)
MESH = int(Kind.mesh)
BOXES = int(Kind.boxes)
HOST = int(Kind.host)
BODY = int(Kind.body)

#: One surface. Its own frame is the world's until it is ``placed``.
SURFACE = np.dtype(
    [
        ("kind", np.int64),  #: a ``Kind``
        ("placed", np.int64),  #: 0: the pose is the identity, and is skipped
        ("position", np.float64, (3,)),  #: origin of its frame, world [m]
        ("rotation", np.float64, (4,)),  #: q_world_surface
        ("previous_position", np.float64, (3,)),  #: the same at the last tick [m]
        ("previous_rotation", np.float64, (4,)),  #: the same at the last tick
        ("owner", np.int64),  #: agent whose part it is, -1 nobody's
        ("layer", np.int64),  #: bit mask; a ray meets it where its own mask shares a bit
        ("trigger", np.int64),  #: 1: never met by a ray
        ("gone", np.int64),  #: 1: deleted; its last pose still holds the anchors on it
        ("first", np.int64),  #: first of its entries in ``heights`` or ``nodes``
        ("end", np.int64),  #: one past the last of them
        ("rows", np.int64),  #: height field: samples along y
        ("columns", np.int64),  #: height field: samples along x
        ("periodic", np.int64),  #: height field: 1 repeats without end, sample 0 following the last one
        ("x0", np.float64),  #: height field: x of column 0 [m]
        ("y0", np.float64),  #: height field: y of row 0 [m]
        ("dx", np.float64),  #: height field: width of a cell along x [m]
        ("dy", np.float64),  #: height field: width of a cell along y [m]
        ("per_x", np.float64),  #: height field: cells along x in a metre, 1 / dx
        ("per_y", np.float64),  #: height field: cells along y in a metre, 1 / dy
        ("low", np.float64),  #: height field: lowest height [m]
        ("high", np.float64),  #: height field: greatest height [m]
    ],
    align=True,
)

#: One node of a bounding-box tree, in depth-first order: its first child, if any, is the next node.
NODE = np.dtype(
    [
        ("low", np.float64, (3,)),  #: lower corner, surface frame, a hair outside of what it holds [m]
        ("high", np.float64, (3,)),  #: upper corner, surface frame [m]
        ("skip", np.int32),  #: node to go on with where this one is missed
        ("first", np.int32),  #: leaf: its first triangle or box
        ("count", np.int32),  #: leaf: how many; 0 for an inner node
    ],
    align=True,
)

#: One triangle of a mesh, anticlockwise seen from its outside.
TRIANGLE = np.dtype(
    [
        ("a", np.float64, (3,)),  #: corner, surface frame [m]
        ("b", np.float64, (3,)),  #: corner, surface frame [m]
        ("c", np.float64, (3,)),  #: corner, surface frame [m]
        ("normal", np.float64, (3,)),  #: outward unit normal, surface frame
    ],
    align=True,
)

#: One box.
BOX = np.dtype(
    [
        ("low", np.float64, (3,)),  #: lower corner, surface frame [m]
        ("high", np.float64, (3,)),  #: upper corner, surface frame [m]
        ("owner", np.int64),  #: agent whose part it is, -1 as the surface says
        ("layer", np.int64),  #: bit mask within the surface's
        ("trigger", np.int64),  #: 1: never met by a ray
    ],
    align=True,
)

#: One ray asked of a host, and its answer.
RAY = np.dtype(
    [
        ("surface", np.int64),  #: the host surface that is asked
        ("origin", np.float64, (3,)),  #: surface frame [m]
        ("direction", np.float64, (3,)),  #: unit vector, surface frame
        ("limit", np.float64),  #: longest distance [m]
        ("owner", np.int64),  #: agent whose parts do not count
        ("mask", np.int64),  #: layers that count
        ("status", np.int64),  #: answer: 1 hit, 0 miss, -1 not loaded
        ("distance", np.float64),  #: answer [m]
        ("normal", np.float64, (3,)),  #: answer: unit normal, surface frame
        ("met", np.int64),  #: answer: surface that was met, the host surface itself or a body
    ],
    align=True,
)


class World(NamedTuple):
    """What feet and bodies can meet. Build one with ``build_world``."""

    surfaces: Records
    """``SURFACE [surfaces]``."""
    heights: NDArray[np.float64]
    """``[samples]`` of all height fields, row by row, surface frame [m]."""
    nodes: Records
    """``NODE [nodes]`` of all bounding-box trees."""
    triangles: Records
    """``TRIANGLE [triangles]`` of all meshes, in the order of their trees."""
    boxes: Records
    """``BOX [boxes]`` of all box surfaces, in the order of their trees."""
    moving: NDArray[np.int64]
    """``[1]``: 1 once a surface has been moved."""
    rays: Records
    """``RAY [capacity]``: rays asked of hosts in this tick; no entries where there is no host."""
    slots: NDArray[np.int64]
    """``[2 × capacity]`` hash table over ``rays``, -1 free."""
    asked: NDArray[np.int64]
    """``[3]``: rays asked, rays answered, rays that found no room."""

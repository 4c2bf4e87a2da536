"""Solids to draw machines with: lofts through rings, and what can be made of them. Axes z up, right-handed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from footfall.state import Array

CREASE = math.radians(38.0)  # faces that meet at a sharper angle than this keep an edge


class Solid(NamedTuple):
    """A closed surface of one material."""

    positions: Array
    """``[vertices, 3]`` [m]."""
    triangles: NDArray[np.int64]
    """``[triangles, 3]`` anticlockwise from outside."""
    material: str
    """Its name in the palette."""

    def placed(self, position: Sequence[float] | Array = (0.0, 0.0, 0.0), axes: Array | None = None) -> Solid:
        """The same, turned by a matrix whose columns are its new axes ``[3, 3]``, then moved."""
        turned = self.positions if axes is None else self.positions @ np.asarray(axes).T
        return self._replace(positions=turned + np.asarray(position))


#: Matrices for ``placed`` that take x to another axis.
X_TO_Y = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
X_TO_Z = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])


def ring(x: float, half_y: float, half_z: float, *, y: float = 0.0, z: float = 0.0, sides: int = 16,
         roundness: float = 1.0) -> Array:  # fmt: skip
    """A closed line ``[sides, 3]`` across x: an ellipse at roundness 1, nearly a rectangle at 0."""
    angle = 2.0 * math.pi * (np.arange(sides) + 0.5) / sides
    cosine, sine = np.cos(angle), np.sin(angle)
    power = 0.35 + 0.65 * roundness
    return np.stack(
        [
            np.full(sides, x),
            y + half_y * np.sign(cosine) * np.abs(cosine) ** power,
            z + half_z * np.sign(sine) * np.abs(sine) ** power,
        ],
        axis=-1,
    )


def chamfered(x: float, half_y: float, half_z: float, cut: float, *, y: float = 0.0, z: float = 0.0) -> Array:
    """A rectangle across x with its corners cut off, ``[8, 3]``."""
    cut = min(cut, 0.95 * half_y, 0.95 * half_z)
    a, b = half_y - cut, half_z - cut
    corners = [(half_y, -b), (half_y, b), (a, half_z), (-a, half_z), (-half_y, b), (-half_y, -b), (-a, -half_z),
               (a, -half_z)]  # fmt: skip
    return np.array([(x, y + side, z + up) for side, up in corners])


def loft(rings: Sequence[Array], material: str) -> Solid:
    """A solid through rings of equally many points, anticlockwise as seen from its end, closed at both."""
    count, sides = len(rings), len(rings[0])
    points = np.concatenate([*rings, [rings[0].mean(axis=0)], [rings[-1].mean(axis=0)]])
    index = np.arange(count * sides).reshape(count, sides)
    along, ahead = index, np.roll(index, -1, axis=1)
    a, b, c, d = along[:-1].ravel(), ahead[:-1].ravel(), ahead[1:].ravel(), along[1:].ravel()
    first, last = np.full(sides, count * sides), np.full(sides, count * sides + 1)
    triangles = np.concatenate(
        [
            np.stack([a, b, c], 1),
            np.stack([a, c, d], 1),
            np.stack([first, ahead[0], along[0]], 1),
            np.stack([last, along[-1], ahead[-1]], 1),
        ]
    )
    return Solid(points, triangles, material)


def tube(profile: Sequence[tuple[float, float]], material: str, sides: int = 16) -> Solid:
    """A turned solid along x through (x, radius) pairs."""
    return loft([ring(x, radius, radius, sides=sides) for x, radius in profile], material)


def barrel(radius: float, half_width: float, material: str, sides: int = 20, bevel: float = 0.15) -> Solid:
    """A bevelled cylinder about y, centred."""
    cut = bevel * min(radius, half_width)
    turned = tube(
        [(-half_width, radius - cut), (-half_width + cut, radius), (half_width - cut, radius),
         (half_width, radius - cut)], material, sides,
    )  # fmt: skip
    return turned.placed(axes=X_TO_Y)


def ball(radius: float, material: str, sides: int = 16, rings: int = 9) -> Solid:
    """A sphere, centred."""
    angle = np.linspace(0.04, math.pi - 0.04, rings)
    pairs = [(-radius * math.cos(a), radius * math.sin(a)) for a in angle]
    return tube(pairs, material, sides)


def box(size: Sequence[float], material: str, bevel: float = 0.12) -> Solid:
    """A bevelled box, centred; the bevel is a share of its least side."""
    x, y, z = (0.5 * side for side in size)
    cut = bevel * 2.0 * min(x, y, z)
    return loft(
        [chamfered(-x, y - cut, z - cut, cut), chamfered(-x + cut, y, z, cut), chamfered(x - cut, y, z, cut),
         chamfered(x, y - cut, z - cut, cut)], material,
    )  # fmt: skip


def creased(positions: Array, triangles: NDArray[np.int64], crease: float = CREASE) -> tuple[
    Array, Array, NDArray[np.int64], NDArray[np.int64]
]:  # fmt: skip
    """Normals that are smooth where faces meet flatly and split at edges.

    Args:
        positions: ``[vertices, 3]``.
        triangles: ``[triangles, 3]``.
        crease: faces that meet at a sharper angle keep an edge [rad].

    Returns:
        Positions and unit normals ``[corners, 3]``, triangles over them, and the vertex that each corner came from.
    """
    _, same = np.unique(np.round(positions, 9), axis=0, return_inverse=True)
    edges = positions[triangles]
    face = np.cross(edges[:, 1] - edges[:, 0], edges[:, 2] - edges[:, 0])
    size = np.linalg.norm(face, axis=1)
    kept = size > 1e-14 * max(float(np.abs(edges).max(initial=0.0)) ** 2, 1e-300)
    triangles, face, size = triangles[kept], face[kept], size[kept]
    unit = face / size[:, None]
    corner_vertex = triangles.ravel()
    corner_place = same.reshape(-1)[corner_vertex]
    corner_face = np.repeat(np.arange(len(triangles)), 3)
    order = np.argsort(corner_place, kind="stable")
    place, of_face = corner_place[order], corner_face[order]
    starts = np.flatnonzero(np.r_[True, place[1:] != place[:-1]]) if len(place) else np.zeros(0, np.int64)
    counts = np.diff(np.r_[starts, len(place)])
    group = np.repeat(np.arange(len(starts)), counts)
    normal = np.zeros((len(place), 3))
    inside = np.arange(len(place)) - starts[group] if len(place) else place
    for shift in range(int(counts.max(initial=0))):  # every corner with every face around its place
        shared = shift < counts[group]
        other = of_face[np.where(shared, starts[group] + (inside + shift) % counts[group], 0)]
        flat = (unit[of_face] * unit[other]).sum(axis=1) > math.cos(crease)
        normal += np.where((shared & flat)[:, None], face[other], 0.0)
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = np.where(length > 0.0, normal / np.where(length > 0.0, length, 1.0), unit[of_face])
    corners = np.empty_like(normal)
    corners[order] = normal
    key = np.column_stack([corner_vertex, np.round(corners, 4)])
    _, first, index = np.unique(key, axis=0, return_index=True, return_inverse=True)
    source = corner_vertex[first]
    return positions[source], corners[first], index.reshape(-1, 3), source

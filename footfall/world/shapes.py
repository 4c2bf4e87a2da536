"""The surfaces a world is built of, as one writes them down."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from footfall.errors import FootfallError

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


def numbers(what: str, values: ArrayLike, *shape: int) -> NDArray[np.float64]:
    """Values as float64 of a shape (-1: any length), or an error that names them."""
    try:
        array = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise FootfallError(f"{what}: expected numbers ({error})") from None
    if array.ndim != len(shape) or any(n not in (-1, m) for n, m in zip(shape, array.shape, strict=True)):
        wanted = " x ".join("n" if n < 0 else str(n) for n in shape)
        raise FootfallError(f"{what}: shape {array.shape}; expected {wanted}")
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        place = "".join(f"[{n}]" for n in bad[0])
        raise FootfallError(f"{what}{place} is {array[tuple(bad[0])]}; every number must be finite")
    return array


def unit_quaternion(what: str, values: ArrayLike) -> NDArray[np.float64]:
    """A rotation w, x, y, z brought to unit length, or an error that names it."""
    q = numbers(what, values, 4)
    size = float(np.linalg.norm(q))
    if not 1e-6 < size < 1e6:
        raise FootfallError(f"{what} is {q.tolist()}; a quaternion w, x, y, z must have a length")
    return q / size


@dataclass(frozen=True, kw_only=True)
class Surface:
    """What all surfaces have."""

    position: Vector = (0.0, 0.0, 0.0)
    """Origin of the surface's frame, world [m]."""
    rotation: Quaternion = (1.0, 0.0, 0.0, 0.0)
    """q_world_surface; brought to unit length."""
    owner: int = -1
    """Agent whose part this is; -1 nobody's."""
    layer: int = 1
    """Bit mask of its layers."""
    trigger: bool = False
    """A trigger is never met by a ray."""

    def __post_init__(self) -> None:
        """Refuse a pose that is none."""
        name = type(self).__name__
        numbers(f"{name}.position", self.position, 3)
        unit_quaternion(f"{name}.rotation", self.rotation)


@dataclass(frozen=True, kw_only=True)
class Plane(Surface):
    """The half-space under z = 0 of its own frame."""

    @staticmethod
    def tilted(slope: float, heading: float = 0.0, **common: object) -> Plane:
        """A plane through the origin that rises by ``slope`` [rad] towards ``heading`` [rad], 0 along +x."""
        half_yaw, half = 0.5 * heading, -0.5 * slope
        cy, sy, cp, sp = math.cos(half_yaw), math.sin(half_yaw), math.cos(half), math.sin(half)
        return Plane(rotation=(cy * cp, -sy * sp, cy * sp, sy * cp), **common)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class Heightfield(Surface):
    """Triangles over a grid of heights, solid below.

    Sample ``[j, i]`` is at ``(x0 + i dx, y0 + j dy)``: row 0 is the one with the smallest y. Each cell is cut along
    the diagonal from sample ``[j, i]`` to ``[j + 1, i + 1]``, as MuJoCo cuts it in rays and in contacts.
    """

    heights: NDArray[np.float64] = field(repr=False)
    """``[rows, columns]`` heights over z = 0 of the surface's frame [m]."""
    x0: float
    """x of column 0, surface frame [m]."""
    y0: float
    """y of row 0, surface frame [m]."""
    dx: float
    """Width of a cell along x [m]."""
    dy: float
    """Width of a cell along y [m]."""
    periodic: bool = False
    """Repeats without end along x and y; the sample after the last is sample 0."""

    def __post_init__(self) -> None:
        """Check the grid."""
        super().__post_init__()
        heights = numbers("Heightfield.heights", self.heights, -1, -1)
        if min(heights.shape) < 2:
            raise FootfallError(f"Heightfield.heights: {heights.shape}; a cell takes 2 rows and 2 columns")
        numbers("Heightfield.x0, y0", (self.x0, self.y0), 2)
        for name, width in (("dx", self.dx), ("dy", self.dy)):
            if not (math.isfinite(width) and width > 0.0):
                raise FootfallError(f"Heightfield.{name} is {width}; a cell's width must be positive and finite")
        object.__setattr__(self, "heights", heights)


@dataclass(frozen=True, eq=False)
class Mesh(Surface):
    """Triangles that a ray meets from their outside only; triangles without area are left out."""

    vertices: NDArray[np.float64] = field(repr=False)
    """``[n, 3]`` surface frame [m]."""
    triangles: NDArray[np.int64] = field(repr=False)
    """``[m, 3]`` vertices, anticlockwise seen from outside."""

    def __post_init__(self) -> None:
        """Check the indices and drop triangles without area."""
        super().__post_init__()
        vertices = numbers("Mesh.vertices", self.vertices, -1, 3)
        indices = numbers("Mesh.triangles", self.triangles, -1, 3)
        triangles = indices.astype(np.int64)
        wrong = ((triangles != indices) | (triangles < 0) | (triangles >= len(vertices))).any(axis=1)
        if wrong.any():
            bad, last = int(np.argmax(wrong)), len(vertices) - 1
            raise FootfallError(f"Mesh.triangles[{bad}] is {indices[bad].tolist()}; vertices are 0 to {last}")
        a, b, c = (vertices[triangles[:, corner]] for corner in range(3))
        area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
        longest = np.maximum(((b - a) ** 2).sum(axis=1), ((c - a) ** 2).sum(axis=1))
        triangles = triangles[area > 1e-14 * longest]
        if not len(triangles):
            raise FootfallError("Mesh.triangles: none has an area")
        object.__setattr__(self, "vertices", vertices)
        object.__setattr__(self, "triangles", triangles)


@dataclass(frozen=True, eq=False)
class Boxes(Surface):
    """Solid boxes along the axes of the surface's frame.

    A box counts for a ray where both its surface and the box itself do: either may be a trigger or an own part, and the
    layers of a box are those that it shares with its surface.
    """

    low: NDArray[np.float64] = field(repr=False)
    """``[n, 3]`` lower corners, surface frame [m]."""
    high: NDArray[np.float64] = field(repr=False)
    """``[n, 3]`` upper corners, surface frame [m]."""
    owners: NDArray[np.int64] | int = field(default=-1, repr=False)
    """``[n]`` or one: agent whose part a box is; -1 as the surface says."""
    layers: NDArray[np.int64] | int = field(default=-1, repr=False)
    """``[n]`` or one: layers of a box; -1 all of the surface's."""
    triggers: NDArray[np.bool_] | bool = field(default=False, repr=False)
    """``[n]`` or one: boxes that no ray meets."""

    def __post_init__(self) -> None:
        """Check that every box has a volume."""
        super().__post_init__()
        low = numbers("Boxes.low", np.atleast_2d(self.low), -1, 3)
        high = numbers("Boxes.high", np.atleast_2d(self.high), len(low), 3)
        if not len(low):
            raise FootfallError("Boxes.low: no box")
        thin = np.argwhere(~(low < high))
        if len(thin):
            box, axis = thin[0]
            span = f"from {low[box, axis]} to {high[box, axis]} along {'xyz'[axis]}"
            raise FootfallError(f"Boxes: box {box} reaches {span}; low must be below high")
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)
        for name in ("owners", "layers", "triggers"):
            values = np.asarray(getattr(self, name))
            if values.shape not in ((), (1,), (len(low),)):
                raise FootfallError(f"Boxes.{name}: shape {values.shape}; expected one or {len(low)}")
            object.__setattr__(self, name, np.broadcast_to(values.astype(np.int64), len(low)))


@dataclass(frozen=True, kw_only=True)
class Host(Surface):
    """What a Python callable says is there; see ``footfall.world.host``."""

    capacity: int = 16384
    """Most different rays in one tick."""

    def __post_init__(self) -> None:
        """Check the capacity."""
        super().__post_init__()
        if self.capacity < 1:
            raise FootfallError(f"Host.capacity is {self.capacity}; expected at least 1")


@dataclass(frozen=True, kw_only=True)
class Body(Surface):
    """No shape, only a pose: a moving body of a host that its answers may name."""

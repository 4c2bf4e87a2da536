"""Terrains described in a file: what a YAML file may hold, and how it becomes a terrain."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Gt, Lt, MinLen
from numpy.typing import NDArray

from footfall.documents import load_document
from footfall.errors import FootfallError
from footfall.world.build import build_world
from footfall.world.extent import world_extent
from footfall.world.landscape import Terrain
from footfall.world.shapes import Boxes, Heightfield, Mesh, Plane, Quaternion, Surface, Vector

Positive = Annotated[float, Gt(0)]
STANDING = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class Placed:
    """What all surfaces in a file have."""

    position: Vector = (0.0, 0.0, 0.0)
    """Origin of the surface's frame [m]."""
    rotation: Quaternion = STANDING
    """q_world_surface: w, x, y, z."""
    layer: Annotated[int, Ge(1)] = 1
    """Bit mask of its layers."""
    trigger: bool = False
    """A trigger is never met by a ray."""

    def common(self, unit: float) -> dict[str, Any]:
        """The same for a surface, with lengths times the unit [m]."""
        x, y, z = self.position
        place = (x * unit, y * unit, z * unit)
        return {"position": place, "rotation": self.rotation, "layer": self.layer, "trigger": self.trigger}


@dataclass(frozen=True, kw_only=True)
class PlaneEntry(Placed):
    """An endless plane."""

    kind: Literal["plane"]
    """``plane``."""
    slope: Annotated[float, Ge(0), Lt(math.pi / 2)] = 0.0
    """Rise [rad]; the rotation must then be left out."""
    heading: float = 0.0
    """Direction that it rises to [rad], 0 along +x."""

    def build(self, folder: Path, unit: float) -> Surface:
        """The surface, with lengths times the unit [m]."""
        if self.slope == 0.0:
            return Plane(**self.common(unit))
        if self.rotation != STANDING:
            raise FootfallError("has both a slope and a rotation; give one of them")
        common = self.common(unit)
        del common["rotation"]
        return Plane.tilted(self.slope, self.heading, **common)


@dataclass(frozen=True, kw_only=True)
class BoxEntry:
    """One box."""

    low: Vector
    """Lower corner [m]."""
    high: Vector
    """Upper corner [m]."""


@dataclass(frozen=True, kw_only=True)
class BoxesEntry(Placed):
    """Solid boxes."""

    kind: Literal["boxes"]
    """``boxes``."""
    boxes: Annotated[tuple[BoxEntry, ...], MinLen(1)]
    """The boxes."""

    def build(self, folder: Path, unit: float) -> Surface:
        """The surface, with lengths times the unit [m]."""
        low, high = np.array([box.low for box in self.boxes]), np.array([box.high for box in self.boxes])
        return Boxes(low * unit, high * unit, **self.common(unit))


@dataclass(frozen=True, kw_only=True)
class HeightfieldEntry(Placed):
    """A grid of heights from a file."""

    kind: Literal["heightfield"]
    """``heightfield``."""
    file: Path
    """``.npy``, or ``.npz`` with an ``array``; relative to the terrain file."""
    array: str | None = None
    """Name of the array in an ``.npz`` file."""
    cell: tuple[Positive, Positive]
    """Width of a cell along x and along y [m]."""
    corner: tuple[float, float] | None = None
    """x and y of the corner with the least x and y [m]; left out, the middle of the field is at the origin."""
    rows: Literal["south_first", "north_first"] = "south_first"
    """Whether row 0 is the one with the least y or with the greatest."""
    height_scale: float = 1.0
    """What the numbers in the file are multiplied by to give metres."""
    periodic: bool = False
    """Repeats without end."""

    def build(self, folder: Path, unit: float) -> Surface:
        """The surface, with lengths times the unit [m]."""
        heights = read_array(folder / self.file, self.array) * self.height_scale
        if self.rows == "north_first":
            heights = heights[::-1]
        dx, dy = self.cell
        rows, columns = heights.shape if self.periodic else np.subtract(heights.shape, 1)
        corner = (-0.5 * columns * dx, -0.5 * rows * dy) if self.corner is None else self.corner
        x0, y0 = corner[0] * unit, corner[1] * unit
        return Heightfield(heights * unit, x0, y0, dx * unit, dy * unit, self.periodic, **self.common(unit))


@dataclass(frozen=True, kw_only=True)
class MeshEntry(Placed):
    """Triangles from a file."""

    kind: Literal["mesh"]
    """``mesh``."""
    file: Path
    """``.ply``, ``.stl``, ``.obj`` or what else trimesh reads; relative to the terrain file."""
    scale: Positive = 1.0
    """What the coordinates in the file are multiplied by to give metres."""
    up: Literal["z", "y"] = "z"
    """The file's upward axis."""

    def build(self, folder: Path, unit: float) -> Surface:
        """The surface, with lengths times the unit [m]."""
        vertices, triangles = read_mesh(folder / self.file)
        if self.up == "y":
            vertices = vertices[:, [2, 0, 1]]
        return Mesh(vertices * self.scale * unit, triangles, **self.common(unit))


@dataclass(frozen=True, kw_only=True)
class ProfileEntry(Placed):
    """Ground of one profile along x, the same all across: ramps, roofs, risers."""

    kind: Literal["profile"]
    """``profile``."""
    points: Annotated[tuple[tuple[float, float], ...], MinLen(2)]
    """x and z of its corners [m], in the order of x; two of one x are an upright riser."""
    width: Positive = 200.0
    """Its breadth, half of it to each side [m]."""

    def build(self, folder: Path, unit: float) -> Surface:
        """The surface, with lengths times the unit [m]."""
        ways = [x for x, _ in self.points]
        if any(after < before for before, after in pairwise(ways)) or ways[0] == ways[-1]:
            raise FootfallError("has points that are not in the order of x")
        side = 0.5 * self.width
        vertices = np.array([(x, y, z) for x, z in self.points for y in (-side, side)]) * unit
        right = 2 * np.arange(len(self.points) - 1)
        quads = [np.stack([right, right + 2, right + 3], 1), np.stack([right, right + 3, right + 1], 1)]
        return Mesh(vertices, np.concatenate(quads), **self.common(unit))


Entry = PlaneEntry | BoxesEntry | HeightfieldEntry | MeshEntry | ProfileEntry


@dataclass(frozen=True, kw_only=True)
class TerrainFile:
    """A terrain file."""

    name: str = ""
    """Name of the terrain; that of the file where it is left out."""
    title: str = ""
    """What it is, in a line."""
    unit: Literal["metre", "leg_length"] = "metre"
    """What one metre in this file stands for: itself, or a leg length of the machine."""
    start: tuple[float, float] = (0.0, 0.0)
    """Where a machine starts: x, y [m]."""
    start_heading: float = 0.0
    """Where it looks to then [rad], 0 along +x."""
    surfaces: Annotated[tuple[Entry, ...], MinLen(1)]
    """What there is to stand on."""


def read_array(path: Path, name: str | None) -> NDArray[np.float64]:
    """An array ``[rows, columns]`` from an ``.npy`` or ``.npz`` file."""
    if not path.exists():
        raise FootfallError(f"there is no file {path}")
    try:
        found = np.load(path, allow_pickle=False)
        if isinstance(found, np.ndarray):
            if name is not None:
                raise FootfallError(f"{path.name} holds one array without a name; leave out array")
        else:
            names = list(found.files)
            if name not in names:
                raise FootfallError(f"{path.name} has no array {name!r}; it has {', '.join(names)}")
            found = found[name]
        heights = np.asarray(found, np.float64)
    except (OSError, ValueError, TypeError, EOFError) as error:
        why = (isinstance(error, OSError) and error.strerror) or error
        raise FootfallError(f"{path} cannot be read as an array of numbers: {why}") from None
    if heights.ndim != 2:
        raise FootfallError(f"{path.name} holds an array of shape {heights.shape}; expected rows x columns")
    return heights


def read_mesh(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Vertices ``[n, 3]`` and triangles ``[m, 3]`` from a mesh file."""
    try:
        import trimesh
    except ImportError:
        raise FootfallError("meshes are read by trimesh, which is missing: pip install 'footfall[meshes]'") from None
    if not path.exists():
        raise FootfallError(f"there is no file {path}")
    try:
        mesh = trimesh.load_mesh(path, process=False)
        vertices, triangles = np.asarray(mesh.vertices, np.float64), np.asarray(mesh.faces, np.int64)
    except Exception as error:  # readers of trimesh raise whatever they like
        raise FootfallError(f"{path} cannot be read as a mesh: {error}") from None
    return vertices, triangles


def find_faults(file: TerrainFile, folder: Path) -> Iterable[tuple[str, str]]:
    """Faults of surfaces that only building them shows."""
    for place, entry in enumerate(file.surfaces):
        try:
            entry.build(folder, 1.0)
        except FootfallError as error:
            yield f"surfaces[{place}]", f"is refused: {error}"


def build_from_file(file: TerrainFile, folder: Path, name: str, leg_length: float = 1.0, scale: float = 1.0) -> Terrain:
    """The terrain that a file describes, with paths in it relative to a folder.

    All lengths are multiplied by the scale, and by the leg length [m] where the file is in leg lengths.
    """
    unit = scale * (leg_length if file.unit == "leg_length" else 1.0)
    world = build_world([entry.build(folder, unit) for entry in file.surfaces])
    start = (file.start[0] * unit, file.start[1] * unit, file.start_heading)
    return Terrain(file.name or name, world, start, world_extent(world), unit)


def load_terrain(path: str | Path, leg_length: float = 1.0, scale: float = 1.0) -> Terrain:
    """The terrain in a YAML file; see ``build_from_file``.

    Raises:
        FileError: with all faults.
    """
    path = Path(path)
    file = load_document(path, TerrainFile, partial(find_faults, folder=path.parent), apart=True)
    return build_from_file(file, path.parent, path.stem, leg_length, scale)

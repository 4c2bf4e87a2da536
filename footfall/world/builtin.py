"""The built-in terrains. Lengths are in units, which is the leg length times the scale; the start is the origin."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from footfall.errors import FootfallError, known_names
from footfall.world.build import build_world
from footfall.world.landscape import Terrain
from footfall.world.shapes import Boxes, Heightfield, Mesh, Plane

WIDE = 1000.0  # half the length of what goes across the way, and of run-outs

SLOPE = math.radians(15.0)  # slope: rise of the plane

RAMP_ANGLE = math.radians(10.0)  # ramp: of the way up and of the way down
RAMP_START, RAMP_RISE, RAMP_CREST = 1.5, 4.0, 2.0  # ramp: way to its foot, of each incline, on the crest

STEP_START, STEP_RISER, STEP_TREAD, STEP_LANDING = 1.2, 0.12, 0.6, 1.5
STEP_COUNT = 5  # steps up, and steps down

GAP_START, GAP_WIDTH, GAP_PITCH, GAP_DEPTH = 1.3, 0.25, 1.6, 1.0
GAP_COUNT = 125  # trenches ahead, and behind

ROCK_CELL, ROCK_CELLS = 0.08, 256  # rocks: width and number of cells each way
ROCK_COUNT, ROCK_HEIGHTS = 800, (0.03, 0.12)
ROCK_BULK = (2.9, 5.0)  # rocks: radius over height
ROCK_RADIUS_MIN = 0.2
SWELL = 0.15  # rocks: amplitude of the undulation under them, from trough to crest
SWELL_WAVES = 6  # shortest waves of the undulation, in the length of the field

JACKSBORO_LATITUDE = math.radians(36.5896)  # of the middle row


def flat(unit: float, seed: int) -> Terrain:
    """The plane z = 0."""
    return Terrain("flat", build_world([Plane()]), unit=unit)


def slope(unit: float, seed: int) -> Terrain:
    """A plane that rises along +x."""
    return Terrain("slope", build_world([Plane.tilted(SLOPE)]), unit=unit)


def ramp(unit: float, seed: int) -> Terrain:
    """A mesh: flat, up, over a crest, down, flat."""
    top = RAMP_RISE * math.tan(RAMP_ANGLE)
    ways = np.cumsum([RAMP_START, RAMP_RISE, RAMP_CREST, RAMP_RISE])
    x = np.array([-WIDE, *ways, WIDE]) * unit
    z = np.array([0.0, 0.0, top, top, 0.0, 0.0]) * unit
    vertices = np.array([(a, y, b) for a, b in zip(x, z, strict=True) for y in (-WIDE * unit, WIDE * unit)])
    right = 2 * np.arange(len(x) - 1)
    triangles = np.concatenate([np.stack([right, right + 2, right + 3], 1), np.stack([right, right + 3, right + 1], 1)])
    side = WIDE * unit
    return Terrain("ramp", build_world([Mesh(vertices, triangles)]), extent=(-side, side, -side, side), unit=unit)


def steps(unit: float, seed: int) -> Terrain:
    """Steps up, a landing, steps down: slabs on a plane, each upright at its risers."""
    slab = np.arange(STEP_COUNT)
    first = STEP_START + STEP_TREAD * slab
    last = STEP_START + 2 * STEP_TREAD * (STEP_COUNT - 1) + STEP_LANDING - STEP_TREAD * slab
    side = np.full(STEP_COUNT, WIDE)
    low = np.stack([first, -side, STEP_RISER * slab], 1)
    high = np.stack([last, side, STEP_RISER * (slab + 1)], 1)
    return Terrain("steps", build_world([Plane(), Boxes(low * unit, high * unit)]), unit=unit)


def gaps(unit: float, seed: int) -> Terrain:
    """Trenches across the way, ahead and behind: blocks that stand on the trenches' floor."""
    trench = GAP_START + GAP_PITCH * np.arange(GAP_COUNT)  # near edge of each
    ends = np.append(trench, WIDE)
    begins = np.append(-GAP_START, trench + GAP_WIDTH)
    low_x = np.concatenate([begins, -ends[1:]])
    high_x = np.concatenate([ends, -begins[1:]])
    low = np.stack([low_x, np.full_like(low_x, -WIDE), np.full_like(low_x, -GAP_DEPTH)], 1)
    high = np.stack([high_x, np.full_like(low_x, WIDE), np.zeros_like(low_x)], 1)
    floor = Plane(position=(0.0, 0.0, -GAP_DEPTH * unit))
    return Terrain("gaps", build_world([floor, Boxes(low * unit, high * unit)]), unit=unit)


def rock_heights(seed: int) -> NDArray[np.float64]:
    """Heights ``[cells, cells]`` in units of a field that repeats: rounded rocks on an undulation."""
    random = np.random.default_rng(seed)
    size = ROCK_CELL * ROCK_CELLS
    place = ROCK_CELL * np.arange(ROCK_CELLS)
    waves = np.fft.fftfreq(ROCK_CELLS, 1.0 / ROCK_CELLS)
    spectrum = np.fft.fft2(random.normal(size=(ROCK_CELLS, ROCK_CELLS)))
    swell = np.fft.ifft2(spectrum * (np.hypot(*np.meshgrid(waves, waves)) <= SWELL_WAVES)).real
    swell *= SWELL / np.ptp(swell)
    rocks = np.zeros((ROCK_CELLS, ROCK_CELLS))
    for _ in range(ROCK_COUNT):
        x, y = random.uniform(0.0, size, 2)
        height = random.uniform(*ROCK_HEIGHTS)
        radius = max(height * random.uniform(*ROCK_BULK), ROCK_RADIUS_MIN)
        stretch = random.uniform(1.0, 1.5)
        dx = (place - x + 0.5 * size) % size - 0.5 * size
        dy = (place - y + 0.5 * size) % size - 0.5 * size
        share = (dx[None, :] / stretch) ** 2 + dy[:, None] ** 2
        rocks = np.maximum(rocks, height * np.maximum(1.0 - share / radius**2, 0.0) ** 2)
    heights = swell + rocks
    middle = ROCK_CELLS // 2
    return heights - heights[middle, middle]


def rocks(unit: float, seed: int) -> Terrain:
    """Rounded rocks on an undulating ground, without end."""
    corner = -ROCK_CELL * (ROCK_CELLS // 2) * unit
    cell = ROCK_CELL * unit
    field = Heightfield(rock_heights(seed) * unit, corner, corner, cell, cell, periodic=True)
    return Terrain("rocks", build_world([field]), unit=unit)


def degree_metres(latitude: float) -> tuple[float, float]:
    """Length of a degree of longitude and of latitude [m] on WGS 84, at a latitude [rad] (NIMA TR8350.2 series)."""
    east = 111412.84 * math.cos(latitude) - 93.5 * math.cos(3 * latitude) + 0.118 * math.cos(5 * latitude)
    north = 111132.92 - 559.82 * math.cos(2 * latitude) + 1.175 * math.cos(4 * latitude)
    return east, north


def jacksboro(unit: float, seed: int) -> Terrain:
    """Hills at the Jacksboro fault, Tennessee, from a 90 m elevation model.

    All lengths are shrunk alike, so that a cell is one unit from north to south. The ``ymin`` of the file is its
    northern edge, where row 0 is: rows are turned over, north is +y.
    """
    from matplotlib import cbook

    model: Any = cbook.get_sample_data("jacksboro_fault_dem.npz")
    with model:
        heights = np.asarray(model["elevation"], np.float64)
        degrees = float(model["dx"]), float(model["dy"])
        if model["ymin"] > model["ymax"]:
            heights = heights[::-1]
    east, north = (length * cell for length, cell in zip(degree_metres(JACKSBORO_LATITUDE), degrees, strict=True))
    shrink = unit / north
    rows, columns = heights.shape
    row, column = rows // 2, columns // 2
    heights = (heights - heights[row, column]) * shrink
    dx, dy = east * shrink, unit
    field = Heightfield(heights, -column * dx, -row * dy, dx, dy)
    extent = (field.x0, field.x0 + (columns - 1) * dx, field.y0, field.y0 + (rows - 1) * dy)
    return Terrain("jacksboro", build_world([field]), extent=extent, unit=unit)


BUILDERS: dict[str, Callable[[float, int], Terrain]] = {
    build.__name__: build for build in (flat, slope, ramp, steps, rocks, gaps, jacksboro)
}


def build_terrain(name: str, leg_length: float, scale: float = 1.0, seed: int = 0) -> Terrain:
    """A built-in terrain for a machine; see ``footfall.world.terrain.make_terrain``."""
    unit = leg_length * scale
    if not (math.isfinite(unit) and leg_length > 0.0 and scale > 0.0):
        raise FootfallError(f"leg length {leg_length} m times scale {scale}: both must be positive and finite")
    if name not in BUILDERS:
        known = known_names("terrains", name, list(BUILDERS), ", or the path of a file")
        raise FootfallError(f"terrain is '{name}'; {known}")
    return BUILDERS[name](unit, seed)

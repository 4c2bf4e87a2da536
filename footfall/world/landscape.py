"""A terrain: a world with a name, a place to start, and its bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from footfall.world.extent import ENDLESS, Extent
from footfall.world.ground import ground_height
from footfall.world.patch import Triangles, world_patch
from footfall.world.surfaces import World


@dataclass(frozen=True)
class Terrain:
    """Ground to walk on."""

    name: str
    """Name of a built-in terrain, or of a file."""
    world: World
    """What is there."""
    start: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Where a machine starts: x, y [m] and heading [rad], 0 along +x."""
    extent: Extent = ENDLESS
    """Bounds of the ground x0, x1, y0, y1, world [m]; infinite where it goes on for ever."""
    unit: float = 1.0
    """Length that its features are multiples of [m]; 1 where they are in metres."""

    def contains(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.bool_]:
        """Whether points lie within the bounds of the ground; there may still be holes."""
        x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
        x0, x1, y0, y1 = self.extent
        return (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)

    def height(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Height of the ground at x, y [m], of the shape that x and y have together; not a number in a hole."""
        x, y = np.broadcast_arrays(np.asarray(x, np.float64), np.asarray(y, np.float64))
        points = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], 1)
        return ground_height(self.world, points).reshape(x.shape)

    def patch(self, x0: float, x1: float, y0: float, y1: float, step: float | None = None) -> Triangles:
        """Vertices ``[n, 3]`` and triangles ``[m, 3]`` of the ground within bounds [m], for drawing.

        Faces are exact and upright faces are among them; planes come in squares of ``step`` [m], by default the unit.
        """
        return world_patch(self.world, x0, x1, y0, y1, self.unit if step is None else step)

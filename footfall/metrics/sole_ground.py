"""The terrain under soles, as metrics and traces take it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from footfall.world.ground import cast
from footfall.world.surfaces import World

Array = NDArray[np.float64]
GroundHeight = Callable[[Array], Array]
"""Heights ``[n]`` of the ground under points ``[n, 3]``, NaN where there is none [m]; a point is where to look from."""

LOOK_ABOVE = 0.25  # a sole's ground is looked for from this far above it at least, in leg lengths
LOOK_BELOW = 1e4  # and down to this far under it [m]


def sole_ground(
    world: World | None, hips: Array, soles: Array, leg_length: float, ground: GroundHeight | None = None
) -> Array:
    """Height of the terrain under soles ``[agents, legs]`` [m], NaN over a hole or where nothing is loaded.

    It is looked for downwards from the hip's height, or from a quarter of a leg length over the sole where that is
    higher: so a roof over the machine is not its ground. An agent's own parts never count.

    Args:
        world: what can be stood on; not asked where ``ground`` is given.
        hips: ``[agents, legs, 3]``, world [m].
        soles: ``[agents, legs, 3]``, world [m].
        leg_length: the machine's unit of length [m].
        ground: answers instead of the world.
    """
    agents, legs = soles.shape[:2]
    points = soles.reshape(-1, 3).copy()
    start = np.maximum(hips[..., 2], soles[..., 2] + LOOK_ABOVE * leg_length).reshape(-1)
    points[:, 2] = np.where(np.isfinite(start), start, 0.0)
    points[~np.isfinite(points)] = 0.0
    if ground is not None:
        return np.asarray(ground(points), dtype=np.float64).reshape(agents, legs)
    if world is None:
        raise TypeError("either a world or a ground is needed")
    owners = np.repeat(np.arange(agents), legs)
    return cast(world, points, (0.0, 0.0, -1.0), LOOK_BELOW, owners).point[:, 2].reshape(agents, legs)

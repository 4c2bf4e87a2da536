"""The terrain under soles, as metrics and traces take it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from footfall.world.ground import cast
from footfall.world.surfaces import World

Array = NDArray[np.float64]
GroundHeight = Callable[[Array], Array]
"""Heights ``[n]`` of the ground under points ``[n, 3]``, NaN where there is none [m]; a point is where to look from. Up
is z."""

LOOK_ABOVE = 0.25  # a sole's ground is looked for from this far above it at least, in leg lengths
LOOK_BELOW = 1e4  # and down to this far under it [m]


def sole_gaps(
    world: World | None, up: Array, hips: Array, soles: Array, leg_length: float, ground: GroundHeight | None = None
) -> Array:
    """How far soles are over the terrain, along up, ``[agents, legs]`` [m]; NaN over a hole or where nothing is loaded.

    The terrain is looked for downwards from the hip's height, or from a quarter of a leg length over the sole where
    that is higher: so a roof over the machine is not its ground. An agent's own parts never count.

    Args:
        world: what can be stood on; not asked where ``ground`` is given.
        up: ``[agents, 3]`` unit vectors, world.
        hips: ``[agents, legs, 3]``, world [m].
        soles: ``[agents, legs, 3]``, world [m].
        leg_length: the machine's unit of length [m].
        ground: answers instead of the world.
    """
    agents, legs = soles.shape[:2]
    soles = np.where(np.isfinite(soles), soles, 0.0)
    above = np.einsum("alk,ak->al", np.where(np.isfinite(hips), hips, 0.0) - soles, up)
    above = np.maximum(above, LOOK_ABOVE * leg_length)
    points = (soles + above[..., None] * up[:, None]).reshape(-1, 3)
    if ground is not None:
        return np.asarray(soles[..., 2] - np.asarray(ground(points), dtype=np.float64).reshape(agents, legs))
    if world is None:
        raise TypeError("either a world or a ground is needed")
    owners = np.repeat(np.arange(agents), legs)
    found = cast(world, points, -np.repeat(up, legs, axis=0), LOOK_BELOW, owners).point.reshape(agents, legs, 3)
    return np.asarray(np.einsum("alk,ak->al", soles - found, up))

"""Rays answered by a host's Python callable.

A kernel cannot call Python, but a tick is a pure function. So a ray that is not known yet is noted and answered "not
loaded"; after the tick the host answers all noted rays in one batch, and the same tick runs again from the same state,
until nothing is left to answer:

    run_answered(world, callback, state, lambda: ...)

Worlds with a host run on one thread: kernels write into the memo.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from footfall.compile import inline, kernel
from footfall.errors import FootfallError
from footfall.frames.scalar import ZERO, load3, store3
from footfall.records import Records, copy_records
from footfall.world.surfaces import HOST, World

ASKED, ANSWERED, LOST = 0, 1, 2  # places in ``World.asked``


class Answer(NamedTuple):
    """A host's answer to a ray that met something."""

    distance: float
    """From the ray's origin [m]."""
    normal: Sequence[float]
    """Outward normal, in the frame of the host surface."""
    surface: int = -1
    """Index of the moving ``Body`` that was met; -1 the host surface itself."""


#: Gets ``RAY [n]`` (``origin``, ``direction``, ``limit``, ``owner``, ``mask``; in the frame of ``surface``) and gives n
#: answers: an ``Answer``, False for a miss, or None where the host has not loaded the ground yet.
Callback = Callable[[Records], Sequence["Answer | tuple[float, Sequence[float]] | bool | None"]]


@inline
def same_ray(ray, surface, origin, direction, limit, owner, mask):
    """Whether an entry is this very ray."""
    o, d = ray["origin"], ray["direction"]
    return (
        o[0] == origin[0] and o[1] == origin[1] and o[2] == origin[2] and d[0] == direction[0] and d[1] == direction[1]
        and d[2] == direction[2] and ray["limit"] == limit and ray["owner"] == owner and ray["mask"] == mask
        and ray["surface"] == surface
    )  # fmt: skip


@inline
def first_slot(origin, direction, size):
    """Slot where the search for a ray begins: the fraction of a sum with irrational weights, spread out."""
    o = 4567.0 * math.sqrt(2.0) * origin[0] + 5678.0 * math.sqrt(3.0) * origin[1] + 6789.0 * math.sqrt(5.0) * origin[2]
    d = math.sqrt(7.0) * direction[0] + math.sqrt(11.0) * direction[1] + math.sqrt(13.0) * direction[2]
    mixed = o + 7891.0 * d
    share = mixed - math.floor(mixed)
    return int(share * size) if share >= 0.0 and share < 1.0 else 0


@kernel
def cast_host(rays, slots, asked, surface, origin, direction, limit, owner, mask):
    """Status, distance [m], normal and surface of a ray, as the memo has them; an unknown ray is noted: -1."""
    size = slots.shape[0]
    slot = first_slot(origin, direction, size)
    while slots[slot] >= 0:
        ray = rays[slots[slot]]
        if same_ray(ray, surface, origin, direction, limit, owner, mask):
            return ray["status"], ray["distance"], load3(ray["normal"]), ray["met"]
        slot = slot + 1 if slot + 1 < size else 0
    if asked[ASKED] >= rays.shape[0]:
        asked[LOST] += 1
        return -1, math.inf, ZERO, surface
    slots[slot] = asked[ASKED]
    ray = rays[asked[ASKED]]
    asked[ASKED] += 1
    ray["surface"], ray["limit"], ray["owner"], ray["mask"] = surface, limit, owner, mask
    store3(ray["origin"], origin)
    store3(ray["direction"], direction)
    ray["status"], ray["distance"], ray["met"] = -1, math.inf, surface
    return -1, math.inf, ZERO, surface


def clear_memo(world: World) -> None:
    """Forget all rays. Call before the first try of each tick."""
    if world.asked.any():
        world.slots.fill(-1)
        world.asked.fill(0)


def has_host(world: World) -> bool:
    """Whether a host has a say in this world; its ticks are run until nothing is pending, on one thread."""
    return bool(((world.surfaces["kind"] == HOST) & (world.surfaces["gone"] == 0)).any())


def answer_pending(world: World, callback: Callback) -> bool:
    """Ask the host for all rays that were noted; whether there were any, so that the tick must run again.

    Raises:
        FootfallError: the memo is full, or the host gave something that is no answer.
    """
    if world.asked[LOST]:
        most = len(world.rays)
        raise FootfallError(f"one tick asked the host for more than {most} different rays; raise Host.capacity")
    pending = world.rays[world.asked[ANSWERED] : world.asked[ASKED]]
    if not len(pending):
        return False
    answers = callback(pending.copy())
    if len(answers) != len(pending):
        raise FootfallError(f"the host gave {len(answers)} answers to {len(pending)} rays")
    for place, answer in enumerate(answers):
        store_answer(pending[place : place + 1], answer, len(world.surfaces))
    world.asked[ANSWERED] = world.asked[ASKED]
    return True


def run_answered(
    world: World, callback: Callback | None, arrays: Sequence[NDArray[Any]], change: Callable[[], None]
) -> None:
    """Do what changes arrays in place; where a host is asked, again from what they were until it has answered all.

    Raises:
        FootfallError: the world has a host, and no callback is given.
    """
    if not len(world.rays):
        change()
        return
    if callback is None:
        if has_host(world):
            raise FootfallError("a surface of the world is a Host; give the callback that answers its rays as host")
        change()
        return
    kept = [array.copy() for array in arrays]
    clear_memo(world)
    change()
    while answer_pending(world, callback):
        for array, before in zip(arrays, kept, strict=True):
            copy_records(array, before)
        change()


def store_answer(ray: Records, answer: Answer | tuple[float, Sequence[float]] | bool | None, surfaces: int) -> None:
    """Write one answer into its ``RAY [1]``."""
    if answer is None:
        ray["status"] = -1
    elif answer is False:
        ray["status"] = 0
    elif answer is True:
        raise FootfallError("the host answered True; expected an Answer, False (a miss) or None (not loaded)")
    else:
        distance, normal, met = Answer(*answer)
        n: NDArray[np.float64] = np.asarray(normal, np.float64)
        size = float(np.linalg.norm(n)) if n.shape == (3,) else 0.0
        if not (np.isfinite(size) and size > 0.0 and distance >= 0.0 and -1 <= met < surfaces):
            raise FootfallError(f"the host's answer {tuple(answer)} has no distance, normal or surface that can be")
        ray["status"] = 1 if distance <= ray["limit"][0] else 0
        ray["distance"], ray["normal"] = distance, n / size
        if met >= 0:
            ray["met"] = met

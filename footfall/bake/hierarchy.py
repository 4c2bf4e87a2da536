"""BVH of a motion: trunks and bones; each sole is an end site."""

from __future__ import annotations

import numpy as np

from footfall.bake.names import part_names
from footfall.bake.recording import Motion
from footfall.bake.tracks import between
from footfall.io.bvh import Joint, write_bvh
from footfall.pose import BONE, SOLE, TRUNK
from footfall.state import Array

EVEN = 1e-6  # frames that are further from even spacing are put between [s]


def to_bvh(motion: Motion, name: str) -> str:
    """The text of a file. A machine of several trunks has them under a root on the ground; one trunk is the root."""
    table, parts = motion.table, motion.parts
    times, frame_time = even_times(motion.times)
    names = part_names(table.names, (name,))
    joints: list[Joint] = []
    place: dict[int, int] = {-1: -1}
    if len(motion.rig.trunks) > 1:
        joints.append(
            Joint(
                name, -1, sampled(motion.times, motion.root_position, times, False),
                sampled(motion.times, motion.root_rotation, times, True), True,
            )
        )  # fmt: skip
        place[-1] = 0
    for part in np.flatnonzero((table.kinds == TRUNK) | (table.kinds == BONE)):
        sole = np.flatnonzero((table.parents == part) & (table.kinds == SOLE))
        joints.append(
            Joint(
                names[part], place[int(table.parents[part])],
                sampled(motion.times, parts.position_world[:, part], times, False),
                sampled(motion.times, parts.rotation_world[:, part], times, True),
                bool(table.kinds[part] == TRUNK), table.anchors[sole[0]] if len(sole) else None,
            )
        )  # fmt: skip
        place[int(part)] = len(joints) - 1
    return write_bvh(joints, frame_time)


def even_times(times: Array) -> tuple[Array, float]:
    """Evenly spaced times over a motion, and their spacing [s]; BVH has no others."""
    if len(times) < 2:
        return times, 1.0 / 60.0
    spacing = float(np.median(np.diff(times)))
    even = spacing * np.arange(len(times))
    if np.abs(even - times).max() <= EVEN:
        return times, spacing
    return np.arange(int(times[-1] / spacing + 1e-9) + 1, dtype=np.float64) * spacing, spacing


def sampled(times: Array, values: Array, wanted: Array, rotation: bool) -> Array:
    """Values at other times."""
    if wanted is times:
        return values
    left = np.clip(np.searchsorted(times, wanted, side="right") - 1, 0, len(times) - 2)
    share = np.clip((wanted - times[left]) / (times[left + 1] - times[left]), 0.0, 1.0)
    return between(values[left], values[left + 1], share, rotation)

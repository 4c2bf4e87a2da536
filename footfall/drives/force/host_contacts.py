"""What a host remembers of contacts: latches over a frame's substeps, and the last contact of each foot."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from footfall.drives.force.host import SOLE_POINTS, Array, Counts, Flags, Reading
from footfall.records import Records


class Contacts(NamedTuple):
    """All contact points between feet and ground at one substep."""

    foot: Counts
    """``[n]`` which foot."""
    slot: Counts
    """``[n]`` which point of its sole polygon; -1: no particular one."""
    point: Array
    """``[n, 3]`` world [m]."""
    normal: Array
    """``[n, 3]`` outward unit normal of the ground, world."""
    force: Array
    """``[n, 3]`` of the ground on the foot, world [N]."""
    gap: Array
    """``[n]`` distance [m]; negative is penetration."""


def contact_memory(feet: int, substeps: int) -> Records:
    """Records ``[feet]`` of a host that has not stepped. All fields are float64: the records save as numbers."""
    dtype = np.dtype(
        [
            ("touching", np.float64, (substeps,)),  #: 1 in each substep of the last frame in which it touched
            ("before", np.float64),  #: 1: it touched in the last substep of the frame before
            ("point", np.float64, (3,)),  #: as in ``Reading``, and so on
            ("normal", np.float64, (3,)),
            ("force", np.float64, (3,)),
            ("gap", np.float64),
            ("point_count", np.float64),
            ("points", np.float64, (SOLE_POINTS, 3)),
        ]
    )
    memory = np.zeros(feet, dtype)
    forget_contacts(memory)
    return memory


def forget_contacts(memory: Records) -> None:
    """Make the memory that of a host that has not stepped."""
    memory[:] = 0
    for name in ("point", "gap", "points"):
        memory[name] = np.nan


def point_slots(contacts: Contacts, belongs: Flags) -> Counts:
    """Place ``[n]`` of each contact among the points of its foot: its slot, else its number among those of the foot.

    ``belongs [feet, n]``: whose contact it is.
    """
    number = np.cumsum(belongs, axis=1)[contacts.foot, np.arange(len(contacts.foot))] - 1
    return np.where(contacts.slot >= 0, contacts.slot, number)


def note_contacts(memory: Records, contacts: Contacts, chosen: Flags) -> None:
    """Remember the contacts of the ``chosen [feet]`` feet that touch, in place of what was remembered of them."""
    belongs = contacts.foot == np.arange(len(memory))[:, None]
    touching = chosen & belongs.any(axis=1)
    pressure = np.maximum((contacts.force * contacts.normal).sum(axis=1), 0.0)
    weights = belongs * pressure
    total = weights.sum(axis=1, keepdims=True)
    weights = np.where(total > 0.0, weights, belongs)  # contacts that press nobody count alike
    weights /= np.maximum(weights.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    normal = weights @ contacts.normal
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    gap = np.where(belongs, contacts.gap, np.inf).min(axis=1, initial=np.inf)
    memory["point"][touching] = (weights @ contacts.point)[touching]
    memory["normal"][touching] = (normal / np.where(size > 0.0, size, 1.0))[touching]
    memory["force"][chosen] = (belongs @ contacts.force)[chosen]
    memory["gap"][touching] = gap[touching]
    points = np.full((len(memory), SOLE_POINTS, 3), np.nan)
    slots = point_slots(contacts, belongs)
    kept = slots < SOLE_POINTS
    points[contacts.foot[kept], slots[kept]] = contacts.point[kept]
    memory["points"][chosen] = points[chosen]
    memory["point_count"][chosen] = np.isfinite(points[chosen, :, 0]).sum(axis=1)


class FrameLatch:
    """Contacts over the substeps of one frame, into a memory."""

    def __init__(self, memory: Records) -> None:
        feet, substeps = len(memory), memory["touching"].shape[1]
        memory["before"] = memory["touching"][:, -1]
        self.memory = memory
        self.rows: Flags = np.zeros((substeps + 1, feet), np.bool_)
        """``[1 + substeps, feet]`` who touches; row 0 is the end of the frame before."""
        self.rows[0] = memory["before"]

    def begins(self, substep: int) -> Flags:
        """``[feet]`` who touches in a substep and did not in the one before."""
        return self.rows[substep + 1] & ~self.rows[substep]

    def close(self, contacts: Contacts) -> None:
        """End the frame with the contacts of its last substep."""
        self.memory["touching"] = self.rows[1:].T
        now = self.rows[-1]
        note_contacts(self.memory, contacts, now)
        self.memory["force"][~now] = 0.0
        self.memory["point_count"][~now] = 0.0
        self.memory["points"][~now] = np.nan


def contact_onsets(memory: Records) -> Counts:
    """Substep and foot ``[n, 2]`` of every beginning of a contact in the last frame, in the order of time."""
    touching = memory["touching"].T > 0.0
    earlier = np.vstack([memory["before"] > 0.0, touching[:-1]])
    return np.argwhere(touching & ~earlier)


def make_reading(
    memory: Records, position: Array, rotation: Array, velocity: Array, angular_velocity: Array
) -> Reading:
    """Reading of these motions and of the contacts remembered."""
    touching: NDArray[np.bool_] = memory["touching"] > 0.0
    return Reading(
        position=position,
        rotation=rotation,
        velocity=velocity,
        angular_velocity=angular_velocity,
        contact=touching[:, -1].copy(),
        latched=touching.sum(axis=1),
        first_substep=np.where(touching.any(axis=1), touching.argmax(axis=1), -1),
        point=memory["point"].copy(),
        normal=memory["normal"].copy(),
        force=memory["force"].copy(),
        gap=memory["gap"].copy(),
        point_count=memory["point_count"].astype(np.int64),
        points=memory["points"].copy(),
        onsets=contact_onsets(memory),
    )

"""What the contacts of the feet say: which feet carry, which stand still, and whether the machine is at rest.

Two criteria are kept apart. *Free flight* ends with the first contact, or near the ground. *Support* needs more: a
planted foot with a valid contact, on its anchor, and still.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from footfall.state import Array

Flags = NDArray[np.bool_]


def contact_valid(since: Array, gap: Array, window: float, reach: float) -> Flags:
    """Contacts that count: seen no longer ago than the window, with the sole still near the plane (row B150).

    Args:
        since: ``[feet]`` time since contact was last seen [s]; infinite where it never was.
        gap: ``[feet]`` signed distance of the sole from the plane of that contact [m].
        window: [s]
        reach: greatest distance [m].
    """
    return (since <= window) & (np.abs(gap) <= reach)


def anchor_holds(force: Array, normal: Array, friction: float | Array) -> Flags:
    """Whether what presses on a foot stays within the cone of friction, ``[feet]`` (row B151).

    Args:
        force: ``[feet, 3]`` actuator, reaction of the support and gravity together, world [N].
        normal: ``[feet, 3]`` outward normals of the ground.
        friction: coefficient.
    """
    pressing = -np.sum(force * normal, axis=-1)
    along = np.linalg.norm(force + pressing[..., None] * normal, axis=-1)
    return (pressing > 0.0) & (along <= friction * pressing)


def stable_feet(
    contact: Flags, supporting: Flags, anchored: Flags, along: Array, across: Array, still_along: float,
    still_across: float,
) -> Flags:  # fmt: skip
    """Stable feet ``[feet]``: in contact, carrying, anchored, and still (row B35).

    Args:
        contact: valid native contact.
        supporting: the plan has it carry.
        anchored: its anchor holds.
        along: speed of the sole along the ground [m/s].
        across: its speed along the normal [m/s], either way.
        still_along: greatest speed along the ground.
        still_across: greatest speed along the normal.
    """
    return contact & supporting & anchored & (along <= still_along) & (np.abs(across) <= still_across)


def at_rest(stable: Flags, speed: float, turn: float, still_body: float, still_turn: float) -> bool:
    """Whether all feet are stable and the body is still: a candidate for standing (row B38)."""
    return bool(stable.all()) and speed < still_body and turn < still_turn


def in_free_flight(contact: Flags, clearance: Array, margin: float) -> Flags:
    """Feet that fly freely: no contact, and further than the margin from the ground (row B42, i)."""
    return ~contact & (clearance >= margin)


def ready(still_since: float, now: float, sample_time: float, hold: float, freshness: float) -> bool:
    """Whether a machine at rest may be handed over (rows B39, B40): it has been for a while, and the sample is fresh.

    Args:
        still_since: time from which ``at_rest`` has held [s]; infinite where it does not.
        now: [s]
        sample_time: time of the sample that says so [s].
        hold: how long it has to hold [s].
        freshness: greatest age of the sample [s].
    """
    return now - still_since >= hold and now - sample_time <= freshness

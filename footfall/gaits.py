"""A library of named gaits, generated for any number of legs.

A gait is a phase offset a leg and a duty factor. Legs are numbered along each side from the rear; the sides are told
apart by where the feet rest. The generated tables for four and six legs are the textbook's (Hildebrand 1965,
Wilson 1966): walk is LH LF RH RF a quarter apart, tripod is two alternating sets, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Offsets = NDArray[np.float64]


@dataclass(frozen=True)
class Place:
    """Where a leg stands among the others."""

    side: int
    """0 left (or in the middle), 1 right."""
    row: int
    """Along its side, 0 is the rearmost."""
    rows: int
    """Legs on that side."""


def places(rests: NDArray[np.float64]) -> list[Place]:
    """Places of legs from where their feet rest, ``[legs, 2]`` x, y [m]."""
    sides = [0 if y >= 0.0 else 1 for y in rests[:, 1]]
    found: list[Place] = [Place(0, 0, 1)] * len(rests)
    for side in (0, 1):
        members = [leg for leg in range(len(rests)) if sides[leg] == side]
        members.sort(key=lambda leg: (float(rests[leg, 0]), leg))
        for row, leg in enumerate(members):
            found[leg] = Place(side, row, len(members))
    return found


def _in_order(legs: Sequence[Place], key: Callable[[Place], tuple[float, ...]]) -> Offsets:
    """Offsets of legs that lift one after the other, evenly, in the order of a key."""
    order = sorted(range(len(legs)), key=lambda leg: key(legs[leg]))
    offsets = np.zeros(len(legs))
    for turn, leg in enumerate(order):
        offsets[leg] = (-turn / len(legs)) % 1.0
    return offsets


def wave(legs: Sequence[Place]) -> Offsets:
    """One side from rear to front, then the other."""
    return _in_order(legs, lambda place: (place.side, place.row))


def ripple(legs: Sequence[Place]) -> Offsets:
    """From rear to front, alternating sides."""
    return _in_order(legs, lambda place: (place.row, place.side))


def tetrapod(legs: Sequence[Place]) -> Offsets:
    """Three sets, one after the other; neighbours and opposite legs are in different sets."""
    return np.array([(-(place.row + 2 * place.side) / 3.0) % 1.0 for place in legs])


def tripod(legs: Sequence[Place]) -> Offsets:
    """Two sets in turn: every other leg of one side with the others of the other side (four legs: the trot)."""
    return np.array([0.5 * ((place.row + place.side) % 2) for place in legs])


def amble(legs: Sequence[Place]) -> Offsets:
    """Each side from rear to front, the sides half a cycle apart."""
    return np.array([(-place.row / (2.0 * place.rows) - 0.5 * place.side) % 1.0 for place in legs])


def pace(legs: Sequence[Place]) -> Offsets:
    """The legs of one side together, the sides in turn."""
    return np.array([0.5 * place.side for place in legs])


def bound(legs: Sequence[Place]) -> Offsets:
    """Opposite legs together, neighbouring rows in turn."""
    return np.array([0.5 * (place.row % 2) for place in legs])


def hop(legs: Sequence[Place]) -> Offsets:
    """All legs together."""
    return np.zeros(len(legs))


@dataclass(frozen=True)
class NamedGait:
    """A gait of the library."""

    offsets: Callable[[Sequence[Place]], Offsets]
    duty_factor: Callable[[int], float]
    """Of the number of legs."""


LIBRARY: dict[str, NamedGait] = {
    "wave": NamedGait(wave, lambda legs: 1.0 - 1.0 / legs if legs > 2 else 0.6),
    "ripple": NamedGait(ripple, lambda legs: max(1.0 - 2.0 / legs, 0.6)),
    "tetrapod": NamedGait(tetrapod, lambda legs: 2.0 / 3.0),
    "tripod": NamedGait(tripod, lambda legs: 0.55),
    "amble": NamedGait(amble, lambda legs: 0.625),
    "walk": NamedGait(amble, lambda legs: 0.75 if legs > 2 else 0.6),
    "trot": NamedGait(tripod, lambda legs: 0.5),
    "pace": NamedGait(pace, lambda legs: 0.55),
    "bound": NamedGait(bound, lambda legs: 0.55),
    "hop": NamedGait(hop, lambda legs: 0.6),
}


def most_airborne(offsets: Offsets, duty_factor: float) -> int:
    """Most feet in the air at once in a steady gait; a touchdown frees its place at its own instant."""
    lift_offs = (duty_factor - offsets) % 1.0
    return int(max(sum((at - lift_offs + 1e-9) % 1.0 < 1.0 - duty_factor - 1e-9) for at in lift_offs))

"""Entries that stand for several legs or trunks, written out."""

from __future__ import annotations

from dataclasses import fields, replace

from footfall.machine.file import LegEntry, TrunkEntry
from footfall.rig import Leg, Trunk, Vector


def _reflect(vector: Vector) -> Vector:
    return (vector[0], -vector[1], vector[2])


def _mirrored(leg: Leg) -> Leg:
    return replace(
        leg,
        hip=_reflect(leg.hip),
        rest=(leg.rest[0], -leg.rest[1]),
        pole=_reflect(leg.pole),
        metatarsus=_reflect(leg.metatarsus),
        metatarsus_kneel=_reflect(leg.metatarsus_kneel),
        metatarsus_fold=_reflect(leg.metatarsus_fold),
        # an axis is reflected as a rotation is: the other way about
        hinges=tuple(replace(hinge, axis=(-hinge.axis[0], hinge.axis[1], -hinge.axis[2])) for hinge in leg.hinges),
        directions=tuple(_reflect(direction) for direction in leg.directions),
    )


def _plain(entry: LegEntry, name: str, trunk: str) -> Leg:
    values = {item.name: getattr(entry, item.name) for item in fields(Leg)}
    return Leg(**{**values, "name": name, "trunk": trunk})


def expand_trunks(entries: tuple[TrunkEntry, ...]) -> tuple[tuple[Trunk, ...], list[float]]:
    """Trunks front to rear, and each one's share of stabilisation."""
    trunks: list[Trunk] = []
    shares: list[float] = []
    for entry in entries:
        for number in range(1, entry.count + 1):
            name = entry.name if entry.count == 1 else f"{entry.name}_{number}"
            trunks.append(Trunk(name, entry.size, entry.centre))
            shares.append(entry.stabilise)
    return tuple(trunks), shares


def expand_legs(entries: tuple[LegEntry, ...], trunks: tuple[Trunk, ...]) -> tuple[Leg, ...]:
    """Legs with mirrors and rows written out."""
    names = [trunk.name for trunk in trunks]
    legs: list[Leg] = []
    for entry in entries:
        first = names.index(entry.trunk) if entry.trunk else 0
        for row in range(entry.rows):
            trunk = names[first + row]
            name = entry.name if entry.rows == 1 else f"{entry.name}_{row + 1}"
            if entry.mirror:
                legs.append(_plain(entry, f"left_{name}", trunk))
                legs.append(_mirrored(_plain(entry, f"right_{name}", trunk)))
            else:
                legs.append(_plain(entry, name, trunk))
    return tuple(legs)

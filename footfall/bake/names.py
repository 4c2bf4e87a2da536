"""Names of nodes: unique, and of letters that every importer can spell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def spelled(name: str) -> str:
    """A name of letters, digits, ``_`` and ``-``."""
    return "".join(letter if letter.isalnum() or letter in "_-" else "_" for letter in name) or "part"


def unique(name: str, taken: set[str]) -> str:
    """A spelled name that is not taken yet, and is from now on."""
    name = spelled(name)
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    taken.add(found)
    return found


def part_names(names: Sequence[str], first: Iterable[str] = ()) -> list[str]:
    """Names of a machine's parts as nodes; those that end in ``_sole`` are promised and come before all others.

    Args:
        names: of the parts.
        first: further names that are taken.
    """
    taken = set(first) | {name for name in names if name.endswith("_sole")}
    return [name if name.endswith("_sole") else unique(name, taken) for name in names]

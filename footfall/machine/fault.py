"""What a fault of a file is to those who find it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

Fault = tuple[str, str]
"""Path of the key that it is reported at, and what is wrong."""

SHORTEST, LONGEST = 1e-9, 1e9  # lengths of a vector that points somewhere


def within(where: str, faults: Iterable[Fault]) -> Iterator[Fault]:
    """Faults by keys of a part, by keys of the whole."""
    for key, message in faults:
        yield f"{where}.{key}", message


def pointless(key: str, vector: Sequence[float]) -> Iterator[Fault]:
    """A vector that is no direction."""
    length = math.hypot(*vector)
    if not SHORTEST <= length <= LONGEST:
        yield key, f"has {'no' if length < 1.0 else 'too great a'} length; a direction is needed"


def repeated(key: str, names: Iterable[str], what: str) -> Iterator[Fault]:
    """Names that are not told apart."""
    seen = list(names)
    for name in dict.fromkeys(seen):
        if seen.count(name) > 1:
            yield key, f"has {seen.count(name)} {what} of one name, '{name}'"

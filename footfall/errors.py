"""What footfall raises: bad files and bad requests raise; bad motion is data."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass


class FootfallError(Exception):
    """A request that cannot be met, in one clear line."""


@dataclass
class FileFault:
    """One fault in a file."""

    file: str
    message: str
    """What is wrong: the key, its value, and what would be allowed."""
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        place = self.file
        if self.line is not None:
            place += f":{self.line}"
            if self.column is not None:
                place += f":{self.column}"
        return f"{place}: {self.message}"


class FileError(FootfallError):
    """A file with one or more faults; the message has one line for each."""

    def __init__(self, faults: list[FileFault]) -> None:
        self.faults = faults
        super().__init__("\n".join(str(fault) for fault in faults))


def known_names(kinds: str, name: str, known: Sequence[str], more: str = "") -> str:
    """End of a message on a name that nobody has: the one that may be meant, and those that are known."""
    near = difflib.get_close_matches(name.lower(), known, 1, 0.6)
    meant = f"did you mean {near[0]}? " if near else ""
    return f"{meant}known {kinds}: {', '.join(known)}{more}"

"""Files that a command is to write, refused before the work begins where they cannot be."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from footfall.errors import FootfallError


def check_output(path: Path, suffixes: Sequence[str], flag: str) -> None:
    """Refuse a file that cannot be written.

    Raises:
        FootfallError: the suffix is unknown, the folder is missing or not writable, or a folder has this name.
    """
    if path.suffix.lower() not in suffixes:
        raise FootfallError(f"{flag} is '{path}'; allowed: a file that ends in {', '.join(suffixes)}")
    folder = path.parent
    if path.is_dir():
        raise FootfallError(f"{flag} is '{path}', which is a folder; allowed: a file")
    if not folder.is_dir():
        raise FootfallError(f"{flag} is '{path}'; there is no folder {folder}")
    if not os.access(folder, os.W_OK | os.X_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise FootfallError(f"{flag} is '{path}', which may not be written")


def check_outputs(paths: Sequence[Path], suffixes: Sequence[str], flag: str) -> None:
    """Refuse files that cannot be written, and one file asked for twice."""
    for index, path in enumerate(paths):
        check_output(path, suffixes, flag)
        if path.resolve() in (other.resolve() for other in paths[:index]):
            raise FootfallError(f"{flag} is '{path}' twice")

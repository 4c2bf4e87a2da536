"""Machine files by name or by path."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path

from footfall.errors import FootfallError, known_names


def machine_names() -> list[str]:
    """Names of the built-in machines."""
    folder = resources.files("footfall") / "machines"
    return sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir() if entry.name.endswith(".yaml"))


def machine_path(name: str | Path) -> Path:
    """Path of a built-in machine's file by its name, or of a file by its path.

    Raises:
        FootfallError: it is no name of a machine, and no path.
    """
    known = machine_names()
    if isinstance(name, str) and name in known:
        return Path(str(resources.files("footfall") / "machines" / f"{name}.yaml"))
    path = Path(name)
    if not path.suffix and not os.path.exists(path):
        raise FootfallError(known_names("machines", str(name), known, ", or the path of a file"))
    return path


def find_like(name: str, folder: Path) -> Path:
    """Path of the file that a machine file is like; a path is relative to that file's folder.

    Raises:
        FootfallError: it is no name of a machine, and no path.
    """
    return machine_path(name if name in machine_names() else folder / name)

"""Machines by name or by path."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from footfall.documents import load_document, parse_document
from footfall.errors import FootfallError
from footfall.machine.build import build_machine
from footfall.machine.check import check_machine
from footfall.machine.file import MachineFile
from footfall.machine.machine import Machine


def machine_names() -> list[str]:
    """Names of the built-in machines."""
    folder = resources.files("footfall") / "machines"
    return sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir() if entry.name.endswith(".yaml"))


def load_machine(name: str | Path) -> Machine:
    """Load a built-in machine by its name, or a machine file by its path.

    Raises:
        FileError: the file has faults; all of them are told.
        FootfallError: there is no such machine.
    """
    known = machine_names()
    if isinstance(name, str) and name in known:
        path = Path(str(resources.files("footfall") / "machines" / f"{name}.yaml"))
    else:
        path = Path(name)
        if not path.suffix and not path.exists():
            raise FootfallError(f"machine is '{name}'; known machines: {', '.join(known)}, or the path of a file")
    return build_machine(load_document(path, MachineFile, check_machine))


def parse_machine(text: str, name: str = "machine") -> Machine:
    """A machine from the text of a machine file; ``name`` stands for the file in faults.

    Raises:
        FileError: the text has faults; all of them are told.
    """
    return build_machine(parse_document(text, name, MachineFile, check_machine))

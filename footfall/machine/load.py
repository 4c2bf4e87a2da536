"""Machines by name or by path."""

from __future__ import annotations

from pathlib import Path

from footfall.documents import load_document, parse_document
from footfall.errors import FootfallError
from footfall.machine.build import build_machine, driven_by
from footfall.machine.check import check_machine
from footfall.machine.file import DriveName, MachineFile
from footfall.machine.machine import Machine
from footfall.machine.names import machine_path


def load_machine(name: str | Path, drive: str | None = None) -> Machine:
    """Load a built-in machine by its name, or a machine file by its path.

    Args:
        name: a built-in machine, or a path.
        drive: ``kinematic`` or ``force`` instead of the file's own.

    Raises:
        FileError: the file has faults; all of them are told.
        FootfallError: there is no such machine, or no such drive.
    """
    if drive is not None and drive not in DriveName.__members__:
        raise FootfallError(f"drive is '{drive}'; known drives: {', '.join(DriveName.__members__)}")
    try:
        path = machine_path(name)
    except FootfallError as error:
        raise FootfallError(f"machine is '{name}'; {error}") from None
    machine = build_machine(load_document(path, MachineFile, check_machine))
    return machine if drive is None else driven_by(machine, DriveName[drive])


def parse_machine(text: str, name: str = "machine") -> Machine:
    """A machine from the text of a machine file; ``name`` stands for the file in faults.

    Raises:
        FileError: the text has faults; all of them are told.
    """
    return build_machine(parse_document(text, name, MachineFile, check_machine))

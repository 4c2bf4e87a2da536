"""Machines by name or by path."""

from __future__ import annotations

from pathlib import Path

from footfall.documents import load_document, parse_document
from footfall.errors import FootfallError
from footfall.machine.build import build_machine
from footfall.machine.check import check_machine
from footfall.machine.file import MachineFile
from footfall.machine.machine import Machine
from footfall.machine.names import machine_path


def load_machine(name: str | Path) -> Machine:
    """Load a built-in machine by its name, or a machine file by its path.

    Raises:
        FileError: the file has faults; all of them are told.
        FootfallError: there is no such machine.
    """
    try:
        path = machine_path(name)
    except FootfallError as error:
        raise FootfallError(f"machine is '{name}'; {error}") from None
    return build_machine(load_document(path, MachineFile, check_machine))


def parse_machine(text: str, name: str = "machine") -> Machine:
    """A machine from the text of a machine file; ``name`` stands for the file in faults.

    Raises:
        FileError: the text has faults; all of them are told.
    """
    return build_machine(parse_document(text, name, MachineFile, check_machine))

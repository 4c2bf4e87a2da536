"""Machines as data: a YAML file, checked whole, becomes a rig and its constants.

One idea a file: ``file`` declares what may be said, ``expand`` writes out mirrors and rows, ``pattern`` gives the legs
their phases, ``check`` finds the faults and ``doubt`` what will hardly walk, ``build`` makes the ``machine``, ``names``
finds files, and ``load`` does it all.
"""

from footfall.machine.build import build_machine, driven_by
from footfall.machine.check import check_machine
from footfall.machine.doubt import doubt_machine
from footfall.machine.file import AutomaticGait, DriveName, LegEntry, MachineFile, TrunkEntry
from footfall.machine.load import load_machine, parse_machine
from footfall.machine.machine import AUTO, OWN, Machine, name_of, rig_of
from footfall.machine.names import machine_names

__all__ = [
    "AUTO",
    "OWN",
    "AutomaticGait",
    "DriveName",
    "LegEntry",
    "Machine",
    "MachineFile",
    "TrunkEntry",
    "build_machine",
    "check_machine",
    "doubt_machine",
    "driven_by",
    "load_machine",
    "machine_names",
    "name_of",
    "parse_machine",
    "rig_of",
]

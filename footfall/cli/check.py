"""``footfall check``: whether a machine, scenario or terrain file is sound, with all faults at once."""

from __future__ import annotations

import os
from argparse import Namespace
from dataclasses import fields
from typing import Any

from footfall.cli.output import print_json
from footfall.errors import FileError, FileFault, FootfallError, known_names


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("check", help="validate a machine, scenario or terrain file")
    parser.add_argument("file", metavar="FILE", help="a YAML file, or the name of a built-in machine or scenario")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=check_file)


def tell_kind(path: str) -> str:
    """``machine``, ``scenario`` or ``terrain``: whichever has most of the file's keys.

    Raises:
        FileError: the file cannot be read, is no YAML mapping, or has no key that any of them knows.
    """
    from footfall.documents.nodes import compose_text, read_text
    from footfall.machine import MachineFile
    from footfall.scenario import Scenario
    from footfall.world.terrain import TerrainFile

    root = compose_text(read_text(path), path)
    found = {str(key.value).removesuffix("_deg") for key, _ in root.value}
    known = {
        kind: {field.name for field in fields(declaration)} - {"name", "title"}
        for kind, declaration in (("machine", MachineFile), ("scenario", Scenario), ("terrain", TerrainFile))
    }
    score = {kind: len(found & keys) for kind, keys in known.items()}
    best = max(score, key=lambda kind: score[kind])
    if score[best] == 0:
        keys = "; ".join(f"a {kind} has {', '.join(sorted(own)[:6])} …" for kind, own in known.items())
        raise FileError([FileFault(path, f"is no machine, scenario or terrain file: {keys}")])
    return best


def find_file(name: str) -> str:
    """Path of a file by its path, or of a built-in machine's or scenario's by its name.

    Raises:
        FootfallError: it is no name, and no path.
    """
    from footfall.machine import machine_names
    from footfall.machine.names import machine_path
    from footfall.scenario import scenario_names, scenario_path

    if os.path.exists(name) or os.path.splitext(name)[1]:
        return name
    machines, scenarios = machine_names(), scenario_names()
    if name not in (*machines, *scenarios):
        known = known_names("machines and scenarios", name, (*machines, *scenarios), ", or the path of a file")
        raise FootfallError(f"file is '{name}'; {known}")
    return str(machine_path(name) if name in machines else scenario_path(name))


def describe(path: str, kind: str) -> str:
    """Load a file of a kind, and say in a few words what is in it.

    Raises:
        FileError: with all faults.
    """
    if kind == "machine":
        from pathlib import Path

        from footfall.machine import load_machine

        machine = load_machine(Path(path))
        legs, trunks = len(machine.rig.legs), len(machine.rig.trunks)
        return f"{machine.name}, {legs} legs on {trunks} {'trunk' if trunks == 1 else 'trunks'}"
    if kind == "scenario":
        from pathlib import Path

        from footfall.scenario import load_scenario

        scenario = load_scenario(Path(path))
        return f"{scenario.name}, {len(scenario.events)} events in {scenario.seconds:g} s"
    from footfall.world.terrain import load_terrain

    return load_terrain(path).name


def find_doubts(path: str, kind: str) -> list[FileFault]:
    """What a sound file says that will hardly walk as it is meant to, in its order."""
    from footfall.documents import load_document
    from footfall.machine import MachineFile, doubt_machine

    if kind != "machine":
        return []
    try:
        load_document(path, MachineFile, doubt_machine)
    except FileError as error:
        return error.faults
    return []


def check_file(options: Namespace) -> int:
    """Run the command."""
    kind, faults, doubts, found = None, [], [], ""
    try:
        path = find_file(options.file)
        kind = tell_kind(path)
        found = describe(path, kind)
        doubts = find_doubts(path, kind)
    except FileError as error:
        if not options.json:
            raise
        faults = error.faults
    if options.json:
        told, doubted = [vars(fault) for fault in faults], [vars(doubt) for doubt in doubts]
        print_json({"file": options.file, "kind": kind, "sound": not faults, "faults": told, "doubts": doubted})
        return 2 if faults else 0
    print(f"{options.file}: a sound {kind} file ({found})")
    for doubt in doubts:
        print(f"doubtful: {doubt}")
    return 0

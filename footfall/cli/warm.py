"""``footfall warm``: compile all kernels and keep them, so that the first walk starts at once."""

from __future__ import annotations

import sys
from argparse import Namespace
from time import perf_counter
from typing import Any

from footfall.cli.output import print_json


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("warm", help="compile the kernels and fill their cache")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=warm_up)


def warm_up(options: Namespace) -> int:
    """Run the command: a short walk of the fewest machines that use every solver and both kinds of path."""
    from footfall.cache import cache_folder
    from footfall.machine import DriveName, driven_by, load_machine, machine_names
    from footfall.scenario import steady
    from footfall.stream import run
    from footfall.world.terrain import make_terrain

    began = perf_counter()
    seen: set[object] = set()
    walked = []
    for name in machine_names():
        machine = driven_by(load_machine(name), DriveName.kinematic)
        kinds = {leg.solver for leg in machine.rig.legs} | {("trunks", len(machine.rig.trunks) > 1)}
        if kinds <= seen:
            continue
        seen |= kinds
        if sys.stderr.isatty():
            print(f"compiling what {name} needs", file=sys.stderr)
        terrain = make_terrain("rocks", machine.leg_length)
        for _ in run(machine, terrain, steady(0.1), rate=machine.file.inner_rate * 1.3):
            pass
        walked.append(name)
    seconds = perf_counter() - began
    if options.json:
        print_json({"machines": walked, "seconds": seconds, "cache": cache_folder()})
    else:
        print(f"kernels are compiled ({seconds:.1f} s): {cache_folder()}")
    return 0

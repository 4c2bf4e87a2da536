"""``footfall list``: what is built in."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from footfall.cli.output import figure, print_json


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("list", help="machines, terrains, scenarios and gaits")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=list_all)


def gather() -> dict[str, Any]:
    """All that is built in; see design.md, section 5."""
    from footfall.gaits import LIBRARY
    from footfall.machine import AUTO, OWN, load_machine, machine_names
    from footfall.scenario import scenario_names
    from footfall.world.terrain import terrain_names

    machines = []
    for name in machine_names():
        machine = load_machine(name)
        machines.append(
            {
                "name": machine.name,
                "title": machine.file.title,
                "drive": machine.file.drive.name,
                "planner": machine.file.planner.name,
                "ground": machine.ground,
                "legs": len(machine.rig.legs),
                "leg_names": [leg.name for leg in machine.rig.legs],
                "leg_length": machine.leg_length,
                "cruise_speed": machine.file.cruise_speed,
                "duty_factor": machine.duty_factor,
                "airborne_limit": machine.airborne_limit,
                "inner_rate": machine.file.inner_rate,
            }
        )
    return {
        "machines": machines,
        "terrains": list(terrain_names()),
        "scenarios": scenario_names(),
        "gaits": [OWN, *LIBRARY, AUTO],
    }


def list_all(options: Namespace) -> int:
    """Run the command."""
    found = gather()
    if options.json:
        print_json(found)
        return 0
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE)
    for column, side in (("machine", "left"), ("legs", "right"), ("leg, m", "right"), ("cruise, m/s", "right"),
                         ("drive", "left"), ("what it is", "left")):  # fmt: skip
        table.add_column(column, justify=side)  # type: ignore[arg-type]
    for machine in found["machines"]:
        table.add_row(machine["name"], str(machine["legs"]), figure(machine["leg_length"]),
                      figure(machine["cruise_speed"]), machine["drive"], machine["title"])  # fmt: skip
    console = Console()
    console.print(table)
    for kind in ("terrains", "scenarios", "gaits"):
        console.print(f"{kind:>10}  {', '.join(found[kind])}", highlight=False, soft_wrap=True)
    return 0

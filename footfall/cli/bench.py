"""``footfall bench``: what a tick costs, against a plain scalar C program that does the same work."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from footfall.cli.files import check_output
from footfall.cli.output import figure, print_json

if TYPE_CHECKING:
    from footfall.bench.measure import Row

TERRAINS = ("rocks",)
MORE_TERRAINS = ("flat", "rocks", "jacksboro", "steps")


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "bench", help="cost of a tick against a plain C program that does the same work",
        description="Time ticks of every machine in crowds of several sizes, by turns with a plain scalar C program"
        " that is written from the same kernels and built with gcc -O3 -march=native, without fast-math and without"
        " fused multiply-add, so that the results can be compared.",
    )  # fmt: skip
    parser.add_argument("--machine", metavar="M", action="append", help="only this machine; may be repeated")
    parser.add_argument("--full", action="store_true", help="on four terrains, and longer")
    parser.add_argument("--emit-c", metavar="FILE", type=Path, help="write the C program and do nothing else")
    parser.add_argument("--json", action="store_true", help="print one JSON object on stdout and nothing else")
    parser.set_defaults(run=bench)


def bench(options: Namespace) -> int:
    """Run the command."""
    if options.emit_c is not None:
        return emit(options.emit_c)
    from footfall.bench.compiled import build_line
    from footfall.bench.measure import SIZES, build_c, measure_machine, measure_step
    from footfall.machine import load_machine, machine_names
    from footfall.world.build import flat_world

    machines = [load_machine(name) for name in options.machine or machine_names()]
    program, lacking = build_c()
    if lacking is not None:
        note(lacking)
    seconds = 10.0 if options.full else 3.0
    rows: list[Row] = []
    for terrain in MORE_TERRAINS if options.full else TERRAINS:
        for machine in machines:
            rows += measure_machine(machine, terrain, SIZES, program, seconds, note)
    steps = {machine.name: measure_step(machine, flat_world(), 0.2 * seconds) for machine in machines}
    if options.json:
        print_json(
            {
                "tick": [
                    {
                        "machine": row.machine,
                        "terrain": row.terrain,
                        "agents": row.agents,
                        "ns_per_leg": row.ns_per_leg,
                        "c_scalar_ns_per_leg": row.c_scalar_ns_per_leg,
                        "ratio": row.ratio,
                        "max_difference": row.max_difference,
                    }
                    for row in rows
                ],
                "step_us": steps,
                "c_program": build_line() if program is not None else lacking,
            }
        )
    else:
        print_rows(rows, steps, build_line() if program is not None else None)
    return 0


def emit(path: Path) -> int:
    """Write the C program."""
    check_output(path, (".c",), "--emit-c")
    from footfall.bench.c_types import TranslationError
    from footfall.bench.measure import write_c
    from footfall.errors import FootfallError

    try:
        text = write_c()
    except TranslationError as error:
        raise FootfallError(f"a kernel has no C: {error}") from None
    path.write_text(text, encoding="utf-8")
    print(f"wrote {path}")
    return 0


def note(message: str) -> None:
    """Say something on stderr."""
    print(message, file=sys.stderr)


def print_rows(rows: list[Row], steps: dict[str, float], build: str | None) -> None:
    """Print the table."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE, title="cost of a tick, one core", title_justify="left")
    table.add_column("machine")
    table.add_column("terrain")
    for words in ("agents", "ns a leg", "C, ns a leg", "ratio", "difference m", "agents at 60 Hz"):
        table.add_column(words, justify="right")
    from footfall.machine import load_machine

    legs = {name: len(load_machine(name).rig.legs) for name in steps}
    for row in rows:
        table.add_row(
            row.machine, row.terrain, f"{row.agents:,}", f"{row.ns_per_leg:.0f}",
            "–" if row.c_scalar_ns_per_leg is None else f"{row.c_scalar_ns_per_leg:.0f}",
            "–" if row.ratio is None else f"{row.ratio:.2f}", figure(row.max_difference),
            f"{int(1e9 / 60 / (row.ns_per_leg * legs[row.machine])):,}",
        )  # fmt: skip
    console = Console(highlight=False)
    console.print(table)
    console.print(
        "one step of one agent from Python: " + ", ".join(f"{name} {us:.1f} µs" for name, us in steps.items())
    )
    if build is not None:
        console.print(f"the C program: {build}", soft_wrap=True, markup=False)

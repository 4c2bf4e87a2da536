"""``footfall walk``: one machine, one ground, one time line; numbers, files and a report."""

from __future__ import annotations

import math
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from footfall.cli.arguments import number, whole
from footfall.cli.files import check_output, check_outputs
from footfall.cli.output import print_json, print_table
from footfall.errors import FootfallError

if TYPE_CHECKING:
    from footfall.machine import Machine
    from footfall.scenario import Scenario
    from footfall.state import Frame
    from footfall.world.terrain import Terrain

SUFFIXES = (".npz", ".glb", ".csv", ".bvh")
LASTS = 20.0  # where nothing is said [s]
LONGEST = 86_400.0  # [s]
REPORT_ROOM = 0.1  # [s] between two updates of the progress bar


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "walk", help="walk a machine over a terrain: numbers, files, a report",
        description="Walk a machine over a terrain, print its quality table, and write files of it.",
        epilog="The exit code is 0 where the walk was made, whatever the table says; 2 where the request is wrong.",
    )  # fmt: skip
    add = parser.add_argument
    add("machine", metavar="MACHINE", help="a built-in name (see footfall list) or a machine file")
    add("--terrain", metavar="T", help="a built-in name or a terrain file (flat)")
    add("--drive", choices=("kinematic",), default="kinematic", help="who moves the feet (kinematic)")
    add("--gait", metavar="G", help="a gait's name, or auto to choose by speed (the machine's own)")
    add("--scenario", metavar="S", help="a time line of commands: a built-in name or a file")
    add("--speed", metavar="M/S", type=number(-1e3, 1e3), help="forward (the machine's cruising speed)")
    add("--lateral", metavar="M/S", type=number(-1e3, 1e3), help="to the left (0)")
    add("--yaw-rate", metavar="DEG/S", type=number(-360, 360), help="turn to the left (0)")
    add("--seconds", metavar="S", type=number(0, LONGEST, above=True), help="how long (the scenario's length, or 20)")
    add("--rate", metavar="HZ", type=number(1, 10_000), help="frames a second (the machine's inner rate)")
    add("--agents", metavar="N", type=whole(1, 1_000_000), default=1, help="how many machines (1)")
    add("--jitter", metavar="F", type=number(0, 1, below=True), default=0.0, help="each frame's time varies by ± F (0)")
    add("--terrain-scale", metavar="F", type=number(0, 100, above=True), default=1.0, help="features' size (1)")
    add("--seed", metavar="N", type=whole(0, 2**63 - 1), default=0, help="of rocks and jitter (0)")
    add("--out", metavar="FILE", type=Path, action="append", default=[], help=f"{' '.join(SUFFIXES)}; may be repeated")
    add("--report", metavar="FILE", type=Path, help="a page with tables and plots, .html")
    add("--json", action="store_true", help="print one JSON object on stdout and nothing else")
    parser.set_defaults(run=walk)


class Job(NamedTuple):
    """A walk that has been asked for and can be made."""

    machine: Machine
    terrain: Terrain
    scenario: Scenario
    seconds: float
    rate: float
    frames: int
    """With the first one."""


def prepare(options: Namespace) -> Job:
    """Check all that was asked for, and load it; nothing has been computed or written yet.

    Raises:
        FootfallError: a name is unknown, a file has faults, or an output cannot be written.
    """
    check_outputs(options.out, SUFFIXES, "--out")
    if options.report is not None:
        check_output(options.report, (".html",), "--report")
    from footfall.machine import load_machine
    from footfall.scenario import check_gaits, load_scenario, prefer, steady
    from footfall.stream import frame_times
    from footfall.world.terrain import make_terrain

    machine = load_machine(options.machine)
    scenario = load_scenario(options.scenario) if options.scenario else steady(LASTS)
    if options.gait is not None:
        machine.gait_index(options.gait)
    turn = None if options.yaw_rate is None else math.radians(options.yaw_rate)
    scenario = prefer(scenario, lateral=options.lateral, yaw_rate=turn, gait=options.gait)
    check_gaits(machine, scenario)
    terrain = make_terrain(
        options.terrain or scenario.terrain or "flat", machine.leg_length, options.terrain_scale, options.seed
    )
    seconds = scenario.seconds if options.seconds is None else options.seconds
    rate = machine.file.inner_rate if options.rate is None else options.rate
    frames = 1 + len(frame_times(seconds, rate))
    if options.out or options.report:
        check_room(machine, options.agents, frames)
    return Job(machine, terrain, scenario, seconds, rate, frames)


def check_room(machine: Machine, agents: int, frames: int) -> None:
    """Refuse a walk whose files would not fit into memory while they are gathered.

    Raises:
        FootfallError: with how much it would be.
    """
    import os

    needed = frames * agents * (machine.rig.joint_count * 24 + len(machine.rig.legs) * 64 + 256)
    try:
        there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return
    if needed > 0.6 * there:
        raise FootfallError(
            f"files of {agents} agents in {frames} frames need {needed / 1e9:.3g} GB of memory, and there are"
            f" {there / 1e9:.3g} GB; allowed: fewer --agents, --seconds or --rate"
        )


def walk(options: Namespace) -> int:
    """Run the command."""
    job = prepare(options)
    from footfall.metrics import Metrics, judge, state_hash, walk_limits
    from footfall.stream import run
    from footfall.trace import Trace

    machine, world = job.machine, job.terrain.world
    walking = run(
        machine, job.terrain, job.scenario, seconds=job.seconds, rate=job.rate, agents=options.agents,
        jitter=options.jitter, seed=options.seed, cruise=options.speed,
    )  # fmt: skip
    metrics = Metrics(machine.rig, world)
    trace = Trace(machine.rig, world, machine=machine.name) if ".npz" in suffixes(options.out) else None
    frame = None
    for frame in progress(walking, len(walking), f"{machine.name} on {job.terrain.name}"):
        if trace is not None:
            trace.add(frame)
        metrics.add(frame, walking.command, None if trace is None else trace.last_ground)
        if walking.cost > 0.0:
            metrics.add_tick_time(walking.cost)
    assert frame is not None
    result = {
        "machine": machine.name,
        "terrain": job.terrain.name,
        "scenario": job.scenario.name,
        "seconds": job.seconds,
        "rate": job.rate,
        "agents": options.agents,
        "seed": options.seed,
        "metrics": metrics.result(),
        "state_hash": state_hash(frame.state),
        "files": [],
    }
    for path in options.out:
        write(path, trace)
        result["files"].append(str(path))
    verdicts = judge(result["metrics"], walk_limits(machine.airborne_limit))
    if options.json:
        print_json(result)
    else:
        print_table(result, verdicts)
    return 0


def suffixes(paths: Iterable[Path]) -> set[str]:
    """Formats that files ask for."""
    return {path.suffix.lower() for path in paths}


def write(path: Path, trace: Any) -> None:
    """Write one file, by its suffix."""
    trace.save(path)


def progress(frames: Iterable[Frame], total: int, title: str) -> Iterator[Frame]:
    """The frames, with a progress bar on stderr where that is a terminal."""
    if not sys.stderr.isatty():
        yield from frames
        return
    from time import monotonic

    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    share = TextColumn("{task.percentage:>3.0f} %")
    columns = (TextColumn("{task.description}"), BarColumn(), share, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task(title, total=total)
        shown = monotonic()
        for done, frame in enumerate(frames, 1):
            yield frame
            if monotonic() - shown > REPORT_ROOM:
                shown = monotonic()
                bar.update(task, completed=done, refresh=True)

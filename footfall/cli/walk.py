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
from footfall.cli.joints import joint_frames, joint_limits, walk_joints
from footfall.cli.output import print_json, print_table
from footfall.errors import FootfallError

if TYPE_CHECKING:
    from footfall.joint_run import JointRun
    from footfall.machine import Machine
    from footfall.scenario import Scenario
    from footfall.state import Frame
    from footfall.stream import Run
    from footfall.world.terrain import Terrain

SUFFIXES = (".npz", ".glb", ".csv", ".bvh")
FORMATS = "a trace (.npz, all agents) or a bake (.glb, .csv, .bvh, the first one); may be repeated"
DRIVES = ("kinematic", "force", "joint")
LASTS = 20.0  # where nothing is said [s]
LONGEST = 86_400.0  # [s]
BAR_ROOM = 0.1  # between two updates of the progress bar [s]
STEPS_AFTER = 3.0  # a walk that is asked to move for so long must have made a step [s]
PACE_AFTER = 10.0  # and one that is asked to for so long is held to its pace [s]
GROUND_MARGIN = 3.0  # ground that a bake shows around the way [leg lengths]
GROUND_MOST = 25.0  # and at most so far from the middle of the way [leg lengths]


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
    drives = "who moves the feet: the plan, rigid bodies that chase it, or motors (the machine's own)"
    add("--drive", choices=DRIVES, help=drives)
    add("--gait", metavar="G", help="own, a gait of the library, or auto to choose by speed (own)")
    add("--scenario", metavar="S", help="a time line of commands: a built-in name or a file")
    add("--speed", metavar="M/S", type=number(-1e3, 1e3), help="forward (the machine's cruising speed)")
    add("--lateral", metavar="M/S", type=number(-1e3, 1e3), help="to the left (0)")
    add("--yaw-rate", metavar="DEG/S", type=number(-360, 360), help="turn to the left (0)")
    add("--seconds", metavar="S", type=number(0, LONGEST, above=True), help="how long (the scenario's length, or 20)")
    add("--rate", metavar="HZ", type=number(1, 10_000), help="frames a second (the machine's inner rate)")
    add("--agents", metavar="N", type=whole(1, 1_000_000), default=1, help="how many machines (1)")
    add("--jitter", metavar="F", type=number(0, 1, below=True), default=0.0, help="each frame's time varies by ± F (0)")
    add("--terrain-scale", metavar="F", type=number(0, 100, above=True), default=1.0, help="features' size (1)")
    add("--seed", metavar="N", type=whole(0, 2**63 - 1), default=0, help="of rocks, jitter, noise (0)")
    add(
        "--out",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help=f"{' '.join(SUFFIXES)}; may be repeated (bakes hold the first agent)",
    )
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
    from footfall.scenario import check_commands, load_scenario, prefer, scenario_ground, steady
    from footfall.stream import frame_times

    machine = load_machine(options.machine, None if options.drive == "joint" else options.drive)
    scenario = load_scenario(options.scenario) if options.scenario else steady(LASTS)
    if options.gait is not None:
        machine.gait_index(options.gait)
    turn = None if options.yaw_rate is None else math.radians(options.yaw_rate)
    scenario = prefer(scenario, lateral=options.lateral, yaw_rate=turn, gait=options.gait)
    check_commands(machine, scenario)
    terrain = scenario_ground(scenario, machine.leg_length, options.terrain, options.terrain_scale, options.seed)
    seconds = scenario.seconds if options.seconds is None else options.seconds
    rate = machine.file.inner_rate if options.rate is None else options.rate
    if options.drive == "joint":
        rate = joint_frames(machine, options)
    frames = 1 + len(frame_times(seconds, rate))
    if options.out or options.report:
        whole = any(path.suffix.lower() == ".npz" for path in options.out)
        check_room(machine, options.agents if whole else 1, frames)
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
    from footfall.metrics import Metrics, judge, state_hash

    machine, world = job.machine, job.terrain.world
    walking = start(job, options)
    metrics, files = Metrics(machine, world), Files(options, job)
    frame, asked = None, Asked()
    for frame in progress(walking, len(walking), f"{machine.name} on {job.terrain.name}"):
        metrics.add(frame, walking.command, files.add(frame))
        if walking.cost > 0.0:
            metrics.add_tick_time(walking.cost)
        asked.add(walking.command, frame.time)
    assert frame is not None
    numbers = metrics.result()
    limits = joint_limits() if options.drive == "joint" else limits_of(job, asked)
    verdicts = judge(numbers, limits)
    result = {
        "machine": machine.name,
        "terrain": job.terrain.name,
        "scenario": job.scenario.name,
        "seconds": job.seconds,
        "rate": job.rate,
        "agents": options.agents,
        "seed": options.seed,
        "metrics": numbers,
        "passed": all(verdict.ok for verdict in verdicts),
        "missed": [verdict.key for verdict in verdicts if not verdict.ok],
        "state_hash": state_hash(frame.state),
        "files": files.save(numbers, limits, metrics.peaks()),
    }
    if options.json:
        print_json(result)
    else:
        print_table(result, verdicts)
    return 0


def start(job: Job, options: Namespace) -> Run | JointRun:
    """The walk, before its first frame."""
    if options.drive == "joint":
        return walk_joints(job.machine, job.terrain, job.scenario, job.seconds, job.rate, options)
    from footfall.stream import run

    return run(
        job.machine, job.terrain, job.scenario, seconds=job.seconds, rate=job.rate, agents=options.agents,
        jitter=options.jitter, seed=options.seed, cruise=options.speed,
    )  # fmt: skip


class Asked:
    """What a walk has been asked for so far."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.time, self.moving = 0.0, 0.0
        self.ahead, self.back = False, False

    def add(self, command: Any, time: float) -> None:
        """Count a frame's command and its time [s]."""
        if any(command[name].any() for name in ("speed", "lateral", "yaw_rate")):
            self.moving += time - self.time
        self.ahead = self.ahead or bool((command["speed"] > 0.0).any())
        self.back = self.back or bool((command["speed"] < 0.0).any())
        self.time = time

    @property
    def lasts_one_way(self) -> bool:
        """Whether it was to move for long, ahead or back and never both."""
        return self.moving >= PACE_AFTER and self.ahead != self.back


def limits_of(job: Job, asked: Asked) -> dict[str, float]:
    """What the walk's numbers are held to."""
    from footfall.metrics import PACE_LIMITS, walk_limits

    gaits = job.machine.constants.gaits
    chosen = [0, *(job.machine.gait_index(event.gait) for event in job.scenario.events if event.gait is not None)]
    rows = range(len(gaits)) if -1 in chosen else chosen
    limits = walk_limits(max(int(gaits[row]["airborne_limit"]) for row in rows))
    if asked.moving < STEPS_AFTER:
        del limits["steps"]
    return limits | (PACE_LIMITS if asked.lasts_one_way else {})


class Files:
    """What a walk leaves behind: gathers frames for the files that were asked for, and writes them."""

    def __init__(self, options: Namespace, job: Job) -> None:
        self.job, self.paths, self.report = job, options.out, options.report
        self.agents, self.command_line = options.agents, options.command_line
        machine = job.machine
        suffixes = {path.suffix.lower() for path in self.paths}
        self.trace, self.bake = None, None
        self.whole = ".npz" in suffixes  # the page needs the first agent only
        if self.whole or self.report is not None:
            from footfall.trace import Trace

            self.trace = Trace(machine, job.terrain.world)
        if suffixes - {".npz"}:
            from footfall.bake import Bake

            self.bake = Bake(machine)
        self.low, self.high = [math.inf, math.inf], [-math.inf, -math.inf]

    def add(self, frame: Frame) -> Any:
        """Keep what is needed of a frame; return how far its soles are over the ground where that is known."""
        if self.bake is not None:
            self.bake.add(frame)
            for axis, value in enumerate(frame.body["root_position"][0, :2].tolist()):
                self.low[axis], self.high[axis] = min(self.low[axis], value), max(self.high[axis], value)
        if self.trace is None:
            return None
        from footfall.stream import first_agent

        self.trace.add(frame if self.whole else first_agent(frame))
        return self.trace.last_gaps if self.whole or self.agents == 1 else None

    def ground(self) -> Any:
        """Triangles of the ground around the first agent's way."""
        size = self.job.machine.leg_length
        spans = []
        for low, high in zip(self.low, self.high, strict=True):
            middle, half = 0.5 * (low + high), 0.5 * (high - low) + GROUND_MARGIN * size
            spans += [middle - min(half, GROUND_MOST * size), middle + min(half, GROUND_MOST * size)]
        return self.job.terrain.patch(*spans)

    def save(self, numbers: Any, limits: Any, peaks: Any) -> list[str]:
        """Write all files, each whole or not at all; return their paths."""
        if any(path.suffix.lower() == ".glb" for path in self.paths) and self.bake is not None:
            self.bake.terrain_patch = self.ground()
        for path in self.paths:
            writer = self.trace if path.suffix.lower() == ".npz" else self.bake
            assert writer is not None
            writer.save(path)
        if self.report is None or self.trace is None:
            return [str(path) for path in self.paths]
        from footfall.report import write_report

        machine, terrain = self.job.machine, self.job.terrain
        write_report(
            self.report, title=f"{machine.file.title} on {terrain.name}", trace=self.trace.arrays(), metrics=numbers,
            limits=limits, peaks=peaks, leg_length=machine.leg_length, world=terrain.world, command=self.command_line,
            machine={
                "machine": machine.name, "legs": len(machine.rig.legs), "leg length": f"{machine.leg_length:.3g} m",
                "terrain": terrain.name, "scenario": self.job.scenario.name, "time": f"{self.job.seconds:g} s",
                "frames": f"{self.job.rate:g} Hz",
            },
        )  # fmt: skip
        return [str(path) for path in (*self.paths, self.report)]


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
            if monotonic() - shown > BAR_ROOM:
                shown = monotonic()
                bar.update(task, completed=done, refresh=True)

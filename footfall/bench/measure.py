"""Rounds of ticks, ours and the C program's by turns, from the same state and with the same commands."""

from __future__ import annotations

import gc
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter, perf_counter_ns, thread_time_ns
from typing import Any

import numpy as np

from footfall.bench.c_program import write_program
from footfall.bench.c_types import TranslationError
from footfall.bench.compiled import CompileError, bind, build, build_line, compiler
from footfall.buffers import Buffers, make_buffers
from footfall.machine import Machine, load_machine, machine_names
from footfall.records import Records
from footfall.seat import initial_state
from footfall.state import State
from footfall.stream import place_agents
from footfall.tick import copy_state, idle_command, no_hands, step, tick_agents, tick_fused
from footfall.world.surfaces import World
from footfall.world.terrain import make_terrain

SIZES = (1, 256, 4096, 65536)
SEATED = 4096  # so many agents are seated and walked in; a larger crowd is copies of them
WALK_IN = 2.0  # [s] of walking before the clock runs
ROUND = 0.01  # a round lasts at least this long [s]
ROOM = 6e9  # memory of one crowd, both copies [bytes]
SHARE = 1.0  # of a frame, over at the end of a tick

Arguments = tuple[Any, ...]


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    machine: str
    terrain: str
    agents: int
    ns_per_leg: float
    """Cost of a tick for one leg, the call from Python included [ns]."""
    c_scalar_ns_per_leg: float | None
    """The same of the C program [ns]."""
    max_difference: float | None
    """Largest difference of any joint, sole or trunk after all ticks [m]."""

    @property
    def ratio(self) -> float | None:
        """Our time over the C program's."""
        return None if self.c_scalar_ns_per_leg is None else self.ns_per_leg / self.c_scalar_ns_per_leg


def tick_arguments(machine: Machine, world: World, buffers: Buffers, command: Records, hands: Records) -> Arguments:
    """What the fused loop takes for a whole tick."""
    return (machine.constants, world, *buffers, command, hands, SHARE, machine.inner_step, True)


def example_arguments() -> Arguments:
    """Arguments of the types that every call has."""
    machine = load_machine(machine_names()[0])
    world = make_terrain("flat", machine.leg_length).world
    state = initial_state(machine, world)
    legs = len(machine.rig.legs)
    return tick_arguments(machine, world, make_buffers(machine, state), idle_command(1), no_hands(1, legs))


def write_c() -> str:
    """The C program.

    Raises:
        TranslationError: a kernel uses what the translator does not know.
    """
    return write_program(tick_agents, example_arguments(), build_line())[0]


def build_c() -> tuple[Any, str | None]:
    """The C program's function, and why there is none."""
    if compiler() is None:
        return None, "there is no gcc: the C program's columns are empty"
    try:
        return build(write_c(), tick_agents.py_func.__name__), None
    except (TranslationError, CompileError) as error:
        return None, f"the C program's columns are empty: {error}"


def walked_in(machine: Machine, world: World, places: Any, seed: int = 0) -> tuple[State, Records]:
    """Agents that walk at their cruising speed, each in its own phase, and their command."""
    state = initial_state(machine, world, places)
    agents, legs = state.legs.shape
    state.body["phase"] = np.random.default_rng(seed).uniform(size=agents)
    command = idle_command(agents)
    command["speed"] = machine.file.cruise_speed
    buffers = filled(machine, state)
    for _ in range(round(WALK_IN * machine.file.inner_rate)):
        tick_fused(machine, world, buffers, command, no_hands(agents, legs), SHARE, machine.inner_step, True)
    return buffers.state, command


def filled(machine: Machine, state: State) -> Buffers:
    """Buffers with a copy of a state."""
    buffers = make_buffers(machine, state)
    copy_state(buffers.state, state)
    return buffers


def crowd_of(state: State, command: Records, agents: int) -> tuple[State, Records]:
    """The first agents of a state, or copies of all of them one after the other."""
    order = np.arange(agents) % state.body.shape[0]
    return State._make(np.ascontiguousarray(array[order]) for array in state), command[order]


def bytes_of(machine: Machine, state: State) -> int:
    """Memory of one agent of a state and its buffers [bytes]."""
    one = State._make(array[:1] for array in state)
    buffers = make_buffers(machine, one)
    arrays = [*buffers.state, buffers.motion, *buffers.plan, *buffers.actual, *buffers.joints]
    return sum(array.nbytes for array in arrays)


def largest_difference(ours: Buffers, theirs: Buffers) -> float:
    """Largest difference of any joint, sole or trunk [m]."""
    pairs = (
        (ours.joints.position, theirs.joints.position),
        (ours.actual.feet["sole"], theirs.actual.feet["sole"]),
        (ours.actual.trunks["position"], theirs.actual.trunks["position"]),
    )
    return max(float(np.abs(a - b).max()) for a, b in pairs)


def faster_half(times: Sequence[float]) -> float:
    """Mean of the faster half: what else runs on the machine only ever adds time."""
    kept = sorted(times)[: (len(times) + 1) // 2]
    return statistics.fmean(kept)


def take_turns(calls: Sequence[Callable[[], None]], ticks: int, seconds: float) -> list[list[float]]:
    """Time of one tick of each call [ns], round by round: the calls take turns, and take turns at being first."""
    times: list[list[float]] = [[] for _ in calls]
    collecting = gc.isenabled()
    gc.disable()
    try:
        until = perf_counter() + seconds
        number = 0
        while number < 4 or perf_counter() < until:
            order = range(len(calls)) if number % 2 == 0 else reversed(range(len(calls)))
            for which in order:
                call = calls[which]
                began = thread_time_ns()
                for _ in range(ticks):
                    call()
                times[which].append((thread_time_ns() - began) / ticks)
            number += 1
    finally:
        if collecting:
            gc.enable()
    return times


def measure_row(
    machine: Machine, terrain: str, world: World, state: State, command: Records, program: Any, seconds: float
) -> Row:
    """One row: the same crowd twice, ticked by our kernels and by the C program."""
    agents, legs = state.legs.shape
    ours = filled(machine, state)
    hands = no_hands(agents, legs)

    def tick() -> None:
        tick_fused(machine, world, ours, command, hands, SHARE, machine.inner_step, True)

    calls = [tick]
    theirs = None
    if program is not None:
        theirs = filled(machine, state)
        calls.append(bind(program, tick_arguments(machine, world, theirs, command, hands)))
    began = perf_counter()
    for call in calls:
        call()
    ticks = max(1, round(ROUND * len(calls) / max(perf_counter() - began, 1e-9)))
    times = take_turns(calls, min(ticks, 2000), seconds)
    return Row(
        machine.name, terrain, agents, faster_half(times[0]) / legs / agents,
        None if theirs is None else faster_half(times[1]) / legs / agents,
        None if theirs is None else largest_difference(ours, theirs),
    )  # fmt: skip


def measure_machine(
    machine: Machine, terrain: str, sizes: Sequence[int], program: Any, seconds: float, note: Callable[[str], None]
) -> list[Row]:
    """Rows of one machine on one terrain, by number of agents."""
    ground = make_terrain(terrain, machine.leg_length)
    places = place_agents(machine, ground, min(max(sizes), SEATED))
    state, command = walked_in(machine, ground.world, places)
    rows = []
    for agents in sizes:
        needed = bytes_of(machine, state) * agents * (3 if program is not None else 2)
        if needed > ROOM:
            note(f"{machine.name} x {agents} is left out: it needs {needed / 1e9:.1f} GB")
            continue
        note(f"{machine.name} on {terrain}, {agents:,} agents")
        crowd, asked = crowd_of(state, command, agents)
        rows.append(measure_row(machine, terrain, ground.world, crowd, asked, program, seconds))
    return rows


def measure_step(machine: Machine, world: World, seconds: float) -> float:
    """Cost of one public ``step`` of one agent by one inner step, as the README calls it, without buffers [µs]: the
    median of the faster half of many.
    """
    state = initial_state(machine, world)
    command = idle_command(1)
    command["speed"] = machine.file.cruise_speed
    times: list[int] = []
    until = perf_counter() + seconds
    while len(times) < 200 or perf_counter() < until:
        began = perf_counter_ns()
        frame = step(machine, state, command, world, machine.inner_step)
        times.append(perf_counter_ns() - began)
        state = frame.state
    return statistics.median(sorted(times)[: (len(times) + 1) // 2]) * 1e-3

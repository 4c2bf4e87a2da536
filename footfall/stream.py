"""A run: a machine on its ground, a time line of commands, and the stream of frames that comes of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from time import perf_counter

import numpy as np
from numpy.typing import ArrayLike

from footfall.buffers import Buffers, make_buffers
from footfall.errors import FootfallError
from footfall.frames import arrays
from footfall.machine import Machine
from footfall.records import Records
from footfall.route import Course, follow, lay_course, start_progress
from footfall.scenario import Scenario, check_commands, command_at
from footfall.seat import initial_state
from footfall.state import Actual, Array, Frame, Joints, Plan, State
from footfall.tick import STALL_LIMIT, show, step
from footfall.world.terrain import Terrain

FRESH_LEGS = 256  # with up to this many legs in all, every frame has arrays of its own
SPACING = 3.0  # between neighbouring agents, in lengths of the machine


class Run(Iterator[Frame]):
    """The frames of a walk, one by one; the first is time 0, at rest.

    With many agents a frame's arrays are used again: it is valid until the frame after the next is taken.
    """

    def __init__(
        self, machine: Machine, terrain: Terrain, scenario: Scenario, lengths: Array, places: Array,
        headings: ArrayLike = 0.0, cruise: float | None = None,
    ) -> None:  # fmt: skip
        """See ``run``; ``lengths [frames]`` are the times between frames [s], ``places [agents, 3]`` the starts."""
        self.machine, self.terrain, self.scenario, self.cruise = machine, terrain, scenario, cruise
        self.agents = len(places)
        self.lengths: list[float] = lengths.tolist()
        self.command = command_at(machine, scenario, 0.0, self.agents, cruise)
        """``COMMAND [agents]`` that led to the last frame; written over by the next one."""
        self.cost = 0.0
        """Time that the last frame took for each of its inner ticks, compiling left out [s]; 0 for the first frame."""
        gait = max(int(self.command["gait"][0]), 0)
        self._state = initial_state(machine, terrain.world, places, headings, gait=gait)
        self._frames = self._walk()

    def __len__(self) -> int:
        """Frames of the whole walk."""
        return 1 + len(self.lengths)

    def __next__(self) -> Frame:
        """The next frame."""
        return next(self._frames)

    def _walk(self) -> Iterator[Frame]:
        machine, world, state = self.machine, self.terrain.world, self._state
        route = self.scenario.route
        guide = Guide(machine, lay_course(route, machine), state) if route is not None else None
        rooms: list[tuple[Buffers, Buffers]] = []
        if state.legs.size > FRESH_LEGS:
            rooms = [(make_buffers(machine, state), make_buffers(machine, state)) for _ in range(2)]
        frame = show(machine, state, self.command, world)
        yield frame
        # compile, and touch the memory, before the clock runs
        for buffers in rooms or [(make_buffers(machine, state), make_buffers(machine, state))]:
            step(machine, state, self.command, world, self.lengths[0], buffers=buffers)
        for number, dt in enumerate(self.lengths):
            command_at(machine, self.scenario, frame.time, self.agents, self.cruise, self.command)
            if guide is not None:
                guide.steer(frame.state, self.command)
            before = int(frame.state.body["tick"][0])
            began = perf_counter()
            frame = step(machine, frame.state, self.command, world, dt, buffers=rooms[number % 2] if rooms else None)
            took = perf_counter() - began
            self.cost = took / max(int(frame.state.body["tick"][0]) - before, 1)
            yield frame


def run(
    machine: Machine, terrain: Terrain, scenario: Scenario, *, seconds: float | None = None, rate: float | None = None,
    agents: int = 1, jitter: float = 0.0, seed: int = 0, cruise: float | None = None,
    positions: ArrayLike | None = None, headings: ArrayLike | None = None,
) -> Run:  # fmt: skip
    """Walk, frame by frame.

    Args:
        machine: what walks.
        terrain: what it walks on.
        scenario: what is asked of it.
        seconds: how long [s]; as long as the scenario by default. The last frame is at this time or just after.
        rate: frames a second [Hz], no fewer than one in the machine's shortest swing; its inner rate by default.
        agents: how many, on a grid around the start of the terrain; the first one stands on the start itself.
        jitter: each frame's time varies by up to this share of it, evenly.
        seed: of the jitter.
        cruise: speed that a scenario's share of 1 stands for [m/s]; the machine's cruising speed by default.
        positions: ``[agents, 3]`` where they start instead [m]; they are put on the ground.
        headings: one angle or ``[agents]`` of them [rad]; the terrain's own by default.

    Returns:
        An iterator of frames, with the command and the cost of the last one.

    Raises:
        FootfallError: a figure is out of its range, or the machine cannot do what the scenario asks for.
    """
    rate = machine.file.inner_rate if rate is None else rate
    seconds = scenario.seconds if seconds is None else seconds
    if not 0.0 <= jitter < 1.0:
        raise FootfallError(f"jitter is {jitter:g}; allowed: 0 to less than 1")
    check_rate(machine, rate, jitter)
    if not 0.0 < seconds < math.inf:
        raise FootfallError(f"seconds is {seconds:g}; allowed: more than 0")
    if agents < 1:
        raise FootfallError(f"agents is {agents}; allowed: 1 or more")
    check_commands(machine, scenario)
    if machine.forced:
        check_whole_ticks(machine, rate, jitter)
    places = place_agents(machine, terrain, agents) if positions is None else np.asarray(positions, dtype=np.float64)
    turned = terrain.start[2] if headings is None else headings
    return Run(machine, terrain, scenario, frame_times(seconds, rate, jitter, seed), places, turned, cruise)


def check_rate(machine: Machine, rate: float, jitter: float) -> None:
    """Refuse a rate at which a foot could land twice in one frame: what happened in it could not be told."""
    shortest = float(machine.constants.gaits["swing_time_min"].min())
    longest = min(STALL_LIMIT, shortest)
    if not (rate > 0.0 and (1.0 + jitter) / rate <= longest * (1.0 + 1e-9)):
        why = "the shortest swing" if longest == shortest else "the longest step"
        least = (1.0 + jitter) / longest
        raise FootfallError(f"rate is {rate:g} Hz; allowed: from {least:g}, so that no frame is longer than {why}")


def check_whole_ticks(machine: Machine, rate: float, jitter: float) -> None:
    """Refuse frames that are no whole number of ticks: physics has no part of one.

    Raises:
        FootfallError: naming the rates that are allowed.
    """
    ticks = machine.file.inner_rate / rate
    if jitter > 0.0 or round(ticks) < 1 or abs(ticks - round(ticks)) > 1e-9:
        raise FootfallError(
            f"rate is {rate:g} Hz, jitter {jitter:g}; allowed for a force drive: {machine.file.inner_rate:g} Hz,"
            " or that divided by a whole number, without jitter"
        )


def frame_times(seconds: float, rate: float, jitter: float = 0.0, seed: int = 0) -> Array:
    """Length of every frame of a run ``[frames]`` [s]."""
    count = math.ceil(seconds * rate - 1e-6)
    lengths = np.full(max(count, 1), 1.0 / rate)
    if jitter > 0.0:
        lengths *= 1.0 + jitter * np.random.default_rng(seed).uniform(-1.0, 1.0, len(lengths))
    return lengths


def machine_length(machine: Machine) -> float:
    """Way across all resting feet, over the root [m]."""
    return 2.0 * float(machine.constants.machine[0]["rest_radius"])


def place_agents(machine: Machine, terrain: Terrain, agents: int) -> Array:
    """Where agents start, ``[agents, 3]`` [m]: a square grid, from the terrain's start outward.

    Where the ground ends the grid goes on at its other side, and some agents share a place; they do not meet.
    """
    side = math.ceil(math.sqrt(agents))
    side += 1 - side % 2  # odd, so that one place is in the middle
    steps = np.arange(side) - side // 2
    ahead, left = (axis.ravel() for axis in np.meshgrid(steps, steps, indexing="ij"))
    order = np.lexsort((left, ahead, np.maximum(np.abs(ahead), np.abs(left))))[:agents]
    offsets = np.stack([ahead[order], left[order]], axis=-1) * (SPACING * machine_length(machine))
    places = np.zeros((agents, 3))
    places[:, :2] = np.asarray(terrain.start)[:2] + offsets
    margin = 2.0 * machine_length(machine)
    for axis, (low, high) in enumerate((terrain.extent[:2], terrain.extent[2:])):
        if math.isfinite(high - low):
            room = max(high - low - 2.0 * margin, 1e-9)
            place = places[1:, axis] - low - margin
            places[1:, axis] = np.where((place < 0.0) | (place > room), np.mod(place, room), place) + low + margin
    return places


def first_agent(frame: Frame) -> Frame:
    """The frame of the first agent alone, as views."""
    parts = (part[:1] if isinstance(part, np.ndarray) else _first(part) for part in frame[1:])
    return Frame(frame.time, *parts)  # type: ignore[arg-type]


def _first(part: State | Plan | Actual | Joints) -> State | Plan | Actual | Joints:
    return type(part)(*(array[:1] for array in part))  # type: ignore[arg-type]


class Guide:
    """Steers agents along a scenario's route: one frame's poses in, the command's speed and rate of turn out."""

    def __init__(self, machine: Machine, course: Course, state: State) -> None:
        self.machine = machine
        self.course = course
        self.origin = state.body["root_position"].copy()
        self.bearing = state.body["root_rotation"].copy()
        self.progress = start_progress(len(self.origin))

    def steer(self, state: State, command: Records) -> None:
        """Write the command; the speed in it is the fastest. The route lies in the plane of each agent's first pose."""
        local = arrays.unrotate(self.bearing, state.body["root_position"] - self.origin)[:, :2]
        turned = arrays.multiply(arrays.conjugate(self.bearing), state.body["root_rotation"])
        headings = arrays.yaw(turned)
        speed = float(command["speed"][0])
        steering = follow(self.course, self.machine, local, headings, speed, self.progress)
        self.progress = steering.progress
        if speed > 0.0:
            command["speed"] = steering.speed
            command["yaw_rate"] = steering.yaw_rate

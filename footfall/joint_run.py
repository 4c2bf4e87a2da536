"""A run of the joint drive: a machine's articulated model, a script of joint angles, and the stream of frames."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import numpy as np

from footfall.drives.joint import JointFrames, PhaseController, Simulation, draw_start_noise, joint_phases
from footfall.errors import FootfallError
from footfall.machine import Machine
from footfall.scenario import Scenario, command_at
from footfall.seat import initial_state
from footfall.state import Array, Frame
from footfall.stream import place_agents
from footfall.world.terrain import Terrain

FRAMES = 5  # frames for each command of the motors, where no rate is asked for
HINGES = 3  # hip, knee, ankle


class JointRun(Iterator[Frame]):
    """The frames of a run, one by one; the first is time 0, in the air."""

    def __init__(
        self, machine: Machine, terrain: Terrain, scenario: Scenario, frames: int, stride: int, places: Array,
        seed: int | None,
    ) -> None:  # fmt: skip
        """See ``run_joints``; ``frames`` of ``stride`` physics steps each follow on the first."""
        articulation = machine.file.articulation
        assert articulation is not None
        controller = scenario.joint or PhaseController()
        phases = joint_phases(machine.rig, controller)
        self.count, self.stride, self.timestep = frames, stride, articulation.timestep
        self.command = command_at(machine, scenario, 0.0, len(places))
        """``COMMAND [agents]``: nothing is asked of the script, which has its own pace."""
        self.command["speed"] = 0.0
        self.cost = 0.0
        """Time that the last frame took for each of its physics steps [s]; 0 for the first frame."""
        self.simulations = []
        for agent, place in enumerate(places):
            simulation = Simulation(machine.rig, articulation, controller, phases, machine.name)
            generator = None if seed is None else np.random.default_rng(seed + agent)
            noise = None if generator is None else draw_start_noise(generator, simulation.model.nu)
            simulation.start(place, terrain.start[2], noise)
            self.simulations.append(simulation)
        margin = 2.0 * articulation.margin  # the foot's and the floor's
        self._maker = JointFrames(
            machine.rig, margin, float(places[0, 2]), controller.frequency, controller.duty_factor
        )
        self._state = initial_state(machine, terrain.world, places, terrain.start[2])
        self._state.legs["swinging"] = 1
        self._frames = self._walk()

    def __len__(self) -> int:
        """Frames of the whole run."""
        return 1 + self.count

    def __next__(self) -> Frame:
        """The next frame."""
        return next(self._frames)

    def _walk(self) -> Iterator[Frame]:
        frame = self._frame(0)
        yield frame
        for number in range(1, self.count + 1):
            began = perf_counter()
            for simulation in self.simulations:
                simulation.advance(self.stride)
            frame = self._frame(number)
            self.cost = (perf_counter() - began) / self.stride
            yield frame

    def _frame(self, number: int) -> Frame:
        measured = [simulation.measure() for simulation in self.simulations]
        saved = [simulation.save() for simulation in self.simulations]
        step = self.stride * self.timestep
        frame = self._maker.make(self._state, measured, saved, number * step, step if number else 0.0)
        frame.body["tick"] = number * self.stride
        self._state = frame.state
        return frame


def joint_rate(machine: Machine) -> float:
    """Frames a second of the joint drive where no rate is asked for [Hz]."""
    check_articulated(machine)
    assert machine.file.articulation is not None
    return FRAMES / machine.file.articulation.control_interval


def check_articulated(machine: Machine) -> None:
    """Refuse a machine that has no joints to drive.

    Raises:
        FootfallError: naming the machine and what it lacks.
    """
    if machine.file.articulation is None:
        raise FootfallError(f"{machine.name} has no articulation: the joint drive walks machines with that section")
    bones = {len(leg.segments) for leg in machine.rig.legs}
    if bones != {HINGES}:
        raise FootfallError(
            f"{machine.name} has legs of {max(bones)} hinges; the joint drive takes hip, knee and ankle"
        )


def run_joints(
    machine: Machine, terrain: Terrain, scenario: Scenario, *, seconds: float | None = None, rate: float | None = None,
    agents: int = 1, seed: int | None = None,
) -> JointRun:  # fmt: skip
    """Walk by the joints, frame by frame.

    Args:
        machine: has an articulation; its legs have hip, knee and ankle.
        terrain: level ground.
        scenario: its ``joint`` section is the script; the controller's defaults where it has none.
        seconds: how long [s]; as long as the scenario by default.
        rate: frames a second [Hz], that the physics steps divide; five frames for each command by default.
        agents: how many, on a grid around the start of the terrain.
        seed: of noise on the start; agent i takes the seed i higher. Without one a run starts without noise.

    Raises:
        FootfallError: MuJoCo is not installed, the machine has no articulation, the ground is not level, or a figure
            is out of its range.
    """
    check_articulated(machine)
    assert machine.file.articulation is not None
    if terrain.name != "flat":
        raise FootfallError(f"terrain is '{terrain.name}'; the joint drive walks on: flat")
    timestep = machine.file.articulation.timestep
    rate = joint_rate(machine) if rate is None else rate
    stride = round(1.0 / (rate * timestep)) if rate > 0.0 else 0
    if stride < 1 or abs(stride * rate * timestep - 1.0) > 1e-9:
        raise FootfallError(f"rate is {rate:g} Hz; allowed: {1.0 / timestep:g} Hz or a whole part of it")
    seconds = scenario.seconds if seconds is None else seconds
    if not 0.0 < seconds < float("inf"):
        raise FootfallError(f"seconds is {seconds:g}; allowed: more than 0")
    frames = max(int(np.ceil(seconds * rate - 1e-6)), 1)
    return JointRun(machine, terrain, scenario, frames, stride, place_agents(machine, terrain, agents), seed)

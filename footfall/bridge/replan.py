"""The body's path and the pace of a recording, slowed to what another machine can do, and walked by its own planner.

One factor slows both, so that the way of the body in one cycle stays: at the recording's fastest sample the target goes
just as fast as it may. Feet are not taken from the recording: stance feet stand on anchors in the world, and swings are
planned anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from footfall.bridge.mapping import Mapping
from footfall.bridge.recorded import Recorded, sampled
from footfall.errors import FootfallError
from footfall.gait.settings import Clock
from footfall.machine import Machine, build_machine
from footfall.machine.file import DriveName
from footfall.seat import initial_state
from footfall.state import Array, Frame
from footfall.tick import idle_command, show, step
from footfall.world.surfaces import World


class Replan(NamedTuple):
    """A path and a pace for the target."""

    slowdown: float
    """Time of the target over time of the recording."""
    cycle: float
    """Time of one cycle of the gait [s]."""
    time: Array
    """``[samples]`` [s]"""
    path: Array
    """``[samples, 2]`` the body's x and y, world [m]; the body goes straight from one sample to the next."""

    @property
    def speeds(self) -> Array:
        """``[samples - 1]`` speed between two samples [m/s]."""
        return np.asarray(np.linalg.norm(np.diff(self.path, axis=0), axis=1) / np.diff(self.time))


def replan(recorded: Recorded, mapping: Mapping, speed_limit: float, start: float = 0.0) -> Replan:
    """Slow a recording down for the target.

    Args:
        recorded: of the source. The speed is taken between its samples: sample it at the rate of the source's control.
        mapping: from the source to the target.
        speed_limit: greatest speed of the target's body over the ground [m/s].
        start: the path begins this long after the recording does [s]; the whole recording is looked at for the speed.

    Raises:
        FootfallError: the recording goes through no cycle, or does not last until ``start``.
    """
    path = mapping.points(recorded.body)[:, :2]
    fastest = float(np.linalg.norm(np.diff(path, axis=0), axis=1).max()) / recorded.interval
    cycles = float(recorded.phase[-1] - recorded.phase[0])
    if cycles <= 0.0:
        raise FootfallError("the recording's gait does not go through any cycle")
    slowdown = max(fastest / speed_limit, 1.0)
    kept = recorded.time >= start - 1e-9
    if kept.sum() < 2:
        raise FootfallError(f"start is {start:g} s; the recording lasts {recorded.time[-1]:g} s")
    cycle = slowdown * float(recorded.time[-1] - recorded.time[0]) / cycles
    time = recorded.time[kept]
    return Replan(slowdown, cycle, slowdown * (time - time[0]), path[kept] - path[kept][0])


def paced(machine: Machine, cycle: float, duty_factor: float) -> Machine:
    """The machine under the kinematic drive, with a gait of one cadence."""
    gait = replace(
        machine.file.gait, clock=Clock.time, duty_factor=duty_factor, swing_time=0.0, cadence_min=1.0 / cycle,
        cadence_max=1.0 / cycle, swing_time_max=max(machine.file.gait.swing_time_max, (1.0 - duty_factor) * cycle),
    )  # fmt: skip
    return build_machine(replace(machine.file, gait=gait, drive=DriveName.kinematic))


def replay(
    machine: Machine, world: World, planned: Replan, *, duty_factor: float, seconds: float = 20.0, rate: float = 30.0
) -> Iterator[Frame]:
    """Walk a plan: the body's path is given as a host's root, and the machine's own planner moves its feet.

    Args:
        machine: the target.
        world: what it walks on; the path begins at the world's origin.
        planned: path and pace.
        duty_factor: of the gait.
        seconds: how long [s].
        rate: frames a second [Hz].

    Raises:
        FootfallError: the plan is shorter than that.
    """
    if planned.time[-1] < seconds - 1e-9:
        raise FootfallError(f"seconds is {seconds:g}; the plan lasts {planned.time[-1]:.3g} s")
    machine = paced(machine, planned.cycle, duty_factor)
    state = initial_state(machine, world, [(0.0, 0.0, 0.0)], hosted=True)
    command = idle_command(1)
    command["hosted"] = 1
    command["root_position"] = state.body["root_position"]
    frame = show(machine, state, command, world)
    yield frame
    for number in range(1, round(seconds * rate) + 1):
        command["root_position"][0, :2] = sampled(np.array([number / rate]), planned.time, planned.path)[0]
        frame = step(machine, frame.state, command, world, 1.0 / rate)
        yield frame

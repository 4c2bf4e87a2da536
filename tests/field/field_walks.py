"""Walks to measure: frames of a run as plain arrays, and what can be told from them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import footfall as ff
from footfall.machine import Machine, build_machine, check_machine
from footfall.state import State
from footfall.world import Mesh, World

Array = np.ndarray


class Walk(NamedTuple):
    """Frames of a run, ``[frames, agents, ...]``."""

    time: Array
    root: Array
    rotation: Array
    trunk: Array
    sole: Array  # forward kinematics, world
    goal: Array  # where the sole should be
    swinging: Array
    steps: Array
    touchdowns: Array
    joints: Array
    body: Array  # BODY
    legs: Array  # LEG
    motion: Array
    state: State


def soles(machine: Machine, frame: ff.Frame) -> Array:
    """``[agents, legs, 3]`` last joints of the solved legs."""
    table = machine.rig.leg_table
    return frame.joints.position[:, table["first_joint"] + table["bones"]]


def changed(machine: Machine, **changes: dict) -> Machine:
    """The machine with some values of its sections replaced, checked as a file is."""
    sections = {
        name: dataclasses.replace(getattr(machine.file, name), **values) if isinstance(values, dict) else values
        for name, values in changes.items()
    }
    file = dataclasses.replace(machine.file, **sections)
    assert list(check_machine(file)) == []
    return build_machine(file)


def commands(machine: Machine, agents: int = 1, **values: object) -> np.ndarray:
    """``COMMAND [agents]`` with these fields."""
    command = ff.idle_command(agents)
    for name, value in values.items():
        command[name] = value
    return command


def walk(
    machine: Machine, world: World, asked: np.ndarray | Callable[[float, np.ndarray, State], None], lengths: Array,
    state: State | None = None, hands: np.ndarray | None = None, before: Callable[[float], None] | None = None,
    host: object = None,
) -> Walk:  # fmt: skip
    """Walk for frames of these lengths [s].

    ``asked`` is a command, or a callable that writes what is asked for at the end of each frame into one.
    """
    state = ff.initial_state(machine, world, host=host) if state is None else state
    agents = len(state.body)
    command = asked if isinstance(asked, np.ndarray) else ff.idle_command(agents)
    kept = []
    time = float(state.body["tick"][0]) * machine.inner_step + float(state.body["remainder"][0])
    for dt in lengths:
        time += dt
        if before is not None:
            before(time)
        if not isinstance(asked, np.ndarray):
            asked(time, command, state)
        frame = ff.step(machine, state, command, world, dt, hands=hands, host=host)
        state = frame.state
        kept.append((
            frame.time, frame.motion["root_position"], frame.motion["root_rotation"], frame.actual.trunks.copy(),
            soles(machine, frame), frame.actual.feet["sole"], frame.legs["swinging"] != 0, frame.legs["steps"],
            frame.legs["touchdowns"], frame.joints.position, frame.body.copy(), frame.legs.copy(), frame.motion.copy(),
        ))  # fmt: skip
    return Walk(*(np.array(column) for column in zip(*kept, strict=True)), state)


def frames_at(rate: float, seconds: float) -> Array:
    """Lengths of frames [s]."""
    return np.full(round(rate * seconds), 1.0 / rate)


def stance_drift(walked: Walk, soles_there: Array | None = None) -> float:
    """Greatest distance of a planted sole from where its stance began [m]."""
    at = walked.sole if soles_there is None else soles_there
    worst = 0.0
    for agent in range(at.shape[1]):
        for leg in range(at.shape[2]):
            planted = ~walked.swinging[:, agent, leg]
            stance = walked.touchdowns[:, agent, leg] * 2 + 1
            for number in np.unique(stance[planted]):
                rows = planted & (stance == number)
                places = at[rows, agent, leg]
                worst = max(worst, float(np.linalg.norm(places - places[0], axis=-1).max()))
    return worst


def rest_places(machine: Machine) -> Array:
    """``[legs, 2]`` where the feet rest in the root's frame [m]."""
    table = machine.rig.leg_table
    rests = table["rest"][:, :2].copy()
    rests[:, 0] += machine.rig.trunk_offsets[table["trunk"]]
    return rests


def box_mesh(*boxes: tuple[tuple[float, float, float], tuple[float, float, float]]) -> Mesh:
    """Closed boxes as triangles, anticlockwise seen from outside."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    faces = np.array([
        (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
        (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
    ])  # fmt: skip
    vertices = [np.array(low) + corners * (np.array(high) - np.array(low)) for low, high in boxes]
    triangles = [faces + 8 * n for n in range(len(boxes))]
    return Mesh(np.concatenate(vertices), np.concatenate(triangles))

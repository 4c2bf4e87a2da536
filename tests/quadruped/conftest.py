"""Walks of the four-legged machine that many tests of this folder look at."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from footfall.machine import load_machine
from footfall.seat import initial_state
from footfall.tick import idle_command, step
from footfall.world import flat_world


def walk(machine, seconds, asked, world=None, rate=60.0):
    """Frames of one agent as arrays; ``asked(time, command)`` fills the command of each frame."""
    world = flat_world() if world is None else world
    state, command = initial_state(machine, world), idle_command(1)
    kept = {key: [] for key in ("time", "body", "legs", "feet", "trunk", "motion", "head", "joints")}
    frames = []
    for number in range(round(seconds * rate)):
        asked(number / rate, command)
        frame = step(machine, state, command, world, 1.0 / rate)
        state = frame.state
        frames.append(frame)
        for key, value in (
            ("time", frame.time), ("body", frame.body[0]), ("legs", frame.legs[0]), ("feet", frame.actual.feet[0]),
            ("trunk", frame.actual.trunks[0, 0]), ("motion", frame.motion[0]), ("head", frame.head[0]),
            ("joints", frame.joints.position[0]),
        ):  # fmt: skip
            kept[key].append(value.copy() if hasattr(value, "copy") else value)
    return SimpleNamespace(machine=machine, frames=frames, **{key: np.array(value) for key, value in kept.items()})


def at_speed(speed, yaw_rate=0.0):
    """Ask for one speed [m/s] and yaw rate [rad/s] all the time."""

    def asked(time, command):
        command["speed"], command["yaw_rate"] = speed, yaw_rate

    return asked


@pytest.fixture(scope="session")
def quadruped():
    return load_machine("quadruped")


@pytest.fixture(scope="session")
def steady(quadruped):
    """A straight walk at cruising speed."""
    return walk(quadruped, 24.0, at_speed(1.0))


@pytest.fixture(scope="session")
def stopped(quadruped):
    """Walks for 8 s, then is asked to stand."""
    return walk(quadruped, 30.0, lambda time, command: command.__setitem__("speed", 1.0 if time < 8.0 else 0.0))


@pytest.fixture(scope="session")
def kneeling(quadruped):
    """Walks, stops, kneels from 12 s to 22 s, stands up and walks on."""

    def asked(time, command):
        command["speed"] = 1.0 if time < 4.0 or time > 27.0 else 0.0
        command["kneel"] = 1.0 if 12.0 <= time < 22.0 else 0.0

    return walk(quadruped, 34.0, asked)

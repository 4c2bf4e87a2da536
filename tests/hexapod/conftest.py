"""Walks of the giant that many tests look at, each walked once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import footfall as ff
from footfall.machine import Machine
from footfall.scenario import scenario_ground


class Walk(NamedTuple):
    """A force-driven walk: its trace's arrays, and where it ended."""

    machine: Machine
    trace: dict[str, np.ndarray]
    frame: ff.Frame


def walk(name, scenario, seconds=None):
    """Walk a machine under the force drive and trace it."""
    machine = ff.load_machine(name, drive="force")
    terrain = scenario_ground(scenario, machine.leg_length)
    trace = ff.Trace(machine, terrain.world)
    frame = None
    for frame in ff.run(machine, terrain, scenario, seconds=seconds):
        trace.add(frame)
    return Walk(machine, trace.arrays(), frame)


@pytest.fixture(scope="session")
def giant():
    """The machine."""
    return ff.load_machine("hexapod")


@pytest.fixture(scope="session")
def start_stop():
    """The first start and the first stop, and the time to come to rest."""
    return walk("hexapod", ff.load_scenario("start_stop"), 20.0)

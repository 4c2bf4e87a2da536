"""Walks that many tests look at, each walked once."""

from __future__ import annotations

import pytest
from centipede_walks import ground, record

from footfall import load_machine, load_scenario, steady


@pytest.fixture(scope="session")
def centipede():
    return load_machine("centipede")


@pytest.fixture(scope="session")
def fixed():
    return load_machine("centipede_fixed")


@pytest.fixture(scope="session")
def walks(centipede, fixed):
    """``walks(name, terrain)``: 16 s at cruising speed; ``name`` is centipede or fixed."""
    machines, known = {"centipede": centipede, "fixed": fixed}, {}

    def walk(name, terrain):
        if (name, terrain) not in known:
            machine = machines[name]
            known[name, terrain] = record(machine, ground(machine, terrain), steady(16.0))
        return known[name, terrain]

    return walk


@pytest.fixture(scope="session")
def stopping(centipede):
    """Walk, stop, walk, stop at 2, 13, 22 and 26 s."""
    return record(centipede, ground(centipede, "flat"), load_scenario("start_stop"))


@pytest.fixture(scope="session")
def turning(centipede):
    """On the spot to the left, as fast as it may."""
    return record(centipede, ground(centipede, "flat"), steady(8.0, speed=0.0, yaw_rate=1.4))

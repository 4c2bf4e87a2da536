"""Defaults grow with the machine: one of another size walks the same walk, larger and slower."""

from __future__ import annotations

import copy
import math
import pickle
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.documents import parse_document
from footfall.froude import LENGTH, RATE, SPEED, Scaled, at_size
from footfall.gait import Gait
from footfall.machine import MachineFile, build_machine, check_machine
from footfall.scenario import steady
from footfall.stream import run
from footfall.world.terrain import make_terrain

README = Path(__file__).parents[1] / "README.md"
RATE_OF_STOOL = 120.0  # inner steps a second: at a twentieth and at twenty times its size still within what is allowed
SECONDS = 8.0


def stool():
    """The machine file of the README."""
    text = README.read_text(encoding="utf-8")
    return parse_document(re.search(r"```yaml\n(name: stool.*?)```", text, re.DOTALL)[1], "stool", MachineFile)


def scaled_legs(legs, s):
    def longer(leg):
        lengths = {"foot_radius": leg.foot_radius * s, "foot_height": leg.foot_height * s}
        vectors = {key: tuple(s * x for x in getattr(leg, key)) for key in ("hip", "rest", "segments")}
        return replace(leg, **lengths, **vectors)

    return tuple(longer(leg) for leg in legs)


def sized_stool(s):
    """The stool with every length that its file names multiplied by s, and its speed by √s."""
    file = stool()
    text = README.read_text(encoding="utf-8")
    assert set(re.search(r"\ngait: \{(.*)\}", text)[1].split(", ")) == {"duty_factor: 0.8", "stride: 0.3"}
    assert set(re.search(r"\nswing: \{(.*)\}", text)[1].split(", ")) == {"height: 0.1", "full_length: 0.3"}
    trunks = tuple(replace(trunk, size=tuple(s * x for x in trunk.size)) for trunk in file.trunks)
    return MachineFile(
        file.name, file.title, file.cruise_speed * math.sqrt(s), file.stand_height * s, trunks,
        scaled_legs(file.legs, s), pattern=file.pattern, inner_rate=RATE_OF_STOOL / math.sqrt(s),
        gait=Gait(duty_factor=0.8, stride=0.3 * s), swing=type(file.swing)(height=0.1 * s, full_length=0.3 * s),
    )  # fmt: skip


def joints_of(s, ground):
    """Joints of the stool of another size, in its own metres, ``[ticks, joints, 3]``."""
    file = sized_stool(s)
    assert not list(check_machine(file))
    machine = build_machine(file)
    asked = steady(SECONDS * math.sqrt(s), yaw_rate=0.05 / math.sqrt(s))
    joints = []
    for frame in run(machine, make_terrain(ground, machine.leg_length, seed=4), asked):
        joints.append(frame.joints.position[0] / s)
    assert frame.legs["steps"].min() >= 2
    return np.array(joints)


@pytest.mark.parametrize("s", [1 / 20, 20])
def test_a_machine_of_another_size_walks_the_same_walk(s):
    first, other = joints_of(1.0, "flat"), joints_of(s, "flat")
    assert first.shape == other.shape
    assert np.ptp(first[:, 0, 0]) > 1.0
    assert np.abs(first - other).max() <= 1e-9


@pytest.mark.parametrize("s", [1 / 16, 16])
def test_a_machine_of_a_size_that_rounds_nothing_takes_the_same_footholds(s):
    """Powers of four have a whole root, so all figures have the same digits; elsewhere a tie may fall the other way."""
    np.testing.assert_array_equal(joints_of(1.0, "rocks"), joints_of(s, "rocks"))


def test_figures_grow_as_their_unit_does():
    gait = at_size(Gait(), 4.0)
    assert (gait.stride, gait.stride_reference_speed) == (4.0 * Gait.stride, 2.0 * Gait.stride_reference_speed)
    assert (gait.swing_time_min, gait.shuffle_cadence) == (2.0 * Gait.swing_time_min, Gait.shuffle_cadence / 2.0)
    assert (gait.duty_factor, gait.stride_max) == (Gait.duty_factor, Gait.stride_max)
    given = at_size(Gait(stride=0.3), 4.0)
    assert given.stride == 0.3  # what a file gives stays
    assert at_size(given, 9.0) == given  # and so does what has its figure
    assert type(given.swing_time_min) is float


@pytest.mark.parametrize("power", [LENGTH, SPEED, RATE])
def test_a_copy_grows_like_the_first(power):
    first = Scaled(0.3, power)
    for other in (copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
        assert other == first and other.at(3.0) == first.at(3.0) == 0.3 * 3.0**power

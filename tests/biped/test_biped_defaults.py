"""The figures that the source leaves open are written down, and they walk."""

from __future__ import annotations

import dataclasses
import enum
import re
from pathlib import Path

import numpy as np
import pytest
from biped_host import INNER, SPEED

from footfall.documents import field_docs
from footfall.machine import load_machine
from footfall.scenario import steady as walking
from footfall.stream import run
from footfall.world.terrain import make_terrain

PAGE = Path(__file__).parents[2] / "docs" / "biped.md"
ROW = re.compile(r"^\| *(?P<name>[^|]*?) *\| `(?P<key>[^`]+)` \| (?P<value>[^|]+?) \|", re.MULTILINE)
OPEN = [  # the names that the source gives no number for
    "strideLength", "refSpeed", "growth", "min", "max", "minCadence", "maxCadence", "stepHeight", "bobAmp", "swayAmp",
    "rollAmp", "impactSpring", "lean", "twist", "gaitAmp", "posture", "level",
]  # fmt: skip


def value_at(file, key):
    """A figure of a machine file, and the declaration that holds it."""
    owner = file
    *parts, last = re.split(r"\.", key)
    for part in parts:
        found = re.fullmatch(r"(\w+)\[(\d+)\]", part)
        owner = getattr(owner, found[1])[int(found[2])] if found else getattr(owner, part)
    return getattr(owner, last), type(owner)


@pytest.mark.row("A44")
def test_every_open_figure_is_documented_with_the_value_that_is_used():
    rows = [match.groupdict() for match in ROW.finditer(PAGE.read_text())]
    file = load_machine("biped").file
    assert len(rows) > 25
    named = {row["name"] for row in rows}
    assert [name for name in OPEN if name not in named] == []
    for row in rows:
        value, owner = value_at(file, row["key"])
        shown = value.name if isinstance(value, enum.Enum) else float(f"{value:.5g}")
        told = row["value"] if isinstance(value, enum.Enum) else float(row["value"])
        assert told == shown, row["key"]
        assert field_docs(owner).get(row["key"].split(".")[-1]), f"{row['key']} has no docstring"
    gait = {field.name for field in dataclasses.fields(file.gait) if "stride" in field.name or "cadence" in field.name}
    assert gait <= {row["key"].removeprefix("gait.") for row in rows}


@pytest.fixture(scope="module")
def cruise():
    """The biped at its reference speed on flat ground, by command, for 20 s: its frames."""
    machine = load_machine("biped")
    return machine, list(run(machine, make_terrain("flat", machine.leg_length), walking(20.0)))


@pytest.mark.row("A44")
def test_a_walk_at_the_reference_speed_overstretches_no_leg(cruise):
    machine, frames = cruise
    assert machine.file.cruise_speed == machine.file.gait.stride_reference_speed == SPEED
    table = machine.rig.leg_table
    hips = np.array([frame.joints.position[0, table["first_joint"]] for frame in frames])
    ankles = np.array([frame.joints.position[0, table["first_joint"] + 3] for frame in frames])
    reach = np.linalg.norm(hips - ankles, axis=-1)
    planted = np.array([frame.actual.feet["swinging"][0] for frame in frames]) == 0
    assert reach[planted].max() < machine.file.gait.rescue_reach * table["reach_max"][0]
    assert reach.max() < table["reach_max"][0] and reach.min() > table["reach_min"][0]
    last = frames[-1]
    assert last.legs["rescues"].sum() == 0 and last.body["latched"][0] == 0
    assert max(frame.actual.feet["excess"].max() for frame in frames) == 0.0
    assert max(frame.body["adapt"][0] for frame in frames) == 0.0
    assert last.body["root_position"][0, 0] > 0.95 * SPEED * 19.0
    assert last.legs["steps"].min() >= 17  # 0.9 cycles/s


@pytest.mark.row("A44")
def test_no_knee_comes_near_its_limits_and_none_turns_fast(cruise):
    machine, frames = cruise
    joints = np.array([frame.joints.position[0] for frame in frames]).reshape(len(frames), 2, 5, 3)
    bones = np.diff(joints, axis=2)
    unit = bones / np.linalg.norm(bones, axis=-1, keepdims=True)
    knee = np.pi - np.arccos(np.clip((unit[:, :, 0] * unit[:, :, 1]).sum(axis=-1), -1.0, 1.0))
    leg = machine.file.legs[0]
    assert knee.max() < leg.knee_max - np.radians(3.0) and knee.min() > leg.knee_min + np.radians(3.0)
    turn = np.arccos(np.clip((unit[1:] * unit[:-1]).sum(axis=-1), -1.0, 1.0))
    assert np.degrees(turn.max()) < 10.0  # in a frame
    assert frames[1].time - frames[0].time == pytest.approx(INNER)

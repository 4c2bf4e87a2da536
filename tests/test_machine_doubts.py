"""What a sound file says that will hardly walk as it is meant to is told, and what is built in gives no doubt."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.cli import main
from footfall.documents import parse_document
from footfall.gait import stride_at
from footfall.machine import MachineFile, build_machine, check_machine, doubt_machine, load_machine, machine_names
from footfall.machine.doubt import cruise_stride

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
STOOL = re.search(r"```yaml\n(name: stool.*?)```", README, re.DOTALL)[1]


def stool(**values):
    """The README's machine with other values, a section's as a mapping."""
    file = parse_document(STOOL, "stool.yaml", MachineFile)
    sections = {key: replace(getattr(file, key), **part) for key, part in values.items() if isinstance(part, dict)}
    return replace(file, **{**values, **sections})


def wider(radius):
    return {"legs": tuple(replace(leg, foot_radius=radius) for leg in stool().legs)}


#: What is changed in the stool, the key that is told, and words of what is told.
DOUBTS = [
    (
        {"travel": {"speed_dead_zone": 0.25}},
        "travel.speed_dead_zone",
        "is 0.25 m/s: a hosted root at the cruising",
    ),
    ({"cruise_speed": 0.4, "travel": {"speed_max": 0.3}}, "cruise_speed", "is 0.4 m/s: travel.speed_max is 0.3"),
    (
        {"cruise_speed": 0.4, "travel": {"foot_speed_max": 0.3}},
        "cruise_speed",
        "travel.foot_speed_max is 0.3",
    ),
    ({"gait": {"cadence_max": 0.5}}, "cruise_speed", "gait.cadence_max and a stride of 0.3 m make 0.15"),
    ({"cruise_speed": 20.0}, "cruise_speed", "a swing takes 0.003 s then, and gait.swing_time_min is 0.09"),
    ({"gait": {"stride": 3.0}}, "gait.stride", "is 3 m at the cruising speed: legs that stand for 0.8 of it"),
    ({"stand_height": 0.895}, "legs[0].rest", "is 0.929 m from the hip when standing: from 0.9"),
    (wider(0.4), "legs", "have soles that overlap, left_rear and right_rear: they rest 0.78 m apart"),
]


@pytest.mark.parametrize(("values", "key", "words"), DOUBTS, ids=[words[:40] for _, _, words in DOUBTS])
def test_what_will_hardly_walk_is_told_at_its_key(values, key, words):
    file = stool(**values)
    assert not list(check_machine(file))
    told = dict(doubt_machine(file))
    assert words in told.get(key, ""), told


@pytest.mark.parametrize("name", [*machine_names(), "stool"])
def test_what_is_built_in_gives_no_doubt(name):
    assert list(doubt_machine(stool() if name == "stool" else load_machine(name).file)) == []


@pytest.mark.parametrize("name", machine_names())
def test_the_stride_at_the_cruising_speed_is_that_of_the_gait(name):
    machine = load_machine(name)
    walked = stride_at(machine.constants.gaits[0], machine.file.cruise_speed)
    assert cruise_stride(machine.file) == pytest.approx(walked, rel=1e-12)


@pytest.mark.parametrize("share", [0.9, 1.1])
def test_the_longest_stride_is_where_the_root_would_begin_to_wait(share):
    """At the longest stride the leg that is nearest to its end gets there at one end of its stance."""
    file = stool(gait={"stride": 3.0})
    longest = float(re.search(r"reach over ([\d.]+) m", dict(doubt_machine(file))["gait.stride"])[1])
    table = build_machine(file).rig.leg_table
    half = 0.5 * share * longest * file.gait.duty_factor
    ends = [table["rest"] - (0.0, 0.0, file.stand_height) - table["hip"] + (side * half, 0.0, 0.0) for side in (-1, 1)]
    used = max((np.linalg.norm(end, axis=-1) / table["reach_max"]).max() for end in ends)
    assert (used > file.travel.governor_start) == (share > 1.0)
    assert bool(dict(doubt_machine(stool(gait={"stride": share * longest})))) == (share > 1.0)


def test_check_tells_doubts_after_the_verdict(tmp_path, capsys):
    path = tmp_path / "stool.yaml"
    path.write_text(STOOL.replace("stride: 0.3", "stride: 3"))
    assert main(["check", str(path)]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"{path}: a sound machine file (stool, 3 legs on 1 trunk)"
    assert second.startswith(f"doubtful: {path}:12:34: gait.stride is 3 m at the cruising speed")
    assert main(["check", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["sound"] and [doubt["line"] for doubt in found["doubts"]] == [12]

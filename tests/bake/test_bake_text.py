"""BVH and CSV of a walk."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

import numpy as np
import pytest
from bake_machines import RIGS, soles_of, walk

from footfall.bake import Bake

sys.path.insert(0, str(Path(__file__).parents[1] / "io"))
from bvh_reader import read


def bake(rig, frames) -> Bake:
    found = Bake(rig)
    for frame in frames:
        found.add(frame)
    return found


@pytest.mark.parametrize("make", list(RIGS.values()))
def test_bvh_ends_are_the_soles(make):
    rig = make()
    frames = walk(rig, np.arange(40) / 60.0)
    text, soles = bake(rig, frames).to_bytes(".bvh").decode(), soles_of(rig, frames)
    for frame in (0, 17, 39):
        shown = read(text, frame)
        for leg, row in enumerate(rig.leg_table):
            end = shown[f"{rig.leg_names[leg]}_{row['bones'] - 1}_end"]
            assert np.linalg.norm(end - soles[frame, leg][[1, 2, 0]]) < 1e-5
    assert text.count("ROOT") == 1


def test_bvh_of_uneven_frames_is_even():
    rig = RIGS["biped"]()
    times = np.arange(60) / 60.0
    times[1:-1] += 0.004 * np.sin(np.arange(58))
    text = bake(rig, walk(rig, times)).to_bytes(".bvh").decode()
    lines = text.partition("MOTION\n")[2].splitlines()
    spacing, count = float(lines[1].split()[-1]), int(lines[0].split()[-1])
    assert times[-1] - spacing < spacing * (count - 1) <= times[-1] + 1e-7  # spacing is written to 9 digits


@pytest.mark.parametrize("make", list(RIGS.values()))
def test_csv_has_a_row_a_frame_that_tells_the_frame(make):
    rig = make()
    frames = walk(rig, np.arange(20) / 60.0, start=2.0)
    rows = list(csv.DictReader(io.StringIO(bake(rig, frames).to_bytes(".csv").decode())))
    soles = soles_of(rig, frames)
    assert len(rows) == len(frames)
    for k, (row, frame) in enumerate(zip(rows, frames, strict=True)):
        assert float(row["time"]) == frame.time - 2.0
        trunk = frame.actual.trunks[0, 0]
        assert [float(row[f"{rig.trunks[0].name}_{axis}"]) for axis in "xyz"] == trunk["position"].tolist()
        assert [float(row[f"{rig.trunks[0].name}_q{axis}"]) for axis in "wxyz"] == trunk["rotation"].tolist()
        for leg, name in enumerate(rig.leg_names):
            shown = [float(row[f"{name}_sole_{axis}"]) for axis in "xyz"]
            assert np.abs(np.array(shown) - soles[k, leg]).max() < 1e-12
            assert int(row[f"{name}_planted"]) == (frame.actual.feet["swinging"][0, leg] == 0)

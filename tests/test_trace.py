"""Traces: their keys and shapes, what they hold, and that a file is whole or not there."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent / "metrics"))

from walks import DT, flat, four_legs, fresh, joint, mixed_legs, pose, soles_at_rest, three_trunks

from footfall import trace as trace_module
from footfall.errors import FootfallError
from footfall.trace import HOLE_DEPTH, Trace
from footfall.world import flat_world


def walked(rig, ticks=6, agents=2):
    """A trace in which leg 1 of agent 1 steps ahead by 0.1 m from the second frame to the fourth."""
    trace = Trace(rig, flat_world(), name="stool")
    state = fresh(rig, agents)
    for k in range(ticks):
        soles = soles_at_rest(rig, agents)
        air = np.zeros((agents, len(rig.legs)), np.int64)
        if k >= 1:
            soles[1, 1, 0] += min(0.05 * (k - 1), 0.1)
        if 1 <= k < 3:
            air[1, 1] = 1
            soles[1, 1, 2] += 0.05
        if k == 1:
            state.legs["lift_off"][1, 1], state.legs["touchdown"][1, 1] = 0.9 * DT, 2.7 * DT
        if k == 3:
            state.legs["touchdowns"][1, 1] += 1
        trace.add(pose(rig, k * DT, state=state, soles=soles, swinging=air))
    return trace


@pytest.mark.parametrize(("make", "joints"), [(four_legs, 3), (mixed_legs, 4), (three_trunks, 3)])
def test_a_file_has_the_contract_s_keys_and_shapes(make, joints, tmp_path):
    rig = make()
    ticks, agents, legs, trunks = 6, 2, len(rig.legs), len(rig.trunks)
    with np.load(walked(rig).save(tmp_path / "run.npz"), allow_pickle=False) as file:
        found = dict(file)
    shapes = {
        "t": (ticks,), "root_position": (ticks, agents, 3), "root_rotation": (ticks, agents, 4),
        "body_position": (ticks, agents, 3), "body_rotation": (ticks, agents, 4), "hip": (agents, legs, 3),
        "joints": (ticks, agents, legs, joints, 3), "sole": (ticks, agents, legs, 3), "planted": (ticks, agents, legs),
        "ground": (ticks, agents, legs), "ground_known": (ticks, agents, legs), "up": (ticks, agents, 3),
        "phase": (ticks, agents), "touchdown_time": (1,), "touchdown_agent": (1,),
        "touchdown_leg": (1,), "touchdown_position": (1, 3), "contacts_missed": (), "leg_names": (legs,),
        "machine": (), "dt": (), "version": (),
    }  # fmt: skip
    if trunks > 1:
        shapes |= {"trunk_position": (ticks, agents, trunks, 3), "trunk_rotation": (ticks, agents, trunks, 4)}
        shapes |= {"leg_trunk": (legs,)}
    assert {key: array.shape for key, array in found.items()} == shapes
    assert all(array.dtype == np.float64 for array in found.values() if array.dtype.kind == "f")
    assert all(np.isfinite(array).all() for array in found.values() if array.dtype.kind == "f")
    assert found["leg_names"].tolist() == list(rig.leg_names)
    assert str(found["machine"]) == "stool"
    assert float(found["dt"]) == pytest.approx(DT)


def test_a_row_holds_what_the_frame_held():
    rig = mixed_legs()
    trace = Trace(rig, None, ground=flat)
    frame = pose(rig, 0.0, position=(0.1, 0.02, 0.0))
    trace.add(frame)
    row = trace.arrays()
    for leg, bones in enumerate(rig.leg_table["bones"]):
        for number in range(row["joints"].shape[3]):
            assert (row["joints"][0, 0, leg, number] == joint(rig, frame, leg, min(number, bones))).all()
        assert (row["sole"][0, 0, leg] == joint(rig, frame, leg, bones)).all()
    assert (row["joints"][0, 0, :, 0] == row["body_position"][0, 0] + row["hip"][0]).all()
    assert row["planted"].all()


def test_rows_do_not_change_with_the_frames_they_came_from():
    rig = four_legs()
    trace = Trace(rig, None, ground=flat)
    frame = pose(rig, 0.0)
    trace.add(frame)
    before = {key: array.copy() for key, array in trace.arrays().items()}
    frame.joints.position[:] = 7.0
    frame.actual.trunks["position"] = 7.0
    frame.body["root_position"] = 7.0
    frame.body["phase"] = 0.7
    assert all((array == before[key]).all() for key, array in trace.arrays().items())


def test_hips_are_fixed_in_the_trunk_that_carries_them():
    rig = three_trunks()
    trace = Trace(rig, None, ground=flat)
    trace.add(pose(rig, 0.0))
    found = trace.arrays()
    trunk = found["leg_trunk"]
    assert trunk.tolist() == [0, 0, 1, 1, 2, 2]
    assert np.allclose(found["joints"][0, 0, :, 0], found["trunk_position"][0, 0, trunk] + found["hip"][0], atol=1e-12)
    assert (found["body_position"] == found["trunk_position"][:, :, 1]).all()


def test_a_touchdown_is_told_with_its_time_and_place():
    rig = four_legs()
    found = walked(rig).arrays()
    assert found["touchdown_agent"].tolist() == [1]
    assert found["touchdown_leg"].tolist() == [1]
    assert found["touchdown_time"] == pytest.approx([2.7 * DT])
    assert found["touchdown_position"][0] == pytest.approx(soles_at_rest(rig)[0, 1] + (0.1, 0.0, 0.0), abs=1e-12)
    assert ((np.diff(found["planted"].astype(int), axis=0) > 0).sum()) == 1


def test_ground_is_under_each_sole_and_a_hole_is_far_below():
    rig = four_legs()
    trace = Trace(rig, None, ground=lambda points: np.where(points[:, 0] > 0.0, np.nan, 0.1 * points[:, 1]))
    frame = pose(rig, 0.0)
    trace.add(frame)
    found = trace.arrays()
    sole = found["sole"][0, 0]
    assert found["ground"][0, 0, :2] == pytest.approx(sole[:2, 2] - HOLE_DEPTH)
    assert found["ground"][0, 0, 2:] == pytest.approx(0.1 * sole[2:, 1])
    assert found["ground_known"][0, 0].tolist() == [False, False, True, True]
    assert np.isnan(trace.last_gaps[0, :2]).all()


def test_a_frame_of_the_same_time_is_not_kept_twice_and_none_goes_back():
    rig = four_legs()
    trace = Trace(rig, None, ground=flat)
    for time in (0.0, 0.1, 0.1, 0.2):
        trace.add(pose(rig, time))
    assert trace.arrays()["t"].tolist() == [0.0, 0.1, 0.2]
    with pytest.raises(FootfallError, match="comes after"):
        trace.add(pose(rig, 0.15))
    with pytest.raises(FootfallError, match="2 agents"):
        trace.add(pose(rig, 0.3, state=fresh(rig, 2)))


def test_more_arrays_can_be_kept():
    rig = four_legs()
    trace = Trace(rig, None, ground=flat)
    for k in range(3):
        trace.add(pose(rig, k * DT), {"load": np.full((1, 4), float(k))})
    assert trace.arrays()["load"][:, 0, 0].tolist() == [0.0, 1.0, 2.0]


def test_a_file_is_whole_or_not_there(tmp_path, monkeypatch):
    trace = walked(four_legs())
    path = tmp_path / "run.npz"
    path.write_bytes(b"before")

    def fail(file, found):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(trace_module, "_write", fail)
    with pytest.raises(FootfallError, match="No space left") as raised:
        trace.save(path)
    assert len(str(raised.value).splitlines()) == 1
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["run.npz"]
    monkeypatch.setattr(trace_module, "_write", lambda file, found: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        trace.save(path)
    assert os.listdir(tmp_path) == ["run.npz"]


def test_a_folder_that_is_not_there_is_one_clear_line(tmp_path):
    with pytest.raises(FootfallError, match="cannot be written") as raised:
        walked(four_legs()).save(tmp_path / "none" / "run.npz")
    assert len(str(raised.value).splitlines()) == 1
    with pytest.raises(FootfallError, match="without frames"):
        Trace(four_legs(), None, ground=flat).save(tmp_path / "run.npz")
    assert not os.listdir(tmp_path)


def test_a_file_is_readable_as_any_new_file_is(tmp_path):
    plain = tmp_path / "plain"
    plain.write_bytes(b"")
    path = walked(four_legs()).save(tmp_path / "run.npz")
    assert path.stat().st_mode == plain.stat().st_mode

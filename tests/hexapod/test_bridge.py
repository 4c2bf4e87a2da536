"""The bridge: the queen's medium preset on a giant of her proportions, carried over and planned anew."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from stand_in import CONTROL_RATE, SCALE, medium, scaled

import footfall as ff
from footfall.bridge import Recorded, carry_over, map_legs, match_machines, record, reference_feet, replan, replay
from footfall.bridge.carry import floor_feet
from footfall.machine import build_machine, load_machine
from footfall.pose import pose_parts

pytest.importorskip("mujoco")

STOOP = 0.05 * SCALE  # five centimetres of the queen's


@pytest.fixture(scope="module")
def queen():
    return load_machine("queen")


@pytest.fixture(scope="module")
def giant(queen):
    return scaled(queen, SCALE)


@pytest.fixture(scope="module")
def recorded(queen):
    return medium(queen, 30.0)


@pytest.fixture(scope="module")
def carried(recorded, queen, giant):
    return carry_over(recorded, match_machines(queen, giant), giant, STOOP)


@pytest.fixture(scope="module")
def planned(queen, giant):
    return replan(medium(queen, CONTROL_RATE), match_machines(queen, giant), 2.0, start=2.0)


@pytest.fixture(scope="module")
def replayed(giant, planned):
    world = ff.make_terrain("flat", giant.leg_length).world
    return list(replay(giant, world, planned, duty_factor=0.6))


@pytest.mark.row("B59")
def test_a_recording_holds_the_body_and_six_feet_at_thirty_samples_a_second(recorded, queen):
    table = recorded.table()
    assert table.shape == (300, 3 + 18)
    assert recorded.time == pytest.approx(np.arange(300) / 30.0, abs=1e-12)
    assert (table[:, :3] == recorded.body).all() and (table[:, 6:9] == recorded.feet[:, 1]).all()
    assert recorded.body[-1, 0] - recorded.body[0, 0] == pytest.approx(4.73 * 299 / 300, abs=0.1)
    assert (recorded.feet[:, :3, 1] > 0.5).all() and (recorded.feet[:, 3:, 1] < -0.5).all()  # left is +y


def test_samples_lie_on_the_lines_between_frames(queen):
    flat = ff.make_terrain("flat", queen.leg_length)
    frames = list(ff.run(queen, flat, ff.steady(3.0), rate=60.0))
    same = record(frames, queen, 60.0)
    shown = np.array([frame.actual.trunks["position"][0, 0] for frame in frames[:-1]])
    assert np.abs(same.body - shown).max() < 1e-12
    between = record(frames, queen, 120.0)
    assert np.abs(between.body[1:-1:2] - 0.5 * (same.body[:-1] + same.body[1:])).max() < 1e-12
    assert between.phase[-1] == pytest.approx(frames[-1].body["phase"][0] % 1.0 + np.floor(between.phase[-1]), abs=0.05)
    assert (np.diff(between.phase) >= 0.0).all() and between.phase[-1] > 2.0
    with pytest.raises(ff.FootfallError, match="no two samples"):
        record(frames[:2], queen, 30.0)


@pytest.mark.row("B60")
def test_the_mirror_takes_left_feet_to_negative_y(recorded, queen, giant):
    mapping = match_machines(queen, giant, mirror=True)
    assert mapping.axes.tolist() == [1.0, -1.0, 1.0]
    mapped = mapping.points(recorded.feet)
    left = [leg.name.startswith("left") for leg in queen.rig.legs]
    assert (mapped[:, left, 1] < 0.0).all() and (mapped[:, ~np.array(left), 1] > 0.0).all()
    assert (mapped[..., [0, 2]] == mapping.scale * recorded.feet[..., [0, 2]]).all()
    names = queen.rig.leg_names
    for leg, source in enumerate(mapping.source):  # of a target with y to its left, the other side's leg follows
        assert names[source] == giant.rig.leg_names[leg].replace("left", "x").replace("right", "left").replace(
            "x", "right"
        )


def test_without_the_mirror_each_leg_follows_its_own(queen, giant):
    mapping = match_machines(queen, giant)
    assert mapping.source.tolist() == list(range(6)) and mapping.axes.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.row("B61")
def test_the_scale_is_the_median_of_the_ratios_of_six_foot_radii(queen, giant):
    radii = np.hypot(*reference_feet(giant.rig)[:, :2].T)
    assert radii[[1, 4]] == pytest.approx(16.80, abs=1e-7)  # the file gives the queen's bones to 1e-9 m
    assert 100.0 * match_machines(queen, giant).scale == pytest.approx(1714.2857, abs=1e-4)
    # the median: two legs that are off, either way, change nothing
    legs = list(giant.file.legs)
    for index, share in ((0, 1.2), (3, 0.9)):
        legs[index] = dataclasses.replace(legs[index], segments=tuple(share * part for part in legs[index].segments))
    odd = build_machine(dataclasses.replace(giant.file, legs=tuple(legs)))
    assert 100.0 * match_machines(queen, odd).scale == pytest.approx(1714.2857, abs=1e-4)


@pytest.mark.row("B94")
def test_reference_radii_are_those_of_the_skeleton_itself_at_scale_one(giant):
    """Bones as posed are as long as the file has them, along every axis: nothing between rig and world is scaled."""
    world = ff.make_terrain("flat", giant.leg_length).world
    state = ff.initial_state(giant, world)
    frame = ff.show(giant, state, ff.idle_command(1), world)
    assert (frame.body["root_rotation"][0] == [1.0, 0.0, 0.0, 0.0]).all()  # mesh root and actor are aligned
    parts = pose_parts(giant.rig, frame.actual.trunks, frame.joints)
    first = len(giant.rig.trunks)
    joints = frame.joints.position[0].reshape(6, 5, 3)
    for index, leg in enumerate(giant.rig.legs):
        lengths = np.linalg.norm(np.diff(joints[index], axis=0), axis=1)
        assert lengths / [*leg.segments, leg.foot_height] == pytest.approx(np.ones(4), abs=1e-12)
        assert joints[index, 0] - frame.actual.trunks["position"][0, 0] == pytest.approx(np.array(leg.hip), abs=1e-12)
    rotations = parts.rotation_world[0, : first + giant.rig.bone_count]
    assert np.linalg.norm(rotations, axis=1) == pytest.approx(np.ones(len(rotations)), abs=1e-12)
    feet = reference_feet(giant.rig)
    assert np.hypot(feet[:, 0], feet[:, 1]) == pytest.approx(SCALE * np.array([1.0207, 0.98, 1.0207] * 2), rel=1e-4)


@pytest.mark.row("B62")
def test_each_foot_comes_down_to_the_floor_exactly(recorded, queen, giant, carried):
    mapping = match_machines(queen, giant)
    assert (carried.feet[..., 2].min(axis=0) == 0.0).all()
    lowest = mapping.points(recorded.feet)[..., 2].min(axis=0)
    assert (np.abs(lowest) > 0.0).all()  # it was not there before
    level, baseline = floor_feet(mapping.points(recorded.feet))
    assert (baseline == lowest).all()
    assert (level[..., :2] == mapping.points(recorded.feet)[..., :2]).all()


@pytest.mark.row("B63")
def test_the_body_is_upright_and_the_legs_are_solved_onto_body_and_feet(carried, recorded, queen, giant):
    table = giant.rig.leg_table
    hips = carried.joints[:, table["first_joint"]]
    # hips sit where an upright body that looks along x has them: no roll, no pitch
    assert np.abs(hips - carried.body[:, None] - table["hip"]).max() < 1e-12
    soles = carried.joints[:, table["first_joint"] + table["bones"]]
    assert np.abs(soles - carried.feet).max() < 1e-6
    way = SCALE * (recorded.body - recorded.body[0])
    assert np.abs(carried.body - carried.body[0] - way).max() < 1e-6


@pytest.mark.row("B64")
def test_all_three_hundred_samples_are_accepted(carried):
    assert carried.accepted.tolist() == [True] * 300
    # published: 4.827°, on a skeleton that is not known
    assert 4.0 < math.degrees(carried.turn.max()) < 5.0
    assert carried.miss.max() < 1e-6


@pytest.mark.row("B64")
def test_the_largest_turn_is_that_of_a_bone_as_posed(carried, giant):
    """An oracle from joints alone: a bone's direction cannot turn by more than the bone."""
    turned = []
    for first in giant.rig.leg_table["first_joint"]:
        bones = np.diff(carried.joints[:, first : first + 4], axis=1)
        across = np.linalg.norm(np.cross(bones[:-1], bones[1:]), axis=-1)
        turned.append(np.arctan2(across, (bones[:-1] * bones[1:]).sum(axis=-1)).max(axis=1))
    directions = np.max(turned, axis=0)
    assert (directions <= carried.turn[1:] + 1e-9).all()
    assert directions.max() > 0.8 * carried.turn.max()


@pytest.mark.row("B65")
def test_no_hull_is_further_under_the_floor_than_published(carried, giant):
    assert carried.lowest.min() >= -0.0075
    joints, legs = carried.joints.reshape(300, 6, 5, 3), giant.rig.legs
    thick = np.array([[leg.thickness * part for part in leg.segments[:2]] for leg in legs])
    knees = np.minimum(joints[:, :, 1, 2], joints[:, :, 2, 2]) - thick[:, 1]
    assert (knees.min(axis=1) >= carried.lowest - 1e-12).all()
    assert (joints[:, :, 4, 2].min(axis=1) >= carried.lowest - 1e-12).all()


def test_a_motion_out_of_reach_is_told_and_not_hidden(recorded, queen, giant):
    stretched = Recorded(recorded.time, recorded.body + [0.0, 0.0, 0.5], recorded.feet, recorded.phase)
    found = carry_over(stretched, match_machines(queen, giant), giant)
    assert not found.accepted.any() and found.miss.max() > 1.0
    jumping = Recorded(recorded.time, recorded.body, recorded.feet.copy(), recorded.phase)
    jumping.feet[100, 2, 0] += 0.2
    found = carry_over(jumping, match_machines(queen, giant), giant, STOOP)
    assert not found.accepted[100] and not found.accepted[101] and found.accepted[99]
    sunk = carry_over(recorded, match_machines(queen, giant), giant, 9.0)
    assert (sunk.lowest < -0.0075).any() and not sunk.accepted[sunk.lowest < -0.0075].any()


def test_legs_that_do_not_correspond_are_refused(queen):
    with pytest.raises(ff.FootfallError, match="do not correspond"):
        match_machines(load_machine("quadruped"), queen)
    with pytest.raises(ff.FootfallError, match="do not correspond"):
        map_legs(np.array([[1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]]), np.array([[1.0, 1.0, 0.0], [1.0, 0.9, 0.0]]))


@pytest.mark.row("B66")
def test_the_giant_walks_a_cycle_in_under_five_seconds(planned, queen, giant):
    # 0.6667 s × fastest scaled speed / 2 m/s
    assert planned.cycle == pytest.approx(4.826, abs=0.02)
    assert planned.cycle == pytest.approx(4.83, abs=0.05)
    assert planned.slowdown == pytest.approx(planned.cycle * 1.5, rel=1e-9)  # path and clock are slowed together
    assert planned.speeds.max() <= 2.0 * (1.0 + 1e-12)


@pytest.mark.row("B66")
def test_the_fastest_sample_goes_exactly_at_the_limit(queen, giant):
    whole = replan(medium(queen, CONTROL_RATE), match_machines(queen, giant), 2.0)
    assert whole.speeds.max() == pytest.approx(2.0, rel=1e-12)
    assert 2.0 * whole.slowdown / SCALE == pytest.approx(0.8445, abs=5e-5)  # the queen's own [m/s]
    slow = replan(medium(queen, CONTROL_RATE), match_machines(queen, giant), 1e3)
    assert slow.slowdown == 1.0 and slow.cycle == pytest.approx(1.0 / 1.5, rel=1e-9)  # nothing is sped up


@pytest.mark.row("B67")
def test_stance_feet_keep_their_anchors_in_the_world(replayed, giant):
    legs = np.array([frame.state.legs[0] for frame in replayed])
    soles = giant.rig.leg_table["first_joint"] + giant.rig.leg_table["bones"]
    drawn = np.array([frame.joints.position[0, soles] for frame in replayed])
    assert len(legs) == 601 and replayed[-1].time == pytest.approx(20.0)
    stays = (legs["swinging"][:-1] == 0) & (legs["swinging"][1:] == 0) & (np.diff(legs["touchdowns"], axis=0) == 0)
    assert (legs["anchor"][:-1] == legs["anchor"][1:])[stays].all()
    assert np.abs(drawn - legs["anchor"])[legs["swinging"] == 0].max() < 1e-8


@pytest.mark.row("B67")
def test_all_frames_of_the_replay_are_sound(replayed, giant, planned):
    world = ff.make_terrain("flat", giant.leg_length).world
    metrics = ff.Metrics(giant, world)
    for frame in replayed:
        metrics.add(frame)
    found = metrics.result()
    assert found["slip_max_mm"] < 1e-3 and found["e_ik_max_mm"] < 1e-3 and found["penetration_max_mm"] < 1e-3
    assert found["reach_excess_count"] == 0 and found["not_finite"] == 0 and found["limit_hits"] == 0
    assert found["joint_step_max_deg"] < 5.0
    assert found["steps"] >= 6 * math.floor(20.0 / planned.cycle) and found["rescue_steps"] == 0


@pytest.mark.row("B67")
def test_the_replay_walks_the_slowed_path_with_swings_of_its_own(replayed, planned, giant):
    root = np.array([frame.body["root_position"][0, :2] for frame in replayed])
    time = np.array([frame.time for frame in replayed])
    assert np.abs(root[:, 0] - np.interp(time, planned.time, planned.path[:, 0])).max() < 1e-9
    speeds = np.linalg.norm(np.diff(root, axis=0), axis=1) * 30.0
    assert speeds.max() <= 2.0 * (1.0 + 1e-9)
    legs = np.array([frame.state.legs[0] for frame in replayed])
    lift_offs = [np.unique(legs["lift_off"][legs["steps"][:, leg] > 1, leg]) for leg in range(6)]
    apart = np.concatenate([np.diff(times) for times in lift_offs])
    assert np.abs(apart - planned.cycle).max() < 2.0 / giant.file.inner_rate + 1e-9
    peaks = [frame.actual.feet["sole"][0, :, 2] for frame in replayed]
    assert np.max(peaks) == pytest.approx(giant.file.swing.height, rel=0.1)  # not the recording's


def test_a_plan_too_short_or_a_recording_without_steps_is_refused(queen, giant, planned, recorded):
    world = ff.make_terrain("flat", giant.leg_length).world
    with pytest.raises(ff.FootfallError, match="the plan lasts"):
        next(replay(giant, world, planned, duty_factor=0.6, seconds=100.0))
    mapping = match_machines(queen, giant)
    still = Recorded(recorded.time, recorded.body, recorded.feet, np.zeros(300))
    with pytest.raises(ff.FootfallError, match="does not go through any cycle"):
        replan(still, mapping, 2.0)
    with pytest.raises(ff.FootfallError, match="start is 30 s"):
        replan(recorded, mapping, 2.0, start=30.0)


@pytest.mark.row("B60")
def test_a_mirrored_motion_is_the_mirror_image(recorded, queen, giant):
    plain, mirrored = (match_machines(queen, giant, mirror).points(recorded.body) for mirror in (False, True))
    assert (plain[:, 0] == mirrored[:, 0]).all() and (plain[:, 1] == -mirrored[:, 1]).all()
    found = carry_over(recorded, match_machines(queen, giant, mirror=True), giant, STOOP)
    assert found.accepted.all()


@pytest.mark.row("B64", "B65", "B67")
def test_the_giant_of_the_machine_files_follows_the_queen_too(recorded, queen):
    """Its feet rest nearer to its body than a queen's of its size: the scale is what its own feet give."""
    hexapod = load_machine("hexapod")
    mapping = match_machines(queen, hexapod)
    assert [queen.rig.leg_names[leg] for leg in mapping.source] == [
        {"L": "left", "R": "right"}[name[0]] + {"1": "_front", "2": "_middle", "3": "_rear"}[name[-1]]
        for name in hexapod.rig.leg_names
    ]
    carried = carry_over(recorded, mapping, hexapod)
    assert carried.accepted.all() and math.degrees(carried.turn.max()) < 5.0 and carried.lowest.min() >= -0.0075
    world = ff.make_terrain("flat", hexapod.leg_length).world
    metrics = ff.Metrics(hexapod, world)
    for frame in replay(hexapod, world, replan(medium(queen, CONTROL_RATE), mapping, 1.0, start=2.0), duty_factor=0.6):
        metrics.add(frame)
    found = metrics.result()
    assert found["slip_max_mm"] < 1e-3 and found["reach_excess_count"] == 0 and found["rescue_steps"] == 0
    assert found["seconds"] == pytest.approx(20.0) and found["joint_step_max_deg"] < 5.0

"""The giant under the force drive: what is measured against what is asked, from the trace."""

from __future__ import annotations

import numpy as np
import pytest

import footfall as ff


def stances(planted, leg):
    """First and last frame of every stance of a leg."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], planted[:, leg], [False]]).astype(int)))
    return edges.reshape(-1, 2)


@pytest.mark.row("B121", "B72")
def test_the_giant_walks_at_the_speed_that_is_asked(start_stop):
    trace = start_stop.trace
    at = np.searchsorted(trace["t"], [6.0, 12.0])
    way = np.diff(trace["body_measured"][at, 0, 0])[0]
    assert way / 6.0 == pytest.approx(0.5, rel=0.01)
    swings = np.diff(trace["planted"][:, 0].astype(int), axis=0)
    for leg in range(6):  # a cycle of 4 s, 1.6 s of it in the air, to a tick
        lifts = trace["t"][1:][swings[:, leg] == -1]
        lands = trace["t"][1:][swings[:, leg] == 1]
        assert np.abs(np.diff(lifts)[:2] - 4.0).max() <= 1.0 / 30.0 + 1e-9
        assert np.abs(lands[:2] - lifts[:2] - 1.6).max() <= 2.0 / 30.0 + 1e-9


@pytest.mark.row("B2", "B3", "B8")
def test_the_skeleton_stands_on_what_was_measured_and_not_on_the_plan(start_stop):
    trace = start_stop.trace
    assert np.abs(trace["sole"] - trace["sole_measured"]).max() <= 1e-9
    assert np.abs(trace["body_position"] - trace["body_measured"]).max() <= 1e-12
    swinging = ~trace["planted"][:, 0]
    apart = np.linalg.norm(trace["sole_goal"] - trace["sole_measured"], axis=-1)[:, 0]
    assert apart[swinging].max() > 1e-3  # there is an error to see
    assert np.sqrt(np.mean(apart[swinging] ** 2)) <= 0.015


@pytest.mark.row("B41", "B45", "B86")
def test_a_measured_sole_stays_on_the_spot_where_it_met_the_ground(start_stop):
    trace = start_stop.trace
    planted, sole = trace["planted"][:, 0], trace["sole_measured"][:, 0]
    settle = 12  # 0.4 s
    seen = 0
    for leg in range(6):
        for first, end in stances(planted, leg):
            if end - first > settle + 1:
                held = sole[first + settle : end, leg]
                assert np.linalg.norm(held - held[0], axis=-1).max() <= 1e-5
                seen += 1
            if first > 0:  # the anchor is where the sole was measured when it had met the ground
                assert np.abs(trace["anchor"][first, 0, leg] - sole[first - 1, leg]).max() <= 1e-9
    assert seen >= 12


@pytest.mark.row("B35", "B38", "B73")
def test_settled_feet_are_stable_and_all_six_soon_after_the_stop(start_stop):
    trace = start_stop.trace
    planted, stable, t = trace["planted"][:, 0], trace["stable"][:, 0], trace["t"]
    settled = np.zeros_like(planted)
    for leg in range(6):
        for first, end in stances(planted, leg):
            settled[first + 12 : end, leg] = True
    assert stable[settled].mean() >= 0.99
    assert not stable[~planted].any()
    assert t[~stable.all(axis=1)][-1] - 13.0 <= 5.0


@pytest.mark.row("B137", "B117")
def test_the_ground_carries_the_whole_weight_at_rest(start_stop):
    force = start_stop.machine.file.force
    weight = (force.body_mass + 6 * force.foot_mass) * force.gravity
    load = start_stop.trace["load"][-30:, 0].sum(axis=-1)
    assert load == pytest.approx(np.full(30, weight), rel=1e-3)


@pytest.mark.row("B105")
def test_no_bone_turns_five_degrees_from_frame_to_frame(start_stop):
    trace = start_stop.trace
    assert trace["joint_step_deg"].max() <= 5.0
    # directions of the bones, taken from the joints, turn no more than the bones
    along = np.diff(trace["joints"][:, 0], axis=2)
    along /= np.linalg.norm(along, axis=-1, keepdims=True)
    turned = np.degrees(np.arccos(np.clip(np.sum(along[1:] * along[:-1], axis=-1), -1.0, 1.0)))
    assert 0.01 < turned.max() <= trace["joint_step_deg"].max() + 1e-6


def test_a_force_driven_walk_replays_from_a_kept_state_bit_for_bit(giant):
    terrain = ff.make_terrain("flat", giant.leg_length)
    frames = list(ff.run(giant, terrain, ff.steady(5.0)))
    kept = frames[100].state.copy()  # feet in the air
    assert kept.legs["swinging"].any()
    command = ff.command_at(giant, ff.steady(5.0), 0.0, 1)
    state = kept
    for frame in frames[101:]:
        again = ff.step(giant, state, command, terrain.world, 1.0 / 30.0)
        state = again.state
        np.testing.assert_array_equal(again.joints.position, frame.joints.position)
    assert ff.state_hash(state) == ff.state_hash(frames[-1].state)


def test_a_frame_that_is_no_whole_number_of_ticks_is_refused(giant):
    terrain = ff.make_terrain("flat", giant.leg_length)
    state = ff.initial_state(giant, terrain.world)
    with pytest.raises(ff.FootfallError, match="force drive"):
        ff.step(giant, state, ff.idle_command(1), terrain.world, 0.05)
    with pytest.raises(ff.FootfallError, match="force drive"):
        ff.run(giant, terrain, ff.steady(1.0), rate=50.0)

"""Gait of the four-legged machine: order, share, distance, shuffle, prediction (rows D1 to D8)."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from conftest import at_speed, walk

from footfall.foothold import wish_time
from footfall.frames import arrays
from footfall.machine import MachineFile, build_machine
from footfall.state import STEP

LEGS = ("left_hind", "left_fore", "right_hind", "right_fore")
STRIDE = 1.7
LATE = slice(8 * 60, None)  # steady walking


def lift_offs(run):
    """Legs in the order in which they lift, with their instants [s]."""
    found = []
    for leg in range(4):
        counts = run.legs["steps"][:, leg]
        for frame in np.flatnonzero(np.diff(counts) > 0) + 1:
            found.append((run.legs["lift_off"][frame, leg], leg))
    return sorted(found)


def rest_world(run):
    """Where each sole rests at each frame, over the ground ``[frames, legs, 2]`` [m]."""
    rest = run.machine.rig.leg_table["rest"]
    heading = run.motion["heading"][:, None, :]
    return (
        run.motion["root_position"][:, None] + arrays.rotate(heading, np.broadcast_to(rest, (len(run.time), 4, 3)))
    )[..., :2]


def offsets(run):
    """Horizontal distance of each sole from where it rests ``[frames, legs]`` [m]."""
    return np.linalg.norm(run.feet["sole"][..., :2] - rest_world(run), axis=-1)


@pytest.mark.row("D1")
def test_the_machine_takes_no_clip_and_walks_all_the_same(steady):
    names = {field.name for field in fields(MachineFile)}
    assert not any("clip" in name or "animation" in name for name in names)
    assert steady.machine.file.planner.name == "gait"
    assert steady.legs["steps"][-1].min() >= 10


@pytest.mark.row("D2")
def test_one_leg_is_in_the_air_at_a_time_and_each_owns_a_quarter(steady):
    swinging = steady.feet["swinging"] != 0
    assert swinging.sum(axis=-1).max() == 1
    cycles = slice(8 * 60, 8 * 60 + round(9 * STRIDE * 60))  # nine whole cycles
    assert swinging[cycles].mean(axis=0) == pytest.approx([0.25] * 4, abs=0.01)


@pytest.mark.row("D3")
def test_legs_lift_in_the_order_left_hind_left_fore_right_hind_right_fore(steady):
    assert steady.machine.rig.leg_names == LEGS
    order = [leg for time, leg in lift_offs(steady) if time > 4.0]
    assert len(order) > 40
    start = order.index(0)
    assert order[start : start + 40] == [0, 1, 2, 3] * 10


@pytest.mark.row("D4")
@pytest.mark.parametrize("speed", [0.35, 0.7, 1.0])
def test_the_phase_advances_with_the_distance_at_any_speed(quadruped, speed):
    run = walk(quadruped, 12.0, at_speed(speed))
    phase = np.unwrap(2 * np.pi * run.body["phase"]) / (2 * np.pi)
    way = run.motion["root_position"][:, 0]
    for first, last in ((30, 200), (200, 500), (500, 700)):  # while it speeds up, too
        assert (phase[last] - phase[first]) / (way[last] - way[first]) == pytest.approx(1 / STRIDE, rel=1e-6)


@pytest.mark.row("D4")
def test_no_distance_is_no_phase(quadruped):
    run = walk(quadruped, 5.0, at_speed(0.0))
    assert np.ptp(run.body["phase"]) == 0.0


@pytest.mark.row("D5")
def test_the_settle_radius_is_0_7_metres(quadruped, stopped):
    assert quadruped.file.gait.settle_radius * quadruped.leg_length == pytest.approx(0.7, rel=1e-9)
    assert offsets(stopped)[-1].max() <= 0.7 and not stopped.feet["swinging"][-1].any()


@pytest.mark.row("D5")
def test_after_a_stop_it_shuffles_until_every_foot_is_near_its_rest_and_halts(quadruped):
    # half the radius, so that the stop of a straight walk leaves something to shuffle
    half = build_machine(replace(quadruped.file, gait=replace(quadruped.file.gait, settle_radius=0.1)))
    stopped = walk(half, 30.0, lambda time, command: command.__setitem__("speed", 1.0 if time < 8.0 else 0.0))
    still = stopped.motion["velocity"][:, 0] == 0.0
    halt = np.flatnonzero(still & (stopped.time > 8.0))[0]
    assert offsets(stopped)[halt].max() > 0.35  # there was something to shuffle
    shuffling = np.diff(stopped.body["phase"][halt:]) != 0.0
    assert shuffling.any()
    end = halt + np.flatnonzero(shuffling)[-1] + 1
    assert end < len(stopped.time) - 300
    assert offsets(stopped)[end + 120 :].max() <= 0.35
    assert np.ptp(stopped.body["phase"][end + 1 :]) == 0.0
    assert not (stopped.feet["swinging"][end + 120 :] != 0).any()


@pytest.mark.row("D6")
def test_turning_in_place_steps_with_one_foot_at_a_time(quadruped):
    run = walk(quadruped, 16.0, at_speed(0.0, np.radians(20.0)))
    assert (run.feet["swinging"] != 0).sum(axis=-1).max() == 1
    assert run.legs["steps"][-1].min() >= 3
    turned = np.unwrap(arrays.yaw(run.motion["heading"]))
    assert turned[-1] - turned[0] > np.radians(150.0)
    run = walk(quadruped, 24.0, lambda time, command: command.__setitem__("yaw_rate", np.radians(20.0) * (time < 8.0)))
    assert offsets(run)[-1].max() <= 0.7 and not run.feet["swinging"][-1].any()


@pytest.mark.row("D7")
def test_a_foot_lands_as_far_ahead_of_its_rest_as_it_lifts_behind_it(steady):
    half = 0.75 * STRIDE / 2  # way of the body in half a stance
    rest = steady.machine.rig.leg_table["rest"]
    for leg in range(4):
        swinging = steady.feet["swinging"][LATE, leg] != 0
        local = steady.feet["sole"][LATE, leg, 0] - steady.motion["root_position"][LATE, 0] - rest[leg, 0]
        landed = np.flatnonzero(~swinging[1:] & swinging[:-1])[1:5] + 1
        lifted = np.flatnonzero(swinging[1:] & ~swinging[:-1])[1:5]
        frame = 1.0 / 60.0  # of travel between the event and the frame that shows it
        assert np.abs(local[landed] - half).max() <= 1.001 * frame
        assert np.abs(local[lifted] + half).max() <= 1.001 * frame


@pytest.mark.row("D7")
def test_on_a_turn_the_offsets_are_symmetric_about_the_middle_of_the_stance(quadruped):
    rate = np.radians(6.0)
    run = walk(quadruped, 20.0, at_speed(0.9, rate))
    away = offsets(run)
    for leg in range(4):
        swinging = run.feet["swinging"][:, leg] != 0
        landed = np.flatnonzero(~swinging[1:] & swinging[:-1]) + 1
        for start in landed[4:6]:
            end = start + np.flatnonzero(swinging[start:])[0] - 1
            # the body passes the foot's place in the middle of the stance, on the arc
            middle = start + int(away[start:end, leg].argmin())
            assert away[middle, leg] < 0.06
            assert middle == pytest.approx((start + end) / 2, abs=3)


@pytest.mark.row("D8")
@pytest.mark.parametrize("omega", [0.05, 0.2, 0.5882, 1.2])
@pytest.mark.parametrize("part", [0.0, 0.1, 0.2, 0.249])
def test_the_look_ahead_is_the_rest_of_the_swing_and_half_the_stance_up_to_three_seconds(quadruped, omega, part):
    duty = 0.25  # share of the swing, as the source calls it
    step = np.zeros(1, STEP)[0]
    step["time"], step["swing_time"], step["stance_time"] = 7.0, duty / omega, (1 - duty) / omega
    t = part / duty
    ahead = (1 - t) * duty / omega + (1 - duty) * 0.5 / omega
    now = 7.0 + part / omega
    assert wish_time(quadruped.constants, step, now) == pytest.approx(min(ahead, 3.0), abs=1e-12)

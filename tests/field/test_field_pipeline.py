"""What the pipeline promises: the same bits whatever way, company, pause or frame rate."""

from __future__ import annotations

import io
import math

import numpy as np
import pytest
from field_walks import commands, frames_at, walk

import footfall as ff
from footfall.state import State
from footfall.tick import tick_fused, tick_staged
from footfall.world import Heightfield, build_world

MACHINES = ff.machine_names()


@pytest.fixture(scope="module")
def machines():
    return {name: ff.load_machine(name, drive="kinematic") for name in MACHINES}


@pytest.fixture(scope="module")
def hills():
    """Rolling ground for machines of any size: 60 m × 60 m, slopes up to about 8°."""
    y, x = np.mgrid[-30:30.01:0.5, -30:30.01:0.5]
    heights = 0.12 * np.sin(1.1 * x) + 0.1 * np.cos(0.9 * y + 0.4 * x)
    return build_world([Heightfield(heights, -30.0, -30.0, 0.5, 0.5)])


def crowd(machine, agents=7):
    """Starts and commands, all different."""
    number = np.arange(agents)
    places = np.stack([2.5 * number - 8.0, 1.3 * (number % 3) - 1.0, 0.0 * number], axis=-1)
    speed = machine.file.cruise_speed * np.array([1.0, 0.6, -0.5, 0.0, 0.3, 0.9, 0.2])[:agents]
    asked = commands(machine, agents, speed=speed)
    asked["lateral"] = 0.2 * machine.file.cruise_speed * (number % 2)
    asked["yaw_rate"] = 0.1 * (number - 3)
    asked["gait"] = np.array([0, 0, -1, 2, 0, 5, 0])[:agents]
    asked["roll"], asked["pitch"] = 0.02 * number, -0.015 * number
    return places, 0.7 * number, asked


def same_bits(a: State, b: State) -> bool:
    return ff.state_hash(a) == ff.state_hash(b)


@pytest.mark.parametrize("name", MACHINES)
def test_the_fused_loop_and_the_staged_path_give_the_same_bits(machines, hills, name):
    machine = machines[name]
    places, headings, asked = crowd(machine, 3)
    state = ff.initial_state(machine, hills, places, headings)
    rooms = [ff.make_buffers(machine, state) for _ in range(2)]
    hands = ff.no_hands(3, len(machine.rig.legs))
    hands["held"][1, 0], hands["target"][1, 0] = 1, places[1] + (0.0, 0.0, 0.2 * machine.leg_length)
    for room in rooms:
        for to, array in zip(room.state, state, strict=True):
            np.copyto(to, array)
    for number in range(150):
        for advance, room in zip((tick_fused, tick_staged), rooms, strict=True):
            advance(machine, hills, room, asked, hands, 1.0, machine.inner_step, True)
            if number % 10 == 0:  # and between two ticks: what a frame shows
                advance(machine, hills, room, asked, hands, 0.5, 0.4 * machine.inner_step, False)
        for fused, staged in zip(rooms[0], rooms[1], strict=True):
            pairs = zip(fused, staged, strict=True) if isinstance(fused, tuple) else [(fused, staged)]
            for one, other in pairs:
                for field in one.dtype.names or (None,):
                    a, b = (one, other) if field is None else (one[field], other[field])
                    assert a.tobytes() == b.tobytes(), (number, field)
    assert rooms[0].state.legs["steps"].sum() > 3


@pytest.mark.parametrize("name", MACHINES)
def test_a_batch_equals_its_agents_alone_bit_for_bit(machines, hills, name):
    machine = machines[name]
    places, headings, asked = crowd(machine)
    lengths = 0.011 + 0.01 * (np.arange(150) % 3)
    together = walk(machine, hills, asked, lengths, ff.initial_state(machine, hills, places, headings))
    assert len({tuple(together.motion["velocity"][-1, agent]) for agent in range(7)}) > 4  # they do different things
    for agent in range(7):
        start = ff.initial_state(machine, hills, places[agent : agent + 1], headings[agent])
        alone = walk(machine, hills, asked[agent : agent + 1], lengths, start)
        assert same_bits(State(*(array[agent : agent + 1] for array in together.state)), alone.state)
        assert (together.joints[:, agent] == alone.joints[:, 0]).all()


@pytest.mark.parametrize("name", MACHINES)
def test_a_state_saved_in_mid_stride_goes_on_bit_for_bit(machines, hills, name):
    machine = machines[name]
    places, headings, asked = crowd(machine, 4)
    lengths = np.full(90, 1 / 50)  # a frame ends between two ticks: the remainder is part of the state
    first = walk(machine, hills, asked, lengths, ff.initial_state(machine, hills, places, headings))
    assert first.swinging[-1].any()
    kept = first.state.copy()
    file = io.BytesIO()
    np.savez(file, *kept)
    on = walk(machine, hills, asked, lengths, first.state)
    file.seek(0)
    with np.load(file) as arrays:
        restored = State(*(arrays[f"arr_{number}"] for number in range(len(State._fields))))
    assert same_bits(restored, kept)  # a step changes nothing in the state that it is given
    again = walk(machine, hills, asked, lengths, restored)
    assert same_bits(on.state, again.state) and (on.joints == again.joints).all()


@pytest.mark.parametrize("name", MACHINES)
def test_room_that_is_used_again_changes_no_bit(machines, hills, name):
    machine = machines[name]
    places, headings, asked = crowd(machine, 3)
    state = other = ff.initial_state(machine, hills, places, headings)
    rooms = [(ff.make_buffers(machine, state), ff.make_buffers(machine, state)) for _ in range(2)]
    for pair in rooms:
        for room in pair:
            for array in (*room.state, room.motion, *room.plan, *room.actual, *room.joints):
                array.view(np.uint8).fill(0x3F)  # what is in it before must not count
    for number in range(100):
        frame = ff.step(machine, state, asked, hills, 1 / 47, buffers=rooms[number % 2])
        fresh = ff.step(machine, other, asked, hills, 1 / 47)
        state, other = frame.state, fresh.state
        assert (frame.joints.position == fresh.joints.position).all()
    assert same_bits(state, other)


def test_two_runs_give_the_same_hash_and_another_start_another(machines, hills):
    machine = machines["quadruped"]
    places, headings, asked = crowd(machine, 2)

    def run(shift):
        start = ff.initial_state(machine, hills, places + (shift, 0.0, 0.0), headings)
        return ff.state_hash(walk(machine, hills, asked, frames_at(60, 3), start).state)

    assert run(0.0) == run(0.0) != run(1e-9)


@pytest.mark.case("FC-B01")
@pytest.mark.parametrize("name", MACHINES)
def test_no_time_changes_nothing(machines, hills, name):
    machine = machines[name]
    places, headings, asked = crowd(machine, 4)
    walked = walk(machine, hills, asked, np.full(77, 1 / 50), ff.initial_state(machine, hills, places, headings))
    state, before = walked.state, None
    for _ in range(3):
        frame = ff.step(machine, state, asked, hills, 0.0)
        assert same_bits(frame.state, walked.state)
        assert (frame.joints.position[:] == walked.joints[-1]).all()
        assert (frame.motion["velocity"] == walked.motion["velocity"][-1]).all()
        assert (frame.motion["acceleration"] == walked.motion["acceleration"][-1]).all()
        assert np.isfinite(frame.joints.position).all()
        assert before is None or frame.time == before
        state, before = frame.state, frame.time


@pytest.mark.case("FC-B01")
def test_no_time_at_the_start_and_with_a_hosted_root_changes_nothing(machines, hills):
    machine = machines["biped"]
    start = ff.initial_state(machine, hills, hosted=True)
    asked = commands(machine, hosted=1, root_position=(0.2, 0.0, 0.1), speed=0.0)  # the host moves, no time passes
    frame = ff.step(machine, start, asked, hills, 0.0)
    assert same_bits(frame.state, start) and np.isfinite(frame.joints.position).all()


@pytest.mark.case("FC-B01")
@pytest.mark.parametrize("dt", [-1e-9, -1.0, math.nan, math.inf, -math.inf])
def test_time_that_is_none_is_refused(machines, hills, dt):
    machine = machines["quadruped"]
    state = ff.initial_state(machine, hills)
    kept = ff.state_hash(state)
    with pytest.raises(ff.FootfallError, match="dt is"):
        ff.step(machine, state, commands(machine), hills, dt)
    assert ff.state_hash(state) == kept


@pytest.mark.parametrize("dt", [1.5, 30.0, 1e9])
def test_a_long_stall_counts_as_a_second_and_its_debt_is_dropped(machines, hills, dt):
    machine = machines["quadruped"]
    asked = commands(machine, speed=1.0)
    start = walk(machine, hills, asked, np.full(50, 1 / 50)).state
    stalled = ff.step(machine, start, asked, hills, dt).state
    second = ff.step(machine, start, asked, hills, 1.0).state
    assert same_bits(stalled, second) and stalled.body["tick"][0] - start.body["tick"][0] == 60
    after = ff.step(machine, stalled, asked, hills, 1 / 60).state
    assert after.body["tick"][0] - stalled.body["tick"][0] == 1


def touchdowns(walked):
    """``[n, 5]`` leg, time, place of each touchdown, from the states' own records."""
    found = []
    for frame in range(1, len(walked.time)):
        new = walked.touchdowns[frame, 0] > walked.touchdowns[frame - 1, 0]
        for leg in np.flatnonzero(new):
            found.append((leg, walked.legs["touchdown"][frame, 0, leg], *walked.goal[frame, 0, leg]))
    return np.array(sorted(found, key=lambda row: (row[1], row[0])))


@pytest.mark.parametrize("name", MACHINES)
def test_the_same_walk_at_any_frame_rate_has_the_same_touchdowns(machines, hills, name):
    machine = machines[name]
    if not machine.ground:
        pytest.skip("its feet play a loop and ignore the ground")
    asked = commands(machine, speed=machine.file.cruise_speed, yaw_rate=0.08)
    random = np.random.default_rng(5)
    jittered = random.uniform(0.2, 1.8, 240) / 40.0
    jittered *= 6.0 / jittered.sum()
    found = [
        touchdowns(walk(machine, hills, asked, lengths))
        for lengths in (frames_at(60, 6), frames_at(30, 6), frames_at(144, 6), jittered)
    ]
    assert len(found[0]) > 4
    for other in found[1:]:
        # the last of them may fall after the last frame's last tick
        assert abs(len(other) - len(found[0])) <= 1
        n = min(len(other), len(found[0]))
        assert (other[:n, 0] == found[0][:n, 0]).all()
        np.testing.assert_allclose(other[:n, 1:], found[0][:n, 1:], rtol=0.0, atol=1e-9)


def smooth_step(t):
    return t * t * (3.0 - 2.0 * t)


def test_frames_between_two_ticks_are_exact_at_their_instant(machines):
    machine = machines["biped"]
    world = ff.make_terrain("flat", machine.leg_length).world
    speed, rate = 1.2, 0.3
    asked = commands(machine, speed=speed, yaw_rate=rate)
    start = walk(machine, world, asked, frames_at(60, 5)).state  # up to speed
    walked = walk(machine, world, asked, np.random.default_rng(0).uniform(0.001, 0.012, 400), start)
    assert (walked.body["governor"] == 1.0).all()
    swing = machine.file.swing
    # the root is on the circle of this turn, at the angle of this instant
    along = walked.rotation[:, 0]
    yaw = np.unwrap(2.0 * np.arctan2(along[:, 3], along[:, 0]))
    np.testing.assert_allclose(yaw - yaw[0], rate * (walked.time - walked.time[0]), atol=1e-12)
    centre = walked.root[:, 0, :2] + speed / rate * np.stack([-np.sin(yaw), np.cos(yaw)], axis=-1)
    np.testing.assert_allclose(centre, np.broadcast_to(centre[0], centre.shape), atol=1e-9)
    # each sole in the air is on its arc, at the progress of this instant
    checked = 0
    for frame in range(len(walked.time)):
        for leg in np.flatnonzero(walked.swinging[frame, 0]):
            record = walked.legs[frame, 0, leg]
            u = (walked.time[frame] - record["lift_off"]) / (record["touchdown"] - record["lift_off"])
            s = smooth_step(np.clip((u - swing.move_start) / (swing.move_end - swing.move_start), 0.0, 1.0))
            expected = record["origin"] + s * (record["target"] - record["origin"])
            expected[2] += record["lift"] * 4.0 * u * (1.0 - u)
            np.testing.assert_allclose(walked.sole[frame, 0, leg], expected, atol=1e-6)
            checked += 1
    assert checked > 100

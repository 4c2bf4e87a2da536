"""Whose root it is may change in mid-stride, and a frame may be long: the walk goes on."""

from __future__ import annotations

import numpy as np
import pytest
from field_walks import commands, frames_at, stance_drift, walk

import footfall as ff
from footfall.frames import arrays
from footfall.world import Boxes, Plane, build_world, flat_world, move_surface

MACHINES = [name for name in ff.machine_names() if ff.load_machine(name).ground and not ff.load_machine(name).forced]
ROUNDING = 1e-12  # of sums of some hundred ways and times, in leg lengths


@pytest.fixture(scope="module")
def machines():
    return {name: ff.load_machine(name) for name in MACHINES}


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("rate", [30.0, 50.0])  # frames that end with a tick, and between two
def test_a_root_handed_over_and_back_in_mid_stride_walks_on_as_if_nobody_had_taken_it(machines, name, rate):
    machine = machines[name]
    speed = machine.file.cruise_speed
    plain = walk(machine, flat_world(), commands(machine, speed=speed), frames_at(rate, 8))
    taken, given = round(4 * rate), round(6 * rate)
    assert plain.swinging[taken].any() or plain.swinging[given].any()

    def asked(time, command, state):
        frame = round(time * rate) - 1
        command["speed"] = speed
        command["hosted"] = taken <= frame < given
        command["root_position"], command["root_rotation"] = plain.root[frame, 0], plain.rotation[frame, 0]

    walked = walk(machine, flat_world(), asked, frames_at(rate, 8))
    limit = ROUNDING * machine.leg_length
    assert np.abs(walked.root - plain.root).max() <= limit
    assert np.abs(walked.joints - plain.joints).max() <= 1e3 * limit  # angles near full stretch magnify it
    assert (walked.steps == plain.steps).all()
    assert np.abs(walked.motion["velocity"] - plain.motion["velocity"]).max() <= limit * rate * 12


def test_a_long_walk_is_no_teleport_when_a_host_takes_it(machines):
    machine = machines["biped"]
    walked = walk(machine, flat_world(), commands(machine, speed=1.8), frames_at(30, 9))
    assert walked.root[-1, 0, 0] > 2.0 * machine.file.travel.teleport_distance * machine.leg_length
    asked = commands(
        machine, hosted=1, root_position=walked.root[-1, 0] + (0.06, 0.0, 0.0), root_rotation=walked.rotation[-1, 0]
    )
    frame = ff.step(machine, walked.state, asked, flat_world(), 1 / 30)
    assert (frame.legs["anchor"][walked.legs["swinging"][-1] == 0] == walked.legs["anchor"][-1][
        walked.legs["swinging"][-1] == 0]).all()  # fmt: skip
    assert frame.motion["velocity"][0, 0] > 1.7


@pytest.mark.parametrize("name", ["biped", "centipede"])
def test_the_window_holds_what_a_commanded_root_did(machines, name):
    """Its mean is the way and the turn of its time, by finite differences of the root."""
    machine = machines[name]
    asked = commands(machine, speed=machine.file.cruise_speed, yaw_rate=0.3)
    walked = walk(machine, flat_world(), asked, frames_at(60, 8))
    samples = walked.state.window.shape[1]
    assert samples > 1
    turns = np.diff(np.unwrap(arrays.yaw(walked.rotation[:, 0])))[-samples:] * 60
    ways = np.linalg.norm(np.diff(walked.root[:, 0], axis=0), axis=-1)[-samples:] * 60
    mean = walked.state.window[0].mean(axis=0)
    assert turns.mean() > 0.2 and abs(mean[2] - turns.mean()) <= 1e-9
    assert abs(mean[0] - ways.mean()) <= 1e-3 * ways.mean()  # chords are shorter than arcs, and splines no circles


# ---- stalls


@pytest.fixture(scope="module")
def led(machines):
    """Hosted at 1.8 m/s for 4 s."""
    return lead(machines["biped"], np.full(240, 1 / 60))


def lead(machine, lengths, state=None, start=0.0, speed=1.8):
    """Frames of a host that moves straight on."""

    def asked(time, command, state):
        command["hosted"] = 1
        command["root_position"] = (speed * (time_of[0] + time), 0.0, 0.0)

    begun = 0.0 if state is None else float(state.body["tick"][0]) * machine.inner_step
    time_of = [start - begun]
    state = ff.initial_state(machine, flat_world(), hosted=True) if state is None else state
    return walk(machine, flat_world(), asked, lengths, state)


@pytest.mark.parametrize("stall", [1.2, 2.0, 2.7])  # the way in it is shorter than a teleport's
def test_a_stall_neither_speeds_a_host_up_nor_stretches_its_legs(machines, led, stall):
    machine = machines["biped"]
    after = lead(machine, np.concatenate([[stall], np.full(120, 1 / 60)]), led.state, 4.0)
    np.testing.assert_allclose(after.motion["velocity"][0, 0], [1.8, 0.0], atol=1e-9)
    np.testing.assert_allclose(after.root[0, 0], [1.8 * (4.0 + stall), 0.0, 0.0], atol=1e-9)
    assert after.body["tick"][0, 0] - led.body["tick"][-1, 0] == 60  # the rest of the time is dropped
    ends = machine.rig.leg_table["first_joint"] + machine.rig.leg_table["bones"]
    assert np.abs(after.joints[:, :, ends] - after.goal).max() <= 1e-9
    assert (after.legs["rescues"] == 0).all() and stance_drift(after) <= 1e-9
    assert after.swinging.any()  # and it walks on


def test_a_stall_of_a_parked_copy_moves_no_foot(machines):
    machine = machines["biped"]
    parked = lead(machine, np.full(60, 1 / 60), speed=0.0)
    stalled = lead(machine, np.array([5.0]), parked.state, speed=0.0)
    assert (stalled.legs["anchor"][-1] == parked.legs["anchor"][-1]).all()


def test_a_stall_on_a_platform_is_the_platforms_too(machines):
    """A host that rides a platform and stands on it: neither walks, however long the frame."""
    machine = machines["biped"]
    world = build_world([Plane(), Boxes(low=[[-5.0, -5.0, -0.5]], high=[[5.0, 5.0, 0.0]], layer=1)])
    world = move_surface(world, 1, (0.0, 0.0, 2.0))
    move_surface(world, 1, (0.0, 0.0, 2.0))
    asked = commands(machine, hosted=1, root_position=(0.0, 0.0, 2.0))
    state = ff.initial_state(machine, world, [(0.0, 0.0, 2.0)], hosted=True)
    assert (state.legs["surface"] == 1).all()
    move_surface(world, 1, (2.0, 0.0, 2.0))
    asked["root_position"] = (2.0, 0.0, 2.0)
    frame = ff.step(machine, state, asked, world, 2.0)
    assert (frame.motion["velocity"] == 0.0).all() and (frame.legs["steps"] == 0).all()
    assert np.abs(frame.legs["anchor"] - state.legs["anchor"]).max() <= 1e-9

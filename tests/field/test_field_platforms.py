"""Moving ground, and ground that a host answers for."""

from __future__ import annotations

import math

import numpy as np
import pytest
from field_walks import commands, frames_at, rest_places, soles, stance_drift, walk

import footfall as ff
from footfall.frames import arrays
from footfall.world import Answer, Boxes, Host, Plane, build_world, delete_surface, move_surface, rest_surfaces

RIDERS = ["quadruped", "biped", "centipede", "crawler"]
UP = (0.0, 0.0, 1.0)


@pytest.fixture(scope="module")
def machines():
    return {name: ff.load_machine(name, drive="kinematic") for name in RIDERS}


def deck(position=(0.0, 0.0, 0.0), low=(-50.0, -50.0, -0.2), high=(50.0, 50.0, 0.0)):
    return Boxes([low], [high], position=position)


def in_deck(world_points, position, rotation):
    """World points ``[..., 3]`` in the frame of a deck, by NumPy."""
    return arrays.unrotate(np.broadcast_to(rotation, (*world_points.shape[:-1], 4)), world_points - position)


def ride(machine, pose, rate, seconds, **asked):
    """Ride on a deck whose pose is a function of time; soles in the deck's frame with the walk."""
    place, turn = pose(0.0)
    world = build_world(
        [Boxes([(-50.0, -50.0, -0.2)], [(50.0, 50.0, 0.0)], position=tuple(place), rotation=tuple(turn))]
    )
    start = ff.initial_state(machine, world, [place])

    def move(time):
        rest_surfaces(world)
        move_surface(world, 0, *pose(time))

    walked = walk(machine, world, commands(machine, **asked), frames_at(rate, seconds), start, before=move)
    local = np.stack([in_deck(at, *pose(time)) for at, time in zip(walked.sole, walked.time, strict=True)])
    return walked, local


def lift(time):
    """±1 m at 0.5 Hz with an instant reversal: 2 m/s up, then 2 m/s down."""
    return np.array([0.0, 0.0, 4.0 * abs((0.5 * time + 0.25) % 1.0 - 0.5)]), np.array([1.0, 0.0, 0.0, 0.0])


def turntable(time):
    """45°/s, off the machine's centre."""
    half = 0.5 * math.radians(45.0) * time
    return np.array([0.2, 0.1, 0.0]), np.array([math.cos(half), 0.0, 0.0, math.sin(half)])


def ferry(time):
    """3 m/s straight ahead."""
    return np.array([3.0 * time, 0.0, 0.0]), np.array([1.0, 0.0, 0.0, 0.0])


@pytest.mark.case("FC-D11")
@pytest.mark.parametrize("pose", [lift, turntable, ferry])
@pytest.mark.parametrize("name", RIDERS)
def test_riding_alone_triggers_no_step_and_no_slip(machines, name, pose):
    machine = machines[name]
    for rate in (60.0, 47.0):  # 47: frames end between two inner ticks
        walked, local = ride(machine, pose, rate, 3.0)
        assert walked.steps.max() == 0
        assert np.abs(local - local[0]).max() <= 1e-6
        # the body rides along, rigidly: as far from each deck point as at the start, up to the spring of its height
        feet = np.linalg.norm(walked.trunk["position"][:, :, :1] - walked.sole, axis=-1)
        assert np.abs(feet - feet[0]).max() <= 1e-3 * machine.leg_length


@pytest.mark.case("FC-D11")
@pytest.mark.parametrize("name", RIDERS)
def test_speed_of_a_platform_is_counted_once(machines, name):
    machine = machines[name]
    speed = 0.8 * machine.file.cruise_speed
    rate, seconds = 60.0, 6.0
    walked, local = ride(machine, ferry, rate, seconds, speed=speed)
    still = ride(machine, lambda time: ferry(0.0), rate, seconds, speed=speed)[0]
    apart = walked.root[:, 0, 0] - 3.0 * walked.time
    # feet in the air do not carry; all else is the same walk
    assert np.abs(apart - still.root[:, 0, 0]).max() <= 1e-6
    assert (walked.steps[-1] == still.steps[-1]).all()
    assert stance_drift(walked, local) <= 1e-6


@pytest.mark.case("FC-D11")
@pytest.mark.parametrize("pose", [lift, turntable])
def test_walking_on_a_moving_deck_slips_no_more_than_standing(machines, pose):
    machine = machines["quadruped"]
    walked, local = ride(machine, pose, 60.0, 6.0, speed=0.8)
    assert walked.steps[-1].min() >= 2
    assert stance_drift(walked, local) <= 1e-6
    assert local[..., 2].min() >= -1e-3  # no foot lags behind a deck that rises


@pytest.mark.case("FC-D11")
def test_two_feet_on_and_two_off_neither_slip_nor_tear(machines):
    machine = machines["quadruped"]
    world = build_world([Plane(), deck((0.0, 0.0, 0.3), (-60.0, 0.0, -0.1), (60.0, 60.0, 0.0))])

    def move(time):
        rest_surfaces(world)
        move_surface(world, 1, (0.25 * time, 0.0, 0.3))

    walked = walk(machine, world, commands(machine), frames_at(60, 12), before=move)
    on = walked.legs["surface"][0, 0] == 1
    assert on.sum() == 2
    local = walked.sole.copy()
    riding = walked.legs["surface"] == 1
    local[..., 0] -= np.where(riding, 0.25 * walked.time[:, None, None], 0.0)
    assert stance_drift(walked, local) <= 1e-6
    assert walked.steps[-1].sum() > 0  # they are pulled apart, and step
    assert walked.swinging.sum(axis=-1).max() <= machine.airborne_limit
    assert np.isfinite(walked.joints).all()


@pytest.mark.case("FC-D11")
@pytest.mark.parametrize("tick", [0, 37, 61])
def test_feet_on_a_platform_that_is_deleted_stay_where_they_are_in_the_world(machines, tick):
    machine = machines["quadruped"]
    world = build_world([Plane(), deck((0.0, 0.0, 0.4))])
    state = ff.initial_state(machine, world)

    def move(time):
        rest_surfaces(world)
        move_surface(world, 1, (0.5 * time, 0.0, 0.4))

    before = walk(machine, world, commands(machine, speed=0.8), frames_at(60, 1.0 + tick / 60), state, before=move)
    rest_surfaces(world)
    delete_surface(world, 1)
    after = walk(machine, world, commands(machine, speed=0.8), frames_at(60, 6), before.state)
    stood = ~before.swinging[-1, 0] & ~after.swinging[0, 0]
    assert np.abs(after.sole[0, 0, stood] - before.sole[-1, 0, stood]).max() <= 1e-9
    assert stance_drift(after) <= 1e-6
    assert (after.legs["surface"][-1] == 0).all() and np.abs(after.sole[-1, 0][~after.swinging[-1, 0], 2]).max() <= 1e-3


@pytest.mark.case("FC-D11")
def test_a_hosted_root_that_rides_along_is_not_walking(machines):
    machine = machines["quadruped"]
    world = build_world([deck()])
    state = ff.initial_state(machine, world, hosted=True)

    def asked(time, command, state):
        command["hosted"], command["root_position"] = 1, ferry(time)[0]
        rest_surfaces(world)
        move_surface(world, 0, *ferry(time))

    walked = walk(machine, world, asked, frames_at(60, 3), state)
    assert walked.steps.max() == 0 and np.abs(walked.motion["velocity"]).max() <= 1e-9
    local = walked.sole - np.array([ferry(time)[0] for time in walked.time])[:, None, None]
    assert np.abs(local - local[0]).max() <= 1e-6


def flat_host(rays):
    """The plane z = 0, met from above."""
    found = []
    for ray in rays:
        height, fall = ray["origin"][2], -ray["direction"][2]
        if height < 0.0:
            found.append(Answer(0.0, UP))
        else:
            found.append(Answer(height / fall, UP) if fall > 0.0 and height / fall <= ray["limit"] else False)
    return found


@pytest.mark.parametrize("name", RIDERS)
def test_a_walk_on_a_hosts_ground_is_the_walk_on_the_same_ground_built_in(machines, name):
    machine = machines[name]
    asked = commands(machine, speed=machine.file.cruise_speed, yaw_rate=0.1)
    lengths = frames_at(50, 2.5)
    hosted = walk(machine, build_world([Host()]), asked, lengths, host=flat_host)
    built = walk(machine, build_world([Plane()]), asked, lengths)
    assert ff.state_hash(hosted.state) == ff.state_hash(built.state)
    assert hosted.steps[-1].sum() > 0


def test_feet_hold_where_ground_is_not_loaded_and_go_on_when_it_is(machines):
    machine = machines["quadruped"]
    edge = [3.0]

    def streaming(rays):
        return [
            None if ray["origin"][0] > edge[0] else answer for ray, answer in zip(rays, flat_host(rays), strict=True)
        ]

    world = build_world([Host()])
    asked = commands(machine, speed=1.0)
    first = walk(machine, world, asked, frames_at(30, 12), host=streaming)
    assert first.sole[~first.swinging][:, 0].max() <= 3.0  # no foot where nothing is known
    last = first.swinging[-30:].any()
    assert not last and first.body["latched"][-30:].all() and np.ptp(first.root[-30:, 0, 0]) <= 1e-3
    edge[0] = 100.0
    second = walk(machine, world, asked, frames_at(30, 12), first.state, host=streaming)
    assert second.root[-1, 0, 0] - first.root[-1, 0, 0] >= 6.0
    assert stance_drift(first) <= 1e-6 and stance_drift(second) <= 1e-6


def test_a_world_with_a_host_and_no_callback_is_refused(machines):
    machine = machines["quadruped"]
    world = build_world([Host()])
    with pytest.raises(ff.FootfallError, match="give the callback"):
        ff.initial_state(machine, world)
    state = ff.initial_state(machine, world, host=flat_host)
    with pytest.raises(ff.FootfallError, match="give the callback"):
        ff.step(machine, state, commands(machine), world, 1 / 60)


def test_a_platform_that_a_host_names_carries_the_feet(machines):
    from footfall.world import Body

    machine = machines["quadruped"]
    world = build_world([Host(), Body()])

    def raft(rays):
        return [Answer(a.distance, UP, 1) if isinstance(a, Answer) else a for a in flat_host(rays)]

    state = ff.initial_state(machine, world, host=raft)
    assert (state.legs["surface"] == 1).all()

    def move(time):
        rest_surfaces(world)
        move_surface(world, 1, (0.7 * time, 0.0, 0.0))

    walked = walk(machine, world, commands(machine), frames_at(60, 2), state, before=move, host=raft)
    assert walked.steps.max() == 0
    rests = rest_places(machine)
    np.testing.assert_allclose(walked.sole[-1, 0, :, 0] - 0.7 * walked.time[-1], rests[:, 0], atol=1e-6)
    np.testing.assert_allclose(soles(machine, ff.show(machine, walked.state, commands(machine), world, host=raft))[0],
                               walked.sole[-1, 0], atol=1e-9)  # fmt: skip

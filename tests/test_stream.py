"""A run: a stream of frames from standing still at time 0."""

from __future__ import annotations

import math
from collections import deque

import numpy as np
import pytest

from footfall.errors import FootfallError
from footfall.frames import arrays
from footfall.machine import load_machine, machine_names
from footfall.metrics import state_hash
from footfall.scenario import Event, Scenario, load_scenario, steady
from footfall.stream import frame_times, machine_length, place_agents, run
from footfall.world.terrain import make_terrain, terrain_names


@pytest.fixture(scope="module")
def machine():
    return load_machine("quadruped")


@pytest.fixture(scope="module")
def flat(machine):
    return make_terrain("flat", machine.leg_length)


def last(frames):
    return deque(frames, maxlen=1)[0]


def test_the_first_frame_stands_at_time_0(machine, flat):
    frame = next(run(machine, flat, steady(1.0)))
    assert frame.time == 0.0
    assert not frame.actual.feet["swinging"].any()
    assert np.abs(frame.motion["velocity"]).max() == 0.0


@pytest.mark.parametrize("rate, frames", [(60.0, 121), (30.0, 61), (144.0, 289), (12.5, 26)])
def test_a_run_has_a_frame_for_each_of_the_callers_steps(machine, flat, rate, frames):
    walk = run(machine, flat, steady(2.0), rate=rate)
    times = [frame.time for frame in walk]
    assert len(times) == len(walk) == frames
    assert np.allclose(np.diff(times), 1.0 / rate, atol=1e-9)
    assert times[-1] == pytest.approx(2.0, abs=1e-9)


def test_without_a_rate_it_is_the_machines_own(machine, flat):
    frames = list(run(machine, flat, steady(0.5)))
    assert len(frames) == 1 + round(0.5 * machine.file.inner_rate)


def test_the_time_never_falls_short(machine, flat):
    assert last(run(machine, flat, steady(0.55), rate=10.0)).time == pytest.approx(0.6)


def test_jitter_varies_each_frame_and_its_seed_repeats_it():
    lengths = frame_times(100.0, 60.0, 0.3, seed=4)
    assert lengths.min() >= 0.7 / 60 and lengths.max() <= 1.3 / 60
    assert lengths.std() == pytest.approx(0.3 / 60 / math.sqrt(3), rel=0.05)
    assert (lengths == frame_times(100.0, 60.0, 0.3, seed=4)).all()
    assert (lengths != frame_times(100.0, 60.0, 0.3, seed=5)).any()


def test_footholds_do_not_depend_on_the_frame_rate(machine, flat):
    found = {}
    for rate, jitter in ((60.0, 0.0), (30.0, 0.0), (144.0, 0.0), (60.0, 0.3)):
        frame = last(run(machine, flat, steady(6.0), rate=rate, jitter=jitter))
        found[rate, jitter] = frame.legs["steps"][0]
    steps = np.array(list(found.values()))
    assert np.ptp(steps, axis=0).max() <= 1  # a step at the very end may be cut off


def test_two_runs_are_equal_bit_for_bit(machine):
    rocks = make_terrain("rocks", machine.leg_length)
    hashes = {state_hash(last(run(machine, rocks, steady(3.0))).state) for _ in range(2)}
    assert len(hashes) == 1


@pytest.mark.parametrize("name", ["quadruped", "centipede"])
def test_a_batch_equals_its_agents_run_alone(name):
    machine = load_machine(name)
    rocks = make_terrain("rocks", machine.leg_length)
    places = place_agents(machine, rocks, 7)
    headings = np.linspace(-3.0, 3.0, 7)
    scenario = load_scenario("turn")
    batch = last(run(machine, rocks, scenario, seconds=4.0, agents=7, positions=places, headings=headings))
    for agent in range(7):
        one = slice(agent, agent + 1)
        alone = last(run(machine, rocks, scenario, seconds=4.0, positions=places[one], headings=headings[one]))
        for whole, part in zip(batch.state, alone.state, strict=True):
            assert whole[one].tobytes() == part.tobytes()


def test_frames_of_few_agents_may_be_kept(machine, flat):
    frames = list(run(machine, flat, steady(1.0), agents=3))
    kept = [frame.joints.position.copy() for frame in run(machine, flat, steady(1.0), agents=3)]
    assert all((frame.joints.position == joints).all() for frame, joints in zip(frames, kept, strict=True))


def test_frames_of_many_agents_hold_until_the_frame_after_the_next(machine, flat):
    agents = 100
    before, copy = None, None
    for frame in run(machine, flat, steady(1.0), agents=agents):
        if before is not None:
            assert (before.joints.position == copy).all()
        before, copy = frame, frame.joints.position.copy()
    small = last(run(machine, flat, steady(1.0)))
    assert (before.joints.position[0] == small.joints.position[0]).all()


def test_the_command_and_the_cost_of_a_frame_are_at_hand(machine, flat):
    scenario = Scenario("x", 2.0, events=(Event(0.0, speed=0.25), Event(1.0, speed=0.5)))
    walk = run(machine, flat, scenario)
    for frame in walk:
        assert walk.command["speed"][0] == (0.25 if frame.time <= 1.0 + 1e-9 else 0.5)
        assert (walk.cost > 0.0) == (frame.time > 0.0)
    assert walk.cost < 0.5  # no compiling in it


def test_a_route_is_walked(machine, flat):
    scenario = load_scenario("circle")
    lap = 2.0 * math.pi * 4.0 * machine.leg_length
    seconds = 0.5 * lap / machine.file.cruise_speed
    root = last(run(machine, flat, scenario, seconds=seconds)).body["root_position"][0]
    # half way round it is on the far side
    assert np.linalg.norm(root[:2] - np.array([0.0, 8.0]) * machine.leg_length) < 1.5 * machine.leg_length


def test_a_route_is_the_same_wherever_it_starts(machine, flat):
    scenario = load_scenario("figure_eight")
    places, headings = np.array([[0.0, 0.0, 0.0], [50.0, -20.0, 0.0]]), np.array([0.0, 2.0])
    frame = last(run(machine, flat, scenario, seconds=20.0, positions=places, headings=headings, agents=2))
    ways = frame.body["root_position"] - places
    turned = arrays.unrotate(arrays.about_z(headings), ways)
    assert np.abs(turned[0] - turned[1]).max() < 1e-6


@pytest.mark.parametrize("name", machine_names())
def test_agents_stand_apart_and_the_first_one_at_the_start(name):
    machine = load_machine(name)
    flat = make_terrain("flat", machine.leg_length)
    places = place_agents(machine, flat, 50)
    assert places[0].tolist() == [0.0, 0.0, 0.0]
    apart = np.linalg.norm(places[:, None] - places, axis=-1) + np.eye(50) * 1e9
    assert apart.min() >= 2.9 * machine_length(machine)
    assert (place_agents(machine, flat, 7) == places[:7]).all()


@pytest.mark.parametrize("terrain", terrain_names())
def test_agents_start_on_the_ground_that_there_is(machine, terrain):
    ground = make_terrain(terrain, machine.leg_length)
    places = place_agents(machine, ground, 20_000)
    assert ground.contains(places[:, 0], places[:, 1]).all()


@pytest.mark.parametrize(
    "figures, words",
    [
        ({"rate": 0.0}, "rate is 0"),
        ({"rate": math.nan}, "rate is nan"),
        ({"rate": 9.0}, "from 10, so that no frame is longer than the shortest swing"),
        ({"rate": 10.0, "jitter": 0.1}, "from 11, so that"),
        ({"seconds": 0.0}, "seconds is 0"),
        ({"seconds": math.inf}, "seconds is inf"),
        ({"jitter": 1.0}, "jitter is 1"),
        ({"agents": 0}, "agents is 0"),
    ],
)
def test_a_figure_out_of_range_is_refused_at_once(machine, flat, figures, words):
    with pytest.raises(FootfallError, match=words):
        run(machine, flat, steady(1.0), **figures)


def test_a_gait_that_the_machine_lacks_is_refused_at_once(machine, flat):
    with pytest.raises(FootfallError, match=r"scenario x at 1 s: gait is 'gallop'"):
        run(machine, flat, Scenario("x", 3.0, events=(Event(1.0, gait="gallop"),)))

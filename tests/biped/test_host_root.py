"""A host hands over a root, frame by frame, and the legs come of nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from biped_host import INNER, REST, changed, drive, parked, straight

from footfall.errors import FootfallError
from footfall.frames import arrays
from footfall.seat import initial_state, teleport
from footfall.state import BODY, COMMAND
from footfall.tick import idle_command, show, step
from footfall.world.build import build_world, flat_world
from footfall.world.shapes import Boxes, Plane

CORRECTIONS = 60.0  # [s]


def bits(state):
    """All of a state."""
    return b"".join(np.ascontiguousarray(array).tobytes() for array in state)


def corrected(seed, seconds=CORRECTIONS):
    """Roots of a parked copy that corrections move 3–5 cm and 1–2° away and back, at random 0.25–1 s intervals."""
    rng = np.random.default_rng(seed)
    positions = parked(seconds)
    turns = np.zeros(len(positions))
    frame, away = 0, False
    while True:
        frame += round(rng.uniform(0.25, 1.0) * 60.0)
        if frame >= len(positions):
            return positions, arrays.about_z(turns)
        away = not away
        bearing = rng.uniform(0.0, 2.0 * np.pi)
        positions[frame:, :2] = away * rng.uniform(0.03, 0.05) * np.array([np.cos(bearing), np.sin(bearing)])
        turns[frame:] = away * np.radians(rng.uniform(1.0, 2.0)) * rng.choice([-1.0, 1.0])


def winding(times):
    """A root that walks an S-curve, and looks where it goes."""
    positions = np.stack([1.8 * times, 0.6 * np.sin(0.5 * times), 0.0 * times], axis=-1)
    return positions, arrays.about_z(np.arctan2(0.3 * np.cos(0.5 * times), 1.8))


def ramped(rate, seconds=3.0, angle=0.0):
    """Roots that turn on the spot at a rate [rad/s]."""
    return parked(seconds), arrays.about_z(angle + rate * np.arange(round(60 * seconds) + 1) * INNER)


# ---- what is measured


@pytest.mark.row("A1")
def test_legs_come_of_the_root_alone_whatever_else_a_host_says(proxy):
    positions, turns = winding(np.arange(361) * INNER)
    rng = np.random.default_rng(3)

    def gossip(number, command):
        for name in ("speed", "lateral", "yaw_rate"):
            command[name] = rng.normal()

    plain = drive(proxy, positions, turns)
    other = drive(changed(), positions, turns, ask=gossip)
    assert plain.steps[-1].min() > 3
    assert np.array_equal(plain.joints, other.joints)
    told = {name for name in COMMAND.names if "phase" in name or "leg" in name or "foot" in name or "swing" in name}
    assert told == set(), "a host would have to replicate the legs"


@pytest.mark.row("A1")
def test_another_root_gives_other_legs(proxy):
    positions, turns = winding(np.arange(361) * INNER)
    plain = drive(proxy, positions, turns)
    slower = drive(proxy, positions * [0.9, 1.0, 1.0], turns)
    assert np.abs(plain.joints - plain.positions[:, None] - slower.joints + slower.positions[:, None]).max() > 0.05


@pytest.mark.row("A2")
def test_speed_is_horizontal_displacement_over_time():
    machine = changed(travel={"window": 0.0, "teleport_distance": 100.0})
    rise = np.arange(20)[:, None] * INNER * np.array([0.0, 0.0, 5.0])
    assert np.all(drive(machine, rise).velocity == 0.0)
    slant = np.arange(61)[:, None] * INNER * np.array([3.0, 4.0, 7.0])  # 3 ahead, 4 to the left, 7 up in 1 s
    speeds = np.hypot(*drive(machine, slant).velocity.T)
    np.testing.assert_allclose(speeds, 5.0, rtol=1e-12)
    whole = drive(machine, slant[[0, 60]], dts=[1.0])  # the same in one frame of 1 s
    np.testing.assert_allclose(np.hypot(*whole.velocity[-1]), 5.0, rtol=1e-12)


@pytest.mark.row("A2")
def test_speed_is_told_ahead_and_to_the_left_of_the_root(authority):
    turns = np.tile(arrays.about_z(np.array(0.5 * np.pi)), (31, 1))  # looks along +y and moves along +x: to its right
    walk = drive(authority, straight(1.2, 0.5), turns)
    np.testing.assert_allclose(walk.velocity[-1], [0.0, -1.2], atol=1e-9)


@pytest.mark.row("A3")
@pytest.mark.parametrize("rate", [np.radians(30.0), -np.radians(30.0)])
def test_yaw_rate_is_measured_across_half_a_turn(authority, rate):
    positions, turns = ramped(rate, angle=np.sign(rate) * np.radians(150.0))  # passes 180° after 1 s
    turns[60:] *= -1.0  # the same rotation, written the other way
    measured = drive(authority, positions, turns).yaw_rate
    assert np.abs(np.degrees(measured - rate)).max() < 0.01


@pytest.mark.row("A4")
def test_a_proxy_sees_a_sudden_walk_over_a_box_window(proxy):
    positions = np.concatenate([parked(1.0), straight(2.0, 1.0)[1:]])
    speed = drive(proxy, positions).velocity[:, 0]
    since = (np.arange(len(speed)) + 1) * INNER - 1.0
    expected = 2.0 * np.clip(since / 0.2, 0.0, 1.0)  # the mean over the last 0.2 s
    expected[expected < 0.3 - 1e-9] = 0.0
    np.testing.assert_allclose(speed, expected, atol=1e-9)
    assert speed[np.isclose(since, 0.1)] == pytest.approx(1.0, abs=1e-9)
    assert np.all(speed[since < 0.2 - 1e-9] < 2.0 - 0.1) and speed[np.isclose(since, 0.2)] == pytest.approx(2.0)


@pytest.mark.row("A5")
@pytest.mark.parametrize("window", [0.0, 0.2])
@pytest.mark.parametrize("speed, seen", [(0.299, 0.0), (0.301, 0.301)])
def test_a_speed_below_the_dead_zone_is_none(window, speed, seen):
    walk = drive(changed(travel={"window": window}), straight(speed, 0.4))  # before the feet are left behind
    assert walk.velocity[-1, 0] == pytest.approx(seen, abs=1e-9)
    assert (walk.steps[-1].sum() > 0) == (seen > 0.0)


@pytest.mark.row("A6")
def test_an_authority_answers_in_the_first_frame(authority, proxy):
    positions = np.concatenate([parked(0.5), straight(2.0, 0.1)[1:]])
    assert drive(authority, positions[:32]).velocity[-1, 0] == pytest.approx(2.0)
    assert drive(proxy, positions[:32]).velocity[-1, 0] == 0.0


@pytest.mark.row("A7")
@pytest.mark.parametrize("seed", range(3))
def test_a_parked_copy_under_corrections_never_steps(proxy, seed):
    walk = drive(proxy, *corrected(seed))
    assert np.ptp(walk.positions[:, :2], axis=0).max() > 0.05  # it was moved
    assert walk.steps[-1].sum() == 0 and not walk.swinging.any()
    assert np.abs(walk.sole - walk.sole[0]).max() < 1e-9  # and its feet stood


@pytest.mark.row("A7")
def test_without_window_and_dead_zones_corrections_make_it_step():
    raw = changed(travel={"window": 0.0, "speed_dead_zone": 0.0, "yaw_dead_zone": 0.0})
    assert drive(raw, *corrected(0)).steps[-1].sum() > 0


@pytest.mark.row("A8")
def test_a_jitter_of_yaw_is_none_and_a_real_turn_passes(proxy):
    rng = np.random.default_rng(5)
    turns = np.zeros(601)
    for frame in range(0, 601, 24):  # a new correction each 0.4 s
        turns[frame:] = np.radians(rng.uniform(-1.0, 1.0))
    walk = drive(proxy, parked(10.0), arrays.about_z(turns))
    assert np.all(walk.yaw_rate == 0.0) and walk.steps[-1].sum() == 0
    turn = drive(proxy, *ramped(np.radians(20.0)))
    assert np.degrees(turn.yaw_rate[-1]) == pytest.approx(20.0, abs=1e-6)
    assert turn.steps[-1].min() > 0


@pytest.mark.row("A8")
def test_the_yaw_dead_zone_is_a_figure_of_the_machine():
    walk = drive(changed(travel={"yaw_dead_zone": np.radians(25.0)}), *ramped(np.radians(20.0)))
    assert np.all(walk.yaw_rate == 0.0)


# ---- time


@pytest.mark.row("A4", "A6")
@pytest.mark.parametrize("window", [0.2, 0.0])
@pytest.mark.parametrize("rate, jitter", [(30.0, 0.0), (144.0, 0.0), (45.0, 0.3)])
def test_the_same_root_at_another_rate_gives_the_same_footholds(window, rate, jitter):
    machine = changed(travel={"window": window})
    usual = drive(machine, *winding(np.arange(601) * INNER))
    lengths = 1.0 / rate * (1.0 + jitter * np.random.default_rng(1).uniform(-1.0, 1.0, round(10 * rate)))
    other = drive(machine, *winding(np.concatenate([[0.0], np.cumsum(lengths)])), lengths)
    for leg in (0, 1):
        (_, landed, _), (_, landed_other, _) = usual.swings(leg), other.swings(leg)
        count = min(len(landed), len(landed_other))
        assert count >= 8 and abs(len(landed) - len(landed_other)) <= 1
        assert np.abs(landed[:count] - landed_other[:count]).max() <= INNER
        spots, spots_other = anchors(usual, leg)[:count], anchors(other, leg)[:count]
        assert np.linalg.norm(spots - spots_other, axis=-1).max() <= 0.005


def anchors(walk, leg):
    """Where a leg stood after each of its touchdowns: its lowest soles of that stance."""
    spots = []
    for number in range(1, walk.touchdowns[-1, leg] + 1):
        rows = (walk.touchdowns[:, leg] == number) & ~walk.swinging[:, leg]
        spots.append(walk.sole[rows, leg].mean(axis=0))
    return np.array(spots)


def test_no_time_changes_nothing_bit_for_bit(authority):
    positions, turns = winding(np.arange(200) * INNER)
    world = flat_world()
    for length in (INNER, 0.0131):
        walk = drive(authority, positions, turns, np.full(199, length))
        command = idle_command(1)
        command["hosted"], command["root_position"], command["root_rotation"] = 1, positions[-1], turns[-1]
        frame = step(authority, walk.state, command, world, 0.0)
        assert bits(frame.state) == bits(walk.state)
        assert frame.time == walk.time[-1]
        np.testing.assert_allclose(frame.joints.position[0], walk.joints[-1], atol=1e-9)
        command["root_position"] += 0.1  # a root that is already further on is not lost, and not counted twice
        frame = step(authority, walk.state, command, world, 0.0)
        assert bits(frame.state) == bits(walk.state)
        then = step(authority, frame.state, command, world, INNER)
        assert bits(then.state) == bits(step(authority, walk.state, command, world, INNER).state)


def test_a_parked_machine_stays_as_it_is_without_time(proxy):
    state = initial_state(proxy, flat_world(), hosted=True)
    command = idle_command(1)
    command["hosted"] = 1
    for _ in range(100):
        state = step(proxy, state, command, flat_world(), 0.0).state
    assert bits(state) == bits(initial_state(proxy, flat_world(), hosted=True))


@pytest.mark.parametrize("dt", [-1e-9, -1.0, np.nan, np.inf, -np.inf])
def test_time_that_runs_backward_or_is_no_number_is_refused(proxy, dt):
    state = initial_state(proxy, flat_world(), hosted=True)
    before = bits(state)
    with pytest.raises(FootfallError, match="dt is"):
        step(proxy, state, idle_command(1), flat_world(), dt)
    assert bits(state) == before


@pytest.mark.parametrize(
    "name, value",
    [("root_position", np.nan), ("root_position", np.inf), ("root_rotation", np.nan), ("root_rotation", 0.0)],
)
def test_a_root_that_is_none_is_refused_before_it_can_stay_in_the_state(proxy, name, value):
    state = initial_state(proxy, flat_world(), hosted=True)
    before = bits(state)
    command = idle_command(1)
    command["hosted"] = 1
    command[name] = value
    with pytest.raises(FootfallError, match=r"command\[0\]"):
        step(proxy, state, command, flat_world(), INNER)
    assert bits(state) == before


@pytest.mark.parametrize("name", ["speed", "lateral", "yaw_rate", "height", "roll", "limp", "shift", "up"])
def test_a_command_that_holds_no_number_is_refused(proxy, name):
    command = idle_command(1)
    command[name] = np.nan
    with pytest.raises(FootfallError, match=r"command\[0\]"):
        step(proxy, initial_state(proxy, flat_world()), command, flat_world(), INNER)


def test_a_long_stall_counts_as_a_second(proxy):
    command = idle_command(1)
    command["hosted"] = 1
    frame = step(proxy, initial_state(proxy, flat_world(), hosted=True), command, flat_world(), 40.0)
    assert frame.time == pytest.approx(1.0)


# ---- teleports


def seated(frame, root, yaw=0.0, ground=0.0):
    """Assert that the feet stand where they rest under a root on level ground."""
    c, s = np.cos(yaw), np.sin(yaw)
    spots = np.asarray(root) * [1.0, 1.0, 0.0] + REST @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    spots[:, 2] = ground
    np.testing.assert_allclose(frame.actual.feet["sole"][0], spots, atol=1e-9)
    assert not frame.actual.feet["swinging"].any()
    assert np.all(frame.actual.feet["excess"] == 0.0)


@pytest.fixture(scope="module")
def walking(authority):
    """In the middle of a walk, with a foot in the air."""
    walk = drive(authority, straight(1.8, 3.2))
    assert walk.swinging[-1].any()
    return walk


@pytest.mark.parametrize("way", ["call", "jump"])
def test_a_teleport_seats_the_feet_in_the_same_call_without_a_storm_of_events(authority, walking, way):
    world = build_world([Plane(), Boxes(low=[[90.0, -10.0, 0.0]], high=[[120.0, 10.0, 3.0]])])
    place, turn = np.array([100.0, -3.0, 3.0]), arrays.about_z(np.array(1.1))
    command = idle_command(1)
    command["hosted"], command["root_position"], command["root_rotation"] = 1, place, turn
    before = walking.state
    if way == "call":
        state = teleport(authority, before, world, [0], [place], [turn], command)
        frame = show(authority, state, command, world)
    else:
        frame = step(authority, before, command, world, INNER)
    seated(frame, place, 1.1, 3.0)
    for name in ("steps", "rescues", "touchdowns", "rejected"):
        assert np.array_equal(frame.legs[name], before.legs[name]), name
    assert np.all(frame.motion["velocity"] == 0.0) and np.all(frame.motion["yaw_rate"] == 0.0)
    after = drive(authority, np.tile(place, (181, 1)), np.tile(turn, (181, 1)), world=world, state=frame.state)
    assert np.array_equal(after.steps[-1], before.legs["steps"][0])  # nothing is left to be done
    assert np.array_equal(after.touchdowns[-1], before.legs["touchdowns"][0])
    assert np.abs(after.trunk[:, 0] - after.trunk[0, 0]).max() < 0.05


def test_a_teleport_leaves_other_agents_alone(authority):
    world = flat_world()
    state = initial_state(authority, world, [[0.0, 0.0, 0.0], [0.0, 8.0, 0.0]], hosted=True)
    command = idle_command(2)
    command["hosted"] = 1
    command["root_position"][1, 1] = 8.0
    for number in range(150):
        command["root_position"][:, 0] = 1.8 * (number + 1) * INNER
        state = step(authority, state, command, world, INNER).state
    command["root_position"][:, 0] += 1.8 * INNER
    alone = step(authority, state, command, world, INNER)
    command["root_position"][0, 0] += 50.0
    frame = step(authority, state, command, world, INNER)
    seated(type(frame)(*(pick(part, 0) for part in frame)), command["root_position"][0])
    assert bits(pick(frame.state, 1)) == bits(pick(alone.state, 1))


def pick(part, agent):
    """One agent of a frame's part."""
    if isinstance(part, tuple):
        return type(part)(*(pick(array, agent) for array in part))
    return part[agent : agent + 1] if isinstance(part, np.ndarray) else part


def test_a_move_within_the_stated_limit_is_a_move_and_beyond_it_a_teleport(proxy):
    limit = proxy.file.travel.teleport_distance * proxy.leg_length
    assert limit == pytest.approx(5.0)
    for way, teleported in ((limit - 0.01, False), (limit + 0.01, True)):
        walk = drive(proxy, np.array([[0.0, 0.0, 0.0], [way, 0.0, 0.0]]))
        held = np.abs(walk.goal[0] - REST).max() < 1e-9
        assert held != teleported
        assert (walk.excess[0].max() > 0.5) != teleported  # where it is a move, the legs are told to be too short


def test_a_teleport_while_walking_walks_on(authority, walking):
    going = walking.positions[-1] + [100.0, 0.0, 0.0] + straight(1.8, 4.0)
    walk = drive(authority, np.concatenate([walking.positions[-1:], going]), state=walking.state)
    seated(walk.frames[0], going[0])
    assert walk.steps[-1].min() >= walking.steps[-1].min() + 3
    assert walk.excess.max() == 0.0 and walk.rescues[-1].sum() == 0


def test_a_state_keeps_the_hosts_last_root():
    assert {"host_position", "host_rotation"} <= set(BODY.names)

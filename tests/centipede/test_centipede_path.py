"""Nine trunks on one path that grows at its leading end."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from centipede_walks import CRUISE, UP, ground, record, turn

from footfall import steady
from footfall.machine import build_machine
from footfall.scenario import Event, Scenario

SPACING = 0.24
TIGHTEST = 0.7 / (4 * SPACING)  # curvature that the chain bends to at most [1/m]
YAW_RATE = 0.4  # rad/s


@pytest.fixture(scope="session")
def winding(centipede):
    """600 frames a second over slopes in a left turn, then a right one, at cruising speed."""
    asked = Scenario("s", 8.0, events=(Event(0.0, yaw_rate=YAW_RATE), Event(4.5, yaw_rate=-YAW_RATE)))
    return record(centipede, ground(centipede, "jacksboro"), asked, rate=600.0)


def to_line(points, line):
    """Distance of points ``[n, 3]`` from a polyline ``[m, 3]`` [m]."""
    best = np.full(len(points), np.inf)
    for a, b in zip(line[:-1], line[1:], strict=True):
        way = b - a
        share = np.clip(((points - a) @ way) / max(way @ way, 1e-30), 0.0, 1.0)
        best = np.minimum(best, np.linalg.norm(points - a - share[:, None] * way, axis=-1))
    return best


@pytest.mark.row("C1")
def test_sixteen_legs_two_on_each_of_eight_trunks_behind_the_first_of_nine(centipede):
    assert len(centipede.rig.legs) == 16 and len(centipede.rig.trunks) == 9
    assert np.bincount(centipede.rig.leg_table["trunk"], minlength=9).tolist() == [0, 2, 2, 2, 2, 2, 2, 2, 2]


@pytest.mark.row("C1")
def test_every_trunk_follows_the_path_of_the_first(winding):
    """The path is what the first trunk has gone. Between two of its places, v dt = 1.3 mm apart, the path leaves the
    chord by (v dt)² κ / 8: 1.5e-7 m in the turn; over the ground its curvature is as small."""
    first = winding.trunk[:, 0]
    moving = np.append(True, np.linalg.norm(np.diff(first, axis=0), axis=-1) > 0.0)
    line = first[moving]
    for trunk in range(1, 9):
        # from when it has come to where the first one began
        begun = np.argmax((winding.trunk[:, trunk, :2] - first[0, :2]) @ heading(winding, 0, 0)[:2] > 1e-3)
        assert 0 < begun < 0.7 * len(winding.t)
        assert to_line(winding.trunk[begun::37, trunk], line).max() < 1e-6


def heading(walk, tick, trunk):
    return turn(walk.rotation[tick, trunk], np.array([1.0, 0.0, 0.0])) * [1, 1, 0]


@pytest.mark.row("C1")
def test_neighbouring_trunks_are_a_constant_way_apart_along_the_path(winding):
    """Over the ground, by the first trunk's own trail. An edge of d = 0.03 m of a curve κ is longer than its chord by
    d (κ d)² / 24: 3e-6 m over the eight edges between two trunks; the trail's sampling adds less."""
    first = winding.trunk[:, 0, :2]
    way = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(first, axis=0), axis=-1)))
    for tick in range(3600, len(winding.t), 90):  # 6 s on: all trunks are where the first has been
        places = []
        for trunk in range(9):
            nearest = int(np.argmin(np.linalg.norm(first - winding.trunk[tick, trunk, :2], axis=-1)))
            a, b = max(nearest - 1, 0), min(nearest + 1, len(first) - 1)
            tangent = (first[b] - first[a]) / np.linalg.norm(first[b] - first[a])
            places.append(way[nearest] + (winding.trunk[tick, trunk, :2] - first[nearest]) @ tangent)
        bound = SPACING * (TIGHTEST * SPACING / 8) ** 2 / 24 + 1e-6
        np.testing.assert_allclose(-np.diff(places), SPACING, atol=2.0 * bound)


@pytest.mark.row("C1")
def test_the_way_is_curved_as_asked(winding):
    """0.4 rad/s at 0.78 m/s: the first trunk turns by 0.4 / 0.78 rad for every metre of its way over the ground."""
    late = (winding.t > 3.0) & (winding.t < 4.4)
    yaw = np.unwrap(np.arctan2(*heading_all(winding)[:, 0, 1::-1].T))[late]
    way = np.linalg.norm(np.diff(winding.trunk[late, 0, :2], axis=0), axis=-1).sum()
    assert way > 0.8
    assert (yaw[-1] - yaw[0]) / way == pytest.approx(YAW_RATE / CRUISE, rel=0.01)


def heading_all(walk):
    return turn(walk.rotation, np.array([1.0, 0.0, 0.0]))


def test_backing_up_the_trunks_go_where_they_came_from(centipede):
    """Ahead on an arc, then backward on it: knots that are kept give each trunk its old places back exactly; the tail
    lays the same circle on, so all are within the trail's own sagitta, (v dt)² κ / 8 at 60 Hz."""
    asked = Scenario(
        "back",
        12.0,
        events=(
            Event(0.0, speed=CRUISE, yaw_rate=YAW_RATE),
            Event(6.0, speed=0.0, yaw_rate=0.0),
            Event(8.0, speed=-0.5 * CRUISE, yaw_rate=-0.5 * YAW_RATE),
        ),
    )
    walk = record(centipede, ground(centipede, "flat"), asked)
    curvature = YAW_RATE / CRUISE
    turned = np.searchsorted(walk.t, 7.9)
    ways = np.linalg.norm(np.diff(walk.trunk[turned:, 4], axis=0), axis=-1).sum()
    assert 1.0 < ways < 2 * 4 * SPACING
    for trunk in range(8):  # those that come to where trunks behind them stand
        kept = (8 - trunk) * SPACING  # way that it can go back before the tail's new path begins
        back = walk.trunk[turned:, trunk]
        gone = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(back, axis=0), axis=-1)))
        trail = walk.trunk[:turned, trunk]
        away = to_line(back[gone < kept], trail[np.append(True, np.linalg.norm(np.diff(trail, axis=0), axis=-1) > 0)])
        assert away.max() < (CRUISE / 60.0) ** 2 * curvature / 8 + 1e-6
    # the tail is the leading end now, and goes on: it moves away from where the middle trunk is
    tail = walk.trunk[[turned, -1], 8]
    assert np.linalg.norm(tail[1] - tail[0]) > 0.9
    back = heading(walk, turned, 8)
    assert (tail[1] - tail[0]) @ back < -0.8


def test_on_the_spot_the_chain_turns_rigidly_about_its_middle_trunk(turning):
    after = turning.t > 1.0
    middle = turning.trunk[:, 4]
    assert np.ptp(middle, axis=0).max() < 1e-9
    apart = np.linalg.norm(turning.trunk[:, :, None] - turning.trunk[:, None], axis=-1)
    assert np.ptp(apart, axis=0).max() < 1e-9
    yaw = np.unwrap(np.arctan2(*heading_all(turning)[:, 4, 1::-1].T))
    rate = np.degrees(np.diff(yaw) * 60.0)
    assert rate.max() < 40.0 + 1e-6  # yaw_rate_max
    assert rate[after[1:]].min() > 30.0 and rate[-60:].mean() > 39.0
    for trunk in range(9):  # all trunks point along the turned chain
        other = np.unwrap(np.arctan2(*heading_all(turning)[:, trunk, 1::-1].T))
        np.testing.assert_allclose(other - other[0], yaw - yaw[0], atol=1e-9)


def test_on_the_spot_no_foot_has_to_be_faster_than_it_may(centipede):
    """The tail's feet rest 0.96 m behind the middle and 0.37 m aside: they bound the rate of turn."""
    file = dataclasses.replace(centipede.file, travel=dataclasses.replace(centipede.file.travel, foot_speed_max=0.4))
    machine = build_machine(file)
    walk = record(machine, ground(machine, "flat"), steady(5.0, speed=0.0, yaw_rate=0.69))
    rests = machine.rig.leg_table["rest"]
    places = walk.trunk[:, walk.leg_trunk] + turn(walk.rotation[:, walk.leg_trunk], rests)
    speed = np.linalg.norm(np.diff(places, axis=0)[..., :2], axis=-1) * 60.0
    assert speed.max() <= 0.4 + 1e-9
    assert speed[walk.t[1:] > 3.0].max() > 0.39
    assert np.hypot(0.96, 0.37) * 0.69 > 0.4  # what was asked would be faster


@pytest.mark.parametrize("terrain", ["rocks", "steps", "jacksboro", "ramp", "slope", "gaps"])
def test_trunks_move_as_smoothly_on_rough_ground_as_on_flat(walks, terrain):
    """Second differences of every trunk's place, the first one's too. On flat it is the 0.6 m/s² of the start; where a
    leg is about to be too short the body brakes and goes on by 0.8 m/s² on top. The height follows the ground over a
    way L as a critically damped follower: a riser h gives h (2 v / L)², other features less.
    """
    limits = {"slope": 0.0, "gaps": 0.0, "ramp": 0.0, "steps": 0.12, "rocks": 0.12, "jacksboro": 0.12}
    walk = walks("centipede", terrain)
    acceleration = np.linalg.norm(np.diff(walk.trunk, 2, axis=0), axis=-1) * 3600.0
    unit = walk.machine.leg_length
    reach = walk.machine.file.body.path_smoothing * unit
    print(terrain, acceleration.max(axis=0).round(2))
    assert acceleration.max() <= 1.45 + limits[terrain] * unit * (2.0 * CRUISE / reach) ** 2
    forward = heading_all(walk)
    pitch = np.degrees(np.arcsin(np.abs(forward[..., 2])))
    assert pitch.max() < 35.0
    turned = np.abs((walk.rotation[1:] * walk.rotation[:-1]).sum(-1)).clip(0.0, 1.0)
    assert np.degrees(2.0 * np.arccos(turned)).max() < 2.0
    assert UP @ turn(walk.rotation[-1, 0], UP) > 0.8

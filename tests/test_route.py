"""Routes: courses through their way-points, and steering that gets there."""

from __future__ import annotations

import math

import numpy as np
import pytest

from footfall.machine import load_machine, machine_names
from footfall.route import (
    Route,
    Unit,
    catmull_rom,
    follow,
    go_to,
    greatest_yaw_rate,
    lay_course,
    nearest_way,
    point_at,
    start_progress,
)

SQUARE = ((3.0, 0.0), (3.0, 3.0), (0.0, 3.0), (0.0, 0.0))


@pytest.fixture(scope="module", params=machine_names())
def machine(request):
    return load_machine(request.param, drive="kinematic")


@pytest.fixture(scope="module")
def quadruped():
    return load_machine("quadruped")


def drive(machine, steer, agents=1, seconds=120.0, dt=1 / 30, headings=0.0, positions=0.0):
    """Poses [ticks, agents, 3] of machines that reach what they are asked for under their own limits."""
    travel = machine.file.travel
    pose = np.zeros((agents, 3))
    pose[:, :2], pose[:, 2] = positions, headings
    speed, turn = np.zeros(agents), np.zeros(agents)
    progress = start_progress(agents)
    poses, asked = [pose.copy()], []
    for _ in range(int(seconds / dt)):
        wish = steer(pose[:, :2], pose[:, 2], progress)
        progress = wish.progress
        asked.append((wish.speed, wish.yaw_rate))
        slower = wish.speed < speed
        step = np.where(slower, travel.deceleration, travel.acceleration) * dt
        speed = speed + np.clip(wish.speed - speed, -step, step)
        turn = turn + np.clip(wish.yaw_rate - turn, -travel.yaw_acceleration * dt, travel.yaw_acceleration * dt)
        pose[:, 2] += turn * dt
        pose[:, 0] += speed * np.cos(pose[:, 2]) * dt
        pose[:, 1] += speed * np.sin(pose[:, 2]) * dt
        poses.append(pose.copy())
    return np.array(poses), np.array(asked), progress


def test_a_spline_runs_through_its_way_points():
    knots = np.array([[0.0, 0.0], [1.0, 2.0], [4.0, 2.5], [4.2, 2.4], [0.0, -3.0]])
    for closed in (False, True):
        line = catmull_rom(knots, closed, samples=16)
        away = np.linalg.norm(line[:, None] - knots, axis=-1).min(axis=0)
        assert away.max() < 1e-12
        assert np.allclose(line[-1], knots[0] if closed else knots[-1])


def test_a_course_is_evenly_sampled_from_the_start_to_the_end(quadruped):
    course = lay_course(Route(SQUARE, unit=Unit.metre, smooth=False), quadruped)
    assert course.lap == pytest.approx(12.0)
    assert np.allclose(course.points[0], 0.0)
    assert np.allclose(course.points[-1], SQUARE[-1])
    assert np.linalg.norm(np.diff(course.points, axis=0), axis=-1).max() <= course.spacing * (1 + 1e-9)


def test_lengths_scale_with_the_machine(machine):
    a = lay_course(Route(SQUARE), machine)
    b = lay_course(Route(SQUARE, unit=Unit.metre), machine)
    assert a.lap == pytest.approx(b.lap * machine.leg_length, rel=1e-3)


def test_way_points_at_one_spot_count_once(quadruped):
    course = lay_course(Route(((0.0, 0.0), (0.0, 0.0), (2.0, 0.0), (2.0, 0.0))), quadruped)
    assert np.isfinite(course.points).all()
    assert course.lap == pytest.approx(2.0 * quadruped.leg_length)


def test_a_route_that_goes_nowhere_has_arrived(quadruped):
    course = lay_course(Route(((0.0, 0.0),)), quadruped)
    wish = follow(course, quadruped, np.zeros((1, 2)), np.zeros(1), 1.0, start_progress(1))
    assert wish.speed[0] == 0.0 and wish.yaw_rate[0] == 0.0 and wish.progress["arrived"][0] == 1


def test_the_nearest_way_never_goes_back(quadruped):
    course = lay_course(Route(((8.0, 0.0),), smooth=False), quadruped)
    way = nearest_way(course, np.array([[0.0, 0.3]]), np.array([5.0]))
    assert way[0] == pytest.approx(5.0)


def test_a_machine_arrives_at_the_end_of_its_route_and_stays(machine):
    route = Route(((4.0, 0.0), (6.0, 3.0), (10.0, 3.0)))
    course = lay_course(route, machine)
    speed = machine.file.cruise_speed
    seconds = 2.0 * course.length / speed + 20.0
    poses, asked, progress = drive(machine, lambda p, h, k: follow(course, machine, p, h, speed, k), seconds=seconds)
    assert progress["arrived"].all()
    assert np.linalg.norm(poses[-1, 0, :2] - course.points[-1]) < 0.25 * machine.leg_length
    assert np.abs(poses[-1] - poses[-30]).max() < 1e-9
    assert asked[:, 0].max() <= speed * (1 + 1e-12)


def test_a_machine_keeps_near_a_smooth_course(machine):
    course = lay_course(Route(((0, 0), (5, 2), (5, 8), (0, 10), (-5, 8), (-5, 2)), closed=True), machine)
    speed = machine.file.cruise_speed
    poses, _, _ = drive(
        machine, lambda p, h, k: follow(course, machine, p, h, speed, k), seconds=2.0 * course.length / speed
    )
    line = point_at(course, np.linspace(0.0, course.lap, 2000))
    off = np.linalg.norm(poses[::10, 0, None, :2] - line, axis=-1).min(axis=-1)
    assert off.max() < 0.5 * machine.leg_length
    assert np.linalg.norm(np.diff(poses[:, 0, :2], axis=0), axis=-1).sum() > 0.9 * course.length


def test_where_a_course_crosses_itself_the_machine_stays_on_its_strand(quadruped):
    course = lay_course(Route(((4, 4), (8, 0), (4, -4), (-4, 4), (-8, 0), (-4, -4), (0, 0))), quadruped)
    poses, _, progress = drive(
        quadruped, lambda p, h, k: follow(course, quadruped, p, h, 1.0, k), seconds=2.0 * course.length
    )
    assert progress["arrived"].all()
    way = np.linalg.norm(np.diff(poses[:, 0, :2], axis=0), axis=-1).sum()
    assert way == pytest.approx(course.length, rel=0.08)


def test_a_closed_route_is_gone_round_as_often_as_asked(quadruped):
    ring = ((0, 0), (4, 2), (4, 6), (0, 8), (-4, 6), (-4, 2))
    ways = []
    for laps in (1, 3):
        course = lay_course(Route(ring, closed=True, laps=laps), quadruped)
        poses, _, progress = drive(
            quadruped, lambda p, h, k, c=course: follow(c, quadruped, p, h, 1.0, k), seconds=1.3 * course.length + 20
        )
        assert progress["arrived"].all()
        ways.append(np.linalg.norm(np.diff(poses[:, 0, :2], axis=0), axis=-1).sum())
    assert ways[1] / ways[0] == pytest.approx(3.0, rel=0.05)


def test_a_target_behind_is_turned_to_in_place_first(machine):
    target = np.array([-6.0, 0.5]) * machine.leg_length
    speed = machine.file.cruise_speed
    poses, asked, progress = drive(
        machine,
        lambda p, h, k: go_to(target, machine, p, h, speed, k),
        seconds=4 * math.pi / greatest_yaw_rate(machine) + 8.0 * machine.leg_length / speed + 20.0,
    )
    assert progress["arrived"].all()
    assert np.linalg.norm(poses[-1, 0, :2] - target) < 0.25 * machine.leg_length
    turned = np.abs(poses[:, 0, 2] - math.atan2(0.5, -6.0)) < math.radians(60)
    first = int(turned.argmax())
    assert np.linalg.norm(poses[first, 0, :2]) < 1e-9  # it has not left its place by then
    assert np.abs(asked[:, 1]).max() <= greatest_yaw_rate(machine) * (1 + 1e-12)


def test_slowing_into_the_end_needs_no_more_than_the_own_deceleration(quadruped):
    speed = quadruped.file.cruise_speed
    poses, asked, _ = drive(quadruped, lambda p, h, k: go_to(np.array([20.0, 0.0]), quadruped, p, h, speed, k))
    assert poses[:, 0, 0].max() < 20.0 + 1e-9  # never beyond the target
    assert poses[-1, 0, 0] > 20.0 - 0.15 * quadruped.leg_length


def test_steering_a_batch_equals_steering_each_alone(quadruped):
    course = lay_course(Route(((4, 0), (6, 3), (10, 3))), quadruped)
    rng = np.random.default_rng(5)
    positions, headings = rng.uniform(-3, 3, (7, 2)), rng.uniform(-9, 9, 7)
    progress = start_progress(7)
    progress["way"] = rng.uniform(0, 5, 7)
    batch = follow(course, quadruped, positions, headings, 1.0, progress)
    for agent in range(7):
        one = slice(agent, agent + 1)
        alone = follow(course, quadruped, positions[one], headings[one], 1.0, progress[one])
        assert alone.speed[0] == batch.speed[agent]
        assert alone.yaw_rate[0] == batch.yaw_rate[agent]
        assert alone.progress[0] == batch.progress[agent]


def test_steering_changes_nothing_that_it_is_given(quadruped):
    course = lay_course(Route(((4, 0), (6, 3))), quadruped)
    progress = start_progress(1)
    kept = progress.copy()
    first = follow(course, quadruped, np.array([[2.0, 0.5]]), np.array([0.1]), 1.0, progress)
    assert (progress == kept).all()
    again = follow(course, quadruped, np.array([[2.0, 0.5]]), np.array([0.1]), 1.0, progress)
    assert first.speed[0] == again.speed[0] and first.yaw_rate[0] == again.yaw_rate[0]

"""Consumers take up from each agent: what a walk on a wall gives is what the same walk on the floor gives."""

from __future__ import annotations

import math

import numpy as np
import pytest

import footfall as ff
from footfall.frames import arrays
from footfall.metrics.sole_ground import sole_gaps
from footfall.report.walk_data import WalkData
from footfall.stream import Guide
from footfall.world import Boxes, Plane, build_world, ground_height

UPS = {"y": (0.0, 1.0, 0.0), "-x": (-1.0, 0.0, 0.0), "-z": (0.0, 0.0, -1.0), "askew": (0.6, 0.48, 0.64)}


def measured(name, up, turn):
    """Numbers, trace and machine of a walk of 3 s over low boxes on a plane that is turned."""
    machine = ff.load_machine(name)
    size = machine.leg_length
    boxes = Boxes([[0.5 * size, -9 * size, -1.0]], [[1.2 * size, 0.23 * size, 0.05 * size]], rotation=tuple(turn))
    world = build_world([Plane(rotation=tuple(turn)), boxes])
    command = ff.idle_command(1)
    command["speed"], command["yaw_rate"], command["up"] = machine.file.cruise_speed, 0.1, up
    state = ff.teleport(machine, ff.initial_state(machine, world), world, [0], [[0.0, 0.0, 0.0]], [turn], command)
    metrics, trace = ff.Metrics(machine, world), ff.Trace(machine, world)
    frame = ff.show(machine, state, command, world)
    for _ in range(180):
        metrics.add(frame, command)
        trace.add(frame)
        frame = ff.step(machine, frame.state, command, world, 1.0 / 60.0)
    return metrics, trace.arrays()


@pytest.fixture(scope="module")
def floor():
    up = (0.0, 0.0, 1.0)
    return {name: measured(name, up, np.array([1.0, 0.0, 0.0, 0.0])) for name in ("quadruped", "centipede")}


@pytest.mark.parametrize("up", UPS.values(), ids=UPS)
@pytest.mark.parametrize("name", ["quadruped", "centipede"])
def test_a_walk_on_a_wall_has_the_numbers_of_the_walk_on_the_floor(floor, name, up):
    turn = arrays.multiply(arrays.upright(np.array(up)), arrays.about_z(np.array(0.3)))
    metrics, trace = measured(name, up, turn)
    expected_metrics, expected = floor[name]
    numbers, wanted = (
        {key: value for key, value in result.items() if value is not None}
        for result in (metrics.result(), expected_metrics.result())
    )
    assert numbers["steps"] > 2 and numbers["no_ground_count"] == 0 and numbers["penetration_max_mm"] < 1.0
    # rounding of positions, and 1/dt³ of it in the jerk of the body, in leg lengths
    assert numbers == {key: pytest.approx(value, rel=1e-3, abs=1e-6) for key, value in wanted.items()}
    seen, known = WalkData(trace, 0), WalkData(expected, 0)
    np.testing.assert_allclose(seen.heights(), known.heights(), atol=1e-9)
    np.testing.assert_allclose(seen.body_height(), known.body_height(), atol=1e-9)
    np.testing.assert_allclose(seen.support_margin(), known.support_margin(), atol=1e-9)
    np.testing.assert_allclose(seen.speed(), known.speed(), atol=1e-9)
    roll, pitch, yaw = seen.angles()
    roll_floor, pitch_floor, yaw_floor = known.angles()
    np.testing.assert_allclose(np.stack([roll, pitch]), np.stack([roll_floor, pitch_floor]), atol=1e-6)
    np.testing.assert_allclose(yaw - yaw[0], yaw_floor - yaw_floor[0], atol=1e-6)
    view, view_floor = (data.from_above(data.body) for data in (seen, known))
    np.testing.assert_allclose(np.ptp(view[:, 2]), np.ptp(view_floor[:, 2]), atol=1e-9)


@pytest.mark.parametrize("up", UPS.values(), ids=UPS)
def test_gaps_are_distances_along_up(up):
    turn = arrays.upright(np.array(up))
    plane = Plane(rotation=tuple(turn), position=tuple(0.7 * np.array(up)))
    world = build_world([plane])
    random = np.random.default_rng(3)
    soles = 0.7 * np.array(up) + random.uniform(-0.5, 0.5, size=(1, 5, 3))
    gaps = sole_gaps(world, np.array([up]), soles + np.array(up), soles, 1.0)
    np.testing.assert_allclose(gaps[0], soles[0] @ up - 0.7, atol=1e-12)
    np.testing.assert_allclose(ground_height(world, soles[0], up=up), 0.7, atol=1e-9)


def test_the_least_rotation_takes_z_to_up():
    random = np.random.default_rng(4)
    ups = np.concatenate([random.normal(size=(50, 3)), [[0, 0, 1.0], [0, 0, -1.0], [1e-9, 0, -1.0]]])
    ups /= np.linalg.norm(ups, axis=-1, keepdims=True)
    q = arrays.upright(ups)
    z = np.broadcast_to((0.0, 0.0, 1.0), ups.shape)
    np.testing.assert_allclose(arrays.rotate(q, z), ups, atol=1e-8)
    np.testing.assert_allclose(
        arrays.angle_between(q, np.broadcast_to((1.0, 0, 0, 0), q.shape)),
        np.arccos(np.clip(ups[:, 2], -1, 1)),
        atol=1e-7,
    )


@pytest.mark.parametrize("up", UPS.values(), ids=UPS)
def test_a_route_on_a_wall_is_steered_as_on_the_floor(up):
    machine = ff.load_machine("crawler")
    route = ff.load_scenario("circle").route
    asked = []
    for turn in (np.array([1.0, 0.0, 0.0, 0.0]), arrays.upright(np.array(up))):
        world = build_world([Plane(rotation=tuple(turn))])
        state = ff.initial_state(machine, world)
        state.body["root_position"], state.body["root_rotation"] = 0.0, turn
        guide = Guide(machine, ff.lay_course(route, machine), state)
        for angle in (0.0, 0.4, 2.0):
            command = ff.idle_command(1)
            command["speed"] = 0.5
            place = np.array([machine.leg_length * math.sin(angle), 0.2 * machine.leg_length, 0.0])
            state.body["root_position"] = arrays.rotate(turn, place)
            state.body["root_rotation"] = arrays.multiply(turn, arrays.about_z(np.array(angle)))
            guide.steer(state, command)
            asked.append((command["speed"][0], command["yaw_rate"][0]))
    assert np.abs(np.array(asked[:3]) - np.array(asked[3:])).max() < 1e-9
    assert abs(asked[2][1]) > 0.01

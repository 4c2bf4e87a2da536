from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.errors import FootfallError
from footfall.world import (
    Boxes,
    Plane,
    build_world,
    cast,
    cast_ray,
    delete_surface,
    move_surface,
    rest_surfaces,
)
from footfall.world.surface_pose import (
    surface_velocity,
    to_previous_world,
    to_surface,
    to_surface_direction,
    to_world,
    to_world_direction,
)

pytestmark = pytest.mark.nojit

number = st.floats(-10, 10)
vector = st.tuples(number, number, number)
quaternion = st.tuples(number, number, number, number).filter(lambda q: np.linalg.norm(q) > 0.1)
LIFT = Boxes([[-1.0, -1.0, -0.2]], [[1.0, 1.0, 0.0]])
DOWN = (0.0, 0.0, -1.0)


@given(position=vector, rotation=quaternion, point=vector)
@settings(max_examples=50)
def test_a_point_comes_back_from_the_frame_of_a_moving_surface(position, rotation, point):
    world = move_surface(build_world([Plane(), LIFT]), 1, position, rotation)
    for surface in (-1, 0, 1):
        assert to_world(world, surface, to_surface(world, surface, point)) == pytest.approx(point, abs=1e-12)
        back = to_world_direction(world, surface, to_surface_direction(world, surface, point))
        assert back == pytest.approx(point, abs=1e-12)
        for frame in (to_surface, to_surface_direction):
            if surface < 1:
                assert frame(world, surface, point) == point


@given(position=vector, rotation=quaternion, point=vector)
@settings(max_examples=30)
def test_directions_turn_as_differences_of_points_do(position, rotation, point):
    world = move_surface(build_world([LIFT]), 0, position, rotation)
    ends = np.subtract(to_world(world, 0, point), to_world(world, 0, (0.0, 0.0, 0.0)))
    assert to_world_direction(world, 0, point) == pytest.approx(tuple(ends), abs=1e-9)


def test_a_moved_surface_is_met_where_it_is():
    world = build_world([Plane(), LIFT])
    assert world.moving[0] == 0
    for height in (0.3, 1.7, 0.9):
        move_surface(world, 1, (5.0, 0.0, height))
        status, distance, _, surface = cast_ray(world, (5.5, 0.5, 4.0), DOWN, 10.0, -1, -1)
        assert (status, surface) == (1, 1) and distance == pytest.approx(4.0 - height)
        assert cast_ray(world, (0.0, 0.0, 4.0), DOWN, 10.0, -1, -1)[3] == 0
    assert world.moving[0] == 1


def test_the_pose_before_a_move_is_the_previous_one():
    world = build_world([LIFT])
    move_surface(world, 0, (1.0, 2.0, 3.0))
    assert to_previous_world(world, 0, (0.5, 0.0, 0.0)) == (0.5, 0.0, 0.0)
    move_surface(world, 0, (2.0, 2.0, 3.0))
    assert to_previous_world(world, 0, (0.5, 0.0, 0.0)) == (1.5, 2.0, 3.0)
    rest_surfaces(world)
    assert to_previous_world(world, 0, (0.5, 0.0, 0.0)) == to_world(world, 0, (0.5, 0.0, 0.0)) == (2.5, 2.0, 3.0)


def test_a_turntable_moves_what_stands_on_it_as_omega_cross_r():
    rate, dt = math.radians(45.0), 1e-6
    world = build_world([LIFT])
    for tick in (0, 1):
        half = 0.5 * rate * dt * tick
        move_surface(world, 0, (3.0, 0.0, 0.0), (math.cos(half), 0.0, 0.0, math.sin(half)))
    velocity = surface_velocity(world, 0, (3.0, 0.8, 0.0), dt)
    assert velocity == pytest.approx((-rate * 0.8, 0.0, 0.0), abs=1e-6)
    hit = cast(world, [[3.0, 0.8, 2.0], [0.0, 0.0, 2.0]], DOWN, 9.0, dt=dt)
    np.testing.assert_allclose(hit.velocity, [velocity, (0, 0, 0)], atol=1e-9)


def test_velocity_is_the_difference_of_poses_over_the_tick():
    world = build_world([Plane(), LIFT])
    move_surface(world, 1, (0.0, 0.0, 1.0))
    move_surface(world, 1, (0.1, 0.0, 1.2))
    assert surface_velocity(world, 1, (0.3, 0.2, 1.2), 0.1) == pytest.approx((1.0, 0.0, 2.0))
    assert surface_velocity(world, 0, (0.3, 0.2, 0.0), 0.1) == (0.0, 0.0, 0.0)
    assert surface_velocity(world, -1, (0.3, 0.2, 0.0), 0.1) == (0.0, 0.0, 0.0)


def test_anchors_on_a_deleted_surface_stay_where_they_were():
    world = build_world([LIFT])
    move_surface(world, 0, (0.0, 0.0, 1.0))
    move_surface(world, 0, (0.0, 0.0, 2.0))
    delete_surface(world, 0)
    assert to_world(world, 0, (0.5, 0.0, 0.0)) == to_previous_world(world, 0, (0.5, 0.0, 0.0)) == (0.5, 0.0, 2.0)


NO_POSES = [((0, 0, math.nan), (1, 0, 0, 0)), ((0, 0, 0), (0, 0, 0, 0)), ((0, 0), (1, 0, 0, 0))]


@pytest.mark.parametrize(("position", "rotation"), NO_POSES)
def test_a_pose_that_is_none_is_refused_and_changes_nothing(position, rotation):
    world = build_world([LIFT])
    before = world.surfaces.tobytes()
    with pytest.raises(FootfallError):
        move_surface(world, 0, position, rotation)
    assert world.surfaces.tobytes() == before

"""Sole, contact plane and speed of a foot against closed forms and finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.drives.force.host import ROLL_OF_YAW, body_shape, box_inertia, foot_shape, inertia_of_yaw
from footfall.drives.force.sole import centre_over, project_on_plane, sole_of, sole_velocity, split_speed
from footfall.errors import FootfallError
from footfall.frames.arrays import multiply

OFFSET = 0.1  # [m]
SEEDS = st.integers(0, 2**32 - 1)


def random_units(random, *shape):
    values = random.normal(size=shape)
    return values / np.linalg.norm(values, axis=-1, keepdims=True)


def quaternion_about(vector):
    """Rotation by a rotation vector [rad]."""
    angle = np.linalg.norm(vector)
    axis = vector / angle
    return np.array([np.cos(0.5 * angle), *(np.sin(0.5 * angle) * axis)])


@pytest.mark.row("B31")
def test_the_sole_of_a_level_foot_is_straight_below_its_centre():
    np.testing.assert_allclose(sole_of([1.0, 2.0, 3.0], [1.0, 0.0, 0.0, 0.0], OFFSET), [1.0, 2.0, 2.9], rtol=1e-15)


@pytest.mark.row("B31")
@pytest.mark.parametrize(("axis", "towards"), [((0, 1, 0), (-1, 0, 0)), ((1, 0, 0), (0, 1, 0))])
def test_a_foot_that_is_tilted_by_90_degrees_has_its_sole_beside_its_centre(axis, towards):
    rotation = quaternion_about(0.5 * np.pi * np.array(axis, float))
    np.testing.assert_allclose(sole_of(np.zeros(3), rotation, OFFSET), OFFSET * np.array(towards), atol=1e-16)


@given(SEEDS)
def test_a_centre_over_a_sole_has_that_sole(seed):
    random = np.random.default_rng(seed)
    sole, rotation = random.normal(size=(6, 3)), random_units(random, 6, 4)
    offsets = random.uniform(0.0, 1.0, 6)
    np.testing.assert_allclose(sole_of(centre_over(sole, rotation, offsets), rotation, offsets), sole, atol=1e-14)


@given(SEEDS)
def test_the_velocity_of_a_sole_is_the_rate_of_change_of_its_place(seed):
    random = np.random.default_rng(seed)
    position, velocity, spin = random.normal(size=(3, 3))
    rotation = random_units(random, 4)
    step = 1e-5  # central differences: error ~ step² × third derivative ≤ 1e-10 × 0.1 × |spin|³

    def sole_at(time):
        turned = multiply(quaternion_about(spin * time), rotation)
        return sole_of(position + velocity * time, turned, OFFSET)

    measured = (sole_at(step) - sole_at(-step)) / (2.0 * step)
    np.testing.assert_allclose(sole_velocity(velocity, spin, rotation, OFFSET), measured, atol=2e-9)


@pytest.mark.row("B32")
@given(SEEDS)
def test_a_projected_sole_lies_on_the_plane_and_the_distance_leads_back(seed):
    random = np.random.default_rng(seed)
    sole, point, normal = random.normal(size=(7, 3)), random.normal(size=(7, 3)), random_units(random, 7, 3)
    projected, distance = project_on_plane(sole, point, normal)
    assert np.abs(((projected - point) * normal).sum(axis=-1)).max() < 1e-14
    np.testing.assert_allclose(projected + distance[:, None] * normal, sole, atol=1e-14)


@pytest.mark.row("B32")
def test_a_sole_inside_the_ground_has_a_negative_distance():
    up = np.array([0.0, 0.0, 1.0])
    assert project_on_plane([5.0, 5.0, -0.02], [0.0, 0.0, 0.0], up)[1] == -0.02
    assert project_on_plane([5.0, 5.0, 0.02], [0.0, 0.0, 0.0], up)[1] == 0.02


@pytest.mark.row("B34")
@given(SEEDS)
def test_speeds_along_and_across_a_normal_are_the_legs_of_a_right_triangle(seed):
    random = np.random.default_rng(seed)
    velocity, normal = random.normal(size=(7, 3)), random_units(random, 7, 3)
    along, across = split_speed(velocity, normal)
    np.testing.assert_allclose(along, np.einsum("ij,ij->i", velocity, normal), atol=1e-15)
    np.testing.assert_allclose(along**2 + across**2, (velocity**2).sum(axis=-1), rtol=1e-13)
    np.testing.assert_allclose(across, np.linalg.norm(np.cross(normal, velocity), axis=-1), atol=1e-14)


@pytest.mark.row("B142")
def test_roll_and_pitch_inertia_of_the_body_are_five_eighths_of_yaw():
    body = body_shape(6000.0, 6.0)
    assert body.inertia == inertia_of_yaw(36000.0)
    assert body.inertia[0] == body.inertia[1] == ROLL_OF_YAW * body.inertia[2]
    np.testing.assert_allclose(body.inertia, box_inertia(6000.0, (6.0, 6.0, 3.0)), rtol=1e-15)


def test_the_sole_of_a_foot_proxy_is_the_underside_of_its_box():
    foot = foot_shape(800.0, 0.6, 0.1)
    assert foot.size == (1.2, 1.2, 0.2)
    assert (foot.sole_radius, foot.sole_offset) == (0.6, 0.1)


@pytest.mark.parametrize(
    "wrong",
    [{"mass": 0.0}, {"radius": -1.0}, {"offset": float("nan")}, {"friction": -0.1}, {"polygon": ((0.0, 0.0),) * 5}],
)
def test_a_proxy_that_is_no_rigid_body_is_refused(wrong):
    with pytest.raises(FootfallError):
        foot_shape(**({"mass": 1.0, "radius": 0.1, "offset": 0.02} | wrong))

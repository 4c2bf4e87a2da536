"""Servos against closed forms: poles of the sampled system, Newton's laws, integrals of a goal's acceleration."""

from __future__ import annotations

import math

import numpy as np
import pytest

from footfall.drives.force import servo
from footfall.frames import arrays

FRAME = 1.0 / 30.0


def poles(gains, dt, coefficient):
    """Eigenvalues of position and velocity error over one tick of held feedback."""
    kp, kd = gains
    return np.linalg.eigvals(
        [[1.0 - coefficient * dt**2 * kp, dt - coefficient * dt**2 * kd], [-dt * kp, 1.0 - dt * kd]]
    )


@pytest.mark.row("B135")
@pytest.mark.parametrize(
    ("frequency", "kp", "kd"), [(4.0, 14.0235, 7.2559), (5.0, 21.2111, 8.8576), (8.0, 49.3106, 13.2225)]
)
def test_the_sources_gains_come_out_to_four_digits(frequency, kp, kd):
    assert servo.pole_gains(frequency, FRAME) == pytest.approx((kp, kd), abs=5e-5)


@pytest.mark.row("B135")
@pytest.mark.parametrize("substeps", [None, 1, 4, 12, 25])
@pytest.mark.parametrize("frequency", [4.0, 8.0, 60.0])
def test_both_poles_are_where_they_are_asked_for(frequency, substeps):
    coefficient = 0.5 if substeps is None else servo.position_coefficient(substeps)
    found = poles(servo.pole_gains(frequency, FRAME, coefficient), FRAME, coefficient)
    # a double eigenvalue is found to the root of the rounding error only; trace and product are exact
    pole = math.exp(-frequency * FRAME)
    assert found.sum() == pytest.approx(2.0 * pole, abs=1e-12)
    assert found.prod() == pytest.approx(pole**2, abs=1e-12)


@pytest.mark.row("B135")
def test_an_error_dies_out_over_substeps_as_the_poles_say():
    substeps, frequency = 25, 8.0
    gains = servo.pole_gains(frequency, FRAME, servo.position_coefficient(substeps))
    x, v = 1.0, 0.0
    seen = [x]
    for _ in range(30):
        a = -gains.position * x - gains.velocity * v
        for _ in range(substeps):
            v += a * FRAME / substeps
            x += v * FRAME / substeps
        seen.append(x)
    pole = math.exp(-frequency * FRAME)
    slope = seen[1] / pole - 1.0  # (1 + k n) pole^n is the free motion of a double pole
    expected = [(1.0 + slope * n) * pole**n for n in range(31)]
    assert seen == pytest.approx(expected, abs=1e-12)


@pytest.mark.row("B155")
@pytest.mark.parametrize("late", [0.1, 0.5, 0.9])
def test_a_change_of_velocity_between_two_samples_is_kept_whole(late):
    # the goal begins to move at 0.6 m/s at some instant within a tick
    begin = (3.0 + late) * FRAME
    goal = np.array([[max(n * FRAME - begin, 0.0) * 0.6, 0.0, 0.0] for n in range(8)])
    gained = sum(
        servo.sampled_motion(goal[n - 1], goal[n], goal[n + 1], FRAME).acceleration[0] * FRAME for n in range(1, 7)
    )
    assert gained == pytest.approx(0.6, abs=1e-12)
    # the analytic acceleration is no number there: held at samples it gives all or nothing of a short ramp
    ramp = 0.005
    held = sum(FRAME * 0.6 / ramp for n in range(8) if begin <= n * FRAME < begin + ramp)
    assert abs(held - 0.6) > 0.5


def test_a_sampled_goal_of_constant_acceleration_is_met_exactly():
    a, v, dt = np.array([0.3, -0.2, 0.1]), np.array([1.0, 2.0, -1.0]), 0.04
    at = [v * t + 0.5 * a * t**2 for t in (-dt, 0.0, dt)]
    motion = servo.sampled_motion(at[0], at[1], at[2], dt)
    np.testing.assert_allclose(motion.velocity, v, atol=1e-12)
    np.testing.assert_allclose(motion.acceleration, a, atol=1e-10)


@pytest.mark.parametrize("substeps", [1, 12, 25])
def test_a_sampled_goal_leads_over_substeps_exactly_to_its_next_sample(substeps):
    rng = np.random.default_rng(5)
    before, now, after = rng.normal(size=(3, 3))
    motion = servo.sampled_motion(before, now, after, FRAME, servo.position_coefficient(substeps))
    x, v = now.copy(), motion.velocity.copy()
    for _ in range(substeps):
        v += motion.acceleration * FRAME / substeps
        x += v * FRAME / substeps
    np.testing.assert_allclose(x, after, atol=1e-12)


def test_a_sampled_turn_at_constant_rate_has_that_rate():
    rate, dt = np.array([0.4, -0.3, 0.9]), 0.05
    size = np.linalg.norm(rate)

    def turned(time):
        return np.concatenate([[math.cos(0.5 * size * time)], math.sin(0.5 * size * time) * rate / size])

    motion = servo.sampled_turn(turned(-dt), turned(0.0), -turned(dt), dt)  # q and −q are the same rotation
    np.testing.assert_allclose(motion.velocity, rate, atol=1e-12)
    np.testing.assert_allclose(motion.acceleration, 0.0, atol=1e-10)


@pytest.mark.row("B136")
def test_a_large_vertical_demand_leaves_less_to_the_horizontal():
    gentle = servo.limited(np.array([4.0, 0.0, 0.0]), 6.0)
    steep = servo.limited(np.array([4.0, 0.0, 12.0]), 6.0)
    assert gentle == pytest.approx([4.0, 0.0, 0.0])
    assert np.linalg.norm(steep) == pytest.approx(6.0)
    assert steep[0] == pytest.approx(6.0 * 4.0 / math.hypot(4.0, 12.0))
    np.testing.assert_array_equal(servo.limited(np.zeros(3), 6.0), np.zeros(3))


@pytest.mark.row("B140")
def test_the_torque_gives_the_angular_acceleration_that_is_asked_for():
    rng = np.random.default_rng(3)
    quaternion = rng.normal(size=4)
    quaternion /= np.linalg.norm(quaternion)
    inertia, alpha, omega = np.array([2.0, 5.0, 7.0]), rng.normal(size=3), rng.normal(size=3)
    # the rotation as a matrix, and the inertia in the world: I = R J Rᵀ
    w, x, y, z = quaternion
    turn = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip
    world = turn @ np.diag(inertia) @ turn.T
    expected = world @ alpha + np.cross(omega, world @ omega)
    np.testing.assert_allclose(servo.torque(quaternion, inertia, alpha, omega), expected, atol=1e-12)


@pytest.mark.row("B140")
def test_the_rotation_error_is_the_short_way_in_the_world():
    measured = arrays.about_z(np.float64(0.4))
    goal = -arrays.about_z(np.float64(0.7))
    np.testing.assert_allclose(servo.rotation_error(goal, measured), [0.0, 0.0, 0.3], atol=1e-12)

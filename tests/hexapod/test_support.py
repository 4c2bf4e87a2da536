"""The shares of the supports against Newton's laws, written out."""

from __future__ import annotations

import numpy as np
import pytest

from footfall.drives.force import support

UP = np.array([0.0, 0.0, 1.0])


def tripods(count):
    """Feet around a body, in no exact order but never nearly in a line, and what is asked of them."""
    rng = np.random.default_rng(11)
    for _ in range(count):
        feet = int(rng.integers(3, 7))
        angles = 2.0 * np.pi * (np.arange(feet) + rng.uniform(-0.3, 0.3, feet)) / feet
        radii = rng.uniform(5.0, 9.0, feet)
        points = np.stack([radii * np.cos(angles), radii * np.sin(angles), rng.uniform(-0.5, 0.5, feet)], axis=-1)
        centre = rng.normal(size=3) + [0.0, 0.0, 9.5]
        yield points, rng.normal(size=3) * 2e4 + [0.0, 0.0, 6e4], rng.normal(size=3) * 3e4, centre


@pytest.mark.row("B143")
def test_the_shares_sum_to_the_force_and_their_moments_to_the_torque():
    for points, force, torque, centre in tripods(200):
        shares = support.equal_share(force, torque, points, centre)
        np.testing.assert_allclose(shares.sum(axis=0), force, rtol=1e-9)
        moments = np.cross(points - points.mean(axis=0), shares).sum(axis=0)
        np.testing.assert_allclose(moments, torque, atol=1e-4 * np.linalg.norm(torque))


@pytest.mark.row("B143")
def test_without_torque_every_support_has_the_same_share():
    points = np.array([[8.0, 1.0, 0.0], [-3.0, 7.0, 0.0], [-4.0, -8.0, 0.2]])
    shares = support.equal_share(np.array([300.0, 0.0, 9000.0]), np.zeros(3), points, np.zeros(3))
    np.testing.assert_allclose(shares, np.tile([100.0, 0.0, 3000.0], (3, 1)), atol=1e-9)


def test_balanced_shares_hold_the_body_about_its_centre_of_mass():
    for points, force, torque, centre in tripods(200):
        shares = support.balanced_share(force, torque, points, centre)
        np.testing.assert_allclose(shares.sum(axis=0), force, rtol=1e-9)
        moments = np.cross(points - centre, shares).sum(axis=0)
        scale = np.linalg.norm(torque) + np.linalg.norm(np.cross(points.mean(axis=0) - centre, force))
        np.testing.assert_allclose(moments, torque, atol=1e-4 * scale)


def test_balanced_shares_are_the_smallest_that_do():
    for points, force, torque, centre in tripods(20):
        shares = support.balanced_share(force, torque, points, centre)
        # every other solution differs by forces that sum to nothing and turn nothing
        columns = [np.vstack([np.eye(3), np.cross(p - centre, np.eye(3)).T]) for p in points]
        wrench = np.concatenate([force, torque])
        least = np.linalg.lstsq(np.hstack(columns), wrench, rcond=None)[0].reshape(-1, 3)
        np.testing.assert_allclose(shares, least, atol=1e-4 * np.linalg.norm(force))


def test_a_body_in_front_of_its_supports_loads_the_front_feet():
    points = np.array([[5.0, 6.0, 0.0], [5.0, -6.0, 0.0], [-5.0, 6.0, 0.0], [-5.0, -6.0, 0.0]])
    weight = np.array([0.0, 0.0, 1000.0])
    ahead = np.array([2.0, 0.0, 4.0])
    balanced = support.balanced_share(weight, np.zeros(3), points, ahead)[:, 2]
    np.testing.assert_allclose(balanced, [350.0, 350.0, 150.0, 150.0], rtol=1e-6)
    np.testing.assert_allclose(support.equal_share(weight, np.zeros(3), points, ahead)[:, 2], 250.0, rtol=1e-9)


@pytest.mark.row("B138", "B139")
def test_the_tangential_force_is_a_share_of_the_upward_force():
    fits = support.tangential_limit(np.array([200.0, 100.0, 1000.0]), UP, 0.25)
    np.testing.assert_allclose(fits, [200.0, 100.0, 1000.0])
    scaled = support.tangential_limit(np.array([300.0, 400.0, 1000.0]), UP, 0.25)
    np.testing.assert_allclose(scaled, [150.0, 200.0, 1000.0])
    none = support.tangential_limit(np.array([300.0, 400.0, -50.0]), UP, 0.25)
    np.testing.assert_allclose(none, [0.0, 0.0, -50.0])


@pytest.mark.row("B141")
def test_a_tighter_footprint_has_less_torque():
    points = np.array([[8.0, 1.0, 0.0], [-3.0, 7.0, 0.0], [-4.0, -8.0, 0.2]])
    wide = support.torque_budget(points, 6e4, 0.25)
    tight = support.torque_budget(points.mean(axis=0) + 0.5 * (points - points.mean(axis=0)), 6e4, 0.25)
    assert tight == pytest.approx(0.5 * wide)
    assert support.torque_budget(points, -1.0, 0.25) == 0.0


@pytest.mark.row("B144")
def test_actions_with_their_reactions_leave_no_residual_force():
    points = np.array([[8.0, 1.0, 0.0], [-3.0, 7.0, 0.0], [-4.0, -8.0, 0.2]])
    body = np.array([0.0, 0.0, 9.5])
    force, torque = np.array([900.0, -300.0, 6e4]), np.array([2e3, -1e3, 500.0])
    shares = support.balanced_share(force, torque, points, body)
    forces, centres = np.vstack([force, -shares]), np.vstack([body, points])
    torques = np.vstack([torque, np.zeros((3, 3))])
    residual = support.residual_wrench(forces, torques, centres, body)
    assert np.linalg.norm(residual[:3]) <= 1e-9 * np.linalg.norm(force)
    assert np.linalg.norm(residual[3:]) <= 1e-4 * 9.0 * np.linalg.norm(force)
    # a force without its reaction shows
    alone = support.residual_wrench(forces[:1], torques[:1], centres[:1], body)
    np.testing.assert_allclose(alone[:3], force)

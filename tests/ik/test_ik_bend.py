"""The side a knee goes to."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ik_machines import quaternion, rig_of, turned

from footfall.frames import arrays
from footfall.ik.bend import bend_direction, carry_across
from footfall.rig import Leg

IDENTITY = (1.0, 0.0, 0.0, 0.0)


def unit(v):
    return np.asarray(v) / np.linalg.norm(v)


def record(pole, rest=(0.0, 0.3)):
    return rig_of(Leg("leg", (0.0, 0.2, 0.0), rest, (0.5, 0.5), pole=pole)).leg_table[0]


POLES = [(1.0, 0.0, 0.0), (1.0, 0.0, -0.6), (0.3, 0.2, 1.0), (0.0, 1.0, 1.0), (-1.0, 0.3, 0.4)]
components = st.floats(-1.0, 1.0)


@pytest.mark.nojit
@settings(max_examples=200, deadline=None)
@given(st.tuples(components, components, components), st.integers(0, 4), st.integers(0, 10))
def test_the_bend_is_a_unit_vector_across_the_leg(direction, pole, seed):
    if np.linalg.norm(direction) < 1e-3:
        return
    d = unit(direction)
    q = quaternion(np.random.default_rng(seed))
    bend = np.array(bend_direction(record(POLES[pole]), tuple(q), tuple(d)))
    assert np.linalg.norm(bend) == pytest.approx(1.0, abs=1e-14)
    assert abs(bend @ d) < 1e-14


@pytest.mark.nojit
def test_carrying_across_is_the_smallest_rotation():
    rng = np.random.default_rng(0)
    for _ in range(50):
        start, end = unit(rng.normal(size=3)), unit(rng.normal(size=3))
        across = unit(np.cross(start, rng.normal(size=3)))
        axis = np.cross(start, end)
        angle = math.atan2(np.linalg.norm(axis), start @ end)
        expected = turned(across, unit(axis), angle)
        np.testing.assert_allclose(carry_across(tuple(start), tuple(end), tuple(across)), expected, atol=1e-13)


def test_near_rest_the_knee_points_to_the_pole():
    for pole in POLES:
        leg = record(pole)
        rest, full = leg["hip_to_rest"].copy(), math.acos(leg["cone_full"])
        for seed in range(20):
            axis = unit(np.cross(rest, np.random.default_rng(seed).normal(size=3)))
            d = turned(rest, axis, 0.99 * full)
            expected = unit(leg["pole"] - d * (leg["pole"] @ d))
            np.testing.assert_allclose(bend_direction(leg, IDENTITY, tuple(d)), expected, atol=1e-12)


@pytest.mark.case("FC-C04")
def test_the_bend_never_flips_on_any_great_circle():
    """Turn per step is at most what the formula's parts allow; in degrees, far from a flip."""
    rng = np.random.default_rng(3)
    step = 1e-3
    worst = 0.0
    for pole in POLES:
        leg = record(pole)
        rest = leg["hip_to_rest"].copy()
        to_pole = math.acos(abs(float(rest @ leg["pole"])))
        width = leg["cone_full"] - leg["cone_none"]
        circles = [unit(rng.normal(size=3)) for _ in range(12)]
        circles.append(unit(np.cross(leg["pole"], rest)))  # through rest, both poles and straight opposite to rest
        circles.append(unit(np.cross(leg["pole"], np.cross(leg["pole"], rest))))  # through both poles, past rest
        for axis in circles:
            start = unit(np.cross(axis, rng.normal(size=3)))
            angles = np.arange(0.0, 2.0 * np.pi, step)
            path = np.cos(angles)[:, None] * start + np.sin(angles)[:, None] * np.cross(axis, start)
            bends = np.array([bend_direction(leg, IDENTITY, tuple(d)) for d in path])
            assert np.isfinite(bends).all()
            theta = np.arccos(np.clip(path @ rest, -1.0, 1.0))
            turn = 2.0 * np.arcsin(np.clip(0.5 * np.linalg.norm(np.diff(bends, axis=0), axis=1), 0.0, 1.0))
            near = np.maximum(theta[1:], theta[:-1])
            carried = np.tan(0.5 * np.minimum(near, math.radians(170.0)))  # holonomy of carrying without twist
            poled = 1.0 / math.tan(0.1 * to_pole)  # turn of the pole's part, at the widest cone
            blended = 0.5 * math.pi * 1.5 * math.sin(0.9 * to_pole) / width  # the weight's slope, a right angle apart
            wide = 1.0 + carried + 2.0 * (poled + blended)
            bound = np.where(np.cos(theta[1:]) < leg["cone_none"] - step, 1.0 + carried, wide)
            away = near < math.radians(169.0)
            assert (turn[away] <= step * bound[away] * 1.01).all()
            worst = max(worst, float(turn[away].max()))
    assert worst < math.radians(15.0)  # a flip would be up to 180 degrees


def test_the_bend_is_finite_straight_opposite_to_rest():
    for pole in POLES:
        leg = record(pole)
        for nudge in (0.0, 1e-16, 1e-12, 1e-9):
            d = unit(-leg["hip_to_rest"] + np.array([nudge, -nudge, 0.0]))
            bend = np.array(bend_direction(leg, IDENTITY, tuple(d)))
            assert np.isfinite(bend).all() and abs(np.linalg.norm(bend) - 1.0) < 1e-9


def test_a_pole_along_the_leg_at_rest_still_gives_one_bend():
    leg = record((0.0, 0.1 / math.hypot(0.1, 0.8), -0.8 / math.hypot(0.1, 0.8)))
    bends = [np.array(bend_direction(leg, IDENTITY, tuple(unit(leg["hip_to_rest"] + d)))) for d in np.eye(3) * 1e-3]
    assert all(bends[0] @ bend > 0.99 for bend in bends)


def test_the_bend_turns_with_the_trunk():
    rng = np.random.default_rng(5)
    leg = record(POLES[1])
    for _ in range(30):
        q, d = quaternion(rng), unit(rng.normal(size=3))
        here = bend_direction(leg, IDENTITY, tuple(d))
        there = bend_direction(leg, tuple(q), tuple(arrays.rotate(q, d)))
        np.testing.assert_allclose(there, arrays.rotate(q, np.array(here)), atol=1e-12)

"""Two bones, and three that a pantograph makes two."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ik_machines import LEGS, Bench, quaternion, rig_of

from footfall.ik.two_bone import hip_offset, knee_angle, knee_place
from footfall.rig import Leg, Solver

lengths = st.floats(0.05, 5.0)


@pytest.mark.nojit
@pytest.mark.row("A27")
@settings(max_examples=200, deadline=None)
@given(lengths, lengths, st.floats(0.0, 1.0))
def test_knee_angle_is_that_of_the_triangle(a, b, share):
    low, high = abs(a - b) + 0.001, a + b - 0.001
    d = low + share * (high - low)
    knee = np.array(knee_angle(a, b, d))
    third = np.hypot(a - b * np.cos(knee), b * np.sin(knee))  # side opposite to the knee, from coordinates
    assert third**2 == pytest.approx(d**2, abs=1e-14 * (a + b) ** 2)  # acos: float error of its argument


@pytest.mark.nojit
@pytest.mark.row("A27", "A28")
@pytest.mark.parametrize("d", [0.0, 1e-300, 1e-9, 1e-3, 0.1, 9.0, 10.0 * (0.7 + 0.7), 1e300])
@pytest.mark.parametrize(("a", "b"), [(0.7, 0.7), (0.9, 0.3), (0.3, 0.9)])
def test_the_angles_are_finite_at_every_distance(a, b, d):
    assert 0.0 <= knee_angle(a, b, d) <= math.pi
    assert 0.0 <= hip_offset(a, b, d) <= math.pi


@pytest.mark.row("A28")
@settings(max_examples=200, deadline=None)
@given(lengths, lengths, st.floats(0.0, 1.0))
def test_a_leg_laid_out_with_both_angles_ends_at_the_ankle(a, b, share):
    low, high = abs(a - b) + 0.001, a + b - 0.001
    d = low + share * (high - low)
    hip, knee = hip_offset(a, b, d), knee_angle(a, b, d)
    thigh = a * np.array([math.cos(hip), math.sin(hip)])
    shin = b * np.array([math.cos(hip - (math.pi - knee)), math.sin(hip - (math.pi - knee))])
    np.testing.assert_allclose(thigh + shin, [d, 0.0], atol=1e-7 * (a + b))  # acos loses half its digits at a limit


@pytest.mark.nojit
@settings(max_examples=200, deadline=None)
@given(lengths, lengths, st.floats(0.0, 1.0))
def test_the_knee_keeps_both_bones_at_every_span(a, b, share):
    span = abs(a - b) + share * (a + b - abs(a - b))
    along, across = knee_place(a, b, span)
    assert math.hypot(along, across) == pytest.approx(a, rel=1e-14)
    assert math.hypot(span - along, across) == pytest.approx(b, rel=0.0, abs=1e-13 * (a + b))
    assert across >= 0.0


def one_leg(a, b, **more):
    return Bench(rig_of(Leg("leg", (0.0, 0.0, 0.0), (0.0, 0.0), (a, b), **more)))


@pytest.mark.case("FC-C01")
@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (0.6, 0.4), (0.4, 0.6)])
def test_at_the_edge_of_reach_the_excess_is_exact(a, b):
    bench = one_leg(a, b)
    reach = a + b
    tries = np.concatenate([np.arange(0.90, 1.1005, 0.001) * reach, abs(a - b) + np.arange(-0.001, 0.0011, 1e-4)])
    for d in tries[tries >= 0.0]:
        goal = np.array([0.0, 0.0, 0.8 - d])
        joints, hinges, excess = bench.solve(goal)
        assert np.isfinite(joints).all() and np.isfinite(hinges).all()
        beyond = max(d - reach, abs(a - b) - d, 0.0)
        assert excess[0] == pytest.approx(beyond, abs=1e-15)
        assert np.linalg.norm(joints[-1] - goal) == pytest.approx(beyond, abs=1e-15)
        np.testing.assert_allclose(np.linalg.norm(np.diff(joints, axis=0), axis=1), [a, b], rtol=1e-12)


@pytest.mark.case("FC-C01")
def test_the_knee_turns_no_faster_than_its_limit_allows():
    """Rate d / (a b sin knee) against the measured rate; bounded where the knee stays below knee_max."""
    a = b = 0.5
    bench = one_leg(a, b)
    table = bench.rig.leg_table[0]

    def knee(d):
        joints, _, _ = bench.solve(np.array([0.0, 0.0, 0.8 - d]))
        u, v = joints[0] - joints[1], joints[2] - joints[1]
        return math.atan2(np.linalg.norm(np.cross(u, v)), u @ v)

    for d, rate in ((0.90, 0.26), (0.99, 0.79), (0.999, 2.1)):  # field case, degrees a millimetre
        measured = math.degrees((knee(d) - knee(d - 0.001 if d > 0.99 else d - 1e-6)) / (1.0 if d > 0.99 else 1e-3))
        assert measured == pytest.approx(rate, rel=0.05)
    cap = table["reach_max"] / (a * b * math.sin(table["knee_max"]))
    spans = np.arange(0.5, table["reach_max"], 1e-4)
    rates = np.diff([knee(d) for d in spans]) / np.diff(spans)
    print(f"knee rate up to {math.degrees(rates.max()) / 1000:.2f} deg/mm, cap {math.degrees(cap) / 1000:.2f}")
    assert rates.max() <= cap


@pytest.mark.nojit
@pytest.mark.row("A26")
def test_a_pantograph_keeps_thigh_and_metatarsus_parallel_and_meets_the_goal():
    leg = LEGS["pantograph"]
    bench = Bench(rig_of(leg))
    rng = np.random.default_rng(2)
    table = bench.rig.leg_table[0]
    for _ in range(200):
        bench.trunks["rotation"][0, 0] = quaternion(rng)
        direction = rng.normal(size=3)
        hip = bench.solve(np.zeros(3))[0][0]
        ankle = hip + direction / np.linalg.norm(direction) * rng.uniform(table["reach_min"], table["reach_max"])
        sole = ankle - np.array([0.0, 0.0, leg.foot_height])
        joints, _, excess = bench.solve(sole)
        bones = np.diff(joints, axis=0)
        thigh, metatarsus = bones[0] / leg.segments[0], bones[2] / leg.segments[2]
        assert np.linalg.norm(np.cross(thigh, metatarsus)) < 1e-12 and thigh @ metatarsus > 0.0
        np.testing.assert_allclose(np.linalg.norm(bones, axis=1), bench.lengths(0), rtol=1e-12)
        np.testing.assert_allclose(joints[-1], sole, atol=1e-14)
        assert excess[0] == 0.0


def test_bones_of_no_length_and_a_goal_on_the_hip_stay_finite():
    for a, b in ((0.0, 0.5), (0.5, 0.0), (0.0, 0.0), (0.5, 0.5)):
        bench = one_leg(0.5, 0.5)
        segments = bench.rig.segment_table.copy()
        segments["length"] = a, b
        segments.flags.writeable = False
        object.__setattr__(bench.rig, "segment_table", segments)
        for d in (0.0, 1e-200, 1e-12, 0.3, 2.0):
            goal = np.array([0.0, 0.0, 0.8 - d])
            joints, hinges, excess = bench.solve(goal)
            assert np.isfinite(joints).all() and np.isfinite(hinges).all()
            np.testing.assert_allclose(np.linalg.norm(np.diff(joints, axis=0), axis=1), [a, b], atol=1e-15)
            assert excess[0] == pytest.approx(max(d - a - b, abs(a - b) - d, 0.0), abs=1e-15)
            assert np.linalg.norm(joints[-1] - goal) == pytest.approx(excess[0], abs=1e-15)


def test_the_knee_goes_to_the_poles_side():
    for solver, pole in ((Solver.two_bone, (1.0, 0.0, 0.0)), (Solver.two_bone, (-1.0, 0.0, 0.0))):
        bench = Bench(rig_of(Leg("leg", (0.0, 0.0, 0.0), (0.0, 0.0), (0.5, 0.5), solver=solver, pole=pole)))
        joints, hinges, _ = bench.solve(np.zeros(3))
        assert (joints[1] - 0.5 * (joints[0] + joints[2])) @ pole > 0.1
        bone = joints[1] - joints[0]
        assert np.cross(bone, hinges[0]) @ pole > 0.0  # z of the bone's frame

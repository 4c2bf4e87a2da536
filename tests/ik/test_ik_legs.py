"""All solvers behind one call."""

from __future__ import annotations

import dataclasses
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ik_machines import LEGS, Bench, circle, quaternion, rig_of, scaled

from footfall.ik.legs import fresh_memory, solve_legs
from footfall.reach import solved_end
from footfall.rig import Leg, Solver
from footfall.state import FOOT, POSE

ALL = tuple(LEGS.values())


def rest_of(*legs):
    return np.array([[*leg.rest, 0.0] for leg in legs])


@pytest.mark.nojit
@pytest.mark.parametrize("name", LEGS)
def test_a_walking_sole_is_exactly_on_its_goal(name):
    leg = LEGS[name]
    bench = Bench(rig_of(leg))
    for goal in circle(leg, 60):
        joints, _, excess = bench.solve(goal)
        assert np.linalg.norm(joints[-1] - goal) < 1e-10
        assert excess[0] < 1e-10 and bench.feet["excess"][0, 0] == excess[0]
        np.testing.assert_allclose(np.linalg.norm(np.diff(joints, axis=0), axis=1), bench.lengths(0), rtol=1e-12)
        np.testing.assert_allclose(joints[0], np.array(leg.hip) + [0.0, 0.0, 0.8], atol=1e-15)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(LEGS)), st.integers(0, 10_000), st.floats(0.0, 3.0))
def test_whatever_is_asked_bones_keep_their_lengths_and_the_excess_is_the_miss(name, seed, spread):
    leg = LEGS[name]
    bench = Bench(rig_of(leg))
    rng = np.random.default_rng(seed)
    bench.trunks["rotation"][0, 0] = quaternion(rng)
    bench.headings[0] = quaternion(rng)
    normal = rng.normal(size=3)
    bench.feet["normal"][0, 0] = normal / np.linalg.norm(normal)
    bench.feet["lift"], bench.kneel[0] = rng.uniform(), rng.uniform()
    for _ in range(3):
        goal = spread * rng.normal(size=3)
        joints, hinges, excess = bench.solve(goal)
        assert np.isfinite(joints).all() and np.isfinite(hinges).all() and np.isfinite(bench.memory).all()
        bones = np.diff(joints, axis=0)
        np.testing.assert_allclose(np.linalg.norm(bones, axis=1), bench.lengths(0), rtol=1e-12)
        assert np.linalg.norm(joints[-1] - goal) == pytest.approx(excess[0], abs=1e-12)
        np.testing.assert_allclose(np.linalg.norm(hinges, axis=1), 1.0, atol=1e-12)
        assert np.abs((hinges * bones).sum(axis=1)).max() < 1e-12  # x and y of each bone's frame are across
        if leg.foot_height > 0.0:
            np.testing.assert_allclose(bones[-1], -leg.foot_height * bench.feet["normal"][0, 0], atol=1e-14)


@pytest.mark.parametrize("name", ["two_bone", "pantograph", "three_segment", "fabrik"])
def test_the_excess_is_nothing_wherever_reach_says_so(name):
    leg = LEGS[name]
    bench = Bench(rig_of(leg))
    table, segments = bench.rig.leg_table[0], bench.rig.segment_table
    rng = np.random.default_rng(11)
    within = 0
    for _ in range(500):
        goal = np.array([*leg.rest, 0.0]) + rng.normal(size=3) * 0.5
        joints, _, excess = bench.solve(goal)
        end = solved_end(table, segments, (1.0, 0.0, 0.0, 0.0), tuple(goal), (0.0, 0.0, 1.0), 0.0, 0.0)
        if table["reach_min"] <= math.dist(joints[0], end) <= table["reach_max"]:
            within += 1
            assert excess[0] == 0.0
    assert within > 100


@pytest.mark.case("FC-C07")
@pytest.mark.parametrize("name", LEGS)
def test_feet_a_fifth_out_of_reach_for_a_second_stretch_no_bone(name):
    leg = LEGS[name]
    bench = Bench(rig_of(leg))
    hip = np.array(leg.hip) + [0.0, 0.0, 0.8]
    out = np.array([*leg.rest, 0.0]) - hip
    goal = hip + out / np.linalg.norm(out) * 1.2 * (sum(leg.segments) + leg.foot_height)
    for tick in range(60):
        joints, _, excess = bench.solve(goal + [0.0, 0.001 * tick, 0.0])
        np.testing.assert_allclose(np.linalg.norm(np.diff(joints, axis=0), axis=1), bench.lengths(0), rtol=1e-12)
        assert excess[0] > 0.1


@pytest.mark.case("FC-C04")
@pytest.mark.parametrize("name", LEGS)
def test_a_goal_on_the_hip_leaves_the_other_legs_alone(name):
    legs = tuple(dataclasses.replace(leg, name=f"{leg.name}_leg") for leg in ALL)
    bench, alone = Bench(rig_of(*legs)), Bench(rig_of(*legs))
    index = list(LEGS).index(name)
    soles = rest_of(*legs)
    expected, _, _ = alone.solve(soles)
    soles[index] = np.array(legs[index].hip) + [0.0, 0.0, 0.8]
    joints, hinges, _ = bench.solve(soles)
    assert np.isfinite(joints).all() and np.isfinite(hinges).all()
    for other in range(len(legs)):
        if other != index:
            rows, _ = bench.rows(other)
            assert joints[rows].tobytes() == expected[rows].tobytes()


@pytest.mark.nojit
@pytest.mark.parametrize("name", LEGS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e200])
def test_a_goal_that_is_no_number_harms_nothing_but_its_own_tick(name, bad):
    bench = Bench(rig_of(LEGS[name]))
    rest = rest_of(LEGS[name])[0]
    bench.solve(rest)
    joints, _, excess = bench.solve(np.array([bad, 0.0, 0.0]))
    assert not excess[0] < 1e100 and np.isfinite(bench.memory).all()
    if LEGS[name].foot_height == 0.0:
        assert np.isfinite(joints).all()
    joints, _, excess = bench.solve(rest)
    assert excess[0] < 1e-10 and np.linalg.norm(joints[-1] - rest) < 1e-10


@pytest.mark.case("FC-C10")
@pytest.mark.parametrize("name", LEGS)
@pytest.mark.parametrize("factor", [0.01, 100.0])
def test_a_scaled_rig_moves_alike(name, factor):
    leg = LEGS[name]
    bench, other = Bench(rig_of(leg)), Bench(rig_of(scaled(leg, factor), height=0.8 * factor), height=0.8 * factor)
    for goal in np.concatenate([circle(leg, 60)] * 3):
        joints, hinges, _ = bench.solve(goal)
        scaled_joints, scaled_hinges, _ = other.solve(goal * factor)
        np.testing.assert_allclose(scaled_joints / factor, joints, atol=1e-9)
        np.testing.assert_allclose(scaled_hinges, hinges, atol=1e-8)


@pytest.mark.case("FC-C08")
@pytest.mark.parametrize("name", ["two_bone", "pantograph", "three_segment", "fabrik"])
def test_the_hinge_is_across_the_plane_of_the_leg_for_goals_all_round(name):
    leg = LEGS[name]
    bench = Bench(rig_of(leg))
    for goal in circle(leg, 90):
        joints, hinges, _ = bench.solve(goal)
        normal = np.cross(joints[1] - joints[0], joints[2] - joints[1])
        normal /= np.linalg.norm(normal)
        for hinge in hinges[:2]:
            assert abs(abs(normal @ hinge) - 1.0) < 1e-9
        line = joints[2] - joints[0]
        bend = joints[1] - joints[0] - line * ((joints[1] - joints[0]) @ line) / (line @ line)
        assert np.cross(line, hinges[0]) @ bend > 0.0  # z of the frame is the side that the knee goes to


def test_a_batch_is_its_agents_run_alone():
    legs = tuple(dataclasses.replace(leg, name=f"{leg.name}_leg") for leg in ALL)
    rig = rig_of(*legs)
    rng = np.random.default_rng(12)
    agents = 5
    trunks, feet = np.zeros((agents, 1), POSE), np.zeros((agents, len(legs)), FOOT)
    headings, kneel = np.zeros((agents, 4)), rng.uniform(size=agents)
    feet["normal"] = (0.0, 0.0, 1.0)
    memory = fresh_memory(rig, agents)
    single = [memory[i : i + 1].copy() for i in range(agents)]
    for _ in range(20):
        for agent in range(agents):
            q = np.array([1.0, 0.0, 0.0, 0.0]) + 0.1 * rng.normal(size=4)
            trunks["rotation"][agent, 0] = headings[agent] = q / np.linalg.norm(q)
            trunks["position"][agent, 0] = [0.0, 0.0, 0.8] + 0.05 * rng.normal(size=3)
            feet["sole"][agent] = rest_of(*legs) + 0.1 * rng.normal(size=(len(legs), 3))
            feet["lift"][agent] = rng.uniform(size=len(legs))
        joints, excess = solve_legs(rig, memory, trunks, headings, feet, kneel)
        for agent in range(agents):
            one = slice(agent, agent + 1)
            alone, alone_excess = solve_legs(
                rig, single[agent], trunks[one], headings[one], feet[one].copy(), kneel[one]
            )
            assert alone.position.tobytes() == joints.position[one].tobytes()
            assert alone.hinge.tobytes() == joints.hinge[one].tobytes()
            assert alone_excess.tobytes() == excess[one].tobytes()
            assert single[agent].tobytes() == memory[one].tobytes()


def test_a_foot_stands_on_its_normal():
    leg = LEGS["two_bone"]
    bench = Bench(rig_of(leg))
    normal = np.array([0.3, -0.2, 1.0]) / np.linalg.norm([0.3, -0.2, 1.0])
    bench.feet["normal"][0, 0] = normal
    joints, hinges, _ = bench.solve(np.array([0.1, 0.3, 0.0]))
    np.testing.assert_allclose(joints[-2] - joints[-1], leg.foot_height * normal, atol=1e-14)
    assert abs(hinges[-1] @ normal) < 1e-14 and hinges[-1] @ hinges[0] > 0.9


def test_a_leg_of_every_solver_shares_one_agents_arrays():
    """Legs write their own rows and nothing else, in any order of solvers."""
    order = [LEGS[name] for name in ("chain", "two_bone", "fabrik", "three_segment", "pantograph")]
    bench = Bench(rig_of(*order))
    joints, _, excess = bench.solve(rest_of(*order))
    assert excess.max() < 1e-10
    for index, leg in enumerate(order):
        alone, _, _ = Bench(rig_of(leg)).solve(np.array([*leg.rest, 0.0]))
        rows, _ = bench.rows(index)
        np.testing.assert_array_equal(joints[rows], alone)


def test_one_bone_points_at_its_goal():
    bench = Bench(rig_of(Leg("peg", (0.0, 0.0, 0.0), (0.0, 0.0), (0.8,), solver=Solver.fabrik)))
    joints, _, excess = bench.solve(np.array([0.3, 0.0, 0.0]))
    assert np.linalg.norm(joints[1] - joints[0]) == pytest.approx(0.8, rel=1e-14)
    assert excess[0] == pytest.approx(np.hypot(0.3, 0.8) - 0.8, abs=1e-14)


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="this is that run")
def test_the_marked_tests_pass_as_plain_python():
    """Kernels are Python too: no warning, no exception, the same results."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-m", "nojit", "-p", "no:cacheprovider", str(Path(__file__).parent)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout[-3000:]

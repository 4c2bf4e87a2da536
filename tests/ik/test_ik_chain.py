"""Chains of hinges with limits, against MuJoCo's forward kinematics."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from ik_machines import LEGS, Bench, circle, quaternion, rig_of

from footfall.frames import arrays
from footfall.frames.scalar import from_axes
from footfall.ik.chain import fold_angle, pose_chain, solve_symmetric
from footfall.rig import Hinge, Leg, Solver

CHAIN = LEGS["chain"]
QUEEN = Leg(  # front left leg of the scripted hexapod, reference algorithms 2.4
    "queen",
    (0.25, 0.35, 0.0),
    (1.0, 1.1),
    tuple(float(np.linalg.norm(v)) for v in ((0.3, 0.3, -0.15), (0.1, 0.1, -0.35), (0.02, 0.02, -0.25))),
    solver=Solver.chain,
    directions=((0.3, 0.3, -0.15), (0.1, 0.1, -0.35), (0.02, 0.02, -0.25)),
    hinges=(
        Hinge((0, 0, 1), math.radians(-30), math.radians(30)),
        Hinge((-1, 1, 0), math.radians(-80), 0.0, math.radians(-25)),
        Hinge((-1, 1, 0), 0.0, math.radians(70), math.radians(15)),
    ),
)
ARM = Leg(  # redundant
    "arm",
    (0.0, 0.2, 0.0),
    (0.1, 0.7),
    (0.1, 0.2, 0.3, 0.3, 0.2),
    solver=Solver.chain,
    directions=((0, 1, 0),) * 5,
    hinges=(
        Hinge((0, 0, 1), -1.5, 1.5),
        *(Hinge((1, 0, 0), -1.8, 1.8, rest) for rest in (0.5, -0.5, -0.5, -0.3)),
    ),
)


def limits(rig):
    table = rig.segment_table
    return table["lower"], table["upper"]


def angles(bench):
    """Joint angles of a bench's one leg."""
    return bench.memory[0, : len(bench.rig.legs[0].segments)]


def forward(rig, angles):
    """Soles of chain angles in the trunk's frame."""
    count = len(angles)
    joints, axes = np.zeros((count + 1, 3)), np.zeros((count, 3))
    end = pose_chain(rig.segment_table, 0, count, np.array(angles), 0, joints, 0, axes, 0)
    return np.array(end) + rig.leg_table["hip"][0]


def mujoco_model(leg):
    mujoco = pytest.importorskip("mujoco")
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    body = spec.worldbody
    place = np.array(leg.hip, dtype=float)
    for index, (length, direction, hinge) in enumerate(zip(leg.segments, leg.directions, leg.hinges, strict=True)):
        body = body.add_body(name=f"bone{index}", pos=place, mass=1.0, inertia=[1.0, 1.0, 1.0])
        body.add_joint(name=f"hinge{index}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=hinge.axis)
        place = length * np.array(direction) / np.linalg.norm(direction)
    body.add_site(name="sole", pos=place)
    model = spec.compile()
    return mujoco, model, mujoco.MjData(model)


@pytest.mark.case("FC-C08")
@pytest.mark.parametrize("leg", [CHAIN, QUEEN, ARM], ids=lambda leg: leg.name)
def test_joints_and_hinges_are_those_of_mujoco_at_the_solved_angles(leg):
    mujoco, model, data = mujoco_model(leg)
    bench = Bench(rig_of(leg), height=0.0)
    rng = np.random.default_rng(0)
    lower, upper = limits(bench.rig)
    for _ in range(50):
        goal = forward(bench.rig, rng.uniform(lower, upper))
        joints, hinges, excess = bench.solve(goal)
        data.qpos[:] = angles(bench)
        mujoco.mj_kinematics(model, data)
        np.testing.assert_allclose(joints[:-1], data.xanchor, atol=1e-12)
        np.testing.assert_allclose(joints[-1], data.site("sole").xpos, atol=1e-12)
        if excess[0] < 1e-7:
            np.testing.assert_allclose(data.site("sole").xpos, goal, atol=1e-7)
        for index, segment in enumerate(bench.rig.segment_table):
            turned = data.xmat[index + 1].reshape(3, 3) @ segment["across"]
            np.testing.assert_allclose(hinges[index], turned, atol=1e-12)


@pytest.mark.case("FC-C08")
def test_a_knees_hinge_stays_across_the_plane_of_the_bend():
    bench = Bench(rig_of(CHAIN))
    for goal in np.concatenate([circle(CHAIN, 120)] * 2):
        joints, hinges, _ = bench.solve(goal)
        normal = np.cross(joints[2] - joints[1], joints[3] - joints[2])
        normal /= np.linalg.norm(normal)
        assert abs(abs(normal @ hinges[2]) - 1.0) < 1e-12
        np.testing.assert_allclose(hinges[1], hinges[2], atol=1e-12)


@pytest.mark.nojit
@pytest.mark.parametrize("leg", [CHAIN, QUEEN, ARM], ids=lambda leg: leg.name)
def test_a_walking_foot_meets_every_goal_within_its_limits(leg):
    bench = Bench(rig_of(leg), height=0.0)
    lower, upper = limits(bench.rig)
    rest = np.array([hinge.rest for hinge in leg.hinges])
    swing = 0.3 * np.minimum(upper - rest, rest - lower)
    for tick in range(200):
        wanted = rest + swing * np.sin(2.0 * np.pi * tick / 60.0 + np.arange(len(rest)))
        goal = forward(bench.rig, wanted)
        joints, _, excess = bench.solve(goal)
        assert excess[0] < 1e-10 and np.linalg.norm(joints[-1] - goal) < 1e-10
        assert (angles(bench) >= lower).all() and (angles(bench) <= upper).all()
        np.testing.assert_allclose(np.linalg.norm(np.diff(joints, axis=0), axis=1), leg.segments, rtol=1e-12)
        if len(rest) == 3:  # no freedom: the angles themselves come back
            np.testing.assert_allclose(angles(bench), wanted, atol=1e-8)


@pytest.mark.parametrize("leg", [CHAIN, QUEEN, ARM], ids=lambda leg: leg.name)
def test_great_jumps_inside_the_limits_are_met(leg):
    bench = Bench(rig_of(leg), height=0.0)
    rng = np.random.default_rng(1)
    lower, upper = limits(bench.rig)
    missed = 0
    for _ in range(2000):
        goal = forward(bench.rig, rng.uniform(lower, upper))
        joints, _, excess = bench.solve(goal)
        assert np.linalg.norm(joints[-1] - goal) == pytest.approx(excess[0], abs=1e-12)
        assert (angles(bench) >= lower).all() and (angles(bench) <= upper).all()
        missed += excess[0] > 1e-7
    print(f"{leg.name}: {missed / 2000:.2%} of great jumps missed")
    assert missed <= 20


@pytest.mark.case("FC-C01")
def test_out_of_reach_the_chain_points_at_the_goal_and_the_excess_is_exact():
    free = dataclasses.replace(CHAIN, hinges=tuple(dataclasses.replace(h, lower=-3.0, upper=3.0) for h in CHAIN.hinges))
    bench = Bench(rig_of(free))  # its first bone stays level: only level goals straighten it
    reach = sum(free.segments)
    hip = np.array([0.0, 0.2, 0.8])
    direction = np.array([0.6, 0.8, 0.0])
    for d in np.concatenate([np.arange(0.9, 1.1, 0.002) * reach, [2.0 * reach, 20.0 * reach]]):
        for _ in range(3):
            joints, hinges, excess = bench.solve(hip + d * direction)
        assert np.isfinite(joints).all() and np.isfinite(hinges).all()
        assert excess[0] == pytest.approx(max(d - reach, 0.0), abs=1e-7)
        np.testing.assert_allclose(np.linalg.norm(np.diff(joints, axis=0), axis=1), free.segments, rtol=1e-12)


def test_at_a_limit_the_sole_is_as_near_as_the_limit_allows():
    """Oracle: scipy's bounded least squares over the angles."""
    least_squares = pytest.importorskip("scipy.optimize").least_squares

    bench = Bench(rig_of(QUEEN), height=0.0)
    lower, upper = limits(bench.rig)
    start = np.array([hinge.rest for hinge in QUEEN.hinges])
    for shift in ((0.0, -0.6, 0.0), (0.0, 0.0, -0.5), (0.5, 0.0, 0.0), (-0.4, 0.1, 0.3)):
        goal = forward(bench.rig, start) + shift
        for share in np.linspace(0.0, 1.0, 60):  # walk there
            joints, _, excess = bench.solve(forward(bench.rig, start) + share * np.array(shift))
        inside = np.clip(angles(bench), lower + 1e-9, upper - 1e-9)
        found = least_squares(
            lambda a, goal=goal: forward(bench.rig, a) - goal, inside, bounds=(lower, upper), xtol=1e-12, ftol=1e-14
        )
        assert excess[0] <= np.linalg.norm(found.fun) + 1e-5
        assert np.linalg.norm(joints[-1] - goal) == pytest.approx(excess[0], abs=1e-12)


@pytest.mark.case("FC-C06")
def test_an_unlimited_hinge_unwinds_five_turns_without_a_jump():
    hinges = (Hinge((0, 0, 1), -math.inf, math.inf), *CHAIN.hinges[1:])
    bench = Bench(rig_of(dataclasses.replace(CHAIN, hinges=hinges)))
    before = angles(bench).copy()
    steps = 5 * 90
    for tick in range(1, steps + 1):
        angle = 2.0 * np.pi * tick / 90.0
        bench.solve(np.array([0.0, 0.2, 0.0]) + 0.6 * np.array([-math.sin(angle), math.cos(angle), 0.2]))
        assert np.abs(angles(bench) - before).max() < (0.8 if tick == 1 else 0.1)
        before = angles(bench).copy()
    assert before[0] == pytest.approx(10.0 * np.pi, abs=1e-6)


@pytest.mark.case("FC-C06")
@pytest.mark.parametrize("turn", [math.radians(350.0), math.pi])
def test_a_hinge_with_more_than_a_turn_takes_the_equivalent_angle_inside_its_limits(turn):
    hinges = (Hinge((0, 0, 1), -turn, turn), *CHAIN.hinges[1:])
    bench = Bench(rig_of(dataclasses.replace(CHAIN, hinges=hinges)))
    before, frames = None, []
    for tick in range(5 * 90):
        angle = 2.0 * np.pi * tick / 90.0
        goal = np.array([0.0, 0.2, 0.0]) + 0.6 * np.array([-math.sin(angle), math.cos(angle), 0.2])
        joints, hinges_world, excess = bench.solve(goal)
        assert excess[0] < 1e-9 and abs(angles(bench)[0]) <= turn
        if before is not None and tick > 1:
            assert np.linalg.norm(joints - before, axis=1).max() < 0.1  # the pose does not jump
        before = joints
        x = (joints[1] - joints[0]) / np.linalg.norm(joints[1] - joints[0])
        frames.append(from_axes(tuple(x), tuple(hinges_world[0]), tuple(np.cross(x, hinges_world[0]))))
    rotations = arrays.continuous(np.array(frames))
    assert np.einsum("ij,ij->i", rotations[1:], rotations[:-1]).min() > 0.9


@pytest.mark.nojit
@pytest.mark.case("FC-C06")
def test_folding_an_angle_keeps_its_direction_where_the_range_is_a_turn():
    for angle in np.linspace(-30.0, 30.0, 241):
        folded = fold_angle(angle, -4.0, 3.0)
        assert -4.0 <= folded <= 3.0
        assert math.cos(folded - angle) == pytest.approx(1.0, abs=1e-12)
        assert fold_angle(angle, -1.0, 0.5) == min(max(angle, -1.0), 0.5)
        assert fold_angle(angle, -math.inf, math.inf) == angle


def test_a_redundant_chain_comes_back_to_the_same_angles_every_period():
    bench = Bench(rig_of(ARM))
    seen = []
    for tick in range(60 * 120):
        bench.solve(circle(ARM, 60)[tick % 60])
        if tick % 60 == 0:
            seen.append(angles(bench).copy())
    np.testing.assert_allclose(seen[-1], seen[20], atol=1e-9)


def test_the_same_goals_give_the_same_bits():
    runs = []
    for _ in range(2):
        bench = Bench(rig_of(CHAIN))
        runs.append(np.array([bench.solve(goal)[0] for goal in circle(CHAIN, 90)]))
    assert runs[0].tobytes() == runs[1].tobytes()


@pytest.mark.nojit
def test_the_small_linear_system_is_solved():
    rng = np.random.default_rng(8)
    for _ in range(50):
        m = rng.normal(size=(3, 3))
        a = m @ m.T + 0.1 * np.eye(3)
        b = rng.normal(size=3)
        x = solve_symmetric(a[0, 0], a[0, 1], a[0, 2], a[1, 1], a[1, 2], a[2, 2], tuple(b))
        np.testing.assert_allclose(x, np.linalg.solve(a, b), rtol=1e-9)


def test_the_trunk_carries_the_chain():
    rng = np.random.default_rng(9)
    here, there = Bench(rig_of(CHAIN)), Bench(rig_of(CHAIN))
    q, p = quaternion(rng), rng.normal(size=3)
    there.trunks["rotation"][0, 0], there.trunks["position"][0, 0] = q, p
    for goal in circle(CHAIN, 60):
        a, ha, _ = here.solve(goal)
        b, hb, _ = there.solve(p + arrays.rotate(q, goal - [0.0, 0.0, 0.8]))
        np.testing.assert_allclose(b, p + arrays.rotate(q, a - [0.0, 0.0, 0.8]), atol=1e-10)
        np.testing.assert_allclose(hb, arrays.rotate(q, ha), atol=1e-9)


@pytest.mark.case("FC-C04")
@pytest.mark.parametrize("lengths", [(0.3, 0.0, 0.6), (0.0, 0.5, 0.6), (0.0, 0.0, 0.0), (0.3, 0.5, 0.6)])
def test_bones_of_no_length_and_a_goal_on_the_root_are_finite_and_flagged(lengths):
    bench = Bench(rig_of(CHAIN))
    segments = bench.rig.segment_table.copy()
    segments["length"] = lengths
    segments.flags.writeable = False
    object.__setattr__(bench.rig, "segment_table", segments)
    hip = np.array([0.0, 0.2, 0.8])
    for d in (0.0, 1e-200, 1e-9, 0.4, 0.7, 2.0):
        goal = hip + d * np.array([0.1, 0.9, -0.3])
        for _ in range(3):
            joints, hinges, excess = bench.solve(goal)
            assert np.isfinite(joints).all() and np.isfinite(hinges).all() and np.isfinite(bench.memory).all()
            np.testing.assert_allclose(np.linalg.norm(np.diff(joints, axis=0), axis=1), lengths, atol=1e-12)
            assert np.linalg.norm(joints[-1] - goal) == pytest.approx(excess[0], abs=1e-12)


@pytest.mark.case("FC-C04")
def test_a_chain_of_one_bone_turns_as_near_as_its_hinge_allows():
    leg = Leg(
        "wheel", (0.0, 0.0, 0.0), (0.0, 0.5), (0.5,), solver=Solver.chain,
        directions=((0, 1, 0),), hinges=(Hinge((0, 0, 1), -1.0, 1.0),),
    )  # fmt: skip
    bench = Bench(rig_of(leg))
    for angle in np.linspace(-2.0, 2.0, 41):
        goal = np.array([-math.sin(angle), math.cos(angle), 0.0]) * 0.7 + [0.0, 0.0, 0.8]
        _, _, excess = bench.solve(goal)
        assert angles(bench)[0] == pytest.approx(min(max(angle, -1.0), 1.0), abs=1e-5)
        over = angle - min(max(angle, -1.0), 1.0)
        miss = math.hypot(0.7 - 0.5 * math.cos(over), 0.5 * math.sin(over))
        assert excess[0] == pytest.approx(miss, abs=1e-9)

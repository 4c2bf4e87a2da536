"""The articulated model: MuJoCo reads the same machine as we do, and its masses are those that were published."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import footfall as ff
from footfall.ik.forward import pose_angles
from footfall.ik.legs import fresh_memory, solve_legs
from footfall.io.mjcf import foot_name, to_mjcf
from footfall.machine import MachineFile, check_machine, load_machine
from footfall.state import FOOT, POSE

mujoco = pytest.importorskip("mujoco")

DEGREES = math.pi / 180.0


@pytest.fixture(scope="module")
def queen():
    return load_machine("queen")


@pytest.fixture(scope="module")
def model(queen):
    return mujoco.MjModel.from_xml_string(to_mjcf(queen.rig, queen.file.articulation, queen.name))


def mass_of(model, name):
    return float(model.body(name).mass[0])


def some_pose(model, seed):
    """A pose of the whole machine within the stops, ``qpos``."""
    random = np.random.default_rng(seed)
    q = np.zeros(model.nq)
    q[:3] = random.uniform(-2.0, 2.0, 3)
    q[3:7] = random.normal(size=4)
    q[3:7] /= np.linalg.norm(q[3:7])
    q[7:] = random.uniform(*model.jnt_range[1:].T)
    return q


def trunk_at(q):
    trunks = np.zeros((1, 1), POSE)
    trunks["position"], trunks["rotation"] = q[:3], q[3:7]
    return trunks


def test_the_model_has_the_published_size_and_masses(model):
    assert (model.nq, model.nv, model.nu, model.nbody) == (25, 24, 18, 26)
    # torso 10.98960; the first leg's upper 0.11192, middle 0.05174, lower 0.01533, foot 0.00524; five digits are given
    found = [mass_of(model, name) for name in ("torso", "left_front/0", "left_front/1", "left_front/2")]
    assert found == pytest.approx([10.98960, 0.11192, 0.05174, 0.01533], abs=5.1e-6)
    assert mass_of(model, foot_name("left_front")) == pytest.approx(0.00524, abs=5.1e-6)
    assert model.body_mass.sum() == pytest.approx(12.0866, abs=5e-5)


def test_masses_are_density_times_volume(model, queen):
    def capsule(radius, length):
        return math.pi * radius**2 * length + 4.0 / 3.0 * math.pi * radius**3

    plan = queen.file.articulation
    for leg in queen.rig.legs:
        for bone, (radius, length) in enumerate(zip(plan.bone_radii, leg.segments, strict=True)):
            want = plan.density * capsule(radius, length)
            assert mass_of(model, f"{leg.name}/{bone}") == pytest.approx(want, rel=1e-12)
        want = plan.density * 4.0 / 3.0 * math.pi * leg.foot_height**3
        assert mass_of(model, foot_name(leg.name)) == pytest.approx(want, rel=1e-12)
    ellipsoid = 4.0 / 3.0 * math.pi * 0.35 * 0.45 * 0.15 * 10.0  # the chassis at the density of the rest
    assert plan.solids[0].mass == pytest.approx(ellipsoid, abs=5e-9)


@pytest.mark.parametrize(
    ("leg", "axes", "stops"),
    [
        ("left_front", [(0, 0, 1), (-1, 1, 0), (-1, 1, 0)], [(-30, 30), (-80, 0), (0, 70)]),
        ("left_middle", [(0, 0, 1), (-1, 0, 0), (-1, 0, 0)], [(-30, 30), (-80, 0), (0, 100)]),
        ("left_rear", [(0, 0, 1), (1, 1, 0), (1, 1, 0)], [(-30, 30), (0, 80), (-70, 0)]),
        ("right_front", [(0, 0, 1), (1, 1, 0), (1, 1, 0)], [(-30, 30), (-80, 0), (0, 70)]),
        ("right_middle", [(0, 0, 1), (1, 0, 0), (1, 0, 0)], [(-30, 30), (-80, 0), (0, 100)]),
        ("right_rear", [(0, 0, 1), (-1, 1, 0), (-1, 1, 0)], [(-30, 30), (0, 80), (-70, 0)]),
    ],
)
def test_hinges_and_motors_are_the_published_ones(model, leg, axes, stops):
    for bone in range(3):
        joint = model.joint(f"{leg}/{bone}")
        axis = np.array(axes[bone], float)
        assert joint.axis == pytest.approx(axis / np.linalg.norm(axis), abs=1e-15)
        assert joint.range == pytest.approx(np.array(stops[bone]) * DEGREES, abs=1e-15)
        assert joint.damping[0] == (1.0 if bone == 0 else 10.0)
        assert joint.armature[0] == (1.0 if bone == 0 else 2.0)
        motor = model.actuator(f"{leg}/{bone}")
        assert motor.gear[0] == 120.0 and motor.ctrlrange.tolist() == [-1.0, 1.0]
        assert motor.trnid[0] == joint.id


def test_feet_hang_at_the_published_places_with_all_angles_zero(model):
    data = mujoco.MjData(model)
    data.qpos[3] = 1.0
    data.qpos[:3] = data.qpos[7:] = 0.0
    mujoco.mj_kinematics(model, data)
    for leg, want in {"left_front": (0.67, 0.77), "left_middle": (0.0, 0.98), "left_rear": (-0.67, 0.77)}.items():
        for side, name in ((1.0, leg), (-1.0, leg.replace("left", "right"))):
            # the file gives lengths of bones to 1e-9 m
            assert data.geom(foot_name(name)).xpos == pytest.approx([want[0], side * want[1], -0.75], abs=3e-9)


def test_solver_options_are_the_published_ones(model):
    assert model.opt.timestep == 0.002
    assert model.opt.integrator == mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    assert model.opt.solver == mujoco.mjtSolver.mjSOL_NEWTON
    assert model.opt.cone == mujoco.mjtCone.mjCONE_PYRAMIDAL
    assert model.opt.iterations == 200 and model.opt.gravity.tolist() == [0.0, 0.0, -9.81]


def test_legs_touch_the_floor_and_not_each_other(model):
    floor = model.geom("floor").id
    for geom in range(model.ngeom):
        if geom == floor:
            continue
        meets_floor = bool(model.geom_contype[geom] & model.geom_conaffinity[floor])
        meets_others = bool(np.any(model.geom_conaffinity[np.arange(model.ngeom) != floor]))
        carapace = model.geom_bodyid[geom] == model.body("torso").id and model.geom_size[geom, 0] == 0.55
        assert meets_floor != carapace and not meets_others


@pytest.mark.parametrize("seed", range(5))
def test_mujoco_and_the_rig_agree_on_where_every_joint_is(queen, model, seed):
    data = mujoco.MjData(model)
    data.qpos = some_pose(model, seed)
    mujoco.mj_kinematics(model, data)
    joints = pose_angles(queen.rig, trunk_at(data.qpos), data.qpos[7:].reshape(1, 6, 3), (0.0, 0.0, 1.0))
    ours = joints.position[0].reshape(6, 5, 3)
    for index, leg in enumerate(queen.rig.leg_names):
        # sums of a dozen products of numbers of about 3 m, each to 4e-16
        theirs = [data.body(f"{leg}/{bone}").xpos for bone in range(3)] + [data.geom(foot_name(leg)).xpos]
        assert np.abs(ours[index, :4] - theirs).max() < 5e-14
        assert ours[index, 4] == pytest.approx(theirs[3] - [0.0, 0.0, 0.05], abs=5e-14)
        axes = [data.xaxis[model.joint(f"{leg}/{bone}").id] for bone in (1, 2)]
        # knee and ankle turn across their bones: the hinge that fixes a bone's twist is the axis itself
        assert np.abs(joints.hinge[0].reshape(6, 4, 3)[index, 1:3] - axes).max() < 5e-14


@pytest.mark.parametrize("seed", range(5))
def test_angles_solved_for_mujocos_feet_bring_mujoco_to_the_same_feet(queen, model, seed):
    data = mujoco.MjData(model)
    data.qpos = some_pose(model, seed)
    mujoco.mj_kinematics(model, data)
    feet = np.zeros((1, 6), FOOT)
    up = (0.0, 0.0, 1.0)
    feet["normal"] = up
    feet["sole"][0] = [data.geom(foot_name(leg)).xpos - [0.0, 0.0, 0.05] for leg in queen.rig.leg_names]
    memory = fresh_memory(queen.rig, 1)
    heading = np.array([[1.0, 0.0, 0.0, 0.0]])
    joints, excess = solve_legs(queen.rig, memory, trunk_at(data.qpos), heading, feet, np.zeros(1))
    assert excess.max() < 1e-8
    goals = feet["sole"][0].copy()
    data.qpos[7:] = memory[0].reshape(6, 6)[:, :3].ravel()
    mujoco.mj_kinematics(model, data)
    theirs = [data.geom(foot_name(leg)).xpos - [0.0, 0.0, 0.05] for leg in queen.rig.leg_names]
    assert np.abs(theirs - goals).max() < 1e-8  # the solver ends within 1e-8 chain lengths
    angles = memory[0].reshape(1, 6, 6)[..., :3]
    again = pose_angles(queen.rig, trunk_at(data.qpos), angles, up)
    assert np.abs(again.position - joints.position).max() < 1e-12
    assert np.abs(again.hinge - joints.hinge).max() < 1e-12


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"damping": (1.0, 10.0)}, "articulation.damping has 2 numbers; bone_radii has 3"),
        ({"bone_radii": (0.1,), "damping": (1.0,), "armature": (1.0,)}, "legs[0].segments has 3 bones"),
    ],
)
def test_a_section_that_does_not_fit_the_legs_is_refused(queen, changes, fault):
    broken = dataclasses.replace(queen.file.articulation, **changes)
    faults = check_machine(dataclasses.replace(queen.file, articulation=broken))
    assert fault in [" ".join(found)[: len(fault)] for found in faults]


def test_legs_without_hinges_or_balls_are_refused(queen):
    def faults(file: MachineFile):
        return [" ".join(found) for found in check_machine(file)]

    spider = load_machine("spider").file
    assert any(
        line.startswith("legs[0].solver is 'fabrik'; articulation takes: chain")
        for line in faults(dataclasses.replace(spider, articulation=queen.file.articulation))
    )
    tip = dataclasses.replace(queen.file.legs[0], foot_height=0.0)
    file = dataclasses.replace(queen.file, legs=(tip, *queen.file.legs[1:]))
    assert any(line.startswith("legs[0].foot_height is 0") for line in faults(file))
    hinge = dataclasses.replace(tip.hinges[1], stops=(0.1, 0.5))
    bent = dataclasses.replace(queen.file.legs[0], hinges=(tip.hinges[0], hinge, tip.hinges[2]))
    file = dataclasses.replace(queen.file, legs=(bent, *queen.file.legs[1:]))
    assert any(line.startswith("legs[0].hinges[1].rest is -0.436") for line in faults(file))


def test_the_text_is_the_same_every_time_and_needs_no_mujoco_to_write(queen, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "mujoco", None)
    texts = {to_mjcf(ff.load_machine("queen").rig, queen.file.articulation, "queen") for _ in range(2)}
    assert len(texts) == 1 and texts.pop().startswith('<mujoco model="queen">')

"""The articulated baseline: a phase controller and motors walk the queen in MuJoCo as its makers published."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import sys

import numpy as np
import pytest
from baseline_runs import PRESETS, frames_of, walked

import footfall as ff
from footfall.drives.joint import (
    PhaseController,
    Simulation,
    draw_start_noise,
    gain_share,
    joint_phases,
    joint_targets,
    motor_commands,
)
from footfall.frames import arrays
from footfall.joint_run import run_joints
from footfall.machine import load_machine

pytest.importorskip("mujoco")

# Net way along x in 10 s [m]; publication, then the same code on MuJoCo 4.0.0 with seed 42, and without noise.
PUBLISHED = {"slow": 3.57, "medium": 4.73, "fast": 5.66}
SEED_42 = {"slow": 3.5700, "medium": 4.7295, "fast": 5.6628}
NO_NOISE = {"slow": 3.5654, "medium": 4.7351, "fast": 5.6725}

#: duty, hip amplitude, knee in swing and in stance, ankle lift of front, middle and rear, push [deg]
TABLE = {
    "slow": (0.65, 22, -40, 10, 30, 45, 30, 25),
    "medium": (0.60, 26, -45, 15, 35, 55, 35, 35),
    "fast": (0.55, 30, -50, 20, 40, 65, 40, 45),
}
LEGS = ("left_front", "left_middle", "left_rear", "right_front", "right_middle", "right_rear")
FIRST_TRIPOD = {"right_front", "left_middle", "right_rear"}


@pytest.fixture(scope="module")
def queen():
    return load_machine("queen")


@pytest.fixture(scope="module")
def runs(queen):
    """The three presets with the published start of seed 42, at 100 Hz."""
    return {preset: walked(frames_of(queen, preset, seed=42), queen.rig) for preset in PRESETS}


def simulation(queen, preset):
    controller = ff.load_scenario(f"tripod_{preset}").joint
    phases = joint_phases(queen.rig, controller)
    found = Simulation(queen.rig, queen.file.articulation, controller, phases, queen.name)
    found.start(np.zeros(3), 0.0)
    return found


def published_targets(preset, phase):
    """Angles by the published formulas, leg by leg [deg]."""
    duty, amplitude, flexion, extension, *lifts, push = TABLE[preset]
    found = []
    for leg in LEGS:
        u = (phase + (0.0 if leg in FIRST_TRIPOD else 0.5)) % 1.0
        sign = -1.0 if leg.startswith("left") else 1.0
        end = leg.partition("_")[2]
        stands = u < duty
        s = u / duty if stands else (u - duty) / (1.0 - duty)
        h, bell = (1.0 - 2.0 * s if stands else 2.0 * s - 1.0), math.sin(math.pi * s)
        lift = lifts[("front", "middle", "rear").index(end)]
        bend = extension if stands else flexion
        curl = {"front": push, "middle": 0.0, "rear": push}[end] if stands else lift
        if end == "rear":
            found.append([sign * amplitude * h, 25.0 - bend * bell, -15.0 - curl * bell])
        else:
            found.append([sign * amplitude * h, -25.0 + bend * bell, (15.0 if end == "front" else 30.0) + curl * bell])
    return np.array(found)


@pytest.mark.row("B57")
@pytest.mark.parametrize("preset", PRESETS)
def test_presets_have_the_published_figures(preset):
    found = ff.load_scenario(f"tripod_{preset}").joint
    assert found.frequency == 1.5
    names = ("hip_amplitude", "flexion", "extension", "lift_front", "lift_middle", "lift_rear", "push")
    figures = [found.duty_factor, *(math.degrees(getattr(found, name)) for name in names)]
    assert figures == pytest.approx(TABLE[preset], rel=1e-14)
    assert (found.settle_time, found.ramp_time, found.ramp_start) == (0.75, 1.0, 0.3)


@pytest.mark.row("B57")
def test_without_a_script_the_medium_preset_is_played():
    assert ff.load_scenario("tripod_medium").joint == PhaseController()


@pytest.mark.row("B56")
@pytest.mark.parametrize("preset", PRESETS)
def test_targets_are_the_published_formulas(queen, preset):
    controller = ff.load_scenario(f"tripod_{preset}").joint
    phases = joint_phases(queen.rig, controller)
    for phase in np.linspace(0.0, 1.0, 201):
        found = np.degrees(joint_targets(controller, phases, phase))
        assert found == pytest.approx(published_targets(preset, phase), abs=1e-11)


@pytest.mark.row("B56")
def test_two_tripods_take_turns_half_a_cycle_apart(queen):
    phases = joint_phases(queen.rig, PhaseController())
    assert {leg for leg, offset in zip(LEGS, phases.offset, strict=True) if offset == 0.0} == FIRST_TRIPOD
    assert set(phases.offset) == {0.0, 0.5}


@pytest.mark.row("B56")
def test_scripted_angles_swing_feet_forward_in_the_air_and_back_on_the_ground(queen):
    from footfall.ik.forward import pose_angles
    from footfall.state import POSE

    controller = PhaseController()
    phases = joint_phases(queen.rig, controller)
    trunks = np.zeros((1, 1), POSE)
    trunks["rotation"] = (1.0, 0.0, 0.0, 0.0)
    soles = queen.rig.leg_table["first_joint"] + queen.rig.leg_table["bones"]

    def feet(phase):
        angles = joint_targets(controller, phases, phase)[None]
        return pose_angles(queen.rig, trunks, angles, (0.0, 0.0, 1.0)).position[0, soles]

    for phase in np.linspace(0.0, 1.0, 40, endpoint=False):
        ahead = feet(phase + 1e-5)[:, 0] - feet(phase - 1e-5)[:, 0]
        u = (phase + phases.offset) % 1.0
        clear = (np.abs(u - controller.duty_factor) > 0.02) & (np.minimum(u, 1.0 - u) > 0.02)
        middle = np.array([leg.hip[0] == 0.0 for leg in queen.rig.legs])  # the others also push along their own plane
        assert ((ahead > 0.0) == (u >= controller.duty_factor))[clear & middle].all()


@pytest.mark.row("B55", "B56")
def test_commands_are_proportional_and_derivative_and_stay_within_one(queen):
    plan = queen.file.articulation
    random = np.random.default_rng(0)
    targets, angles = random.uniform(-3.0, 3.0, (2, 200))
    rates = random.uniform(-9.0, 9.0, 200)
    for share in (0.3, 1.0):
        wish = share * 0.8 * (targets - angles) - 0.18 * rates
        found = motor_commands(plan, share, targets, angles, rates)
        assert found == pytest.approx(np.maximum(-1.0, np.minimum(1.0, wish)), abs=1e-15)
    assert np.abs(found).max() == 1.0


def test_position_gain_grows_in_twenty_commands(queen):
    shares = [gain_share(PhaseController(), 0.05, count) for count in range(25)]
    want = [0.3 + 0.7 * (count + 1) / 20.0 for count in range(20)] + [1.0] * 5
    assert shares == pytest.approx(want, rel=1e-14)


@pytest.mark.row("B55")
def test_a_command_is_held_for_25_physics_steps_and_never_leaves_its_range(queen):
    run = simulation(queen, "fast")
    held = []
    for _ in range(60 * 25):
        run.advance(1)
        held.append(run.data.ctrl.copy())
    held = np.array(held).reshape(60, 25, 18)
    assert (held == held[:, :1]).all()
    assert np.abs(held).max() <= 1.0
    assert (np.abs(np.diff(held[:, 0], axis=0)).max(axis=1) > 0.0).all()
    assert run.model.opt.timestep * 25 == pytest.approx(0.05)


def test_the_joints_rest_for_three_quarters_of_a_second_while_the_phase_goes_on(queen):
    run = simulation(queen, "medium")
    rest = np.radians([[0, -25, 15], [0, -25, 30], [0, 25, -15]] * 2)
    for count in range(1, 18):
        run.advance(25)
        assert run.phase == pytest.approx(count * 1.5 * 0.05 % 1.0, abs=1e-12)
        assert (np.abs(run.targets - rest).max() < 1e-12) == (count <= 15)


@pytest.mark.row("B55", "B58")
@pytest.mark.parametrize("preset", PRESETS)
def test_net_way_in_ten_seconds_is_the_published_one(runs, preset):
    assert runs[preset].time[-1] == pytest.approx(10.0)
    assert runs[preset].net == pytest.approx(SEED_42[preset], abs=0.01)
    assert runs[preset].net == pytest.approx(PUBLISHED[preset], abs=0.10)


@pytest.mark.row("B58")
@pytest.mark.parametrize("preset", PRESETS)
def test_without_noise_and_with_other_seeds_the_way_is_within_its_spread(queen, preset):
    none, other = (walked(frames_of(queen, preset, seed=seed, rate=20), queen.rig) for seed in (None, 7))
    assert none.net == pytest.approx(NO_NOISE[preset], abs=0.01)
    assert other.net == pytest.approx(PUBLISHED[preset], abs=0.10)
    assert other.net != none.net


@pytest.mark.row("B58")
def test_the_published_noise_is_drawn_in_the_published_order():
    import numpy.random as random

    noise = draw_start_noise(np.random.default_rng(42), 18)
    again = random.Generator(random.PCG64(random.SeedSequence(42)))
    again.uniform(-0.02, 0.02, 7), again.uniform(-0.1, 0.1, 18), again.normal(size=6), again.normal(size=18)
    assert noise.height == again.uniform(-0.02, 0.02)
    assert (noise.angles == again.uniform(-0.1, 0.1, 18)).all()
    assert (noise.rates == again.normal(size=18) * 0.1).all()


@pytest.mark.parametrize("preset", PRESETS)
def test_the_queen_does_not_fall_and_keeps_its_course(runs, preset):
    run = runs[preset]
    late = run.time > 2.0
    tilt = 1.0 - 2.0 * (run.rotation[:, 1] ** 2 + run.rotation[:, 2] ** 2)
    assert tilt.min() > math.cos(math.radians(5.0))
    assert 0.67 < run.position[late, 2].min() and run.position[late, 2].max() < 0.76
    if preset == "medium":  # .693 to .711 as published: half a millimetre of rounding
        assert 0.6925 < run.position[late, 2].min() and run.position[late, 2].max() < 0.7115
    assert np.abs(run.position[:, 1]).max() < 0.1
    assert np.degrees(np.abs(arrays.yaw(run.rotation))).max() < 2.5


@pytest.mark.row("B56")
@pytest.mark.parametrize("preset", PRESETS)
def test_the_tripods_stand_in_turn(runs, preset):
    run = runs[preset]
    first = np.array([leg in FIRST_TRIPOD for leg in LEGS])
    lead = (run.planted[:, first].mean(axis=1) - run.planted[:, ~first].mean(axis=1))[run.time > 2.0]
    assert np.abs(lead).mean() > 0.75  # most of the time one tripod stands and the other does not
    # 100 frames are one cycle and a half, 200 are three
    assert np.corrcoef(lead[:-100], lead[100:])[0, 1] < -0.95
    assert np.corrcoef(lead[:-200], lead[200:])[0, 1] > 0.95


@pytest.mark.parametrize("preset", PRESETS)
def test_a_stance_a_cycle_is_counted_for_every_middle_leg(runs, preset):
    run = runs[preset]
    late = run.time > 2.0
    landings = (np.diff(run.planted[late].astype(int), axis=0) > 0).sum(axis=0)
    assert np.abs(landings[[1, 4]] - 1.5 * 8.0).max() <= 1  # 8 s at 1.5 Hz


def test_the_floor_carries_the_weight(queen):
    """Newton's second law: the floor's impulse is the weight's, and the change of momentum."""
    run = simulation(queen, "medium")
    run.advance(500)
    mujoco, mass = run.mujoco, float(run.model.body_mass.sum())

    def momentum():
        mujoco.mj_kinematics(run.model, run.data)
        mujoco.mj_comPos(run.model, run.data)
        mujoco.mj_comVel(run.model, run.data)
        mujoco.mj_subtreeVel(run.model, run.data)
        return mass * float(run.data.subtree_linvel[1, 2])

    before, impulse = momentum(), 0.0
    for _ in range(1000):
        run.advance(1)
        impulse += run.measure().load.sum() * 0.002
    # momentum of the free joint's rows is kept by each step; the mass centre's own velocity turns with the trunk: h · ω
    assert impulse == pytest.approx(mass * 9.81 * 2.0 + momentum() - before, rel=2e-3)


def test_velocities_are_the_rates_of_what_is_measured(queen):
    frames = frames_of(queen, "medium", seed=42, seconds=3.0, rate=500)
    run = walked(frames, queen.rig)
    heading = np.array([frame.motion["heading"][0] for frame in frames])
    moved = arrays.unrotate(heading[1:], np.diff(run.position, axis=0) * 500.0)
    # positions are stepped by the velocity after a step (semi-implicit Euler)
    assert np.abs(moved[:, :2] - run.velocity[1:]).max() < 1e-9
    yaw_rate = np.array([frame.motion["yaw_rate"][0] for frame in frames])
    turned = np.diff(np.unwrap(arrays.yaw(run.rotation))) * 500.0
    assert np.abs(turned - yaw_rate[1:]).max() < 2e-3 + 0.02 * np.abs(yaw_rate).max()


def test_frames_show_what_mujoco_has(queen):
    flat = ff.make_terrain("flat", queen.leg_length)
    run = run_joints(queen, flat, ff.load_scenario("tripod_medium"), seconds=1.5, seed=42)
    data = run.simulations[0].data
    metrics = ff.Metrics(queen, flat.world)
    for frame in run:
        metrics.add(frame, run.command)
        joints = frame.joints.position[0].reshape(6, 5, 3)
        for index, leg in enumerate(LEGS):
            theirs = [data.body(f"{leg}/{bone}").xpos for bone in range(3)]
            assert np.abs(joints[index, :3] - theirs).max() < 1e-13
        assert (frame.actual.trunks["position"][0, 0] == data.qpos[:3]).all()
        assert (frame.body["root_position"][0, :2] == data.qpos[:2]).all()
    found = metrics.result()
    assert found["e_ik_max_mm"] < 1e-9 and found["not_finite"] == 0
    assert found["e_track_max_mm"] > 10.0  # motors lag behind the script


def test_joints_keep_within_their_stops_but_for_what_soft_stops_give(queen, runs):
    lower, upper = np.array([[hinge.stops for hinge in leg.hinges] for leg in queen.rig.legs]).transpose(2, 0, 1)
    for run in runs.values():
        beyond = np.maximum(lower - run.angles, run.angles - upper)
        assert math.degrees(beyond.max()) < 2.0


def test_frame_rate_changes_nothing(queen):
    slow = walked(frames_of(queen, "fast", seconds=2.0, rate=20), queen.rig)
    quick = walked(frames_of(queen, "fast", seconds=2.0, rate=250), queen.rig)
    for a, b in zip(slow[:3], quick[:3], strict=True):
        assert np.abs(a[::2] - b[::25]).max() < 1e-15 or (a[::2] == b[::25]).all()


def test_a_saved_moment_replays_bit_for_bit(queen):
    run = simulation(queen, "medium")
    run.advance(1010)
    saved = run.save()
    run.advance(333)
    first = run.save()
    run.restore(saved)
    run.advance(333)
    assert (run.save() == first).all()
    other = simulation(queen, "medium")
    other.restore(saved)
    other.advance(333)
    assert (other.save() == first).all()


def test_a_batch_is_its_agents_alone(queen):
    two = frames_of(queen, "medium", seconds=1.0, agents=2, seed=42)
    alone = frames_of(queen, "medium", seconds=1.0, seed=42)
    for a, b in itertools.islice(zip(two, alone, strict=True), 0, None, 10):
        assert (a.joints.position[0] == b.joints.position[0]).all()
        assert (a.state.drive[0] == b.state.drive[0]).all()
    ways = [frame.actual.trunks["position"][:, 0] for frame in (two[0], two[-1])]
    assert np.abs((ways[1] - ways[0])[0] - (ways[1] - ways[0])[1]).max() > 1e-6  # the second has noise of its own
    assert np.linalg.norm(ways[0][1] - ways[0][0]) > 2.0


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"terrain": "rocks"}, "terrain is 'rocks'; the joint drive walks on: flat"),
        ({"machine": "crawler"}, "crawler has no articulation"),
        ({"rate": 60.0}, "rate is 60 Hz; allowed: 500 Hz or a whole part of it"),
        ({"rate": 0.0}, "rate is 0 Hz"),
        ({"rate": math.nan}, "rate is nan Hz"),
        ({"seconds": 0.0}, "seconds is 0"),
    ],
)
def test_what_cannot_be_done_is_refused_at_once(changes, words):
    machine = load_machine(changes.pop("machine", "queen"))
    ground = ff.make_terrain(changes.pop("terrain", "flat"), machine.leg_length)
    with pytest.raises(ff.FootfallError, match=words):
        run_joints(machine, ground, ff.load_scenario("tripod_slow"), **changes)


def test_legs_of_other_than_three_hinges_are_refused(queen):
    machine = dataclasses.replace(
        queen, rig=dataclasses.replace(queen.rig, legs=(dataclasses.replace(queen.rig.legs[0], segments=(1.0, 1.0)),))
    )
    with pytest.raises(ff.FootfallError, match="takes hip, knee and ankle"):
        run_joints(machine, ff.make_terrain("flat", 1.0), ff.load_scenario("tripod_slow"))


def test_without_mujoco_one_line_says_what_to_install(queen, monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(ff.FootfallError, match=r"pip install 'footfall\[physics\]'"):
        run_joints(queen, ff.make_terrain("flat", 1.0), ff.load_scenario("tripod_slow"))


def test_the_command_line_walks_by_joints_and_writes_every_file(tmp_path, capsys):
    from footfall.cli import main

    paths = [tmp_path / name for name in ("run.npz", "run.glb", "run.csv", "run.bvh", "run.html")]
    outs = [word for path in paths[:-1] for word in ("--out", str(path))]
    asked = ["walk", "queen", "--drive", "joint", "--scenario", "tripod_medium", "--seconds", "2", "--json"]
    assert main([*asked, *outs, "--report", str(paths[-1])]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["passed"] and found["rate"] == 100.0 and found["metrics"]["steps"] > 5
    assert all(path.stat().st_size > 1000 for path in paths)
    trace = dict(np.load(paths[0]))
    assert trace["t"][[0, -1]].tolist() == [0.0, 2.0] and len(trace["t"]) == 201
    assert np.abs(trace["root_position"][..., :2] - trace["body_position"][..., :2]).max() == 0.0
    assert np.abs(trace["sole"] - trace["joints"][..., -1, :]).max() == 0.0
    assert main(asked) == 0
    assert json.loads(capsys.readouterr().out)["state_hash"] == found["state_hash"]


@pytest.mark.parametrize("asked", [["--speed", "1"], ["--gait", "wave"], ["--yaw-rate", "5"], ["--jitter", "0.1"]])
def test_the_command_line_refuses_what_a_script_cannot_follow(asked, capsys):
    from footfall.cli import main

    assert main(["walk", "queen", "--drive", "joint", *asked]) == 2
    assert asked[0] in capsys.readouterr().err


def test_a_tripod_scenario_is_a_walk_for_any_machine(capsys):
    from footfall.cli import main

    assert main(["walk", "crawler", "--scenario", "tripod_fast", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["passed"] and found["seconds"] == 10.0 and found["metrics"]["airborne_max"] == 3

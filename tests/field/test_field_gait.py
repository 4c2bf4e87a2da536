"""Gait clock, stance, starting and stopping: the field cases A and the lag of C11."""

from __future__ import annotations

import dataclasses
import math
import time

import numpy as np
import pytest
from field_walks import changed, commands, frames_at, rest_places, stance_drift, walk

import footfall as ff
from footfall.frames import arrays
from footfall.gaits import LIBRARY, most_airborne, places
from footfall.machine import LegEntry, MachineFile, TrunkEntry, build_machine, check_machine
from footfall.rig import Solver
from footfall.world import Plane, build_world

MACHINES = [name for name in ff.machine_names() if ff.load_machine(name).ground]
QUICK = [name for name in MACHINES if name != "hexapod"]  # the giant takes minutes for it; see tests/hexapod


@pytest.fixture(scope="module")
def machines():
    return {name: ff.load_machine(name, drive="kinematic") for name in MACHINES}


@pytest.fixture(scope="module")
def flat():
    return build_world([Plane()])


@pytest.fixture(scope="module")
def straight(machines, flat):
    """The quadruped, 10 s at 1 m/s, at 240 Hz."""
    return walk(machines["quadruped"], flat, commands(machines["quadruped"], speed=1.0), frames_at(240, 10))


@pytest.mark.case("FC-A01")
def test_planted_soles_are_still_and_sweep_what_the_gait_asks_for(machines, straight):
    gait = machines["quadruped"].file.gait
    assert stance_drift(straight) <= 1e-6
    swept = []
    for leg in range(4):
        planted = ~straight.swinging[:, 0, leg]
        stance = straight.touchdowns[:, 0, leg]
        for number in range(2, stance.max()):  # whole stances at full speed
            rows = np.flatnonzero(planted & (stance == number))
            if straight.time[rows[0]] > 3.0:
                swept.append(straight.root[rows[-1], 0, 0] - straight.root[rows[0], 0, 0])
    assert len(swept) >= 4
    # a stance is whole to one frame at each end
    np.testing.assert_allclose(swept, gait.duty_factor * gait.stride, atol=2.0 / 240)


@pytest.mark.case("FC-A01")
@pytest.mark.parametrize("name", QUICK)
def test_no_stance_of_any_machine_drifts(machines, flat, name):
    machine = machines[name]
    walked = walk(machine, flat, commands(machine, speed=machine.file.cruise_speed), frames_at(240, 5))
    assert stance_drift(walked) <= 1e-6 and walked.steps[-1].min() >= 2


@pytest.mark.case("FC-A02")
def test_a_foot_goes_back_under_the_body_at_constant_speed(straight):
    """The horizontal way from root to sole is linear in time: sampled at 240 Hz, its rate is −1 m/s to 1e-6 m/s."""
    late = straight.time > 3.0
    relative = (straight.sole[..., 0] - straight.root[:, :, None, 0])[late]
    planted = (~straight.swinging)[late]
    both = planted[1:] & planted[:-1]
    rate = np.diff(relative, axis=0) * 240.0
    assert np.abs(rate[both] + 1.0).max() <= 1e-6
    # and so the angle at the hip is not: what a linear angle would give ripples by more than a tenth
    height = 2.5
    angle = np.arctan(relative[:, 0, 1] / height)
    turned = np.diff(angle)[both[:, 0, 1]]
    assert turned.max() - turned.min() > 0.02 * abs(turned.mean())


@pytest.mark.case("FC-A04")
@pytest.mark.slow
def test_ten_minutes_on_the_rhythm_is_what_it_was(machines, flat):
    spider = machines["spider"]
    gait = dataclasses.replace(spider.file.gait, clock=1)
    machine = build_machine(dataclasses.replace(spider.file, gait=gait))
    assert machine.constants.gaits["clock"][0] == 1
    asked = commands(machine, 2, speed=0.6)
    asked["yaw_rate"][1] = 0.1
    state = ff.initial_state(machine, flat, [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    rooms = [(ff.make_buffers(machine, state), ff.make_buffers(machine, state)) for _ in range(2)]
    legs = len(machine.rig.legs)
    steps = state.legs["steps"].copy()
    lifts = [[[] for _ in range(legs)] for _ in range(2)]
    landings = [[[] for _ in range(legs)] for _ in range(2)]
    most = 0
    for number in range(10 * 60 * 60):
        state = ff.step(machine, state, asked, flat, 1 / 60, buffers=rooms[number % 2]).state
        most = max(most, int(state.legs["swinging"].sum(axis=-1).max()))
        new = state.legs["steps"] != steps
        if new.any():
            for agent, leg in np.argwhere(new):
                lifts[agent][leg].append(float(state.legs["lift_off"][agent, leg]))
                landings[agent][leg].append(float(state.legs["touchdown"][agent, leg]))
            steps = state.legs["steps"].copy()
    assert most <= machine.airborne_limit
    for agent in range(2):
        offsets = []
        for begin, end in ((30.0, 60.0), (570.0, 600.0)):
            first = np.array([at for at in lifts[agent][0] if begin <= at < end])
            period = np.diff(first).mean()
            row = []
            for leg in range(legs):
                own = np.array([at for at in lifts[agent][leg] if first[0] <= at < first[-1]])
                phase = (own - first[np.searchsorted(first, own, side="right") - 1]) / period
                row.append(np.angle(np.exp(2j * np.pi * phase).mean()) / (2.0 * np.pi))
            offsets.append(np.array(row))
        apart = offsets[1] - offsets[0]
        apart -= np.round(apart)
        assert np.abs(apart).max() <= 0.05
        for leg in range(legs):
            stances = np.array(lifts[agent][leg][1:]) - np.array(landings[agent][leg][:-1])
            stances = stances[10:]  # at full speed
            assert stances.max() <= 2.0 * np.median(stances)  # nobody starves


def shoved(machine, flat, turn, way, seconds, frames=1, rate=60.0):
    """A hosted root that stands for 0.5 s, is moved by way [m] and turn [rad] within some frames, and stands again."""
    state = ff.initial_state(machine, flat, hosted=True)

    def asked(time, command, state):
        share = min(max((time - 0.5) * rate / frames, 0.0), 1.0)
        command["hosted"] = 1
        command["root_position"] = np.array([0.0, way * share, 0.0])
        command["root_rotation"] = arrays.about_z(np.float64(turn * share))

    return walk(machine, flat, asked, frames_at(rate, seconds), state)


@pytest.mark.case("FC-A05")
@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("kind", ["shoved sideways", "turned"])
def test_a_body_torn_away_from_all_its_feet_says_so_and_gathers_them(machines, flat, name, kind):
    machine = machines[name]
    legs = len(machine.rig.legs)
    if kind == "shoved sideways":
        way = 0.95 * machine.file.travel.teleport_distance * machine.leg_length
        walked = shoved(machine, flat, 0.0, way, 12.0)
    else:
        walked = shoved(machine, flat, math.radians(90.0), 0.0, 12.0, frames=6)
    assert walked.swinging.sum(axis=-1).max() <= machine.airborne_limit
    assert np.isfinite(walked.joints).all() and np.isfinite(walked.trunk["position"]).all()
    assert stance_drift(walked, walked.goal) <= 1e-6  # where they should be: a leg that cannot reach leaves its anchor
    # the body stays over the root: no jump to nowhere
    main = machine.rig.main_trunk
    away = walked.trunk["position"][:, 0, main, :2] - walked.root[:, 0, :2]
    assert np.linalg.norm(away, axis=-1).max() <= 0.3 * machine.leg_length
    # unsupported: some planted foot is out of reach, and fewer than the gait plants are within it, by the joints
    table = machine.rig.leg_table
    hips = walked.joints[:, 0, table["first_joint"]]
    beyond = np.linalg.norm(walked.goal[:, 0] - hips, axis=-1) - table["chain_length"] > 1e-9
    planted = ~walked.swinging[:, 0]
    lost = (planted & beyond).any(axis=-1) & ((planted & ~beyond).sum(axis=-1) < legs - machine.airborne_limit)
    told = walked.body["unsupported"][:, 0] != 0
    assert (told | ~lost).all()  # whoever is beyond the chain's whole length is beyond its reach
    if kind == "shoved sideways":
        assert lost.any() and walked.legs["rescues"][-1].sum() > 0
    assert not told[walked.time < 0.5].any() and not told[-60:].any()
    assert not (planted & beyond)[-60:].any() and not walked.swinging[-30:].any()


@pytest.mark.case("FC-A05")
def test_two_broken_legs_of_a_tripod_leave_three_feet_down(machines, flat):
    machine = machines["crawler"]
    offsets = machine.constants.offsets[0]
    broken = np.flatnonzero(offsets == offsets[0])[:2]
    hands = ff.no_hands(1, 6)
    rests = rest_places(machine)
    hands["held"][0, broken] = 1
    start = ff.initial_state(machine, flat)

    def asked(time, command, state):
        command["speed"] = 0.15
        root = state.body["root_position"][0]
        for leg in broken:
            hands["target"][0, leg] = root + [*(0.9 * rests[leg]), 0.08]

    walked = walk(machine, flat, asked, frames_at(60, 12), start, hands)
    assert walked.swinging.sum(axis=-1).max() <= 3
    assert stance_drift(walked) <= 1e-6 and np.isfinite(walked.joints).all()
    assert walked.root[-1, 0, 0] > 0.5  # it limps on


@pytest.mark.case("FC-A08")
@pytest.mark.parametrize("name", ["biped", "quadruped"])
def test_corrections_of_a_parked_root_move_no_foot_and_a_creep_does(machines, flat, name):
    machine = machines[name]
    random = np.random.default_rng(8)
    times = np.cumsum(random.uniform(0.5, 2.0, 200))
    spots = random.uniform(-1.0, 1.0, (201, 3)) * (0.0106, 0.0106, math.radians(0.25))  # up to 3 cm and 0.5° apart

    def parked(time, command, state):
        number = int(np.searchsorted(times, time, side="right"))
        share = min((time - times[number - 1]) / 0.1, 1.0) if number else 1.0
        x, y, yaw = spots[max(number - 1, 0)] + share * (spots[number] - spots[max(number - 1, 0)])
        command["hosted"], command["root_position"], command["root_rotation"] = 1, (x, y, 0.0), arrays.about_z(yaw)

    walked = walk(machine, flat, parked, frames_at(60, 60), ff.initial_state(machine, flat, hosted=True))
    assert walked.steps.max() == 0
    assert np.abs(walked.goal - walked.goal[0]).max() == 0.0 and np.abs(walked.sole - walked.sole[0]).max() <= 1e-6
    last = walked.root[-1, 0]

    def creep(time, command, state):
        command["hosted"], command["root_position"] = 1, last + (0.1 * (time - 60.0), 0.0, 0.0)
        command["root_rotation"] = walked.rotation[-1, 0]

    crept = walk(machine, flat, creep, frames_at(60, 10), walked.state)
    assert (crept.steps[-1] > 0).all() and stance_drift(crept) <= 1e-6
    rests = rest_places(machine)
    apart = np.linalg.norm(crept.goal[..., :2] - crept.root[:, :, None, :2] - rests, axis=-1)
    assert apart[~crept.swinging].max() <= 1.0  # nobody is dragged along or left behind


@pytest.mark.case("FC-A11")
@pytest.mark.parametrize("name", QUICK)
def test_turning_on_the_spot_steps_every_leg_and_slides_none(machines, flat, name):
    machine = machines[name]

    def turn(time, command, state):
        command["yaw_rate"] = math.radians(30.0) if time <= 6.0 else 0.0

    walked = walk(machine, flat, turn, frames_at(60, 14))
    assert stance_drift(walked) <= 1e-6
    yaw = np.unwrap(2.0 * np.arctan2(walked.rotation[:, 0, 3], walked.rotation[:, 0, 0]))
    assert yaw[-1] > math.radians(20.0)
    assert (walked.steps[-1] >= 1).all()
    assert np.abs(walked.root[-1, 0, :2]).max() <= 0.02 * machine.leg_length
    assert not walked.swinging[-60:].any() and (walked.body["cadence"][-60:] == 0.0).all()
    if machine.file.trunk_spacing == 0.0:  # every foot is where it rests, within the stated radius
        c, s = math.cos(yaw[-1]), math.sin(yaw[-1])
        rests = rest_places(machine) @ np.array([[c, s], [-s, c]])
        off = np.linalg.norm(walked.sole[-1, 0, :, :2] - walked.root[-1, 0, :2] - rests, axis=-1)
        assert off.max() <= machine.file.gait.settle_radius * machine.leg_length + 1e-6


def crossings(hips, ends):
    """Whether any two legs, seen from above, cross: segments ``[frames, legs, 2]`` hip to sole."""

    def side(a, b, p):
        return (b[..., 0] - a[..., 0]) * (p[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (p[..., 0] - a[..., 0])

    found = 0
    legs = hips.shape[1]
    for i in range(legs):
        for j in range(i):
            a, b, c, d = hips[:, i], ends[:, i], hips[:, j], ends[:, j]
            apart = (side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0)
            found += int(apart.sum())
    return found


@pytest.mark.case("FC-A11")
@pytest.mark.parametrize("name", MACHINES)
def test_a_spin_of_two_turns_a_second_is_limited_and_crosses_no_legs(machines, flat, name):
    machine = machines[name]
    travel = machine.file.travel
    walked = walk(machine, flat, commands(machine, yaw_rate=math.radians(720.0)), frames_at(60, 8))
    rate = np.abs(walked.motion["yaw_rate"]).max()
    radius = np.linalg.norm(rest_places(machine), axis=-1).max()
    assert rate <= min(travel.yaw_rate_max, travel.foot_speed_max / radius) + 1e-9
    assert stance_drift(walked) <= 1e-6
    assert walked.swinging.sum(axis=-1).max() <= machine.airborne_limit
    hips = walked.joints[:, 0, machine.rig.leg_table["first_joint"], :2]
    assert crossings(hips, walked.sole[:, 0, :, :2]) == 0


@pytest.mark.case("FC-A11")
@pytest.mark.parametrize("name", MACHINES)
def test_a_yaw_that_trembles_moves_no_foot(machines, flat, name):
    machine = machines[name]
    state = ff.initial_state(machine, flat, hosted=True)
    rate = 0.9 * machine.file.travel.yaw_dead_zone  # [rad/s]

    def tremble(time, command, state):
        command["hosted"] = 1
        angle = math.radians(2.0) * math.sin(rate / math.radians(2.0) * time)
        command["root_rotation"] = arrays.about_z(np.float64(angle))

    walked = walk(machine, flat, tremble, frames_at(60, 20), state)
    assert walked.steps.max() == 0 and np.abs(walked.goal - walked.goal[0]).max() == 0.0


@pytest.mark.case("FC-A12")
def test_a_crawl_takes_short_low_steps_of_speed_over_cadence(machines, flat):
    biped = machines["biped"]
    machine = changed(biped, gait={"cadence_min": 0.3, "stride_min": 0.5})
    speed = 0.02
    walked = walk(machine, flat, commands(machine, speed=speed), frames_at(60, 60))
    assert stance_drift(walked) <= 1e-6
    for leg in range(2):
        places_there = []
        for number in range(3, walked.touchdowns[-1, 0, leg] + 1):
            row = np.argmax((walked.touchdowns[:, 0, leg] == number) & ~walked.swinging[:, 0, leg])
            places_there.append(walked.sole[row, 0, leg, 0])
        assert len(places_there) >= 10
        np.testing.assert_allclose(np.diff(places_there), speed / 0.3, atol=2e-3)
    assert 0.0 < walked.sole[..., 2].max() <= 0.5 * machine.file.swing.height


@pytest.mark.case("FC-A13")
@pytest.mark.parametrize("name", MACHINES)
def test_backward_and_sideways_feet_land_on_the_far_side_of_their_rest(machines, flat, name):
    machine = machines[name]
    speed = 0.6 * machine.file.cruise_speed
    rests = rest_places(machine)
    for field, sign, axis in (("speed", 1, 0), ("speed", -1, 0), ("lateral", 1, 1), ("lateral", -1, 1)):
        factor = 0.5 if axis else 1.0
        walked = walk(machine, flat, commands(machine, **{field: sign * speed * factor}), frames_at(60, 14))
        assert stance_drift(walked) <= 1e-6
        assert sign * walked.root[-1, 0, axis] > 2.0 * speed * factor
        ahead = []
        for frame in np.flatnonzero(walked.time > 4.0):
            for leg in np.flatnonzero(walked.touchdowns[frame, 0] > walked.touchdowns[frame - 1, 0]):
                ahead.append((walked.sole[frame, 0, leg, :2] - walked.root[frame, 0, :2] - rests[leg])[axis])
        assert len(ahead) >= 4 and np.median(np.sign(ahead)) == sign and sign * np.mean(ahead) > 0.0


@pytest.mark.case("FC-A13")
@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("late", [0.0, 0.1, 0.23])
def test_a_change_of_direction_in_mid_swing_slides_and_jumps_no_foot(machines, flat, name, late):
    machine = machines[name]
    speed = 0.7 * machine.file.cruise_speed

    def there_and_back(time, command, state):
        command["speed"] = speed if (time + late) % 5.0 < 2.5 else -speed

    walked = walk(machine, flat, there_and_back, frames_at(60, 12))
    assert stance_drift(walked) <= 1e-6
    assert walked.swinging.sum(axis=-1).max() <= machine.airborne_limit
    ahead = walk(machine, flat, commands(machine, speed=speed), frames_at(60, 6))
    fastest = [np.linalg.norm(np.diff(w.sole, axis=0), axis=-1).max() for w in (ahead, walked)]
    assert fastest[1] <= 2.0 * fastest[0]


@pytest.mark.case("FC-C11")
@pytest.mark.parametrize("rate", [60.0, 144.0])
def test_the_solved_sole_is_on_its_anchor_in_the_same_tick_at_5_metres_per_second_squared(machines, flat, rate):
    machine = changed(machines["biped"], travel={"acceleration": 5.0})
    walked = walk(machine, flat, commands(machine, speed=2.0), frames_at(rate, 4))
    faster = np.diff(walked.motion["velocity"][:, 0, 0]) * rate
    assert faster.max() > 4.0
    planted = ~walked.swinging
    anchors = walked.legs["anchor"]
    assert np.linalg.norm(walked.sole - anchors, axis=-1)[planted].max() <= 1e-6


COUNTS = (1, 2, 3, 5, 7, 16, 40, 50, 100)


def round_machine(legs: int):
    """Legs around one trunk, or, from 16 on, two a trunk on a chain of trunks."""
    leg = {"segments": (0.45, 0.45), "solver": Solver.two_bone, "foot_radius": 0.02}
    gait = {"stride": 0.4, "stride_reference_speed": 0.5, "cadence_max": 3.0, "duty_factor": 0.75}
    if legs < 16:
        entries = []
        for n in range(legs):
            angle = 2.0 * math.pi * n / legs + (0.3 if legs > 2 else 0.5 * math.pi)
            x, y = (math.cos(angle), math.sin(angle)) if legs > 1 else (0.0, 0.0)
            entries.append(LegEntry(f"leg_{n}", (0.2 * x, 0.2 * y, 0.0), (0.45 * x, 0.45 * y), pole=(x, y, 1.0), **leg))
        trunks, spacing, pattern = (TrunkEntry("hull", (0.5, 0.4, 0.2)),), 0.0, "wave" if legs > 1 else "hop"
    else:
        entries = [LegEntry("leg", (0.0, 0.15, 0.0), (0.0, 0.45), trunk="trunk_1", mirror=True, rows=legs // 2,
                            pole=(0.0, 0.3, 1.0), **leg)]  # fmt: skip
        trunks, spacing, pattern = (TrunkEntry("trunk", (0.3, 0.3, 0.2), count=legs // 2),), 0.3, "tetrapod"
    named = LIBRARY[pattern]
    duty = named.duty_factor(legs)
    base = ff.load_machine("crawler").file
    file = MachineFile(
        f"legs_{legs}", "A test", 0.3, 0.6, trunks, tuple(entries), trunk_spacing=spacing, pattern=pattern,
        gait=dataclasses.replace(base.gait, **{**gait, "duty_factor": duty, "airborne_limit": 1}),
        swing=dataclasses.replace(base.swing, height=0.1, full_length=0.3),
    )  # fmt: skip
    probe = build_machine(file)
    most = most_airborne(probe.constants.offsets[0], duty)
    file = dataclasses.replace(file, gait=dataclasses.replace(file.gait, airborne_limit=most))
    assert list(check_machine(file)) == []
    return build_machine(file)


@pytest.mark.case("FC-A15")
@pytest.mark.parametrize("legs", COUNTS)
def test_every_gait_of_the_library_is_spread_over_the_cycle_for_any_number_of_legs(legs):
    angle = 2.0 * np.pi * (np.arange(legs) + 0.5) / legs
    stand = places(np.stack([np.cos(angle), np.sin(angle)], axis=-1))
    for name, gait in LIBRARY.items():
        offsets, duty = gait.offsets(stand), gait.duty_factor(legs)
        assert offsets.shape == (legs,) and ((offsets >= 0.0) & (offsets < 1.0)).all()
        assert 0.0 < duty < 1.0
        if name in ("wave", "ripple"):  # one after the other, evenly
            np.testing.assert_allclose(np.sort(offsets), np.arange(legs) / legs, atol=1e-12)
        used = np.unique(offsets.round(9))
        gaps = np.diff(np.append(used, used[0] + 1.0))
        if name not in ("amble", "walk") and not (name == "tetrapod" and legs < 3):  # three sets take three legs
            np.testing.assert_allclose(gaps, 1.0 / len(used), atol=1e-9)
        # by counting over a cycle, legs in the air are as many as the gait says
        phase = (np.linspace(0.0, 1.0, 4001)[:-1, None] + 1e-7 + offsets) % 1.0
        assert (phase >= duty).sum(axis=-1).max() == most_airborne(offsets, duty)


@pytest.mark.case("FC-A15")
@pytest.mark.parametrize("legs", COUNTS)
def test_machines_of_one_to_a_hundred_legs_walk(flat, legs):
    machine = round_machine(legs)
    assert len(machine.rig.legs) == legs
    seconds = 6.0 if legs <= 16 else 3.0
    walked = walk(machine, flat, commands(machine, speed=0.3), frames_at(60, seconds))
    assert np.isfinite(walked.joints).all()
    assert walked.swinging.sum(axis=-1).max() <= machine.airborne_limit
    assert stance_drift(walked) <= 1e-6
    assert (walked.steps[-1] >= 1).all()
    assert walked.root[-1, 0, 0] >= 0.8 * 0.3 * (seconds - 1.0)


@pytest.mark.case("FC-A15")
def test_the_cost_of_a_tick_grows_no_faster_than_the_legs(flat):
    costs = {}
    runs = {}
    for legs in (16, 100):
        machine = round_machine(legs)
        asked = commands(machine, speed=0.3)
        state = walk(machine, flat, asked, frames_at(60, 1)).state
        runs[legs] = (machine, asked, state, (ff.make_buffers(machine, state), ff.make_buffers(machine, state)))
        costs[legs] = []
    for _ in range(5):
        for legs, (machine, asked, state, room) in runs.items():
            began = time.thread_time()  # what else runs on the machine does not count
            ff.step(machine, state, asked, flat, 1.0, buffers=room)
            costs[legs].append(time.thread_time() - began)
    # as the legs, not as their square: the bound is half way between, as factors go; bench has the figure itself
    assert min(costs[100]) <= (100 / 16) ** 1.5 * min(costs[16])


@pytest.mark.case("FC-A15")
def test_a_leg_of_twenty_five_bones_stands_and_walks(flat):
    base = ff.load_machine("crawler").file
    bones = tuple([0.05] * 25)
    leg = LegEntry(
        "leg", (0.2, 0.2, 0.0), (0.35, 0.5), segments=bones, solver=Solver.fabrik, pole=(0.0, 0.5, 1.0), mirror=True
    )
    rear = dataclasses.replace(leg, name="rear", hip=(-0.2, 0.2, 0.0), rest=(-0.35, 0.5))
    gait = dataclasses.replace(base.gait, stride=0.4, stride_reference_speed=0.5, duty_factor=0.75, airborne_limit=1)
    file = MachineFile(
        "long", "A test", 0.3, 0.7, (TrunkEntry("hull", (0.5, 0.4, 0.2)),), (leg, rear), pattern="walk", gait=gait
    )
    assert list(check_machine(file)) == []
    machine = build_machine(file)
    walked = walk(machine, flat, commands(machine, speed=0.3), frames_at(60, 4))
    assert stance_drift(walked) <= 1e-6 and (walked.steps[-1] > 0).all()
    joints = walked.joints.reshape(len(walked.time), 4, 26, 3)
    np.testing.assert_allclose(np.linalg.norm(np.diff(joints, axis=2), axis=-1), 0.05, atol=1e-9)

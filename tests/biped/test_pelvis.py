"""The pelvis carries the life of the walk; the torso over it is held calm."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from biped_host import INNER, SPEED, cadence, changed, drive, matrix, parked, quaternion, straight, tilt

from footfall.machine import build_machine
from footfall.seat import initial_state
from footfall.tick import idle_command, show
from footfall.world.build import build_world, flat_world
from footfall.world.shapes import Boxes

STAND = 2.0  # height of the pelvis over the ground at rest [m]
BOB, SWAY, ROLL, TWIST = 0.035, 0.05, np.radians(1.8), np.radians(4.0)
FULL = 1.4  # speed of the full amplitudes [m/s]
CALM = {"impact_kick": 0.0, "bob_phase": 0.0, "sway_phase": 0.0}  # the source's phases, and no impacts
WINDOW = 20.0  # [s]: whole numbers of cycles at 0.8 m/s (12) and 1.8 m/s (18)


def authority_with(**body):
    return changed(travel={"window": 0.0}, body=body)


def late(walk):
    """Rows of the last 20 s."""
    return np.arange(len(walk.time) - round(WINDOW / INNER), len(walk.time))


def angles(turned):
    """Yaw, pitch (nose down positive) and roll (right side down positive) of quaternions, read off their matrices."""
    m = np.array([matrix(q) for q in turned])
    return np.arctan2(m[:, 1, 0], m[:, 0, 0]), -np.arcsin(m[:, 2, 0]), np.arctan2(m[:, 2, 1], m[:, 2, 2])


def spectrum(signal):
    """Frequencies [Hz] and amplitudes of a signal over ``WINDOW``, without its mean."""
    found = np.abs(np.fft.rfft(signal - signal.mean())) * 2.0 / len(signal)
    return np.fft.rfftfreq(len(signal), INNER), found


def source_phase(walk):
    """Phase of the source, from the left leg's lift-offs alone: 0 where it lifts."""
    lifted, _, _ = walk.swings(0)
    return (walk.time - lifted[3]) * cadence(SPEED) % 1.0


@pytest.fixture(scope="module")
def lively():
    """The gait's own motions alone, with the phases of the source."""
    return drive(authority_with(**CALM, lean_speed=0.0), straight(SPEED, 24.0))


# ---- bob, sway, roll


@pytest.mark.row("A30")
@pytest.mark.parametrize("speed", [0.8, 1.8])
def test_the_pelvis_bobs_twice_a_cycle(speed):
    walk = drive(authority_with(**CALM), straight(speed, 26.0))
    frequency, found = spectrum(walk.trunk[late(walk), 0, 2])
    peak = np.argmax(found)
    assert frequency[peak] == pytest.approx(2.0 * cadence(speed), abs=1e-9)
    assert found[peak] == pytest.approx(BOB * min(speed / FULL, 1.0), rel=1e-3)
    assert np.delete(found, peak).max() < 0.02 * found[peak]


@pytest.mark.row("A31")
@pytest.mark.parametrize("speed", [0.8, 1.8])
def test_the_pelvis_sways_and_rolls_once_a_cycle(speed):
    walk = drive(authority_with(**CALM), straight(speed, 26.0))
    rows = late(walk)
    _, _, roll = angles(walk.turned[rows, 0])
    for signal, amplitude in ((walk.trunk[rows, 0, 1], SWAY), (roll, ROLL)):
        frequency, found = spectrum(signal)
        peak = np.argmax(found)
        assert frequency[peak] == pytest.approx(cadence(speed), abs=1e-9)
        assert found[peak] == pytest.approx(amplitude * min(speed / FULL, 1.0), rel=2e-3)


@pytest.mark.row("A30", "A31", "A39")
def test_bob_sway_roll_and_twist_are_the_formulas_of_the_source(lively):
    rows = lively.time > 12.0  # the amplitude is full to 1e-9
    angle = 2.0 * np.pi * source_phase(lively)[rows]
    yaw, pitch, roll = angles(lively.turned[rows, 0])
    np.testing.assert_allclose(lively.trunk[rows, 0, 2], STAND + BOB * np.cos(2.0 * angle), atol=1e-6)
    np.testing.assert_allclose(lively.trunk[rows, 0, 1], SWAY * np.cos(angle), atol=1e-6)
    np.testing.assert_allclose(lively.trunk[rows, 0, 0], lively.positions[rows, 0], atol=1e-6)
    np.testing.assert_allclose(roll, ROLL * np.cos(angle), atol=1e-6)
    np.testing.assert_allclose(yaw, TWIST * np.cos(angle), atol=1e-6)
    np.testing.assert_allclose(pitch, 0.0, atol=1e-6)


@pytest.mark.row("A39")
def test_twist_turns_the_pelvis_about_up_alone(lively):
    still = drive(authority_with(**CALM, lean_speed=0.0, twist=0.0), straight(SPEED, 24.0))
    assert np.array_equal(still.trunk[:, 0], lively.trunk[:, 0])
    between = np.array([matrix(a) @ matrix(b).T for a, b in zip(lively.turned[:, 0], still.turned[:, 0], strict=True)])
    np.testing.assert_allclose(between[:, 2], np.tile([0.0, 0.0, 1.0], (len(between), 1)), atol=1e-12)
    about_up = np.arctan2(between[:, 1, 0], between[:, 0, 0])
    assert np.abs(about_up).max() == pytest.approx(TWIST, rel=1e-2)
    yaw, _, _ = angles(still.turned[:, 0])
    assert np.abs(yaw).max() < 1e-3 * TWIST


@pytest.mark.row("A40")
def test_the_gaits_motions_grow_and_fade_with_the_walk():
    machine = authority_with(**CALM, park_height=0.0)
    going = np.concatenate([parked(2.0), straight(SPEED, 6.0)[1:]])
    walk = drive(machine, np.concatenate([going, going[-1] + parked(8.0)[1:]]))
    bob = walk.trunk[:, 0, 2] - STAND
    rest, full, end = walk.time < 2.0, (walk.time > 6.0) & (walk.time < 8.0), walk.time > 15.0
    assert np.abs(bob[rest]).max() < 1e-12 and np.abs(walk.trunk[rest, 0, 1]).max() < 1e-12
    assert np.ptp(bob[full]) == pytest.approx(2.0 * BOB, rel=0.02)
    assert np.abs(bob[end]).max() < 1e-6 and walk.amplitude[-1] < 1e-6
    # no jump: a cosine of amplitude A at 2 × cadence moves 2π · 2 · cadence · A a second, its envelope A / 0.4 s
    fastest = (2.0 * np.pi * 2.0 * 1.4 * BOB + BOB / 0.4) * INNER
    assert np.abs(np.diff(bob)).max() < fastest
    # at each instant within the envelope 1 − exp(−t / 0.4 s)
    since = np.maximum(walk.time - 2.0, 0.0)
    envelope = np.where(walk.time <= 8.0, 1.0 - np.exp(-since / 0.4), np.exp(-np.maximum(walk.time - 8.0, 0.0) / 0.4))
    assert np.all(np.abs(bob) <= BOB * envelope + 1e-9)


# ---- lean


def accelerating():
    """0 to 1.75 m/s in 3 s, steady, and back to 0 within 0.6 s."""
    time = np.arange(600) * INNER
    speed = np.interp(time, [0.0, 1.0, 4.0, 7.0, 7.6], [0.0, 0.0, 1.75, 1.75, 0.0])
    x = np.concatenate([[0.0], np.cumsum(speed) * INNER])
    return x[:, None] * np.array([1.0, 0.0, 0.0])


@pytest.mark.row("A32")
def test_the_pelvis_leans_with_speed_and_the_other_way_in_braking():
    walk = drive(authority_with(roll=0.0, twist=0.0), accelerating())
    _, pitch, _ = angles(walk.turned[:, 0])
    leans = [angles(drive(authority_with(roll=0.0), straight(v, 6.0)).turned[-1:, 0])[1][0] for v in (0.5, 1.0, 1.8)]
    np.testing.assert_allclose(leans, 0.03 * np.array([0.5, 1.0, 1.8]), atol=1e-6)  # more with speed
    steady = (walk.time > 6.0) & (walk.time < 7.0)
    rising = (walk.time > 2.5) & (walk.time < 4.0)
    braking = (walk.time > 7.2) & (walk.time < 7.7)
    assert pitch[rising].max() > pitch[steady].max() > 0.0
    assert pitch[braking].min() < -0.01
    assert abs(pitch[-1]) < 1e-3
    # the whole curve: 0.03 v + 0.05 a through a critically damped follower of 0.3 s, integrated in small steps
    speed = np.diff(accelerating()[:, 0]) / INNER
    speed[speed < 0.3] = 0.0
    target = 0.03 * speed + 0.05 * np.diff(np.concatenate([[0.0], speed])) / INNER
    expected, x, rate, parts = [], 0.0, 0.0, 400
    for goal in np.clip(target, -0.3, 0.3):
        for _ in range(parts):
            rate += ((goal - x) * (2.0 / 0.3) ** 2 - 2.0 * (2.0 / 0.3) * rate) * INNER / parts
            x += rate * INNER / parts
        expected.append(x)
    np.testing.assert_allclose(pitch, expected, atol=2e-4)


# ---- height


def drop_world(depth):
    """Flat ground, and from x = 6 on lower by a depth."""
    return build_world([Boxes(low=[[-50, -50, -2], [6, -50, -2 - depth]], high=[[6, 50, 0], [50, 50, -depth]])])


@pytest.mark.row("A33", "A42")
@pytest.mark.parametrize("depth", [0.4, 0.45])
def test_the_pelvis_comes_down_for_a_deep_foothold(depth):
    machine = authority_with(bob=0.0)
    walk = drive(machine, straight(1.5, 8.0), world=drop_world(depth))
    ankle = walk.goal + [0.0, 0.0, machine.file.legs[0].foot_height]
    limit = machine.rig.leg_table["reach_max"][0]
    planted = ~walk.swinging
    deep = planted & (walk.goal[..., 2] < -0.1)
    assert deep.any(axis=0).all()
    reach = np.linalg.norm(walk.hip - ankle, axis=-1)
    assert reach[planted].max() <= 0.9995 * limit + 1e-9 and walk.excess.max() == 0.0
    kept_up = np.linalg.norm(walk.hip + walk.adapt[:, None, None] * [0.0, 0.0, 1.0] - ankle, axis=-1)
    flat = walk.positions[:, 0] < 4.0
    assert np.all(walk.adapt[flat] == 0.0)
    if kept_up[deep].max() > 0.985 * limit:  # where the pelvis would have stretched a leg, it came down
        assert walk.adapt.max() > 0.005
        assert reach[deep].max() < kept_up[deep].max()
    assert depth < 0.45 or walk.adapt.max() > 0.005


@pytest.mark.row("A33")
def test_on_flat_ground_the_pelvis_does_not_come_down(steady):
    assert np.all(steady.adapt == 0.0)


@pytest.mark.row("A34")
def test_each_landing_kicks_the_pelvis_and_the_spring_rings_out(authority):
    going = straight(SPEED, 5.0)
    roots = np.concatenate([going, going[-1] + parked(4.0)[1:]])
    walk, calm = drive(authority, roots), drive(authority_with(impact_kick=0.0), roots)
    ring = walk.trunk[:, 0] - calm.trunk[:, 0]
    assert np.abs(ring[:, :2]).max() < 1e-12
    # closed form: each landing starts v₀ e^(−ζωt) sin(ω_d t) / ω_d at the end of its tick's step before
    omega, zeta, kick = np.sqrt(160.0), 0.45, -0.12
    damped = omega * np.sqrt(1.0 - zeta**2)
    expected = np.zeros(len(walk.time))
    landings = np.flatnonzero(np.diff(walk.touchdowns.sum(axis=1)) > 0) + 1
    for row in landings:
        t = np.maximum(walk.time - walk.time[row] + INNER, 0.0)
        expected += kick * np.exp(-zeta * omega * t) * np.sin(damped * t) / damped * (walk.time >= walk.time[row])
    np.testing.assert_allclose(ring[:, 2], expected, atol=1e-9)
    # after the last one: less energy each frame, and less than 5 % after 3 / ζω
    last = landings[-1]
    energy = 0.5 * walk.impact_rate[last:, 2] ** 2 + 0.5 * omega**2 * walk.impact[last:, 2] ** 2
    assert np.all(np.diff(energy[energy > 1e-20]) < 0.0)
    settled = walk.time > walk.time[last] + 3.0 / (zeta * omega)
    assert settled.sum() > 60
    assert np.abs(ring[settled, 2]).max() < 0.05 * np.abs(ring[last:, 2]).max()
    assert (ring[last:, 2] > 1e-5).any()  # it oscillates


@pytest.mark.row("A35")
def test_a_limp_lowers_the_pelvis_by_itself(authority):
    def ask(number, command):
        command["limp"] = 0.12

    limping, sound = drive(authority, straight(1.2, 8.0), ask=ask), drive(authority, straight(1.2, 8.0))
    late_rows = limping.time > 5.0
    down = sound.trunk[late_rows, 0] - limping.trunk[late_rows, 0]
    np.testing.assert_allclose(down, np.tile([0.0, 0.0, 0.12], (len(down), 1)), atol=1e-6)
    assert np.all(sound.limp == 0.0)


# ---- composition


def level(slope_ahead, slope_left, ahead, left):
    """Rotation that follows shares of a slope, from its tangents."""
    return tilt(pitch=-np.arctan(ahead * slope_ahead)) @ tilt(roll=np.arctan(left * slope_left))


@pytest.mark.row("A36")
@pytest.mark.parametrize("seed", range(40))
def test_the_pelvis_is_posture_times_level_times_euler_over_the_root(seed):
    rng = np.random.default_rng(seed)
    machine = authority_with(follow_pitch=0.3, follow_roll=0.7, park_pitch=0.1, **CALM)
    state = initial_state(machine, flat_world(), hosted=True)
    body = state.body[0]
    yaw = rng.uniform(-3.0, 3.0)
    root = tilt(rng.uniform(-0.2, 0.2), rng.uniform(-0.2, 0.2), yaw)
    place = rng.uniform(-0.05, 0.05, 3)
    phase, amplitude, park = rng.uniform(size=3)
    lean, limp = rng.uniform(-0.2, 0.2), rng.uniform(0.0, 0.1)
    impact = rng.uniform(-0.02, 0.02, 3)
    pose = rng.uniform(-0.1, 0.1, 6)  # height, roll, pitch, yaw, shift ahead, to the left
    pose[0] -= 0.15
    body["phase"], body["amplitude"], body["park"], body["lean"], body["limp"] = phase, amplitude, park, lean, limp
    body["impact"], body["pose"] = impact, pose
    command = idle_command(1)
    command["hosted"], command["root_position"], command["root_rotation"] = 1, place, quaternion(root)
    frame = show(machine, state, command, flat_world())
    found, adapt = frame.actual.trunks[0, 0], frame.body["adapt"][0]

    up = root[:, 2]
    forward = root[:, 0] * [1.0, 1.0, 0.0]
    forward /= np.linalg.norm(forward)
    heading = np.stack([forward, np.cross([0.0, 0.0, 1.0], forward), [0.0, 0.0, 1.0]], axis=-1)
    normal = heading.T @ up
    angle = 2.0 * np.pi * (phase + 0.4)  # the source's phase 0 is the left leg's lift-off, 0.4 before its touchdown
    bob, sway, roll, twist = amplitude * np.array([BOB, SWAY, ROLL, TWIST]) * np.cos([2 * angle, angle, angle, angle])
    posture = tilt(pose[1], pose[2] + park * 0.1, pose[3])
    levelled = level(-normal[0] / normal[2], -normal[1] / normal[2], 0.3, 0.7)
    expected = heading @ posture @ levelled @ tilt(roll, lean, twist)
    np.testing.assert_allclose(matrix(found["rotation"]), expected, atol=1e-12)
    offset = np.array([pose[4], pose[5] + sway, STAND + pose[0] - 0.04 * park + bob - adapt - limp]) + impact
    np.testing.assert_allclose(found["position"], place + heading @ offset, atol=1e-12)


@pytest.mark.row("A37")
def test_the_parked_posture_blends_in_and_out():
    machine = authority_with(park_height=-0.1, park_pitch=0.08, bob=0.0, impact_kick=0.0, lean_speed=0.0,
                             lean_acceleration=0.0, roll=0.0)  # fmt: skip
    going = np.concatenate([parked(2.0), straight(SPEED, 8.0)[1:]])
    walk = drive(machine, np.concatenate([going, going[-1] + parked(10.0)[1:]]))
    height = walk.trunk[:, 0, 2]
    _, pitch, _ = angles(walk.turned[:, 0])
    start, going_on = walk.time <= 2.0, (walk.time > 9.0) & (walk.time < 10.0)
    for rows, share in ((start, 1.0), (going_on, 0.0), (walk.time > 19.5, 1.0)):
        np.testing.assert_allclose(height[rows], STAND - 0.1 * share, atol=2e-5)  # 0.1 e^(−7 / 0.8)
        np.testing.assert_allclose(pitch[rows], 0.08 * share, atol=2e-5)
    # continuous: an exponential of 0.8 s moves at most its whole way in 0.8 s
    assert np.abs(np.diff(height)).max() <= 0.1 * INNER / 0.8 * 1.001
    assert np.abs(np.diff(pitch)).max() <= 0.08 * INNER / 0.8 * 1.001
    np.testing.assert_allclose((height - STAND) / -0.1, walk.park, atol=1e-9)


@pytest.mark.row("A38")
@pytest.mark.parametrize("share", [0.0, 0.2, 0.6, 1.0])
@pytest.mark.parametrize("axis", ["pitch", "roll"])
def test_the_pelvis_levels_against_the_slope_by_the_configured_share(axis, share):
    machine = authority_with(**{f"follow_{axis}": share})
    state = initial_state(machine, flat_world(), hosted=True)
    command = idle_command(1)
    command["hosted"], command["root_rotation"] = 1, quaternion(tilt(**{axis: np.radians(15.0)}))
    frame = show(machine, state, command, flat_world())
    up = matrix(frame.actual.trunks["rotation"][0, 0])[:, 2]
    tilted = np.degrees(np.arccos(up[2]))
    assert tilted == pytest.approx(np.degrees(np.arctan(share * np.tan(np.radians(15.0)))), abs=1e-9)
    assert 15.0 - tilted == pytest.approx((1.0 - share) * 15.0, abs=0.25)  # the share of angles, but for the tangent
    side = up[0] if axis == "pitch" else -up[1]
    assert side >= -1e-12  # to the side that the root tilts to


# ---- the torso


@pytest.fixture(scope="module")
def leaning():
    """A walk that leans slowly forward and back, at 0.1 Hz."""

    def ask(number, command):
        command["pitch"] = 0.1 * np.sin(2.0 * np.pi * 0.1 * (number + 1) * INNER)

    return drive(authority_with(), straight(SPEED, 30.0), ask=ask)


@pytest.mark.row("A41")
def test_the_torso_is_free_of_the_fast_motion_of_the_pelvis(leaning):
    assert [trunk.stabilise for trunk in leaning.machine.file.trunks] == [0.0, 1.0]
    rows = late(leaning)

    def signals(trunk):
        yaw, _, roll = angles(leaning.turned[rows, trunk])
        return {"bob": leaning.trunk[rows, trunk, 2], "sway": leaning.trunk[rows, trunk, 1], "roll": roll, "twist": yaw}

    pelvis, torso = signals(0), signals(1)
    for name in pelvis:
        frequency, fast = spectrum(pelvis[name])
        _, rest = spectrum(torso[name])
        band = frequency >= 0.99 * cadence(SPEED)
        assert np.sum(fast[band] ** 2) > 1e-5, name
        assert np.sum(rest[band] ** 2) <= 0.05 * np.sum(fast[band] ** 2), name


@pytest.mark.row("A41")
def test_the_torso_follows_a_slow_lean(leaning):
    rows = late(leaning)
    for trunk in (0, 1):
        _, pitch, _ = angles(leaning.turned[rows, trunk])
        frequency, found = spectrum(pitch)
        slow = np.argmin(np.abs(frequency - 0.1))
        assert found[slow] == pytest.approx(0.1, rel=0.05)


@pytest.mark.row("A41")
def test_a_torso_that_is_not_stabilised_moves_with_the_pelvis():
    file = authority_with().file
    trunks = tuple(dataclasses.replace(trunk, stabilise=0.0) for trunk in file.trunks)
    walk = drive(build_machine(dataclasses.replace(file, trunks=trunks)), straight(SPEED, 4.0))
    assert np.array_equal(walk.trunk[:, 0], walk.trunk[:, 1])
    np.testing.assert_allclose(walk.turned[:, 0], walk.turned[:, 1], atol=1e-15)


# ---- reach


@pytest.mark.row("A42")
@pytest.mark.parametrize("more", [1.0, 3.0])
def test_legs_are_solved_after_the_pelvis_and_reach_their_feet(more):
    machine = authority_with(bob=more * BOB, sway=more * SWAY, roll=more * ROLL, twist=more * TWIST, impact_kick=0.3)
    walk = drive(machine, straight(SPEED, 12.0))
    assert np.ptp(walk.trunk[:, 0, 2]) > 1.8 * more * BOB
    np.testing.assert_allclose(walk.sole, walk.goal, atol=1e-9)
    assert walk.excess.max() == 0.0
    # the hips are where the pelvis of the same frame carries them
    for side, leg in ((1.0, 0), (-1.0, 1)):
        hips = walk.trunk[:, 0] + np.array([matrix(q) @ [0.0, 0.42 * side, -0.05] for q in walk.turned[:, 0]])
        np.testing.assert_allclose(walk.hip[:, leg], hips, atol=1e-12)
    ankle = walk.goal + [0.0, 0.0, machine.file.legs[0].foot_height]
    planted = ~walk.swinging
    limit = machine.rig.leg_table["reach_max"][0]
    assert np.linalg.norm(walk.hip - ankle, axis=-1)[planted].max() <= limit

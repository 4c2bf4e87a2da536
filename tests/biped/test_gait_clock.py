"""One phase runs the whole gait; stride grows with speed and cadence follows from it."""

from __future__ import annotations

import dataclasses
from importlib import resources

import numpy as np
import pytest
from biped_host import GROWTH, INNER, SPEED, cadence, changed, drive, parked, straight, stride

from footfall.errors import FileError
from footfall.gait import cadence_at, leg_phase, stride_at
from footfall.machine import LegEntry, build_machine, check_machine, load_machine
from footfall.seat import initial_state
from footfall.tick import idle_command, step
from footfall.world.build import build_world, flat_world
from footfall.world.shapes import Boxes

SPEEDS = np.array([0.35, 0.5, 0.8, 1.2, 1.5, 1.8, 2.2, 2.6, 3.0, 3.3, 3.8])  # cadence: clamps to 0.56, from 3.64 m/s


def circular(difference):
    """Distance of phases from each other [cycles]."""
    return np.abs((np.asarray(difference) + 0.5) % 1.0 - 0.5)


@pytest.fixture(scope="module")
def crowd(authority):
    """One walker for each of ``SPEEDS``, hosted, 12 s: cadence, and place and time of every touchdown."""
    world = flat_world()
    places = np.zeros((len(SPEEDS), 3))
    places[:, 1] = 10.0 * np.arange(len(SPEEDS))
    state = initial_state(authority, world, places, hosted=True)
    command = idle_command(len(SPEEDS))
    command["hosted"] = 1
    command["root_position"] = places
    landed = [[] for _ in SPEEDS]
    for number in range(720):
        command["root_position"][:, 0] = SPEEDS * (number + 1) * INNER
        before = state.legs["touchdowns"][:, 0].copy()
        state = step(authority, state, command, world, INNER).state
        for agent in np.flatnonzero(state.legs["touchdowns"][:, 0] > before):
            landed[agent].append((state.legs["touchdown"][agent, 0], state.legs["anchor"][agent, 0, 0]))
    return state.body["cadence"].copy(), [np.array(rows) for rows in landed], state


@pytest.mark.row("A9")
def test_the_legs_are_half_a_cycle_apart_at_every_phase(authority):
    offsets = authority.constants.offsets[0]
    assert offsets[0] == 0.0 and offsets[1] == 0.5
    for number in range(1000):
        phase = number / 1024.0  # exact in binary: so is the half
        left, right = leg_phase(phase, offsets[0]), leg_phase(phase, offsets[1])
        assert left == phase
        assert (right - left) % 1.0 == 0.5 and 0.0 <= right < 1.0


@pytest.mark.row("A9")
def test_the_right_leg_lifts_half_a_cycle_after_the_left(steady):
    (left, _, _), (right, _, _) = steady.swings(0), steady.swings(1)
    period = 1.0 / cadence(SPEED)
    np.testing.assert_allclose(np.diff(left)[1:], period, atol=1e-9)
    np.testing.assert_allclose((right[2:15] - left[2:15]) % period, 0.5 * period, atol=1e-9)


@pytest.mark.row("A10")
def test_each_leg_swings_the_first_two_fifths_of_its_cycle(steady):
    period = 1.0 / cadence(SPEED)
    phase = ((steady.phase[:, None] + [0.0, 0.5]) + 0.4) % 1.0  # the source's: it begins at the left leg's lift-off
    rows = steady.time > 3.0
    edge = np.minimum(circular(phase), circular(phase - 0.4)) < 1e-6
    swings = phase < 0.4
    assert np.array_equal((steady.swinging == swings)[rows & ~edge.any(axis=1)].all(axis=0), [True, True])
    for leg in (0, 1):
        lifted, landed, _ = steady.swings(leg)
        np.testing.assert_allclose((landed - lifted)[2:], 0.4 * period, atol=1e-9)
        whole = (steady.time > lifted[2]) & (steady.time <= lifted[2] + 15 * period)
        assert steady.swinging[whole, leg].mean() == pytest.approx(0.4, abs=INNER / period)


@pytest.mark.row("A11")
def test_both_feet_stand_a_fifth_of_the_time_and_never_are_both_in_the_air(steady):
    rows = (steady.time > 4.0) & (steady.time <= 4.0 + 18.0)  # 16.2 cycles
    in_air = steady.swinging.sum(axis=1)
    assert in_air.max() == 1
    frames_a_cycle = 1.0 / cadence(SPEED) / INNER
    assert (in_air[rows] == 0).mean() == pytest.approx(0.2, abs=2.0 / frames_a_cycle)


@pytest.mark.row("A11")
@pytest.mark.parametrize("duty, sound", [(0.6, True), (0.51, True), (0.5, False), (0.45, False)])
def test_a_swing_of_half_the_cycle_or_more_is_refused(duty, sound):
    file = load_machine("biped").file
    faults = dict(check_machine(dataclasses.replace(file, gait=dataclasses.replace(file.gait, duty_factor=duty))))
    assert ("gait.duty_factor" in faults) != sound, faults


@pytest.mark.row("A11")
def test_the_refusal_names_the_line(tmp_path):
    text = (resources.files("footfall") / "machines" / "biped.yaml").read_text()
    path = tmp_path / "runner.yaml"
    path.write_text(text.replace("duty_factor: 0.6", "duty_factor: 0.5"))
    line = next(number for number, row in enumerate(text.splitlines(), 1) if "duty_factor" in row)
    with pytest.raises(FileError, match=rf"runner\.yaml:{line}.*duty_factor.*0\.5"):
        load_machine(path)


@pytest.mark.row("A12")
def test_the_stride_follows_the_power_law_between_its_clamps(authority):
    gait = authority.constants.gaits[0]
    speeds = np.concatenate([[0.0, 0.005, 0.01, 0.05, 0.1125, 0.2], SPEEDS, [3.04, 3.05, 10.0, 1e3]])
    found = np.array([stride_at(gait, speed) for speed in speeds])
    np.testing.assert_allclose(found, stride(speeds), rtol=1e-14)
    assert stride_at(gait, 1.8) == 2.0  # the reference speed
    assert stride_at(gait, 0.0) == 0.5 and stride_at(gait, 1e3) == 2.6  # both clamps
    fine = np.array([stride_at(gait, speed) for speed in np.linspace(0.0, 5.0, 2000)])
    assert np.all(np.diff(fine) >= 0.0) and np.ptp(fine) == pytest.approx(2.1)


@pytest.mark.row("A12", "A13")
def test_a_walk_covers_one_stride_a_cycle(crowd):
    found, landed, _ = crowd
    for speed, rate, rows in zip(SPEEDS, found, landed, strict=True):
        period, way = np.diff(rows, axis=0)[2:].T
        np.testing.assert_allclose(period, 1.0 / cadence(speed), rtol=1e-6)
        np.testing.assert_allclose(way, speed / cadence(speed), atol=1e-3)
        if GROWTH["slow"] < rate < GROWTH["fast"]:  # no clamp: it is the stride law's
            np.testing.assert_allclose(way, stride(speed), atol=1e-3)


@pytest.mark.row("A13")
def test_cadence_follows_from_speed_and_stride_between_its_clamps(authority, crowd):
    found, _, _ = crowd
    np.testing.assert_allclose(found, cadence(SPEEDS), rtol=1e-9)
    assert found[0] == GROWTH["slow"] and found[-1] == GROWTH["fast"]
    gait = authority.constants.gaits[0]
    for speed, expected in ((0.0, 0.5), (1.8, 0.9), (0.8, 0.6), (2.45, 1.05), (9.0, 1.4)):
        assert cadence_at(gait, speed) == pytest.approx(expected, rel=1e-12)


@pytest.mark.row("A14")
@pytest.mark.parametrize("rate, jitter", [(60.0, 0.0), (30.0, 0.0), (144.0, 0.0), (50.0, 0.4)])
def test_the_phase_is_the_integral_of_the_cadence_however_time_is_split(authority, rate, jitter):
    lengths = 1.0 / rate * (1.0 + jitter * np.random.default_rng(2).uniform(-1.0, 1.0, round(12 * rate)))
    times = np.concatenate([[0.0], np.cumsum(lengths)])
    walk = drive(authority, times[:, None] * np.array([1.3, 0.0, 0.0]), dts=lengths)
    np.testing.assert_allclose(walk.time, times[1:], atol=1e-9)
    start = initial_state(authority, flat_world(), hosted=True).body["phase"][0]
    assert circular(walk.phase - (start + cadence(1.3) * walk.time)).max() < 1e-9
    at = walk.time[-1] - 10.0
    moved = walk.phase[-1] - np.interp(at, walk.time, start + cadence(1.3) * walk.time)
    assert circular(moved - (10.0 * cadence(1.3)) % 1.0) < 1e-9


@pytest.mark.row("A15")
@pytest.mark.parametrize("window", [0.0, 0.2])
def test_a_parked_walker_stands_still_though_its_cadence_has_a_least(window):
    machine = changed(travel={"window": window})
    assert machine.file.gait.cadence_min > 0.0
    going = straight(SPEED, 3.0)
    walk = drive(machine, np.concatenate([going, going[-1] + parked(30.0)[1:]]))
    settled = walk.time > 6.0
    assert np.array_equal(walk.steps[-1], walk.steps[settled][0]) and not walk.swinging[settled].any()
    assert np.all(walk.cadence[settled] == 0.0)
    assert walk.amplitude[-1] < 1e-9
    assert np.ptp(walk.trunk[walk.time > 20.0], axis=0).max() < 1e-6  # the pelvis is at rest


@pytest.mark.row("A43")
def test_two_legs_of_a_general_machine_with_offsets_0_and_a_half_are_the_biped_bit_for_bit():
    biped = load_machine("biped")
    entry = biped.file.legs[0]
    shared = {field.name: getattr(entry, field.name) for field in dataclasses.fields(LegEntry)}
    flipped = {name: (getattr(entry, name)[0], -getattr(entry, name)[1], *getattr(entry, name)[2:])
               for name in ("hip", "rest", "pole")}  # fmt: skip
    left = LegEntry(**{**shared, "mirror": False, "name": "left_leg", "phase": 0.0})
    right = LegEntry(**{**shared, **flipped, "mirror": False, "name": "right_leg", "phase": 0.5})
    general = build_machine(dataclasses.replace(biped.file, legs=(left, right), pattern="legs"))
    assert not list(check_machine(general.file))
    stairs = [[[2.0 + 1.4 * n, -9.0, -1.0], [3.4 + 1.4 * n, 9.0, 0.2 * n + 0.2]] for n in range(8)]
    low, high = np.array([[[-50.0, -9.0, -1.0], [2.0, 9.0, 0.0]], *stairs]).transpose(1, 0, 2)
    world = build_world([Boxes(low=low, high=high)])
    roots = straight(1.6, 7.0)
    roots[:, 2] = np.clip((roots[:, 0] - 1.3) / 7.0, 0.0, 1.6)
    one, other = drive(biped, roots, world=world), drive(general, roots, world=world)
    assert one.steps[-1].min() >= 5
    assert np.array_equal(one.joints, other.joints) and np.array_equal(one.phase, other.phase)
    for name in one.state._fields:
        assert getattr(one.state, name).tobytes() == getattr(other.state, name).tobytes(), name

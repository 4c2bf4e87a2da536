"""Swing and hull of the four-legged machine (rows D9 to D16, D23)."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import at_speed, walk

from footfall.arc import step_height
from footfall.cues import CueKind, Cues
from footfall.frames import arrays
from footfall.seat import initial_state
from footfall.tick import idle_command, show
from footfall.world import Boxes, Plane, build_world
from footfall.world.ground import ground_height
from footfall.world.terrain import make_terrain

STRIDE = 1.7


def swings(run, leg):
    """Whole swings of a leg in steady walking: progress, share of the way, height of each frame."""
    table = run.legs[:, leg]
    out = []
    for lift_off in np.unique(table["lift_off"][600:1300]):
        at = (table["lift_off"] == lift_off) & (run.feet["swinging"][:, leg] != 0)
        row = table[np.flatnonzero(at)[0]]
        u = (run.time[at] - row["lift_off"]) / (row["touchdown"] - row["lift_off"])
        way = row["target"][:2] - row["origin"][:2]
        share = (run.feet["sole"][at, leg][:, :2] - row["origin"][:2]) @ way / (way @ way)
        out.append((u, share, run.feet["sole"][at, leg][:, 2], row["lift"]))
    return out


@pytest.mark.row("D9")
def test_the_horizontal_move_is_a_smoothstep_that_ends_before_the_drop(steady):
    seen = 0
    for leg in range(4):
        for u, share, _, _ in swings(steady, leg):
            x = np.clip((u - 0.08) / 0.74, 0.0, 1.0)
            np.testing.assert_allclose(share, x * x * (3 - 2 * x), atol=1e-9)
            assert (np.abs(share[u >= 0.82] - 1.0) < 1e-9).all() and (np.abs(share[u <= 0.08]) < 1e-9).all()
            seen += (u >= 0.82).sum() + (u <= 0.08).sum()
    assert seen > 50


@pytest.mark.row("D10")
def test_the_lift_is_the_sine_of_a_power_and_peaks_at_0_382(steady):
    for leg in range(4):
        for u, _, height, lift in swings(steady, leg):
            np.testing.assert_allclose(height, lift * np.sin(np.pi * u**0.72), atol=1e-9)
    u = np.linspace(0, 1, 100_001)
    assert u[np.sin(np.pi * u**0.72).argmax()] == pytest.approx(0.382, abs=1e-3)
    peaks = [u[height.argmax()] for leg in range(4) for u, _, height, _ in swings(steady, leg)]
    assert np.median(peaks) == pytest.approx(0.382, abs=0.02)  # half a frame of a swing of 0.425 s


@pytest.mark.row("D11")
@pytest.mark.parametrize(("length", "share"), [(0.0, 0.35), (0.6, 0.55), (1.5, 0.85), (1.95, 1.0), (4.0, 1.0)])
def test_short_steps_are_lower(quadruped, length, share):
    assert step_height(quadruped.constants.swing[0], length) == pytest.approx(0.55 * share, abs=1e-12)


@pytest.mark.row("D11")
def test_steps_of_a_steady_walk_have_the_height_of_their_length(steady):
    lifts = steady.legs["lift"][900:1200]
    np.testing.assert_allclose(lifts, 0.55 * (0.35 + STRIDE / 3.0), rtol=1e-3)


@pytest.mark.row("D12")
def test_the_hull_rings_at_the_springs_own_frequency_between_landings(steady):
    z, v = steady.body["impact"][:, 2], steady.body["impact_rate"][:, 2]
    landed = steady.legs["touchdowns"].sum(axis=-1)
    quiet = np.flatnonzero((np.diff(landed)[1:] == 0) & (np.diff(landed)[:-1] == 0)) + 1
    quiet = quiet[quiet > 300]
    acceleration = (v[quiet + 1] - v[quiet - 1]) * 30.0  # central difference
    (stiffness, damping), *_ = np.linalg.lstsq(np.stack([-z[quiet], -v[quiet]], axis=-1), acceleration, rcond=None)
    assert stiffness == pytest.approx(26.0, rel=0.02)
    ratio = damping / (2 * np.sqrt(26.0))
    assert 0.2 < ratio < 0.6  # slightly underdamped
    assert np.exp(-ratio * np.sqrt(26.0) * 2 * STRIDE) < 0.05  # gone after two cycles


@pytest.mark.row("D12")
def test_each_landing_kicks_the_hull_down(steady):
    v = steady.body["impact_rate"][:, 2]
    landed = np.flatnonzero(np.diff(steady.legs["touchdowns"].sum(axis=-1)) == 1)[4:]
    assert len(landed) > 30
    np.testing.assert_allclose(v[landed + 1] - v[landed], -0.16, atol=0.04)


@pytest.mark.row("D13")
def test_each_landing_gives_one_footfall_and_one_dust_and_sometimes_steam(steady):
    def events(seed, chance=0.25):
        stream = Cues(steady.machine, np.random.default_rng(seed), chance)
        return [event for frame in steady.frames for event in stream.add(frame)]

    found = events(7)
    landings = int((steady.legs["touchdowns"][-1] - steady.legs["touchdowns"][0]).sum())
    kinds = [event.kind for event in found]
    assert kinds.count(CueKind.FOOTFALL) == kinds.count(CueKind.DUST) == landings > 40
    assert 0 < kinds.count(CueKind.STEAM) < landings
    assert found == events(7) and found != events(8)
    assert [e.kind for e in events(7, 0.0)].count(CueKind.STEAM) == 0
    assert [e.kind for e in events(7, 1.0)].count(CueKind.STEAM) == landings
    times = [event.time for event in found]
    assert times == sorted(times)
    for event in found:
        if event.kind is CueKind.DUST:
            assert event.position[2] == pytest.approx(0.0, abs=1e-9)


def standing(machine, low, high):
    world = build_world([Plane(), Boxes([low], [high])])
    return show(machine, initial_state(machine, world), idle_command(1), world)


@pytest.mark.row("D14")
def test_the_hull_pitches_by_the_front_feet_over_the_rear_feet(quadruped):
    rise = 0.4
    frame = standing(quadruped, (0.5, -20, -1), (20, 20, rise))
    rest = quadruped.rig.leg_table["rest"]
    base = rest[[1, 3], 0].mean() - rest[[0, 2], 0].mean()
    nose = arrays.rotate(frame.actual.trunks["rotation"][0, 0], np.array([1.0, 0, 0]))
    assert np.arctan2(nose[2], np.hypot(nose[0], nose[1])) == pytest.approx(np.arctan(rise / base), rel=0.01)


@pytest.mark.row("D14")
def test_the_hull_rolls_by_the_left_feet_over_the_right_feet(quadruped):
    rise = 0.3
    frame = standing(quadruped, (-20, 0.3, -1), (20, 20, rise))
    rest = quadruped.rig.leg_table["rest"]
    base = rest[[0, 1], 1].mean() - rest[[2, 3], 1].mean()
    side = arrays.rotate(frame.actual.trunks["rotation"][0, 0], np.array([0.0, 1, 0]))
    assert np.arctan2(side[2], np.hypot(side[0], side[1])) == pytest.approx(np.arctan(rise / base), rel=0.01)


@pytest.mark.row("D15")
def test_the_hull_leans_away_from_the_foot_in_the_air(steady):
    rest = steady.machine.rig.leg_table["rest"][:, :2]
    hull = (steady.trunk["position"] - steady.motion["root_position"])[:, :2]
    for leg in range(4):
        swinging = steady.feet["swinging"][600:, leg] != 0
        away = hull[600:][swinging] - hull[600:].mean(axis=0)
        assert (away @ (rest[leg] - rest.mean(axis=0))).mean() < -0.02


@pytest.mark.row("D15")
def test_with_all_feet_down_the_hull_is_over_the_middle(stopped):
    assert np.abs(stopped.body["weight_shift"][-1]).max() < 1e-6
    assert np.abs((stopped.trunk["position"] - stopped.motion["root_position"])[-1, :2]).max() < 1e-3


@pytest.mark.row("D16")
def test_the_hulls_motion_is_a_rhythm_of_the_stride_and_no_noise(steady):
    cycle = round(STRIDE * 60)
    z = steady.trunk["position"][-8 * cycle :, 2]
    power = np.abs(np.fft.rfft(z - z.mean())) ** 2
    harmonics = power[8::8]  # eight whole cycles: every eighth line is a multiple of the stride's frequency
    assert harmonics.sum() / power.sum() > 0.98


@pytest.mark.row("D23")
def test_planted_feet_rest_on_the_ground(quadruped):
    world = make_terrain("rocks", quadruped.leg_length).world
    run = walk(quadruped, 10.0, at_speed(1.0), world)
    planted = run.feet["swinging"] == 0
    soles = run.feet["sole"][planted]
    assert np.abs(soles[:, 2] - ground_height(world, soles)).max() < 1e-9
    assert np.ptp(soles[:, 2]) > 0.1  # it is no plane

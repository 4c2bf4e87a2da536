"""The timer: which leg steps when (source document 002)."""

from __future__ import annotations

import numpy as np
import pytest
from centipede_walks import CRUISE, LEGS, PERIOD, STRIDE, ground, record, with_legs

from footfall import idle_command, initial_state, load_machine, state_hash, steady, step, teleport
from footfall.gait import cadence_at, stance_share, swing_time_at

STEADY = 3.0  # from here on the centipede walks at its cruising speed: 0.78 / 0.6 s to get there, and one period [s]


def settled(walk):
    return [found for found in walk.lift_offs() if found[0] > STEADY]


@pytest.mark.row("C6")
def test_the_period_is_the_stride_over_the_speed(walks):
    """0.6 / 0.78 = 0.76923 s; a timer that drops its remainder at 60 Hz would take 0.800 s."""
    assert pytest.approx(0.76923, abs=5e-6) == PERIOD
    times = {leg: [t for t, who, _ in settled(walks("centipede", "flat")) if who == leg] for leg in range(LEGS)}
    periods = np.concatenate([np.diff(found) for found in times.values()])
    assert min(len(found) for found in times.values()) >= 15
    assert np.mean(periods) == pytest.approx(0.769, abs=0.005)
    np.testing.assert_allclose(periods, PERIOD, atol=1e-9)  # nothing holds a leg back on flat ground


@pytest.mark.row("C7")
def test_every_sixteenth_of_the_period_a_leg_steps(walks):
    times = np.array([t for t, _, _ in settled(walks("centipede", "flat"))])
    assert len(times) > 250
    assert np.mean(np.diff(times)) == pytest.approx(0.04808, abs=1e-4)
    np.testing.assert_allclose(np.diff(times), PERIOD / LEGS, atol=1e-9)


@pytest.mark.row("C8")
def test_steps_run_from_tail_to_head_on_alternating_sides(walks):
    walk = walks("centipede", "flat")
    order = [leg for _, leg, _ in settled(walk)]
    sides = np.sign(walk.machine.rig.leg_table["rest"][order, 1])
    assert (sides[1:] == -sides[:-1]).all()
    trunks = walk.leg_trunk[order]  # 0 is the head
    steps = np.diff(trunks)
    assert set(steps.tolist()) == {0, -1, 7}  # the other side of the same trunk, the next one ahead, back to the tail
    assert (np.diff(np.flatnonzero(steps == 7)) == LEGS).all()


@pytest.mark.row("C16")
def test_a_foot_that_is_moved_away_from_its_place_still_waits_for_the_timer(centipede):
    """Both runs are alike but for two planted feet, one moved back and one ahead: no lift-off time changes."""
    terrain = ground(centipede, "flat")
    command = idle_command(1)
    command["speed"] = CRUISE
    frame = step(centipede, initial_state(centipede, terrain.world), command, terrain.world, 1.0)
    for _ in range(3):
        frame = step(centipede, frame.state, command, terrain.world, 1.0)
    moved = frame.state.copy()
    planted = np.flatnonzero(moved.legs["swinging"][0] == 0)
    phase = (moved.body["phase"][0] + moved.legs["phase_offset"][0]) % 1.0
    late, early = planted[np.argsort(phase[planted])[[2, -3]]]
    moved.legs["anchor"][0, late, 0] -= 0.08
    moved.legs["anchor"][0, early, 0] += 0.08
    seen = []
    for state in (frame.state, moved):
        times, now = [], state
        for _ in range(60):
            now = step(centipede, now, command, terrain.world, 1.0 / 60.0).state
            times.append(now.legs["lift_off"][0].copy())
        seen.append(np.array(times))
        assert now.legs["rescues"].sum() == frame.state.legs["rescues"].sum()
    np.testing.assert_array_equal(seen[0], seen[1])
    assert (seen[0][-1] > frame.time).all()  # every leg has stepped


@pytest.mark.row("C16")
def test_a_teleport_starts_no_step(centipede):
    terrain = ground(centipede, "flat")
    command = idle_command(1)
    command["speed"] = CRUISE
    frame = step(centipede, initial_state(centipede, terrain.world), command, terrain.world, 1.0)
    state = teleport(centipede, frame.state, terrain.world, [0], [[30.0, 4.0, 0.0]], [[0.8, 0.0, 0.0, 0.6]])
    steps = state.legs["steps"].copy()
    assert not state.legs["swinging"].any()
    after = step(centipede, state, command, terrain.world, 1.0 / 60.0).state
    assert (after.legs["steps"] == steps).all() and not after.legs["swinging"].any()


@pytest.mark.row("C16")
def test_at_constant_speed_the_timer_lifts_every_foot_at_the_same_distance(walks):
    """Feet lift where the distance from where they rest is the same again and again: timer and distance agree."""
    walk = walks("centipede", "flat")
    distances = []
    for time, leg, row in settled(walk):
        share = (time - walk.t[row - 1]) / (walk.t[row] - walk.t[row - 1])
        trunk = walk.trunk[row - 1, walk.leg_trunk[leg]] * (1 - share) + walk.trunk[row, walk.leg_trunk[leg]] * share
        distances.append(walk.origin[row, leg, 0] - trunk[0])
    np.testing.assert_allclose(distances, -0.5 * STRIDE, atol=1e-9)  # half a stride ahead, then a stride of travel


@pytest.mark.row("C17")
def test_a_frame_is_the_same_by_direct_run_and_by_seek(centipede):
    """Frame by frame, in leaps of a second, and from a state that was kept: the same state."""
    terrain = ground(centipede, "rocks")
    command = idle_command(1)
    command["speed"] = CRUISE

    def walk(state, count, dt):
        for _ in range(count):
            state = step(centipede, state, command, terrain.world, dt).state
        return state

    start = initial_state(centipede, terrain.world)
    direct = walk(start, 360, 1.0 / 60.0)
    assert state_hash(walk(start, 360, 1.0 / 60.0)) == state_hash(direct)
    kept = walk(start, 200, 1.0 / 60.0).copy()
    assert state_hash(walk(kept, 160, 1.0 / 60.0)) == state_hash(direct)
    sought = walk(start, 6, 1.0)
    sought.body["remainder"], direct.body["remainder"] = 0.0, 0.0  # sums of dt differ in their last bit
    assert state_hash(sought) == state_hash(direct)
    assert state_hash(walk(start, 359, 1.0 / 60.0)) != state_hash(direct)


@pytest.mark.row("C18")
@pytest.mark.parametrize("count", [6, 16, 40])
def test_any_number_of_legs_shares_out_the_same_period(count):
    """Interval T/N; swing 0.24 s, or less where more than five feet would be in the air; bones and knees as ever."""
    machine = with_legs(count)
    walk = record(machine, ground(machine, "flat"), steady(8.0))
    found = settled(walk)
    np.testing.assert_allclose(np.diff([t for t, _, _ in found]), PERIOD / count, atol=1e-9)
    times = np.array([walk.touchdown[row, leg] - t for t, leg, row in found])
    np.testing.assert_allclose(times, min(0.24, 4.99 * PERIOD / count), atol=1e-9)
    assert walk.swinging.sum(axis=1).max() <= 5
    order = [leg for _, leg, _ in found]
    for number in range(len(order) - count):
        assert set(order[number : number + count]) == set(range(count))
    lengths = np.linalg.norm(np.diff(walk.joints, axis=2), axis=-1)
    np.testing.assert_allclose(lengths, np.broadcast_to([0.12, 0.20, 0.26], lengths.shape), atol=1e-6)
    planted = ~walk.swinging
    assert np.linalg.norm(walk.sole - walk.anchor, axis=-1)[planted].max() < 1e-3
    assert above_the_line(walk).mean() >= 0.99


def above_the_line(walk):
    """Whether both knees of a leg are over the line from hip to foot ``[ticks, legs]``."""
    hip, foot = walk.joints[:, :, :1], walk.joints[:, :, -1:]
    line = (foot - hip) / np.linalg.norm(foot - hip, axis=-1, keepdims=True)
    arms = walk.joints[:, :, 1:-1] - hip
    return ((arms - line * (arms * line).sum(-1, keepdims=True))[..., 2] > 0.0).all(axis=-1)


@pytest.mark.row("C24")
@pytest.mark.parametrize("speed", [0.55, 0.7, 0.78, 0.9])
def test_the_timers_parts_are_the_formulas_of_the_source(speed):
    """CreatureController: T = maxTargetDistance / speed; stepDuration = min(…, (T / N) · stepDurationRatio)."""
    machine = load_machine("centipede")
    gait = machine.constants.gaits[0]
    cadence = cadence_at(gait, speed)
    assert cadence == pytest.approx(speed / 0.6)
    swing = swing_time_at(gait, gait["duty_factor"], cadence, LEGS)
    assert swing == pytest.approx(min(0.24, 0.6 / speed / LEGS * 4.99))
    assert stance_share(gait, gait["duty_factor"], cadence, LEGS) == pytest.approx(1.0 - swing * cadence)

"""Kneeling, and what the pilot's head feels (rows D24, D37 to D40, D42, D43, D45)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from conftest import at_speed, walk

from footfall.cues import CueKind, Cues
from footfall.head import head_push, land_on_head, measure_seat, ring_head
from footfall.machine import build_machine
from footfall.state import HEAD, POSE

STEP = 1.0 / 60.0
KS, SHAKE = 55.0, 0.6


@pytest.fixture
def settings(quadruped):
    return quadruped.constants.head[0]


def seat_path(settings, positions):
    """Accelerations that the seat feels along positions of a trunk that does not turn."""
    head, trunk = np.zeros(1, HEAD)[0], np.zeros(1, POSE)[0]
    trunk["rotation"] = (1.0, 0.0, 0.0, 0.0)
    felt = []
    for position in positions:
        trunk["position"] = position
        measure_seat(settings, head, trunk, STEP)
        felt.append(head["acceleration"].copy())
    return np.array(felt)


@pytest.mark.row("D24")
def test_kneeling_lowers_the_hull_and_the_feet_do_not_slide(kneeling):
    down = (kneeling.time > 18.0) & (kneeling.time < 21.9)
    assert (kneeling.body["kneel"][down] == 1.0).all()
    height = kneeling.trunk["position"][:, 2]
    assert height[down].mean() == pytest.approx(1.35, abs=0.02)
    assert height[(kneeling.time > 11.0) & (kneeling.time < 12.0)].mean() == pytest.approx(2.6, abs=0.05)
    still = (kneeling.time > 11.9) & (kneeling.time < 25.0)
    assert np.ptp(kneeling.joints[still][:, [4, 9, 14, 19]], axis=0).max() < 1e-6  # forward-kinematics soles
    assert kneeling.legs["steps"][-1].min() > kneeling.legs["steps"][still][-1].max()  # and it walks on


@pytest.mark.row("D24")
def test_the_hatch_opens_when_the_machine_is_down_and_closes_before_it_rises(kneeling):
    stream = Cues(kneeling.machine, np.random.default_rng(0))
    events = [event for frame in kneeling.frames for event in stream.add(frame)]
    kinds = [e.kind for e in events if e.kind.value.startswith(("hatch", "servo"))]
    assert kinds == [
        CueKind.SERVO_START, CueKind.SERVO_STOP, CueKind.HATCH_OPEN,
        CueKind.SERVO_START, CueKind.HATCH_CLOSE, CueKind.SERVO_STOP,
    ]  # fmt: skip
    opened = next(e.time for e in events if e.kind is CueKind.HATCH_OPEN)
    assert kneeling.body["kneel"][np.searchsorted(kneeling.time, opened - 1e-9)] == 1.0


@pytest.mark.row("D37")
def test_constant_velocity_is_not_felt_and_constant_acceleration_is(settings):
    t = STEP * np.arange(200)[:, None]
    assert np.abs(seat_path(settings, t * np.array([3.0, -1.0, 0.5]))).max() < 1e-9
    a = np.array([1.5, -0.7, 0.3])
    np.testing.assert_allclose(seat_path(settings, 0.5 * a * t**2)[3:], np.broadcast_to(a, (197, 3)), atol=1e-8)


@pytest.mark.row("D37")
def test_a_constant_acceleration_holds_the_head_at_a_steady_offset(settings):
    head = np.zeros(1, HEAD)[0]
    head["acceleration"] = a = np.array([2.0, -1.0, 0.5])
    for _ in range(600):
        ring_head(settings, head, (0.0, 0.0, 0.0), STEP)
    np.testing.assert_allclose(head["offset"], -0.012 * a * SHAKE / KS, rtol=1e-6)


@pytest.mark.row("D38")
@pytest.mark.parametrize("step", [1 / 30, 1 / 60, 1 / 144])
def test_the_head_rings_with_damping_0_45_at_7_416_rad_s_at_any_step(settings, step):
    head = np.zeros(1, HEAD)[0]
    head["offset"][0] = 1.0
    omega, zeta = np.sqrt(KS), 0.45
    assert omega == pytest.approx(7.416, abs=1e-3)
    damped = omega * np.sqrt(1 - zeta**2)
    for number in range(1, 60):
        ring_head(settings, head, (0.0, 0.0, 0.0), step)
        t = number * step
        exact = np.exp(-zeta * omega * t) * (np.cos(damped * t) + zeta * omega / damped * np.sin(damped * t))
        assert head["offset"][0] == pytest.approx(exact, abs=1e-9)


@pytest.mark.row("D39")
def test_the_head_leans_out_of_turns_and_back_in_surges(settings):
    push = head_push(settings, (0.0, 0.0, 0.0), 0.3, 1.0)
    assert push[0] == pytest.approx(0.3 * 0.05 * SHAKE) and push[1] == 0.0  # a left turn: right side down
    push = head_push(settings, (2.0, 0.0, 0.0), 0.0, 1.0)
    assert push[1] == pytest.approx(-2.0 * 0.012 * SHAKE) and push[0] == 0.0  # a surge: nose up
    head = np.zeros(1, HEAD)[0]
    push = (0.02, -0.01, 0.0)
    for _ in range(900):
        ring_head(settings, head, push, STEP)
    np.testing.assert_allclose(head["rotation"], 0.1 * np.array(push), rtol=1e-6)


@pytest.mark.row("D40")
@pytest.mark.parametrize(
    ("leg", "side", "end"), [(0, "left", "rear"), (1, "left", "front"), (2, "right", "rear"), (3, "right", "front")]
)
def test_a_footfall_rolls_towards_its_side_pitches_towards_its_end_and_drops(quadruped, leg, side, end):
    head = np.zeros(1, HEAD)[0]
    land_on_head(quadruped.constants, head, leg)
    roll, pitch, _ = head["rotation_rate"]
    assert (roll < 0.0) == (side == "left") and roll != 0.0  # right side down is positive
    assert (pitch > 0.0) == (end == "front") and pitch != 0.0  # nose down is positive
    assert head["offset_rate"][2] < 0.0 and not head["offset_rate"][:2].any()


@pytest.mark.row("D42")
def test_the_servos_rumble_only_while_it_kneels_down_or_stands_up(kneeling):
    moving = (kneeling.body["kneel"] > 0.0) & (kneeling.body["kneel"] < 1.0)
    assert moving.sum() > 200
    np.testing.assert_array_equal(kneeling.head["rumble"] > 0.0, moving)


@pytest.mark.row("D43")
def test_shake_is_0_6_and_can_be_switched_off(quadruped, steady):
    assert quadruped.file.head.shake == SHAKE
    assert np.abs(steady.head["offset"]).max() > 1e-4 and np.abs(steady.head["rotation"]).max() > 1e-5
    calm = build_machine(replace(quadruped.file, head=replace(quadruped.file.head, shake=0.0)))
    run = walk(calm, 5.0, at_speed(1.0))
    assert run.legs["steps"][-1].max() > 1
    for key in ("offset", "rotation", "offset_rate", "rotation_rate"):
        assert not run.head[key].any()
    strong = build_machine(replace(quadruped.file, head=replace(quadruped.file.head, shake=1.2)))
    doubled = walk(strong, 5.0, at_speed(1.0)).head["offset"]
    np.testing.assert_allclose(doubled, 2.0 * steady.head["offset"][: len(doubled)], atol=1e-12)


@pytest.mark.row("D45")
def test_a_machine_that_stands_still_does_not_move_the_head(quadruped):
    run = walk(quadruped, 4.0, at_speed(0.0))
    assert np.abs(run.head["offset"][60:]).max() < 1e-9 and np.abs(run.head["rotation"][60:]).max() < 1e-9


@pytest.mark.row("D45")
def test_the_head_moves_the_same_way_each_time(quadruped, steady):
    again = walk(quadruped, 6.0, at_speed(1.0))
    np.testing.assert_array_equal(again.head["offset"], steady.head["offset"][: len(again.time)])

"""What the source left out: tilt, stopping and turning (rows C20 and C21), and the other presets (row C22)."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from centipede_walks import UP, ground, record, turn

from footfall import load_machine, load_scenario, steady
from footfall.machine import build_machine


@pytest.mark.row("C20")
@pytest.mark.parametrize("heading_deg", [0.0, 90.0, 180.0, 35.0])
def test_trunks_stand_upright_on_a_slope(centipede, heading_deg):
    """Uphill, across, downhill, at a slant: every trunk's up within 3 degrees of the slope's normal, all the way."""
    walk = record(centipede, ground(centipede, "slope"), steady(4.0), headings=np.radians(heading_deg))
    normal = np.array([-np.sin(np.radians(15.0)), 0.0, np.cos(np.radians(15.0))])
    off = np.degrees(np.arccos(np.clip(turn(walk.rotation, UP) @ normal, -1.0, 1.0)))
    assert off.max() < 3.0


@pytest.mark.row("C20")
def test_without_the_tilt_trunks_stay_level_as_in_the_source(centipede):
    file = centipede.file
    flat_body = dataclasses.replace(file.body, follow_pitch=0.0, follow_roll=0.0)
    machine = build_machine(dataclasses.replace(file, body=flat_body))
    walk = record(machine, ground(machine, "slope"), steady(4.0))
    np.testing.assert_allclose(turn(walk.rotation, UP), np.broadcast_to(UP, walk.trunk.shape), atol=1e-12)
    # it still climbs: at the asked height over the plane
    height = walk.trunk[:, :, 2] - walk.trunk[:, :, 0] * np.tan(np.radians(15.0))
    np.testing.assert_allclose(height, file.stand_height, atol=0.01)


@pytest.mark.row("C21")
def test_after_a_stop_all_feet_are_where_they_rest_within_two_periods(stopping):
    """From when the body stands; T is the shuffle's period, 1 / 1.3 s."""
    file = stopping.machine.file
    scenario = load_scenario("start_stop")
    ends = [event.at for event in scenario.events[1:]] + [scenario.seconds]
    stops = [
        (event.at, end)
        for event, end in zip(scenario.events, ends, strict=True)
        if event.at > 0.0 and 0.0 in (event.speed, event.speed_share)
    ]
    assert len(stops) == 2
    rests = stopping.machine.rig.leg_table["rest"]
    places = stopping.trunk[:, stopping.leg_trunk] + turn(stopping.rotation[:, stopping.leg_trunk], rests)
    away = np.linalg.norm((stopping.sole - places)[..., :2], axis=-1)
    still = np.append(True, np.linalg.norm(np.diff(stopping.trunk[:, 4], axis=0), axis=-1) == 0.0)
    radius, period = file.gait.settle_radius * stopping.machine.leg_length, 1.0 / file.gait.shuffle_cadence
    for stop, end in stops:
        stands = stopping.t[(stopping.t > stop) & still][0]
        later = (stopping.t >= stands + 2.0 * period) & (stopping.t < end)
        assert later.any()
        assert away[later].max() <= radius
        assert not stopping.swinging[(stopping.t >= stands + 3.0 * period) & (stopping.t < end)].any()
        assert away[np.searchsorted(stopping.t, stands)].max() > radius  # there was something to settle


@pytest.mark.row("C21")
def test_in_sharp_turns_no_foot_is_asked_for_more_than_its_leg_reaches(turning, stopping, centipede):
    sharp = record(centipede, ground(centipede, "rocks"), load_scenario("turn"))
    for walk in (turning, stopping, sharp):
        assert walk.excess.max() == 0.0
        spans = np.linalg.norm(walk.sole - walk.joints[:, :, 0], axis=-1)
        assert spans.max() < 0.58
        planted = ~walk.swinging
        assert np.linalg.norm(walk.sole - walk.anchor, axis=-1)[planted].max() < 1e-6


@pytest.mark.row("C22")
@pytest.mark.parametrize("name", ["spider", "crab", "centipede", "crawler"])
def test_spider_crab_centipede_and_robot_walk_over_rocks(name):
    machine = load_machine(name)
    assert len(machine.rig.legs) >= 6
    walk = record(machine, ground(machine, "rocks"), steady(8.0))
    size = machine.leg_length
    lengths = np.linalg.norm(np.diff(walk.joints, axis=2), axis=-1)
    assert np.ptp(lengths, axis=0).max() < 1e-6
    planted = ~walk.swinging
    both = planted[1:] & planted[:-1] & (walk.steps[1:] == walk.steps[:-1])
    assert np.linalg.norm(np.diff(walk.sole, axis=0), axis=-1)[both].max() < 1e-5  # 0.01 mm
    assert np.linalg.norm(walk.sole - walk.anchor, axis=-1)[planted].max() < 1e-5
    assert walk.excess.max() < 1e-9
    assert walk.swinging.sum(axis=1).max() <= machine.airborne_limit
    assert (walk.steps[-1] - walk.steps[0]).min() >= 4
    way = np.linalg.norm(walk.trunk[-1, 0, :2] - walk.trunk[0, 0, :2])
    assert way > 0.7 * machine.file.cruise_speed * 7.0
    assert np.ptp(walk.sole[planted][:, 2]) > 0.1 * size  # the ground is uneven

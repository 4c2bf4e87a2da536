"""A chain of trunks whose root is a host's: the path leads through it."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import footfall as ff
from footfall.frames import arrays

RADIUS = 2.5  # of the host's circle [m]
SPEED = 0.5  # of the host on it [m/s]
RUN_UP = 2.0  # straight way before it [m]


def host_root(time):
    """Straight ahead, then round a circle to the left: position [m] and heading [rad]."""
    way = SPEED * max(time - 0.5, 0.0)
    if way <= RUN_UP:
        return np.array([way, 0.0, 0.0]), 0.0
    angle = (way - RUN_UP) / RADIUS
    return np.array([RUN_UP + RADIUS * math.sin(angle), RADIUS * (1.0 - math.cos(angle)), 0.0]), angle


def lead(machine, world, rate, seconds):
    """Frames of a chain that a host leads along its way."""
    state = ff.initial_state(machine, world, hosted=True)
    frames = []
    for number in range(round(rate * seconds)):
        command = ff.idle_command(1)
        position, heading = host_root((number + 1) / rate)
        command["hosted"] = 1
        command["root_position"], command["root_rotation"] = position, arrays.about_z(np.float64(heading))
        frames.append(ff.step(machine, state, command, world, 1.0 / rate))
        state = frames[-1].state
    return frames


@pytest.fixture(scope="module")
def flat(centipede):
    """Flat ground."""
    return ff.make_terrain("flat", centipede.leg_length).world


@pytest.fixture(scope="module")
def led(centipede, flat):
    """A chain on its host's way, at 60 Hz."""
    return lead(centipede, flat, 60.0, 24.0)


def test_the_middle_trunk_is_under_the_hosts_root_at_every_frame(centipede, led):
    middle = centipede.rig.main_trunk
    for number, frame in enumerate(led):
        position, heading = host_root((number + 1) / 60.0)
        trunk = frame.actual.trunks[0, middle]
        assert np.abs(trunk["position"][:2] - position[:2]).max() <= 1e-7
        # the path's tangent and the trunk's pose agree, and its feet are planned in it
        w, x, y, z = trunk["rotation"]
        yaw = math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
        assert abs(math.remainder(yaw - heading, 2.0 * math.pi)) <= 1e-6


def test_all_trunks_come_round_on_the_hosts_circle(centipede, led):
    last = led[-1].actual.trunks[0]["position"][:, :2]
    away = np.linalg.norm(last - (RUN_UP, RADIUS), axis=-1) - RADIUS
    assert np.abs(away).max() <= 0.02 * RADIUS
    # on its arc they are one spacing of way apart
    gaps = np.linalg.norm(np.diff(last, axis=0), axis=-1)
    chord = 2.0 * RADIUS * math.sin(0.5 * centipede.file.trunk_spacing / RADIUS)
    assert np.abs(gaps - chord).max() <= 0.02 * chord


def test_led_feet_walk_without_slip_or_excess(centipede, led):
    ends = centipede.rig.leg_table["first_joint"] + centipede.rig.leg_table["bones"]
    soles = np.array([frame.joints.position[0, ends] for frame in led])
    swinging = np.array([frame.legs["swinging"][0] != 0 for frame in led])
    assert led[-1].legs["steps"][0].min() >= 8
    assert led[-1].legs["rescues"][0].max() <= 2  # where the circle begins at once, the chain swings round
    for leg in range(soles.shape[1]):
        edges = np.flatnonzero(np.diff(swinging[:, leg].astype(int)))
        for start, end in pairwise(edges):
            if not swinging[start + 1, leg]:
                assert np.linalg.norm(soles[start + 1 : end + 1, leg] - soles[start + 1, leg], axis=-1).max() <= 1e-5


def test_a_chain_led_at_two_rates_steps_on_the_same_spots(centipede, flat, led):
    def spots(frames):
        found = [[] for _ in range(frames[0].legs.shape[1])]
        for before, frame in pairwise(frames):
            for leg in np.flatnonzero(frame.legs["touchdowns"][0] > before.legs["touchdowns"][0]):
                found[leg].append(frame.legs["anchor"][0, leg])
        return [np.array(places) for places in found]

    for ours, theirs in zip(spots(led), spots(lead(centipede, flat, 144.0, 24.0)), strict=True):
        count = min(len(ours), len(theirs))
        assert count >= len(ours) - 1
        assert np.linalg.norm(ours[:count] - theirs[:count], axis=-1).max() <= 0.005

"""Noise on how a run of the joint drive starts: how high the machine hangs, how its joints stand and turn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from footfall.state import Array

HEIGHT_NOISE = 0.02  # at most, evenly [m]
ANGLE_NOISE = 0.1  # at most, evenly [rad]
RATE_NOISE = 0.1  # standard deviation [rad/s]


class StartNoise(NamedTuple):
    """What is added to the start."""

    height: float
    """[m]"""
    angles: Array
    """``[joints]`` [rad]."""
    rates: Array
    """``[joints]`` [rad/s]."""


def draw_start_noise(generator: np.random.Generator, joints: int) -> StartNoise:
    """Noise from a generator.

    Four draws come first and are thrown away: those of a reset that the published baseline makes before its own. With
    them a seed gives the very start that it gives there.
    """
    generator.uniform(-HEIGHT_NOISE, HEIGHT_NOISE, 7)
    generator.uniform(-ANGLE_NOISE, ANGLE_NOISE, joints)
    generator.normal(size=6)
    generator.normal(size=joints)
    height = float(generator.uniform(-HEIGHT_NOISE, HEIGHT_NOISE))
    angles = generator.uniform(-ANGLE_NOISE, ANGLE_NOISE, joints)
    return StartNoise(height, angles, RATE_NOISE * generator.normal(size=joints))

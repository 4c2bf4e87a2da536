"""Springs and smoothing at any step: the field cases B03 and B04, from their closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from footfall.motion import approach
from footfall.spring import damped_spring, follower, ring, smooth

pytestmark = pytest.mark.nojit

OMEGA, ZETA = 2.0 * math.pi / 0.07, 0.85  # a response of 0.07 s


def closed_form(t):
    """x(t) of x″ + 2ζω x′ + ω² x = 0 from x = 1 at rest."""
    damped = OMEGA * math.sqrt(1.0 - ZETA * ZETA)
    return math.exp(-ZETA * OMEGA * t) * (math.cos(damped * t) + ZETA * OMEGA / damped * math.sin(damped * t))


def steps_to(instants, dt):
    """Steps of length dt, or of random lengths, that meet each instant [s]."""
    random = np.random.default_rng(3)
    now, lengths = 0.0, []
    for instant in instants:
        while now < instant - 1e-12:
            step = min(dt if dt else random.uniform(1e-4, 0.04), instant - now)
            now += step
            lengths.append((step, abs(now - instant) < 1e-12))
    return lengths


@pytest.mark.case("FC-B03")
@pytest.mark.parametrize("dt", [1 / 30, 1 / 60, 1 / 144, 1 / 1000, None])
def test_a_spring_is_the_closed_form_at_every_step(dt):
    instants = [1 / 30, 1 / 15, 0.1]
    assert [closed_form(t) for t in instants] == pytest.approx([0.12643, -0.00629, -0.00078], abs=6e-6)
    x, v, found = 1.0, 0.0, []
    for step, met in steps_to(instants, dt):
        x, v = damped_spring(x, v, OMEGA, ZETA, step)
        if met:
            found.append(x)
    assert found == pytest.approx([closed_form(t) for t in instants], abs=1e-9)


@pytest.mark.case("FC-B03")
@pytest.mark.parametrize("zeta", [0.0, 0.3, 1.0, 1.0 + 1e-10, 1.7])
def test_no_spring_gains_energy_at_any_step(zeta):
    for dt in (1e-4, 1 / 60, 0.5, 10.0):
        x, v = 1.0, 0.0
        for _ in range(1000):
            x, v = damped_spring(x, v, OMEGA, zeta, dt)
            assert OMEGA * OMEGA * x * x + v * v <= OMEGA * OMEGA * (1.0 + 1e-6)


@pytest.mark.case("FC-B04")
@pytest.mark.parametrize("share", [0.1, 1.0, 3.0, 1e6])
def test_smoothing_never_overshoots_and_is_the_exponential(share):
    time = 0.25
    dt = share * time
    x = 1.0
    for number in range(1, 8):
        x = smooth(x, 0.0, time, dt)
        assert 0.0 <= x < 1.0
        assert x == pytest.approx(math.exp(-number * share), rel=1e-12, abs=1e-300)
    # the same at the same instant, however it was cut
    cut = smooth(smooth(1.0, 0.0, time, 0.3 * dt), 0.0, time, 0.7 * dt)
    assert cut == pytest.approx(smooth(1.0, 0.0, time, dt), rel=1e-12, abs=1e-300)


@pytest.mark.case("FC-B04")
@pytest.mark.parametrize("share", [0.1, 1.0, 3.0, 100.0])
def test_a_follower_from_rest_never_overshoots(share):
    x, v = 1.0, 0.0
    for _ in range(50):
        x, v = ring(follower(0.25, share * 0.25), x, v)
        assert -1e-15 <= x <= 1.0 and v <= 1e-12


@pytest.mark.case("FC-B04")
@pytest.mark.parametrize("dt", [0.01, 1.0, 100.0])
def test_speeds_approach_what_is_asked_and_never_pass_it(dt):
    for start in (-2.0, 0.0, 3.0):
        for target in (-1.0, 0.0, 1.5):
            value, below = start, start <= target
            for _ in range(3000):
                value = approach(value, target, 1.0, 1.5, dt)
                assert (value <= target) if below else (value >= target)
                if value == target:
                    break
            assert value == target or dt < 0.1

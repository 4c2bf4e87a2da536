"""Springs and smoothing in closed form: the same motion at any step, and none that explodes."""

from __future__ import annotations

import math

from footfall.compile import inline


@inline
def smooth(value, target, time, dt):
    """First-order approach with a time constant: value − target shrinks by e^(−dt/time)."""
    if time <= 0.0:
        return target
    return target + (value - target) * math.exp(-dt / time)


@inline
def damped_spring(x, v, omega, zeta, dt):
    """Deflection and rate of x″ + 2ζω x′ + ω² x = 0 after dt, exactly, for any damping ratio ζ ≥ 0.

    Every textbook's three cases, e.g. Juckett (2012), "Damped springs".
    """
    if omega <= 0.0:
        return x + v * dt, v
    if zeta < 1.0 - 1e-9:
        damped = omega * math.sqrt(1.0 - zeta * zeta)
        decay = math.exp(-zeta * omega * dt)
        c = math.cos(damped * dt)
        s = math.sin(damped * dt)
        b = (v + zeta * omega * x) / damped
        return decay * (x * c + b * s), decay * (v * c - (zeta * omega * b + damped * x) * s)
    if zeta > 1.0 + 1e-9:
        root = omega * math.sqrt(zeta * zeta - 1.0)
        fast = -zeta * omega - root
        slow = -zeta * omega + root
        a = (v - slow * x) / (fast - slow)
        b = x - a
        ef = math.exp(fast * dt)
        es = math.exp(slow * dt)
        return a * ef + b * es, a * fast * ef + b * slow * es
    decay = math.exp(-omega * dt)
    b = v + omega * x
    return decay * (x + b * dt), decay * (v - omega * b * dt)

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
    """Deflection and rate of x″ + 2ζω x′ + ω² x = 0 after dt, exactly, for any damping ratio ζ ≥ 0."""
    return ring(spring_matrix(omega, zeta, dt), x, v)


@inline
def follower(time, dt):
    """Matrix of a critically damped follower with a time constant: no jump of speed, no overshoot from rest."""
    return spring_matrix(2.0 / max(time, 1e-9), 1.0, dt)


@inline
def ring(matrix, x, v):
    """Deflection and rate after the time that a matrix stands for."""
    return matrix[0] * x + matrix[1] * v, matrix[2] * x + matrix[3] * v


@inline
def limited_follower(x, v, a, target, target_rate, time, dt, fastest, hardest, jerk):
    """Position, rate and acceleration of a critically damped follower under limits (row B88).

    Position and velocity feedback ask for an acceleration up to ``hardest`` that changes by no more than ``jerk`` a
    second; old and new acceleration are averaged for the rate, which stays below ``fastest``, and the rates for the
    position.
    """
    omega = 2.0 / time
    wanted = omega * omega * (target - x) - 2.0 * omega * (v - target_rate)
    wanted = min(max(wanted, -hardest), hardest)
    after = a + min(max(wanted - a, -jerk * dt), jerk * dt)
    rate = min(max(v + 0.5 * (a + after) * dt, -fastest), fastest)
    return x + 0.5 * (v + rate) * dt, rate, after


@inline
def spring_matrix(omega, zeta, dt):
    """Matrix (xx, xv, vx, vv) that takes deflection and rate over dt; one matrix serves all axes of a spring.

    The textbook's three cases, e.g. Juckett (2012), "Damped springs".
    """
    if omega <= 0.0:
        return (1.0, dt, 0.0, 1.0)
    if zeta < 1.0 - 1e-9:
        damped = omega * math.sqrt(1.0 - zeta * zeta)
        decay = math.exp(-zeta * omega * dt)
        c = decay * math.cos(damped * dt)
        s = decay * math.sin(damped * dt) / damped
        return (c + zeta * omega * s, s, -omega * omega * s, c - zeta * omega * s)
    if zeta > 1.0 + 1e-9:
        root = omega * math.sqrt(zeta * zeta - 1.0)
        fast = -zeta * omega - root
        slow = -zeta * omega + root
        ef = math.exp(fast * dt)
        es = math.exp(slow * dt)
        gap = fast - slow
        return (
            (fast * es - slow * ef) / gap,
            (ef - es) / gap,
            fast * slow * (es - ef) / gap,
            (fast * ef - slow * es) / gap,
        )
    decay = math.exp(-omega * dt)
    return (decay * (1.0 + omega * dt), decay * dt, -decay * omega * omega * dt, decay * (1.0 - omega * dt))

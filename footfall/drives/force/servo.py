"""Servos: accelerations that bring a proxy to its goal, held for one tick.

The gains put both poles of the sampled double integrator at ``exp(-frequency · dt)``. Over N substeps that update the
velocity before the position, a held acceleration moves the position by ``v·dt + c·a·dt²`` with ``c = ½(1 + 1/N)``; the
gains are exact for that c. With c = ½, exact integration, they are the ones of rows B135.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from footfall.frames import arrays
from footfall.state import Array


class Gains(NamedTuple):
    """Feedback of a servo."""

    position: float
    """Acceleration for a position error [1/s²]."""
    velocity: float
    """Acceleration for a velocity error [1/s]."""


def position_coefficient(substeps: int) -> float:
    """c of ``x + v·dt + c·a·dt²`` over substeps that update the velocity before the position."""
    return 0.5 * (1.0 + 1.0 / substeps)


def pole_gains(frequency: float, dt: float, coefficient: float = 0.5) -> Gains:
    """Gains that put both poles at ``exp(-frequency · dt)``.

    Args:
        frequency: ω of the servo [rad/s].
        dt: time that the acceleration is held [s].
        coefficient: c of the integrator, see ``position_coefficient``; ½ is exact integration.
    """
    pole = math.exp(-frequency * dt)
    stiff = (1.0 - pole) ** 2
    return Gains(stiff / dt**2, (1.0 - pole**2 + (1.0 - coefficient) * stiff) / dt)


class Motion(NamedTuple):
    """What a sampled goal does at one instant."""

    velocity: Array
    """``[..., 3]`` [m/s] or [rad/s], world."""
    acceleration: Array
    """``[..., 3]`` [m/s²] or [rad/s²], world: the change of velocity over the coming tick, by its length."""


def sampled_motion(before: Array, now: Array, after: Array, dt: float, coefficient: float = 0.5) -> Motion:
    """Velocity and held acceleration of a goal that is sampled every dt [s].

    The acceleration is the change of the mean velocity from one interval to the next, by dt: however a change of
    velocity falls between the samples, its integral is kept (row B155). With the velocity, held over a tick, it leads
    from one sample exactly to the next: ``now + v·dt + c·a·dt² = after``.
    """
    acceleration = (after - 2.0 * now + before) / dt**2
    return Motion((after - before) / (2.0 * dt) - (coefficient - 0.5) * dt * acceleration, acceleration)


def sampled_turn(before: Array, now: Array, after: Array, dt: float) -> Motion:
    """The same for rotations ``[..., 4]``: angular velocity [rad/s] and acceleration [rad/s²], world."""
    came = arrays.rotation_vector(arrays.multiply(now, arrays.conjugate(before)))
    goes = arrays.rotation_vector(arrays.multiply(after, arrays.conjugate(now)))
    return Motion((came + goes) / (2.0 * dt), (goes - came) / dt**2)


def servo(gains: Gains, error: Array, error_rate: Array, feed_forward: Array) -> Array:
    """Acceleration ``[..., 3]`` asked for: ``kp·Δp + kd·Δv + feed forward``, before any limit."""
    return gains.position * error + gains.velocity * error_rate + feed_forward


def limited(vector: Array, limit: float | Array) -> Array:
    """Vectors ``[..., 3]`` no longer than the limit, in their direction."""
    size = np.linalg.norm(vector, axis=-1, keepdims=True)
    return vector * np.minimum(1.0, limit / np.maximum(size, 1e-300))


def rotation_error(goal: Array, measured: Array) -> Array:
    """Rotation vector ``[..., 3]`` from the measured rotation to the goal, the short way, world [rad]."""
    return arrays.rotation_vector(arrays.multiply(goal, arrays.conjugate(measured)))


def torque(rotation: Array, inertia: Array, acceleration: Array, angular_velocity: Array) -> Array:
    """World torque ``[..., 3]`` [N·m] that gives a body an angular acceleration (Euler's equation).

    Args:
        rotation: ``[..., 4]`` q_world_body.
        inertia: ``[..., 3]`` principal moments along the body's own axes [kg·m²].
        acceleration: ``[..., 3]`` [rad/s²], world.
        angular_velocity: ``[..., 3]`` [rad/s], world.
    """
    alpha, omega = arrays.unrotate(rotation, acceleration), arrays.unrotate(rotation, angular_velocity)
    return arrays.rotate(rotation, inertia * alpha + np.cross(omega, inertia * omega))

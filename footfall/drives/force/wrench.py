"""Wrenches on the proxies in one tick: servos of the body and of the feet, and how the body's is passed to the ground.

Formulas of rows B135 to B149; all vectors in the world's frame, at the centres of mass.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from footfall.drives.force.contact import Flags
from footfall.drives.force.host import Proxies, Reading
from footfall.drives.force.servo import (
    Gains,
    Motion,
    limited,
    pole_gains,
    position_coefficient,
    rotation_error,
    servo,
    torque,
)
from footfall.drives.force.settings import Force, GainRule, SupportRule
from footfall.drives.force.support import SHARES, equal_share, residual_wrench, tangential_limit, torque_budget
from footfall.frames import arrays
from footfall.state import Array


class ServoGains(NamedTuple):
    """Gains of all servos for one length of tick."""

    body: Gains
    body_turn: Gains
    stance: Gains
    swing: Gains
    foot_turn: Gains


def servo_gains(force: Force, dt: float, substeps: int) -> ServoGains:
    """Gains for accelerations that are held for dt [s]."""
    coefficient = position_coefficient(substeps) if force.gains == GainRule.substeps else 0.5
    frequencies = (
        force.body_frequency, force.body_turn_frequency, force.stance_frequency, force.swing_frequency,
        force.foot_turn_frequency,
    )  # fmt: skip
    return ServoGains(*(pole_gains(frequency, dt, coefficient) for frequency in frequencies))


class Goals(NamedTuple):
    """Where body and feet should be at the start of a tick, and how that moves; the body first."""

    position: Array
    """``[1 + feet, 3]`` centres of mass [m]."""
    rotation: Array
    """``[1 + feet, 4]`` q_world_proxy."""
    motion: Motion
    """``[1 + feet, 3]`` velocity and held acceleration of the centres."""
    turn: Motion
    """``[1 + feet, 3]`` angular velocity and held acceleration."""
    planted: Flags
    """``[feet]`` True where the plan has a foot carry."""


class Wrenches(NamedTuple):
    """What is applied in one tick, and what it came from."""

    forces: Array
    """``[1 + feet, 3]`` [N]."""
    torques: Array
    """``[1 + feet, 3]`` [N·m]."""
    servo: Array
    """``[1 + feet, 3]`` the servos' own forces, without what is passed on [N]."""
    shares: Array
    """``[feet, 3]`` force that each foot passes from the body to the ground [N], as it acts on the body."""
    asked: Array
    """``[3]`` acceleration asked of the body, before its limits [m/s²]."""
    residual: Array
    """``[6]`` sum of all forces [N], and of their moments about the body [N·m]."""


def foot_forces(force: Force, gains: ServoGains, proxies: Proxies, reading: Reading, goals: Goals) -> Array:
    """Forces of the feet's servos ``[feet, 3]`` [N] (rows B147 to B149).

    A planted foot is held along the plane of its goal's sole, the ground holds it across. A foot in the air follows its
    goal, with the goal's acceleration fed forward and its weight taken off.
    """
    masses = proxies.masses[1:, None]
    away = goals.position[1:] - reading.position[1:]
    rate = goals.motion.velocity[1:] - reading.velocity[1:]
    normal = arrays.rotate(goals.rotation[1:], np.array([0.0, 0.0, 1.0]))
    held = servo(gains.stance, away, rate, np.zeros(3))
    held -= np.sum(held * normal, axis=-1, keepdims=True) * normal
    held = limited(held, force.stance_acceleration)
    flown = limited(servo(gains.swing, away, rate, goals.motion.acceleration[1:]), force.swing_acceleration)
    return masses * np.where(goals.planted[:, None], held, flown - np.array(proxies.gravity))


def turning_torques(gains: ServoGains, proxies: Proxies, reading: Reading, goals: Goals) -> Array:
    """Torques of all rotation servos ``[1 + feet, 3]`` [N·m]; planted feet lie on the ground and have none (B140)."""
    error = rotation_error(goals.rotation, reading.rotation)
    rate = goals.turn.velocity - reading.angular_velocity
    gain = np.array([gains.body_turn] + [gains.foot_turn] * (len(error) - 1))
    asked = gain[:, :1] * error + gain[:, 1:] * rate + goals.turn.acceleration
    found = torque(reading.rotation, proxies.inertias, asked, reading.angular_velocity)
    found[1:][goals.planted] = 0.0
    return found


def body_acceleration(gains: ServoGains, reading: Reading, goals: Goals) -> Array:
    """Acceleration ``[3]`` that the body's servo asks for (row B136) [m/s²]."""
    return servo(
        gains.body, goals.position[0] - reading.position[0], goals.motion.velocity[0] - reading.velocity[0],
        goals.motion.acceleration[0],
    )  # fmt: skip


def apply_servos(
    force: Force,
    gains: ServoGains,
    proxies: Proxies,
    reading: Reading,
    goals: Goals,
    supports: Array,
    owners: NDArray[np.int64],
) -> Wrenches:
    """All wrenches of one tick.

    Args:
        force: settings.
        gains: of the tick's length.
        proxies: masses and inertias.
        reading: what was measured at its start.
        goals: where everything should be then.
        supports: ``[n, 3]`` points that carry [m]: soles, or their corners.
        owners: ``[n]`` the foot of each.
    """
    feet = len(proxies.feet)
    gravity = np.array(proxies.gravity)
    up = -gravity / max(float(np.linalg.norm(gravity)), 1e-9)
    driven = foot_forces(force, gains, proxies, reading, goals)
    torques = turning_torques(gains, proxies, reading, goals)
    asked = body_acceleration(gains, reading, goals)
    forces = np.vstack([np.zeros((1, 3)), driven])
    shares = np.zeros((feet, 3))
    if len(supports) >= force.supports_min:
        lift = proxies.body.mass * (limited(asked, force.body_acceleration) - gravity)
        lift = tangential_limit(lift, up, force.tangential_share)
        budget = torque_budget(supports, float(lift @ up), force.torque_share)
        torques[0] = limited(torques[0], budget)
        forces[0] = lift
        at_supports = shared_out(force, lift, torques, driven, reading, goals, supports)
        for point, owner, share in zip(supports, owners, at_supports, strict=True):
            shares[owner] += share
            if force.sole_points:
                torques[1 + owner] -= np.cross(point - reading.position[1 + owner], share)
        forces[1:] -= shares
    else:
        torques[0] = 0.0
    residual = residual_wrench(forces, torques, reading.position, reading.position[0])
    return Wrenches(forces, torques, np.vstack([forces[:1], driven]), shares, asked, residual)


def shared_out(
    force: Force, lift: Array, torques: Array, driven: Array, reading: Reading, goals: Goals, supports: Array
) -> Array:
    """Force at each support ``[n, 3]`` [N] by the machine's rule.

    Balanced, the supports also carry what the feet's servos push and turn: the legs that do it stand on the body.
    """
    body = reading.position[0]
    if force.support == SupportRule.equal:
        return equal_share(lift, torques[0], supports, body)
    levers = reading.position[1:] - body
    load = lift + driven.sum(axis=0)
    turned = torques.sum(axis=0) + np.cross(levers, driven).sum(axis=0)
    return SHARES[force.support](load, turned, supports, body)

"""Motion of the root: how fast a machine travels, commanded or measured from a host's root.

Commanded, speed, lateral speed and yaw rate move to what is asked under acceleration limits. Hosted, they are
measured from how the root moved, over a short window and with small dead zones, so that corrections of a network
copy by centimetres do not read as walking. The window is kept in both, so that a root can change hands in mid-stride.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Gt

from footfall.compile import inline
from footfall.frames.scalar import heading_frame, reject, sub, unrotate, yaw_between
from footfall.froude import RATE, SPEED, STIFFNESS, Scaled

NotNegative = Annotated[float, Ge(0)]
Positive = Annotated[float, Gt(0)]


@dataclass(frozen=True)
class Travel:
    """How the root moves, and how a hosted root is measured."""

    speed_max: Positive = 1e3
    """Greatest speed over the ground [m/s]."""
    yaw_rate_max: Positive = Scaled(1.5, RATE)
    """Greatest rate of turn [rad/s]."""
    foot_speed_max: Positive = 1e3
    """Greatest speed of any resting sole over the ground [m/s]: it bounds turning in place by the outer legs."""
    acceleration: Positive = 1.0
    """Greatest change of speed away from zero [m/s²]."""
    deceleration: Positive = 1.5
    """Greatest change of speed towards zero [m/s²]."""
    yaw_acceleration: Positive = Scaled(1.0, STIFFNESS)
    """Greatest change of the rate of turn [rad/s²]."""
    window: NotNegative = 0.2
    """A hosted root's motion is the mean over this time [s]; 0 is the last step alone."""
    speed_dead_zone: NotNegative = Scaled(0.2, SPEED)
    """A measured speed below this is 0 [m/s]."""
    yaw_dead_zone: NotNegative = 0.21
    """A measured rate of turn below this is 0 [rad/s]."""
    teleport_distance: Positive = 2.0
    """A hosted root that moves further than this in one frame is a teleport [leg lengths]."""
    governor_start: Positive = 0.97
    """Share of a planted leg's reach at which the root begins to wait for it."""
    governor_stop: Positive = 0.995
    """Share of a planted leg's reach at which the root stands still."""
    foresight: bool = False
    """Brake gently, and in time, for a planted leg that would not reach to its next turn. For bodies that keep their
    height: others come down for such a leg, and need not brake."""


@inline
def approach(value, target, up, down, dt):
    """Value moved towards the target: at most ``up`` a second away from zero and ``down`` a second towards it."""
    towards_zero = abs(target) < abs(value) or target * value < 0.0
    step = (down if towards_zero else up) * dt
    return value + min(max(target - value, -step), step)


@inline
def measure_speed(before, after, heading, up, dt):
    """Forward and left speed [m/s] from two root positions; what is along up does not count."""
    way = unrotate(heading, reject(sub(after, before), up))
    return (way[0] / dt, way[1] / dt)


@inline
def measure_yaw_rate(before, after, up, dt):
    """Rate of turn about up [rad/s] from two root rotations, across ±π too."""
    return yaw_between(before, after, up) / dt


@inline
def dead_zone(value, threshold):
    """0 below the threshold, the value itself at or above it."""
    return 0.0 if abs(value) < threshold else value


@inline
def window_mean(window, column):
    """Mean of one column of the ring of samples: a box window."""
    total = 0.0
    for row in range(window.shape[0]):
        total += window[row, column]
    return total / window.shape[0]


@inline
def note_motion(window, tick, forward, left, turn):
    """Write one inner step's forward and left speed [m/s] and yaw rate [rad/s] into the ring of samples."""
    if window.shape[0] > 0:
        row = tick % window.shape[0]
        window[row, 0] = forward
        window[row, 1] = left
        window[row, 2] = turn


@inline
def measure_motion(travel, window, tick, before, after, rotation_before, rotation_after, up, dt):
    """Measured forward and left speed [m/s] and yaw rate [rad/s] of a hosted root over one inner step.

    The window is a ring of samples, one an inner step, complete after its length; the dead zones apply to the mean.
    A step of zero length leaves the window as it is.
    """
    speed = (0.0, 0.0)
    turn = 0.0
    if dt > 0.0:
        speed = measure_speed(before, after, heading_frame(rotation_after, up), up, dt)
        turn = measure_yaw_rate(rotation_before, rotation_after, up, dt)
        note_motion(window, tick, speed[0], speed[1], turn)
    if window.shape[0] > 0:
        speed = (window_mean(window, 0), window_mean(window, 1))
        turn = window_mean(window, 2)
    if math.sqrt(speed[0] * speed[0] + speed[1] * speed[1]) < travel["speed_dead_zone"]:
        speed = (0.0, 0.0)
    return speed[0], speed[1], dead_zone(turn, travel["yaw_dead_zone"])


@inline
def arc_displacement(forward, left, yaw_rate, time):
    """Way over a time at constant speeds and yaw rate, in the heading frame at its start [m].

    Exact: the mean direction over the turn, times the chord's share of the way.
    """
    if yaw_rate == 0.0:
        return (forward * time, left * time)
    half = 0.5 * yaw_rate * time
    chord = time * (1.0 - half * half / 6.0 if abs(half) < 1e-4 else math.sin(half) / half)
    c = math.cos(half)
    s = math.sin(half)
    return (chord * (c * forward - s * left), chord * (s * forward + c * left))


@inline
def coming_way(speed, asked, acceleration, time):
    """Way over a time [m] at a speed that goes on changing as it does now until it is the one asked for."""
    if acceleration * (asked - speed) <= 0.0:
        return speed * time
    change = min((asked - speed) / acceleration, time)
    return speed * time + acceleration * change * (time - 0.5 * change)


@inline
def point_velocity(forward, left, yaw_rate, x, y):
    """Velocity of a point fixed in the heading frame, in that frame [m/s]."""
    return (forward - yaw_rate * y, left + yaw_rate * x)

"""The pilot's head: a mass on a spring that is pushed by what the body really does.

The seat's position is differentiated twice and turned into the seat's frame; inertia does the rest. Nothing here is
random, and no motion gives no shake.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Gt

from footfall.compile import inline
from footfall.frames.scalar import add, load3, load4, rotate, scale, store3, sub, unrotate
from footfall.spring import ring, spring_matrix

NotNegative = Annotated[float, Ge(0)]
Positive = Annotated[float, Gt(0)]


@dataclass(frozen=True)
class Head:
    """How the pilot's head moves."""

    seat: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Seat, frame of the first trunk [m]."""
    shake: NotNegative = 0.6
    """Strength of all of it; 0 keeps the head still."""
    stiffness: Positive = 55.0
    """ω² of the offset [1/s²]."""
    damping: NotNegative = 0.45
    """Damping ratio of the offset."""
    inertia: NotNegative = 0.012
    """Push of the seat's acceleration on the offset and on the rotation."""
    rotation_stiffness: Positive = 40.0
    """ω² of the rotation [1/s²]."""
    rotation_damping: NotNegative = 0.4
    """Damping ratio of the rotation."""
    rotation_share: NotNegative = 0.1
    """Rotation at rest under a constant push [rad]."""
    turn_lean: NotNegative = 0.05
    """Push out of a turn by yaw rate times speed."""
    footfall_roll: NotNegative = 0.05
    """Rate of roll towards the side of a foot that lands [rad/s]."""
    footfall_pitch: NotNegative = 0.05
    """Rate of pitch towards the end of a foot that lands [rad/s]."""
    footfall_drop: NotNegative = 0.06
    """Downward speed that a landing gives the head [m/s]."""


@inline
def head_push(settings, acceleration, yaw_rate, speed):
    """Push on the head's rotation, about x (right side down) and y (nose down).

    Inertia: a surge ahead tips the head back, a turn to the left leans it out, to the right.
    """
    gain = settings["inertia"]
    out = acceleration[1] * gain + yaw_rate * speed * settings["turn_lean"]
    return (out * settings["shake"], -acceleration[0] * gain * settings["shake"], 0.0)


@inline
def land_on_head(c, head, index):
    """A landing rolls the head towards its side, pitches it towards its end and drops it a little."""
    settings = c.head[0]
    k = settings["shake"]
    rig = c.legs[index]
    head["rotation_rate"][0] -= k * settings["footfall_roll"] * rig["side"]
    head["rotation_rate"][1] += k * settings["footfall_pitch"] * rig["end"]
    head["offset_rate"][2] -= k * settings["footfall_drop"]


@inline
def measure_seat(settings, head, trunk, dt):
    """Acceleration of the seat in its own frame by two differences of its position [m/s²]."""
    rotation = load4(trunk["rotation"])
    seat = add(load3(trunk["position"]), rotate(rotation, load3(settings["seat"])))
    acceleration = (0.0, 0.0, 0.0)
    velocity = (0.0, 0.0, 0.0)
    if head["settled"] >= 1:
        velocity = scale(sub(seat, load3(head["seat"])), 1.0 / dt)
    if head["settled"] >= 2:
        acceleration = unrotate(rotation, scale(sub(velocity, load3(head["seat_velocity"])), 1.0 / dt))
    store3(head["seat"], seat)
    store3(head["seat_velocity"], velocity)
    store3(head["acceleration"], acceleration)
    head["settled"] = min(head["settled"] + 1, 2)


@inline
def ring_head(settings, head, push, dt):
    """Offset and rotation swing about where the present push holds them, exactly for a push that is constant in dt."""
    swing = spring_matrix(math.sqrt(settings["stiffness"]), settings["damping"], dt)
    turn = spring_matrix(math.sqrt(settings["rotation_stiffness"]), settings["rotation_damping"], dt)
    k = settings["shake"]
    for axis in range(3):
        rest = -head["acceleration"][axis] * settings["inertia"] * k / settings["stiffness"]
        x, v = ring(swing, head["offset"][axis] - rest, head["offset_rate"][axis])
        head["offset"][axis] = rest + x
        head["offset_rate"][axis] = v
        rest = push[axis] * settings["rotation_share"]
        x, v = ring(turn, head["rotation"][axis] - rest, head["rotation_rate"][axis])
        head["rotation"][axis] = rest + x
        head["rotation_rate"][axis] = v


@inline
def ride_head_agent(c, head, body, legs, trunks, motion, start, whole):
    """Move one pilot's head to the end of the tick."""
    settings = c.head[0]
    now = motion["time"]
    dt = now - start
    if settings["shake"] <= 0.0 or dt <= 0.0:
        return
    if whole:  # a shown remainder keeps the acceleration of the last tick
        measure_seat(settings, head, trunks[0], dt)
    for index in range(legs.shape[0]):
        leg = legs[index]
        if leg["touchdowns"] > 0 and start < leg["touchdown"] <= now and leg["swinging"] == 0:
            land_on_head(c, head, index)
    v = motion["velocity"]
    speed = math.sqrt(v[0] * v[0] + v[1] * v[1])
    push = head_push(settings, load3(head["acceleration"]), motion["yaw_rate"], speed)
    ring_head(settings, head, push, dt)
    head["rumble"] = 1.0 if 0.0 < body["kneel"] < 1.0 else 0.0

"""How much the gait moves the body, how it leans, and what is asked of its posture."""

from __future__ import annotations

import math

from footfall.compile import inline
from footfall.frames.scalar import clamp
from footfall.spring import follower, ring, smooth


@inline
def asked_pose(command, axis):
    """Height, roll, pitch, yaw and shift that are asked for, by number."""
    if axis == 0:
        return command["height"]
    if axis == 1:
        return command["roll"]
    if axis == 2:
        return command["pitch"]
    if axis == 3:
        return command["yaw"]
    return command["shift"][axis - 4]


@inline
def settle_activity(c, body, motion, command, dt):
    """Amplitude of the gait's motions, parked posture, lean, and the asked pose on its way."""
    settings = c.carriage[0]
    v = motion["velocity"]
    speed = math.sqrt(v[0] * v[0] + v[1] * v[1]) + abs(motion["yaw_rate"]) * c.machine[0]["rest_radius"]
    active = min(speed / settings["amplitude_speed"], 1.0)
    body["amplitude"] = smooth(body["amplitude"], active, settings["amplitude_time"], dt)
    parked = 1.0 if body["cadence"] == 0.0 else 0.0
    body["park"] = smooth(body["park"], parked, settings["park_time"], dt)
    lean = settings["lean_speed"] * v[0] + settings["lean_acceleration"] * motion["acceleration"][0]
    lean = clamp(lean, -settings["lean_max"], settings["lean_max"])
    away, rate = ring(follower(settings["lean_time"], dt), body["lean"] - lean, body["lean_rate"])
    body["lean"] = lean + away
    body["lean_rate"] = rate
    matrix = follower(settings["pose_time"], dt)
    for axis in range(6):
        asked = asked_pose(command, axis)
        away, rate = ring(matrix, body["pose"][axis] - asked, body["pose_rate"][axis])
        body["pose"][axis] = asked + away
        body["pose_rate"][axis] = rate
    body["limp"] = smooth(body["limp"], command["limp"], settings["pose_time"], dt)

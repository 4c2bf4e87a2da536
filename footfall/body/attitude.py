"""Height, offset and rotation of the body over its root, from all that moves it."""

from __future__ import annotations

import math

from footfall.body.gait_motion import gait_motion
from footfall.compile import inline
from footfall.frames.scalar import about_x, about_y, about_z, multiply, smoothstep


@inline
def euler(twist, lean, roll):
    """Rotation by twist about z, then lean about y (nose down), then roll about x (right side down)."""
    return multiply(about_z(twist), multiply(about_y(lean), about_x(roll)))


@inline
def half_angle(slope):
    """Cosine and sine of half the angle whose tangent is the slope."""
    if slope == 0.0:
        return 1.0, 0.0
    whole = 1.0 / math.sqrt(1.0 + slope * slope)
    half = math.sqrt(0.5 * (1.0 + whole))
    return half, 0.5 * slope * whole / half


@inline
def slope_rotation(ahead, left, follow_pitch, follow_roll):
    """Rotation of the heading frame that follows the given shares of a slope."""
    cp, sp = half_angle(follow_pitch * ahead)
    cr, sr = half_angle(follow_roll * left)
    return multiply((cp, 0.0, -sp, 0.0), (cr, sr, 0.0, 0.0))


@inline
def body_pose(c, body, motion, fast):
    """Pose of the body in the heading frame over the root: offset [m] and rotation (row A36).

    rotation = posture(park) · level(slope) · Euler(twist, lean, roll); ``fast`` is the share of the fast motions (bob,
    sway, roll, twist, impact) that is in it.
    """
    settings = c.carriage[0]
    bob, sway, roll, twist = gait_motion(c, body)
    pose = body["pose"]
    kneel = smoothstep(body["kneel"])
    stand = c.machine[0]["stand_height"]
    low = settings["kneel_height"] if settings["kneel_height"] > 0.0 else stand
    height = stand + kneel * (low - stand) + body["park"] * settings["park_height"] + pose[0]
    height += fast * (bob + body["impact"][2]) - body["adapt"] - body["limp"]
    x = body["weight_shift"][0] + pose[4] + fast * body["impact"][0]
    y = body["weight_shift"][1] + pose[5] + fast * (sway + body["impact"][1])
    posture = multiply(euler(pose[3], pose[2] + body["park"] * settings["park_pitch"], pose[1]), (1.0, 0.0, 0.0, 0.0))
    level = slope_rotation(body["gradient"][0], body["gradient"][1], settings["follow_pitch"], settings["follow_roll"])
    return (x, y, height), multiply(posture, multiply(level, euler(fast * twist, body["lean"], fast * roll)))

"""Feet on the ground: where they are held, how far from rest, how near the end of their reach."""

from __future__ import annotations

import math

from footfall.compile import inline
from footfall.frames.scalar import dot, load3, reject, rotate, sub
from footfall.gait.laws import stance_share
from footfall.gait.phase import frac, leg_phase
from footfall.motion import point_velocity
from footfall.path import ground_pose
from footfall.world.surface_pose import to_world


@inline
def anchor_world(world, leg):
    """Where a stance sole is held, world [m]."""
    return to_world(world, leg["surface"], load3(leg["anchor"]))


@inline
def rest_offset(c, world, body, legs, path, motion, index):
    """Horizontal distance of a planted foot from where it rests [m]."""
    rig = c.legs[index]
    if rig["fixed_loop"] != 0:
        return 0.0
    ground, frame = ground_pose(c, body, path, motion, rig["trunk"], 0.0)
    up = load3(motion["up"])
    away = sub(sub(anchor_world(world, legs[index]), ground), rotate(frame, load3(rig["rest"])))
    away = reject(away, up)
    return math.sqrt(dot(away, away))


@inline
def away_from_rest(c, world, body, legs, path, motion):
    """Whether a foot on the ground is further than the settle radius from where it rests."""
    settle = c.gaits[body["gait"]]["settle_radius"] * c.machine[0]["leg_length"]
    for index in range(legs.shape[0]):
        if legs[index]["swinging"] == 0 and rest_offset(c, world, body, legs, path, motion, index) > settle:
            return True
    return False


@inline
def overstretched(c, body, leg, rig, motion):
    """Whether a planted foot is near the end of its reach and the body goes away from it, or it is beyond it."""
    if rig["fixed_loop"] != 0:
        return False
    pull = load3(leg["pull"])
    far = dot(pull, pull)
    near = c.gaits[body["gait"]]["rescue_reach"] * rig["reach_max"]
    if far <= near * near:
        return False
    if far > rig["reach_max"] * rig["reach_max"]:
        return True
    x = rig["hip"][0] + c.trunk_offsets[rig["trunk"]]
    v = point_velocity(motion["velocity"][0], motion["velocity"][1], motion["yaw_rate"], x, rig["hip"][1])
    return v[0] * pull[0] + v[1] * pull[1] > 0.0


@inline
def stance_after(c, body, legs, index, time, swing_time, now):
    """Time on the ground between the coming touchdown and the turn after it [s]."""
    gait = c.gaits[body["gait"]]
    cadence = body["cadence"]
    if cadence <= 0.0:
        return 0.0
    lifts_at = stance_share(gait, body["duty"], cadence, legs.shape[0])
    phase = leg_phase(body["phase"], legs[index]["phase_offset"])
    phase_then = frac(phase + cadence * (time + swing_time - now) + 1e-9)
    left = frac(lifts_at - phase_then + 1e-9)
    return max(left, 0.5 * lifts_at) / cadence


@inline
def end_swings(legs, now):
    """Feet whose swing is over stand: the foothold becomes the anchor."""
    for index in range(legs.shape[0]):
        leg = legs[index]
        if leg["swinging"] != 0 and leg["held"] == 0 and leg["touchdown"] <= now:
            leg["swinging"] = 0
            leg["surface"] = leg["target_surface"]
            leg["anchor"][0] = leg["target"][0]
            leg["anchor"][1] = leg["target"][1]
            leg["anchor"][2] = leg["target"][2]
            leg["anchor_normal"][0] = leg["target_normal"][0]
            leg["anchor_normal"][1] = leg["target_normal"][1]
            leg["anchor_normal"][2] = leg["target_normal"][2]
            leg["touchdowns"] += 1

"""Which gait is walked: as asked, or by speed."""

from __future__ import annotations

import math

from footfall.compile import inline
from footfall.motion import point_velocity


@inline
def effective_speed(c, motion):
    """Greatest speed of a resting sole over the ground [m/s]: turning on the spot walks as well."""
    fastest = 0.0
    for index in range(c.legs.shape[0]):
        rig = c.legs[index]
        x = rig["rest"][0] + c.trunk_offsets[rig["trunk"]]
        v = point_velocity(motion["velocity"][0], motion["velocity"][1], motion["yaw_rate"], x, rig["rest"][1])
        fastest = max(fastest, v[0] * v[0] + v[1] * v[1])
    return math.sqrt(fastest)


@inline
def gait_for(c, speed):
    """Index of the gait with the least greatest speed that is not below this one; -1 where all are slower."""
    chosen = -1
    for gait in range(c.gaits.shape[0]):
        if c.gaits[gait]["speed_max"] >= speed and c.gaits[gait]["speed_max"] > 0.0:
            if chosen < 0 or c.gaits[gait]["speed_max"] < c.gaits[chosen]["speed_max"]:
                chosen = gait
    return chosen


@inline
def choose_gait(c, body, command, speed, dt):
    """Index of the gait: as asked, or by speed with hysteresis: up at the limit, down a tenth below it."""
    body["gait_held"] += dt
    asked = command["gait"]
    chosen = body["gait"]
    if asked >= 0:
        chosen = min(asked, c.gaits.shape[0] - 1)
    elif body["gait_held"] >= c.gaits[0]["switch_time"]:
        wanted = gait_for(c, speed)
        if wanted >= 0 and wanted != chosen:
            slower = 0.0 < c.gaits[wanted]["speed_max"] < c.gaits[chosen]["speed_max"]
            if not slower or speed < 0.9 * c.gaits[wanted]["speed_max"]:
                chosen = wanted
    if chosen != body["gait"]:
        body["gait"] = chosen
        body["gait_held"] = 0.0

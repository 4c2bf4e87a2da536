"""The body comes down for a leg near the end of its reach."""

from __future__ import annotations

import math

from footfall.compile import inline
from footfall.frames.scalar import add, dot, load3, load4, rotate, smoothstep, sub
from footfall.reach import solved_end
from footfall.spring import smooth


@inline
def needed_drop(c, body, motion, feet, position, rotation, soft_share):
    """How far the body has to come down for the planted leg that needs it most [m]; negative: how far it may rise.

    The leg's solved end stays; by Pythagoras the hip may be this high over it at the allowed distance. The first figure
    is for the given share of the reach, the second for nearly all of it.
    """
    up = load3(motion["up"])
    heading = load4(motion["heading"])
    soft = -math.inf
    hard = -math.inf
    for index in range(feet.shape[0]):
        foot = feet[index]
        rig = c.legs[index]
        # a foot that is about to land counts more and more: the body is down when it does
        weight = 1.0 if foot["swinging"] == 0 else smoothstep(foot["progress"] / 0.85)
        if weight <= 0.0 or rig["fixed_loop"] != 0:
            continue
        hip = add(position, rotate(rotation, load3(rig["hip"])))
        end = solved_end(rig, c.segments, heading, load3(foot["sole"]), load3(foot["normal"]), body["kneel"], 0.0)
        way = sub(hip, end)
        high = dot(way, up)
        across = dot(way, way) - high * high
        far = soft_share * rig["reach_max"]
        soft = max(soft, weight * (high - math.sqrt(max(far * far - across, 0.0))))
        if foot["swinging"] == 0:
            far = 0.9995 * rig["reach_max"]
            hard = max(hard, high - math.sqrt(max(far * far - across, 0.0)))
    return soft, hard


@inline
def come_down(c, body, motion, feet, position, rotation, dt):
    """Come down for a leg near the end of its reach, softly before it, exactly at it; the way up since before [m]."""
    settings = c.carriage[0]
    before = body["adapt"]
    soft, hard = needed_drop(c, body, motion, feet, position, rotation, settings["adapt_reach"])
    after = max(smooth(before, max(before + soft, 0.0), settings["adapt_time"], dt), before + hard, 0.0)
    body["adapt"] = after
    return before - after

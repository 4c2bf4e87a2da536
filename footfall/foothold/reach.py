"""Whether a foothold stays within the leg's reach, for a body that comes down for it."""

from __future__ import annotations

import math

from footfall.compile import inline
from footfall.foothold.prediction import hip_at
from footfall.frames.scalar import add_scaled, distance, load3, load4, sub, unrotate
from footfall.gait import anchor_world
from footfall.reach import solved_end


@inline
def expected_drop(c, body, path, motion, anchor, point):
    """How far the body will have come down for a foothold that is lower than the slope it walks on [m].

    The support plane goes over to the new foothold with the share of one leg, and the body adapts a little more.
    """
    if path.shape[0] > 0:
        return 0.0
    way = unrotate(load4(motion["heading"]), sub(point, anchor))
    lower = (body["gradient"][0] * way[0] + body["gradient"][1] * way[1] - way[2]) / c.legs.shape[0]
    return max(lower, 0.0) + c.footholds[0]["drop_budget"] * c.machine[0]["leg_length"]


@inline
def excess_at(c, body, trunks, path, motion, index, sole, normal, drop, time):
    """How far beyond the allowed reach a foothold lies a time ahead [m], for a body that comes down by the drop."""
    rig = c.legs[index]
    hip, frame = hip_at(c, body, trunks, path, motion, index, time)
    hip = add_scaled(hip, load3(motion["up"]), -drop)
    span = distance(hip, solved_end(rig, c.segments, frame, sole, normal, body["kneel"], 0.0))
    far = c.footholds[0]["reach_limit"] * rig["reach_max"]
    return max(span - far, 0.0) + max(rig["reach_min"] - span, 0.0)


@inline
def excess_of_stance(c, world, body, legs, trunks, path, motion, step, index, point, normal):
    """How far beyond its reach the leg will be at the end of the stance [m]; infinite if it is so before.

    It must reach the spot at touchdown, where a root that the legs hold back may not be there yet, and in the middle
    of the stance.
    """
    touchdown = max(step["time"] + step["swing_time"] - motion["time"], 0.0)
    stance = min(step["stance_time"], 2.0 * c.footholds[0]["lead_limit"])
    drop = expected_drop(c, body, path, motion, anchor_world(world, legs[index]), point)
    if excess_at(c, body, trunks, path, motion, index, point, normal, drop, body["governor"] * touchdown) > 0.0:
        return math.inf
    if excess_at(c, body, trunks, path, motion, index, point, normal, drop, touchdown + 0.5 * stance) > 0.0:
        return math.inf
    return excess_at(c, body, trunks, path, motion, index, point, normal, drop, touchdown + stance)

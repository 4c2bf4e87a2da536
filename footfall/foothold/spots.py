"""The spots around a wish, and what makes one of them a foothold."""

from __future__ import annotations

import math

from footfall.arc import target_world
from footfall.compile import inline, kernel
from footfall.foothold.clearance import lift_over
from footfall.foothold.ground import at_edge, find_ground
from footfall.foothold.reach import excess_of_stance
from footfall.frames.scalar import dot, load3, load4, reject, sub
from footfall.gait import anchor_world

RINGS = 3  # rings of neighbouring spots
SPOTS = 8  # spots on a ring


@inline
def spot_offset(choice, radius):
    """Offset of the neighbouring spot with this number from the wish, heading frame [m]; 0 is the wish itself."""
    if choice == 0:
        return (0.0, 0.0, 0.0)
    ring = (choice - 1) // SPOTS + 1
    angle = 2.0 * math.pi * ((choice - 1) % SPOTS) / SPOTS
    away = radius * ring / RINGS
    return (away * math.cos(angle), away * math.sin(angle), 0.0)


@inline
def too_near(c, world, legs, point, up, index):
    """Whether another foot stands there or is on its way there."""
    gap = c.footholds[0]["foot_gap"] * c.machine[0]["leg_length"]
    for other in range(legs.shape[0]):
        if other == index:
            continue
        leg = legs[other]
        if leg["swinging"] != 0:
            spot, normal = target_world(world, leg)
        else:
            spot = anchor_world(world, leg)
        away = reject(sub(spot, point), up)
        least = gap + c.legs[index]["foot_radius"] + c.legs[other]["foot_radius"]
        if dot(away, away) < least * least:
            return True
    return False


@kernel
def judge_spot(c, world, body, legs, trunks, path, motion, step, index, spot, hip, origin, from_normal, done, agent):
    """Judge one spot: its ground, and how much it lacks.

    Returns:
        whether it may be a foothold, how far the leg would be beyond its reach at the end of the stance [m],
        the point, its normal, its surface, the lift that the way there needs [m], and whether it has to be steep.
    """
    up = load3(motion["up"])
    status, point, normal, surface = find_ground(c, world, spot, hip, up, agent)
    refused = (False, 0.0, point, normal, surface, 0.0, 0)
    if status != 1 or dot(normal, up) < math.cos(c.footholds[0]["slope_limit"]):
        return refused
    if dot(sub(point, spot), up) > c.swing[0]["lift_max"] * c.machine[0]["leg_length"]:
        return refused  # a ledge over the ground that the body expects there
    leaving = excess_of_stance(c, world, body, legs, trunks, path, motion, step, index, point, normal)
    if leaving == math.inf or too_near(c, world, legs, point, up, index):
        return refused
    radius = c.legs[index]["foot_radius"]
    if radius > 0.0 and at_edge(c, world, point, normal, up, load4(motion["heading"]), radius, agent):
        return refused
    lift, steep = lift_over(c, world, legs, index, origin, from_normal, point, normal, done, up, agent)
    if lift == math.inf:
        return refused
    return True, leaving, point, normal, surface, lift, steep

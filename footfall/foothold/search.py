"""The search: the wish where it will do, else the best of the spots around it."""

from __future__ import annotations

import math

from footfall.compile import inline, kernel
from footfall.foothold.prediction import hip_at, rest_at, wish_time
from footfall.foothold.spots import RINGS, SPOTS, judge_spot, spot_offset
from footfall.frames.scalar import add, length, load3, rotate, store3
from footfall.world.surface_pose import to_surface, to_surface_direction


@inline
def wish_ahead(c, body, step, motion):
    """How far ahead the wish is taken [s]: where nothing was found there, nearer and nearer."""
    ahead = wish_time(c, step, motion["time"])
    return ahead * (1.0 - (body["tick"] % 4) / 3.0) if body["latched"] != 0 else ahead


@inline
def take_spot(world, leg, choice, wish, point, normal, surface, lift, steep):
    """Make a spot the foothold of a leg, on the surface that it is part of."""
    store3(leg["target"], to_surface(world, surface, point))
    store3(leg["target_normal"], to_surface_direction(world, surface, normal))
    store3(leg["nominal"], to_surface(world, surface, wish))
    leg["target_surface"] = surface
    leg["choice"] = choice
    leg["lift"] = lift
    leg["steep"] = steep


@kernel
def search_foothold(c, world, body, legs, trunks, path, motion, step, index, origin, from_normal, done, agent):
    """Find a foothold for one foot: the wish where it will do, else the best of its neighbours.

    Writes target, normal, surface, lift, wish and choice into the leg and returns True; on False nothing is written
    but the count of spots refused.
    """
    settings = c.footholds[0]
    leg = legs[index]
    up = load3(motion["up"])
    ahead = wish_ahead(c, body, step, motion)
    wish = rest_at(c, body, path, motion, index, ahead)
    hip, frame = hip_at(c, body, trunks, path, motion, index, ahead)
    radius = settings["search_radius"] * c.machine[0]["leg_length"]
    best = math.inf
    best_choice = -1
    best_point = wish
    best_normal = up
    best_surface = -1
    best_lift = 0.0
    best_steep = 0
    for choice in range(1 + RINGS * SPOTS):
        offset = spot_offset(choice, radius)
        away = length(offset)
        if choice > 0 and radius <= 0.0:
            break
        cost = away * (1.0 - settings["stay_bonus"] if choice == leg["choice"] else 1.0)
        if cost >= best:
            continue
        spot = add(wish, rotate(frame, offset))
        fits, leaving, point, normal, surface, lift, steep = judge_spot(
            c, world, body, legs, trunks, path, motion, step, index, spot, hip, origin, from_normal, done, agent
        )
        if not fits:
            step["refused"] += 1
            continue
        cost += 4.0 * leaving
        if cost < best:
            best, best_choice = cost, choice
            best_point, best_normal, best_surface, best_lift, best_steep = point, normal, surface, lift, steep
        if choice == 0 and leaving <= 0.0:
            break
    leg["rejected"] += step["refused"]
    if best_choice < 0:
        return False
    take_spot(world, leg, best_choice, wish, best_point, best_normal, best_surface, best_lift, best_steep)
    return True

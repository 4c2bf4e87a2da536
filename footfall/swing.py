"""Feet: soles of planted feet on their anchors, soles of swinging feet on their arcs."""

from __future__ import annotations

import math

from footfall.arc import arc_point, lift_share, move_share, origin_world, swing_progress, target_world
from footfall.compile import inline
from footfall.frames.scalar import add_scaled, length, lerp, load3, store3, sub, unit_or
from footfall.gait import anchor_world, depth_below
from footfall.world.surface_pose import to_world_direction

HAND_SPEED = 1.5  # fastest move of a foot that is placed by hand [leg lengths/s]
HAND_TIME = 0.12  # time in which it closes in on its target [s]


@inline
def stand_foot(world, leg, foot):
    """The sole stays exactly where it landed, in the frame of the surface it stands on."""
    sole = anchor_world(world, leg)
    normal = to_world_direction(world, leg["surface"], load3(leg["anchor_normal"]))
    store3(leg["stood"], sole)
    foot["swinging"] = 0
    foot["lift"] = 0.0
    foot["progress"] = 0.0
    store3(foot["sole"], sole)
    store3(foot["normal"], normal)
    store3(foot["support"], sole)
    store3(foot["support_normal"], normal)


@inline
def swing_foot(c, world, leg, foot, time, up):
    """The sole is on its arc; the body's support goes over from the old stance to the new one along with it."""
    swing = c.swing[0]
    u = swing_progress(leg, time)
    s = move_share(swing, u, leg["steep"])
    target, target_normal = target_world(world, leg)
    origin, from_normal = origin_world(world, leg)
    sole = arc_point(swing, origin, from_normal, target, target_normal, leg["lift"], leg["steep"], u, up)
    normal = unit_or(lerp(from_normal, target_normal, s), up)
    foot["swinging"] = 1
    foot["progress"] = u
    foot["lift"] = min(lift_share(swing, u) * leg["lift"] / swing["height"], 1.0)
    store3(foot["sole"], sole)
    store3(foot["normal"], normal)
    store3(foot["support"], lerp(anchor_world(world, leg), target, s))
    store3(foot["support_normal"], normal)


@inline
def press_foot(c, contact, leg, foot, time):
    """A foot that physics moves aims a little below its foothold, and deeper while it waits for the ground."""
    below = depth_below(c, contact, leg, time)
    store3(foot["sole"], add_scaled(load3(foot["sole"]), load3(foot["normal"]), -below))


@inline
def hold_foot(c, world, leg, foot, hand, up, dt):
    """A foot that is placed by hand closes in on its target, no faster than a foot can."""
    way = sub(load3(hand["target"]), load3(leg["target"]))
    far = length(way)
    step = min(-far * math.expm1(-dt / HAND_TIME), HAND_SPEED * c.machine[0]["leg_length"] * dt)
    if far > 1e-12:
        store3(leg["target"], add_scaled(load3(leg["target"]), way, step / far))
    foot["swinging"] = 1
    foot["progress"] = 0.5
    foot["lift"] = 0.0
    store3(foot["sole"], load3(leg["target"]))
    store3(foot["normal"], up)
    store3(foot["support"], anchor_world(world, leg))
    store3(foot["support_normal"], to_world_direction(world, leg["surface"], load3(leg["anchor_normal"])))


@inline
def place_feet_agent(c, world, legs, contacts, feet, motion, hands, start):
    """Place the soles of one agent at the end of the tick."""
    up = load3(motion["up"])
    time = motion["time"]
    for index in range(legs.shape[0]):
        leg = legs[index]
        if leg["held"] != 0:
            hold_foot(c, world, leg, feet[index], hands[index], up, time - start)
        elif leg["swinging"] != 0 and leg["lift_off"] <= time:
            swing_foot(c, world, leg, feet[index], time, up)
            if contacts.shape[0] > 0:
                press_foot(c, contacts[index], leg, feet[index], time)
        else:
            stand_foot(world, leg, feet[index])

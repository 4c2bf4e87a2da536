"""The stage: feet that lift get a foothold, feet in the air a new one where their wish has moved."""

from __future__ import annotations

from footfall.arc import arc_point, lift_direction, lift_share, move_share, origin_world, swing_progress, target_world
from footfall.compile import inline
from footfall.foothold.prediction import rest_at, wish_time
from footfall.foothold.search import search_foothold
from footfall.frames.scalar import dot, load3, reject, scale, store3, sub
from footfall.gait import BY_HAND, LET_GO, NOTHING, REFUSED, RESCUE, TURN, anchor_world, stance_after
from footfall.world.surface_pose import to_surface, to_surface_direction, to_world, to_world_direction


@inline
def begin_swing(c, world, body, legs, trunks, path, motion, step, index, agent):
    """Lift a foot if there is a foothold for it; true if it is in the air."""
    leg = legs[index]
    if step["reason"] == LET_GO:  # from where the hand left it
        origin = load3(leg["target"])
        normal = load3(motion["up"])
    else:
        origin = anchor_world(world, leg)
        normal = to_world_direction(world, leg["surface"], load3(leg["anchor_normal"]))
    if step["reason"] == BY_HAND:
        store3(leg["target"], origin)
        store3(leg["target_normal"], normal)
        leg["target_surface"] = -1
    elif c.legs[index]["fixed_loop"] == 0 and not search_foothold(
        c, world, body, legs, trunks, path, motion, step, index, origin, normal, 0.0, agent
    ):
        return False
    leg["held"] = 1 if step["reason"] == BY_HAND else 0
    store3(leg["stood"], origin)
    store3(leg["origin"], to_surface(world, leg["surface"], origin))
    store3(leg["origin_normal"], to_surface_direction(world, leg["surface"], normal))
    leg["swinging"] = 1
    leg["lift_off"] = step["time"]
    leg["touchdown"] = step["time"] + step["swing_time"]
    leg["due"] = 0
    leg["steps"] += 1
    if step["reason"] == RESCUE:
        leg["rescues"] += 1
    return True


@inline
def keep_place(c, world, leg, here, from_normal, done, up):
    """Move the origin of the arc to a new target so that the foot stays here: only what is left of its way changes."""
    swing = c.swing[0]
    new, new_normal = target_world(world, leg)
    s = move_share(swing, done, leg["steep"])
    raised = scale(lift_direction(swing, from_normal, new_normal, s, up), leg["lift"] * lift_share(swing, done))
    rest = sub(sub(here, raised), scale(new, s))
    store3(leg["origin"], to_surface(world, leg["surface"], scale(rest, 1.0 / (1.0 - s))))


@inline
def steer_swing(c, world, body, legs, trunks, path, motion, step, index, start, agent):
    """Send a foot in the air to a new foothold where its wish has moved, without a jump of the foot."""
    settings = c.footholds[0]
    leg = legs[index]
    done = swing_progress(leg, start)
    if done >= settings["retarget_until"]:
        return
    step["time"] = leg["lift_off"]
    step["swing_time"] = leg["touchdown"] - leg["lift_off"]
    step["stance_time"] = stance_after(c, body, legs, index, step["time"], step["swing_time"], motion["time"])
    wish = rest_at(c, body, path, motion, index, wish_time(c, step, motion["time"]))
    up = load3(motion["up"])
    surface = leg["target_surface"]
    moved = reject(sub(wish, to_world(world, surface, load3(leg["nominal"]))), up)
    least = settings["retarget_distance"] * c.machine[0]["leg_length"]
    if dot(moved, moved) <= least * least and (surface < 0 or world.surfaces[surface]["gone"] == 0):
        return
    origin, from_normal = origin_world(world, leg)
    old, old_normal = target_world(world, leg)
    here = arc_point(c.swing[0], origin, from_normal, old, old_normal, leg["lift"], leg["steep"], done, up)
    step["search"] = 1
    if search_foothold(c, world, body, legs, trunks, path, motion, step, index, here, from_normal, done, agent):
        keep_place(c, world, leg, here, from_normal, done, up)


@inline
def find_footholds_agent(c, world, body, legs, steps, trunks, path, motion, start, agent):
    """Find footholds for one agent's feet that lift in this tick, and steer those in the air."""
    failed = False
    latched = body["latched"] != 0
    for index in range(legs.shape[0]):
        step = steps[index]
        leg = legs[index]
        if step["reason"] != NOTHING:
            if latched and step["reason"] == TURN and leg["due"] != REFUSED:
                step["reason"] = NOTHING  # the latch: no new swing before the foot that found no ground has one
            elif not begin_swing(c, world, body, legs, trunks, path, motion, step, index, agent):
                step["reason"] = NOTHING
                leg["due"] = REFUSED if leg["due"] != 0 else 0
                failed = True
        elif leg["swinging"] != 0 and leg["held"] == 0:
            steer_swing(c, world, body, legs, trunks, path, motion, step, index, start, agent)
    body["latched"] = 1 if failed else 0

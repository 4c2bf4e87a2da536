"""Footholds: where a foot will touch down.

The wish is where the foot rests under the body in the middle of its next stance, on the arc of the current turn. A
ray finds the ground there. A spot is taken if it is ground, not too steep, not at an edge, within reach for the whole
coming stance, clear of other feet, and if the foot can get there over what lies between. Otherwise the neighbouring
spots are tried; a hole is never a foothold.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Gt, Le

from footfall.arc import (
    PATH_SAMPLES,
    arc_point,
    lift_direction,
    lift_share,
    move_share,
    origin_world,
    progress_at,
    sample_along,
    step_height,
    swing_progress,
    target_world,
)
from footfall.compile import inline, kernel
from footfall.frames.scalar import (
    add,
    add_scaled,
    distance,
    dot,
    length,
    lerp,
    load3,
    load4,
    reject,
    rotate,
    scale,
    store3,
    sub,
    unit_or,
    unrotate,
)
from footfall.gait import BY_HAND, LET_GO, NOTHING, REFUSED, RESCUE, TURN, anchor_world, stance_after
from footfall.ik.reach import solved_end
from footfall.path import ground_pose
from footfall.world.cast import cast_ray
from footfall.world.ground import trace_ground
from footfall.world.surface_pose import to_surface, to_surface_direction, to_world, to_world_direction

NotNegative = Annotated[float, Ge(0)]
Positive = Annotated[float, Gt(0)]
Share = Annotated[float, Ge(0), Le(1)]

RINGS = 3  # rings of neighbouring spots
SPOTS = 8  # spots on a ring
ALL_LAYERS = -1


class Lead(enum.IntEnum):
    """How far ahead of the lift-off the body's place is taken."""

    mid_stance = 0
    half_period = 1


class Ray(enum.IntEnum):
    """How the ground is looked for."""

    vertical = 0
    from_pole = 1


@dataclass(frozen=True)
class Footholds:
    """Where a foot may stand, and how the spot is searched."""

    lead: Lead = Lead.mid_stance
    """``mid_stance``: where the body will be in the middle of the foot's next stance. ``half_period``: where it will be
    half a gait period after lift-off (row C9)."""
    lead_limit: Positive = 3.0
    """Longest time looked ahead [s] (row D8)."""
    ray: Ray = Ray.vertical
    """``vertical``: a ray straight down onto the wished spot. ``from_pole``: from a point over the hip towards it, up
    to twice the distance (row C10)."""
    ray_above: Positive = 1.0
    """Start of a vertical ray over the wished spot, and height of the point over the hip [leg lengths]."""
    ray_below: Positive = 2.0
    """End of a vertical ray below the wished spot [leg lengths]."""
    slope_limit: Annotated[float, Gt(0), Le(math.pi / 2)] = 0.9
    """Steepest ground to stand on [rad]."""
    edge_tolerance: Positive = 0.5
    """Ground around a spot may leave the plane through it by this share of the foot's radius."""
    search_radius: NotNegative = 0.3
    """How far from the wish a spot may lie [leg lengths]."""
    stay_bonus: Share = 0.5
    """Share of its distance that the spot taken last is let off, so that the choice does not hop."""
    reach_limit: Share = 0.975
    """Share of its reach that a leg may use in the coming stance."""
    drop_budget: NotNegative = 0.03
    """How far the body may come down for a foothold, beyond what its height over the feet does by itself
    [leg lengths]."""
    foot_gap: NotNegative = 0.02
    """Least distance between the edges of two feet [leg lengths]."""
    retarget_distance: NotNegative = 0.0015
    """A foot in the air is sent to a new spot when its wish has moved this far [leg lengths]."""
    retarget_until: Share = 0.6
    """Progress of the swing after which its foothold stands."""


@inline
def wish_time(c, step, now):
    """Time from now to the instant whose resting position is wished for [s]."""
    settings = c.footholds[0]
    touchdown = step["time"] + step["swing_time"]
    if settings["lead"] == 1:
        ahead = step["time"] + 0.5 * (step["swing_time"] + step["stance_time"]) - now
    else:
        ahead = touchdown - now + 0.5 * step["stance_time"]
    return min(max(ahead, 0.0), settings["lead_limit"])


@inline
def rest_at(c, body, path, motion, index, time):
    """Where a foot rests a time ahead, on the ground as the body expects it, world [m]."""
    rig = c.legs[index]
    ground, frame = ground_pose(c, body, path, motion, rig["trunk"], time)
    return add(ground, rotate(frame, load3(rig["rest"])))


@inline
def hip_at(c, body, trunks, path, motion, index, time):
    """Hip and heading frame a time ahead: carried along with the ground under the trunk."""
    rig = c.legs[index]
    trunk = trunks[rig["trunk"]]
    ground, frame = ground_pose(c, body, path, motion, rig["trunk"], 0.0)
    lever = add(sub(load3(trunk["position"]), ground), rotate(load4(trunk["rotation"]), load3(rig["hip"])))
    later, later_frame = ground_pose(c, body, path, motion, rig["trunk"], time)
    return add(later, rotate(later_frame, unrotate(frame, lever))), later_frame


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
def at_edge(c, world, point, normal, up, heading, radius, agent):
    """Whether the ground within a foot's radius leaves the plane through the spot."""
    settings = c.footholds[0]
    span = c.machine[0]["leg_length"]
    for side in range(4):
        offset = rotate(
            heading,
            (
                radius if side == 0 else (-radius if side == 1 else 0.0),
                radius if side == 2 else (-radius if side == 3 else 0.0),
                0.0,
            ),
        )
        plane = -dot(normal, offset) / max(dot(normal, up), 0.1)
        expected = add_scaled(add(point, offset), up, plane)
        status, ground, other, surface = trace_ground(world, expected, up, 0.5 * span, 0.5 * span, agent, ALL_LAYERS)
        if status != 1 or abs(dot(sub(ground, expected), up)) > settings["edge_tolerance"] * radius:
            return True
    return False


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


@inline
def share_at(c, before, lifted, sample, done, steep):
    """Share of the lift at a sample, over the line from the foot's present point to its target."""
    if done <= 0.0 and steep == 0:
        return c.arc_table[sample, 1]
    along = sample_along(sample)
    swing = c.swing[0]
    return lift_share(swing, progress_at(swing, before + (1.0 - before) * along, steep)) - lifted * (1.0 - along)


@kernel
def required_lift(c, world, origin, from_normal, target, to_normal, nominal, done, steep, up, agent):
    """Lift that brings a foot over what lies on its way [m]; infinite where no allowed lift does.

    The ground is looked at in samples along the way, and a level ray between two samples finds what stands between
    them: a riser or a thin wall. ``done`` is the progress of a swing that is under way; the arc then starts from its
    present point, so that a change of lift does not make the foot jump (``origin`` is that point).
    """
    swing = c.swing[0]
    size = c.machine[0]["leg_length"]
    most = swing["lift_max"] * size
    clear = swing["clearance"] * size
    before = move_share(swing, done, steep)
    lifted = lift_share(swing, done)
    ceiling = max(dot(origin, up), dot(target, up)) + most
    span = most + 4.0 * size
    lift = nominal
    previous = origin
    previous_height = -math.inf
    for sample in range(PATH_SAMPLES + 1):
        along = sample_along(sample)
        share = share_at(c, before, lifted, sample, done, steep)
        s = before + (1.0 - before) * along
        line = lerp(origin, target, along)
        point = add_scaled(line, lift_direction(swing, from_normal, to_normal, s, up), nominal * max(share, 0.0))
        top = add_scaled(point, up, ceiling - dot(point, up))
        status, ground, normal, surface = trace_ground(world, top, up, 0.0, span, agent, ALL_LAYERS)
        height = dot(ground, up) if status == 1 else -math.inf
        if sample > 0:
            level = max(height, previous_height)
            if level > -math.inf:
                # a level ray just over both samples: what it meets stands between them
                start = add_scaled(previous, up, level + 0.5 * clear - dot(previous, up))
                way = reject(sub(point, previous), up)
                far = length(way)
                if far > 1e-9:
                    ahead = scale(way, 1.0 / far)
                    met, met_at, met_normal, met_surface = cast_ray(world, start, ahead, far, agent, ALL_LAYERS)
                    if met == 1:
                        over = add_scaled(start, ahead, met_at + 1e-4 * size)
                        over = add_scaled(over, up, ceiling - dot(over, up))
                        status, wall, normal, surface = trace_ground(world, over, up, 0.0, span, agent, ALL_LAYERS)
                        if status == 1:
                            height = max(height, dot(wall, up))
        # the edge between two samples is as high as its higher end, and the foot must be over both ends there
        needed = max(height, previous_height) + clear * min(1.0, 8.0 * min(along, 1.0 - along)) - dot(line, up)
        if needed > 0.0:
            if share <= 1e-6:
                return math.inf
            lift = max(lift, needed / share)
        if sample > 0 and height > previous_height:
            # the rise lies somewhere behind the previous sample: be over it there already
            back = sample_along(sample - 1)
            share = share_at(c, before, lifted, sample - 1, done, steep)
            line = lerp(origin, target, back)
            needed = height + 0.25 * clear - dot(line, up)
            if needed > 0.0 and share > 0.05:
                lift = max(lift, needed / share)
        previous = point
        previous_height = height
    return lift if lift <= most else math.inf


@inline
def find_ground(c, world, spot, hip, up, agent):
    """Ground at a wished spot by the machine's kind of ray."""
    settings = c.footholds[0]
    size = c.machine[0]["leg_length"]
    if settings["ray"] == 0:
        return trace_ground(
            world, spot, up, settings["ray_above"] * size, settings["ray_below"] * size, agent, ALL_LAYERS
        )
    start = add_scaled(hip, up, settings["ray_above"] * size)
    way = sub(spot, start)
    far = length(way)
    direction = unit_or(way, scale(up, -1.0))
    status, met_at, normal, surface = cast_ray(world, start, direction, 2.0 * far, agent, ALL_LAYERS)
    return status, add_scaled(start, direction, met_at), normal, surface


@inline
def spot_offset(choice, radius):
    """Offset of the neighbouring spot with this number from the wish, heading frame [m]; 0 is the wish itself."""
    if choice == 0:
        return (0.0, 0.0, 0.0)
    ring = (choice - 1) // SPOTS + 1
    angle = 2.0 * math.pi * ((choice - 1) % SPOTS) / SPOTS
    away = radius * ring / RINGS
    return (away * math.cos(angle), away * math.sin(angle), 0.0)


@kernel
def judge_spot(c, world, body, legs, trunks, path, motion, step, index, spot, hip, origin, from_normal, done, agent):
    """Judge one spot: its ground, and how much it lacks.

    Returns:
        whether it may be a foothold, how far the leg would be beyond its reach at the end of the stance [m],
        the point, its normal, its surface, the lift that the way there needs [m], and whether it has to be steep.
    """
    settings = c.footholds[0]
    rig = c.legs[index]
    up = load3(motion["up"])
    status, point, normal, surface = find_ground(c, world, spot, hip, up, agent)
    refused = (False, 0.0, point, normal, surface, 0.0, 0)
    if status != 1 or dot(normal, up) < math.cos(settings["slope_limit"]):
        return refused
    if dot(sub(point, spot), up) > c.swing[0]["lift_max"] * c.machine[0]["leg_length"]:
        return refused  # a ledge over the ground that the body expects there
    touchdown = max(step["time"] + step["swing_time"] - motion["time"], 0.0)
    stance = min(step["stance_time"], 2.0 * settings["lead_limit"])
    # a root that the legs hold back may not be there yet
    drop = expected_drop(c, body, path, motion, anchor_world(world, legs[index]), point)
    if excess_at(c, body, trunks, path, motion, index, point, normal, drop, body["governor"] * touchdown) > 0.0:
        return refused
    if excess_at(c, body, trunks, path, motion, index, point, normal, drop, touchdown + 0.5 * stance) > 0.0:
        return refused
    leaving = excess_at(c, body, trunks, path, motion, index, point, normal, drop, touchdown + stance)
    if too_near(c, world, legs, point, up, index):
        return refused
    radius = rig["foot_radius"]
    if radius > 0.0 and at_edge(c, world, point, normal, up, load4(motion["heading"]), radius, agent):
        return refused
    way = reject(sub(point, origin), up)
    nominal = step_height(c.swing[0], math.sqrt(dot(way, way)))
    # where the usual arc would meet an edge close to one of its ends, go up, over and down
    steep = legs[index]["steep"] if done > 0.0 else 0
    lift = required_lift(c, world, origin, from_normal, point, normal, nominal, done, steep, up, agent)
    if lift == math.inf and done <= 0.0:
        steep = 1
        lift = required_lift(c, world, origin, from_normal, point, normal, nominal, done, steep, up, agent)
    if lift == math.inf:
        return refused
    return True, leaving, point, normal, surface, lift, steep


@kernel
def search_foothold(c, world, body, legs, trunks, path, motion, step, index, origin, from_normal, done, agent):
    """Find a foothold for one foot: the wish where it will do, else the best of its neighbours.

    Writes target, normal, surface, lift, wish and choice into the leg and returns True; on False nothing is written
    but the count of spots refused.
    """
    settings = c.footholds[0]
    leg = legs[index]
    up = load3(motion["up"])
    ahead = wish_time(c, step, motion["time"])
    if body["latched"] != 0:  # nothing was found as far ahead as wished: try nearer and nearer
        ahead *= 1.0 - (body["tick"] % 4) / 3.0
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
    store3(leg["target"], to_surface(world, best_surface, best_point))
    store3(leg["target_normal"], to_surface_direction(world, best_surface, best_normal))
    store3(leg["nominal"], to_surface(world, best_surface, wish))
    leg["target_surface"] = best_surface
    leg["choice"] = best_choice
    leg["lift"] = best_lift
    leg["steep"] = best_steep
    return True


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
def steer_swing(c, world, body, legs, trunks, path, motion, step, index, start, agent):
    """Send a foot in the air to a new foothold where its wish has moved, without a jump of the foot.

    The arc is kept and its origin moved so that the foot's present place stays: only what is left of the way changes.
    """
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
    swing = c.swing[0]
    origin, from_normal = origin_world(world, leg)
    old, old_normal = target_world(world, leg)
    here = arc_point(swing, origin, from_normal, old, old_normal, leg["lift"], leg["steep"], done, up)
    step["search"] = 1
    if search_foothold(c, world, body, legs, trunks, path, motion, step, index, here, from_normal, done, agent):
        new, new_normal = target_world(world, leg)
        s = move_share(swing, done, leg["steep"])
        raised = scale(lift_direction(swing, from_normal, new_normal, s, up), leg["lift"] * lift_share(swing, done))
        rest = sub(sub(here, raised), scale(new, s))
        store3(leg["origin"], to_surface(world, leg["surface"], scale(rest, 1.0 / (1.0 - s))))


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

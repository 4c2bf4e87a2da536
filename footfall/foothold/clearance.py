"""How high a foot has to be lifted to get over what lies on its way."""

from __future__ import annotations

import math

from footfall.arc import PATH_SAMPLES, lift_direction, lift_share, move_share, progress_at, sample_along, step_height
from footfall.compile import inline, kernel
from footfall.frames.scalar import add, add_scaled, dot, length, lerp, reject, scale, sub, unit_or
from footfall.world.cast import ALL_LAYERS, cast_ray
from footfall.world.ground import trace_ground


@inline
def share_at(c, before, lifted, sample, done, steep):
    """Share of the lift at a sample, over the line from the foot's present point to its target."""
    if done <= 0.0 and steep == 0:
        return c.arc_table[sample, 1]
    along = sample_along(sample)
    swing = c.swing[0]
    return lift_share(swing, progress_at(swing, before + (1.0 - before) * along, steep)) - lifted * (1.0 - along)


@inline
def height_under(world, point, ceiling, span, up, agent):
    """Height of the ground under a point, looked for from the ceiling down; -inf over a hole [m]."""
    top = add_scaled(point, up, ceiling - dot(point, up))
    status, ground, normal, surface = trace_ground(world, top, up, 0.0, span, agent, ALL_LAYERS)
    return dot(ground, up) if status == 1 else -math.inf


@inline
def height_between(c, world, previous, point, level, ceiling, span, up, agent):
    """Height of what a level ray from one sample to the next meets, a riser or a thin wall; -inf: nothing [m]."""
    start = add_scaled(previous, up, level - dot(previous, up))
    way = reject(sub(point, previous), up)
    far = length(way)
    if far <= 1e-9:
        return -math.inf
    ahead = scale(way, 1.0 / far)
    met, met_at, met_normal, met_surface = cast_ray(world, start, ahead, far, agent, ALL_LAYERS)
    if met != 1:
        return -math.inf
    behind = met_at + 1e-4 * c.machine[0]["leg_length"]
    return height_under(world, add_scaled(start, ahead, behind), ceiling, span, up, agent)


@inline
def height_under_sole(world, point, normal, ahead, ceiling, span, up, agent):
    """Height that a sole has to have at its middle to be over the ground under it, heel and toe, too [m].

    ``ahead`` reaches from its middle to its toe [m]; its plane is across the normal.
    """
    height = height_under(world, point, ceiling, span, up, agent)
    if dot(ahead, ahead) > 0.0:
        rise = -dot(normal, ahead) / max(dot(normal, up), 0.1)
        toe = height_under(world, add(point, ahead), ceiling, span, up, agent)
        heel = height_under(world, sub(point, ahead), ceiling, span, up, agent)
        height = max(height, toe - rise, heel + rise)
    return height


@kernel
def required_lift(c, world, origin, from_normal, target, to_normal, nominal, radius, done, steep, up, agent):
    """Lift that brings a foot over what lies on its way [m]; infinite where no allowed lift does.

    The ground is looked at in samples along the way, under the whole length of the sole, and for what stands between
    two samples.
    ``done`` is the progress of a swing that is under way; the arc then starts from its present point, so that a change
    of lift does not make the foot jump (``origin`` is that point).
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
    ahead = scale(unit_or(reject(sub(target, origin), up), (0.0, 0.0, 0.0)), radius)
    for sample in range(PATH_SAMPLES + 1):
        along = sample_along(sample)
        share = share_at(c, before, lifted, sample, done, steep)
        s = before + (1.0 - before) * along
        line = lerp(origin, target, along)
        point = add_scaled(line, lift_direction(swing, from_normal, to_normal, s, up), nominal * max(share, 0.0))
        normal = unit_or(lerp(from_normal, to_normal, s), up)
        height = height_under_sole(world, point, normal, ahead, ceiling, span, up, agent)
        higher = max(height, previous_height)
        if sample > 0 and higher > -math.inf:
            level = higher + 0.5 * clear  # just over both samples
            height = max(height, height_between(c, world, previous, point, level, ceiling, span, up, agent))
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
def lift_over(c, world, legs, index, origin, from_normal, point, normal, done, up, agent):
    """Lift of the arc to a spot [m], infinite where there is none, and whether the arc has to be steep.

    Where the usual arc would meet an edge close to one of its ends, a foot that has not lifted yet goes up, over and
    down.
    """
    way = reject(sub(point, origin), up)
    nominal = step_height(c.swing[0], math.sqrt(dot(way, way)))
    radius = c.legs[index]["foot_radius"]
    steep = legs[index]["steep"] if done > 0.0 else 0
    lift = required_lift(c, world, origin, from_normal, point, normal, nominal, radius, done, steep, up, agent)
    if lift == math.inf and done <= 0.0:
        steep = 1
        lift = required_lift(c, world, origin, from_normal, point, normal, nominal, radius, done, steep, up, agent)
    return lift, steep

"""The path that several trunks follow, and where the ground under a trunk will be.

The path is a ring of knots at equal way. It grows at the leading end, by the curvature that is asked for there, so a
chain can back up as well as go ahead; all trunks follow at constant way from the middle one. With one trunk there is
no path: the ground under it moves on the arc of the current turn.
"""

from __future__ import annotations

import math

from footfall.compile import inline, kernel
from footfall.frames.scalar import (
    about_z,
    add,
    add_scaled,
    cross,
    dot,
    from_axes,
    lerp,
    load3,
    load4,
    multiply,
    reject,
    rotate,
    scale,
    store3,
    sub,
    unit_or,
    unrotate,
    yaw_between,
)
from footfall.motion import arc_displacement, coming_way
from footfall.spring import follower, ring
from footfall.world.ground import trace_ground

KNOTS_PER_TRUNK = 8  # knots of the path between two trunks
NEGLIGIBLE = 1e-9  # way [leg lengths] and turn [rad] of a hosted root that its path need not follow
END_KNOTS = 7  # knots beyond each end trunk: its slope is taken from half a trunk ahead and behind


@inline
def knot_position(path, knot):
    """Position of a knot, world [m]."""
    return load3(path[knot % path.shape[0]]["position"])


@inline
def bulge(t, first, last, rise):
    """What the cubic with these slopes at its ends (Hermite) has more than the straight line of that rise, at t."""
    return t * (1.0 - t) * ((1.0 - t) * (first - rise) + t * (rise - last))


@inline
def path_point(path, spacing, way, up):
    """Point of the path at a way from its origin [m]: over the ground the spline through the knots (Catmull and Rom
    1974), and at the height of the cubic that has the knots' heights and slopes (Hermite).
    """
    knot = int(math.floor(way / spacing))
    t = way / spacing - knot
    a = knot_position(path, knot)
    b = knot_position(path, knot + 1)
    edge = sub(b, a)
    rise = dot(edge, up)
    high = bulge(
        t, spacing * path[knot % path.shape[0]]["slope"], spacing * path[(knot + 1) % path.shape[0]]["slope"], rise
    )
    first = scale(sub(edge, sub(a, knot_position(path, knot - 1))), -0.5)  # half the tangent's lead over the edge
    last = scale(sub(sub(knot_position(path, knot + 2), b), edge), -0.5)
    aside = reject(lerp(first, last, t), up)
    return add_scaled(add_scaled(lerp(a, b, t), aside, t * (1.0 - t)), up, high)


@inline
def path_bank(path, spacing, way):
    """Slope of the smoothed ground to the left at a way along the path."""
    knot = int(math.floor(way / spacing))
    t = way / spacing - knot
    a = path[knot % path.shape[0]]
    b = path[(knot + 1) % path.shape[0]]
    rise = b["bank"] - a["bank"]
    return a["bank"] + t * rise + bulge(t, spacing * a["bank_rate"], spacing * b["bank_rate"], rise)


@inline
def path_forward(path, spacing, way, up):
    """Horizontal unit tangent of the path, linear between the middles of its edges."""
    shifted = way / spacing - 0.5
    knot = int(math.floor(shifted))
    share = shifted - math.floor(shifted)
    a = knot_position(path, knot)
    b = knot_position(path, knot + 1)
    c = knot_position(path, knot + 2)
    return unit_or(reject(lerp(sub(b, a), sub(c, b), share), up), (1.0, 0.0, 0.0))


@inline
def path_pose(path, spacing, way, up):
    """Point on the path and heading frame there."""
    x = path_forward(path, spacing, way, up)
    return path_point(path, spacing, way, up), from_axes(x, cross(up, x), up)


@inline
def ground_pose(c, body, path, motion, trunk, time):
    """Point on the ground under a trunk, and its heading frame, a time ahead [s] at the present motion.

    One trunk: on the arc of the current turn. Several: further along the path, and beyond its end straight on,
    up or down the slope there.
    """
    up = load3(motion["up"])
    heading = load4(motion["heading"])
    position = load3(motion["root_position"])
    if path.shape[0] == 0:
        way = arc_displacement(motion["velocity"][0], motion["velocity"][1], motion["yaw_rate"], time)
        turned = multiply(heading, about_z(motion["yaw_rate"] * time))
        climb = body["gradient"][0] * way[0] + body["gradient"][1] * way[1]
        return add(position, rotate(heading, (way[0], way[1], climb))), turned
    spacing = c.machine[0]["path_spacing"]
    way = body["path_way"] + c.trunk_offsets[trunk]
    way += coming_way(motion["velocity"][0], motion["asked"], motion["acceleration"][0], time)
    low = (body["path_low"] + 1) * spacing
    high = (body["path_high"] - 1) * spacing
    inside = min(max(way, low), high)
    point, frame = path_pose(path, spacing, inside, up)
    beyond = way - inside
    sideways = motion["velocity"][1] * time
    end = int(inside / spacing + 0.5) % path.shape[0]
    point = add(point, rotate(frame, (beyond, sideways, beyond * path[end]["slope"])))
    spin = motion["yaw_rate"] * time
    if spin != 0.0:  # the chain turns rigidly about the middle trunk
        lever = reject(sub(point, position), up)
        turned = rotate(heading, rotate(about_z(spin), unrotate(heading, lever)))
        point = add(add_scaled(point, lever, -1.0), turned)
        frame = multiply(frame, about_z(spin))
    return point, frame


@inline
def middle(a, b, c):
    """The middle one of three numbers."""
    return max(min(a, b), min(max(a, b), c))


@inline
def ground_ahead(c, world, position, forward, up, otherwise, agent):
    """Height of the ground along up about a position [m]: the middle one of three rays, so that a trench or a post
    narrower than their distance does not count.
    """
    size = c.machine[0]["leg_length"]
    gap = 0.3 * size
    level = add_scaled(position, up, otherwise - dot(position, up))
    s1, before, n1, f1 = trace_ground(world, add_scaled(level, forward, -gap), up, size, 3.0 * size, agent, -1)
    s2, here, n2, f2 = trace_ground(world, level, up, size, 3.0 * size, agent, -1)
    s3, beyond, n3, f3 = trace_ground(world, add_scaled(level, forward, gap), up, size, 3.0 * size, agent, -1)
    return middle(
        dot(before, up) if s1 == 1 else otherwise,
        dot(here, up) if s2 == 1 else otherwise,
        dot(beyond, up) if s3 == 1 else otherwise,
    )


@inline
def ground_across(c, world, position, forward, up, height, bank, agent):
    """Height of the ground about a position [m], and its slope to the left: from there and from both sides, where the
    feet are; feet that all rest on the path tell no slope. ``height`` and ``bank`` stand in where there is no ground.
    """
    aside = c.machine[0]["path_side"]
    side = cross(up, forward)
    here = ground_ahead(c, world, position, forward, up, height, agent)
    if aside <= 0.0:
        return here, 0.0
    left = ground_ahead(c, world, add_scaled(position, side, aside), forward, up, height + bank * aside, agent)
    right = ground_ahead(c, world, add_scaled(position, side, -aside), forward, up, height - bank * aside, agent)
    return (left + here + right) / 3.0, 0.5 * (left - right) / aside


@inline
def grow_path(c, world, body, path, up, curvature, leading, agent):
    """Add one knot at the front (leading +1) or at the rear end (-1), turned by the curvature asked for there.

    Its height follows the ground over the way as a critically damped follower does in time, with a look ahead that
    cancels the lag.
    """
    spacing = c.machine[0]["path_spacing"]
    reach = c.carriage[0]["path_smoothing"] * c.machine[0]["leg_length"]
    end = body["path_high"] if leading > 0 else body["path_low"]
    last = knot_position(path, end)
    along = unit_or(reject(sub(last, knot_position(path, end - leading)), up), (1.0, 0.0, 0.0))
    side = cross(up, along)
    angle = curvature * spacing * leading
    along = add_scaled(scale(along, math.cos(angle)), side, math.sin(angle))
    position = add_scaled(last, along, spacing)
    before = path[end % path.shape[0]]
    height = dot(last, up)
    ground, across = ground_across(
        c, world, add_scaled(position, along, reach), scale(along, leading), up, height, before["bank"], agent
    )
    matrix = follower(reach, spacing)
    away, slope = ring(matrix, height - ground, leading * before["slope"])
    banked, bank_rate = ring(matrix, before["bank"] - across, leading * before["bank_rate"])
    new = end + leading
    knot = path[new % path.shape[0]]
    store3(knot["position"], add_scaled(position, up, ground + away - dot(position, up)))
    knot["slope"] = leading * slope
    knot["bank"] = across + banked
    knot["bank_rate"] = leading * bank_rate
    if leading > 0:
        body["path_high"] = new
        body["path_low"] = max(body["path_low"], new - path.shape[0] + 1)
    else:
        body["path_low"] = new
        body["path_high"] = min(body["path_high"], new + path.shape[0] - 1)


@inline
def split_turn(c, forward, turn):
    """Curvature of the path [1/m] that the leading end is steered by, as tight as the chain bends, and the rate at
    which the chain turns rigidly for the rest of a rate of turn [rad/s]; one trunk only turns.
    """
    if c.machine[0]["path_half"] <= 0.0 or forward == 0.0:
        return 0.0, turn
    tightest = 0.7 / c.machine[0]["path_half"]
    bend = min(max(turn / forward, -tightest), tightest)
    return bend, turn - bend * forward


@kernel
def advance_path(c, world, body, path, up, way, curvature, agent):
    """Move the middle trunk along the path and grow it where a trunk would leave it."""
    spacing = c.machine[0]["path_spacing"]
    half = c.machine[0]["path_half"]
    body["path_way"] += way
    while (body["path_high"] - END_KNOTS) * spacing < body["path_way"] + half:
        grow_path(c, world, body, path, up, curvature, 1, agent)
    while (body["path_low"] + END_KNOTS) * spacing > body["path_way"] - half:
        grow_path(c, world, body, path, up, curvature, -1, agent)


@inline
def level_slopes(body, path, spacing, up):
    """Set the slopes of all knots from their neighbours' heights, and how their banks change from theirs."""
    for knot in range(body["path_low"], body["path_high"] + 1):
        before = max(knot - 1, body["path_low"])
        after = min(knot + 1, body["path_high"])
        way = spacing * (after - before)
        rise = dot(sub(knot_position(path, after), knot_position(path, before)), up)
        turn = path[after % path.shape[0]]["bank"] - path[before % path.shape[0]]["bank"]
        path[knot % path.shape[0]]["slope"] = rise / way
        path[knot % path.shape[0]]["bank_rate"] = turn / way


@kernel
def swing_path(c, world, body, path, up, shift, angle, agent):
    """Move the whole path [m, world] and turn it about the middle trunk [rad], and settle it on the ground there."""
    spacing = c.machine[0]["path_spacing"]
    pivot, frame = path_pose(path, spacing, body["path_way"], up)
    co = math.cos(angle)
    si = math.sin(angle)
    forward = rotate(frame, (1.0, 0.0, 0.0))
    reach = c.carriage[0]["path_smoothing"] * c.machine[0]["leg_length"]
    for knot in range(body["path_low"], body["path_high"] + 1):
        old = knot_position(path, knot)
        lever = reject(sub(old, pivot), up)
        moved = add(scale(lever, co), scale(cross(up, lever), si))
        new = add(add(sub(old, lever), moved), shift)
        height = dot(new, up)
        row = path[knot % path.shape[0]]
        ground, across = ground_across(c, world, new, forward, up, height, row["bank"], agent)
        step = sub(new, old)
        share = 1.0 - math.exp(-math.sqrt(dot(step, step)) / reach)
        store3(row["position"], add_scaled(new, up, share * (ground - height)))
        row["bank"] += share * (across - row["bank"])
    level_slopes(body, path, spacing, up)


@kernel
def lead_path(c, world, body, path, up, root, heading, curvature, agent):
    """Lead the path through a root that somebody else moves: on along itself, growing by the curvature, and by the
    rest of the way and the turn as a whole.
    """
    spacing = c.machine[0]["path_spacing"]
    here, frame = path_pose(path, spacing, body["path_way"], up)
    advance_path(c, world, body, path, up, unrotate(frame, sub(root, here))[0], curvature, agent)
    here, frame = path_pose(path, spacing, body["path_way"], up)
    aside = reject(sub(root, here), up)
    angle = yaw_between(frame, heading, up)
    least = NEGLIGIBLE * c.machine[0]["leg_length"]
    if dot(aside, aside) > least * least or abs(angle) > NEGLIGIBLE:
        swing_path(c, world, body, path, up, aside, angle, agent)

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
    cross,
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
)
from footfall.motion import arc_displacement
from footfall.world.ground import trace_ground


@inline
def knot_position(path, knot):
    """Position of a knot, world [m]."""
    return load3(path[knot % path.shape[0]]["position"])


@inline
def path_point(path, spacing, way):
    """Point of the path at a way from its origin [m]: on the straight line between two knots."""
    knot = math.floor(way / spacing)
    share = way / spacing - knot
    return lerp(knot_position(path, int(knot)), knot_position(path, int(knot) + 1), share)


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
    return path_point(path, spacing, way), from_axes(x, cross(up, x), up)


@inline
def ground_pose(c, body, path, motion, trunk, time):
    """Point on the ground under a trunk, and its heading frame, a time ahead [s] at the present motion.

    One trunk: on the arc of the current turn. Several: further along the path, and beyond its end straight on.
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
    way = body["path_way"] + c.trunk_offsets[trunk] + motion["velocity"][0] * time
    low = (body["path_low"] + 1) * spacing
    high = (body["path_high"] - 1) * spacing
    inside = min(max(way, low), high)
    point, frame = path_pose(path, spacing, inside, up)
    beyond = way - inside
    sideways = motion["velocity"][1] * time
    point = add(point, rotate(frame, (beyond, sideways, 0.0)))
    spin = motion["yaw_rate"] * time
    if spin != 0.0:  # the chain turns rigidly about the middle trunk
        lever = reject(sub(point, position), up)
        turned = rotate(heading, rotate(about_z(spin), _unturn(heading, lever)))
        point = add(add_scaled(point, lever, -1.0), turned)
        frame = multiply(frame, about_z(spin))
    return point, frame


@inline
def _unturn(q, v):
    return rotate((q[0], -q[1], -q[2], -q[3]), v)


@inline
def smoothed_ground(c, world, position, forward, up, previous, spacing, agent):
    """Height along up of a new knot [m]: the ground, low-passed over the way with a look ahead that cancels its lag."""
    reach = c.carriage[0]["path_smoothing"] * c.machine[0]["leg_length"]
    ahead = add_scaled(position, forward, reach)
    span = c.machine[0]["leg_length"]
    status, point, normal, surface = trace_ground(world, ahead, up, span, 3.0 * span, agent, -1)
    if status != 1:
        return previous
    return previous + (1.0 - math.exp(-spacing / reach)) * (dot(point, up) - previous)


@inline
def grow_path(c, world, body, path, up, curvature, leading, agent):
    """Add one knot at the front (leading +1) or at the rear end (-1), turned by the curvature asked for there."""
    spacing = c.machine[0]["path_spacing"]
    end = body["path_high"] if leading > 0 else body["path_low"]
    last = knot_position(path, end)
    along = unit_or(reject(sub(last, knot_position(path, end - leading)), up), (1.0, 0.0, 0.0))
    side = cross(up, along)
    angle = curvature * spacing * leading
    along = add_scaled(scale(along, math.cos(angle)), side, math.sin(angle))
    position = add_scaled(last, along, spacing)
    height = smoothed_ground(c, world, position, along, up, dot(last, up), spacing, agent)
    position = add_scaled(position, up, height - dot(position, up))
    new = end + leading
    store3(path[new % path.shape[0]]["position"], position)
    if leading > 0:
        body["path_high"] = new
        body["path_low"] = max(body["path_low"], new - path.shape[0] + 1)
    else:
        body["path_low"] = new
        body["path_high"] = min(body["path_high"], new + path.shape[0] - 1)


@kernel
def advance_path(c, world, body, path, up, way, curvature, agent):
    """Move the middle trunk along the path and grow it where a trunk would leave it."""
    spacing = c.machine[0]["path_spacing"]
    half = c.machine[0]["path_half"]
    body["path_way"] += way
    while (body["path_high"] - 2) * spacing < body["path_way"] + half:
        grow_path(c, world, body, path, up, curvature, 1, agent)
    while (body["path_low"] + 2) * spacing > body["path_way"] - half:
        grow_path(c, world, body, path, up, curvature, -1, agent)


@kernel
def swing_path(c, world, body, path, up, sideways, angle, agent):
    """Move the whole path sideways [m] and turn it about the middle trunk [rad], and settle it on the ground there."""
    spacing = c.machine[0]["path_spacing"]
    pivot, frame = path_pose(path, spacing, body["path_way"], up)
    left = rotate(frame, (0.0, 1.0, 0.0))
    co = math.cos(angle)
    si = math.sin(angle)
    reach = c.carriage[0]["path_smoothing"] * c.machine[0]["leg_length"]
    span = c.machine[0]["leg_length"]
    for knot in range(body["path_low"], body["path_high"] + 1):
        old = knot_position(path, knot)
        lever = reject(sub(old, pivot), up)
        moved = add(scale(lever, co), scale(cross(up, lever), si))
        new = add_scaled(add(sub(old, lever), moved), left, sideways)
        status, point, normal, surface = trace_ground(world, new, up, span, 3.0 * span, agent, -1)
        if status == 1:
            step = sub(new, old)
            share = 1.0 - math.exp(-math.sqrt(dot(step, step)) / reach)
            new = add_scaled(new, up, share * (dot(point, up) - dot(new, up)))
        store3(path[knot % path.shape[0]]["position"], new)

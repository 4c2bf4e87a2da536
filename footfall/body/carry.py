"""The stage: the trunks of one agent, over its feet or along its path."""

from __future__ import annotations

from footfall.body.activity import settle_activity
from footfall.body.adaptation import come_down
from footfall.body.attitude import body_pose, euler, slope_rotation
from footfall.body.impact import kick, ring_impact
from footfall.body.support import follow_support, ride_root
from footfall.body.weight_shift import shift_weight
from footfall.compile import inline
from footfall.frames.scalar import (
    add,
    add_scaled,
    cross,
    dot,
    from_axes,
    load3,
    load4,
    multiply,
    nlerp,
    rotate,
    store3,
    store4,
    sub,
)
from footfall.path import path_bank, path_forward, path_point


@inline
def steady_trunks(c, body, trunks, motion, root, heading):
    """Trunks over the first: each with its share of stabilisation, between the body's pose and one without haste."""
    position, rotation = load3(trunks[0]["position"]), load4(trunks[0]["rotation"])
    offset, turned = body_pose(c, body, motion, 0.0)
    calm_position = add(root, rotate(heading, offset))
    calm_rotation = multiply(heading, turned)
    for trunk in range(1, trunks.shape[0]):
        share = c.stabilise[trunk]
        store3(trunks[trunk]["position"], add_scaled(position, sub(calm_position, position), share))
        store4(trunks[trunk]["rotation"], nlerp(rotation, calm_rotation, share))


@inline
def carry_body_agent(c, body, legs, trunks, feet, motion, command, landed, dt):
    """Carry the body of one agent with one trunk (and trunks stabilised over it) over its feet."""
    up = load3(motion["up"])
    heading = load4(motion["heading"])
    if command["hosted"] != 0:
        ride_root(body, motion)
    else:
        follow_support(c, body, motion, feet, dt)
    kick(c, body, landed)
    ring_impact(c, body, dt)
    shift_weight(c, body, legs, dt)
    settle_activity(c, body, motion, command, dt)
    root = load3(motion["root_position"])
    if command["hosted"] == 0:
        root = add_scaled(root, up, body["support"] - dot(root, up))
        store3(motion["root_position"], root)
        store3(body["root_position"], root)
    offset, turned = body_pose(c, body, motion, 1.0)
    rotation = multiply(heading, turned)
    position = add(root, rotate(heading, offset))
    position = add_scaled(position, up, come_down(c, body, motion, feet, position, rotation, dt))
    store3(trunks[0]["position"], position)
    store4(trunks[0]["rotation"], rotation)
    if trunks.shape[0] > 1:
        steady_trunks(c, body, trunks, motion, root, heading)


@inline
def carry_trunks_agent(c, body, path, trunks, motion, command, dt):
    """Carry the trunks of one agent along its path, at equal height over the smoothed ground.

    A hosted root takes the middle trunk to its own height, and the others as far from the ground as that.
    """
    settings = c.carriage[0]
    machine = c.machine[0]
    spacing = machine["path_spacing"]
    up = load3(motion["up"])
    settle_activity(c, body, motion, command, dt)
    root = sub(load3(motion["root_position"]), path_point(path, spacing, body["path_way"], up))
    stand = machine["stand_height"] + body["pose"][0] - body["limp"] + dot(root, up)
    for trunk in range(trunks.shape[0]):
        way = body["path_way"] + c.trunk_offsets[trunk]
        point = path_point(path, spacing, way, up)
        x = path_forward(path, spacing, way, up)
        gap = 0.5 * machine["path_half"] / max(trunks.shape[0] // 2, 1)
        rise = sub(path_point(path, spacing, way + gap, up), path_point(path, spacing, way - gap, up))
        slope = dot(rise, up) / max(dot(rise, x), 1e-9)
        bank = path_bank(path, spacing, way)
        level = slope_rotation(slope, bank, settings["follow_pitch"], settings["follow_roll"])
        frame = from_axes(x, cross(up, x), up)
        rotation = multiply(frame, multiply(euler(0.0, body["pose"][2], body["pose"][1]), level))
        store3(trunks[trunk]["position"], add_scaled(point, up, stand))
        store4(trunks[trunk]["rotation"], rotation)

"""The kinematic drive: the plan is the motion.

Commanded, the root moves by what is asked, as far as the planted legs allow. Hosted, the root is somebody else's and
its motion is measured.
"""

from __future__ import annotations

import math

from footfall.compile import inline
from footfall.frames.scalar import (
    about_z,
    add,
    add_scaled,
    cross,
    distance,
    dot,
    from_vector,
    heading_frame,
    length,
    lerp,
    load3,
    load4,
    multiply,
    nlerp,
    normalise,
    reject,
    rotate,
    scale,
    store3,
    store4,
    sub,
    unit_or,
    unrotate,
    yaw_between,
)
from footfall.gait import anchor_world, frac, leg_phase, stance_share
from footfall.ik.reach import solved_end
from footfall.motion import approach, arc_displacement, measure_motion, note_motion, point_velocity, window_mean
from footfall.path import advance_path, lead_path, path_pose, split_turn, swing_path
from footfall.rig import Solver

CHAIN = int(Solver.chain)
RELEASE_TIME = 0.15  # time constant in which a governor that held the root lets it go again [s]


@inline
def asked_motion(c, command, stays):
    """Forward, left speed [m/s] and yaw rate [rad/s] asked for, within the machine's limits."""
    travel = c.travel[0]
    if stays:
        return 0.0, 0.0, 0.0
    forward = command["speed"]
    left = command["lateral"]
    turn = min(max(command["yaw_rate"], -travel["yaw_rate_max"]), travel["yaw_rate_max"])
    speed = math.sqrt(forward * forward + left * left)
    if speed > travel["speed_max"]:
        forward *= travel["speed_max"] / speed
        left *= travel["speed_max"] / speed
    bend, rigid = split_turn(c, forward, turn)
    fastest = 0.0
    for index in range(c.legs.shape[0]):
        rig = c.legs[index]
        x = rig["rest"][0] + c.trunk_offsets[rig["trunk"]]
        v = point_velocity(forward * (1.0 - bend * rig["rest"][1]), left, rigid, x, rig["rest"][1])
        fastest = max(fastest, v[0] * v[0] + v[1] * v[1])
    share = min(1.0, travel["foot_speed_max"] / max(math.sqrt(fastest), 1e-12))
    return forward * share, left * share, turn * share


@inline
def govern(c, legs, motion):
    """Share of the motion that the planted legs allow: 1 well within reach, 0 for a leg that is stretched out."""
    travel = c.travel[0]
    allowed = 1.0
    for index in range(legs.shape[0]):
        leg = legs[index]
        rig = c.legs[index]
        if leg["swinging"] != 0 or rig["fixed_loop"] != 0:
            continue
        pull = load3(leg["pull"])
        start = travel["governor_start"] * rig["reach_max"]
        if dot(pull, pull) <= start * start:
            continue
        x = rig["hip"][0] + c.trunk_offsets[rig["trunk"]]
        v = point_velocity(motion["velocity"][0], motion["velocity"][1], motion["yaw_rate"], x, rig["hip"][1])
        if v[0] * pull[0] + v[1] * pull[1] <= 0.0:
            continue
        stop = travel["governor_stop"] * rig["reach_max"]
        allowed = min(allowed, max((stop - length(pull)) / (stop - start), 0.0))
    return allowed


@inline
def foresee(c, body, legs, motion):
    """Share of the motion at which every planted leg comes to its next turn within reach; the clock goes on."""
    cadence = body["cadence"]
    if cadence <= 0.0:
        return 1.0
    lifts_at = stance_share(c.gaits[body["gait"]], body["duty"], cadence, legs.shape[0])
    allowed = 1.0
    for index in range(legs.shape[0]):
        leg = legs[index]
        rig = c.legs[index]
        if leg["swinging"] != 0 or leg["due"] != 0 or rig["fixed_loop"] != 0:
            continue
        pull = load3(leg["pull"])
        far = c.travel[0]["governor_start"] * rig["reach_max"]
        room = far * far - dot(pull, pull)
        x = rig["hip"][0] + c.trunk_offsets[rig["trunk"]]
        v = point_velocity(motion["velocity"][0], motion["velocity"][1], motion["yaw_rate"], x, rig["hip"][1])
        square = v[0] * v[0] + v[1] * v[1]
        if room <= 0.0 or square <= 0.0:
            continue
        # |pull + v t| = far
        along = v[0] * pull[0] + v[1] * pull[1]
        reached = (math.sqrt(along * along + square * room) - along) / square
        left = frac(lifts_at - leg_phase(body["phase"], leg["phase_offset"])) / cadence
        if reached < left:
            allowed = min(allowed, reached / left)
    return allowed


@inline
def ride_surfaces(world, legs, up):
    """How moving surfaces have carried the feet that stand since the last tick: their middle before, world [m], its way
    [m] and the turn about it [rad], as near to a rigid motion as they allow.
    """
    middle = (0.0, 0.0, 0.0)
    way = (0.0, 0.0, 0.0)
    standing = 0
    for index in range(legs.shape[0]):
        leg = legs[index]
        if leg["swinging"] == 0:
            standing += 1
            middle = add(middle, load3(leg["stood"]))
            way = add(way, sub(anchor_world(world, leg), load3(leg["stood"])))
    if standing == 0:
        return middle, way, 0.0
    middle = scale(middle, 1.0 / standing)
    way = scale(way, 1.0 / standing)
    sine = 0.0
    cosine = 0.0
    for index in range(legs.shape[0]):
        leg = legs[index]
        if leg["swinging"] == 0:
            before = reject(sub(load3(leg["stood"]), middle), up)
            after = reject(sub(sub(anchor_world(world, leg), middle), way), up)
            sine += dot(cross(before, after), up)
            cosine += dot(before, after)
    return middle, way, math.atan2(sine, cosine)


@inline
def carried(point, middle, way, turned):
    """A point that goes along rigidly, world [m]."""
    return add(add(middle, way), rotate(turned, sub(point, middle)))


@inline
def carry_along(trunks, path, middle, way, turned):
    """Trunks and path go along with the feet that surfaces carry."""
    for trunk in range(trunks.shape[0]):
        pose = trunks[trunk]
        store3(pose["position"], carried(load3(pose["position"]), middle, way, turned))
        store4(pose["rotation"], normalise(multiply(turned, load4(pose["rotation"]))))
    for knot in range(path.shape[0]):
        store3(path[knot]["position"], carried(load3(path[knot]["position"]), middle, way, turned))


@inline
def sense_hosted(c, world, body, legs, trunks, path, window, motion, command, share, up, agent, dt):
    """The root is the host's, between the last frame's and this one's; speeds are measured, over what carries the
    feet. Several trunks follow a path that leads through it.
    """
    before = load3(body["root_position"])
    rotation_before = load4(body["root_rotation"])
    if world.moving[0] != 0:
        middle, way, spin = ride_surfaces(world, legs, up)
        turned = from_vector(scale(up, spin))
        carry_along(trunks, path, middle, way, turned)
        before = carried(before, middle, way, turned)
        rotation_before = normalise(multiply(turned, rotation_before))
    position = lerp(load3(body["host_position"]), load3(command["root_position"]), share)
    rotation = nlerp(load4(body["host_rotation"]), load4(command["root_rotation"]), share)
    forward, left, turn = measure_motion(
        c.travel[0], window, body["tick"], before, position, rotation_before, rotation, up, dt
    )
    if dt > 0.0:
        motion["acceleration"][0] = (forward - body["velocity"][0]) / dt
        motion["acceleration"][1] = (left - body["velocity"][1]) / dt
    body["velocity"][0] = forward
    body["velocity"][1] = left
    body["yaw_rate"] = turn
    body["governor"] = 1.0
    heading = heading_frame(rotation, up)
    store3(motion["root_position"], position)
    store4(motion["root_rotation"], rotation)
    store4(motion["heading"], heading)
    if path.shape[0] > 0:
        if window.shape[0] > 0:  # small turns count too: no dead zone
            forward = window_mean(window, 0)
            turn = window_mean(window, 2)
        bend, rigid = split_turn(c, forward, turn)
        lead_path(c, world, body, path, up, position, heading, bend, agent)


@inline
def sense_commanded(c, world, body, legs, trunks, path, window, motion, command, up, agent, dt):
    """The root moves by what is asked, under the limits of acceleration and of the planted legs."""
    travel = c.travel[0]
    stays = command["kneel"] > 0.0 or body["kneel"] > 0.0 or body["waiting"] != 0
    forward, left, turn = asked_motion(c, command, stays)
    rise = travel["acceleration"]
    fall = travel["deceleration"]
    v = (
        approach(body["velocity"][0], forward, rise, fall, dt),
        approach(body["velocity"][1], left, rise, fall, dt),
    )
    # several trunks: the leading end is steered, and only the rest turns the chain
    bend, rigid = split_turn(c, forward if forward != 0.0 else v[0], turn)
    rate = approach(body["yaw_rate"], rigid, travel["yaw_acceleration"], travel["yaw_acceleration"], dt)
    if dt > 0.0:
        motion["acceleration"][0] = (v[0] - body["velocity"][0]) / dt
        motion["acceleration"][1] = (v[1] - body["velocity"][1]) / dt
    body["velocity"][0] = v[0]
    body["velocity"][1] = v[1]
    body["yaw_rate"] = rate
    position = load3(body["root_position"])
    heading = heading_frame(load4(body["root_rotation"]), up)
    if world.moving[0] != 0:
        middle, way, spin = ride_surfaces(world, legs, up)
        swung = from_vector(scale(up, spin))
        carry_along(trunks, path, middle, way, swung)
        body["support"] += dot(way, up)
        position = carried(position, middle, way, swung)
        heading = normalise(multiply(swung, heading))
    store4(motion["heading"], heading)
    store3(motion["root_position"], position)
    motion["velocity"][0] = v[0]
    motion["velocity"][1] = v[1]
    motion["yaw_rate"] = rate
    motion["asked"] = forward
    governor = 1.0 + (body["governor"] - 1.0) * math.exp(-dt / RELEASE_TIME)
    if travel["foresight"] != 0:
        fastest = math.sqrt(v[0] * v[0] + v[1] * v[1]) + abs(rate) * c.machine[0]["rest_radius"]
        gentle = fall * dt / max(fastest, 1e-9)
        governor = min(governor, foresee(c, body, legs, motion), body["governor"] + gentle)
        governor = max(governor, body["governor"] - gentle)
    governor = min(governor, govern(c, legs, motion))
    body["governor"] = governor
    if body["waiting"] != 0:  # a foot feels for the ground: the root stands still
        governor = 0.0
    ahead = governor * v[0]
    aside = governor * v[1]
    turned = governor * rate
    if path.shape[0] == 0:
        note_motion(window, body["tick"], ahead, aside, turned)
        way = arc_displacement(ahead, aside, turned, dt)
        position = add(position, rotate(heading, (way[0], way[1], 0.0)))
        heading = normalise(multiply(heading, about_z(turned * dt)))
        store3(motion["root_position"], position)
        store4(motion["heading"], heading)
        store4(motion["root_rotation"], heading)
        return
    before = heading
    advance_path(c, world, body, path, up, ahead * dt, bend, agent)
    spacing = c.machine[0]["path_spacing"]
    if rate != 0.0 or v[1] != 0.0:
        position, heading = path_pose(path, spacing, body["path_way"], up)
        side = scale(rotate(heading, (0.0, 1.0, 0.0)), aside * dt)
        swing_path(c, world, body, path, up, side, turned * dt, agent)
    position, heading = path_pose(path, spacing, body["path_way"], up)
    if dt > 0.0:
        note_motion(window, body["tick"], ahead, aside, yaw_between(before, heading, up) / dt)
    store3(motion["root_position"], position)
    store4(motion["root_rotation"], heading)
    store4(motion["heading"], heading)


@inline
def sense_agent(c, world, body, legs, trunks, path, window, motion, command, share, agent, start, now):
    """What the body of one agent does in (start, now]; ``share`` of the caller's frame is over at its end."""
    dt = now - start
    up = unit_or(load3(command["up"]), (0.0, 0.0, 1.0))
    store3(motion["up"], up)
    motion["time"] = now
    motion["acceleration"][0] = 0.0
    motion["acceleration"][1] = 0.0
    if command["hosted"] != 0:
        sense_hosted(c, world, body, legs, trunks, path, window, motion, command, share, up, agent, dt)
        motion["velocity"][0] = body["velocity"][0]
        motion["velocity"][1] = body["velocity"][1]
        motion["yaw_rate"] = body["yaw_rate"]
        motion["asked"] = body["velocity"][0]
    else:
        sense_commanded(c, world, body, legs, trunks, path, window, motion, command, up, agent, dt)
    store3(body["root_position"], load3(motion["root_position"]))
    store4(body["root_rotation"], load4(motion["root_rotation"]))


@inline
def hip_and_end(c, rig, trunks, foot, sole, heading, kneel):
    """Hip of a leg and the point that its solved bones end at, world [m]."""
    trunk = trunks[rig["trunk"]]
    hip = add(load3(trunk["position"]), rotate(load4(trunk["rotation"]), load3(rig["hip"])))
    return hip, solved_end(rig, c.segments, heading, sole, load3(foot["normal"]), kneel, foot["lift"])


@inline
def note_pulls(c, body, legs, motion, trunks, feet):
    """Keep how each leg pulls at the body, for feet that somebody else has moved."""
    heading = load4(motion["heading"])
    for index in range(feet.shape[0]):
        foot = feet[index]
        hip, end = hip_and_end(c, c.legs[index], trunks, foot, load3(foot["sole"]), heading, body["kneel"])
        store3(legs[index]["pull"], unrotate(heading, sub(hip, end)))


@inline
def act_agent(c, body, legs, motion, planned_trunks, planned_feet, trunks, feet):
    """What became of one agent's plan: the plan itself, with feet in the air kept within their legs' reach.

    How each leg pulls is kept for the next tick: the governor and rescue steps look at it. A body that has left so many
    feet behind that fewer bear it than the gait plants is marked as unsupported.
    """
    heading = load4(motion["heading"])
    bearing = 0
    left_behind = 0
    for trunk in range(trunks.shape[0]):
        store3(trunks[trunk]["position"], load3(planned_trunks[trunk]["position"]))
        store4(trunks[trunk]["rotation"], load4(planned_trunks[trunk]["rotation"]))
    for index in range(feet.shape[0]):
        plan = planned_feet[index]
        foot = feet[index]
        foot["swinging"] = plan["swinging"]
        foot["lift"] = plan["lift"]
        foot["progress"] = plan["progress"]
        foot["excess"] = 0.0
        store3(foot["normal"], load3(plan["normal"]))
        store3(foot["support"], load3(plan["support"]))
        store3(foot["support_normal"], load3(plan["support_normal"]))
        sole = load3(plan["sole"])
        rig = c.legs[index]
        hip, end = hip_and_end(c, rig, trunks, foot, sole, heading, body["kneel"])
        store3(legs[index]["pull"], unrotate(heading, sub(hip, end)))
        span = distance(hip, end)
        if plan["swinging"] == 0:
            if span > rig["reach_max"] * (1.0 + 1e-9) and rig["fixed_loop"] == 0:
                left_behind += 1
            else:
                bearing += 1
        else:
            within = min(max(span, rig["reach_min"]), rig["reach_max"])
            if within != span and span > 1e-9:
                sole = add_scaled(sole, sub(end, hip), within / span - 1.0)
        store3(foot["sole"], sole)
    floor = legs.shape[0] - c.gaits[body["gait"]]["airborne_limit"]
    body["unsupported"] = 1 if left_behind > 0 and bearing < floor else 0


@inline
def hinge_room(c, rig, memory):
    """Angle that the hinge of a chain that is nearest to a limit can still turn towards it [rad]."""
    room = math.inf
    for index in range(rig["segments"]):
        segment = c.segments[rig["first_segment"] + index]
        angle = memory[rig["memory"] + index]
        room = min(room, angle - segment["lower"], segment["upper"] - angle)
    return room


@inline
def follow_legs(c, legs, memory, feet, joints):
    """A foot in the air that its joints' limits do not let follow the plan goes where they let it.

    A planted leg with a hinge near a limit pulls as one near the end of its reach that can still go as far: outward, or
    inward where it is folded to less than the middle of its reach.
    """
    for index in range(feet.shape[0]):
        foot = feet[index]
        rig = c.legs[index]
        if foot["swinging"] != 0 and foot["excess"] > 0.0:
            store3(foot["sole"], load3(joints[rig["first_joint"] + rig["bones"]]))
            foot["excess"] = 0.0
        elif foot["swinging"] == 0 and rig["solver"] == CHAIN:
            pull = load3(legs[index]["pull"])
            span = length(pull)
            used = rig["reach_max"] - hinge_room(c, rig, memory) * span
            if used > span > 0.0:
                sign = 1.0 if 2.0 * span > rig["reach_min"] + rig["reach_max"] else -1.0
                store3(legs[index]["pull"], scale(pull, sign * used / span))

"""The body over its feet: height, level, lean, sway, springs.

The body rides on the plane through the ground under its feet. A planted foot counts where it stands, a swinging one
goes over from its old stance to its new one along with its swing, so the plane never jumps. On top come the motions
of the gait (bob, sway, roll, twist), lean, weight shift, an impact spring, posture, and what is asked for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Gt, Le

from footfall.compile import inline
from footfall.frames.scalar import (
    about_x,
    about_y,
    about_z,
    add,
    add_scaled,
    clamp,
    cross,
    dot,
    from_axes,
    load3,
    load4,
    multiply,
    nlerp,
    rotate,
    smoothstep,
    store3,
    store4,
    sub,
    unrotate,
)
from footfall.gait import frac, leg_phase, stance_share
from footfall.ik.reach import solved_end
from footfall.path import path_bank, path_forward, path_point
from footfall.spring import damped_spring, follower, ring, smooth, spring_matrix

NotNegative = Annotated[float, Ge(0)]
Positive = Annotated[float, Gt(0)]
Share = Annotated[float, Ge(0), Le(1)]


@dataclass(frozen=True)
class Carriage:
    """How the body is carried over the feet."""

    kneel_height: NotNegative = 0.0
    """Height of the body over the ground when kneeling [m]; 0 cannot kneel."""
    kneel_time: Positive = 2.5
    """Time to kneel down or to stand up [s]."""
    height_time: Positive = 0.25
    """Time constant of the height's approach to the support plane [s]."""
    tilt_time: Positive = 0.3
    """Time constant of the tilt [s]."""
    follow_pitch: Share = 1.0
    """Share of the ground's slope ahead that the body's pitch follows; the rest is levelled."""
    follow_roll: Share = 1.0
    """Share of the ground's slope to the side that the body's roll follows."""
    bob: float = 0.0
    """Amplitude of the height, twice a cycle [m]."""
    sway: float = 0.0
    """Amplitude to the side, once a cycle [m]."""
    roll: float = 0.0
    """Amplitude of the roll, once a cycle [rad]."""
    twist: float = 0.0
    """Amplitude of the turn about up, once a cycle [rad]."""
    bob_phase: float = 0.0
    """Phase of the bob's greatest height after the first leg's lift-off [cycles]."""
    sway_phase: float = 0.0
    """Phase of the greatest sway and roll after the first leg's lift-off [cycles]."""
    amplitude_speed: Positive = 1.0
    """Speed at which bob, sway, roll and twist have their full amplitude [m/s]."""
    amplitude_time: Positive = 0.4
    """Time constant of the amplitudes [s]."""
    lean_speed: float = 0.0
    """Forward lean for speed [rad s/m]."""
    lean_acceleration: float = 0.0
    """Forward lean for acceleration [rad s²/m]."""
    lean_max: NotNegative = 0.3
    """Greatest lean either way [rad]."""
    lean_time: Positive = 0.3
    """Time constant of the lean [s]."""
    weight_shift: NotNegative = 0.0
    """Shift of the body towards the middle of the planted feet, as a share of the way there."""
    weight_shift_time: Positive = 0.2
    """Time constant of the weight shift [s]."""
    impact_stiffness: Positive = 60.0
    """ω² of the impact spring [1/s²]."""
    impact_damping: NotNegative = 0.5
    """Damping ratio of the impact spring."""
    impact_kick: NotNegative = 0.0
    """Downward speed that a landing foot gives the body [m/s]."""
    park_time: Positive = 0.8
    """Time constant of the parked posture [s]."""
    park_height: float = 0.0
    """Height that the parked posture adds [m]."""
    park_pitch: float = 0.0
    """Pitch that the parked posture adds, nose down positive [rad]."""
    adapt_reach: Annotated[float, Gt(0), Le(1)] = 0.985
    """Share of a planted leg's reach at which the body begins to come down for it."""
    adapt_time: Positive = 0.1
    """Time constant of that adaptation [s]."""
    pose_time: Positive = 0.3
    """Time constant of an asked body pose [s]."""
    path_smoothing: Positive = 0.6
    """Way over which the height of a path of several trunks follows the ground [leg lengths]."""


@inline
def support_plane(c, feet, root, heading, up):
    """Height at the root along up [m] and slope ahead and to the left of the plane that the feet stand on.

    The slope starts from the mean normal of the ground under the feet; the feet's heights over that plane, by where
    the feet rest, correct it. On a plane it is exact for any stance; a step of height h under the front feet tilts it
    by h over their distance from the rear feet.
    """
    count = feet.shape[0]
    ahead = 0.0
    left = 0.0
    middle_x = 0.0
    middle_y = 0.0
    for index in range(count):
        n = unrotate(heading, load3(feet[index]["support_normal"]))
        steep = max(n[2], 0.2)
        ahead -= n[0] / steep
        left -= n[1] / steep
        middle_x += c.legs[index]["rest"][0]
        middle_y += c.legs[index]["rest"][1]
    ahead /= count
    left /= count
    middle_x /= count
    middle_y /= count
    height = 0.0
    xx = 0.0
    yy = 0.0
    xe = 0.0
    ye = 0.0
    for index in range(count):
        p = unrotate(heading, sub(load3(feet[index]["support"]), root))
        over = p[2] - ahead * p[0] - left * p[1]
        x = c.legs[index]["rest"][0] - middle_x
        y = c.legs[index]["rest"][1] - middle_y
        height += over
        xx += x * x
        yy += y * y
        xe += x * over
        ye += y * over
    least = 1e-3 * c.machine[0]["leg_length"] * c.machine[0]["leg_length"] * count
    more_ahead = xe / xx if xx > least else 0.0
    more_left = ye / yy if yy > least else 0.0
    height = height / count - more_ahead * middle_x - more_left * middle_y
    return height + dot(root, up), ahead + more_ahead, left + more_left


@inline
def follow_support(c, body, motion, feet, dt):
    """Move the smoothed support height and slope towards the plane under the feet.

    The height runs ahead with the slope (no lag on a uniform slope) and approaches the plane as a critically damped
    spring; it is tied to the ground's absolute height, so it cannot creep.
    """
    settings = c.carriage[0]
    up = load3(motion["up"])
    heading = load4(motion["heading"])
    height, ahead, left = support_plane(c, feet, load3(motion["root_position"]), heading, up)
    turn = motion["yaw_rate"] * dt
    x = body["gradient"][0]
    y = body["gradient"][1]
    # the slope is fixed in the world, the heading turns under it
    x, y = x + turn * y, y - turn * x
    matrix = follower(settings["tilt_time"], dt)
    away, rate = ring(matrix, x - ahead, body["gradient_rate"][0])
    body["gradient"][0] = ahead + away
    body["gradient_rate"][0] = rate
    away, rate = ring(matrix, y - left, body["gradient_rate"][1])
    body["gradient"][1] = left + away
    body["gradient_rate"][1] = rate
    v = motion["velocity"]
    going = body["governor"] * (v[0] * body["gradient"][0] + v[1] * body["gradient"][1])
    away, rate = damped_spring(
        body["support"] + going * dt - height, body["support_rate"], 2.0 / settings["height_time"], 1.0, dt
    )
    body["support"] = height + away
    body["support_rate"] = rate


@inline
def ride_root(body, motion):
    """A hosted root is its own support: its height and its tilt."""
    up = load3(motion["up"])
    n = unrotate(load4(motion["heading"]), rotate(load4(motion["root_rotation"]), (0.0, 0.0, 1.0)))
    steep = max(n[2], 0.2)
    body["gradient"][0] = -n[0] / steep
    body["gradient"][1] = -n[1] / steep
    body["gradient_rate"][0] = 0.0
    body["gradient_rate"][1] = 0.0
    body["support"] = dot(load3(motion["root_position"]), up)
    body["support_rate"] = 0.0


@inline
def kick(c, body, landed):
    """Each landing gives the body a push downward."""
    body["impact_rate"][2] -= c.carriage[0]["impact_kick"] * landed


@inline
def ring_impact(c, body, dt):
    """The impact spring rings on."""
    settings = c.carriage[0]
    matrix = spring_matrix(math.sqrt(settings["impact_stiffness"]), settings["impact_damping"], dt)
    for axis in range(3):
        x, v = ring(matrix, body["impact"][axis], body["impact_rate"][axis])
        body["impact"][axis] = x
        body["impact_rate"][axis] = v


@inline
def shift_weight(c, body, legs, dt):
    """Lean over the feet that carry: towards the middle of where they rest.

    The body follows with a lag of the time constant, so it goes by the legs that will be in the air that much later
    in the gait: it is over the others when a foot lifts.
    """
    settings = c.carriage[0]
    count = legs.shape[0]
    cadence = body["cadence"]
    lifts_at = stance_share(c.gaits[body["gait"]], body["duty"], cadence, count)
    later = body["phase"] + cadence * settings["weight_shift_time"]
    x = 0.0
    y = 0.0
    all_x = 0.0
    all_y = 0.0
    planted = 0
    for index in range(count):
        rest = c.legs[index]["rest"]
        all_x += rest[0] / count
        all_y += rest[1] / count
        if leg_phase(later, legs[index]["phase_offset"]) < lifts_at:
            x += rest[0]
            y += rest[1]
            planted += 1
    share = settings["weight_shift"] * body["amplitude"]
    if planted > 0:
        x = share * (x / planted - all_x)
        y = share * (y / planted - all_y)
    matrix = follower(settings["weight_shift_time"], dt)
    for axis in range(2):
        target = x if axis == 0 else y
        away, rate = ring(matrix, body["weight_shift"][axis] - target, body["weight_shift_rate"][axis])
        body["weight_shift"][axis] = target + away
        body["weight_shift_rate"][axis] = rate


@inline
def asked_pose(command, axis):
    """Height, roll, pitch, yaw and shift that are asked for, by number."""
    if axis == 0:
        return command["height"]
    if axis == 1:
        return command["roll"]
    if axis == 2:
        return command["pitch"]
    if axis == 3:
        return command["yaw"]
    return command["shift"][axis - 4]


@inline
def settle_activity(c, body, motion, command, dt):
    """Amplitude of the gait's motions, parked posture, lean, and the asked pose on its way."""
    settings = c.carriage[0]
    v = motion["velocity"]
    speed = math.sqrt(v[0] * v[0] + v[1] * v[1]) + abs(motion["yaw_rate"]) * c.machine[0]["rest_radius"]
    active = min(speed / settings["amplitude_speed"], 1.0)
    body["amplitude"] = smooth(body["amplitude"], active, settings["amplitude_time"], dt)
    parked = 1.0 if body["cadence"] == 0.0 else 0.0
    body["park"] = smooth(body["park"], parked, settings["park_time"], dt)
    lean = settings["lean_speed"] * v[0] + settings["lean_acceleration"] * motion["acceleration"][0]
    lean = clamp(lean, -settings["lean_max"], settings["lean_max"])
    away, rate = ring(follower(settings["lean_time"], dt), body["lean"] - lean, body["lean_rate"])
    body["lean"] = lean + away
    body["lean_rate"] = rate
    matrix = follower(settings["pose_time"], dt)
    for axis in range(6):
        asked = asked_pose(command, axis)
        away, rate = ring(matrix, body["pose"][axis] - asked, body["pose_rate"][axis])
        body["pose"][axis] = asked + away
        body["pose_rate"][axis] = rate
    body["limp"] = smooth(body["limp"], command["limp"], settings["pose_time"], dt)


@inline
def gait_motion(c, body):
    """Bob, sway, roll and twist at the present phase, counted from the first leg's lift-off (rows A30, A31)."""
    settings = c.carriage[0]
    turn = 2.0 * math.pi
    phase = frac(body["phase"] + body_lead(body))
    amplitude = body["amplitude"]
    bob = settings["bob"] * amplitude * math.cos(2.0 * turn * (phase - settings["bob_phase"]))
    once = amplitude * math.cos(turn * (phase - settings["sway_phase"]))
    return bob, settings["sway"] * once, settings["roll"] * once, settings["twist"] * once


@inline
def body_lead(body):
    """Phase from the first leg's lift-off to its touchdown [cycles]."""
    return 1.0 - body["duty"]


@inline
def euler(twist, lean, roll):
    """Rotation by twist about z, then lean about y (nose down), then roll about x (right side down)."""
    return multiply(about_z(twist), multiply(about_y(lean), about_x(roll)))


@inline
def half_angle(slope):
    """Cosine and sine of half the angle whose tangent is the slope."""
    if slope == 0.0:
        return 1.0, 0.0
    whole = 1.0 / math.sqrt(1.0 + slope * slope)
    half = math.sqrt(0.5 * (1.0 + whole))
    return half, 0.5 * slope * whole / half


@inline
def slope_rotation(ahead, left, follow_pitch, follow_roll):
    """Rotation of the heading frame that follows the given shares of a slope."""
    cp, sp = half_angle(follow_pitch * ahead)
    cr, sr = half_angle(follow_roll * left)
    return multiply((cp, 0.0, -sp, 0.0), (cr, sr, 0.0, 0.0))


@inline
def body_pose(c, body, motion, fast):
    """Pose of the body in the heading frame over the root: offset [m] and rotation (row A36).

    rotation = posture(park) · level(slope) · Euler(twist, lean, roll); ``fast`` is the share of the fast motions (bob,
    sway, roll, twist, impact) that is in it.
    """
    settings = c.carriage[0]
    bob, sway, roll, twist = gait_motion(c, body)
    pose = body["pose"]
    kneel = smoothstep(body["kneel"])
    stand = c.machine[0]["stand_height"]
    low = settings["kneel_height"] if settings["kneel_height"] > 0.0 else stand
    height = stand + kneel * (low - stand) + body["park"] * settings["park_height"] + pose[0]
    height += fast * (bob + body["impact"][2]) - body["adapt"] - body["limp"]
    x = body["weight_shift"][0] + pose[4] + fast * body["impact"][0]
    y = body["weight_shift"][1] + pose[5] + fast * (sway + body["impact"][1])
    posture = multiply(euler(pose[3], pose[2] + body["park"] * settings["park_pitch"], pose[1]), (1.0, 0.0, 0.0, 0.0))
    level = slope_rotation(body["gradient"][0], body["gradient"][1], settings["follow_pitch"], settings["follow_roll"])
    return (x, y, height), multiply(posture, multiply(level, euler(fast * twist, body["lean"], fast * roll)))


@inline
def needed_drop(c, body, motion, feet, position, rotation, soft_share):
    """How far the body has to come down for the planted leg that needs it most [m]; negative: how far it may rise.

    The leg's solved end stays; by Pythagoras the hip may be this high over it at the allowed distance. The first figure
    is for the given share of the reach, the second for nearly all of it.
    """
    up = load3(motion["up"])
    heading = load4(motion["heading"])
    soft = -math.inf
    hard = -math.inf
    for index in range(feet.shape[0]):
        foot = feet[index]
        rig = c.legs[index]
        # a foot that is about to land counts more and more: the body is down when it does
        weight = 1.0 if foot["swinging"] == 0 else smoothstep(foot["progress"] / 0.85)
        if weight <= 0.0 or rig["fixed_loop"] != 0:
            continue
        hip = add(position, rotate(rotation, load3(rig["hip"])))
        end = solved_end(rig, c.segments, heading, load3(foot["sole"]), load3(foot["normal"]), body["kneel"], 0.0)
        way = sub(hip, end)
        high = dot(way, up)
        across = dot(way, way) - high * high
        far = soft_share * rig["reach_max"]
        soft = max(soft, weight * (high - math.sqrt(max(far * far - across, 0.0))))
        if foot["swinging"] == 0:
            far = 0.9995 * rig["reach_max"]
            hard = max(hard, high - math.sqrt(max(far * far - across, 0.0)))
    return soft, hard


@inline
def carry_body_agent(c, body, legs, trunks, feet, motion, command, landed, dt):
    """Carry the body of one agent with one trunk (and trunks stabilised over it) over its feet."""
    settings = c.carriage[0]
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
    # come down for a leg near the end of its reach: softly before it, exactly at it
    before = body["adapt"]
    soft, hard = needed_drop(c, body, motion, feet, position, rotation, settings["adapt_reach"])
    after = max(smooth(before, max(before + soft, 0.0), settings["adapt_time"], dt), before + hard, 0.0)
    body["adapt"] = after
    position = add_scaled(position, up, before - after)
    store3(trunks[0]["position"], position)
    store4(trunks[0]["rotation"], rotation)
    if trunks.shape[0] > 1:
        calm_offset, calm = body_pose(c, body, motion, 0.0)
        calm_rotation = multiply(heading, calm)
        calm_position = add(root, rotate(heading, calm_offset))
        for trunk in range(1, trunks.shape[0]):
            share = c.stabilise[trunk]
            store3(trunks[trunk]["position"], add_scaled(position, sub(calm_position, position), share))
            store4(trunks[trunk]["rotation"], nlerp(rotation, calm_rotation, share))


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

"""The loop that measures one frame: bodies, support, feet and bones of all agents, into a tally."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-incomplete-defs=False

from __future__ import annotations

import math

from footfall.compile import inline, kernel
from footfall.frames.scalar import (
    add,
    conjugate,
    cross,
    dot,
    length,
    load3,
    load4,
    multiply,
    reject,
    rotate,
    scale,
    store3,
    store4,
    sub,
    unit_or,
    unrotate,
)
from footfall.metrics.support import hull_margin
from footfall.metrics.tally import CountOf, PeakOf, SpreadOf, bin_of, note_peak
from footfall.rig import Solver

SLIP, PENETRATION, HOVER, REACH = int(PeakOf.slip), int(PeakOf.penetration), int(PeakOf.hover), int(PeakOf.reach)
IK, TRACK, BONE_TURN, OVERHANG = int(PeakOf.ik), int(PeakOf.track), int(PeakOf.bone_turn), int(PeakOf.overhang)
AIRBORNE, KNEE_STEP, KNEE_RATE = int(PeakOf.airborne), int(PeakOf.knee_step), int(PeakOf.knee_rate)
SOLE_SPEED, SOLE_ACCELERATION = int(PeakOf.sole_speed), int(PeakOf.sole_acceleration)
BODY_ACCELERATION, BODY_JERK = int(PeakOf.body_acceleration), int(PeakOf.body_jerk)
BODY_SPIN, LIFT = int(PeakOf.body_spin), int(PeakOf.lift)
REACH_COUNT, FLIPS, LIMITS, NOT_FINITE = map(int, (CountOf.reach, CountOf.flips, CountOf.limits, CountOf.not_finite))
PLANTED, LEGS, SWING_LOW = int(CountOf.planted), int(CountOf.legs), int(CountOf.swing_low)
SWING_OVER_GROUND, LATCHED, NO_GROUND = map(int, (CountOf.swing_over_ground, CountOf.latched, CountOf.no_ground))
UNSUPPORTED = int(CountOf.unsupported)
SLIPS, SOLE_ACCELERATIONS = int(SpreadOf.slip), int(SpreadOf.sole_acceleration)
BODY_ACCELERATIONS = int(SpreadOf.body_acceleration)
TWO_BONE, PANTOGRAPH = int(Solver.two_bone), int(Solver.pantograph)
THREE_SEGMENT, CHAIN = int(Solver.three_segment), int(Solver.chain)

REACH_TOLERANCE = 1e-9  # excess that is rounding [m]
CHAIN_TOLERANCE = 1e-8  # excess at which an iterated chain has arrived, in chain lengths
LIMIT_TOLERANCE = 1e-6  # [rad]
BEND_DEFINED = 0.02  # offset of the knee from the line hip to end, in chain lengths, from which its side is defined
LOW_SWING = 1e-3  # a swinging sole this near to the ground touches it [m]
LOW_SWING_LEGS = 2e-3  # or this near, in leg lengths, where that is less
TURN = 2.0 * math.pi


@inline
def row(array, index):
    """Row of an array [n, 3] as a tuple."""
    return (array[index, 0], array[index, 1], array[index, 2])


@inline
def square(v):
    """Square of a vector's length."""
    return dot(v, v)


@inline
def rotation_vector(before, after):
    """Rotation from one orientation to another, world."""
    q = multiply(after, conjugate(before))
    v = (q[1], q[2], q[3])
    n = length(v)
    if n < 1e-300:
        return (0.0, 0.0, 0.0)
    angle = 2.0 * math.atan2(n, abs(q[0]))
    return scale(v, math.copysign(angle / n, q[0]))


@inline
def turn_between(a, b):
    """sin²(angle / 2) of the rotation between two orientations, exact for small angles."""
    d = dot((a[1], a[2], a[3]), (b[1], b[2], b[3])) + a[0] * b[0]
    sign = 1.0 if d >= 0.0 else -1.0
    s = 0.0
    for i in range(4):
        e = a[i] - sign * b[i]
        s += e * e
    s *= 0.25  # sin²(angle / 4)
    return min(4.0 * s * (1.0 - s), 1.0)


@inline
def bone_turn_between(x, y, x_before, y_before):
    """sin²(angle / 2) of a bone's rotation: the squared distances of three orthonormal axes sum to eight times it."""
    z, z_before = cross(x, y), cross(x_before, y_before)
    return (square(sub(x, x_before)) + square(sub(y, y_before)) + square(sub(z, z_before))) / 8.0


@kernel
def measure_body(trunks, main, motion, memory, rotations, peaks, counts, spreads, agent, time, dt, frames):
    """Way, acceleration, jerk and rotation of one agent's trunks.

    ``dt`` is 0 where no time has passed; ``frames`` counts frames since the last break: 0 none before this one.
    """
    for index in range(trunks.shape[0]):
        rotation = load4(trunks[index]["rotation"])
        if frames > 0:
            note_peak(peaks, BONE_TURN, turn_between(load4(rotations[index]), rotation), time, agent, -1)
        if not math.isfinite(sum(rotation) + sum(load3(trunks[index]["position"]))):
            counts[NOT_FINITE] += 1
    position = load3(trunks[main]["position"])
    up = load3(motion["up"])
    forward = rotate(load4(motion["heading"]), (1.0, 0.0, 0.0))
    if frames > 0:
        step = sub(position, load3(memory["position"]))
        middle = reject(add(forward, load3(memory["forward"])), up)
        memory["way"] += dot(step, unit_or(middle, forward))
        if dt > 0.0:
            velocity = scale(step, 1.0 / dt)
            spin = scale(rotation_vector(load4(rotations[main]), load4(trunks[main]["rotation"])), 1.0 / dt)
            acceleration = scale(sub(velocity, load3(memory["velocity"])), 1.0 / dt)
            if frames > 1:
                note_peak(peaks, BODY_ACCELERATION, square(acceleration), time, agent, -1)
                spread = math.sqrt(square(acceleration))
                if math.isfinite(spread):
                    spreads[BODY_ACCELERATIONS, bin_of(spread)] += 1
                note_peak(peaks, BODY_SPIN, square(sub(spin, load3(memory["spin"]))) / (dt * dt), time, agent, -1)
            if frames > 2:
                jerk = square(sub(acceleration, load3(memory["acceleration"]))) / (dt * dt)
                note_peak(peaks, BODY_JERK, jerk, time, agent, -1)
            store3(memory["velocity"], velocity)
            store3(memory["acceleration"], acceleration)
            store3(memory["spin"], spin)
    store3(memory["position"], position)
    store3(memory["forward"], forward)
    for index in range(trunks.shape[0]):
        store4(rotations[index], load4(trunks[index]["rotation"]))


@kernel
def measure_support(legs, feet, joints, body, motion, peaks, agent, time, x, y, hull):
    """Feet in the air, and how far the body's ground point is inside the hull of the bearing soles."""
    up = load3(motion["up"])
    forward = rotate(load4(motion["heading"]), (1.0, 0.0, 0.0))
    left = cross(up, forward)
    bearing = 0
    for index in range(legs.shape[0]):
        if feet[index]["swinging"] != 0:
            continue
        away = sub(row(joints, legs[index]["first_joint"] + legs[index]["bones"]), body)
        x[bearing], y[bearing] = dot(away, forward), dot(away, left)
        bearing += 1
    note_peak(peaks, AIRBORNE, float(legs.shape[0] - bearing), time, agent, -1)
    if bearing > 0:
        note_peak(peaks, OVERHANG, -hull_margin(x, y, bearing, hull), time, agent, -1)


@inline
def end_stance(leg, spreads):
    """A stance is over: its drift counts."""
    if leg["standing"] != 0:
        spreads[SLIPS, bin_of(math.sqrt(leg["drift"]))] += 1
    leg["standing"] = 0


@kernel
def measure_sole(
    memory, past, sole, held, swinging, ground, low, peaks, counts, spreads, agent, index, time, dt, frames
):
    """Slip, penetration, hover and motion of one sole; ``held`` is the sole in the frame of what it stands on."""
    moving = swinging or memory["standing"] == 0  # the frame of a touchdown shows how hard it is
    if swinging:
        end_stance(memory, spreads)
    else:
        counts[PLANTED] += 1
        if memory["standing"] == 0 or memory["lift_off"] != past["lift_off"]:
            end_stance(memory, spreads)
            memory["standing"] = 1
            memory["lift_off"] = past["lift_off"]
            memory["drift"] = 0.0
            store3(memory["start"], held)
        memory["drift"] = max(memory["drift"], square(sub(held, load3(memory["start"]))))
        note_peak(peaks, SLIP, memory["drift"], time, agent, index)
    if math.isfinite(ground):
        gap = sole[2] - ground
        note_peak(peaks, PENETRATION, -gap, time, agent, index)
        if swinging:
            counts[SWING_OVER_GROUND] += 1
            if gap < low:
                counts[SWING_LOW] += 1
            note_peak(peaks, LIFT, gap, time, agent, index)
        else:
            note_peak(peaks, HOVER, gap, time, agent, index)
    else:
        counts[NO_GROUND] += 1
    if frames > 0 and dt > 0.0:
        velocity = scale(sub(sole, load3(memory["sole"])), 1.0 / dt)
        note_peak(peaks, SOLE_SPEED, square(velocity), time, agent, index)
        if frames > 1 and moving:
            acceleration = square(sub(velocity, load3(memory["velocity"]))) / (dt * dt)
            note_peak(peaks, SOLE_ACCELERATION, acceleration, time, agent, index)
            spreads[SOLE_ACCELERATIONS, bin_of(math.sqrt(acceleration))] += 1
        store3(memory["velocity"], velocity)
    store3(memory["sole"], sole)


@inline
def outside(angle, lower, upper):
    """Whether an angle is outside its limits, by whole turns as well."""
    low, high = lower - LIMIT_TOLERANCE, upper + LIMIT_TOLERANCE
    for turns in range(-1, 2):
        if low <= angle + turns * TURN <= high:
            return False
    return True


@kernel
def chain_limit_hits(leg, segments, bones, hinges, trunk_rotation):
    """1 where a hinge of a chain is outside its limits, or a bone has turned about something else than its hinge.

    With R the rotation of a bone from where it is at zero angles, R_before⁻¹ R turns about the hinge's axis a by the
    angle: a component across a is no motion that the joint has.
    """
    # the frame of the bone before, at zero angles and as it is: the trunk's own axes at the hip
    first = leg["first_segment"]
    x0, y0 = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    x1, y1 = x0, y0
    for index in range(leg["segments"]):
        segment = segments[first + index]
        bone = leg["first_bone"] + index
        u0, v0 = load3(segment["direction"]), load3(segment["across"])
        u1, v1 = unrotate(trunk_rotation, row(bones, bone)), unrotate(trunk_rotation, row(hinges, bone))
        z0, z1, w0, w1 = cross(x0, y0), cross(x1, y1), cross(u0, v0), cross(u1, v1)
        # columns of R_before⁻¹ R: images of the axes, each as coordinates at zero angles of the bone before
        columns = (
            take_back(unframe(u0, v0, w0, u1, v1, w1, (1.0, 0.0, 0.0)), x0, y0, z0, x1, y1, z1),
            take_back(unframe(u0, v0, w0, u1, v1, w1, (0.0, 1.0, 0.0)), x0, y0, z0, x1, y1, z1),
            take_back(unframe(u0, v0, w0, u1, v1, w1, (0.0, 0.0, 1.0)), x0, y0, z0, x1, y1, z1),
        )
        # vector of the antisymmetric part: axis · sin(angle)
        a, b, c = columns
        vector = (0.5 * (b[2] - c[1]), 0.5 * (c[0] - a[2]), 0.5 * (a[1] - b[0]))
        cosine = 0.5 * (a[0] + b[1] + c[2] - 1.0)
        axis = load3(segment["axis"])
        sine = dot(axis, vector)
        image = add(add(scale(a, axis[0]), scale(b, axis[1])), scale(c, axis[2]))  # a hinge leaves its axis alone
        if square(sub(image, axis)) > LIMIT_TOLERANCE * LIMIT_TOLERANCE:
            return 1
        if outside(math.atan2(sine, cosine), segment["lower"], segment["upper"]):
            return 1
        x0, y0, x1, y1 = u0, v0, u1, v1
    return 0


@inline
def unframe(u0, v0, w0, u1, v1, w1, e):
    """R e for the rotation R that takes the axes u0, v0, w0 to u1, v1, w1."""
    return add(add(scale(u1, dot(u0, e)), scale(v1, dot(v0, e))), scale(w1, dot(w0, e)))


@inline
def take_back(e, x0, y0, z0, x1, y1, z1):
    """R⁻¹ e for the rotation R that takes the axes x0, y0, z0 to x1, y1, z1."""
    return unframe(x1, y1, z1, x0, y0, z0, e)


@kernel
def measure_knee(leg, memory, joints, trunk_rotation, peaks, counts, agent, index, time, dt, frames):
    """Interior angle of the knee and the side it bends to; returns 1 where the angle is outside its limits."""
    if leg["segments"] < 2:
        return 0
    first = leg["first_joint"]
    solver = leg["solver"]
    hip, knee = row(joints, first), row(joints, first + 1)
    thigh, shin = sub(hip, knee), sub(row(joints, first + 2), knee)
    angle = math.atan2(length(cross(thigh, shin)), dot(thigh, shin))
    if frames > 0:
        change = abs(angle - memory["knee"])
        note_peak(peaks, KNEE_STEP, change, time, agent, index)
        if dt > 0.0:
            note_peak(peaks, KNEE_RATE, change / dt, time, agent, index)
    memory["knee"] = angle
    end = 2 if solver == THREE_SEGMENT else leg["segments"]  # what the knee's side is seen against: hock or ankle
    line = unit_or(sub(row(joints, first + end), hip), (0.0, 0.0, -1.0))
    offset = reject(sub(knee, hip), line)
    size = length(offset)
    if size > BEND_DEFINED * leg["chain_length"]:
        bend = unrotate(trunk_rotation, scale(offset, 1.0 / size))
        if memory["bent"] != 0 and dot(bend, load3(memory["bend"])) < 0.0:
            counts[FLIPS] += 1
        memory["bent"] = 1
        store3(memory["bend"], bend)
    elif solver == CHAIN:  # within its limits a chain of hinges may pass through straight
        memory["bent"] = 0
    if solver == TWO_BONE or solver == PANTOGRAPH or solver == THREE_SEGMENT:
        if angle < leg["knee_min"] - LIMIT_TOLERANCE or angle > leg["knee_max"] + LIMIT_TOLERANCE:
            return 1
    return 0


@kernel
def measure_bones(leg, joints, hinges, bones_before, hinges_before, peaks, agent, index, time, frames):
    """Largest rotation of a leg's bones since the frame before."""
    joint, first = leg["first_joint"], leg["first_bone"]
    largest = 0.0
    for bone in range(leg["bones"]):
        y = row(hinges, first + bone)
        x = sub(row(joints, joint + bone + 1), row(joints, joint + bone))
        size = length(x)
        x = scale(x, 1.0 / size) if size > 0.0 else row(bones_before, first + bone)
        if frames > 0:
            turn = bone_turn_between(x, y, row(bones_before, first + bone), row(hinges_before, first + bone))
            largest = max(largest, turn)
        store3(bones_before[first + bone], x)
        store3(hinges_before[first + bone], y)
    if frames > 0:
        note_peak(peaks, BONE_TURN, largest, time, agent, index)


@kernel
def measure_goals(leg, joints, goal, planned, peaks, counts, agent, index, time):
    """Excess of reach, and errors of IK and of tracking; returns the square of the latter."""
    sole = row(joints, leg["first_joint"] + leg["bones"])
    asked = load3(goal["sole"])
    tolerance = REACH_TOLERANCE
    if leg["solver"] == CHAIN:
        tolerance = max(tolerance, CHAIN_TOLERANCE * leg["chain_length"])
    beyond = length(sub(asked, row(joints, leg["first_joint"]))) - leg["chain_length"]
    excess = goal["excess"]
    if not excess >= beyond:
        excess = beyond
    if not excess <= tolerance:
        counts[REACH_COUNT] += 1
        note_peak(peaks, REACH, excess, time, agent, index)
    note_peak(peaks, IK, square(sub(sole, asked)), time, agent, index)
    track = square(sub(asked, load3(planned["sole"])))
    note_peak(peaks, TRACK, track, time, agent, index)
    return track


@kernel
def measure_frame(
    legs, segments, main, leg_length, body, past, motion, planned, trunks, feet, joints, hinges, held, ground, tally,
    time, dt, frames, x, y, hull,
):  # fmt: skip
    """Measure one frame of all agents.

    Args:
        legs: ``LEG_RIG [legs]``.
        segments: ``SEGMENT_RIG [segments]``.
        main: index of the trunk that is the body.
        leg_length: [m].
        body: ``BODY [agents]``.
        past: ``LEG [agents, legs]``.
        motion: ``MOTION [agents]``.
        planned: ``FOOT [agents, legs]``.
        trunks: ``POSE [agents, trunks]``.
        feet: ``FOOT [agents, legs]``.
        joints: ``[agents, joints, 3]`` world [m].
        hinges: ``[agents, bones, 3]`` world.
        held: ``[agents, legs, 3]`` soles in the frames of what they stand on [m].
        ground: ``[agents, legs]`` height under each sole, NaN over a hole [m].
        tally: written.
        time: [s]
        dt: time since the frame before [s].
        frames: frames measured before this one since the last break.
        x: ``[legs]`` room to work in.
        y: ``[legs]`` the same.
        hull: ``[2 legs + 2]`` the same.
    """
    peaks, counts, spreads = tally.peaks, tally.counts, tally.spreads
    low = min(LOW_SWING, LOW_SWING_LEGS * leg_length)
    for agent in range(body.shape[0]):
        memory = tally.agents[agent]
        measure_body(
            trunks[agent], main, motion[agent], memory, tally.rotations[agent], peaks, counts, spreads, agent, time,
            dt, frames,
        )  # fmt: skip
        centre = load3(trunks[agent, main]["position"])
        measure_support(legs, feet[agent], joints[agent], centre, motion[agent], peaks, agent, time, x, y, hull)
        if body[agent]["latched"] != 0:
            counts[LATCHED] += 1
        if body[agent]["unsupported"] != 0:
            counts[UNSUPPORTED] += 1
        track = 0.0
        for index in range(legs.shape[0]):
            leg = legs[index]
            counts[LEGS] += 1
            total = 0.0
            for joint in range(leg["first_joint"], leg["first_joint"] + leg["bones"] + 1):
                total += sum(row(joints[agent], joint))
            for bone in range(leg["first_bone"], leg["first_bone"] + leg["bones"]):
                total += sum(row(hinges[agent], bone))
            if not math.isfinite(total):
                counts[NOT_FINITE] += 1
                continue
            sole = row(joints[agent], leg["first_joint"] + leg["bones"])
            measure_sole(
                tally.legs[agent, index], past[agent, index], sole, row(held[agent], index),
                feet[agent, index]["swinging"] != 0, ground[agent, index], low, peaks, counts, spreads, agent, index,
                time, dt, frames,
            )  # fmt: skip
            rotation = load4(trunks[agent, leg["trunk"]]["rotation"])
            hit = measure_knee(
                leg, tally.legs[agent, index], joints[agent], rotation, peaks, counts, agent, index, time, dt, frames
            )
            measure_bones(
                leg, joints[agent], hinges[agent], tally.bones[agent], tally.hinges[agent], peaks, agent, index, time,
                frames,
            )  # fmt: skip
            if leg["solver"] == CHAIN:
                hit = chain_limit_hits(leg, segments, tally.bones[agent], tally.hinges[agent], rotation)
            counts[LIMITS] += hit
            track += measure_goals(
                leg, joints[agent], feet[agent, index], planned[agent, index], peaks, counts, agent, index, time
            )
        memory["track"] += track

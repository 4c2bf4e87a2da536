"""A chain of hinges with limits: damped least squares (Wampler 1986), warm-started, with an active set of limits.

The pose is that of coordinates in the trunk's frame: with all angles zero bone i points along ``direction``, and the
hinge at its root turns it, and all bones after it, about ``axis``. Rotations compose from the hip outwards:
q_i = q_(i−1) · rotation(axis_i, angle_i).
"""

from __future__ import annotations

import math

from footfall.compile import inline, kernel
from footfall.frames.scalar import (
    IDENTITY,
    ZERO,
    add,
    add_scaled,
    cross,
    dot,
    length,
    load3,
    multiply,
    rotate,
    sub,
    unrotate,
)
from footfall.ik.rows import put3, row3

TURN = 2.0 * math.pi
FARTHEST = 1e200  #: a goal whose squared distance is beyond this, or no number, is no goal
ITERATIONS = 40  #: steps of one attempt
CONVERGED = 1e-12  #: distance of the end from the goal, in chain lengths
REACHED = 1e-8  #: the same, beyond which other starts are tried
STALLED = 1e-11  #: a change of an angle [rad], or of the distance in chain lengths, that is no progress
DAMPING = 0.03  #: λ² = damping · error · length: fades with the error, so that convergence stays quadratic
FLOOR = 1e-13  #: least λ², in squares of length
STARTS = 10  #: starts that are tried where the warm one ends in a dead end
STRIDE = 0.8  #: largest change of an angle in one step [rad]
PULL = 0.02  #: share of the way to rest that a redundant chain's start is moved


@inline
def chain_length(segments, first, count):
    """Stretched length [m]."""
    total = 0.0
    for index in range(first, first + count):
        total += segments[index]["length"]
    return total


@inline
def hinge_rotation(segment, angle):
    """Rotation of one hinge."""
    axis = load3(segment["axis"])
    s = math.sin(0.5 * angle)
    return (math.cos(0.5 * angle), axis[0] * s, axis[1] * s, axis[2] * s)


@kernel
def pose_chain(segments, first, count, angles, place, joints, joint, axes, bone):
    """Forward kinematics relative to the hip, trunk frame: joints, axes of the hinges; returns the end."""
    q = IDENTITY
    end = ZERO
    put3(joints, joint, end)
    for index in range(count):
        segment = segments[first + index]
        put3(axes, bone + index, rotate(q, load3(segment["axis"])))
        q = multiply(q, hinge_rotation(segment, angles[place + index]))
        end = add_scaled(end, rotate(q, load3(segment["direction"])), segment["length"])
        put3(joints, joint + index + 1, end)
    return end


@inline
def solve_symmetric(xx, xy, xz, yy, yz, zz, b):
    """Solve a symmetric positive definite 3 × 3 system (L D Lᵀ)."""
    a = xy / xx
    c = xz / xx
    d = yy - a * xy
    e = (yz - a * xz) / d
    f = zz - c * xz - e * e * d
    u = b[1] - a * b[0]
    v = (b[2] - c * b[0] - e * u) / f
    u = u / d - e * v
    return (b[0] / xx - a * u - c * v, u, v)


@inline
def fold_angle(angle, lower, upper):
    """The nearest equivalent angle inside the limits, for a range of at least a turn; else the nearest angle."""
    if angle > upper:
        if upper - lower >= TURN:
            return max(angle - TURN * math.ceil((angle - upper) / TURN), lower)
        return upper
    if angle < lower:
        if upper - lower >= TURN:
            return min(angle + TURN * math.ceil((lower - angle) / TURN), upper)
        return lower
    return angle


@kernel
def descend_chain(segments, first, count, angles, place, joints, joint, axes, bone, goal):
    """Step the angles until the end meets the goal or no step helps; returns the distance that is left.

    One step solves min |J Δ − e|² + λ² |Δ|². Where an angle would pass a limit it stops there, its share of the motion
    is taken off the error, and the free angles solve for the rest.
    """
    size = chain_length(segments, first, count)
    end = pose_chain(segments, first, count, angles, place, joints, joint, axes, bone)
    e = sub(goal, end)
    error = math.sqrt(dot(e, e))
    damping = DAMPING
    for _ in range(ITERATIONS):
        if error <= CONVERGED * size:
            break
        held = 0
        for index in range(count):  # columns of the Jacobian take the axes' place
            arm = sub(end, row3(joints, joint + index))
            c = cross(row3(axes, bone + index), arm)
            put3(axes, bone + index, c)
            slope = dot(c, e)  # an angle at its limit that this pushes outwards stays there (Bertsekas 1982)
            segment = segments[first + index]
            angle = angles[place + index]
            if (slope < 0.0 and angle <= segment["lower"]) or (slope > 0.0 and angle >= segment["upper"]):
                if segment["upper"] - segment["lower"] < TURN:
                    held |= 1 << index
                    joints[joint + index, 0] = 0.0  # the step; joints are computed anew below
        rest = e
        square = damping * error * size + FLOOR * size * size
        for _ in range(count):
            xx, xy, xz, yy, yz, zz = square, 0.0, 0.0, square, 0.0, square
            for index in range(count):
                if not held >> index & 1:
                    c = row3(axes, bone + index)
                    xx += c[0] * c[0]
                    xy += c[0] * c[1]
                    xz += c[0] * c[2]
                    yy += c[1] * c[1]
                    yz += c[1] * c[2]
                    zz += c[2] * c[2]
            pull = solve_symmetric(xx, xy, xz, yy, yz, zz, rest)
            stopped = held
            largest = 0.0
            for index in range(count):
                if not held >> index & 1:
                    segment = segments[first + index]
                    c = row3(axes, bone + index)
                    step = dot(c, pull)
                    low = segment["lower"] - angles[place + index]
                    high = segment["upper"] - angles[place + index]
                    if (step < low or step > high) and segment["upper"] - segment["lower"] < TURN:
                        step = low if step < low else high
                        stopped |= 1 << index
                        rest = add_scaled(rest, c, -step)
                    joints[joint + index, 0] = step
                    largest = max(largest, abs(step))
                else:
                    largest = max(largest, abs(joints[joint + index, 0]))
            if stopped == held:
                break
            held = stopped
        if largest <= STALLED:
            end = pose_chain(segments, first, count, angles, place, joints, joint, axes, bone)
            break
        share = min(1.0, STRIDE / largest)
        for index in range(count):
            segment = segments[first + index]
            angle = angles[place + index] + share * joints[joint + index, 0]
            angles[place + index] = fold_angle(angle, segment["lower"], segment["upper"])
        end = pose_chain(segments, first, count, angles, place, joints, joint, axes, bone)
        e = sub(goal, end)
        before = error
        error = math.sqrt(dot(e, e))
        if error > before:  # overshot: the error is not linear in the angles here
            damping *= 4.0
        elif before - error < STALLED * size and error > REACHED * size:
            break
    return error


@inline
def start_angle(segment, index, attempt):
    """Start of one hinge: at rest, in the middle, then a quarter or three quarters up its range, by bits of attempt."""
    lower = segment["lower"]
    upper = segment["upper"]
    rest = fold_angle(segment["rest"], lower, upper)
    if attempt == 0:
        return rest
    if upper - lower >= TURN:
        lower = rest - 0.5 * math.pi
        upper = rest + 0.5 * math.pi
    share = 0.5
    if attempt > 1:
        share = 0.75 if attempt >> index % 3 & 1 else 0.25
    return fold_angle(lower + share * (upper - lower), segment["lower"], segment["upper"])


@kernel
def restart_chain(segments, first, count, angles, place, joints, joint, axes, bone, goal):
    """Try other starts; keep the first that reaches the goal, else the angles that were given.

    The given angles wait in the second half of the leg's memory.
    """
    kept = place + count
    for index in range(count):
        angles[kept + index] = angles[place + index]
    for attempt in range(STARTS):
        for index in range(count):
            angles[place + index] = start_angle(segments[first + index], index, attempt)
        error = descend_chain(segments, first, count, angles, place, joints, joint, axes, bone, goal)
        if error <= REACHED * chain_length(segments, first, count):
            return error
    for index in range(count):
        angles[place + index] = angles[kept + index]
    end = pose_chain(segments, first, count, angles, place, joints, joint, axes, bone)
    return length(sub(goal, end))


@kernel
def solve_chain(leg, segments, memory, joints, axes, hip, trunk_rotation, reach):
    """Bring the end to ``hip + reach``; write joints and, in ``axes``, a unit vector across each bone, world.

    That vector fixes the bone's twist: its hinge, where that is across the bone. The angles in ``memory`` are start and
    result; a ``reach`` that is no number leaves them alone. Returns the distance that is left.
    """
    count = leg["segments"]
    first = leg["first_segment"]
    joint = leg["first_joint"]
    bone = leg["first_bone"]
    place = leg["memory"]
    goal = unrotate(trunk_rotation, reach)
    error = dot(goal, goal)
    if error < FARTHEST:
        if count > 3:  # more freedom than a point needs: it must not drift
            for index in range(count):
                segment = segments[first + index]
                away = segment["rest"] - memory[place + index]
                if segment["upper"] - segment["lower"] >= TURN:
                    away = math.sin(away)  # to the nearest turn's rest
                memory[place + index] += PULL * away
        size = chain_length(segments, first, count)
        error = descend_chain(segments, first, count, memory, place, joints, joint, axes, bone, goal)
        if error > REACHED * size and length(goal) < size:
            error = restart_chain(segments, first, count, memory, place, joints, joint, axes, bone, goal)
    else:
        pose_chain(segments, first, count, memory, place, joints, joint, axes, bone)
    q = trunk_rotation
    for index in range(count):
        segment = segments[first + index]
        q = multiply(q, hinge_rotation(segment, memory[place + index]))
        put3(axes, bone + index, rotate(q, load3(segment["across"])))
    for index in range(joint, joint + count + 1):
        put3(joints, index, add(hip, rotate(trunk_rotation, row3(joints, index))))
    return error


@inline
def seed_chain(segments, first, count, angles, place):
    """Write the angles of rest."""
    for index in range(count):
        angles[place + index] = start_angle(segments[first + index], index, 0)
        angles[place + count + index] = angles[place + index]

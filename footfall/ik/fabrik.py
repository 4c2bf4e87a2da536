"""FABRIK (Aristidou and Lasenby 2011) in the plane of the bend, with an exact last pass.

All joints of a leg lie in one plane, so the solver works in its coordinates: x along the line from hip to end, y to
the side that the leg bends to. The inner joints of the last solution are its start, pulled a little to the shape of
rest so that the chain's freedom cannot drift.
"""

from __future__ import annotations

import math

from footfall.compile import inline, kernel
from footfall.frames.scalar import ZERO, add_scaled, distance, dot, length, sub, unit_or
from footfall.ik.rows import put3, row3
from footfall.ik.two_bone import knee_place

PULL = 0.1  #: share of the way to the rest shape that the start of a solution is moved
MIRRORS = 16  #: further passes while a joint lies on the wrong side
STAGES = 32  #: stages on the way from rest to a span
FLAT = 1e-9  #: a joint this far on the wrong side, as a share of span and first bone, lies on the line


@inline
def chain_span(segments, first, count):
    """Least and greatest distance that a chain of ``count`` bones can span."""
    total = 0.0
    longest = 0.0
    for index in range(first, first + count):
        total += segments[index]["length"]
        longest = max(longest, segments[index]["length"])
    return max(2.0 * longest - total, 0.0), total


@inline
def seed_fabrik(segments, first, count, memory, place):
    """Write the rest shape's inner joints."""
    x = 0.0
    y = 0.0
    for index in range(count - 1):
        segment = segments[first + index]
        x += segment["length"] * segment["direction"][0]
        y += segment["length"] * segment["direction"][1]
        memory[place + 2 * index] = x
        memory[place + 2 * index + 1] = y


@inline
def pass_fabrik(segments, first, count, memory, place, span):
    """One backward and one exact forward pass; returns the lowest y of an inner joint."""
    x = span
    y = 0.0
    for index in range(count - 2, -1, -1):  # backward
        at = place + 2 * index
        dx = memory[at] - x
        dy = memory[at + 1] - y
        norm = math.sqrt(dx * dx + dy * dy)
        reach = segments[first + index + 1]["length"]
        if norm > 1e-300:
            x += dx * (reach / norm)
            y += dy * (reach / norm)
        else:
            x -= reach
        memory[at] = x
        memory[at + 1] = y
    x = 0.0
    y = 0.0
    lowest = 0.0
    for index in range(count - 1):  # forward
        at = place + 2 * index
        bone = segments[first + index]["length"]
        ex = span - x
        ey = -y
        left = math.sqrt(ex * ex + ey * ey)
        if left > 1e-300:
            ex /= left
            ey /= left
        else:
            ex = 1.0
            ey = 0.0
        if index == count - 2:
            rest = segments[first + index + 1]["length"]
        else:
            dx = memory[at] - x
            dy = memory[at + 1] - y
            norm = math.sqrt(dx * dx + dy * dy)
            ratio = bone / norm if norm > 1e-300 else 0.0
            dx = x + dx * ratio - span
            dy = y + dy * ratio
            low, high = chain_span(segments, first + index + 1, count - 1 - index)
            rest = min(max(math.sqrt(dx * dx + dy * dy), low, abs(left - bone)), high, left + bone)
        along, across = knee_place(bone, rest, left)
        x += ex * along - ey * across
        y += ey * along + ex * across
        lowest = min(lowest, y)
        memory[at] = x
        memory[at + 1] = y
    return lowest


@kernel
def settle_fabrik(segments, first, count, memory, place, span):
    """Pass, and again from the mirror image while a joint lies on the wrong side; returns whether none does."""
    flat = -FLAT * (span + segments[first]["length"])
    lowest = pass_fabrik(segments, first, count, memory, place, span)
    tries = 0
    while lowest < flat and tries < MIRRORS:
        for index in range(count - 1):
            memory[place + 2 * index + 1] = abs(memory[place + 2 * index + 1])
        lowest = pass_fabrik(segments, first, count, memory, place, span)
        tries += 1
    return lowest >= flat


@kernel
def solve_fabrik(segments, first, count, memory, place, span):
    """Move the inner joints in ``memory[place:]`` (x, y each) so that the chain ends at (span, 0).

    In the forward pass each joint keeps the distance to the end that the backward pass gave it, as far as the rest of
    the chain can span that distance, and lies on the bend's side of the line to the end; the last inner joint is the
    law of cosines. So every pass is exact, also the first, for a span in ``chain_span``, and one pass is enough. More
    follow only while a joint lies on the wrong side of the line from hip to end; where that does not help, after a
    great jump, the chain starts from rest and moves to the span in stages.
    """
    x = 0.0
    y = 0.0
    for index in range(count - 1):  # start: last solution, pulled to the rest shape
        segment = segments[first + index]
        at = place + 2 * index
        x += segment["length"] * segment["direction"][0]
        y += segment["length"] * segment["direction"][1]
        memory[at] += PULL * (x - memory[at])
        memory[at + 1] += PULL * (y - memory[at + 1])
    if settle_fabrik(segments, first, count, memory, place, span):
        return
    seed_fabrik(segments, first, count, memory, place)
    x += segments[first + count - 1]["length"] * segments[first + count - 1]["direction"][0]
    for stage in range(1, STAGES + 1):
        settle_fabrik(segments, first, count, memory, place, x + (span - x) * stage / STAGES)


@kernel
def bend_to_pole(joints, pole):
    """Turn each inner joint about the line between its neighbours until it faces the pole (in place).

    Rotating a joint onto the half-plane of the pole is scaling the pole's part across that line to the joint's own
    distance from it, so bones and end stay. A joint or a pole on the line has no side and is left alone.
    """
    for index in range(1, joints.shape[0] - 1):
        before = row3(joints, index - 1)
        axis = unit_or(sub(row3(joints, index + 1), before), ZERO)
        arm = sub(row3(joints, index), before)
        along = dot(arm, axis)
        aside = length(add_scaled(arm, axis, -along))
        to_pole = sub(pole, before)
        side = unit_or(add_scaled(to_pole, axis, -dot(to_pole, axis)), ZERO)
        if dot(axis, axis) > 0.0 and dot(side, side) > 0.0:
            put3(joints, index, add_scaled(add_scaled(before, axis, along), side, aside))


@kernel
def solve_fabrik_as_published(joints, lengths, target, pole, iterations, tolerance):
    """The sources' solver, for comparison: from the rest pose in ``joints [n + 1, 3]``, in place; returns the error.

    At most ``iterations`` backward and forward passes (10 in the source) until the end is within ``tolerance`` (1 mm)
    of the target, then ``bend_to_pole``; a target out of reach gives a straight line. The root does not move and bones
    keep their lengths; the end may miss.
    """
    count = lengths.shape[0]
    total = 0.0
    for index in range(count):
        total += lengths[index]
    reach = sub(target, row3(joints, 0))
    if dot(reach, reach) >= total * total:
        direction = unit_or(reach, ZERO)
        for index in range(count):
            put3(joints, index + 1, add_scaled(row3(joints, index), direction, lengths[index]))
        return distance(row3(joints, count), target)
    for _ in range(iterations):
        put3(joints, count, target)
        for index in range(count - 1, 0, -1):
            after = row3(joints, index + 1)
            direction = unit_or(sub(row3(joints, index), after), ZERO)
            put3(joints, index, add_scaled(after, direction, lengths[index]))
        for index in range(count):
            before = row3(joints, index)
            direction = unit_or(sub(row3(joints, index + 1), before), ZERO)
            put3(joints, index + 1, add_scaled(before, direction, lengths[index]))
        if distance(row3(joints, count), target) < tolerance:
            break
    bend_to_pole(joints, pole)
    return distance(row3(joints, count), target)

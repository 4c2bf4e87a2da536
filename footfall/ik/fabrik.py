"""FABRIK (Aristidou and Lasenby 2011) in the plane of the bend, with an exact last pass.

All joints of a leg lie in one plane, so the solver works in its coordinates: x along the line from hip to end, y to
the side that the leg bends to. The inner joints of the last solution are its start, pulled a little to the shape of
rest so that the chain's freedom cannot drift.
"""

from __future__ import annotations

import math

from footfall.compile import inline, kernel
from footfall.ik.two_bone import knee_place

PULL = 0.1  #: share of the way to the rest shape that the start of a solution is moved


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


@kernel
def solve_fabrik(segments, first, count, memory, place, span):
    """Move the inner joints in ``memory[place:]`` (x, y each) so that the chain ends at (span, 0).

    One backward and one forward pass. In the forward pass each joint keeps the distance to the end that the backward
    pass gave it, as far as the rest of the chain can span that distance, and lies on the bend's side of the line to
    the end; the last inner joint is the law of cosines. So every solution is exact, also the first, for a span in
    ``chain_span``.
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
    for index in range(count - 1):  # forward
        at = place + 2 * index
        bone = segments[first + index]["length"]
        ex = span - x
        ey = -y
        distance = math.sqrt(ex * ex + ey * ey)
        if distance > 1e-300:
            ex /= distance
            ey /= distance
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
            rest = min(max(math.sqrt(dx * dx + dy * dy), low, abs(distance - bone)), high, distance + bone)
        along, across = knee_place(bone, rest, distance)
        x += ex * along - ey * across
        y += ey * along + ex * across
        memory[at] = x
        memory[at + 1] = y

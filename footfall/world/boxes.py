"""Rays onto many solid boxes, in the frame of their surface."""

from __future__ import annotations

import math

from footfall.compile import inline, kernel
from footfall.frames.scalar import ZERO
from footfall.world.tree import meets_node, safe_inverse

UNOWNED = -2  # as the owner of a ray: only what nobody owns counts


@inline
def counts(owner, layer, trigger, ray_owner, mask):
    """Whether a ray meets what has this owner, these layers and this trigger flag at all."""
    if trigger != 0 or (layer & mask) == 0:
        return False
    return owner < 0 or (owner != ray_owner and ray_owner != UNOWNED)


@inline
def axis_normal(axis, direction):
    """Outward normal of the face across an axis that a ray comes in through."""
    side = -1.0 if direction[axis] > 0.0 else 1.0
    return (side if axis == 0 else 0.0, side if axis == 1 else 0.0, side if axis == 2 else 0.0)


@inline
def cast_box(low, high, origin, direction):
    """Distance [m] to a box, infinite where it is missed, and the axis across the face that the ray comes in through.

    For an origin inside, the distance is 0 and the face is the one that the ray would have come in through.
    """
    near, far, face = -math.inf, math.inf, 2
    inside = True
    for axis in range(3):
        inside = inside and low[axis] < origin[axis] < high[axis]
        if direction[axis] == 0.0:
            if not low[axis] <= origin[axis] <= high[axis]:
                return math.inf, 2
            continue
        a, b = (low[axis] - origin[axis]) / direction[axis], (high[axis] - origin[axis]) / direction[axis]
        if min(a, b) > near:
            near, face = min(a, b), axis
        far = min(far, max(a, b))
    if not near <= far or far < 0.0:
        return math.inf, 2
    if near >= 0.0:
        return near, face
    return 0.0 if inside else math.inf, face


@kernel
def cast_boxes(nodes, boxes, first, end, origin, direction, limit, owner, mask):
    """Distance [m] to the nearest box that counts within the limit, infinite where there is none; its normal; which."""
    inverse = (safe_inverse(direction[0]), safe_inverse(direction[1]), safe_inverse(direction[2]))
    best, met, met_face = limit, -1, 2
    node = first
    while node < end:
        record = nodes[node]
        if not meets_node(record, origin, inverse, best):
            node = int(record["skip"])
            continue
        for item in range(record["first"], record["first"] + record["count"]):
            box = boxes[item]
            if counts(box["owner"], box["layer"], box["trigger"], owner, mask):
                way, face = cast_box(box["low"], box["high"], origin, direction)
                if way < best or (way == best and met < 0):
                    best, met, met_face = way, item, face
        node += 1
    if met < 0:
        return math.inf, ZERO, -1
    return best, axis_normal(met_face, direction), met

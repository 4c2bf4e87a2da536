"""Bounding-box trees: binned surface-area heuristic (Wald 2007), nodes in depth-first order with skip links.

A walk through the tree needs no stack: a node that is missed says where to go on, and a node that is met is followed by
its first child.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from footfall.compile import allocating_kernel, inline
from footfall.records import Records
from footfall.world.surfaces import NODE

LEAF = 4  # most items in a leaf
BINS = 16  # bins along each axis
PAD = 1e-9  # nodes are larger than what they hold by this share of the tree's size and coordinates


@inline
def half_area(low, high):
    """Half the area of a box."""
    x, y, z = high[0] - low[0], high[1] - low[1], high[2] - low[2]
    return x * y + y * z + z * x


@allocating_kernel
def cover(low, high, order, start, stop, box_low, box_high):
    """Bounds of the items ``order[start:stop]``, into ``box_low`` and ``box_high``."""
    box_low[:] = math.inf
    box_high[:] = -math.inf
    for place in range(start, stop):
        item = order[place]
        for axis in range(3):
            box_low[axis] = min(box_low[axis], low[item, axis])
            box_high[axis] = max(box_high[axis], high[item, axis])


@allocating_kernel
def choose_split(low, high, order, start, stop):
    """Axis and coordinate (of doubled centres) of the cheapest cut; axis -1 where all centres are one."""
    best, best_axis, best_cut = math.inf, -1, 0.0
    bin_low, bin_high = np.empty((BINS, 3)), np.empty((BINS, 3))
    bin_count = np.empty(BINS, np.int64)
    right_area, right_count = np.empty(BINS), np.empty(BINS, np.int64)
    box_low, box_high = np.empty(3), np.empty(3)
    for axis in range(3):
        first, last = math.inf, -math.inf
        for place in range(start, stop):
            centre = low[order[place], axis] + high[order[place], axis]
            first, last = min(first, centre), max(last, centre)
        width = (last - first) / BINS
        if not width > 1e-12 * (abs(first) + abs(last)):
            continue
        bin_low[:], bin_high[:], bin_count[:] = math.inf, -math.inf, 0
        for place in range(start, stop):
            item = order[place]
            into = min(int((low[item, axis] + high[item, axis] - first) / width), BINS - 1)
            bin_count[into] += 1
            for k in range(3):
                bin_low[into, k] = min(bin_low[into, k], low[item, k])
                bin_high[into, k] = max(bin_high[into, k], high[item, k])
        box_low[:], box_high[:] = math.inf, -math.inf
        count = 0
        for cut in range(BINS - 1, 0, -1):
            count += bin_count[cut]
            for k in range(3):
                box_low[k] = min(box_low[k], bin_low[cut, k])
                box_high[k] = max(box_high[k], bin_high[cut, k])
            right_count[cut], right_area[cut] = count, half_area(box_low, box_high) if count else 0.0
        box_low[:], box_high[:] = math.inf, -math.inf
        count = 0
        for cut in range(1, BINS):
            count += bin_count[cut - 1]
            for k in range(3):
                box_low[k] = min(box_low[k], bin_low[cut - 1, k])
                box_high[k] = max(box_high[k], bin_high[cut - 1, k])
            if count == 0 or right_count[cut] == 0:
                continue
            cost = count * half_area(box_low, box_high) + right_count[cut] * right_area[cut]
            if cost < best:
                best, best_axis, best_cut = cost, axis, first + cut * width
    return best_axis, best_cut


@allocating_kernel
def part(low, high, order, start, stop, axis, cut):
    """Bring the items below the cut to the front, in their order; where the others begin."""
    after = np.empty(stop - start, np.int64)
    front, behind = start, 0
    for place in range(start, stop):
        item = order[place]
        if low[item, axis] + high[item, axis] < cut:
            order[front] = item
            front += 1
        else:
            after[behind] = item
            behind += 1
    for place in range(behind):
        order[front + place] = after[place]
    return front


@allocating_kernel
def grow(low, high, nodes, order, first_at, pad):
    """Fill nodes and order; how many nodes there are.

    ``first_at [n + 1]``, all -1 before: the outermost node whose items begin there. ``pad``: see ``PAD`` [m].
    """
    n = low.shape[0]
    stops = np.empty(2 * n, np.int64)  # one past the last item under each node
    todo = np.empty((2 * n + 2, 2), np.int64)
    todo[0, 0], todo[0, 1] = 0, n
    waiting, made = 1, 0
    while waiting:
        waiting -= 1
        start, stop = todo[waiting, 0], todo[waiting, 1]
        node = nodes[made]
        cover(low, high, order, start, stop, node["low"], node["high"])
        for axis in range(3):
            node["low"][axis] -= pad
            node["high"][axis] += pad
        stops[made] = stop
        if first_at[start] < 0:
            first_at[start] = made
        made += 1
        middle = start
        if stop - start > LEAF:
            axis, cut = choose_split(low, high, order, start, stop)
            middle = part(low, high, order, start, stop, axis, cut) if axis >= 0 else start
            if middle == start or middle == stop:
                middle = (start + stop) // 2
        if middle == start:
            node["first"], node["count"] = start, stop - start
        else:
            node["first"], node["count"] = start, 0
            todo[waiting, 0], todo[waiting, 1] = middle, stop
            todo[waiting + 1, 0], todo[waiting + 1, 1] = start, middle
            waiting += 2
    first_at[n] = made
    for node in range(made):
        nodes[node]["skip"] = first_at[stops[node]]
    return made


def build_tree(low: NDArray[np.float64], high: NDArray[np.float64]) -> tuple[Records, NDArray[np.int64]]:
    """Tree over boxes ``[n, 3]``: nodes, and the order ``[n]`` in which leaves number the items."""
    nodes = np.zeros(2 * len(low), NODE)
    order = np.arange(len(low))
    pad = PAD * max(np.ptp(np.concatenate([low, high]), axis=0).max(), abs(low).max(), abs(high).max())
    first_at = np.full(len(low) + 1, -1)
    made = grow(np.ascontiguousarray(low), np.ascontiguousarray(high), nodes, order, first_at, float(pad))
    return nodes[:made].copy(), order


@inline
def safe_inverse(x):
    """1 / x, finite for 0."""
    return 1.0 / (x if abs(x) > 1e-300 else 1e-300)


@inline
def meets_node(node, origin, inverse, limit):
    """Whether a ray, by the inverse of its direction, meets a node's box within the limit."""
    near, far = 0.0, limit
    for axis in range(3):
        a = (node["low"][axis] - origin[axis]) * inverse[axis]
        b = (node["high"][axis] - origin[axis]) * inverse[axis]
        near = max(near, min(a, b))
        far = min(far, max(a, b))
    return near <= far

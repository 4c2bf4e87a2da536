"""Rays onto a height field, in the frame of its surface.

A cell between samples ``[j, i]`` and ``[j + 1, i + 1]`` is cut along the diagonal between those two. With u, v the
place in the cell along x and y, from 0 to 1:

    h = h00 + u (h01 − h00) + v (h11 − h01)    where u ≥ v
    h = h00 + v (h10 − h00) + u (h11 − h10)    elsewhere
"""

from __future__ import annotations

import math

from footfall.compile import inline, kernel
from footfall.frames.scalar import ZERO

FARTHEST = 1e12  # cells from the origin within which an endless field is looked at
RIM = 1e-9  # share of a cell by which the rim of a field is met, against rounding
MOST_CELLS = 1 << 16  # cells that one ray passes before it is given up as a miss


@inline
def wrap_index(index, count):
    """The same sample in [0, count)."""
    return index - count * (index // count) if index < 0 or index >= count else index


@inline
def cell_heights(heights, field, i, j):
    """Heights at the corners [j, i], [j, i + 1], [j + 1, i], [j + 1, i + 1] of a cell [m]."""
    columns, rows = field["columns"], field["rows"]
    if field["periodic"]:
        i, j = wrap_index(i, columns), wrap_index(j, rows)
        right = i + 1 if i + 1 < columns else 0
        above = j + 1 if j + 1 < rows else 0
    else:
        right, above = i + 1, j + 1
    row, next_row = field["first"] + j * columns, field["first"] + above * columns
    return heights[row + i], heights[row + right], heights[next_row + i], heights[next_row + right]


@inline
def find_cell(field, x, y):
    """Whether there is ground at x, y [m], and the cell and the place in it."""
    a, b = (x - field["x0"]) * field["per_x"], (y - field["y0"]) * field["per_y"]
    if field["periodic"]:
        if not (abs(a) < FARTHEST and abs(b) < FARTHEST):  # not a number, too
            return False, 0, 0, 0.0, 0.0
        i, j = int(math.floor(a)), int(math.floor(b))
    else:
        if not (-RIM <= a <= field["columns"] - 1 + RIM and -RIM <= b <= field["rows"] - 1 + RIM):
            return False, 0, 0, 0.0, 0.0
        i, j = min(int(a), field["columns"] - 2), min(int(b), field["rows"] - 2)
    return True, i, j, a - i, b - j


@inline
def triangle_slopes(corners, lower):
    """Rise over one cell along x and along y [m] on the triangle with u ≥ v (lower) or on the other."""
    h00, h01, h10, h11 = corners
    if lower:
        return h01 - h00, h11 - h01
    return h11 - h10, h10 - h00


@inline
def slope_normal(field, rise_x, rise_y):
    """Unit normal of a triangle that rises by so much over one cell along x and along y."""
    sx, sy = rise_x * field["per_x"], rise_y * field["per_y"]
    s = 1.0 / math.sqrt(1.0 + sx * sx + sy * sy)
    return (-sx * s, -sy * s, s)


@inline
def ground_at(heights, field, x, y):
    """Whether there is ground at x, y, and its height [m] and unit normal."""
    there, i, j, u, v = find_cell(field, x, y)
    if not there:
        return False, 0.0, ZERO
    corners = cell_heights(heights, field, i, j)
    rise_x, rise_y = triangle_slopes(corners, u >= v)
    return True, corners[0] + u * rise_x + v * rise_y, slope_normal(field, rise_x, rise_y)


@inline
def clip_slab(origin, direction, low, high, near, far):
    """The part [near, far] of a ray that lies between two coordinates; empty where near > far."""
    if direction == 0.0:
        return (near, far) if low <= origin <= high else (1.0, 0.0)
    a, b = (low - origin) / direction, (high - origin) / direction
    return max(near, min(a, b)), min(far, max(a, b))


@kernel
def march_cells(heights, field, origin, direction, near, far, above):
    """First way within [near, far] at which a ray goes from above the ground to below it, and the normal there.

    Along the ray, its height over a triangle's plane is linear; a cell is passed in two parts, one on each side of the
    diagonal. ``above`` says on which side of the ground the ray is at ``near``. Infinite where there is no such way.
    """
    # in cells: a(t) = a0 + t da, b(t) = b0 + t db
    a0, b0 = (origin[0] - field["x0"]) * field["per_x"], (origin[1] - field["y0"]) * field["per_y"]
    da, db = direction[0] * field["per_x"], direction[1] * field["per_y"]
    i, j = int(math.floor(a0 + near * da)), int(math.floor(b0 + near * db))
    if not field["periodic"]:
        i = min(max(i, 0), field["columns"] - 2)
        j = min(max(j, 0), field["rows"] - 2)
    step_i, step_j = 1 if da > 0.0 else -1, 1 if db > 0.0 else -1
    start = near
    for _ in range(MOST_CELLS):
        leave_i = (i + (1 if da > 0.0 else 0) - a0) / da if da != 0.0 else math.inf
        leave_j = (j + (1 if db > 0.0 else 0) - b0) / db if db != 0.0 else math.inf
        stop = max(min(min(leave_i, leave_j), far), start)
        corners = cell_heights(heights, field, i, j)
        # where u = v: the ray goes from one triangle to the other
        side_start = (a0 + start * da - i) - (b0 + start * db - j)
        side_stop = (a0 + stop * da - i) - (b0 + stop * db - j)
        crosses = (side_start > 0.0 and side_stop < 0.0) or (side_start < 0.0 and side_stop > 0.0)
        middle = start + (stop - start) * (side_start / (side_start - side_stop)) if crosses else stop
        for half in range(2):
            if half == 1 and not crosses:
                break
            begin, end = (start, middle) if half == 0 else (middle, stop)
            side = side_stop if half == 1 or side_start == 0.0 else side_start
            rise_x, rise_y = triangle_slopes(corners, side >= 0.0)
            height = origin[2] - corners[0] - (a0 - i) * rise_x - (b0 - j) * rise_y  # over the plane, at t = 0
            rate = direction[2] - da * rise_x - db * rise_y
            over = height + end * rate
            if above and over <= 0.0 and rate < 0.0:
                return min(max(-height / rate, begin), end), slope_normal(field, rise_x, rise_y)
            above = above or over >= 0.0
        if stop >= far:
            break
        if leave_i <= leave_j:
            i += step_i
        if leave_j <= leave_i:
            j += step_j
        if not field["periodic"] and (i < 0 or j < 0 or i > field["columns"] - 2 or j > field["rows"] - 2):
            break
        start = stop
    return math.inf, ZERO


@kernel
def cast_heightfield(heights, field, origin, direction, limit):
    """Distance [m] to a height field, infinite where it is missed, and the unit normal there.

    An origin below the ground is a hit at distance 0.
    """
    there, ground, normal = ground_at(heights, field, origin[0], origin[1])
    if there and origin[2] < ground:
        return 0.0, normal
    if direction[0] == 0.0 and direction[1] == 0.0:
        if there and direction[2] < 0.0:
            return (origin[2] - ground) / -direction[2], normal
        return math.inf, ZERO
    margin = 1e-6 * (field["dx"] + field["dy"])  # the ray ends below all ground
    near, far = clip_slab(origin[2], direction[2], field["low"] - margin, field["high"] + margin, 0.0, limit)
    if not near <= far:
        return math.inf, ZERO
    above = True  # as long as it comes in from the top
    if not field["periodic"]:
        top = near
        right = field["x0"] + (field["columns"] - 1) * field["dx"]
        back = field["y0"] + (field["rows"] - 1) * field["dy"]
        near, far = clip_slab(origin[0], direction[0], field["x0"], right, near, far)
        near, far = clip_slab(origin[1], direction[1], field["y0"], back, near, far)
        if not near <= far:
            return math.inf, ZERO
        if near > top:  # through a side: above the ground or under it
            x = min(max(origin[0] + near * direction[0], field["x0"]), right)
            y = min(max(origin[1] + near * direction[1], field["y0"]), back)
            there, ground, normal = ground_at(heights, field, x, y)
            above = origin[2] + near * direction[2] >= ground
    elif not abs(origin[0]) + abs(origin[1]) + near < FARTHEST * field["dx"]:
        return math.inf, ZERO
    return march_cells(heights, field, origin, direction, near, far, above)

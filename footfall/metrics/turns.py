"""How far a trunk or a bone has turned between two frames."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-incomplete-defs=False

from __future__ import annotations

import math

from footfall.compile import inline
from footfall.frames.scalar import conjugate, cross, dot, length, multiply, scale, square, sub


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

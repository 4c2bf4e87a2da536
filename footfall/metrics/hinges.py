"""Whether the hinges of a chain are within their limits, and turn about their axes alone."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-incomplete-defs=False

from __future__ import annotations

import math

from footfall.compile import inline, kernel
from footfall.frames.scalar import add, cross, dot, load3, scale, square, sub, unrotate
from footfall.ik.rows import row3

LIMIT_TOLERANCE = 1e-6  # [rad]
TURN = 2.0 * math.pi


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
        u1, v1 = unrotate(trunk_rotation, row3(bones, bone)), unrotate(trunk_rotation, row3(hinges, bone))
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

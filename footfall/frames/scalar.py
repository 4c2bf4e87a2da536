"""Vectors and quaternions as tuples of floats, for use inside kernels."""

from __future__ import annotations

import math

from footfall.compile import inline

ZERO = (0.0, 0.0, 0.0)
IDENTITY = (1.0, 0.0, 0.0, 0.0)


@inline
def load3(a):
    """Tuple of the first three entries of an array."""
    return (a[0], a[1], a[2])


@inline
def load4(a):
    """Tuple of the first four entries of an array."""
    return (a[0], a[1], a[2], a[3])


@inline
def store3(a, v):
    """Write a vector into an array."""
    a[0] = v[0]
    a[1] = v[1]
    a[2] = v[2]


@inline
def store4(a, q):
    """Write a quaternion into an array."""
    a[0] = q[0]
    a[1] = q[1]
    a[2] = q[2]
    a[3] = q[3]


@inline
def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@inline
def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@inline
def scale(a, s):
    return (a[0] * s, a[1] * s, a[2] * s)


@inline
def add_scaled(a, b, s):
    """a + s b."""
    return (a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2])


@inline
def lerp(a, b, s):
    """a at s = 0, b at s = 1."""
    return (a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]), a[2] + s * (b[2] - a[2]))


@inline
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inline
def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@inline
def square(a):
    return dot(a, a)


@inline
def length(a):
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@inline
def distance(a, b):
    return length(sub(a, b))


@inline
def unit_or(a, fallback):
    """a / |a|, or the fallback where a has no direction."""
    n = length(a)
    if n < 1e-300:
        return fallback
    return scale(a, 1.0 / n)


@inline
def reject(a, n):
    """The part of a across the unit vector n."""
    return add_scaled(a, n, -dot(a, n))


@inline
def clamp(x, low, high):
    return min(max(x, low), high)


@inline
def smoothstep(x):
    """3 x² − 2 x³ on [0, 1], clamped outside."""
    u = min(max(x, 0.0), 1.0)
    return u * u * (3.0 - 2.0 * u)


@inline
def multiply(a, b):
    """Hamilton product: q_a_c from q_a_b and q_b_c."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@inline
def conjugate(q):
    """The inverse rotation."""
    return (q[0], -q[1], -q[2], -q[3])


@inline
def rotate(q, v):
    """Coordinates of v, given in frame b, in frame a, for q = q_a_b."""
    u = (q[1], q[2], q[3])
    t = scale(cross(u, v), 2.0)
    return add(add_scaled(v, t, q[0]), cross(u, t))


@inline
def unrotate(q, v):
    """Coordinates of v, given in frame a, in frame b, for q = q_a_b."""
    return rotate(conjugate(q), v)


@inline
def normalise(q):
    """q / |q|, the identity where q has no length."""
    n = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if n < 1e-300:
        return IDENTITY
    s = 1.0 / n
    return (q[0] * s, q[1] * s, q[2] * s, q[3] * s)


@inline
def from_vector(r):
    """Rotation by |r| radians about r (the exponential map)."""
    angle = length(r)
    half = 0.5 * angle
    s = 0.5 if angle < 1e-8 else math.sin(half) / angle
    return (math.cos(half), r[0] * s, r[1] * s, r[2] * s)


@inline
def about_x(angle):
    if angle == 0.0:
        return IDENTITY
    return (math.cos(0.5 * angle), math.sin(0.5 * angle), 0.0, 0.0)


@inline
def about_y(angle):
    if angle == 0.0:
        return IDENTITY
    return (math.cos(0.5 * angle), 0.0, math.sin(0.5 * angle), 0.0)


@inline
def about_z(angle):
    if angle == 0.0:
        return IDENTITY
    return (math.cos(0.5 * angle), 0.0, 0.0, math.sin(0.5 * angle))


@inline
def between(a, b):
    """Smallest rotation that takes the unit vector a to the unit vector b.

    For opposite vectors any perpendicular axis is one; the one chosen is finite and always the same.
    """
    w = 1.0 + dot(a, b)
    if w < 1e-12:
        axis = cross(a, (1.0, 0.0, 0.0)) if abs(a[0]) < 0.9 else cross(a, (0.0, 1.0, 0.0))
        axis = unit_or(axis, (0.0, 0.0, 1.0))
        return (0.0, axis[0], axis[1], axis[2])
    c = cross(a, b)
    return normalise((w, c[0], c[1], c[2]))


@inline
def from_axes(x, y, z):
    """Rotation whose frame b has the orthonormal axes x, y, z, given in frame a (Shepperd 1978)."""
    trace = x[0] + y[1] + z[2]
    if trace > 0.0:
        s = 2.0 * math.sqrt(1.0 + trace)
        q = (0.25 * s, (y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s)
    elif x[0] > y[1] and x[0] > z[2]:
        s = 2.0 * math.sqrt(1.0 + x[0] - y[1] - z[2])
        q = ((y[2] - z[1]) / s, 0.25 * s, (y[0] + x[1]) / s, (z[0] + x[2]) / s)
    elif y[1] > z[2]:
        s = 2.0 * math.sqrt(1.0 + y[1] - x[0] - z[2])
        q = ((z[0] - x[2]) / s, (y[0] + x[1]) / s, 0.25 * s, (z[1] + y[2]) / s)
    else:
        s = 2.0 * math.sqrt(1.0 + z[2] - x[0] - y[1])
        q = ((x[1] - y[0]) / s, (z[0] + x[2]) / s, (z[1] + y[2]) / s, 0.25 * s)
    return normalise(q)


@inline
def nlerp(a, b, s):
    """Normalised linear interpolation on the shorter way; exact at both ends."""
    sign = 1.0 if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] >= 0.0 else -1.0
    return normalise(
        (
            a[0] + s * (sign * b[0] - a[0]),
            a[1] + s * (sign * b[1] - a[1]),
            a[2] + s * (sign * b[2] - a[2]),
            a[3] + s * (sign * b[3] - a[3]),
        )
    )


@inline
def slerp(a, b, s):
    """Rotation at a share of the shorter way from a to b at even speed (Shoemake 1985); exact at both ends."""
    cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    sign = 1.0 if cosine >= 0.0 else -1.0
    angle = math.acos(min(abs(cosine), 1.0))
    if s <= 0.0 or s >= 1.0 or angle < 1e-4:
        return nlerp(a, b, s)
    first, last = math.sin((1.0 - s) * angle), sign * math.sin(s * angle)
    return normalise(
        (first * a[0] + last * b[0], first * a[1] + last * b[1], first * a[2] + last * b[2], first * a[3] + last * b[3])
    )


@inline
def heading_frame(q, up):
    """Frame with z along the unit vector up whose x axis is the horizontal part of q's x axis.

    Where q's x axis is vertical, q's z axis, turned down, takes its place.
    """
    forward = reject(rotate(q, (1.0, 0.0, 0.0)), up)
    if dot(forward, forward) < 1e-12:
        forward = reject(scale(rotate(q, (0.0, 0.0, 1.0)), -1.0), up)
    x = unit_or(forward, (1.0, 0.0, 0.0))
    return from_axes(x, cross(up, x), up)


@inline
def wrap(angle):
    """The same angle in (−π, π]."""
    return angle - 2.0 * math.pi * math.ceil((angle - math.pi) / (2.0 * math.pi))


@inline
def yaw_between(a, b, up):
    """Angle about up from frame a's heading to frame b's heading [rad], in (−π, π]."""
    forward_a = rotate(heading_frame(a, up), (1.0, 0.0, 0.0))
    forward_b = rotate(heading_frame(b, up), (1.0, 0.0, 0.0))
    return math.atan2(dot(cross(forward_a, forward_b), up), dot(forward_a, forward_b))

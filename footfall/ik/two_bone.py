"""Two bones and a knee by the law of cosines."""

from __future__ import annotations

import math

from footfall.compile import inline
from footfall.frames.scalar import add_scaled, clamp

MARGIN = 0.001  #: the source's distance from a straight and from a folded leg, in its units


@inline
def knee_angle(a, b, d):
    """Angle between thigh a and shin b that span d [rad], clamped as the source does (Law of cosines).

    acos((a² + b² − d²) / 2ab) with d in [|a − b| + 0.001, a + b − 0.001].
    """
    span = min(max(d, abs(a - b) + MARGIN), a + b - MARGIN)
    product = 2.0 * a * b
    if product <= 0.0:
        return math.pi
    return math.acos(clamp((a * a + b * b - span * span) / product, -1.0, 1.0))


@inline
def hip_offset(a, b, d):
    """Angle between the line from hip to ankle and the thigh [rad], with d clamped as in ``knee_angle``.

    acos((a² + d² − b²) / 2ad).
    """
    span = min(max(d, abs(a - b) + MARGIN), a + b - MARGIN)
    product = 2.0 * a * span
    if product <= 0.0:
        return 0.0
    return math.acos(clamp((a * a + span * span - b * b) / product, -1.0, 1.0))


@inline
def knee_place(a, b, span):
    """Place of the knee along and across the line from hip to end, for a span in [|a − b|, a + b].

    along = (a² − b² + span²) / (2 span), across = √(a² − along²).
    """
    along = 0.0
    if span > 1e-300:
        along = clamp(0.5 * (span + (a - b) * (a + b) / span), -a, a)
    return along, math.sqrt(max((a - along) * (a + along), 0.0))


@inline
def clamp_span(a, b, distance):
    """Nearest distance that two bones can span: [|a − b|, a + b]."""
    return min(max(distance, abs(a - b)), a + b)


@inline
def solve_two_bone(hip, direction, bend, a, b, span):
    """Knee of two bones a and b from the hip to the point ``span`` along ``direction``, bent to ``bend``."""
    along, across = knee_place(a, b, span)
    return add_scaled(add_scaled(hip, direction, along), bend, across)

"""Thigh, shin and metatarsus with thigh and metatarsus kept parallel: two bones in disguise."""

from __future__ import annotations

from footfall.compile import inline
from footfall.frames.scalar import add_scaled, scale, sub, unit_or
from footfall.ik.two_bone import knee_place


@inline
def solve_pantograph(hip, direction, bend, thigh, shin, metatarsus, span):
    """Knee and hock of a leg whose metatarsus stays parallel to its thigh.

    The end of thigh·u + shin·w + metatarsus·u is that of two bones, thigh + metatarsus and shin.
    """
    along, across = knee_place(thigh + metatarsus, shin, span)
    folded = add_scaled(scale(direction, along), bend, across)
    u = unit_or(folded, direction)
    w = unit_or(sub(scale(direction, span), folded), direction)
    knee = add_scaled(hip, u, thigh)
    return knee, add_scaled(knee, w, shin)

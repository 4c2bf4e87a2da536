"""Which way the knee goes: a direction across the leg that never flips."""

from __future__ import annotations

from footfall.compile import inline
from footfall.frames.scalar import add, add_scaled, dot, lerp, load3, reject, rotate, smoothstep, unit_or, unrotate


@inline
def carry_across(start, end, across):
    """A vector across the unit vector ``start``, carried by the smallest rotation from ``start`` to ``end``.

    b' = b − (b·e) (s + e) / (1 + s·e) for b across s. For opposite vectors b itself, which is across both.
    """
    w = 1.0 + dot(start, end)
    if w < 1e-12:
        return across
    return add_scaled(across, add(start, end), -dot(across, end) / w)


@inline
def bend_direction(leg, trunk_rotation, direction):
    """Unit vector across ``direction`` (unit, hip to solved end, world) that the knee goes to, world.

    Near the direction of rest it is the pole's part across the leg. The pole's own direction is singular there, so
    away from rest the bend of rest takes over, carried along without twist: a function of the present direction
    alone, smooth everywhere but straight opposite to rest (no field of directions on a sphere is smooth everywhere).
    """
    along = unrotate(trunk_rotation, direction)
    rest = load3(leg["hip_to_rest"])
    full = leg["cone_full"]
    none = leg["cone_none"]
    cosine = dot(along, rest)
    pole = reject(load3(leg["pole"]), along)
    if cosine >= full > none:
        bend = unit_or(pole, load3(leg["rest_bend"]))
    else:
        bend = carry_across(rest, along, load3(leg["rest_bend"]))
        if cosine > none and full > none:  # the two are less than a right angle apart in here
            bend = lerp(bend, unit_or(pole, bend), smoothstep((cosine - none) / (full - none)))
        bend = unit_or(reject(bend, along), load3(leg["rest_bend"]))
    return rotate(trunk_rotation, bend)

"""Thigh, shin and a metatarsus whose lean is set by hand; thigh and shin reach its hock."""

from __future__ import annotations

from footfall.compile import inline
from footfall.frames.scalar import add_scaled, lerp, load3, rotate, unit_or


@inline
def metatarsus_direction(leg, heading, kneel, lift):
    """Unit vector from ankle to hock, world: lerp(meta, meta_kneel, kneel) + fold·lift in the heading frame."""
    standing = lerp(load3(leg["metatarsus"]), load3(leg["metatarsus_kneel"]), kneel)
    local = unit_or(add_scaled(standing, load3(leg["metatarsus_fold"]), lift), (0.0, 0.0, 1.0))
    return rotate(heading, local)

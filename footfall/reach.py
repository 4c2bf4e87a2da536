"""What must be within a leg's reach: the point that its bones are solved for, above a metatarsus where there is one."""

from __future__ import annotations

from footfall.compile import inline
from footfall.frames.scalar import add_scaled, lerp, load3, rotate, unit_or
from footfall.rig import Solver

THREE_SEGMENT = int(Solver.three_segment)


@inline
def metatarsus_direction(leg, heading, kneel, lift):
    """Unit vector from ankle to hock, world: lerp(meta, meta_kneel, kneel) + fold·lift in the heading frame."""
    standing = lerp(load3(leg["metatarsus"]), load3(leg["metatarsus_kneel"]), kneel)
    local = unit_or(add_scaled(standing, load3(leg["metatarsus_fold"]), lift), (0.0, 0.0, 1.0))
    return rotate(heading, local)


@inline
def solved_end(leg, segments, heading, sole, normal, kneel, lift):
    """The point that must lie within [reach_min, reach_max] of the hip, world [m]: ankle, or hock of three segments.

    Args:
        leg: one ``LEG_RIG`` record.
        segments: the rig's whole segment table.
        heading: q_world_heading.
        sole: goal of the sole, world [m].
        normal: upward normal of the sole, world.
        kneel: 0 stands, 1 kneels.
        lift: share of the foot's full lift.
    """
    ankle = add_scaled(sole, normal, leg["foot_height"])
    if leg["solver"] != THREE_SEGMENT:
        return ankle
    return add_scaled(
        ankle, metatarsus_direction(leg, heading, kneel, lift), segments[leg["first_segment"] + 2]["length"]
    )

"""What a leg can reach: the point that its bones are solved for, and how far that is out of reach."""

from __future__ import annotations

from footfall.compile import inline
from footfall.frames.scalar import add_scaled, distance
from footfall.ik.three_segment import metatarsus_direction
from footfall.rig import Solver

THREE_SEGMENT = int(Solver.three_segment)


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


@inline
def reach_excess(leg, hip, end):
    """Signed distance of the solved end outside the leg's reach [m]: positive too far, negative too near, 0 inside."""
    d = distance(hip, end)
    return max(d - leg["reach_max"], 0.0) + min(d - leg["reach_min"], 0.0)

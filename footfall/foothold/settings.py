"""What a machine's file says of footholds."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Gt, Le

from footfall.froude import TIME, Scaled

NotNegative = Annotated[float, Ge(0)]
Positive = Annotated[float, Gt(0)]
Share = Annotated[float, Ge(0), Le(1)]


class Lead(enum.IntEnum):
    """How far ahead of the lift-off the body's place is taken."""

    mid_stance = 0
    half_period = 1


class Ray(enum.IntEnum):
    """How the ground is looked for."""

    vertical = 0
    from_pole = 1


@dataclass(frozen=True)
class Footholds:
    """Where a foot may stand, and how the spot is searched."""

    lead: Lead = Lead.mid_stance
    """``mid_stance``: where the body will be in the middle of the foot's next stance. ``half_period``: where it will be
    half a gait period after lift-off (row C9)."""
    lead_limit: Positive = Scaled(3.0, TIME)
    """Longest time looked ahead [s] (row D8)."""
    ray: Ray = Ray.vertical
    """``vertical``: a ray straight down onto the wished spot. ``from_pole``: from a point over the hip towards it, up
    to twice the distance (row C10)."""
    ray_above: Positive = 1.0
    """Start of a vertical ray over the wished spot, and height of the point over the hip [leg lengths]."""
    ray_below: Positive = 2.0
    """End of a vertical ray below the wished spot [leg lengths]."""
    slope_limit: Annotated[float, Gt(0), Le(math.pi / 2)] = 0.9
    """Steepest ground to stand on [rad]."""
    edge_tolerance: Positive = 0.5
    """Ground around a spot may leave the plane through it by this share of the foot's radius."""
    search_radius: NotNegative = 0.3
    """How far from the wish a spot may lie [leg lengths]."""
    stay_bonus: Share = 0.5
    """Share of its distance that the spot taken last is let off, so that the choice does not hop."""
    reach_limit: Share = 0.975
    """Share of its reach that a leg may use in the coming stance."""
    drop_budget: NotNegative = 0.03
    """How far the body may come down for a foothold, beyond what its height over the feet does by itself
    [leg lengths]."""
    foot_gap: NotNegative = 0.02
    """Least distance between the edges of two feet [leg lengths]."""
    retarget_distance: NotNegative = 0.0015
    """A foot in the air is sent to a new spot when its wish has moved this far [leg lengths]."""
    retarget_until: Share = 0.6
    """Progress of the swing after which its foothold stands."""

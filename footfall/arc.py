"""The arc of a swing: how far along the line between its ends a foot is, and how high over it."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt, Le

from footfall.compile import allocating_kernel, inline
from footfall.frames.scalar import add_scaled, lerp, load3, smoothstep, unit_or
from footfall.froude import LENGTH, Scaled
from footfall.world.surface_pose import to_world, to_world_direction

NotNegative = Annotated[float, Ge(0)]
Positive = Annotated[float, Gt(0)]
Share = Annotated[float, Ge(0), Le(1)]


STEEP_START, STEEP_END = 0.3, 0.72  # horizontal move of a steep swing, in progress


class Profile(enum.IntEnum):
    """Shape of the lift over the progress u of a swing."""

    parabola = 0
    heavy = 1
    smooth = 2


@dataclass(frozen=True)
class Swing:
    """How a foot travels through the air."""

    profile: Profile = Profile.smooth
    """``parabola``: 4u(1−u). ``heavy``: sin(π uᵏ), which lifts fast, hangs and slams. ``smooth``: 16u²(1−u)², which
    leaves and meets the ground without a jolt."""
    exponent: Positive = 0.72
    """k of the ``heavy`` profile; 0.72 has its peak at u = 0.382."""
    height: Positive = Scaled(0.1, LENGTH)
    """Lift of a full step over the line between its ends [m]."""
    short_lift: Share = 0.35
    """Share of the height that a step of no length keeps."""
    full_length: Positive = Scaled(0.5, LENGTH)
    """Length from which a step has its full height [m]."""
    move_start: Share = 0.0
    """Progress at which the horizontal move begins."""
    move_end: Share = 1.0
    """Progress at which it is finished."""
    along_normal: bool = False
    """Lift along the normal of the ground instead of straight up."""
    clearance: NotNegative = 0.012
    """Height that the sole keeps over the ground on its way [leg lengths]."""
    lift_max: Positive = 0.5
    """Greatest lift over an obstacle; above it the foothold is refused [leg lengths]."""


@inline
def lift_share(swing, u):
    """Lift at progress u as a share of the full lift."""
    if u <= 0.0 or u >= 1.0:
        return 0.0
    if swing["profile"] == 0:
        return 4.0 * u * (1.0 - u)
    if swing["profile"] == 1:
        return math.sin(math.pi * u ** swing["exponent"])
    return 16.0 * u * u * (1.0 - u) * (1.0 - u)


@inline
def move_window(swing, steep):
    """Progress at which the horizontal move begins and is finished; a steep swing goes up first and comes down last."""
    if steep != 0:
        return max(swing["move_start"], STEEP_START), min(swing["move_end"], STEEP_END)
    return swing["move_start"], swing["move_end"]


@inline
def move_share(swing, u, steep):
    """Share of the way that is done at progress u: eased, with no speed at both ends."""
    first, last = move_window(swing, steep)
    return smoothstep((u - first) / (last - first))


@inline
def progress_at(swing, s, steep):
    """Progress at which the share s of the way is done; the inverse of ``move_share``."""
    first, last = move_window(swing, steep)
    eased = 0.5 - math.sin(math.asin(min(max(1.0 - 2.0 * s, -1.0), 1.0)) / 3.0)
    return first + eased * (last - first)


PATH_SAMPLES = 10  # edges that the way between two footholds is looked at in


@inline
def sample_along(sample):
    """Share of the way at a sample; near both ends the foot goes straight up and down: look just inside them."""
    return min(max(sample / PATH_SAMPLES, 0.02), 0.98)


@allocating_kernel
def arc_table(swing):
    """Progress and share of the lift at each sample of a whole swing ``[samples, 2]``."""
    table = np.zeros((PATH_SAMPLES + 1, 2))
    for sample in range(PATH_SAMPLES + 1):
        u = progress_at(swing, sample_along(sample), 0)
        table[sample, 0] = u
        table[sample, 1] = lift_share(swing, u)
    return table


@inline
def step_height(swing, stride):
    """Lift of a step by its length [m]: short corrective steps are lower (row D11)."""
    share = swing["short_lift"] + (1.0 - swing["short_lift"]) * stride / swing["full_length"]
    return swing["height"] * min(max(share, swing["short_lift"]), 1.0)


@inline
def swing_progress(leg, time):
    """Share of the swing's time that is over."""
    return min(max((time - leg["lift_off"]) / (leg["touchdown"] - leg["lift_off"]), 0.0), 1.0)


@inline
def lift_direction(swing, from_normal, to_normal, s, up):
    """Unit vector that the foot is lifted along."""
    if swing["along_normal"] == 0:
        return up
    return unit_or(lerp(from_normal, to_normal, s), up)


@inline
def arc_point(swing, origin, from_normal, target, to_normal, lift, steep, u, up):
    """Point of the arc at progress u, world [m]."""
    s = move_share(swing, u, steep)
    share = lift_share(swing, u)
    return add_scaled(lerp(origin, target, s), lift_direction(swing, from_normal, to_normal, s, up), lift * share)


@inline
def origin_world(world, leg):
    """Start of the swing and the normal of the ground there, world: they go along with the surface that was left."""
    surface = leg["surface"]
    point = to_world(world, surface, load3(leg["origin"]))
    return point, to_world_direction(world, surface, load3(leg["origin_normal"]))


@inline
def target_world(world, leg):
    """Foothold of the swing and the normal of the ground there, world."""
    surface = leg["target_surface"]
    point = to_world(world, surface, load3(leg["target"]))
    return point, to_world_direction(world, surface, load3(leg["target_normal"]))

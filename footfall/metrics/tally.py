"""What is kept between frames while numbers are measured: peaks, counts, histograms. Its size never grows."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-incomplete-defs=False

from __future__ import annotations

import enum
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from footfall.compile import inline
from footfall.records import Records
from footfall.state import Array


class PeakOf(enum.IntEnum):
    """Numbers of which the largest is kept, with where it was."""

    slip = 0  #: square of a stance's drift [m²]
    penetration = 1  #: [m]
    hover = 2  #: [m]
    reach = 3  #: [m]
    ik = 4  #: square [m²]
    track = 5  #: square [m²]
    bone_turn = 6  #: sin²(angle / 2) between frames; ``leg`` -1 is a trunk
    overhang = 7  #: less the support margin [m]
    airborne = 8  #: feet
    knee_step = 9  #: [rad]
    knee_rate = 10  #: [rad/s]
    sole_speed = 11  #: square [m²/s²]
    sole_acceleration = 12  #: square [m²/s⁴], in swing
    body_acceleration = 13  #: square [m²/s⁴]
    body_jerk = 14  #: square [m²/s⁶]
    body_spin = 15  #: change of angular velocity [rad/s²], squared
    lift = 16  #: height of a swinging sole over the ground [m]


class CountOf(enum.IntEnum):
    """Numbers that are counted."""

    reach = 0  #: leg-ticks
    flips = 1
    limits = 2  #: leg-ticks
    not_finite = 3  #: leg-ticks, and trunks
    planted = 4  #: leg-ticks
    legs = 5  #: leg-ticks
    swing_over_ground = 6  #: leg-ticks
    swing_low = 7  #: leg-ticks
    latched = 8  #: agent-ticks
    no_ground = 9  #: leg-ticks over a hole
    unsupported = 10  #: agent-ticks


class SpreadOf(enum.IntEnum):
    """Numbers of which the spread is kept, as histograms."""

    slip = 0  #: of each stance [m]
    sole_acceleration = 1  #: [m/s²], in swing
    body_acceleration = 2  #: [m/s²]


PEAK = np.dtype(
    [
        ("value", np.float64),  #: as ``PeakOf`` says
        ("time", np.float64),  #: [s]
        ("agent", np.int64),
        ("leg", np.int64),  #: -1 where it is not a leg's
    ],
    align=True,
)

#: What is kept of one leg.
LEG_MEMORY = np.dtype(
    [
        ("standing", np.int64),  #: 1 in stance
        ("lift_off", np.float64),  #: names the stance: the lift-off before it [s]
        ("start", np.float64, (3,)),  #: where the sole stood as the stance began, frame of the surface [m]
        ("drift", np.float64),  #: square of the largest drift since [m²]
        ("sole", np.float64, (3,)),  #: world [m]
        ("velocity", np.float64, (3,)),  #: [m/s]
        ("bent", np.int64),  #: 1: ``bend`` holds a direction
        ("bend", np.float64, (3,)),  #: side of the knee when it was last well defined, trunk frame
        ("knee", np.float64),  #: [rad]
    ],
    align=True,
)

#: What is kept of one agent.
AGENT_MEMORY = np.dtype(
    [
        ("position", np.float64, (3,)),  #: body, world [m]
        ("forward", np.float64, (3,)),  #: heading, world
        ("velocity", np.float64, (3,)),  #: [m/s]
        ("acceleration", np.float64, (3,)),  #: [m/s²]
        ("spin", np.float64, (3,)),  #: angular velocity, world [rad/s]
        ("way", np.float64),  #: way along the heading [m]
        ("track", np.float64),  #: sum of squares of the tracking error [m²]
    ],
    align=True,
)

BINS_PER_DECADE = 100
LOWEST = -12  # decade that the histograms begin with
BINS = 24 * BINS_PER_DECADE + 1  # bin 0 holds all that is less


class Tally(NamedTuple):
    """All that is kept between frames."""

    peaks: Records
    """``PEAK [PeakOf]``."""
    counts: NDArray[np.int64]
    """``[CountOf]``."""
    spreads: NDArray[np.int64]
    """``[SpreadOf, bins]``."""
    legs: Records
    """``LEG_MEMORY [agents, legs]``."""
    agents: Records
    """``AGENT_MEMORY [agents]``."""
    bones: Array
    """``[agents, bones, 3]`` directions of the bones, world."""
    hinges: Array
    """``[agents, bones, 3]`` world."""
    rotations: Array
    """``[agents, trunks, 4]``."""


def make_tally(agents: int, legs: int, bones: int, trunks: int) -> Tally:
    """A tally of nothing yet."""
    peaks = np.zeros(len(PeakOf), PEAK)
    peaks["value"] = -math.inf
    return Tally(
        peaks, np.zeros(len(CountOf), np.int64), np.zeros((len(SpreadOf), BINS), np.int64),
        np.zeros((agents, legs), LEG_MEMORY), np.zeros(agents, AGENT_MEMORY), np.zeros((agents, bones, 3)),
        np.zeros((agents, bones, 3)), np.zeros((agents, trunks, 4)),
    )  # fmt: skip


@inline
def note_peak(peaks, which, value, time, agent, leg):
    """Keep a value where it is the largest yet."""
    if value > peaks[which]["value"]:
        peaks[which]["value"] = value
        peaks[which]["time"] = time
        peaks[which]["agent"] = agent
        peaks[which]["leg"] = leg


@inline
def bin_of(value):
    """Bin of a value ≥ 0."""
    if value < 10.0**LOWEST:
        return 0
    return min(int((math.log10(value) - LOWEST) * BINS_PER_DECADE) + 1, BINS - 1)


def histogram(values: Array) -> NDArray[np.int64]:
    """``bin_of`` all values ``[n]`` ≥ 0, counted ``[bins]``."""
    bins = np.zeros(len(values), np.int64)
    counted = values >= 10.0**LOWEST
    bins[counted] = ((np.log10(values[counted]) - LOWEST) * BINS_PER_DECADE).astype(np.int64) + 1
    return np.bincount(np.minimum(bins, BINS - 1), minlength=BINS)


def percentile(counts: NDArray[np.int64], share: float) -> float:
    """Value that ``share`` of what a histogram holds does not exceed, to the next bin's edge (2.3 %); 0 of nothing."""
    total = int(counts.sum())
    if total == 0:
        return 0.0
    place = int(np.searchsorted(np.cumsum(counts), math.ceil(share * total)))
    return 0.0 if place == 0 else float(10.0 ** (LOWEST + place / BINS_PER_DECADE))

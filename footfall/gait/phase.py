"""The phase: it runs with the cadence, each leg at its offset, and never jumps."""

from __future__ import annotations

import math

import numpy as np

from footfall.compile import inline
from footfall.gait.laws import cadence_at, stride_at


@inline
def frac(x):
    """The part after the point, in [0, 1)."""
    return x - np.floor(x)  # math.floor would go by way of a whole number


@inline
def leg_phase(phase, offset):
    """Phase of one leg [cycles], in [0, 1)."""
    return frac(phase + offset)


@inline
def advance_phase(c, body, motion, speed, walking, unsettled, dt):
    """Integrate the phase over a step; return its progress [cycles]."""
    gait = c.gaits[body["gait"]]
    if not walking:
        cadence = gait["shuffle_cadence"] if unsettled else 0.0
    elif gait["clock"] == 1:
        v = motion["velocity"]
        way = max(math.sqrt(v[0] * v[0] + v[1] * v[1]), abs(motion["yaw_rate"]) * c.machine[0]["rest_radius"])
        cadence = way / stride_at(gait, way)
    else:
        cadence = cadence_at(gait, speed)
    body["cadence"] = cadence
    progress = cadence * dt if body["waiting"] == 0 else 0.0
    if walking and gait["clock"] == 1:
        progress *= body["governor"]  # the way that was really gone
    body["phase"] = frac(body["phase"] + progress)
    return progress


@inline
def move_offsets(c, body, legs, progress, at_rest):
    """Let offsets and duty factor follow the gait; true where they were on their way when the step began.

    Each offset goes the shorter way round at half the pace of the phase, so that no leg's phase ever runs backward.
    At rest they are simply set.
    """
    moving = False
    gait = body["gait"]
    for index in range(c.legs.shape[0]):
        leg = legs[index]
        way = frac(c.offsets[gait, index] - leg["phase_offset"] + 0.5) - 0.5
        step = way if at_rest else min(max(way, -0.5 * progress), 0.5 * progress)
        if way != 0.0:
            leg["phase_offset"] = c.offsets[gait, index] if step == way else frac(leg["phase_offset"] + step)
            moving = moving or not at_rest
    way = c.gaits[gait]["duty_factor"] - body["duty"]
    step = way if at_rest else min(max(way, -0.25 * progress), 0.25 * progress)
    body["duty"] = c.gaits[gait]["duty_factor"] if step == way else body["duty"] + step
    return moving or (way != 0.0 and not at_rest)

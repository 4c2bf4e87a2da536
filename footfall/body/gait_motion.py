"""Bob, sway, roll and twist: what the gait's phase does to the body."""

from __future__ import annotations

import math

from footfall.compile import inline
from footfall.gait import frac


@inline
def gait_motion(c, body):
    """Bob, sway, roll and twist at the present phase, counted from the first leg's lift-off (rows A30, A31)."""
    settings = c.carriage[0]
    turn = 2.0 * math.pi
    phase = frac(body["phase"] + body_lead(body))
    amplitude = body["amplitude"]
    bob = settings["bob"] * amplitude * math.cos(2.0 * turn * (phase - settings["bob_phase"]))
    once = amplitude * math.cos(turn * (phase - settings["sway_phase"]))
    return bob, settings["sway"] * once, settings["roll"] * once, settings["twist"] * once


@inline
def body_lead(body):
    """Phase from the first leg's lift-off to its touchdown [cycles]."""
    return 1.0 - body["duty"]

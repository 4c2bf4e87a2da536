"""Footholds: where a foot will touch down.

The wish is where the foot rests under the body in the middle of its next stance, on the arc of the current turn. A
ray finds the ground there. A spot is taken if it is ground, not too steep, not at an edge, within reach for the whole
coming stance, clear of other feet, and if the foot can get there over what lies between. Otherwise the neighbouring
spots are tried; a hole is never a foothold.

One idea a file: ``settings``, ``prediction`` of the wish, ``ground`` under a spot, ``reach``, ``clearance`` of the way
there, ``spots`` and how one is judged, ``search`` among them, and ``flight``, the stage that begins and steers swings.
"""

from footfall.foothold.flight import find_footholds_agent
from footfall.foothold.ground import find_ground
from footfall.foothold.prediction import hip_at, rest_at, wish_time
from footfall.foothold.settings import Footholds
from footfall.foothold.spots import RINGS, SPOTS, judge_spot, spot_offset
from footfall.world.cast import ALL_LAYERS

__all__ = [
    "ALL_LAYERS",
    "RINGS",
    "SPOTS",
    "Footholds",
    "find_footholds_agent",
    "find_ground",
    "hip_at",
    "judge_spot",
    "rest_at",
    "spot_offset",
    "wish_time",
]

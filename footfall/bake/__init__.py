"""Bakes: a walk as a file that other programs play."""

from footfall.bake.bake import BOUND, FORMATS, Bake
from footfall.bake.recording import Motion, Recording

__all__ = ["BOUND", "FORMATS", "Bake", "Motion", "Recording"]

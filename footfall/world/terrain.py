"""Terrains by name or from a file."""

from __future__ import annotations

from pathlib import Path

from footfall.world.builtin import BUILDERS, build_terrain
from footfall.world.landscape import Terrain
from footfall.world.terrain_file import TerrainFile, build_from_file, load_terrain

__all__ = ["Terrain", "TerrainFile", "build_from_file", "load_terrain", "make_terrain", "terrain_names"]


def terrain_names() -> tuple[str, ...]:
    """Names of the built-in terrains."""
    return tuple(BUILDERS)


def make_terrain(name: str, leg_length: float, scale: float = 1.0, seed: int = 0) -> Terrain:
    """A terrain for a machine.

    Args:
        name: a built-in name, or the path of a terrain file.
        leg_length: the machine's unit of length [m]; features of built-in terrains are multiples of it.
        scale: multiplies all features.
        seed: of what is random in it.

    Raises:
        FootfallError: the name is unknown or a number makes no sense.
        FileError: the file has faults.
    """
    if name not in BUILDERS and Path(name).suffix in (".yaml", ".yml"):
        return load_terrain(name, leg_length, scale)
    return build_terrain(name, leg_length, scale, seed)

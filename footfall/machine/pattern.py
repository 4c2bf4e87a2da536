"""Phase offsets of the machine's own gait, and where its legs stand among each other."""

from __future__ import annotations

import numpy as np

from footfall.gaits import LIBRARY, Offsets, Place, places
from footfall.machine.expand import expand_trunks
from footfall.machine.file import MachineFile
from footfall.rig import Leg


def pattern_known(file: MachineFile) -> bool:
    """Whether the machine's own gait has phases: its legs' own, or those of the library."""
    return file.pattern == "legs" or file.pattern in LIBRARY


def own_offsets(file: MachineFile, legs: tuple[Leg, ...]) -> Offsets:
    """Phase offsets of the machine's own gait ``[legs]`` [cycles]."""
    if file.pattern == "legs":
        return np.array([leg.phase for leg in legs])
    return LIBRARY[file.pattern].offsets(leg_places(file, legs))


def leg_places(file: MachineFile, legs: tuple[Leg, ...]) -> list[Place]:
    """Where each leg stands among the others; rows of several trunks count along the body."""
    trunks, _ = expand_trunks(file.trunks)
    names = [trunk.name for trunk in trunks]
    ahead = np.array([-names.index(leg.trunk) * file.trunk_spacing for leg in legs])
    rests = np.array([leg.rest for leg in legs])
    rests[:, 0] += ahead
    return places(rests)

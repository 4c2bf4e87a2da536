"""The constants of a machine, bundled as kernels take them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from footfall.records import Records
from footfall.state import Array

#: Figures of a whole machine.
MACHINE = np.dtype(
    [
        ("leg_length", np.float64),  #: longest leg, stretched [m]
        ("stand_height", np.float64),  #: trunk origins over the ground at rest [m]
        ("inner_step", np.float64),  #: [s]
        ("path_spacing", np.float64),  #: way between two knots of the path [m]; 0 where there is one trunk
        ("path_half", np.float64),  #: way from the middle trunk to the end trunks [m]
        ("path_side", np.float64),  #: greatest distance of a resting sole from the path [m]
        ("rest_radius", np.float64),  #: greatest distance of a resting sole from the root, over the ground [m]
    ],
    align=True,
)


class Constants(NamedTuple):
    """Tables of one machine. Every table of settings is one record, ``[1]``, of the dataclass it is named after."""

    legs: Records
    """``LEG_RIG [legs]``."""
    segments: Records
    """``SEGMENT_RIG [segments]``."""
    trunk_offsets: Array
    """Way of each trunk along the path, positive ahead of the middle trunk ``[trunks]`` [m]."""
    stabilise: Array
    """Share of the body's fast motion that each trunk does not follow ``[trunks]``."""
    gaits: Records
    """``Gait [gaits]``: the machine's own first."""
    offsets: Array
    """Phase offset of each leg in each gait ``[gaits, legs]`` [cycles]."""
    travel: Records
    footholds: Records
    swing: Records
    landing: Records
    carriage: Records
    head: Records
    arc_table: Array
    """Progress and share of the lift at each sample of a swing's way ``[samples, 2]``."""
    machine: Records
    """``MACHINE [1]``: figures of the whole machine."""

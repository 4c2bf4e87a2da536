"""CSV: one row a frame, axes and quaternions as everywhere in footfall (z up, x forward, wxyz)."""

from __future__ import annotations

import numpy as np

from footfall.bake.recording import Motion
from footfall.io.csv import write_table


def to_csv(motion: Motion) -> str:
    """Time, root, body (the first trunk) and every sole, world [m]; 1 where a foot is planted."""
    columns: dict[str, np.ndarray] = {"time": motion.times}
    for name, position, rotation in (
        ("root", motion.root_position, motion.root_rotation),
        *(
            (trunk.name, motion.parts.position_world[:, index], motion.parts.rotation_world[:, index])
            for index, trunk in enumerate(motion.rig.trunks)
        ),
    ):
        columns |= {f"{name}_{axis}": position[:, n] for n, axis in enumerate("xyz")}
        columns |= {f"{name}_q{axis}": rotation[:, n] for n, axis in enumerate("wxyz")}
    for leg, name in enumerate(motion.rig.leg_names):
        columns |= {f"{name}_sole_{axis}": motion.soles[:, leg, n] for n, axis in enumerate("xyz")}
        columns[f"{name}_planted"] = motion.planted[:, leg].astype(np.int64)
    return write_table(columns)

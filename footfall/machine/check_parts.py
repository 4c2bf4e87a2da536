"""Faults of what hangs on trunks and bones: pistons and cameras."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from footfall.machine.fault import Fault, pointless, repeated, within
from footfall.machine.file import MachineFile
from footfall.rig import Camera

SHOWN = 12  # parts that a message names
PARALLEL = 1e-6  # sine of the least angle between the view and its up


def check_parts(file: MachineFile, trunks: Sequence[str], bones: Sequence[str] | None) -> Iterator[Fault]:
    """Faults of aims and cameras; ``bones`` are None where the legs have faults that hide them."""
    yield from repeated("aims", (aim.name for aim in file.aims), "aims")
    yield from repeated("cameras", (camera.name for camera in file.cameras), "cameras")
    if bones is not None:
        parts = [*trunks, *bones]
        for index, aim in enumerate(file.aims):
            for key in ("base_part", "end_part"):
                if getattr(aim, key) not in parts:
                    yield f"aims[{index}].{key}", f"is '{getattr(aim, key)}'; known parts: {name_some(parts)}"
    for index, camera in enumerate(file.cameras):
        yield from within(f"cameras[{index}]", check_camera(camera, trunks))


def check_camera(camera: Camera, trunks: Sequence[str]) -> Iterator[Fault]:
    """A camera on a trunk that there is not, or whose view has no up."""
    if camera.trunk not in trunks:
        yield "trunk", f"is '{camera.trunk}'; known trunks: {', '.join(trunks)}"
    faults = [*pointless("forward", camera.forward), *pointless("up", camera.up)]
    yield from faults
    if not faults:
        forward, up = np.array(camera.forward), np.array(camera.up)
        least = PARALLEL * math.hypot(*camera.forward) * math.hypot(*camera.up)
        if np.linalg.norm(np.cross(forward, up)) < least:
            yield "forward", "is parallel to up; allowed: any direction that is not"


def name_some(names: Sequence[str]) -> str:
    """Names for a message, not too many."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more

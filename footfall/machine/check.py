"""Faults of a machine file that no single key shows, all of them that do not hang on another."""

from __future__ import annotations

from collections.abc import Iterator

from footfall.articulation import check_articulation
from footfall.machine.check_legs import check_leg, misplaced
from footfall.machine.check_parts import check_parts
from footfall.machine.check_settings import check_airborne, check_settings
from footfall.machine.expand import expand_legs, expand_trunks
from footfall.machine.fault import Fault, repeated, within
from footfall.machine.file import MachineFile, PlannerName
from footfall.rig import leg_bones


def check_machine(file: MachineFile) -> Iterator[Fault]:
    """Faults of a machine file that no single key shows, each with the path of the key it is reported at."""
    trunks, _ = expand_trunks(file.trunks)
    names = [trunk.name for trunk in trunks]
    yield from repeated("trunks", names, "trunks")
    yield from check_settings(file)
    lost: list[Fault] = []
    for index, leg in enumerate(file.legs):
        lost += within(f"legs[{index}]", misplaced(leg, names))
        yield from within(f"legs[{index}]", check_leg(file, leg))
    yield from lost
    bones = None
    if not lost:
        legs = expand_legs(file.legs, trunks)
        bones = [bone for leg in legs for bone in leg_bones(leg)]
        yield from repeated("legs", (leg.name for leg in legs), "legs")
        yield from check_airborne(file, legs)
    yield from check_parts(file, names, bones)
    if file.articulation is not None:
        yield from check_articulation(file.articulation, file.legs)
        if len(trunks) > 1:
            yield "articulation", f"is of one trunk; there are {len(trunks)}"
    if file.planner == PlannerName.clip:
        yield "planner", "is 'clip'; this version knows: gait"

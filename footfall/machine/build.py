"""From a checked file to a machine: its rig and its tables of constants."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from footfall.arc import Swing, arc_table
from footfall.body import Carriage
from footfall.constants import MACHINE, Constants
from footfall.foothold import Footholds
from footfall.gait import Gait, Landing
from footfall.gaits import LIBRARY, Offsets, most_airborne
from footfall.head import Head
from footfall.machine.expand import expand_legs, expand_trunks
from footfall.machine.file import DriveName, MachineFile
from footfall.machine.machine import OWN, Machine
from footfall.machine.pattern import leg_places, own_offsets
from footfall.motion import Travel
from footfall.path import KNOTS_PER_TRUNK
from footfall.records import Records, to_records
from footfall.rig import Leg, Rig, build_rig

NEVER = 0.0  # greatest speed of a gait that is not chosen automatically [m/s]


def driven_by(machine: Machine, drive: DriveName) -> Machine:
    """The same machine with another drive."""
    return machine if drive == machine.file.drive else build_machine(replace(machine.file, drive=drive))


def build_machine(file: MachineFile) -> Machine:
    """Rig and constants of a machine file that has been checked."""
    trunks, shares = expand_trunks(file.trunks)
    legs = expand_legs(file.legs, trunks)
    rig = build_rig(trunks, legs, file.stand_height, file.trunk_spacing, file.aims, file.cameras)
    gaits, offsets = build_gaits(file, legs)
    swing = to_records([file.swing], Swing)
    constants = Constants(
        legs=rig.leg_table,
        segments=rig.segment_table,
        trunk_offsets=rig.trunk_offsets,
        stabilise=np.array(shares),
        gaits=to_records(gaits, Gait),
        offsets=np.array(offsets),
        travel=to_records([file.travel], Travel),
        footholds=to_records([file.foothold], Footholds),
        swing=swing,
        landing=to_records([file.landing], Landing),
        carriage=to_records([file.body], Carriage),
        head=to_records([file.head], Head),
        arc_table=arc_table(swing[0]),
        machine=measure_rig(file, rig),
    )
    return Machine(file, rig, constants, (OWN, *LIBRARY))


def build_gaits(file: MachineFile, legs: tuple[Leg, ...]) -> tuple[list[Gait], list[Offsets]]:
    """The machine's own gait and those of the library, each with its phase offsets ``[legs]`` [cycles]."""
    gaits = [file.gait]
    offsets = [own_offsets(file, legs)]
    where = leg_places(file, legs)
    speeds = {entry.gait: entry.speed_max for entry in file.automatic}
    for name, named in LIBRARY.items():
        duty = named.duty_factor(len(legs))
        moved = named.offsets(where)
        limit, speed = most_airborne(moved, duty), speeds.get(name, NEVER)
        gaits.append(replace(file.gait, duty_factor=duty, swing_time=0.0, airborne_limit=limit, speed_max=speed))
        offsets.append(moved)
    return gaits, offsets


def measure_rig(file: MachineFile, rig: Rig) -> Records:
    """Figures of the whole machine, one ``MACHINE`` record."""
    figures = np.zeros(1, MACHINE)
    row = figures[0]
    path = file.trunk_spacing > 0.0
    rests = rig.leg_table["rest"]
    row["leg_length"], row["stand_height"], row["inner_step"] = rig.leg_length, file.stand_height, 1.0 / file.inner_rate
    row["path_spacing"] = file.trunk_spacing / KNOTS_PER_TRUNK if path else 0.0
    row["path_half"] = abs(rig.trunk_offsets).max() if path else 0.0
    row["path_side"] = np.abs(rests[:, 1]).max() if path else 0.0
    reaches = rests[:, 0] + rig.trunk_offsets[rig.leg_table["trunk"]]
    row["rest_radius"] = np.hypot(reaches, rests[:, 1]).max()
    return figures

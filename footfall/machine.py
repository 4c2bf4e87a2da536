"""Machines as data: a YAML file, checked whole, becomes a rig and its constants."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from importlib import resources
from pathlib import Path
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt, Le, MinLen

from footfall.arc import Swing, arc_table
from footfall.body import Carriage
from footfall.constants import MACHINE, Constants
from footfall.documents import load_document
from footfall.errors import FootfallError
from footfall.foothold import Footholds
from footfall.gait import Gait
from footfall.gaits import LIBRARY, most_airborne, places
from footfall.head import Head
from footfall.motion import Travel
from footfall.path import KNOTS_PER_TRUNK
from footfall.records import to_records
from footfall.rig import Aim, Camera, Leg, Rig, Solver, Trunk, Vector, build_rig, leg_reach

Positive = Annotated[float, Gt(0)]

NEVER = 0.0  # greatest speed of a gait that is not chosen automatically [m/s]


class DriveName(enum.IntEnum):
    """Who moves the feet."""

    kinematic = 0
    force = 1


class PlannerName(enum.IntEnum):
    """Where the plan comes from."""

    gait = 0
    clip = 1


@dataclass(frozen=True)
class LegEntry(Leg):
    """A leg in a file, or several alike."""

    mirror: bool = False
    """Two legs, ``left_<name>`` as given and ``right_<name>`` with y reflected."""
    rows: Annotated[int, Ge(1), Le(200)] = 1
    """That many legs one behind the other, each on the next trunk, ``<name>_1`` the foremost."""


@dataclass(frozen=True)
class TrunkEntry(Trunk):
    """A trunk in a file, or several alike."""

    count: Annotated[int, Ge(1), Le(200)] = 1
    """That many trunks one behind the other, ``<name>_1`` the foremost."""
    stabilise: Annotated[float, Ge(0), Le(1)] = 0.0
    """Share of the body's bob, sway, roll, twist and impacts that this trunk does not follow."""


@dataclass(frozen=True)
class AutomaticGait:
    """A gait of the library that the automatic choice may take."""

    gait: str
    """Its name."""
    speed_max: Positive
    """Up to this speed [m/s] it is taken, where no slower gait serves."""


@dataclass(frozen=True)
class MachineFile:
    """A machine as its file has it."""

    name: str
    """Short name."""
    title: str
    """What it is, in a few words."""
    cruise_speed: Positive
    """Speed where nothing else is asked for [m/s]."""
    stand_height: Positive
    """Height of the trunks' origins over the ground at rest [m]."""
    trunks: Annotated[tuple[TrunkEntry, ...], MinLen(1)]
    legs: Annotated[tuple[LegEntry, ...], MinLen(1)]
    trunk_spacing: Annotated[float, Ge(0)] = 0.0
    """Way between neighbouring trunks along their path [m]; 0 is one body."""
    inner_rate: Annotated[float, Ge(20), Le(1000)] = 60.0
    """Inner steps a second [Hz]."""
    drive: DriveName = DriveName.kinematic
    planner: PlannerName = PlannerName.gait
    pattern: str = "legs"
    """Phase offsets of the machine's own gait: ``legs`` takes each leg's ``phase``, else a name of the library."""
    travel: Travel = field(default_factory=Travel)
    gait: Gait = field(default_factory=Gait)
    automatic: tuple[AutomaticGait, ...] = ()
    """Gaits besides the machine's own for the automatic choice by speed."""
    foothold: Footholds = field(default_factory=Footholds)
    swing: Swing = field(default_factory=Swing)
    body: Carriage = field(default_factory=Carriage)
    head: Head = field(default_factory=Head)
    aims: tuple[Aim, ...] = ()
    cameras: tuple[Camera, ...] = ()


@dataclass(frozen=True)
class Machine:
    """A machine, ready to walk."""

    file: MachineFile
    rig: Rig
    constants: Constants
    gait_names: tuple[str, ...]
    """The machine's own gait first."""

    @property
    def name(self) -> str:
        """Short name."""
        return self.file.name

    @property
    def inner_step(self) -> float:
        """Length of one inner step [s]."""
        return float(self.constants.machine[0]["inner_step"])

    @property
    def leg_length(self) -> float:
        """Longest leg, stretched [m]."""
        return self.rig.leg_length

    @property
    def ground(self) -> bool:
        """Whether the feet mind the ground; the comparison machine's do not."""
        return not any(leg.fixed_loop for leg in self.file.legs)

    @property
    def airborne_limit(self) -> int:
        """Most feet that the machine's own gait may lift at once."""
        return self.file.gait.airborne_limit

    @property
    def duty_factor(self) -> float:
        """Share of stance at the cruising speed."""
        gait = self.file.gait
        if gait.swing_time <= 0.0:
            return gait.duty_factor
        cadence = self.file.cruise_speed / gait.stride
        return 1.0 - min(gait.swing_time * cadence, (gait.airborne_limit - 0.01) / len(self.rig.legs))

    def gait_index(self, name: str) -> int:
        """Index of a gait by its name; ``auto`` chooses by speed.

        Raises:
            FootfallError: there is no such gait.
        """
        if name == "auto":
            return -1
        if name not in self.gait_names:
            raise FootfallError(f"gait is '{name}'; known gaits: auto, {', '.join(self.gait_names)}")
        return self.gait_names.index(name)


def _reflect(vector: Vector) -> Vector:
    return (vector[0], -vector[1], vector[2])


def _mirrored(leg: Leg) -> Leg:
    return replace(
        leg,
        hip=_reflect(leg.hip),
        rest=(leg.rest[0], -leg.rest[1]),
        pole=_reflect(leg.pole),
        metatarsus=_reflect(leg.metatarsus),
        metatarsus_kneel=_reflect(leg.metatarsus_kneel),
        metatarsus_fold=_reflect(leg.metatarsus_fold),
        # an axis is reflected as a rotation is: the other way about
        hinges=tuple(replace(hinge, axis=(-hinge.axis[0], hinge.axis[1], -hinge.axis[2])) for hinge in leg.hinges),
        directions=tuple(_reflect(direction) for direction in leg.directions),
    )


def _plain(entry: LegEntry, name: str, trunk: str) -> Leg:
    values = {item.name: getattr(entry, item.name) for item in fields(Leg)}
    return Leg(**{**values, "name": name, "trunk": trunk})


def expand_trunks(entries: tuple[TrunkEntry, ...]) -> tuple[tuple[Trunk, ...], list[float]]:
    """Trunks front to rear, and each one's share of stabilisation."""
    trunks: list[Trunk] = []
    shares: list[float] = []
    for entry in entries:
        for number in range(1, entry.count + 1):
            name = entry.name if entry.count == 1 else f"{entry.name}_{number}"
            trunks.append(Trunk(name, entry.size, entry.centre))
            shares.append(entry.stabilise)
    return tuple(trunks), shares


def expand_legs(entries: tuple[LegEntry, ...], trunks: tuple[Trunk, ...]) -> tuple[Leg, ...]:
    """Legs with mirrors and rows written out."""
    names = [trunk.name for trunk in trunks]
    legs: list[Leg] = []
    for entry in entries:
        first = names.index(entry.trunk)
        for row in range(entry.rows):
            trunk = names[first + row] if entry.rows > 1 else entry.trunk
            name = entry.name if entry.rows == 1 else f"{entry.name}_{row + 1}"
            if entry.mirror:
                legs.append(_plain(entry, f"left_{name}", trunk))
                legs.append(_mirrored(_plain(entry, f"right_{name}", trunk)))
            else:
                legs.append(_plain(entry, name, trunk))
    return tuple(legs)


SEGMENTS = {Solver.two_bone: 2, Solver.pantograph: 3, Solver.three_segment: 3}


def check_machine(file: MachineFile) -> Iterator[tuple[str, str]]:
    """Faults of a machine file that no single key shows, each with the path of the key it is reported at."""
    trunks, _ = expand_trunks(file.trunks)
    names = [trunk.name for trunk in trunks]
    if len(set(names)) < len(names):
        yield "trunks", "has two trunks of one name"
        return
    if file.pattern != "legs" and file.pattern not in LIBRARY:
        yield "pattern", f"is '{file.pattern}'; allowed: legs, {', '.join(LIBRARY)}"
    for index, leg in enumerate(file.legs):
        where = f"legs[{index}]"
        if leg.trunk not in names:
            yield f"{where}.trunk", f"is '{leg.trunk}'; known trunks: {', '.join(names)}"
            return
        if names.index(leg.trunk) + leg.rows > len(names) and leg.rows > 1:
            yield (
                f"{where}.rows",
                f"is {leg.rows}; there are {len(names) - names.index(leg.trunk)} trunks from '{leg.trunk}' on",
            )
            return
        wanted = SEGMENTS.get(leg.solver)
        if wanted is not None and len(leg.segments) != wanted:
            yield f"{where}.segments", f"has {len(leg.segments)} bones; {leg.solver.name} takes {wanted}"
            return
        if leg.solver == Solver.fabrik and len(leg.segments) < 2:
            yield f"{where}.segments", "has 1 bone; fabrik takes 2 or more"
            return
        if leg.solver == Solver.chain and not len(leg.hinges) == len(leg.directions) == len(leg.segments):
            yield f"{where}.segments", f"has {len(leg.segments)} bones; chain takes a hinge and a direction for each"
            return
        for key in ("pole", "metatarsus", "metatarsus_kneel"):
            if math.hypot(*getattr(leg, key)) < 1e-9:
                yield f"{where}.{key}", "has no length; a direction is needed"
                return
        for hinge_index, hinge in enumerate(leg.hinges):
            if math.hypot(*hinge.axis) < 1e-9:
                yield f"{where}.hinges[{hinge_index}].axis", "has no length; a direction is needed"
                return
            if not hinge.lower <= hinge.rest <= hinge.upper:
                yield (
                    f"{where}.hinges[{hinge_index}].rest",
                    f"is {hinge.rest:g} rad; allowed: {hinge.lower:g} to {hinge.upper:g}",
                )
        if leg.knee_min >= leg.knee_max:
            yield f"{where}.knee_min", f"is {leg.knee_min:g} rad; allowed: less than knee_max, {leg.knee_max:g}"
            return
        if leg.fixed_loop:
            continue
        low, high = leg_reach(leg)
        end = np.array([*leg.rest, leg.foot_height - file.stand_height])
        if leg.solver == Solver.three_segment:
            end = end + np.array(leg.metatarsus) / math.hypot(*leg.metatarsus) * leg.segments[2]
        span = float(np.linalg.norm(end - np.array(leg.hip)))
        if not low <= span <= 0.995 * high:
            yield (
                f"{where}.rest",
                (f"is {span:.3g} m from the hip when standing; the leg reaches from {low:.3g} to {0.995 * high:.3g} m"),
            )
    legs = expand_legs(file.legs, trunks)
    if len({leg.name for leg in legs}) < len(legs):
        yield "legs", "has two legs of one name"
        return
    if file.gait.airborne_limit >= len(legs) > 1:
        yield "gait.airborne_limit", f"is {file.gait.airborne_limit}; allowed: less than the {len(legs)} legs"
    if file.gait.swing_time <= 0.0:
        phases, duty = own_offsets(file, legs), file.gait.duty_factor
        most = most_airborne(phases, duty)
        if most > file.gait.airborne_limit:
            yield (
                "gait.duty_factor",
                (
                    f"is {file.gait.duty_factor:g}: with the legs' phases {most} feet are in the air at once;"
                    f" gait.airborne_limit allows {file.gait.airborne_limit}"
                ),
            )
        elif file.gait.airborne_limit == len(legs) - 1 and most_airborne(phases, duty - 1e-6) == len(legs):
            yield (
                "gait.duty_factor",
                (f"is {duty:g}: the last foot on the ground lifts as another lands; allowed: more, one always stands"),
            )
    for index, entry in enumerate(file.automatic):
        if entry.gait not in LIBRARY:
            yield f"automatic[{index}].gait", f"is '{entry.gait}'; allowed: {', '.join(LIBRARY)}"
    if file.gait.stride_min > file.gait.stride_max:
        yield "gait.stride_min", f"is {file.gait.stride_min:g}; allowed: up to stride_max, {file.gait.stride_max:g}"
    if file.gait.cadence_min > file.gait.cadence_max:
        yield "gait.cadence_min", f"is {file.gait.cadence_min:g}; allowed: up to cadence_max, {file.gait.cadence_max:g}"
    if file.swing.move_start >= file.swing.move_end:
        yield "swing.move_start", f"is {file.swing.move_start:g}; allowed: less than move_end, {file.swing.move_end:g}"
    if file.travel.governor_start >= file.travel.governor_stop:
        yield "travel.governor_start", "is not less than governor_stop"
    if file.planner == PlannerName.clip:
        yield "planner", "is 'clip'; this version knows: gait"
    if file.drive == DriveName.force:
        yield "drive", "is 'force'; this version knows: kinematic"


def own_offsets(file: MachineFile, legs: tuple[Leg, ...]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Phase offsets of the machine's own gait ``[legs]`` [cycles]."""
    if file.pattern == "legs":
        return np.array([leg.phase for leg in legs])
    return LIBRARY[file.pattern].offsets(leg_places(file, legs))


def leg_places(file: MachineFile, legs: tuple[Leg, ...]) -> list:  # type: ignore[type-arg]
    """Where each leg stands among the others; rows of several trunks count along the body."""
    trunks, _ = expand_trunks(file.trunks)
    names = [trunk.name for trunk in trunks]
    ahead = np.array([-names.index(leg.trunk) * file.trunk_spacing for leg in legs])
    rests = np.array([leg.rest for leg in legs])
    rests[:, 0] += ahead
    return places(rests)


def build_machine(file: MachineFile) -> Machine:
    """Rig and constants of a machine file that has been checked."""
    trunks, shares = expand_trunks(file.trunks)
    legs = expand_legs(file.legs, trunks)
    rig = build_rig(trunks, legs, file.stand_height, file.trunk_spacing, file.aims, file.cameras)
    own = own_offsets(file, legs)
    gaits = [file.gait]
    offsets = [own]
    where = leg_places(file, legs)
    speeds = {entry.gait: entry.speed_max for entry in file.automatic}
    for name, named in LIBRARY.items():
        duty = named.duty_factor(len(legs))
        moved = named.offsets(where)
        gaits.append(
            replace(
                file.gait,
                duty_factor=duty,
                swing_time=0.0,
                airborne_limit=most_airborne(moved, duty),
                speed_max=speeds.get(name, NEVER),
            )
        )
        offsets.append(moved)
    figures = np.zeros(1, MACHINE)
    row = figures[0]
    path = file.trunk_spacing > 0.0
    row["leg_length"], row["stand_height"], row["inner_step"] = rig.leg_length, file.stand_height, 1.0 / file.inner_rate
    row["path_spacing"] = file.trunk_spacing / KNOTS_PER_TRUNK if path else 0.0
    row["path_half"] = abs(rig.trunk_offsets).max() if path else 0.0
    row["path_side"] = np.abs(rig.leg_table["rest"][:, 1]).max() if path else 0.0
    row["main_trunk"] = len(trunks) // 2 if path else 0
    reaches = rig.leg_table["rest"][:, 0] + rig.trunk_offsets[rig.leg_table["trunk"]]
    row["rest_radius"] = np.hypot(reaches, rig.leg_table["rest"][:, 1]).max()
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
        carriage=to_records([file.body], Carriage),
        head=to_records([file.head], Head),
        arc_table=arc_table(swing[0]),
        machine=figures,
    )
    return Machine(file, rig, constants, (file.pattern if file.pattern != "legs" else "own", *LIBRARY))


def machine_names() -> list[str]:
    """Names of the built-in machines."""
    folder = resources.files("footfall") / "machines"
    return sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir() if entry.name.endswith(".yaml"))


def load_machine(name: str | Path) -> Machine:
    """Load a built-in machine by its name, or a machine file by its path.

    Raises:
        FileError: the file has faults; all of them are told.
        FootfallError: there is no such machine.
    """
    known = machine_names()
    if isinstance(name, str) and name in known:
        path = Path(str(resources.files("footfall") / "machines" / f"{name}.yaml"))
    else:
        path = Path(name)
        if not path.suffix and not path.exists():
            raise FootfallError(f"machine is '{name}'; known machines: {', '.join(known)}, or the path of a file")
    return build_machine(load_document(path, MachineFile, check_machine))

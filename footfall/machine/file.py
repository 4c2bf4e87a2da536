"""The machine file: its sections and entries, with their units and limits."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Annotated

from annotated_types import Ge, Gt, Le, MinLen

from footfall.arc import Swing
from footfall.articulation import Articulation
from footfall.body import Carriage
from footfall.documents import Like
from footfall.drives.force.settings import Force
from footfall.foothold import Footholds
from footfall.froude import at_size
from footfall.gait import Gait, Landing
from footfall.head import Head
from footfall.machine.names import find_like
from footfall.motion import Travel
from footfall.rig import Aim, Camera, Leg, Trunk

Positive = Annotated[float, Gt(0)]


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
    landing: Landing = field(default_factory=Landing)
    body: Carriage = field(default_factory=Carriage)
    force: Force = field(default_factory=Force)
    head: Head = field(default_factory=Head)
    aims: tuple[Aim, ...] = ()
    cameras: tuple[Camera, ...] = ()
    articulation: Articulation | None = None
    """Bodies, joints and motors, for the joint drive."""
    like: Annotated[str, Like(find_like)] = ""
    """A built-in machine, or a machine file relative to this one: what this file leaves out is as it is there."""

    def __post_init__(self) -> None:
        """Give all defaults that grow with the machine their figures; see ``froude``."""
        for name in ("travel", "gait", "foothold", "swing", "body"):
            object.__setattr__(self, name, at_size(getattr(self, name), self.leg_length))
        object.__setattr__(self, "aims", tuple(at_size(aim, self.leg_length) for aim in self.aims))

    @property
    def leg_length(self) -> float:
        """Longest leg, stretched, hip to sole [m]."""
        return max(sum(leg.segments) + leg.foot_height for leg in self.legs)

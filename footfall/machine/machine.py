"""A machine, ready to walk."""

from __future__ import annotations

from dataclasses import dataclass

from footfall.constants import Constants
from footfall.errors import FootfallError, known_names
from footfall.machine.file import DriveName, MachineFile
from footfall.rig import Rig

OWN, AUTO = "own", "auto"  # the machine's own gait, and the choice by speed


@dataclass(frozen=True)
class Machine:
    """A machine, ready to walk."""

    file: MachineFile
    rig: Rig
    constants: Constants
    gait_names: tuple[str, ...]
    """``own``, the machine's own gait, and those of the library."""

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
    def forced(self) -> bool:
        """Whether rigid bodies chase the plan; else the plan is the motion."""
        return self.file.drive == DriveName.force

    @property
    def ground(self) -> bool:
        """Whether the feet mind the ground; the comparison machine's do not."""
        return not any(leg.fixed_loop for leg in self.file.legs)

    @property
    def on_path(self) -> bool:
        """Whether its trunks follow a path; bodies that do not can be turned and moved over their feet."""
        return self.file.trunk_spacing > 0.0

    @property
    def kneels(self) -> bool:
        """Whether it can kneel."""
        return self.file.body.kneel_height > 0.0

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
        """Index of a gait by its name: ``own`` is the machine's own, ``auto`` (-1) chooses by speed.

        Raises:
            FootfallError: there is no such gait.
        """
        if name == AUTO:
            return -1
        if name not in self.gait_names:
            raise FootfallError(f"gait is '{name}'; {known_names('gaits', name, (AUTO, *self.gait_names))}")
        return self.gait_names.index(name)


def rig_of(machine: Machine | Rig) -> Rig:
    """The skeleton of a machine, or the skeleton itself where there is no machine file."""
    return machine if isinstance(machine, Rig) else machine.rig


def name_of(machine: Machine | Rig) -> str:
    """The name of a machine; a mere skeleton is called ``machine``."""
    return "machine" if isinstance(machine, Rig) else machine.name

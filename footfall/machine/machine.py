"""A machine, ready to walk."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from footfall.constants import Constants
from footfall.errors import FootfallError, known_names
from footfall.machine.file import DriveName, MachineFile
from footfall.path import END_KNOTS
from footfall.rig import Rig
from footfall.state import BODY, CONTACT, FOOT, HEAD, KNOT, LEG, MOTION, POSE, STEP

Layout = tuple[tuple[np.dtype[Any], tuple[int, ...]], ...]
NUMBER = np.dtype(np.float64)

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

    @cached_property
    def state_layout(self) -> Layout:
        """Dtype and shape of one agent's part of each array of a ``State`` but ``drive``, which is the drive's own."""
        legs, trunks = len(self.rig.legs), len(self.rig.trunks)
        figures = self.constants.machine[0]
        knots = 0
        if figures["path_spacing"] > 0.0:
            knots = 2 * (int(figures["path_half"] / figures["path_spacing"] + 0.5) + END_KNOTS + 4)
        contacts = legs if self.forced else 0
        window = round(self.file.travel.window * self.file.inner_rate)
        return (
            (BODY, ()), (LEG, (legs,)), (POSE, (trunks,)), (KNOT, (knots,)), (NUMBER, (window, 3)),
            (NUMBER, (self.rig.memory_size,)), (HEAD, ()), (CONTACT, (contacts,)),
        )  # fmt: skip

    @cached_property
    def tick_layout(self) -> Layout:
        """The same of what a tick makes: motion; steps, trunks and feet planned; trunks and feet as they became; joints
        and hinges.
        """
        legs, trunks = len(self.rig.legs), len(self.rig.trunks)
        return (
            (MOTION, ()), (STEP, (legs,)), (POSE, (trunks,)), (FOOT, (legs,)), (POSE, (trunks,)), (FOOT, (legs,)),
            (NUMBER, (self.rig.joint_count, 3)), (NUMBER, (self.rig.bone_count, 3)),
        )  # fmt: skip

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

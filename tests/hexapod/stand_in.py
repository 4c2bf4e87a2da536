"""A giant with the queen's proportions, and the medium preset recorded."""

from __future__ import annotations

import dataclasses
import math

from baseline_runs import frames_of

from footfall.bridge import Recorded, record
from footfall.machine import Machine, build_machine, check_machine

SCALE = 1680.0 / 98.0  #: middle feet at 16.80 m, where the queen has them at 0.98 m
CONTROL_RATE = 20.0  # commands of the queen's motors [Hz]


def scaled(machine: Machine, scale: float) -> Machine:
    """The machine with all lengths multiplied, and times by the square root (the same Froude number)."""

    def longer(values):
        return tuple(scale * value for value in values)

    file, slow = machine.file, math.sqrt(scale)
    lengths = ("hip", "rest", "segments")
    legs = [
        dataclasses.replace(
            leg, **{name: longer(getattr(leg, name)) for name in lengths}, foot_height=scale * leg.foot_height,
            foot_radius=scale * leg.foot_radius,
        )
        for leg in file.legs
    ]  # fmt: skip
    trunks = [dataclasses.replace(trunk, size=longer(trunk.size), centre=longer(trunk.centre)) for trunk in file.trunks]
    gait = dataclasses.replace(
        file.gait,
        **{name: scale * getattr(file.gait, name) for name in ("stride", "stride_min", "stride_max")},
        **{name: getattr(file.gait, name) / slow for name in ("cadence_min", "cadence_max", "shuffle_cadence")},
        stride_reference_speed=slow * file.gait.stride_reference_speed,
    )
    swing = dataclasses.replace(
        file.swing, height=scale * file.swing.height, full_length=scale * file.swing.full_length
    )
    giant = dataclasses.replace(
        file, name="giant", legs=tuple(legs), trunks=tuple(trunks), gait=gait, swing=swing, articulation=None,
        stand_height=scale * file.stand_height, cruise_speed=slow * file.cruise_speed,
    )  # fmt: skip
    assert list(check_machine(giant)) == []
    return build_machine(giant)


def medium(queen: Machine, rate: float) -> Recorded:
    """The medium preset with the published start, seen at every command of the motors, at a rate of samples."""
    return record(frames_of(queen, "medium", seed=42, rate=CONTROL_RATE), queen, rate)

"""Faults of settings that no single key shows: ranges, gaits, feet in the air."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from footfall.arc import STEEP_END, STEEP_START
from footfall.body import Carriage
from footfall.froude import at_size
from footfall.gaits import LIBRARY, most_airborne
from footfall.machine.fault import Fault, repeated
from footfall.machine.file import MachineFile
from footfall.machine.pattern import own_offsets, pattern_known
from footfall.rig import Leg

RANGES = (
    ("gait", "stride_min", "stride_max"),
    ("gait", "cadence_min", "cadence_max"),
    ("gait", "swing_time_min", "swing_time_max"),
)  # lower ends that may be equal to the upper ones

PATH_BODY = ("follow_pitch", "follow_roll", "pose_time", "path_smoothing")  # what carries a chain of trunks


def check_settings(file: MachineFile) -> Iterator[Fault]:
    """Gaits that are not known, and lower ends that are not below upper ones."""
    if not pattern_known(file):
        yield "pattern", f"is '{file.pattern}'; allowed: legs, {', '.join(LIBRARY)}"
    for index, entry in enumerate(file.automatic):
        if entry.gait not in LIBRARY:
            yield f"automatic[{index}].gait", f"is '{entry.gait}'; allowed: {', '.join(LIBRARY)}"
    yield from repeated("automatic", (entry.gait for entry in file.automatic), "gaits")
    for section, low, high in RANGES:
        settings = getattr(file, section)
        lower, upper = getattr(settings, low), getattr(settings, high)
        if lower > upper:
            yield f"{section}.{low}", f"is {lower:g}; allowed: up to {high}, {upper:g}"
    shortest = file.gait.swing_time_min
    if shortest * file.inner_rate < 1.0 - 1e-9:
        step = f"{1.0 / file.inner_rate:.4g}, one inner step at {file.inner_rate:g} Hz"
        yield "gait.swing_time_min", f"is {shortest:g}; allowed: from {step}"
    travel = file.travel
    if travel.governor_start >= travel.governor_stop:
        allowed = f"less than governor_stop, {travel.governor_stop:g}"
        yield "travel.governor_start", f"is {travel.governor_start:g}; allowed: {allowed}"
    yield from check_move(file)
    yield from check_body(file)


def check_move(file: MachineFile) -> Iterator[Fault]:
    """A horizontal move that has no time, in a plain swing or in a steep one."""
    swing = file.swing
    if swing.move_start >= swing.move_end:
        yield "swing.move_start", f"is {swing.move_start:g}; allowed: less than move_end, {swing.move_end:g}"
        return
    if swing.move_start >= STEEP_END:
        yield "swing.move_start", f"is {swing.move_start:g}; allowed: less than {STEEP_END}, for steep swings"
    if swing.move_end <= STEEP_START:
        yield "swing.move_end", f"is {swing.move_end:g}; allowed: more than {STEEP_START}, for steep swings"


def check_body(file: MachineFile) -> Iterator[Fault]:
    """Settings of the body that a chain of trunks on a path, or a body without one, does not have."""
    path, usual = file.trunk_spacing > 0.0, at_size(Carriage(), file.leg_length)
    for field in fields(file.body):
        value = getattr(file.body, field.name)
        if path and field.name not in PATH_BODY and value != getattr(usual, field.name):
            allowed = f"a chain of trunks on a path has only {', '.join(PATH_BODY)}"
            yield f"body.{field.name}", f"is {value:g}; {allowed}"
    if not path and file.body.path_smoothing != usual.path_smoothing:
        yield "body.path_smoothing", f"is {file.body.path_smoothing:g}; there is no path: trunk_spacing is 0"
    for index, trunk in enumerate(file.trunks):
        if path and trunk.stabilise != 0.0:
            yield (
                f"trunks[{index}].stabilise",
                f"is {trunk.stabilise:g}; trunks on a path take no part of a body's motion",
            )
    if path and len(file.trunks) == file.trunks[0].count == 1:
        yield "trunk_spacing", f"is {file.trunk_spacing:g} with one trunk; allowed: 0"


def check_airborne(file: MachineFile, legs: tuple[Leg, ...]) -> Iterator[Fault]:
    """Feet in the air: by the limit, and by phases and duty factor."""
    limit, duty = file.gait.airborne_limit, file.gait.duty_factor
    if limit >= len(legs) > 1:
        yield "gait.airborne_limit", f"is {limit}; allowed: less than the {len(legs)} legs"
    if file.gait.swing_time > 0.0 or not pattern_known(file):
        return
    phases = own_offsets(file, legs)
    most = most_airborne(phases, duty)
    if most > limit:
        allows = f"gait.airborne_limit allows {limit}"
        yield "gait.duty_factor", f"is {duty:g}: with the legs' phases {most} feet are in the air at once; {allows}"
    elif limit == len(legs) - 1 and most_airborne(phases, duty - 1e-6) == len(legs):
        yield (
            "gait.duty_factor",
            f"is {duty:g}: the last foot on the ground lifts as another lands; allowed: more, one always stands",
        )

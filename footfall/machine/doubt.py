"""What a sound machine file says that will hardly walk as it is meant to."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from footfall.machine.check_legs import standing_way
from footfall.machine.expand import expand_legs, expand_trunks
from footfall.machine.fault import Fault
from footfall.machine.file import MachineFile
from footfall.rig import leg_reach

ROUNDING = 1.0 + 1e-9


def doubt_machine(file: MachineFile) -> Iterator[Fault]:
    """Doubts about a sound file, each with the path of the key it is reported at."""
    dead_zone = file.travel.speed_dead_zone
    if dead_zone >= file.cruise_speed:
        stands = f"a hosted root at the cruising speed, {file.cruise_speed:.3g}, counts as standing"
        yield "travel.speed_dead_zone", f"is {dead_zone:.3g} m/s: {stands}"
    yield from doubt_speed(file)
    yield from doubt_cadence(file)
    yield from doubt_reach(file)
    yield from doubt_soles(file)


def cruise_stride(file: MachineFile) -> float:
    """Way of the body in one cycle at the cruising speed [m]; see ``stride_at``."""
    gait = file.gait
    grown = gait.stride * math.pow(file.cruise_speed / gait.stride_reference_speed, gait.stride_growth)
    return min(max(grown, gait.stride_min), gait.stride_max)


def doubt_speed(file: MachineFile) -> Iterator[Fault]:
    """A cruising speed beyond what the root may do."""
    for key in ("speed_max", "foot_speed_max"):
        greatest = getattr(file.travel, key)
        if file.cruise_speed > greatest * ROUNDING:
            yield "cruise_speed", f"is {file.cruise_speed:.3g} m/s: travel.{key} is {greatest:.3g}"


def doubt_cadence(file: MachineFile) -> Iterator[Fault]:
    """A cruising speed that stride and cadence do not make, and swings too short for it."""
    gait, stride = file.gait, cruise_stride(file)
    cadence = file.cruise_speed / stride
    if cadence > gait.cadence_max * ROUNDING:
        most = f"gait.cadence_max and a stride of {stride:.3g} m make {stride * gait.cadence_max:.3g}"
        yield "cruise_speed", f"is {file.cruise_speed:.3g} m/s: {most}"
    swing = (1.0 - gait.duty_factor) / cadence
    if gait.swing_time == 0.0 and swing * ROUNDING < gait.swing_time_min:
        takes = f"a swing takes {swing:.3g} s then, and gait.swing_time_min is {gait.swing_time_min:.3g}"
        yield "cruise_speed", f"is {file.cruise_speed:.3g} m/s: {takes}"


def doubt_reach(file: MachineFile) -> Iterator[Fault]:
    """Legs that are near their end when standing, and a stride that takes them there."""
    over = math.inf
    for index, leg in enumerate(file.legs):
        if leg.fixed_loop:
            continue
        far = file.travel.governor_start * leg_reach(leg)[1]
        along, aside, down = standing_way(file, leg)
        span = math.hypot(along, aside, down)
        if span > far:
            waits = f"from {far:.3g} m on the root waits for the leg"
            yield f"legs[{index}].rest", f"is {span:.3g} m from the hip when standing: {waits}"
        else:
            over = min(over, 2.0 * (math.sqrt(far * far - aside * aside - down * down) - abs(along)))
    stride, duty = cruise_stride(file), file.gait.duty_factor
    if stride * duty > over * ROUNDING:
        most = f"legs that stand for {duty:g} of it, at this height, reach over {over / duty:.3g} m"
        yield "gait.stride", f"is {stride:.3g} m at the cruising speed: {most}"


def doubt_soles(file: MachineFile) -> Iterator[Fault]:
    """Soles that overlap where they rest."""
    trunks, _ = expand_trunks(file.trunks)
    back = {trunk.name: index * file.trunk_spacing for index, trunk in enumerate(trunks)}
    for one, other in itertools.combinations(expand_legs(file.legs, trunks), 2):
        along = one.rest[0] - back[one.trunk] - other.rest[0] + back[other.trunk]
        apart, wide = math.hypot(along, one.rest[1] - other.rest[1]), one.foot_radius + other.foot_radius
        if apart < wide:
            radii = f"they rest {apart:.3g} m apart, and their radii make {wide:.3g}"
            yield "legs", f"have soles that overlap, {one.name} and {other.name}: {radii}"

"""Faults of a machine file that no single key shows."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator

import numpy as np

from footfall.articulation import check_articulation
from footfall.gaits import LIBRARY, most_airborne
from footfall.machine.expand import expand_legs, expand_trunks
from footfall.machine.file import DriveName, LegEntry, MachineFile, PlannerName
from footfall.machine.pattern import own_offsets, pattern_known
from footfall.rig import Leg, Solver, leg_reach

SEGMENTS = {Solver.two_bone: 2, Solver.pantograph: 3, Solver.three_segment: 3}


Fault = tuple[str, str]  # path of the key that it is reported at, and what is wrong


def check_machine(file: MachineFile) -> Iterator[Fault]:
    """Faults of a machine file that no single key shows, each with the path of the key it is reported at."""
    trunks, _ = expand_trunks(file.trunks)
    names = [trunk.name for trunk in trunks]
    if len(set(names)) < len(names):
        yield "trunks", "has two trunks of one name"
        return
    if not pattern_known(file):
        yield "pattern", f"is '{file.pattern}'; allowed: legs, {', '.join(LIBRARY)}"
    for index, leg in enumerate(file.legs):
        sound = yield from check_leg(file, leg, f"legs[{index}]", names)
        if not sound:
            return
    legs = expand_legs(file.legs, trunks)
    if len({leg.name for leg in legs}) < len(legs):
        yield "legs", "has two legs of one name"
        return
    yield from check_airborne(file, legs)
    yield from check_ranges(file)
    if file.articulation is not None:
        yield from check_articulation(file.articulation, file.legs)
        if len(trunks) > 1:
            yield "articulation", f"is of one trunk; there are {len(trunks)}"
    if file.planner == PlannerName.clip:
        yield "planner", "is 'clip'; this version knows: gait"
    if file.drive == DriveName.force:
        yield "drive", "is 'force'; this version knows: kinematic"


def check_leg(file: MachineFile, leg: LegEntry, where: str, names: list[str]) -> Generator[Fault, None, bool]:
    """Faults of one leg; true where all that hangs on it can be checked too."""
    fault = misplaced(leg, names) or miscounted(leg) or undirected(leg)
    if fault is not None:
        yield f"{where}.{fault[0]}", fault[1]
        return False
    for index, hinge in enumerate(leg.hinges):
        if math.hypot(*hinge.axis) < 1e-9:
            yield f"{where}.hinges[{index}].axis", "has no length; a direction is needed"
            return False
        if not hinge.lower <= hinge.rest <= hinge.upper:
            allowed = f"{hinge.lower:g} to {hinge.upper:g}"
            yield f"{where}.hinges[{index}].rest", f"is {hinge.rest:g} rad; allowed: {allowed}"
    if leg.knee_min >= leg.knee_max:
        yield f"{where}.knee_min", f"is {leg.knee_min:g} rad; allowed: less than knee_max, {leg.knee_max:g}"
        return False
    if not leg.fixed_loop:
        low, high = leg_reach(leg)
        span = standing_span(file, leg)
        if not low <= span <= 0.995 * high:
            reach = f"the leg reaches from {low:.3g} to {0.995 * high:.3g} m"
            yield f"{where}.rest", f"is {span:.3g} m from the hip when standing; {reach}"
    return True


def misplaced(leg: LegEntry, names: list[str]) -> Fault | None:
    """A trunk that there is not."""
    if leg.trunk not in names:
        return "trunk", f"is '{leg.trunk}'; known trunks: {', '.join(names)}"
    left = len(names) - names.index(leg.trunk)
    if leg.rows > max(left, 1):
        return "rows", f"is {leg.rows}; there are {left} trunks from '{leg.trunk}' on"
    return None


def miscounted(leg: LegEntry) -> Fault | None:
    """Another number of bones than the solver takes."""
    count = len(leg.segments)
    wanted = SEGMENTS.get(leg.solver)
    if wanted is not None and count != wanted:
        return "segments", f"has {count} bones; {leg.solver.name} takes {wanted}"
    if leg.solver == Solver.fabrik and count < 2:
        return "segments", "has 1 bone; fabrik takes 2 or more"
    if leg.solver == Solver.chain and not len(leg.hinges) == len(leg.directions) == count:
        return "segments", f"has {count} bones; chain takes a hinge and a direction for each"
    return None


def undirected(leg: LegEntry) -> Fault | None:
    """A direction without a length."""
    for key in ("pole", "metatarsus", "metatarsus_kneel"):
        if math.hypot(*getattr(leg, key)) < 1e-9:
            return key, "has no length; a direction is needed"
    return None


def standing_span(file: MachineFile, leg: LegEntry) -> float:
    """Distance from the hip to the end that the leg is solved for, when standing [m]."""
    end = np.array([*leg.rest, leg.foot_height - file.stand_height])
    if leg.solver == Solver.three_segment:
        end = end + np.array(leg.metatarsus) / math.hypot(*leg.metatarsus) * leg.segments[2]
    return float(np.linalg.norm(end - np.array(leg.hip)))


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


def check_ranges(file: MachineFile) -> Iterator[Fault]:
    """Gaits that are not known, and lower ends that are not below upper ones."""
    gait, swing = file.gait, file.swing
    for index, entry in enumerate(file.automatic):
        if entry.gait not in LIBRARY:
            yield f"automatic[{index}].gait", f"is '{entry.gait}'; allowed: {', '.join(LIBRARY)}"
    if gait.stride_min > gait.stride_max:
        yield "gait.stride_min", f"is {gait.stride_min:g}; allowed: up to stride_max, {gait.stride_max:g}"
    if gait.cadence_min > gait.cadence_max:
        yield "gait.cadence_min", f"is {gait.cadence_min:g}; allowed: up to cadence_max, {gait.cadence_max:g}"
    if swing.move_start >= swing.move_end:
        yield "swing.move_start", f"is {swing.move_start:g}; allowed: less than move_end, {swing.move_end:g}"
    if file.travel.governor_start >= file.travel.governor_stop:
        yield "travel.governor_start", "is not less than governor_stop"

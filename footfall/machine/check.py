"""Faults of a machine file that no single key shows."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from footfall.gaits import LIBRARY, most_airborne
from footfall.machine.expand import expand_legs, expand_trunks
from footfall.machine.file import DriveName, MachineFile, PlannerName
from footfall.machine.pattern import own_offsets
from footfall.rig import Solver, leg_reach

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

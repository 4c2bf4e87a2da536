"""Faults of a leg: where it hangs, what it is made of, which way it bends, how far it reaches."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from footfall.machine.fault import Fault, pointless
from footfall.machine.file import LegEntry, MachineFile
from footfall.rig import Solver, leg_reach

SEGMENTS = {Solver.two_bone: 2, Solver.pantograph: 3, Solver.three_segment: 3}
STRETCH = 0.995  # share of its reach that a leg may stand at


def check_leg(file: MachineFile, leg: LegEntry) -> Iterator[Fault]:
    """Faults of one leg but for its trunk, by keys of the leg."""
    faults = [*miscounted(leg), *undirected(leg), *misbent(leg)]
    yield from faults
    if not faults and not leg.fixed_loop:
        yield from out_of_reach(file, leg)


def misplaced(leg: LegEntry, names: Sequence[str]) -> Iterator[Fault]:
    """A trunk that there is not, or none where there are several."""
    if not leg.trunk and len(set(names)) > 1:
        yield "trunk", f"is missing; known trunks: {', '.join(names)}"
        return
    trunk = leg.trunk or names[0]
    if trunk not in names:
        yield "trunk", f"is '{trunk}'; known trunks: {', '.join(names)}"
        return
    left = len(names) - names.index(trunk)
    if leg.rows > left:
        yield "rows", f"is {leg.rows}; there {'is 1 trunk' if left == 1 else f'are {left} trunks'} from '{trunk}' on"


def miscounted(leg: LegEntry) -> Iterator[Fault]:
    """Another number of bones than the solver takes."""
    count = len(leg.segments)
    wanted = SEGMENTS.get(leg.solver)
    if wanted is not None and count != wanted:
        yield "segments", f"has {count} bones; {leg.solver.name} takes {wanted}"
    elif leg.solver == Solver.fabrik and count < 2:
        yield "segments", "has 1 bone; fabrik takes 2 or more"
    elif leg.solver == Solver.chain and not len(leg.hinges) == len(leg.directions) == count:
        yield "segments", f"has {count} bones; chain takes a hinge and a direction for each"


def undirected(leg: LegEntry) -> Iterator[Fault]:
    """Directions without a length."""
    named = [(key, getattr(leg, key)) for key in ("pole", "metatarsus", "metatarsus_kneel")]
    named += [(f"hinges[{index}].axis", hinge.axis) for index, hinge in enumerate(leg.hinges)]
    named += [(f"directions[{index}]", direction) for index, direction in enumerate(leg.directions)]
    for key, vector in named:
        yield from pointless(key, vector)


def misbent(leg: LegEntry) -> Iterator[Fault]:
    """Ranges of joints that are none."""
    for index, hinge in enumerate(leg.hinges):
        where = f"hinges[{index}]"
        if hinge.lower > hinge.upper:
            yield f"{where}.lower", f"is {hinge.lower:g} rad; allowed: up to upper, {hinge.upper:g}"
        elif not hinge.lower <= hinge.rest <= hinge.upper:
            yield f"{where}.rest", f"is {hinge.rest:g} rad; allowed: {hinge.lower:g} to {hinge.upper:g}"
    if leg.knee_min >= leg.knee_max:
        yield "knee_min", f"is {leg.knee_min:g} rad; allowed: less than knee_max, {leg.knee_max:g}"


def out_of_reach(file: MachineFile, leg: LegEntry) -> Iterator[Fault]:
    """A foot that does not reach the ground where it rests."""
    low, high = leg_reach(leg)
    span = math.hypot(*standing_way(file, leg))
    if not low <= span <= STRETCH * high:
        reach = f"the leg reaches from {low:.3g} to {STRETCH * high:.3g} m"
        yield "rest", f"is {span:.3g} m from the hip when standing; {reach}"


def standing_way(file: MachineFile, leg: LegEntry) -> NDArray[np.float64]:
    """Way from the hip to the end that the leg is solved for, when standing ``[3]`` [m]."""
    way = np.array([*leg.rest, leg.foot_height - file.stand_height]) - leg.hip
    if leg.solver == Solver.three_segment:
        way += np.array(leg.metatarsus) / math.hypot(*leg.metatarsus) * leg.segments[2]
    return way

"""How a leg's bones turn: the angle of its knee, the side that it bends to, the largest step."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-incomplete-defs=False

from __future__ import annotations

import math

from footfall.compile import kernel
from footfall.frames.scalar import cross, dot, length, load3, reject, scale, store3, sub, unit_or, unrotate
from footfall.ik.rows import row3
from footfall.metrics.hinges import LIMIT_TOLERANCE
from footfall.metrics.tally import CountOf, PeakOf, note_peak
from footfall.metrics.turns import bone_turn_between
from footfall.rig import Solver

BONE_TURN, KNEE_STEP, KNEE_RATE = int(PeakOf.bone_turn), int(PeakOf.knee_step), int(PeakOf.knee_rate)
FLIPS = int(CountOf.flips)
TWO_BONE, PANTOGRAPH, THREE_SEGMENT = int(Solver.two_bone), int(Solver.pantograph), int(Solver.three_segment)
CHAIN = int(Solver.chain)

BEND_DEFINED = 0.02  # offset of the knee from the line hip to end, in chain lengths, from which its side is defined


@kernel
def measure_knee(leg, memory, joints, trunk_rotation, peaks, counts, agent, index, time, dt, frames):
    """Interior angle of the knee and the side it bends to; returns 1 where the angle is outside its limits."""
    if leg["segments"] < 2:
        return 0
    first = leg["first_joint"]
    solver = leg["solver"]
    hip, knee = row3(joints, first), row3(joints, first + 1)
    thigh, shin = sub(hip, knee), sub(row3(joints, first + 2), knee)
    angle = math.atan2(length(cross(thigh, shin)), dot(thigh, shin))
    if frames > 0:
        change = abs(angle - memory["knee"])
        note_peak(peaks, KNEE_STEP, change, time, agent, index)
        if dt > 0.0:
            note_peak(peaks, KNEE_RATE, change / dt, time, agent, index)
    memory["knee"] = angle
    end = 2 if solver == THREE_SEGMENT else leg["segments"]  # what the knee's side is seen against: hock or ankle
    line = unit_or(sub(row3(joints, first + end), hip), (0.0, 0.0, -1.0))
    offset = reject(sub(knee, hip), line)
    size = length(offset)
    if size > BEND_DEFINED * leg["chain_length"]:
        bend = unrotate(trunk_rotation, scale(offset, 1.0 / size))
        if memory["bent"] != 0 and dot(bend, load3(memory["bend"])) < 0.0:
            counts[FLIPS] += 1
        memory["bent"] = 1
        store3(memory["bend"], bend)
    elif solver == CHAIN:  # within its limits a chain of hinges may pass through straight
        memory["bent"] = 0
    if solver == TWO_BONE or solver == PANTOGRAPH or solver == THREE_SEGMENT:
        if angle < leg["knee_min"] - LIMIT_TOLERANCE or angle > leg["knee_max"] + LIMIT_TOLERANCE:
            return 1
    return 0


@kernel
def measure_bones(leg, joints, hinges, bones_before, hinges_before, peaks, agent, index, time, frames):
    """Largest rotation of a leg's bones since the frame before."""
    joint, first = leg["first_joint"], leg["first_bone"]
    largest = 0.0
    for bone in range(leg["bones"]):
        y = row3(hinges, first + bone)
        x = sub(row3(joints, joint + bone + 1), row3(joints, joint + bone))
        size = length(x)
        x = scale(x, 1.0 / size) if size > 0.0 else row3(bones_before, first + bone)
        if frames > 0:
            turn = bone_turn_between(x, y, row3(bones_before, first + bone), row3(hinges_before, first + bone))
            largest = max(largest, turn)
        store3(bones_before[first + bone], x)
        store3(hinges_before[first + bone], y)
    if frames > 0:
        note_peak(peaks, BONE_TURN, largest, time, agent, index)

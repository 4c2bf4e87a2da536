"""A body's motion, and its balance over the bearing soles."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-incomplete-defs=False

from __future__ import annotations

import math

from footfall.compile import kernel
from footfall.frames.scalar import (
    add,
    cross,
    dot,
    load3,
    load4,
    reject,
    rotate,
    scale,
    square,
    store3,
    store4,
    sub,
    unit_or,
)
from footfall.ik.rows import row3
from footfall.metrics.support import hull_margin
from footfall.metrics.tally import CountOf, PeakOf, SpreadOf, bin_of, note_peak
from footfall.metrics.turns import rotation_vector, turn_between

BONE_TURN, OVERHANG, AIRBORNE = int(PeakOf.bone_turn), int(PeakOf.overhang), int(PeakOf.airborne)
BODY_ACCELERATION, BODY_JERK, BODY_SPIN = int(PeakOf.body_acceleration), int(PeakOf.body_jerk), int(PeakOf.body_spin)
NOT_FINITE = int(CountOf.not_finite)
BODY_ACCELERATIONS = int(SpreadOf.body_acceleration)


@kernel
def measure_body(trunks, main, motion, memory, rotations, peaks, counts, spreads, agent, time, dt, frames):
    """Way, acceleration, jerk and rotation of one agent's trunks.

    ``dt`` is 0 where no time has passed; ``frames`` counts frames since the last break: 0 none before this one.
    """
    for index in range(trunks.shape[0]):
        rotation = load4(trunks[index]["rotation"])
        if frames > 0:
            note_peak(peaks, BONE_TURN, turn_between(load4(rotations[index]), rotation), time, agent, -1)
        if not math.isfinite(sum(rotation) + sum(load3(trunks[index]["position"]))):
            counts[NOT_FINITE] += 1
    position = load3(trunks[main]["position"])
    up = load3(motion["up"])
    forward = rotate(load4(motion["heading"]), (1.0, 0.0, 0.0))
    if frames > 0:
        step = sub(position, load3(memory["position"]))
        middle = reject(add(forward, load3(memory["forward"])), up)
        memory["way"] += dot(step, unit_or(middle, forward))
        if dt > 0.0:
            velocity = scale(step, 1.0 / dt)
            spin = scale(rotation_vector(load4(rotations[main]), load4(trunks[main]["rotation"])), 1.0 / dt)
            acceleration = scale(sub(velocity, load3(memory["velocity"])), 1.0 / dt)
            if frames > 1:
                note_peak(peaks, BODY_ACCELERATION, square(acceleration), time, agent, -1)
                spread = math.sqrt(square(acceleration))
                if math.isfinite(spread):
                    spreads[BODY_ACCELERATIONS, bin_of(spread)] += 1
                note_peak(peaks, BODY_SPIN, square(sub(spin, load3(memory["spin"]))) / (dt * dt), time, agent, -1)
            if frames > 2:
                jerk = square(sub(acceleration, load3(memory["acceleration"]))) / (dt * dt)
                note_peak(peaks, BODY_JERK, jerk, time, agent, -1)
            store3(memory["velocity"], velocity)
            store3(memory["acceleration"], acceleration)
            store3(memory["spin"], spin)
    store3(memory["position"], position)
    store3(memory["forward"], forward)
    for index in range(trunks.shape[0]):
        store4(rotations[index], load4(trunks[index]["rotation"]))


@kernel
def measure_support(legs, feet, joints, body, motion, peaks, agent, time, x, y, hull):
    """Feet in the air, and how far the body's ground point is inside the hull of the bearing soles."""
    up = load3(motion["up"])
    forward = rotate(load4(motion["heading"]), (1.0, 0.0, 0.0))
    left = cross(up, forward)
    bearing = 0
    for index in range(legs.shape[0]):
        if feet[index]["swinging"] != 0:
            continue
        away = sub(row3(joints, legs[index]["first_joint"] + legs[index]["bones"]), body)
        x[bearing], y[bearing] = dot(away, forward), dot(away, left)
        bearing += 1
    note_peak(peaks, AIRBORNE, float(legs.shape[0] - bearing), time, agent, -1)
    if bearing > 0:
        note_peak(peaks, OVERHANG, -hull_margin(x, y, bearing, hull), time, agent, -1)

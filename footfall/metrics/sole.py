"""A sole's slip, height over the ground and motion, and how near it came to where it was meant to be."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-incomplete-defs=False

from __future__ import annotations

import math

from footfall.compile import inline, kernel
from footfall.frames.scalar import length, load3, scale, square, store3, sub
from footfall.ik.rows import row3
from footfall.metrics.tally import CountOf, PeakOf, SpreadOf, bin_of, note_peak
from footfall.rig import Solver

SLIP, PENETRATION, HOVER, REACH = int(PeakOf.slip), int(PeakOf.penetration), int(PeakOf.hover), int(PeakOf.reach)
IK, TRACK, SOLE_SPEED = int(PeakOf.ik), int(PeakOf.track), int(PeakOf.sole_speed)
SOLE_ACCELERATION, LIFT = int(PeakOf.sole_acceleration), int(PeakOf.lift)
REACH_COUNT, PLANTED, SWING_LOW = int(CountOf.reach), int(CountOf.planted), int(CountOf.swing_low)
SWING_OVER_GROUND, NO_GROUND = int(CountOf.swing_over_ground), int(CountOf.no_ground)
SLIPS, SOLE_ACCELERATIONS = int(SpreadOf.slip), int(SpreadOf.sole_acceleration)
CHAIN = int(Solver.chain)

REACH_TOLERANCE = 1e-9  # excess that is rounding [m]
CHAIN_TOLERANCE = 1e-8  # excess at which an iterated chain has arrived, in chain lengths


@inline
def end_stance(leg, spreads):
    """A stance is over: its drift counts."""
    if leg["standing"] != 0:
        spreads[SLIPS, bin_of(math.sqrt(leg["drift"]))] += 1
    leg["standing"] = 0


@kernel
def measure_sole(memory, past, sole, held, swinging, gap, low, peaks, counts, spreads, agent, index, time, dt, frames):
    """Slip, penetration, hover and motion of one sole.

    ``held`` is the sole in the frame of what it stands on, ``gap`` how far it is over the ground [m].
    """
    moving = swinging or memory["standing"] == 0  # the frame of a touchdown shows how hard it is
    if swinging:
        end_stance(memory, spreads)
    else:
        counts[PLANTED] += 1
        if memory["standing"] == 0 or memory["lift_off"] != past["lift_off"]:
            end_stance(memory, spreads)
            memory["standing"] = 1
            memory["lift_off"] = past["lift_off"]
            memory["drift"] = 0.0
            store3(memory["start"], held)
        memory["drift"] = max(memory["drift"], square(sub(held, load3(memory["start"]))))
        note_peak(peaks, SLIP, memory["drift"], time, agent, index)
    if math.isfinite(gap):
        note_peak(peaks, PENETRATION, -gap, time, agent, index)
        if swinging:
            counts[SWING_OVER_GROUND] += 1
            if gap < low:
                counts[SWING_LOW] += 1
            note_peak(peaks, LIFT, gap, time, agent, index)
        else:
            note_peak(peaks, HOVER, gap, time, agent, index)
    else:
        counts[NO_GROUND] += 1
    if frames > 0 and dt > 0.0:
        velocity = scale(sub(sole, load3(memory["sole"])), 1.0 / dt)
        note_peak(peaks, SOLE_SPEED, square(velocity), time, agent, index)
        if frames > 1 and moving:
            acceleration = square(sub(velocity, load3(memory["velocity"]))) / (dt * dt)
            note_peak(peaks, SOLE_ACCELERATION, acceleration, time, agent, index)
            spreads[SOLE_ACCELERATIONS, bin_of(math.sqrt(acceleration))] += 1
        store3(memory["velocity"], velocity)
    store3(memory["sole"], sole)


@kernel
def measure_goals(leg, joints, goal, planned, peaks, counts, agent, index, time):
    """Excess of reach, and errors of IK and of tracking; returns the square of the latter."""
    sole = row3(joints, leg["first_joint"] + leg["bones"])
    asked = load3(goal["sole"])
    tolerance = REACH_TOLERANCE
    if leg["solver"] == CHAIN:
        tolerance = max(tolerance, CHAIN_TOLERANCE * leg["chain_length"])
    beyond = length(sub(asked, row3(joints, leg["first_joint"]))) - leg["chain_length"]
    excess = goal["excess"]
    if not excess >= beyond:
        excess = beyond
    if not excess <= tolerance:
        counts[REACH_COUNT] += 1
        note_peak(peaks, REACH, excess, time, agent, index)
    note_peak(peaks, IK, square(sub(sole, asked)), time, agent, index)
    track = square(sub(asked, load3(planned["sole"])))
    note_peak(peaks, TRACK, track, time, agent, index)
    return track

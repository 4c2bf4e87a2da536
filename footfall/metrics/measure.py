"""The loop that measures one frame: bodies, support, feet and bones of all agents, into a tally."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-incomplete-defs=False

from __future__ import annotations

import math

from footfall.compile import kernel
from footfall.frames.scalar import load3, load4
from footfall.ik.rows import row3
from footfall.metrics.body import measure_body, measure_support
from footfall.metrics.bones import measure_bones, measure_knee
from footfall.metrics.hinges import chain_limit_hits
from footfall.metrics.sole import measure_goals, measure_sole
from footfall.metrics.tally import CountOf
from footfall.rig import Solver

LIMITS, NOT_FINITE, LEGS = int(CountOf.limits), int(CountOf.not_finite), int(CountOf.legs)
LATCHED, UNSUPPORTED = int(CountOf.latched), int(CountOf.unsupported)
CHAIN = int(Solver.chain)

LOW_SWING = 1e-3  # a swinging sole this near to the ground touches it [m]
LOW_SWING_LEGS = 2e-3  # or this near, in leg lengths, where that is less


@kernel
def measure_frame(
    legs, segments, main, leg_length, body, past, motion, planned, trunks, feet, joints, hinges, held, gaps, tally,
    time, dt, frames, x, y, hull,
):  # fmt: skip
    """Measure one frame of all agents.

    Args:
        legs: ``LEG_RIG [legs]``.
        segments: ``SEGMENT_RIG [segments]``.
        main: index of the trunk that is the body.
        leg_length: [m].
        body: ``BODY [agents]``.
        past: ``LEG [agents, legs]``.
        motion: ``MOTION [agents]``.
        planned: ``FOOT [agents, legs]``.
        trunks: ``POSE [agents, trunks]``.
        feet: ``FOOT [agents, legs]``.
        joints: ``[agents, joints, 3]`` world [m].
        hinges: ``[agents, bones, 3]`` world.
        held: ``[agents, legs, 3]`` soles in the frames of what they stand on [m].
        gaps: ``[agents, legs]`` how far each sole is over the ground, NaN over a hole [m].
        tally: written.
        time: [s]
        dt: time since the frame before [s].
        frames: frames measured before this one since the last break.
        x: ``[legs]`` room to work in.
        y: ``[legs]`` the same.
        hull: ``[2 legs + 2]`` the same.
    """
    peaks, counts, spreads = tally.peaks, tally.counts, tally.spreads
    low = min(LOW_SWING, LOW_SWING_LEGS * leg_length)
    for agent in range(body.shape[0]):
        memory = tally.agents[agent]
        measure_body(
            trunks[agent], main, motion[agent], memory, tally.rotations[agent], peaks, counts, spreads, agent, time,
            dt, frames,
        )  # fmt: skip
        centre = load3(trunks[agent, main]["position"])
        measure_support(legs, feet[agent], joints[agent], centre, motion[agent], peaks, agent, time, x, y, hull)
        if body[agent]["latched"] != 0:
            counts[LATCHED] += 1
        if body[agent]["unsupported"] != 0:
            counts[UNSUPPORTED] += 1
        track = 0.0
        for index in range(legs.shape[0]):
            leg = legs[index]
            counts[LEGS] += 1
            total = 0.0
            for joint in range(leg["first_joint"], leg["first_joint"] + leg["bones"] + 1):
                total += sum(row3(joints[agent], joint))
            for bone in range(leg["first_bone"], leg["first_bone"] + leg["bones"]):
                total += sum(row3(hinges[agent], bone))
            if not math.isfinite(total):
                counts[NOT_FINITE] += 1
                continue
            sole = row3(joints[agent], leg["first_joint"] + leg["bones"])
            measure_sole(
                tally.legs[agent, index], past[agent, index], sole, row3(held[agent], index),
                feet[agent, index]["swinging"] != 0, gaps[agent, index], low, peaks, counts, spreads, agent, index,
                time, dt, frames,
            )  # fmt: skip
            rotation = load4(trunks[agent, leg["trunk"]]["rotation"])
            hit = measure_knee(
                leg, tally.legs[agent, index], joints[agent], rotation, peaks, counts, agent, index, time, dt, frames
            )
            measure_bones(
                leg, joints[agent], hinges[agent], tally.bones[agent], tally.hinges[agent], peaks, agent, index, time,
                frames,
            )  # fmt: skip
            if leg["solver"] == CHAIN:
                hit = chain_limit_hits(leg, segments, tally.bones[agent], tally.hinges[agent], rotation)
            counts[LIMITS] += hit
            track += measure_goals(
                leg, joints[agent], feet[agent, index], planned[agent, index], peaks, counts, agent, index, time
            )
        memory["track"] += track

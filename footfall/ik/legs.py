"""Joints of every leg from the trunks' poses and the goal soles: the only writer of joints.

The leg's bones are solved from its hip to its *solved end* (ankle; hock of three segments), bones keep their lengths
whatever is asked, and the sole is where forward kinematics of the solved bones ends: on the goal, or short of it by
exactly what cannot be reached.

Frame of a bone: x along the bone (hip to sole), y its *hinge*, z = x × y. For planar legs the hinge is across the
plane of the leg, cross(bend, direction), so that z of a bone along the leg points to the side that the knee goes to;
a metatarsus and a foot out of the plane carry the part of it across themselves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from footfall.compile import inline, kernel
from footfall.frames.scalar import (
    add,
    add_scaled,
    clamp,
    cross,
    length,
    load3,
    load4,
    reject,
    rotate,
    sub,
    unit_or,
)
from footfall.ik.bend import bend_direction
from footfall.ik.chain import seed_chain, solve_chain
from footfall.ik.fabrik import chain_span, seed_fabrik, solve_fabrik
from footfall.ik.pantograph import solve_pantograph
from footfall.ik.rows import put3, row3
from footfall.ik.two_bone import clamp_span, solve_two_bone
from footfall.reach import metatarsus_direction
from footfall.records import Records
from footfall.rig import Rig, Solver
from footfall.state import Joints

TWO_BONE = int(Solver.two_bone)
PANTOGRAPH = int(Solver.pantograph)
THREE_SEGMENT = int(Solver.three_segment)
FABRIK = int(Solver.fabrik)
CHAIN = int(Solver.chain)

FARTHEST = 1e150  #: a goal beyond this [m] has no square, and no direction


@inline
def across_bone(hinge, direction, bend):
    """Unit vector across a bone out of the leg's plane, nearest to the plane's normal."""
    return unit_or(reject(hinge, direction), unit_or(reject(bend, direction), hinge))


@inline
def solve_leg(
    leg, segments, memory, joints, hinges, trunk_position, trunk_rotation, heading, sole, normal, kneel, lift
):
    """Solve one leg and return the distance of its forward-kinematics sole from the goal [m].

    A goal that is no number leaves the memory sound, and is returned as a distance that is no number.

    Args:
        leg: one ``LEG_RIG`` record.
        segments: the rig's whole segment table.
        memory: ``[numbers]`` of this agent; the leg's part is read and written.
        joints: ``[joints, 3]`` of this agent, written from ``first_joint`` on, hip first, sole last, world [m].
        hinges: ``[bones, 3]`` of this agent, written from ``first_bone`` on, unit, world.
        trunk_position: world [m].
        trunk_rotation: q_world_trunk.
        heading: q_world_heading.
        sole: goal of the sole, world [m].
        normal: upward normal of the sole, unit, world.
        kneel: 0 stands, 1 kneels.
        lift: share of the foot's full lift.
    """
    solver = leg["solver"]
    count = leg["segments"]
    first = leg["first_segment"]
    joint = leg["first_joint"]
    bone = leg["first_bone"]
    foot = leg["foot_height"]
    hip = add(trunk_position, rotate(trunk_rotation, load3(leg["hip"])))
    goal = add_scaled(sole, normal, foot)
    metatarsus = normal
    if solver == THREE_SEGMENT:
        metatarsus = metatarsus_direction(leg, heading, kneel, lift)
        goal = add_scaled(goal, metatarsus, segments[first + 2]["length"])
    reach = sub(goal, hip)
    if solver == CHAIN:
        excess = solve_chain(leg, segments, memory, joints, hinges, hip, trunk_rotation, reach)
        end = row3(joints, joint + count)
        hinge = row3(hinges, bone + count - 1)
        bend = row3(hinges, bone)
    else:  # in the plane of the bend
        far = length(reach)
        sound = far < FARTHEST
        direction = rotate(trunk_rotation, load3(leg["hip_to_rest"]))
        if sound:
            direction = unit_or(reach, direction)
        bend = bend_direction(leg, trunk_rotation, direction)
        hinge = cross(bend, direction)
        put3(joints, joint, hip)
        for index in range(count):
            put3(hinges, bone + index, hinge)
        a = segments[first]["length"]
        if solver == FABRIK:
            low, high = chain_span(segments, first, count)
            span = clamp(far, low, high) if sound else high
            place = leg["memory"]
            solve_fabrik(segments, first, count, memory, place, span)
            for index in range(count - 1):
                x = memory[place + 2 * index]
                y = memory[place + 2 * index + 1]
                put3(joints, joint + index + 1, add_scaled(add_scaled(hip, direction, x), bend, y))
        elif solver == PANTOGRAPH:
            shin = segments[first + 1]["length"]
            last = segments[first + 2]["length"]
            span = clamp_span(a + last, shin, far) if sound else a + shin + last
            knee, hock = solve_pantograph(hip, direction, bend, a, shin, last, span)
            put3(joints, joint + 1, knee)
            put3(joints, joint + 2, hock)
        else:
            b = segments[first + 1]["length"]
            span = clamp_span(a, b, far) if sound else a + b
            put3(joints, joint + 1, solve_two_bone(hip, direction, bend, a, b, span))
        excess = abs(far - span)
        end = goal if span == far else add_scaled(hip, direction, span)
        if solver == THREE_SEGMENT:
            put3(joints, joint + 2, end)
            put3(hinges, bone + 2, across_bone(hinge, metatarsus, bend))
            end = add_scaled(end, metatarsus, -segments[first + 2]["length"])
        put3(joints, joint + count, end)
    if foot > 0.0:
        put3(joints, joint + count + 1, add_scaled(end, normal, -foot))
        put3(hinges, bone + count, across_bone(hinge, normal, bend))
    return excess


@kernel
def seed_memory(leg, segments, memory):
    """Write what a leg's solver starts from, into this agent's ``memory [numbers]``: its shape or angles of rest."""
    if leg["solver"] == FABRIK:
        seed_fabrik(segments, leg["first_segment"], leg["segments"], memory, leg["memory"])
    elif leg["solver"] == CHAIN:
        seed_chain(segments, leg["first_segment"], leg["segments"], memory, leg["memory"])


@kernel
def seed_memories(legs, segments, memory):
    """Write what all legs of all agents start from, into ``memory [agents, numbers]``."""
    for agent in range(memory.shape[0]):
        for index in range(legs.shape[0]):
            seed_memory(legs[index], segments, memory[agent])


@inline
def solve_legs_agent(legs, segments, memory, trunks, heading, feet, kneel, joints, hinges):
    """Solve all legs of one agent, write its joints and hinges, and each foot's excess.

    Args:
        legs: ``LEG_RIG [legs]``.
        segments: ``SEGMENT_RIG [segments]``.
        memory: ``[numbers]``, read and written.
        trunks: ``POSE [trunks]``.
        heading: q_world_heading, tuple.
        feet: ``FOOT [legs]``: goals; ``excess`` is written.
        kneel: 0 stands, 1 kneels.
        joints: ``[joints, 3]``, written.
        hinges: ``[bones, 3]``, written.
    """
    for index in range(legs.shape[0]):
        leg = legs[index]
        foot = feet[index]
        trunk = trunks[leg["trunk"]]
        foot["excess"] = solve_leg(
            leg,
            segments,
            memory,
            joints,
            hinges,
            load3(trunk["position"]),
            load4(trunk["rotation"]),
            heading,
            load3(foot["sole"]),
            load3(foot["normal"]),
            kneel,
            foot["lift"],
        )


@kernel
def solve_legs_batch(legs, segments, memory, trunks, headings, feet, kneel, joints, hinges):
    """``solve_legs_agent`` for each agent."""
    for agent in range(feet.shape[0]):
        solve_legs_agent(
            legs,
            segments,
            memory[agent],
            trunks[agent],
            load4(headings[agent]),
            feet[agent],
            kneel[agent],
            joints[agent],
            hinges[agent],
        )


def solve_legs(
    rig: Rig,
    memory: NDArray[np.float64],
    trunks: Records,
    headings: NDArray[np.float64],
    feet: Records,
    kneel: NDArray[np.float64],
) -> tuple[Joints, NDArray[np.float64]]:
    """Solve every leg of every agent.

    Args:
        rig: the skeleton.
        memory: ``[agents, numbers]`` that the solvers start from; updated in place.
        trunks: ``POSE [agents, trunks]``.
        headings: ``[agents, 4]`` q_world_heading.
        feet: ``FOOT [agents, legs]``: ``sole``, ``normal`` and ``lift`` are the goals; ``excess`` is written.
        kneel: ``[agents]`` 0 stands, 1 kneels.

    Returns:
        The joints, and the distance of each sole from its goal ``[agents, legs]`` [m]: what could not be reached.
    """
    agents = feet.shape[0]
    joints = Joints(np.zeros((agents, rig.joint_count, 3)), np.zeros((agents, rig.bone_count, 3)))
    solve_legs_batch(
        rig.leg_table, rig.segment_table, memory, trunks, headings, feet, kneel, joints.position, joints.hinge
    )
    return joints, feet["excess"].copy()


def fresh_memory(rig: Rig, agents: int) -> NDArray[np.float64]:
    """Solver memory ``[agents, numbers]`` of a fresh state."""
    memory = np.zeros((agents, rig.memory_size))
    seed_memories(rig.leg_table, rig.segment_table, memory)
    return memory

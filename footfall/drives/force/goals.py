"""Goals of the proxies: from planned soles and trunks to centres of mass and rotations, sampled once a tick."""

from __future__ import annotations

import math

import numpy as np

from footfall.drives.force.host import Proxies, Reading
from footfall.drives.force.servo import position_coefficient, sampled_motion, sampled_turn
from footfall.drives.force.settings import Force
from footfall.drives.force.sole import centre_over
from footfall.drives.force.wrench import Goals
from footfall.frames import arrays
from footfall.records import Records
from footfall.state import Array


def standing_on(normal: Array, yaw: Array) -> Array:
    """Rotations ``[..., 4]`` of feet with their z along a normal ``[..., 3]`` and their x towards a heading [rad]."""
    tilt = shortest_turn(np.broadcast_to([0.0, 0.0, 1.0], normal.shape), normal)
    return arrays.multiply(tilt, arrays.about_z(yaw))


def shortest_turn(a: Array, b: Array) -> Array:
    """Rotation ``[..., 4]`` that takes unit vectors a to unit vectors b ``[..., 3]`` the shortest way."""
    axis = np.cross(a, b)
    w = 1.0 + np.sum(a * b, axis=-1, keepdims=True)
    q = np.concatenate([w, axis], axis=-1)
    size = np.linalg.norm(q, axis=-1, keepdims=True)
    return np.where(size > 1e-9, q / np.maximum(size, 1e-9), np.array([0.0, 1.0, 0.0, 0.0]))


def turned_towards(now: Array, wanted: Array, most: Array) -> Array:
    """Rotations ``[..., 4]`` from now towards the wanted ones by no more than an angle ``[...]`` [rad]."""
    way = arrays.rotation_vector(arrays.multiply(wanted, arrays.conjugate(now)))
    angle = np.linalg.norm(way, axis=-1, keepdims=True)
    share = np.minimum(1.0, most[..., None] / np.maximum(angle, 1e-12))
    return arrays.multiply(arrays.from_rotation_vector(share * way), now)


def sole_rotations(
    force: Force, memory: Records, feet: Records, legs: Records, heading: float, time: float, dt: float
) -> Array:
    """Rotations ``[feet, 4]`` that the feet should have at a time (rows B220, B221).

    A foot in the air turns from the heading that it lifted with to the machine's, and lies level with the ground where
    it lands ``align_time`` before it does; goals turn no faster than the rates of the settings. A planted foot stays as
    it is.
    """
    swinging = feet["swinging"] != 0
    soon = (legs["touchdown"] - time <= force.align_time) & swinging
    normal = np.where(soon[:, None], legs["target_normal"], feet["normal"])
    progress = feet["progress"]
    share = progress * progress * (3.0 - 2.0 * progress)
    turn = (heading - memory["yaw"] + math.pi) % (2.0 * math.pi) - math.pi
    wanted = standing_on(normal, memory["yaw"] + share * turn)
    rate = np.where(swinging, force.align_rate, force.align_rate_planted)
    return np.where(swinging[:, None], turned_towards(memory["turn"], wanted, rate * dt), memory["turn"])


def note_changes(memory: Records, reading: Reading, feet: Records) -> None:
    """Feet that have lifted or landed since the last tick turn on from how they lie."""
    swinging = feet["swinging"] != 0
    changed = swinging == (memory["planted"] != 0)
    lie = reading.rotation[1:][changed]
    memory["turn"][changed] = lie
    memory["turn_before"][changed] = lie
    memory["yaw"][changed] = arrays.yaw(lie)
    memory["planted"] = ~swinging


def sample_goals(
    force: Force, proxies: Proxies, body: Records, memory: Records, reading: Reading, trunk: Records, feet: Records,
    legs: Records, heading: float, time: float, dt: float,
) -> Goals:  # fmt: skip
    """Goals at the start of a tick, from the ones before it and the one that is planned for its end; kept in memory.

    Args:
        force: settings.
        proxies: offsets of the soles.
        body: ``BODY_MEMORY``.
        memory: ``FOOT_MEMORY [feet]``.
        reading: what was measured at its start.
        trunk: ``POSE`` planned for its end.
        feet: ``FOOT [feet]`` planned for its end.
        legs: ``LEG [feet]``.
        heading: of the machine [rad].
        time: at its end [s].
        dt: its length [s].
    """
    note_changes(memory, reading, feet)
    turns = sole_rotations(force, memory, feet, legs, heading, time, dt)
    centres = centre_over(feet["sole"], turns, proxies.sole_offsets)
    planted = feet["swinging"] == 0
    # a planted foot is held where its sole is planned, whatever way it lies
    fixed = np.where(planted[:, None], centres, memory["goal"])
    before = np.where(planted[:, None], centres, memory["goal_before"])
    position = np.vstack([body["goal"], fixed])
    rotation = np.vstack([body["turn"], memory["turn"]])
    after, turned = np.vstack([trunk["position"], centres]), np.vstack([trunk["rotation"], turns])
    coefficient = position_coefficient(proxies.substeps)
    motion = sampled_motion(np.vstack([body["goal_before"], before]), position, after, dt, coefficient)
    arriving = np.flatnonzero(~planted & (feet["progress"] >= 1.0))
    # the ground stops a foot that arrives, not its servo
    motion.velocity[1:][arriving] = (fixed[arriving] - before[arriving]) / dt
    motion.acceleration[1:][arriving] = 0.0
    turn = sampled_turn(np.vstack([body["turn_before"], memory["turn_before"]]), rotation, turned, dt)
    body["goal_before"], body["goal"] = body["goal"], trunk["position"]
    body["turn_before"], body["turn"] = body["turn"], trunk["rotation"]
    memory["goal_before"], memory["goal"] = fixed, centres
    memory["turn_before"], memory["turn"] = memory["turn"], turns
    return Goals(position, rotation, motion, turn, planted)

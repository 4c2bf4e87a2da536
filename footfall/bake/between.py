"""Keys between frames where a planted sole would slide.

Players turn each bone evenly between keys, and the sole at the end of several bones then leaves its place by about
dt² times their angular accelerations: well under a millimetre at 60 Hz, several at 10 Hz. Where it is more than a
bound, keys are put between the frames whose bones are turned, as little as can be, so that the sole is in its place.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from footfall.bake.recording import Motion
from footfall.bake.tracks import between
from footfall.frames import arrays
from footfall.state import Array

SLIP = 2e-4  # a planted sole leaves its place between two keys by no more than this [m]
MOST = 16  # stretches that one frame is cut into at most
STAYS = 0.02  # a sole that moves by more than this from one frame to the next has stepped [leg lengths]


class LegKeys(NamedTuple):
    """Keys of one leg's bones."""

    times: Array
    """``[keys]`` [s]."""
    rotations: Array
    """``[keys, bones, 4]`` q_parent_bone."""


class Chain(NamedTuple):
    """A leg at some instants, world."""

    joints: Array
    """``[instants, bones, 3]`` root joint of each bone [m]."""
    rotations: Array
    """``[instants, bones, 4]`` q_world_bone."""
    sole: Array
    """``[instants, 3]`` [m]."""


def chain_at(trunk_p: Array, trunk_q: Array, anchors: Array, rotations: Array) -> Chain:
    """Forward kinematics of a leg.

    Args:
        trunk_p: ``[instants, 3]`` world [m].
        trunk_q: ``[instants, 4]`` q_world_trunk.
        anchors: ``[bones + 1, 3]`` of each bone in its parent's frame, then of the sole in the last bone's [m].
        rotations: ``[instants, bones, 4]`` q_parent_bone.
    """
    p, q, joints, turns = trunk_p, trunk_q, [], []
    for bone in range(rotations.shape[1]):
        p = p + arrays.rotate(q, anchors[bone])
        q = arrays.multiply(q, rotations[:, bone])
        joints.append(p)
        turns.append(q)
    return Chain(np.stack(joints, 1), np.stack(turns, 1), p + arrays.rotate(q, anchors[-1]))


def trunk_between(motion: Motion, trunk: int, frames: NDArray[np.int64], share: Array) -> tuple[Array, Array]:
    """World pose of a trunk between frames and the ones after them, as players show it."""
    here, after = frames, frames + 1
    root_p = between(motion.root_position[here], motion.root_position[after], share, False)
    root_q = between(motion.root_rotation[here], motion.root_rotation[after], share, True)
    position, rotation = motion.parts.position_parent[:, trunk], motion.parts.rotation_parent[:, trunk]
    p = between(position[here], position[after], share, False)
    q = between(rotation[here], rotation[after], share, True)
    return root_p + arrays.rotate(root_q, p), arrays.multiply(root_q, q)


def turned_to(goal: Array, trunk: tuple[Array, Array], anchors: Array, rotations: Array) -> Array:
    """Rotations ``[instants, bones, 4]`` turned by the least angles that bring the sole to a goal ``[instants, 3]``.

    Gauss and Newton's steps; an instant that they do not help stays as it was.
    """
    begun = chain_at(*trunk, anchors, rotations)
    found = rotations
    for _ in range(4):
        chain = chain_at(*trunk, anchors, found)
        off = goal - chain.sole
        arm = chain.sole[:, None] - chain.joints
        square = (arm * arm).sum(axis=-1)
        matrix = (square[..., None, None] * np.eye(3) - arm[..., :, None] * arm[..., None, :]).sum(axis=1)
        matrix += 1e-9 * np.trace(matrix, axis1=1, axis2=2)[:, None, None] * np.eye(3)
        push = np.linalg.solve(matrix, off[..., None])[..., 0]
        turn = 0.5 * np.cross(arm, push[:, None])
        spin = np.concatenate([np.ones((*turn.shape[:2], 1)), turn], axis=-1)
        spin /= np.linalg.norm(spin, axis=-1, keepdims=True)
        inner = arrays.multiply(arrays.conjugate(chain.rotations), arrays.multiply(spin, chain.rotations))
        found = arrays.multiply(found, inner)
    ended = chain_at(*trunk, anchors, found)
    before, after = (np.linalg.norm(goal - chain.sole, axis=-1) for chain in (begun, ended))
    return np.where((after < 0.5 * before)[:, None, None], found, rotations)


def leg_keys(motion: Motion, leg: int, slip: float = SLIP) -> LegKeys:
    """Keys of a leg's bones: one a frame, and more between frames where its planted sole would slide.

    Args:
        motion: the motion.
        leg: index of the leg.
        slip: how far a planted sole may leave its place between keys [m].
    """
    rig, row = motion.rig, motion.rig.leg_table[leg]
    first = len(rig.trunks) + int(row["first_bone"])
    bones = slice(first, first + int(row["bones"]))
    rotations = motion.parts.rotation_parent[:, bones]
    sole = len(rig.trunks) + rig.bone_count + leg
    anchors = np.concatenate([motion.table.anchors[bones], motion.table.anchors[sole : sole + 1]])
    places, planted = motion.soles[:, leg], motion.planted[:, leg]
    moved = np.linalg.norm(places[1:] - places[:-1], axis=-1)
    frames = np.flatnonzero(planted[1:] & planted[:-1] & (moved < STAYS * rig.leg_length))

    def shown(frames: NDArray[np.int64], share: Array) -> tuple[tuple[Array, Array], Array, Array]:
        trunk = trunk_between(motion, int(row["trunk"]), frames, share)
        each = np.broadcast_to(share[:, None], (len(frames), rotations.shape[1]))
        turned = between(rotations[frames], rotations[frames + 1], each, True)
        return trunk, turned, between(places[frames], places[frames + 1], share, False)

    trunk, turned, goal = shown(frames, np.full(len(frames), 0.5))
    off = np.linalg.norm(chain_at(*trunk, anchors, turned).sole - goal, axis=-1)
    pieces = np.clip(np.ceil(np.sqrt(off / slip)), 1, MOST).astype(np.int64)
    frames, pieces = frames[pieces > 1], pieces[pieces > 1]
    if not len(frames):
        return LegKeys(motion.times, rotations)
    inner = np.repeat(frames, pieces - 1)
    number = np.concatenate([np.arange(1, count) for count in pieces])
    share = number / np.repeat(pieces, pieces - 1)
    trunk, turned, goal = shown(inner, share)
    more = turned_to(goal, trunk, anchors, turned)
    times = np.concatenate([motion.times, motion.times[inner] * (1 - share) + motion.times[inner + 1] * share])
    order = np.argsort(times, kind="stable")
    order = order[np.r_[True, np.diff(times[order].astype(np.float32)) > 0]]
    return LegKeys(times[order], np.concatenate([rotations, more])[order])

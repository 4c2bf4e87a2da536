"""Runs of the articulated baseline, as plain arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import footfall as ff
from footfall.joint_run import run_joints

Array = np.ndarray

PRESETS = ("slow", "medium", "fast")


class Walked(NamedTuple):
    """One agent's run, ``[frames, ...]``."""

    time: Array
    position: Array
    rotation: Array
    velocity: Array  # forward and left, heading frame
    phase: Array
    angles: Array  # [frames, legs, 3]
    soles: Array
    planted: Array
    load: Array
    net: float  # way along x


def walked(frames: list[ff.Frame], rig) -> Walked:
    """Arrays of the first agent."""
    memory = rig.leg_table["memory"][:, None] + np.arange(3)
    soles = rig.leg_table["first_joint"] + rig.leg_table["bones"]
    position = np.array([frame.actual.trunks["position"][0, 0] for frame in frames])
    return Walked(
        np.array([frame.time for frame in frames]),
        position,
        np.array([frame.actual.trunks["rotation"][0, 0] for frame in frames]),
        np.array([frame.motion["velocity"][0] for frame in frames]),
        np.array([frame.body["phase"][0] for frame in frames]),
        np.array([frame.state.memory[0][memory] for frame in frames]),
        np.array([frame.joints.position[0, soles] for frame in frames]),
        np.array([frame.actual.feet["swinging"][0] == 0 for frame in frames]),
        np.array([frame.state.contacts["load"][0] for frame in frames]),
        float(position[-1, 0] - position[0, 0]),
    )


def frames_of(machine, preset: str, **options) -> list[ff.Frame]:
    """Frames of a preset."""
    flat = ff.make_terrain("flat", machine.leg_length)
    return list(run_joints(machine, flat, ff.load_scenario(f"tripod_{preset}"), **options))

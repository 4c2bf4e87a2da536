"""A host that moves the biped's root, and what the frames of such a walk hold."""

from __future__ import annotations

import dataclasses

import numpy as np

from footfall.frames import arrays
from footfall.machine import Machine, build_machine, load_machine
from footfall.seat import initial_state
from footfall.tick import idle_command, step
from footfall.world.build import flat_world

INNER = 1.0 / 60.0
SPEED = 1.8
REST = np.array([[0.05, 0.48, 0.0], [0.05, -0.48, 0.0]])  # soles at rest in the heading frame, left and right
GROWTH = dict(stride=2.0, reference=1.8, exponent=0.5, least=0.5, most=2.6, slow=0.5, fast=1.4)


def changed(**sections) -> Machine:
    """The biped with some figures changed: ``changed(travel={"window": 0.0})``."""
    file = load_machine("biped").file
    return build_machine(
        dataclasses.replace(
            file, **{name: dataclasses.replace(getattr(file, name), **figures) for name, figures in sections.items()}
        )
    )


def stride(speed):
    """Stride law of the source, with the figures of the biped's file [m]."""
    law = GROWTH
    grown = law["stride"] * (np.maximum(speed, 0.01) / law["reference"]) ** law["exponent"]
    return np.clip(grown, law["least"], law["most"])


def cadence(speed):
    """Cadence law of the source [cycles/s]."""
    return np.clip(speed / stride(speed), GROWTH["slow"], GROWTH["fast"])


def tilt(roll=0.0, pitch=0.0, yaw=0.0):
    """Rotation matrix Rz(yaw) Ry(pitch) Rx(roll)."""
    cr, sr, cp, sp, cy, sy = np.cos(roll), np.sin(roll), np.cos(pitch), np.sin(pitch), np.cos(yaw), np.sin(yaw)
    x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return z @ y @ x


def matrix(q):
    """Rotation matrix of w, x, y, z, from its columns."""
    return np.stack([arrays.rotate(np.asarray(q), axis) for axis in np.eye(3)], axis=-1)


def quaternion(rotation):
    """w, x, y, z of a rotation matrix, by its eigenvector of eigenvalue 1 (Bar-Itzhack 2000)."""
    m = rotation
    k = np.array(
        [
            [m[0, 0] + m[1, 1] + m[2, 2], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]],
            [m[2, 1] - m[1, 2], m[0, 0] - m[1, 1] - m[2, 2], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0]],
            [m[0, 2] - m[2, 0], m[0, 1] + m[1, 0], m[1, 1] - m[0, 0] - m[2, 2], m[1, 2] + m[2, 1]],
            [m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], m[2, 2] - m[0, 0] - m[1, 1]],
        ]
    )
    return np.linalg.eigh(k)[1][:, -1]


class Walk:
    """The frames of one hosted walk, as arrays over its frames; row 0 is the first frame after the start."""

    def __init__(self, machine, positions, rotations, frames):
        self.machine, self.positions, self.rotations, self.frames = machine, positions, rotations, frames
        rig = machine.rig
        last = rig.leg_table["first_joint"] + rig.leg_table["bones"]
        self.time = np.array([f.time for f in frames])
        self.joints = np.array([f.joints.position[0] for f in frames])
        self.sole = self.joints[:, last]
        self.hip = self.joints[:, rig.leg_table["first_joint"]]
        self.swinging = np.array([f.actual.feet["swinging"][0] for f in frames]) != 0
        self.goal = np.array([f.actual.feet["sole"][0] for f in frames])
        self.excess = np.array([f.actual.feet["excess"][0] for f in frames])
        self.trunk = np.array([f.actual.trunks["position"][0] for f in frames])
        self.turned = np.array([f.actual.trunks["rotation"][0] for f in frames])
        for name in ("velocity", "yaw_rate"):
            setattr(self, name, np.array([f.motion[name][0] for f in frames]))
        for name in ("phase", "cadence", "amplitude", "park", "adapt", "impact", "impact_rate", "lean", "limp"):
            setattr(self, name, np.array([f.body[name][0] for f in frames]))
        for name in ("steps", "rescues", "touchdowns", "lift_off", "touchdown"):
            setattr(self, name, np.array([f.legs[name][0] for f in frames]))
        self.state = frames[-1].state

    def swings(self, leg):
        """Lift-off and touchdown times of a leg's finished swings, and where it landed (the last rows may be cut)."""
        done = np.flatnonzero(np.diff(self.touchdowns[:, leg]) > 0) + 1
        return self.lift_off[done, leg], self.touchdown[done, leg], self.sole[done, leg]


def drive(machine, positions, rotations=None, dts=None, *, world=None, state=None, ask=None):
    """Walk with the root at ``positions [frames + 1, 3]``; the first one is the start, without a step."""
    positions = np.asarray(positions, dtype=float)
    count = len(positions)
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1)) if rotations is None else np.asarray(rotations)
    dts = np.full(count - 1, INNER) if dts is None else dts
    world = flat_world() if world is None else world
    command = idle_command(1)
    command["hosted"] = 1
    if state is None:
        state = initial_state(machine, world, positions[:1], arrays.yaw(rotations[:1]), hosted=True)
    frames = []
    for number in range(count - 1):
        command["root_position"], command["root_rotation"] = positions[number + 1], rotations[number + 1]
        if ask is not None:
            ask(number, command)
        frame = step(machine, state, command, world, float(dts[number]))
        state = frame.state
        frames.append(frame)
    return Walk(machine, positions[1:], rotations[1:], frames)


def straight(speed, seconds, rate=60.0):
    """Roots of a straight walk along x."""
    return np.arange(round(seconds * rate) + 1)[:, None] / rate * speed * np.array([1.0, 0.0, 0.0])


def parked(seconds, rate=60.0):
    """Roots of a machine that stands."""
    return np.zeros((round(seconds * rate) + 1, 3))

"""Frames from measurements: the skeleton is posed by the measured joints, and a foot stands where it bears.

A foot stands from the instant at which the floor pushes it until it has risen clear of the floor: the soft contacts of
a foot that carries little come and go many times in one stance, and that makes no steps.

Nothing is planned in space. A frame's plan is where the soles would be if the joints had the angles asked for, on the
trunk as it is: so the tracking error tells what the motors leave undone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from footfall.drives.joint.simulation import Measured
from footfall.frames import arrays
from footfall.ik.forward import pose_angles
from footfall.records import Records
from footfall.rig import Rig
from footfall.state import CONTACT, FOOT, MOTION, POSE, STEP, Actual, Array, Frame, Joints, Plan, State

Flags = NDArray[np.bool_]

UP = (0.0, 0.0, 1.0)
CLEAR = 0.1  # a foot is clear of the floor this far over where the floor begins to push, in radii of its ball


class Figures(NamedTuple):
    """Measurements of all agents, ``[agents, …]``; see ``Measured``."""

    position: Array
    rotation: Array
    velocity: Array
    spin: Array
    angles: Array
    feet: Array
    load: Array
    slip: Array
    targets: Array
    phase: Array


class JointFrames:
    """Makes one frame after the other of a run of the joint drive."""

    def __init__(self, rig: Rig, margin: float, floor: float, cadence: float, duty_factor: float) -> None:
        """
        Args:
            rig: of the machine.
            margin: distance between a foot and the floor at which the floor begins to push [m].
            floor: height of the ground [m].
            cadence: of the controller [cycles/s].
            duty_factor: of the controller.
        """
        self.rig, self.floor, self.cadence, self.duty_factor = rig, floor, cadence, duty_factor
        self.clear = floor + margin + CLEAR * rig.leg_table["foot_height"]
        self.soles = rig.leg_table["first_joint"] + rig.leg_table["bones"]
        self.memory = rig.leg_table["memory"][:, None] + np.arange(rig.leg_table["segments"][0])

    def make(self, past: State, measured: Sequence[Measured], saved: Sequence[Array], time: float, dt: float) -> Frame:
        """The frame at an instant.

        Args:
            past: the state of the last frame; at the first one, of a fresh machine.
            measured: of each agent, at the instant.
            saved: what each agent's simulation goes on from.
            time: the instant [s].
            dt: time since the last frame [s]; 0 at the first one.
        """
        figures = Figures(*(np.stack(parts) for parts in zip(*measured, strict=True)))
        trunks = np.zeros((len(measured), 1), POSE)
        trunks["position"][:, 0], trunks["rotation"][:, 0] = figures.position, figures.rotation
        joints = pose_angles(self.rig, trunks, figures.angles, UP)
        asked = pose_angles(self.rig, trunks, figures.targets, UP)
        soles = figures.feet - self.rig.leg_table["foot_height"][:, None] * np.array(UP)
        stood = past.legs["swinging"] == 0
        stands = (figures.load > 0.0) | (stood & (soles[..., 2] < self.clear))
        actual = self.feet(soles, stands)
        planned = self.feet(asked.position[:, self.soles], stands)
        motion = self.motion(past, figures, time, dt)
        body = self.body(past, figures, motion)
        legs = self.legs(past, joints, stands, time)
        memory = past.memory.copy()
        memory[:, self.memory] = figures.angles
        contacts = self.contacts(figures, actual, legs)
        state = State(
            body, legs, trunks, past.path.copy(), past.window.copy(), memory, past.head.copy(), contacts,
            np.stack(saved),
        )  # fmt: skip
        plan = Plan(np.zeros(stands.shape, STEP), trunks, planned)
        return Frame(time, state, body, legs, motion, plan, Actual(trunks, actual), joints, state.head)

    def feet(self, soles: Array, stands: Flags) -> Records:
        """``FOOT [agents, legs]`` of feet at these soles."""
        feet = np.zeros(stands.shape, FOOT)
        feet["swinging"], feet["sole"], feet["support"] = ~stands, soles, soles
        feet["support"][..., 2] = self.floor
        feet["normal"], feet["support_normal"] = UP, UP
        return feet

    def motion(self, past: State, figures: Figures, time: float, dt: float) -> Records:
        """``MOTION [agents]``: the trunk's, over the ground."""
        motion = np.zeros(len(figures.phase), MOTION)
        motion["root_position"] = figures.position
        motion["root_position"][:, 2] = self.floor
        motion["heading"] = motion["root_rotation"] = arrays.about_z(arrays.yaw(figures.rotation))
        motion["up"], motion["time"] = UP, time
        motion["velocity"] = arrays.unrotate(motion["heading"], figures.velocity)[:, :2]
        motion["yaw_rate"] = arrays.rotate(figures.rotation, figures.spin)[:, 2]
        if dt > 0.0:
            motion["acceleration"] = (motion["velocity"] - past.body["velocity"]) / dt
        return motion

    def body(self, past: State, figures: Figures, motion: Records) -> Records:
        """``BODY [agents]``."""
        body = past.body.copy()
        for field in ("root_position", "root_rotation", "velocity", "yaw_rate"):
            body[field] = motion[field]
        body["phase"], body["cadence"], body["duty"] = figures.phase, self.cadence, self.duty_factor
        body["support"], body["amplitude"], body["governor"] = self.floor, 1.0, 1.0
        return body

    def legs(self, past: State, joints: Joints, stands: Flags, time: float) -> Records:
        """``LEG [agents, legs]``."""
        legs, soles = past.legs.copy(), joints.position[:, self.soles]
        stood = past.legs["swinging"] == 0
        landing, lifting = stands & ~stood, stood & ~stands
        legs["swinging"] = ~stands
        legs["touchdown"][landing], legs["lift_off"][lifting] = time, time
        legs["touchdowns"] += landing
        legs["steps"] += lifting
        legs["anchor"][landing] = soles[landing]
        legs["stood"][stands] = soles[stands]
        legs["origin"][lifting] = legs["stood"][lifting]
        legs["anchor_normal"], legs["surface"] = UP, -1
        return legs

    def contacts(self, figures: Figures, feet: Records, legs: Records) -> Records:
        """``CONTACT [agents, legs]``; no foot counts as stable, for none is held anywhere."""
        contacts = np.zeros(feet.shape, CONTACT)
        contacts["met"], contacts["load"], contacts["slip"] = figures.load > 0.0, figures.load, figures.slip
        contacts["measured"], contacts["measured_normal"], contacts["since"] = feet["sole"], UP, legs["touchdown"]
        return contacts

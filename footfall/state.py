"""What flows through a tick: command, state, plan, frame. Every array leads with ``[agents]``.

Record fields carry their unit and frame. ``State`` is all that a tick needs from the past; a copy of it is a save,
and the same state, commands and world replay bit for bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from footfall.records import Records, copy_records

Array = NDArray[np.float64]

#: What is asked of one agent; ``Command`` arrays are ``[agents]``.
COMMAND = np.dtype(
    [
        ("speed", np.float64),  #: forward speed asked for [m/s]
        ("lateral", np.float64),  #: speed to the left asked for [m/s]
        ("yaw_rate", np.float64),  #: rate of turn to the left asked for [rad/s]
        ("height", np.float64),  #: added to the body's height [m]
        ("roll", np.float64),  #: added to the body's roll, right side down positive [rad]
        ("pitch", np.float64),  #: added to the body's pitch, nose down positive [rad]
        ("yaw", np.float64),  #: body turned over its feet, to the left [rad]
        ("shift", np.float64, (2,)),  #: body moved over its feet, forward and left [m]
        ("kneel", np.float64),  #: 1 asks the machine to kneel, 0 to stand
        ("limp", np.float64),  #: body lowered by this much for damage [m]
        ("gait", np.int64),  #: index in the machine's gaits, -1 chooses by speed
        ("up", np.float64, (3,)),  #: unit vector, world
        ("hosted", np.int64),  #: 1: the root is the host's, speed and yaw rate are measured from it
        ("root_position", np.float64, (3,)),  #: host's root on the ground under the body, world [m]
        ("root_rotation", np.float64, (4,)),  #: host's root, q_world_root
    ],
    align=True,
)

#: A foot placed by hand ``[agents, legs]``.
HAND = np.dtype(
    [
        ("held", np.int64),  #: 1: this foot is lifted and goes where it is told
        ("target", np.float64, (3,)),  #: sole, world [m]
    ],
    align=True,
)

#: State of one body.
BODY = np.dtype(
    [
        ("tick", np.int64),  #: inner steps done
        ("remainder", np.float64),  #: caller's time not yet stepped [s]
        ("root_position", np.float64, (3,)),  #: root on the ground under the body, world [m]
        ("root_rotation", np.float64, (4,)),  #: q_world_root; where nobody hosts it, a heading about up
        ("host_position", np.float64, (3,)),  #: root at the last frame, the host's where it is hosted, world [m]
        ("host_rotation", np.float64, (4,)),  #: the same, q_world_root
        ("velocity", np.float64, (2,)),  #: forward and left, heading frame [m/s]
        ("yaw_rate", np.float64),  #: [rad/s]; of several trunks, what turns the whole chain
        ("governor", np.float64),  #: share of the asked motion that the legs allow, 0 to 1
        ("phase", np.float64),  #: of the gait [cycles], in [0, 1)
        ("cadence", np.float64),  #: of the last step [cycles/s]
        ("gait", np.int64),  #: index in the machine's gaits
        ("gait_held", np.float64),  #: time since the gait was last changed [s]
        ("duty", np.float64),  #: duty factor, moving to the gait's
        ("amplitude", np.float64),  #: activity of the gait, 0 at rest, 1 in full walk
        ("park", np.float64),  #: 1 in the parked posture
        ("support", np.float64),  #: height of the support plane at the root, along up, smoothed [m]
        ("support_rate", np.float64),  #: its rate relative to the plane's own slope [m/s]
        ("gradient", np.float64, (2,)),  #: slope of the support plane forward and left, heading frame, smoothed
        ("impact", np.float64, (3,)),  #: deflection of the impact spring, heading frame [m]
        ("impact_rate", np.float64, (3,)),  #: [m/s]
        ("gradient_rate", np.float64, (2,)),  #: [1/s]
        ("lean", np.float64),  #: forward lean from speed and acceleration [rad]
        ("lean_rate", np.float64),  #: [rad/s]
        ("weight_shift", np.float64, (2,)),  #: away from the feet in the air, heading frame [m]
        ("weight_shift_rate", np.float64, (2,)),  #: [m/s]
        ("adapt", np.float64),  #: body lowered for a leg near its reach [m]
        ("pose", np.float64, (6,)),  #: asked height [m], roll, pitch, yaw [rad], shift [m, m], on their way
        ("pose_rate", np.float64, (6,)),  #: [m/s], [rad/s]
        ("limp", np.float64),  #: asked limp, on its way [m]
        ("kneel", np.float64),  #: 0 stands, 1 kneels
        ("latched", np.int64),  #: 1: no leg may lift, for lack of a valid foothold
        ("unsupported", np.int64),  #: 1: fewer feet stand within their reach than the gait plants
        ("path_way", np.float64),  #: way of the middle trunk along the path [m] (several trunks)
        ("path_low", np.int64),  #: first knot that the path holds
        ("path_high", np.int64),  #: last knot that the path holds
        ("waiting", np.int64),  #: 1: a foot waits for the ground: root and clock stand still
        ("error", np.float64, (3,)),  #: how far the measured body is from the planned one, level, world [m]
        ("support_acceleration", np.float64),  #: of the support height, where it is limited [m/s²]
    ],
    align=True,
)

#: State of one leg.
LEG = np.dtype(
    [
        ("swinging", np.int64),  #: 1 while lift_off <= t < touchdown
        ("lift_off", np.float64),  #: time at which the last swing began [s]
        ("touchdown", np.float64),  #: time at which it ends or ended [s]
        ("anchor", np.float64, (3,)),  #: where the stance sole is held, frame of the surface [m]
        ("anchor_normal", np.float64, (3,)),  #: normal of the ground there, frame of the surface
        ("surface", np.int64),  #: surface that the anchor is on, -1 the world
        ("stood", np.float64, (3,)),  #: where the foot stood at the last tick of its last stance, world [m]
        ("origin", np.float64, (3,)),  #: start of the swing's horizontal line, frame of the anchor's surface [m]
        ("origin_normal", np.float64, (3,)),  #: normal of the ground where the foot lifted, anchor's frame
        ("target", np.float64, (3,)),  #: foothold of the swing, frame of its surface [m]
        ("target_normal", np.float64, (3,)),  #: normal of the ground there, frame of its surface
        ("target_surface", np.int64),  #: surface of the foothold, -1 the world
        ("nominal", np.float64, (3,)),  #: spot that the last search started from, frame of the foothold's surface [m]
        ("steep", np.int64),  #: 1: the swing goes up, over and down, to get past an edge close to one of its ends
        ("lift", np.float64),  #: height of the swing over the line between its ends [m]
        ("phase_offset", np.float64),  #: moving to the gait's own [cycles]
        ("due", np.int64),  #: 1: its turn to lift has come and it waits
        ("due_since", np.float64),  #: time at which the turn came [s]
        ("pull", np.float64, (3,)),  #: from the solved end to the hip, longer near a hinge limit [m]
        ("choice", np.int64),  #: which of the neighbouring spots was taken last, 0 the nominal one
        ("held", np.int64),  #: 1 while the foot is placed by hand
        ("steps", np.int64),  #: steps begun
        ("rescues", np.int64),  #: steps begun out of turn
        ("touchdowns", np.int64),  #: steps ended
        ("rejected", np.int64),  #: footholds refused
    ],
    align=True,
)

#: How one foot of a force drive met the ground ``[agents, legs]``.
CONTACT = np.dtype(
    [
        ("met", np.int64),  #: 1: in contact with the ground in the last tick, or just before
        ("stable", np.int64),  #: 1: in contact, carrying, on its anchor and still
        ("waiting", np.int64),  #: 1: its swing is over and it has not met the ground
        ("waited", np.float64),  #: for how long it has waited [s]
        ("deeper", np.float64),  #: how far below its foothold it feels for the ground [m]
        ("since", np.float64),  #: time at which it came to stand [s]
        ("given_up", np.int64),  #: footholds given up because the ground was not there
        ("measured", np.float64, (3,)),  #: sole as measured, world [m]
        ("measured_normal", np.float64, (3,)),  #: upward normal of the sole as measured, world
        ("load", np.float64),  #: force of the ground along its normal [N]
        ("slip", np.float64),  #: speed of the sole along the ground [m/s]
    ],
    align=True,
)

#: Pose of one trunk.
POSE = np.dtype(
    [
        ("position", np.float64, (3,)),  #: world [m]
        ("rotation", np.float64, (4,)),  #: q_world_trunk
    ],
    align=True,
)

#: A knot of the path that several trunks follow.
KNOT = np.dtype(
    [
        ("position", np.float64, (3,)),  #: world [m], on the smoothed ground
        ("slope", np.float64),  #: rise of the smoothed ground over the way
        ("bank", np.float64),  #: its rise to the left
        ("bank_rate", np.float64),  #: change of that over the way [1/m]
    ],
    align=True,
)

#: One foot in a plan, or as it became.
FOOT = np.dtype(
    [
        ("swinging", np.int64),  #: 1 in the air
        ("sole", np.float64, (3,)),  #: world [m]
        ("normal", np.float64, (3,)),  #: upward normal of the sole, world
        ("lift", np.float64),  #: share of the full lift, 0 on the ground
        ("progress", np.float64),  #: share of the swing that is done, 0 in stance
        ("support", np.float64, (3,)),  #: ground point that the body rides on for this leg, world [m]
        ("support_normal", np.float64, (3,)),  #: normal there, world
        ("excess", np.float64),  #: distance by which the solved end lies outside the chain's reach [m]
    ],
    align=True,
)

#: What a leg is to do in this tick, and why.
STEP = np.dtype(
    [
        ("reason", np.int64),  #: 0 nothing, 1 its turn, 2 rescue, 3 asked for by hand, 4 let go by hand
        ("time", np.float64),  #: instant at which it lifts [s]
        ("swing_time", np.float64),  #: time in the air [s]
        ("stance_time", np.float64),  #: time on the ground after that, until its next turn [s]
        ("search", np.int64),  #: 1: a foothold was looked for
        ("refused", np.int64),  #: footholds refused in that search
    ],
    align=True,
)

#: What the body does in this tick.
MOTION = np.dtype(
    [
        ("root_position", np.float64, (3,)),  #: world [m]
        ("root_rotation", np.float64, (4,)),  #: q_world_root
        ("heading", np.float64, (4,)),  #: frame with z along up and x ahead, q_world_heading
        ("up", np.float64, (3,)),  #: unit vector, world
        ("velocity", np.float64, (2,)),  #: forward and left, before the governor, heading frame [m/s]
        ("acceleration", np.float64, (2,)),  #: forward and left, heading frame [m/s²]
        ("asked", np.float64),  #: forward, where the velocity goes to [m/s]
        ("yaw_rate", np.float64),  #: [rad/s]
        ("time", np.float64),  #: instant that the tick ends at [s]
    ],
    align=True,
)

#: State of the pilot's head.
HEAD = np.dtype(
    [
        ("offset", np.float64, (3,)),  #: seat frame [m]
        ("offset_rate", np.float64, (3,)),  #: [m/s]
        ("rotation", np.float64, (3,)),  #: rotation vector, seat frame [rad]
        ("rotation_rate", np.float64, (3,)),  #: [rad/s]
        ("seat", np.float64, (3,)),  #: seat at the last tick, world [m]
        ("seat_velocity", np.float64, (3,)),  #: world [m/s]
        ("acceleration", np.float64, (3,)),  #: of the seat at the last tick, seat frame [m/s²]
        ("settled", np.int64),  #: ticks seen, up to 2: no acceleration before
        ("rumble", np.float64),  #: servo rumble, 0 to 1
    ],
    align=True,
)


class State(NamedTuple):
    """All that a tick needs from the past."""

    body: Records
    """``BODY [agents]``."""
    legs: Records
    """``LEG [agents, legs]``."""
    trunks: Records
    """``POSE [agents, trunks]``: trunks at this instant."""
    path: Records
    """``KNOT [agents, knots]``: ring of knots that several trunks follow; no knots where there is one trunk."""
    window: Array
    """``[agents, samples, 3]`` forward, left speed [m/s] and yaw rate [rad/s] of the root, last inner steps."""
    memory: Array
    """``[agents, numbers]`` that the solvers start from."""
    head: Records
    """``HEAD [agents]``."""
    contacts: Records
    """``CONTACT [agents, legs]`` of a force drive; no legs where the plan is the motion."""
    drive: Array
    """``[agents, numbers]`` that a drive remembers: of a force drive all that the physics does."""

    def copy(self) -> State:
        """A copy that shares nothing with this state."""
        copy = State._make(np.empty_like(array, order="C") for array in self)
        for to, array in zip(copy, self, strict=True):
            copy_records(to, array)
        return copy


class Plan(NamedTuple):
    """Where body and feet should be."""

    steps: Records
    """``STEP [agents, legs]``."""
    trunks: Records
    """``POSE [agents, trunks]``."""
    feet: Records
    """``FOOT [agents, legs]``."""


class Actual(NamedTuple):
    """What became of the plan."""

    trunks: Records
    """``POSE [agents, trunks]``."""
    feet: Records
    """``FOOT [agents, legs]``."""


class Joints(NamedTuple):
    """The solved skeleton."""

    position: Array
    """``[agents, joints, 3]`` hip to sole, leg by leg, world [m]."""
    hinge: Array
    """``[agents, bones, 3]`` unit vector across each bone that fixes its twist, world."""


class Frame(NamedTuple):
    """One instant of a run."""

    time: float
    """[s]"""
    state: State
    """State that the next step goes on from."""
    body: Records
    """``BODY [agents]`` at this instant."""
    legs: Records
    """``LEG [agents, legs]`` at this instant."""
    motion: Records
    """``MOTION [agents]``."""
    plan: Plan
    """What was planned."""
    actual: Actual
    """What became of it; the kinematic drive's is the plan, with the swing kept within reach."""
    joints: Joints
    """Forward kinematics of the solved bones; the last joint of a leg is its sole."""
    head: Records
    """``HEAD [agents]``: the pilot's head and the servos' rumble, for a camera and its sound."""

"""What a force drive remembers of one agent: numbers in the state, so that a kept state replays bit for bit."""

from __future__ import annotations

import numpy as np

from footfall.records import Records
from footfall.state import Array

#: Goals of the body and of a foot are sampled: the one for now, and the one a tick before.
_GOALS = [
    ("goal", np.float64, (3,)),  #: centre of mass planned for now, world [m]
    ("goal_before", np.float64, (3,)),  #: the same one tick before
    ("turn", np.float64, (4,)),  #: rotation planned for now, q_world_proxy
    ("turn_before", np.float64, (4,)),  #: the same one tick before
]

BODY_MEMORY = np.dtype(
    [
        *_GOALS,
        ("force", np.float64, (3,)),  #: of the servo in the last tick, world [N]
        ("torque", np.float64, (3,)),  #: of the servo in the last tick, world [N·m]
        ("asked", np.float64, (3,)),  #: acceleration that the servo asked for, before its limits [m/s²]
        ("residual", np.float64, (6,)),  #: sum of all actuator forces [N] and moments about the body [N·m]
        ("supports", np.float64),  #: supports that carried it
        ("too_fast", np.float64),  #: samples over the speed that is compared with
        ("still_since", np.float64),  #: time since which it has been at rest [s]; infinite where it is not
    ]
)

FOOT_MEMORY = np.dtype(
    [
        *_GOALS,
        ("planted", np.float64),  #: 1 where the plan had it carry in the last tick
        ("yaw", np.float64),  #: heading of the foot about up where it lifted [rad]
        ("contact_time", np.float64),  #: time at which contact was last seen [s]
        ("point", np.float64, (3,)),  #: of that contact, world [m]
        ("normal", np.float64, (3,)),  #: of the ground there, world
        ("force", np.float64, (3,)),  #: of its servo in the last tick, world [N]
        ("reaction", np.float64, (3,)),  #: share of the body's support that it passes on, world [N]
        ("first_substep", np.float64),  #: of the last tick in which it touched, from 0; -1 none
    ]
)


def memory_dtype(host_numbers: int, feet: int) -> np.dtype[np.void]:
    """Layout of one agent's memory: what the physics does, what the body and the feet were told."""
    return np.dtype([("host", np.float64, (host_numbers,)), ("body", BODY_MEMORY), ("feet", FOOT_MEMORY, (feet,))])


def memory_of(drive: Array, feet: int) -> Records:
    """Records ``[agents]`` over the numbers ``[agents, n]`` of a state; writing into them writes the state."""
    own = BODY_MEMORY.itemsize + feet * FOOT_MEMORY.itemsize
    return drive.view(memory_dtype(drive.shape[1] - own // 8, feet))[:, 0]

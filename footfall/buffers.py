"""Room for what one tick writes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from footfall.errors import FootfallError
from footfall.machine import Machine
from footfall.machine.machine import NUMBER
from footfall.records import Records
from footfall.state import Actual, Joints, Plan, State


class Buffers(NamedTuple):
    """Room for what one tick writes; a run of many agents uses it again instead of asking for new memory."""

    state: State
    motion: Records
    plan: Plan
    actual: Actual
    joints: Joints


def make_buffers(machine: Machine, state: State) -> Buffers:
    """Room for the ticks of a state's agents: every array in a row, whatever order the state's are in."""
    agents = len(state.body)
    motion, steps, planned, goals, trunks, feet, joints, hinges = (
        np.zeros((agents, *shape), dtype) for dtype, shape in machine.tick_layout
    )
    parts = [np.empty((agents, *shape), dtype) for dtype, shape in machine.state_layout]
    return Buffers(
        State._make([*parts, np.empty(state.drive.shape)]),
        motion,
        Plan(steps, planned, goals),
        Actual(trunks, feet),
        Joints(joints, hinges),
    )


def check_buffers(machine: Machine, buffers: Buffers, state: State) -> None:
    """Refuse room that was made for something else.

    Raises:
        FootfallError: an array has another size or type than the ticks of this state need, or does not lie in a row.
    """
    agents = len(state.body)
    arrays = (*buffers.state, buffers.motion, *buffers.plan, *buffers.actual, *buffers.joints)
    layout = (*machine.state_layout, (NUMBER, state.drive.shape[1:]), *machine.tick_layout)
    for array, (dtype, shape) in zip(arrays, layout, strict=True):
        if array.shape != (agents, *shape) or array.dtype != dtype or not array.flags.c_contiguous:
            raise FootfallError(
                f"buffers hold an array {list(array.shape)}; {machine.name} with {agents} agents needs "
                f"{[agents, *shape]}, in a row: use make_buffers(machine, state)"
            )

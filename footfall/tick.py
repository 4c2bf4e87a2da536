"""The tick: sense, plan, act, solve. A pure step from one state to the next, and the caller's clock around it.

A tick advances every agent by one inner step. ``step`` takes any time: it does the inner ticks that are due and
shows the caller's instant by one more tick of the remainder, whose state is thrown away. So footholds do not depend on
the frame rate, and a kept state goes on bit for bit.
"""

from __future__ import annotations

import math

import numpy as np

from footfall.action import choose_action_agent
from footfall.buffers import Buffers, check_buffers, make_buffers
from footfall.check import check_request
from footfall.compile import inline, kernel, straight
from footfall.drives.kinematic import act_agent, follow_legs, note_pulls, sense_agent
from footfall.errors import FootfallError
from footfall.frames.scalar import load3, load4, store3, store4
from footfall.head import ride_head_agent
from footfall.ik.legs import solve_legs_agent
from footfall.machine import Machine
from footfall.physics import drive_for
from footfall.planners.gait import plan_gait_agent
from footfall.records import Records, copy_records
from footfall.seat import seat_moved
from footfall.state import COMMAND, HAND, Frame, State
from footfall.world.host import Callback, run_answered
from footfall.world.surface_pose import world_at
from footfall.world.surfaces import World

STALL_LIMIT = 1.0  # of a longer step only the end is walked [s]


def idle_command(agents: int) -> Records:
    """``COMMAND [agents]`` that asks for standing still."""
    command = np.zeros(agents, COMMAND)
    command["up"] = (0.0, 0.0, 1.0)
    command["root_rotation"] = (1.0, 0.0, 0.0, 0.0)
    return command


def no_hands(agents: int, legs: int) -> Records:
    """``HAND [agents, legs]`` with no foot placed by hand."""
    return np.zeros((agents, legs), HAND)


@inline
def tick_start(c, body):
    """Instant that an agent's tick begins at [s]."""
    return body["tick"] * c.machine[0]["inner_step"]


@inline
def sense_one(c, world, state, motion, command, share, agent, dt, whole):
    """What one agent's body does until the end of the tick, and which action it is in."""
    body = state.body[agent]
    legs = state.legs[agent]
    start = tick_start(c, body)
    now = (body["tick"] + 1) * c.machine[0]["inner_step"] if whole else start + dt
    sense_agent(
        c, world, body, legs, state.trunks[agent], state.path[agent], state.window[agent], motion[agent],
        command[agent], share, agent, start, now,
    )  # fmt: skip
    choose_action_agent(c, body, legs, command[agent], now - start)


@inline
def plan_one(c, world, state, motion, plan, command, hands, agent):
    """Plan one agent's tick."""
    body = state.body[agent]
    plan_gait_agent(
        c, world, body, state.legs[agent], state.contacts[agent], plan.steps[agent], state.path[agent],
        state.trunks[agent], plan.trunks[agent], plan.feet[agent], motion[agent], command[agent], hands[agent], agent,
        tick_start(c, body),
    )  # fmt: skip


@inline
def act_one(c, state, motion, plan, actual, agent):
    """What became of one agent's plan."""
    act_agent(
        c, state.body[agent], state.legs[agent], motion[agent], plan.trunks[agent], plan.feet[agent],
        actual.trunks[agent], actual.feet[agent],
    )  # fmt: skip


@inline
def solve_one(c, state, motion, actual, joints, agent):
    """Solve one agent's legs."""
    memory = state.memory[agent]
    feet = actual.feet[agent]
    solve_legs_agent(
        c.legs, c.segments, memory, actual.trunks[agent], load4(motion[agent]["heading"]), feet,
        state.body[agent]["kneel"], joints.position[agent], joints.hinge[agent],
    )  # fmt: skip
    follow_legs(c, state.legs[agent], memory, feet, joints.position[agent])


@inline
def finish_one(c, state, motion, actual, agent, whole):
    """Move one pilot's head; the trunks as they became are the next tick's past."""
    body = state.body[agent]
    became = actual.trunks[agent]
    trunks = state.trunks[agent]
    ride_head_agent(
        c, state.head[agent], body, state.legs[agent], became, motion[agent], tick_start(c, body), whole
    )  # fmt: skip
    for trunk in range(trunks.shape[0]):
        store3(trunks[trunk]["position"], load3(became[trunk]["position"]))
        store4(trunks[trunk]["rotation"], load4(became[trunk]["rotation"]))
    if whole:
        body["tick"] += 1


@kernel
def tick_agents(c, world, state, motion, plan, actual, joints, command, hands, share, dt, whole):
    """Advance all agents by dt in place; ``whole`` marks an inner step, whose end is a tick.

    One agent after the other through all stages: the fused loop.
    """
    for agent in range(state.body.shape[0]):
        sense_one(c, world, state, motion, command, share, agent, dt, whole)
        plan_one(c, world, state, motion, plan, command, hands, agent)
        act_one(c, state, motion, plan, actual, agent)
        solve_one(c, state, motion, actual, joints, agent)
        finish_one(c, state, motion, actual, agent, whole)


tick_straight = straight(tick_agents)  #: for what ``make_buffers``, ``build_world`` and ``load_machine`` have made


@kernel
def sense_all(c, world, state, motion, command, share, dt, whole):
    """What every agent's body does, and which action it is in."""
    for agent in range(state.body.shape[0]):
        sense_one(c, world, state, motion, command, share, agent, dt, whole)


@kernel
def plan_all(c, world, state, motion, plan, command, hands):
    """Plan every agent's tick."""
    for agent in range(state.body.shape[0]):
        plan_one(c, world, state, motion, plan, command, hands, agent)


@kernel
def act_all(c, state, motion, plan, actual):
    """What became of every agent's plan."""
    for agent in range(state.body.shape[0]):
        act_one(c, state, motion, plan, actual, agent)


@kernel
def solve_all(c, state, motion, actual, joints):
    """Solve every agent's legs."""
    for agent in range(state.body.shape[0]):
        solve_one(c, state, motion, actual, joints, agent)


@kernel
def finish_all(c, state, motion, actual, whole):
    """Move every pilot's head, and keep the trunks for the next tick."""
    for agent in range(state.body.shape[0]):
        finish_one(c, state, motion, actual, agent, whole)


def tick_staged(
    machine: Machine, world: World, buffers: Buffers, command: Records, hands: Records, share: float, dt: float,
    whole: bool,
) -> None:  # fmt: skip
    """Advance ``buffers.state`` stage by stage; the same bits as the fused loop."""
    c, (state, motion, plan, actual, joints) = machine.constants, buffers
    sense_all(c, world, state, motion, command, share, dt, whole)
    plan_all(c, world, state, motion, plan, command, hands)
    act_all(c, state, motion, plan, actual)
    solve_all(c, state, motion, actual, joints)
    finish_all(c, state, motion, actual, whole)


def tick_fused(
    machine: Machine, world: World, buffers: Buffers, command: Records, hands: Records, share: float, dt: float,
    whole: bool,
) -> None:  # fmt: skip
    """Advance ``buffers.state`` by one loop over agents; ``COMMAND`` and ``HAND`` lie in a row."""
    tick_straight(
        machine.constants, world, buffers.state, buffers.motion, buffers.plan, buffers.actual, buffers.joints, command,
        hands, float(share), float(dt), bool(whole),
    )  # fmt: skip


@kernel
def note_all(c, state, motion, actual):
    """How every agent's legs pull, where physics has moved the feet."""
    for agent in range(state.body.shape[0]):
        note_pulls(c, state.body[agent], state.legs[agent], motion[agent], actual.trunks[agent], actual.feet[agent])


def tick_forced(
    machine: Machine, world: World, buffers: Buffers, command: Records, hands: Records, share: float, dt: float,
    whole: bool,
) -> None:  # fmt: skip
    """Advance ``buffers.state`` by one tick whose plan rigid bodies execute; the legs are solved on what they did."""
    c, (state, motion, plan, actual, joints) = machine.constants, buffers
    sense_all(c, world, state, motion, command, share, dt, whole)
    plan_all(c, world, state, motion, plan, command, hands)
    drive_for(machine, world).act(state, motion, plan, actual, dt)
    note_all(c, state, motion, actual)
    solve_all(c, state, motion, actual, joints)
    finish_all(c, state, motion, actual, whole)


def tick_answered(
    machine: Machine, world: World, buffers: Buffers, command: Records, hands: Records, share: float, dt: float,
    whole: bool, host: Callback | None,
) -> None:  # fmt: skip
    """Advance ``buffers.state``; where a host has rays to answer, again until it has answered all."""
    if machine.forced:
        tick_forced(machine, world, buffers, command, hands, share, dt, whole)
        return
    run_answered(
        world, host, buffers.state, lambda: tick_fused(machine, world, buffers, command, hands, share, dt, whole)
    )


def copy_state(target: State, source: State) -> None:
    """Copy all values of a state into another of the same sizes."""
    for to, array in zip(target, source, strict=True):
        copy_records(to, array)


def show(
    machine: Machine, state: State, command: Records, world: World, hands: Records | None = None,
    share: float = 1.0, buffers: Buffers | None = None, host: Callback | None = None,
) -> Frame:  # fmt: skip
    """Frame at a state's instant: its last tick plus the remainder, without advancing it.

    Raises:
        FootfallError: as ``step``, but for the time.
    """
    check_request(machine, state, command, world, hands)
    agents, legs = state.legs.shape
    if buffers is None:
        buffers = make_buffers(machine, state)
    else:
        check_buffers(machine, buffers, state)
    hands = no_hands(agents, legs) if hands is None else np.ascontiguousarray(hands)
    return _shown(machine, state, np.ascontiguousarray(command), world, hands, share, buffers, host)


def _shown(
    machine: Machine, state: State, command: Records, world: World, hands: Records, share: float, buffers: Buffers,
    host: Callback | None,
) -> Frame:  # fmt: skip
    copy_state(buffers.state, state)
    remainder = float(state.body["remainder"][0])
    tick_answered(machine, world, buffers, command, hands, share, remainder, False, host)
    return _frame(machine, state, buffers, remainder)


def _frame(machine: Machine, state: State, buffers: Buffers, remainder: float) -> Frame:
    shown = buffers.state
    time = float(state.body["tick"][0]) * machine.inner_step + remainder
    return Frame(
        time, state, shown.body, shown.legs, buffers.motion, buffers.plan, buffers.actual, buffers.joints, shown.head
    )


@kernel
def keep_roots(command, shown, body):
    """Keep every agent's root at the end of the frame: where a host comes to hold it, it goes on from there."""
    for agent in range(body.shape[0]):
        if command[agent]["hosted"] != 0:
            store3(body[agent]["host_position"], load3(command[agent]["root_position"]))
            store4(body[agent]["host_rotation"], load4(command[agent]["root_rotation"]))
        else:
            store3(body[agent]["host_position"], load3(shown[agent]["root_position"]))
            store4(body[agent]["host_rotation"], load4(shown[agent]["root_rotation"]))


def step(
    machine: Machine, state: State, command: Records, world: World, dt: float, hands: Records | None = None,
    buffers: tuple[Buffers, Buffers] | None = None, host: Callback | None = None,
) -> Frame:  # fmt: skip
    """Advance every agent by the caller's time and return the frame at its end.

    Args:
        machine: the machine.
        state: state to go on from; it is not changed.
        command: ``COMMAND [agents]``.
        world: what can be stood on; its moving surfaces have their poses at the end of this frame and of the last one.
        dt: caller's time since the last frame [s]; 0 changes nothing, and of more than a second only the last second
            is walked.
        hands: ``HAND [agents, legs]``, feet placed by hand.
        buffers: two sets of room to write in; the frame that is returned lives in them.
        host: answers the rays of host surfaces, a batch at a time; each inner step runs until none is left.

    Returns:
        The frame; its ``state`` is the one to go on from.

    Raises:
        FootfallError: dt is negative or not a number; state, command, hands or buffers are not this machine's or of
            another number of agents; a command holds a number that is none or a gait that the machine has not; the
            agents' states are of different instants, or of another world; or the host is missing.
    """
    if not (dt >= 0.0) or math.isinf(dt):
        raise FootfallError(f"dt is {dt}; allowed: 0 or more seconds")
    check_request(machine, state, command, world, hands)
    agents, legs = state.legs.shape
    for room in buffers or ():
        check_buffers(machine, room, state)
    first = buffers[0] if buffers else make_buffers(machine, state)
    command = np.ascontiguousarray(command)
    hands = no_hands(agents, legs) if hands is None else np.ascontiguousarray(hands)
    following, inner = first.state, machine.inner_step
    before = float(state.body["remainder"][0])
    walked = min(dt, STALL_LIMIT)
    dropped = dt - walked
    due = int((before + walked) / inner + 1e-9) if dt > 0.0 else 0
    remainder = before + walked - due * inner
    if machine.forced and abs(remainder) > 1e-9:
        raise FootfallError(
            f"dt is {dt:g} s; allowed for a force drive: whole numbers of its inner step, {inner:.9g} s"
        )
    copy_state(following, state)
    if dt > 0.0 and command["hosted"].any():
        seat_moved(machine, following, command, world, dropped / dt, host)
    placed = np.empty_like(world.surfaces) if due > 0 and world.moving[0] != 0 else None
    for number in range(due):
        share = min((dropped + (number + 1) * inner - before) / dt, 1.0)
        there = world_at(world, share, placed)
        tick_answered(machine, there, first, command, hands, share, inner, True, host)
    following.body["remainder"] = remainder
    if due > 0 and abs(remainder) < 1e-9:
        frame = _frame(machine, following, first, remainder)
    else:
        second = buffers[1] if buffers else make_buffers(machine, state)
        frame = _shown(machine, following, command, world, hands, 1.0, second, host)
    if dt > 0.0:
        keep_roots(command, frame.body, following.body)
    return frame

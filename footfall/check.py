"""What a caller hands in, looked at once in Python: kernels look at no bounds."""

from __future__ import annotations

import math

from footfall.compile import kernel
from footfall.errors import FootfallError
from footfall.frames.scalar import load4
from footfall.machine import Machine
from footfall.machine.machine import NUMBER
from footfall.records import Records
from footfall.state import COMMAND, HAND, State
from footfall.world.surfaces import World

SOUND, APART, STATE_GAIT, SURFACE, COMMAND_GAIT, NO_NUMBER = range(6)


def check_state(machine: Machine, state: State) -> None:
    """Refuse a state that is not this machine's.

    Raises:
        FootfallError: an array has another shape or type than the machine's states have.
    """
    agents = len(state.body)
    drive = (NUMBER, (state.drive.shape[-1],))  # as much as it likes
    for name, array, (dtype, shape) in zip(State._fields, state, (*machine.state_layout, drive), strict=True):
        if array.shape != (agents, *shape) or array.dtype != dtype:
            kind = "" if array.dtype == dtype else ", with other fields"
            raise FootfallError(
                f"state.{name} is {list(array.shape)}{kind}; {machine.name} with {agents} agents has {[agents, *shape]}"
            )


def check_command(command: Records, agents: int) -> None:
    """Refuse a command for another number of agents.

    Raises:
        FootfallError: it is not ``COMMAND [agents]``.
    """
    if command.shape != (agents,) or command.dtype != COMMAND:
        raise FootfallError(f"command is {_described(command)}; the state has {agents} agents: COMMAND [{agents}]")


def check_gait(machine: Machine, gait: int) -> None:
    """Refuse a gait that the machine has not.

    Raises:
        FootfallError: it is neither -1 nor an index in ``gait_names``.
    """
    gaits = len(machine.gait_names)
    if not -1 <= gait < gaits:
        raise FootfallError(f"gait is {gait}; allowed: -1, by speed, to {gaits - 1}")


def check_request(machine: Machine, state: State, command: Records, world: World, hands: Records | None) -> None:
    """Refuse what cannot be stepped or shown.

    Raises:
        FootfallError: state, command or hands are of another size or type, the agents' states are of different
            instants, a foot stands on a surface that the world has not, or a command holds a gait or number that is
            none, or a root without a rotation.
    """
    check_state(machine, state)
    agents, legs = state.legs.shape
    check_command(command, agents)
    if hands is not None and (hands.shape != (agents, legs) or hands.dtype != HAND):
        raise FootfallError(f"hands are {_described(hands)}; allowed: HAND [{agents}, {legs}]")
    gaits = len(machine.gait_names)
    agent, fault = first_unsound(command, state.body, state.legs, gaits, len(world.surfaces))
    if fault != SOUND:
        raise FootfallError(_fault_line(state, command, world, gaits, agent, fault))


def _described(array: Records) -> str:
    return f"{list(array.shape)} of {'records' if array.dtype.names else array.dtype}"


def _fault_line(state: State, command: Records, world: World, gaits: int, agent: int, fault: int) -> str:
    body, asked = state.body[agent], command[agent]
    if fault == APART:
        return (
            f"agent {agent} is {body['remainder']:g} s past its last inner step, agent 0 "
            f"{state.body['remainder'][0]:g} s; allowed: agents of one instant"
        )
    if fault == STATE_GAIT:
        return f"agent {agent} of the state is in gait {body['gait']}; allowed: 0 to {gaits - 1}"
    if fault == SURFACE:
        return f"a foot of agent {agent} is on a surface that this world has not: it has {len(world.surfaces)}"
    if fault == COMMAND_GAIT:
        return f"command[{agent}] asks for gait {asked['gait']}; allowed: -1, by speed, to {gaits - 1}"
    return f"command[{agent}] is {asked}; allowed: finite numbers and a true rotation"


@kernel
def first_unsound(command, body, legs, gaits, surfaces):
    """The first agent with a fault, and which; -1 and ``SOUND``: none."""
    for agent in range(command.shape[0]):
        if body[agent]["remainder"] != body[0]["remainder"]:
            return agent, APART
        if not 0 <= body[agent]["gait"] < gaits:
            return agent, STATE_GAIT
        for index in range(legs.shape[1]):
            leg = legs[agent, index]
            if not (-1 <= leg["surface"] < surfaces and -1 <= leg["target_surface"] < surfaces):
                return agent, SURFACE
        asked = command[agent]
        if not -1 <= asked["gait"] < gaits:
            return agent, COMMAND_GAIT
        total = asked["speed"] + asked["lateral"] + asked["yaw_rate"] + asked["height"] + asked["roll"] + asked["pitch"]
        total += asked["yaw"] + asked["shift"][0] + asked["shift"][1] + asked["kneel"] + asked["limp"]
        total += asked["up"][0] + asked["up"][1] + asked["up"][2]
        if asked["hosted"] != 0:
            w, x, y, z = load4(asked["root_rotation"])
            size = w * w + x * x + y * y + z * z
            total += asked["root_position"][0] + asked["root_position"][1] + asked["root_position"][2] + size
            if size < 1e-12:
                return agent, NO_NUMBER
        if not math.isfinite(total):
            return agent, NO_NUMBER
    return -1, SOUND

"""Seating: machines that stand at rest on the ground, at the start or after a teleport."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from footfall.body import carry_body_agent, carry_trunks_agent, support_plane
from footfall.compile import kernel
from footfall.errors import FootfallError
from footfall.foothold import ALL_LAYERS, RINGS, SPOTS, find_ground, hip_at, judge_spot, rest_at, spot_offset
from footfall.frames import arrays
from footfall.frames.scalar import (
    add,
    add_scaled,
    dot,
    heading_frame,
    load3,
    rotate,
    store3,
    store4,
)
from footfall.gait import frac
from footfall.ik.legs import fresh_memory, seed_memory
from footfall.machine import Machine
from footfall.path import END_KNOTS, ground_across, grow_path, path_point
from footfall.physics import seat_proxies
from footfall.records import Records
from footfall.state import COMMAND, FOOT, MOTION, STEP, State
from footfall.world.ground import trace_ground
from footfall.world.host import Callback, run_answered
from footfall.world.surface_pose import to_surface, to_surface_direction, to_world_direction
from footfall.world.surfaces import World

RUN_UP = 4.0  # way behind the path in which it finds the ground, in lengths of its smoothing


@kernel
def ground_height_at(c, world, position, up, agent):
    """Height of the ground along up at a position [m], and whether there is any."""
    size = c.machine[0]["leg_length"]
    status, point, normal, surface = trace_ground(world, position, up, 5.0 * size, 20.0 * size, agent, ALL_LAYERS)
    return status == 1, dot(point, up)


@kernel
def lay_path(c, world, body, path, root, heading, up, agent):
    """A straight path under the trunks: it grows from well behind them to the front, as it will when they walk."""
    machine = c.machine[0]
    spacing = machine["path_spacing"]
    reach = c.carriage[0]["path_smoothing"] * machine["leg_length"]
    margin = int(machine["path_half"] / spacing + 0.5) + END_KNOTS + 1
    start = -margin - int(RUN_UP * reach / spacing)
    forward = rotate(heading, (1.0, 0.0, 0.0))
    place = add_scaled(root, forward, start * spacing)
    height, bank = ground_across(c, world, place, forward, up, dot(root, up), 0.0, agent)
    beyond, banked = ground_across(c, world, add_scaled(place, forward, reach), forward, up, height, bank, agent)
    for knot in range(start - 1, start + 1):
        row = path[knot % path.shape[0]]
        place = add_scaled(root, forward, knot * spacing)
        level = height + (knot - start) * spacing / reach * (beyond - height)
        store3(row["position"], add_scaled(place, up, level - dot(place, up)))
        row["slope"] = (beyond - height) / reach
        row["bank"] = bank
        row["bank_rate"] = (banked - bank) / reach
    body["path_way"] = 0.0
    body["path_low"] = start - 1
    body["path_high"] = start
    while body["path_high"] < margin:
        grow_path(c, world, body, path, up, 0.0, 1, agent)


@kernel
def place_leg(c, world, body, legs, trunks, path, motion, step, index, agent):
    """Anchor one foot where it rests, or at the best spot near it."""
    leg = legs[index]
    up = load3(motion["up"])
    wish = rest_at(c, body, path, motion, index, 0.0)
    hip, frame = hip_at(c, body, trunks, path, motion, index, 0.0)
    status, ground, normal, surface = find_ground(c, world, wish, hip, up, agent)
    origin = ground if status == 1 else wish
    radius = c.footholds[0]["search_radius"] * c.machine[0]["leg_length"]
    best_point, best_normal, best_surface = origin, normal if status == 1 else up, surface if status == 1 else -1
    for choice in range(1 + RINGS * SPOTS):
        spot = add(wish, rotate(frame, spot_offset(choice, radius)))
        fits, leaving, point, normal, surface, lift, steep = judge_spot(
            c, world, body, legs, trunks, path, motion, step, index, spot, hip, origin, best_normal, 0.0, agent
        )
        if fits:
            best_point, best_normal, best_surface = point, normal, surface
            break
    leg["surface"] = best_surface
    store3(leg["anchor"], to_surface(world, best_surface, best_point))
    store3(leg["anchor_normal"], to_surface_direction(world, best_surface, best_normal))
    store3(leg["stood"], best_point)
    leg["target_surface"] = best_surface
    store3(leg["target"], load3(leg["anchor"]))
    store3(leg["target_normal"], load3(leg["anchor_normal"]))


@kernel
def seat_agent(c, world, state, feet, motion, step, command, agent, position, rotation, hosted):
    """Stand one agent at rest with its root at a pose; counts of steps go on, nothing else is kept."""
    body = state.body[agent]
    legs = state.legs[agent]
    trunks = state.trunks[agent]
    path = state.path[agent]
    up = load3(command["up"])
    heading = heading_frame(rotation, up)
    root = position
    there, height = ground_height_at(c, world, position, up, agent)
    if there and not hosted:
        root = add_scaled(position, up, height - dot(position, up))
    body["velocity"][0] = 0.0
    body["velocity"][1] = 0.0
    body["yaw_rate"] = 0.0
    body["governor"] = 1.0
    body["cadence"] = 0.0
    body["amplitude"] = 0.0
    body["park"] = 1.0
    body["lean"] = 0.0
    body["lean_rate"] = 0.0
    body["adapt"] = 0.0
    body["latched"] = 0
    body["unsupported"] = 0
    body["support"] = dot(root, up)
    body["support_rate"] = 0.0
    body["duty"] = c.gaits[body["gait"]]["duty_factor"]
    # the first leg is about to lift: a walk begins with a step, not in the middle of one
    body["phase"] = frac(body["duty"] - c.offsets[body["gait"], 0] - 0.02)
    for axis in range(3):
        body["impact"][axis] = 0.0
        body["impact_rate"][axis] = 0.0
    for axis in range(2):
        body["gradient"][axis] = 0.0
        body["gradient_rate"][axis] = 0.0
        body["weight_shift"][axis] = 0.0
        body["weight_shift_rate"][axis] = 0.0
    store3(body["root_position"], root)
    store4(body["root_rotation"], rotation if hosted else heading)
    store3(body["host_position"], root)
    store4(body["host_rotation"], rotation)
    store3(motion["root_position"], root)
    store4(motion["root_rotation"], rotation if hosted else heading)
    store4(motion["heading"], heading)
    store3(motion["up"], up)
    motion["time"] = body["tick"] * c.machine[0]["inner_step"]
    state.window[agent, :, :] = 0.0
    state.head[agent]["settled"] = 0
    step["time"] = motion["time"]
    step["swing_time"] = 0.0
    step["stance_time"] = 0.0
    step["refused"] = 0
    if path.shape[0] > 0:
        lay_path(c, world, body, path, root, heading, up, agent)
        if not hosted:
            root = path_point(path, c.machine[0]["path_spacing"], 0.0, up)
            store3(motion["root_position"], root)
            store3(body["root_position"], root)
            store3(body["host_position"], root)
    for trunk in range(trunks.shape[0]):
        store3(trunks[trunk]["position"], add_scaled(root, up, c.machine[0]["stand_height"]))
        store4(trunks[trunk]["rotation"], heading)
    for index in range(legs.shape[0]):
        leg = legs[index]
        leg["swinging"] = 0
        leg["held"] = 0
        leg["due"] = 0
        leg["choice"] = 0
        leg["lift_off"] = motion["time"] - 1e6
        leg["touchdown"] = motion["time"] - 1e6 + 1.0
        leg["phase_offset"] = c.offsets[body["gait"], index]
        leg["surface"] = -1
        # out of each other's way until each has its place
        store3(leg["anchor"], add_scaled(root, up, 1e6))
        store3(leg["anchor_normal"], up)
        seed_memory(c.legs[index], c.segments, state.memory[agent])
    for _ in range(2):  # first to find the body's height over the ground, then to judge the reach from there
        if path.shape[0] > 0:
            carry_trunks_agent(c, body, path, trunks, motion, command, 0.0)
        for index in range(legs.shape[0]):
            place_leg(c, world, body, legs, trunks, path, motion, step, index, agent)
            foot = feet[index]
            foot["swinging"] = 0
            sole = load3(legs[index]["stood"])
            normal = to_world_direction(world, legs[index]["surface"], load3(legs[index]["anchor_normal"]))
            store3(foot["sole"], sole)
            store3(foot["normal"], normal)
            store3(foot["support"], sole)
            store3(foot["support_normal"], normal)
        if path.shape[0] == 0:
            height, ahead, left = support_plane(c, feet, root, heading, up)
            if not hosted:
                body["support"] = height
                body["gradient"][0] = ahead
                body["gradient"][1] = left
            carry_body_agent(c, body, legs, trunks, feet, motion, command, 0, 0.0)
            root = load3(motion["root_position"])
            store3(body["root_position"], root)
            store3(body["host_position"], root)


@kernel
def seat_agents(c, world, state, feet, motion, step, command, chosen, positions, rotations, hosted):
    """``seat_agent`` for each of the chosen."""
    for row in range(chosen.shape[0]):
        agent = chosen[row]
        position = (positions[row, 0], positions[row, 1], positions[row, 2])
        rotation = (rotations[row, 0], rotations[row, 1], rotations[row, 2], rotations[row, 3])
        seat_agent(c, world, state, feet, motion, step, command[agent], agent, position, rotation, hosted)


def seat(
    machine: Machine, state: State, world: World, chosen: ArrayLike, positions: ArrayLike, rotations: ArrayLike,
    hosted: bool = False, up: ArrayLike = (0.0, 0.0, 1.0), host: Callback | None = None,
) -> None:  # fmt: skip
    """Stand some agents of a state at rest at new poses, in place.

    Args:
        machine: the machine.
        state: changed in place.
        world: what to stand on.
        chosen: ``[n]`` indices of agents.
        positions: ``[n, 3]`` roots, world [m]; where nobody hosts them they are put on the ground.
        rotations: ``[n, 4]`` q_world_root.
        hosted: the roots are a host's and stay where they are.
        up: ``[3]`` or ``[agents, 3]`` unit vectors.
        host: answers the rays of host surfaces.
    """
    agents, legs = state.legs.shape
    command = np.zeros(agents, COMMAND)
    command["up"] = up
    rows = np.asarray(chosen, dtype=np.int64)
    places = np.ascontiguousarray(positions, dtype=np.float64)
    turns = np.ascontiguousarray(rotations, dtype=np.float64)
    feet, motion, step = np.zeros(legs, FOOT), np.zeros(1, MOTION)[0], np.zeros(1, STEP)[0]

    def stand() -> None:
        seat_agents(machine.constants, world, state, feet, motion, step, command, rows, places, turns, hosted)

    run_answered(world, host, state, stand)


def empty_state(machine: Machine, agents: int) -> State:
    """A state that nobody has been seated in, and in which no drive remembers anything."""
    parts = [np.zeros((agents, *shape), dtype) for dtype, shape in machine.state_layout]
    state = State._make([*parts, np.zeros((agents, 0))])
    state.body["root_rotation"][:, 0] = 1.0
    return state._replace(memory=fresh_memory(machine.rig, agents))


def initial_state(
    machine: Machine, world: World, positions: ArrayLike = ((0.0, 0.0, 0.0),), headings: ArrayLike = 0.0,
    hosted: bool = False, gait: int = 0, host: Callback | None = None,
) -> State:  # fmt: skip
    """State of agents that stand at rest at time 0.

    Args:
        machine: the machine.
        world: what they stand on.
        positions: ``[agents, 3]`` roots, world [m]; they are put on the ground.
        headings: one angle about z or ``[agents]`` of them [rad].
        hosted: the roots stay where they are given.
        gait: index of the gait to start in.
        host: answers the rays of host surfaces.

    Raises:
        FootfallError: positions or headings have the wrong shape or are not finite.
    """
    places = np.atleast_2d(np.asarray(positions, dtype=np.float64))
    if places.ndim != 2 or places.shape[1] != 3 or not np.isfinite(places).all():
        raise FootfallError(f"positions have shape {places.shape}; allowed: [agents, 3] finite numbers")
    agents = len(places)
    turned = np.broadcast_to(np.asarray(headings, dtype=np.float64), (agents,))
    state = empty_state(machine, agents)
    state.body["gait"] = max(gait, 0)
    seat(machine, state, world, np.arange(agents), places, arrays.about_z(turned), hosted, host=host)
    return seat_proxies(machine, state, world, range(agents)) if machine.forced else state


def teleport(
    machine: Machine, state: State, world: World, agents: ArrayLike, positions: ArrayLike, rotations: ArrayLike,
    command: Records | None = None, host: Callback | None = None,
) -> State:  # fmt: skip
    """A copy of a state with some agents seated elsewhere: feet on the ground there, no steps, no events.

    Args:
        machine: the machine.
        state: not changed.
        world: what to stand on.
        agents: ``[n]`` indices.
        positions: ``[n, 3]`` roots, world [m].
        rotations: ``[n, 4]`` q_world_root.
        command: ``COMMAND [agents]``; agents that are hosted keep the root as given.
        host: answers the rays of host surfaces.
    """
    following = state.copy()
    chosen = np.asarray(agents, dtype=np.int64)
    hosted = command is not None and bool((command["hosted"][chosen] != 0).all())
    up = command["up"] if command is not None else (0.0, 0.0, 1.0)
    seat(machine, following, world, chosen, positions, rotations, hosted, up, host)
    return seat_proxies(machine, following, world, chosen) if machine.forced else following

"""Seating: machines that stand at rest on the ground, at the start or after a teleport."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from footfall.body import carry_body_agent, carry_trunks_agent, support_plane
from footfall.check import check_command, check_gait, check_state
from footfall.compile import inline, kernel
from footfall.errors import FootfallError
from footfall.foothold import ALL_LAYERS, RINGS, SPOTS, find_ground, hip_at, judge_spot, rest_at, spot_offset
from footfall.frames import arrays
from footfall.frames.scalar import (
    add,
    add_scaled,
    dot,
    heading_frame,
    load3,
    load4,
    rotate,
    store3,
    store4,
    unit_or,
)
from footfall.gait import frac
from footfall.ik.legs import fresh_memory
from footfall.machine import Machine
from footfall.path import END_KNOTS, ground_across, grow_path, path_point
from footfall.physics import seat_proxies
from footfall.records import Records
from footfall.state import COMMAND, FOOT, MOTION, STEP, Array, State
from footfall.world.ground import trace_ground
from footfall.world.host import Callback, run_answered
from footfall.world.surface_pose import to_surface, to_surface_direction, to_world_direction, world_at
from footfall.world.surfaces import World

#: What a seated agent keeps: clock, gait, counts, and the postures that were asked for. All else starts anew.
KEPT = {
    "body": ("tick", "remainder", "gait", "pose", "limp", "kneel"),
    "legs": ("steps", "rescues", "touchdowns", "rejected"),
}
Chosen = NDArray[np.int64]
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


@inline
def put_root(body, motion, root, rotation, heading):
    """Set the root, world [m], as state and as motion."""
    store3(body["root_position"], root)
    store4(body["root_rotation"], rotation)
    store3(body["host_position"], root)
    store4(body["host_rotation"], rotation)
    store3(motion["root_position"], root)
    store4(motion["root_rotation"], rotation)
    store4(motion["heading"], heading)


@inline
def rest_clock(c, body, legs, motion, step):
    """The gait rests, parked; the first leg is about to lift: a walk begins with a step, not in the middle of one."""
    gait = body["gait"]
    body["governor"] = 1.0
    body["park"] = 1.0
    body["duty"] = c.gaits[gait]["duty_factor"]
    body["phase"] = frac(body["duty"] - c.offsets[gait, 0] - 0.02)
    motion["time"] = body["tick"] * c.machine[0]["inner_step"]
    step["time"] = motion["time"]
    step["swing_time"] = 0.0
    step["stance_time"] = 0.0
    step["refused"] = 0
    for index in range(legs.shape[0]):
        legs[index]["lift_off"] = motion["time"] - 1e6
        legs[index]["touchdown"] = motion["time"] - 1e6 + 1.0
        legs[index]["phase_offset"] = c.offsets[gait, index]


@inline
def clear_ground(legs, root, up):
    """Feet out of each other's way until each has its place."""
    for index in range(legs.shape[0]):
        legs[index]["surface"] = -1
        store3(legs[index]["anchor"], add_scaled(root, up, 1e6))
        store3(legs[index]["anchor_normal"], up)


@inline
def stand_on(world, leg, foot):
    """A foot as it stands at its anchor."""
    foot["swinging"] = 0
    sole = load3(leg["stood"])
    normal = to_world_direction(world, leg["surface"], load3(leg["anchor_normal"]))
    store3(foot["sole"], sole)
    store3(foot["normal"], normal)
    store3(foot["support"], sole)
    store3(foot["support_normal"], normal)


@inline
def carry_seated(c, body, legs, trunks, feet, motion, command):
    """Carry the body over feet that stand; where nobody hosts the root it is put between them."""
    if command["hosted"] == 0:
        height, ahead, left = support_plane(
            c, feet, load3(motion["root_position"]), load4(motion["heading"]), load3(motion["up"])
        )
        body["support"] = height
        body["gradient"][0] = ahead
        body["gradient"][1] = left
    carry_body_agent(c, body, legs, trunks, feet, motion, command, 0, 0.0)
    put_root(
        body, motion, load3(motion["root_position"]), load4(motion["root_rotation"]), load4(motion["heading"])
    )  # fmt: skip


@kernel
def seat_agent(c, world, state, feet, motion, step, command, agent, position, rotation):
    """Stand one agent, of whom nothing is left but what ``KEPT`` names, at rest with its root at a pose."""
    body, legs = state.body[agent], state.legs[agent]
    trunks, path = state.trunks[agent], state.path[agent]
    hosted = command["hosted"] != 0
    up = unit_or(load3(command["up"]), (0.0, 0.0, 1.0))
    heading = heading_frame(rotation, up)
    turned = rotation if hosted else heading
    root = position
    there, height = ground_height_at(c, world, position, up, agent)
    if there and not hosted:
        root = add_scaled(position, up, height - dot(position, up))
    store3(motion["up"], up)
    rest_clock(c, body, legs, motion, step)
    put_root(body, motion, root, turned, heading)
    body["support"] = dot(root, up)
    if path.shape[0] > 0:
        lay_path(c, world, body, path, root, heading, up, agent)
        if not hosted:
            root = path_point(path, c.machine[0]["path_spacing"], 0.0, up)
            put_root(body, motion, root, turned, heading)
    for trunk in range(trunks.shape[0]):
        store3(trunks[trunk]["position"], add_scaled(root, up, c.machine[0]["stand_height"]))
        store4(trunks[trunk]["rotation"], heading)
    clear_ground(legs, root, up)
    for _ in range(2):  # first to find the body's height over the ground, then to judge the reach from there
        if path.shape[0] > 0:
            carry_trunks_agent(c, body, path, trunks, motion, command, 0.0)
        for index in range(legs.shape[0]):
            place_leg(c, world, body, legs, trunks, path, motion, step, index, agent)
            stand_on(world, legs[index], feet[index])
        if path.shape[0] == 0:
            carry_seated(c, body, legs, trunks, feet, motion, command)


@kernel
def seat_agents(c, world, state, feet, motion, step, command, chosen, positions, rotations):
    """``seat_agent`` for each of the chosen."""
    for row in range(chosen.shape[0]):
        agent = chosen[row]
        position = (positions[row, 0], positions[row, 1], positions[row, 2])
        rotation = (rotations[row, 0], rotations[row, 1], rotations[row, 2], rotations[row, 3])
        seat_agent(c, world, state, feet, motion, step, command[agent], agent, position, rotation)


def empty_state(machine: Machine, agents: int) -> State:
    """A state that nobody has been seated in, and in which no drive remembers anything."""
    parts = [np.zeros((agents, *shape), dtype) for dtype, shape in machine.state_layout]
    state = State._make([*parts, np.zeros((agents, 0))])
    state.body["root_rotation"][:, 0] = 1.0
    return state._replace(memory=fresh_memory(machine.rig, agents))


def clear_agents(machine: Machine, state: State, chosen: Chosen) -> None:
    """Make some agents as in an empty state, but for what ``KEPT`` names and what a drive remembers."""
    fresh = empty_state(machine, len(chosen))._replace(drive=state.drive[chosen])
    for part, names in KEPT.items():
        for name in names:
            getattr(fresh, part)[name] = getattr(state, part)[name][chosen]
    for array, blank in zip(state, fresh, strict=True):
        array[chosen] = blank


def seat(
    machine: Machine, state: State, world: World, chosen: ArrayLike, positions: ArrayLike, rotations: ArrayLike,
    hosted: ArrayLike = False, up: ArrayLike = (0.0, 0.0, 1.0), host: Callback | None = None,
) -> None:  # fmt: skip
    """Stand some agents of a state at rest at new poses, in place; what they keep is what ``KEPT`` names.

    Args:
        machine: the machine.
        state: changed in place.
        world: what to stand on.
        chosen: ``[n]`` indices of agents.
        positions: ``[n, 3]`` roots, world [m]; where nobody hosts them they are put on the ground.
        rotations: ``[n, 4]`` q_world_root, brought to unit length.
        hosted: one answer or ``[n]`` of them: the root is a host's and stays where it is.
        up: ``[3]`` or ``[n, 3]``, brought to unit length.
        host: answers the rays of host surfaces.

    Raises:
        FootfallError: an index, a shape or a number is none that can be, or the host is missing.
    """
    agents, legs = state.legs.shape
    rows = _indices(chosen, agents)
    places = _rows("positions", positions, (len(rows), 3))
    turns = _directions("rotations", rotations, (len(rows), 4))
    command = np.zeros(agents, COMMAND)
    command["hosted"][rows] = hosted
    command["up"][rows] = _directions("up", up, (len(rows), 3))
    feet, motion, step = np.zeros(legs, FOOT), np.zeros(1, MOTION)[0], np.zeros(1, STEP)[0]
    clear_agents(machine, state, rows)

    def stand() -> None:
        seat_agents(machine.constants, world, state, feet, motion, step, command, rows, places, turns)

    run_answered(world, host, state, stand)
    if state.drive.shape[1] > 0:
        seat_proxies(machine, state, world, rows)


def _indices(chosen: ArrayLike, agents: int) -> Chosen:
    """Indices of agents."""
    given = np.atleast_1d(np.asarray(chosen))
    rows = given.astype(np.int64)
    if given.ndim != 1 or (rows != given).any() or ((rows < 0) | (rows >= agents)).any():
        raise FootfallError(f"agents are {given.tolist()}; allowed: indices from 0 to {agents - 1}")
    return rows


def _rows(name: str, given: ArrayLike, shape: tuple[int, int]) -> Array:
    """An array of this shape; one row stands for all."""
    found = np.asarray(given, dtype=np.float64)
    if found.shape not in (shape, shape[1:]) or not np.isfinite(found).all():
        raise FootfallError(f"{name} are {found.tolist()}; allowed: {list(shape)} finite numbers")
    return np.ascontiguousarray(np.broadcast_to(found, shape))


def _directions(name: str, given: ArrayLike, shape: tuple[int, int]) -> Array:
    """The same, each row brought to unit length."""
    found = _rows(name, given, shape)
    sizes = np.linalg.norm(found, axis=-1, keepdims=True)
    if (sizes < 1e-6).any():
        raise FootfallError(f"{name} are {found.tolist()}; allowed: none of length 0")
    return found / sizes


def initial_state(
    machine: Machine, world: World, positions: ArrayLike = ((0.0, 0.0, 0.0),), headings: ArrayLike = 0.0,
    hosted: ArrayLike = False, gait: int = 0, host: Callback | None = None, up: ArrayLike = (0.0, 0.0, 1.0),
) -> State:  # fmt: skip
    """State of agents that stand at rest at time 0.

    Args:
        machine: the machine.
        world: what they stand on.
        positions: ``[agents, 3]`` roots, world [m]; they are put on the ground.
        headings: one angle about up or ``[agents]`` of them [rad]; 0 is x, turned as up is turned from z.
        hosted: one answer or ``[agents]`` of them: the root stays where it is given.
        gait: index of the gait to start in; -1, chosen by speed, starts in the machine's own.
        host: answers the rays of host surfaces.
        up: ``[3]`` or ``[agents, 3]``, brought to unit length.

    Raises:
        FootfallError: an array has the wrong shape or is not finite, the machine has no such gait, or the host is
            missing.
    """
    places = np.atleast_2d(np.asarray(positions, dtype=np.float64))
    if places.ndim != 2 or places.shape[1] != 3:
        raise FootfallError(f"positions have shape {places.shape}; allowed: [agents, 3] finite numbers")
    check_gait(machine, gait)
    agents = len(places)
    upward = _directions("up", up, (agents, 3))
    turned = np.asarray(headings, dtype=np.float64)
    if turned.shape not in ((), (agents,)) or not np.isfinite(turned).all():
        raise FootfallError(f"headings are {turned.tolist()}; allowed: one finite number or [{agents}] of them")
    rotations = arrays.multiply(arrays.from_z_to(upward), arrays.about_z(np.broadcast_to(turned, (agents,))))
    state = empty_state(machine, agents)
    state.body["gait"] = max(gait, 0)
    seat(machine, state, world, np.arange(agents), places, rotations, hosted, upward, host)
    return seat_proxies(machine, state, world, range(agents)) if machine.forced else state


def teleport(
    machine: Machine, state: State, world: World, agents: ArrayLike, positions: ArrayLike, rotations: ArrayLike,
    command: Records | None = None, host: Callback | None = None,
) -> State:  # fmt: skip
    """A copy of a state with some agents seated elsewhere: feet on the ground there, no steps, no events.

    They stand at rest. Clock, gait, counts of steps and the postures that were asked for (pose, limp, kneel) go on;
    speeds, springs and the pilot's head start anew.

    Args:
        machine: the machine.
        state: not changed.
        world: what to stand on.
        agents: ``[n]`` indices.
        positions: ``[n, 3]`` roots, world [m].
        rotations: ``[n, 4]`` q_world_root.
        command: ``COMMAND [agents]``: each one's ``up``, and whether it is hosted and keeps the root as given.
        host: answers the rays of host surfaces.

    Raises:
        FootfallError: the state or the command is not this machine's, an index, a shape or a number is none that can
            be, or the host is missing.
    """
    check_state(machine, state)
    following = state.copy()
    hosted: ArrayLike = False
    up: ArrayLike = (0.0, 0.0, 1.0)
    rows = _indices(agents, len(state.body))
    if command is not None:
        check_command(command, len(state.body))
        hosted, up = command["hosted"][rows] != 0, command["up"][rows]
    seat(machine, following, world, rows, positions, rotations, hosted, up, host)
    return following


def seat_moved(
    machine: Machine, state: State, command: Records, world: World, dropped: float, host: Callback | None = None
) -> None:
    """Seat agents anew, in place, whose hosted root no walk has moved.

    One that jumped further than a root can move in a frame is a teleport: it is seated where it is now. In a stall, of
    whose frame a first share is ``dropped``, one that moved is seated where it was at the end of that share, and walks
    from there at the speed that it really has.
    """
    hosted = command["hosted"] != 0
    before, after = state.body["host_position"].copy(), command["root_position"]
    limit = machine.file.travel.teleport_distance * machine.leg_length
    far = hosted & (np.linalg.norm(after - before, axis=-1) > limit)
    if far.any():
        rows = np.flatnonzero(far)
        seat(machine, state, world, rows, after[rows], command["root_rotation"][rows], True, command["up"][rows], host)
    if dropped <= 0.0:
        return
    turns = np.stack([state.body["host_rotation"], command["root_rotation"]])
    moved = (after != before).any(axis=-1) | (arrays.angle_between(turns[0], turns[1]) > 0.0)
    rows = np.flatnonzero(hosted & ~far & moved)
    if len(rows):
        first, last = arrays.continuous(turns[:, rows])
        then = before[rows] + dropped * (after - before)[rows]
        there = world_at(world, dropped)
        turned = first + dropped * (last - first)
        seat(machine, state, there, rows, then, turned, True, command["up"][rows], host)
        state.body["host_position"][rows] = before[rows]
        state.body["host_rotation"][rows] = first

"""Seating: what a teleport keeps, and what it does not."""

from __future__ import annotations

import numpy as np
import pytest
from field_walks import commands, frames_at, walk

import footfall as ff
from footfall.frames import arrays
from footfall.seat import KEPT
from footfall.state import State
from footfall.world import Plane, build_world, flat_world

MACHINES = [name for name in ff.machine_names() if not ff.load_machine(name).forced]
UPRIGHT = (1.0, 0.0, 0.0, 0.0)


@pytest.fixture(scope="module")
def machines():
    return {name: ff.load_machine(name) for name in MACHINES}


def scrambled(state, seed=0):
    """A state whose every field has been through something."""
    rng = np.random.default_rng(seed)
    other = state.copy()
    for array in other:
        for name in array.dtype.names or (None,):
            field = array if name is None else array[name]
            if field.dtype.kind == "i":
                field += rng.integers(0, 3, field.shape)
            else:
                field += rng.uniform(0.01, 0.4, field.shape)
    for name in ("tick", "remainder", "gait"):
        other.body[name] = state.body[name]
    return other


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("hosted", [False, True])
def test_a_seated_machine_keeps_what_is_named_and_nothing_else(machines, name, hosted):
    machine = machines[name]
    start = ff.initial_state(machine, flat_world(), hosted=hosted)
    asked = commands(machine, hosted=int(hosted))
    fresh = ff.teleport(machine, start, flat_world(), [0], [[7.0, 2.0, 0.0]], [UPRIGHT], asked)
    before = scrambled(start)
    for posture in ("pose", "limp", "kneel"):
        before.body[posture] = 0.0  # else the body stands lower
    seated = ff.teleport(machine, before, flat_world(), [0], [[7.0, 2.0, 0.0]], [UPRIGHT], asked)
    for part, one, other, was in zip(State._fields, seated, fresh, before, strict=True):
        for field in one.dtype.names or (None,):
            got, expected, old = (array if field is None else array[field] for array in (one, other, was))
            if field in KEPT.get(part, ()):
                assert (got == old).all(), (part, field)
            else:
                assert (got == expected).all(), (part, field)


def test_a_teleported_pilot_does_not_go_on_swinging(machines):
    machine = machines["quadruped"]
    walked = walk(machine, flat_world(), commands(machine, speed=1.0), frames_at(60, 4))
    assert np.abs(walked.state.head["offset_rate"]).max() > 0.0
    seated = ff.teleport(machine, walked.state, flat_world(), [0], [[50.0, 0.0, 0.0]], [UPRIGHT])
    after = walk(machine, flat_world(), commands(machine), frames_at(60, 1), seated)
    assert np.abs(after.state.head["offset"]).max() <= 1e-12 and np.abs(after.state.head["rotation"]).max() <= 1e-12


def test_a_teleport_keeps_the_postures_that_were_asked_for(machines):
    machine = machines["quadruped"]
    asked = commands(machine, kneel=1.0, roll=0.05)
    down = walk(machine, flat_world(), asked, frames_at(60, 6))
    assert down.body["kneel"][-1, 0] == 1.0
    height = down.trunk["position"][-1, 0, 0, 2]
    seated = ff.teleport(machine, down.state, flat_world(), [0], [[20.0, 0.0, 0.0]], [UPRIGHT])
    after = walk(machine, flat_world(), asked, frames_at(60, 1), seated)
    assert np.abs(after.trunk["position"][:, 0, 0, 2] - height).max() <= 1e-6 * machine.leg_length


def test_each_agent_of_a_batch_is_teleported_by_its_own_hosting(machines):
    """As each alone: a hosted root stays in the air where it is put, another comes down to the ground."""
    machine = machines["biped"]
    world = flat_world()
    state = ff.initial_state(machine, world, [[0.0, 0.0, 0.0], [0.0, 9.0, 0.0], [0.0, 18.0, 0.0]])
    asked = commands(machine, 3)
    asked["hosted"] = (1, 0, 1)
    places = np.array([[20.0, 0.0, 0.2], [20.0, 9.0, 0.2], [20.0, 18.0, 0.1]])
    turns = arrays.about_z(np.array([0.3, -0.4, 1.0]))
    together = ff.teleport(machine, state, world, [0, 1, 2], places, turns, asked)
    np.testing.assert_allclose(together.body["root_position"][:, 2], [0.2, 0.0, 0.1], atol=1e-12)
    for agent in range(3):
        alone = State(*(array[agent : agent + 1] for array in state))
        alone = ff.teleport(
            machine, alone, world, [0], places[agent : agent + 1], turns[agent : agent + 1], asked[agent : agent + 1]
        )
        assert ff.state_hash(State(*(array[agent : agent + 1] for array in together))) == ff.state_hash(alone)


@pytest.mark.parametrize("name", MACHINES)
def test_the_first_frame_after_a_hosted_teleport_shows_the_pose_that_goes_on(machines, name):
    """Seated over a tilted root the body is where the tick then keeps it."""
    machine = machines[name]
    tilt = 0.06  # nose up
    root = arrays.multiply(arrays.about_z(np.float64(0.4)), np.array([np.cos(tilt / 2), 0.0, -np.sin(tilt / 2), 0.0]))
    world = build_world([Plane(rotation=tuple(root))])
    asked = commands(machine, hosted=1, root_position=(30.0, 5.0, 0.0))
    asked["root_rotation"] = root
    asked["root_position"] = arrays.rotate(root, np.array([30.0, 5.0, 0.0]))
    state = ff.initial_state(machine, world, hosted=True)
    state = ff.teleport(machine, state, world, [0], asked["root_position"], asked["root_rotation"], asked)
    walked = walk(machine, world, asked, frames_at(60, 0.5), state)
    rotation = walked.trunk["rotation"][:, 0]
    apart = np.abs(state.trunks["position"] - walked.trunk["position"][:, 0]).max()
    assert apart <= 1e-9 * machine.leg_length
    assert arrays.angle_between(np.broadcast_to(state.trunks["rotation"], rotation.shape), rotation).max() <= 1e-7


@pytest.mark.parametrize("length", [0.5, 3.0])
def test_an_up_of_any_length_seats_as_its_direction(machines, length):
    machine = machines["crawler"]
    turn = arrays.from_z_to(np.array([0.6, 0.48, 0.64]))
    world = build_world([Plane(rotation=tuple(turn))])
    up = np.array([0.6, 0.48, 0.64])
    unit = ff.initial_state(machine, world, up=up)
    other = ff.initial_state(machine, world, up=length * up)
    assert np.abs(unit.trunks["position"] - other.trunks["position"]).max() <= 1e-12
    root = {"root_position": arrays.rotate(turn, np.array([5.0, 0.0, 0.0])), "root_rotation": turn}
    jumped = ff.step(machine, unit, commands(machine, hosted=1, up=length * up, **root), world, 1 / 60)
    expected = ff.step(machine, unit, commands(machine, hosted=1, up=up, **root), world, 1 / 60)
    assert np.abs(jumped.joints.position - expected.joints.position).max() <= 1e-12


@pytest.mark.parametrize("up", [(1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.6, 0.48, 0.64)])
@pytest.mark.parametrize("name", ["biped", "centipede"])
def test_a_start_on_a_wall_is_the_start_on_the_floor_turned(machines, name, up):
    machine = machines[name]
    turn = arrays.from_z_to(np.array(up))
    np.testing.assert_allclose(arrays.rotate(turn, np.array([0.0, 0.0, 1.0])), up, atol=1e-15)
    wall = build_world([Plane(rotation=tuple(turn))])
    places = np.array([[1.0, 2.0, 0.0], [30.0, 3.0, 0.0]])
    floor = ff.initial_state(machine, flat_world(), places, [0.4, -1.0])
    there = ff.initial_state(machine, wall, arrays.rotate(turn, places), [0.4, -1.0], up=up)
    for part in ("trunks", "path"):
        expected = arrays.rotate(turn, getattr(floor, part)["position"])
        assert np.abs(getattr(there, part)["position"] - expected).max(initial=0.0) <= 1e-9
    assert np.abs(there.legs["stood"] - arrays.rotate(turn, floor.legs["stood"])).max() <= 1e-9

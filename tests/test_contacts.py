"""Touchdowns and lift-offs are the same at every rate, and none is told that was not."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent / "metrics"))

from walks import flat, four_legs, fresh, pose

import footfall as ff
from footfall.bake import Bake
from footfall.contacts import LIFT_OFF, TOUCHDOWN, Contacts
from footfall.cues import CueKind, Cues
from footfall.errors import FootfallError
from footfall.trace import Trace

MACHINES = [name for name in ff.machine_names() if ff.load_machine(name).ground]


def told(machine, terrain, rate, seconds=4.0):
    """All contacts of a run, and how many the states have counted."""
    contacts, found = Contacts(machine), []
    for frame in ff.run(machine, terrain, ff.steady(seconds), rate=rate):
        found += contacts.add(frame)
    assert contacts.missed == 0
    return found, frame.legs["touchdowns"].sum(), frame.legs["steps"].sum()


@pytest.mark.parametrize("name", MACHINES)
def test_the_lowest_rate_of_a_run_tells_the_same_contacts(name):
    machine = ff.load_machine(name, drive="kinematic")
    terrain = ff.make_terrain("rocks", machine.leg_length)
    lowest = 1.0 / machine.constants.gaits["swing_time_min"].min()
    found, touchdowns, steps = told(machine, terrain, lowest)
    fine, _, _ = told(machine, terrain, 144.0)
    kinds = [contact.kind for contact in found]
    assert kinds.count(TOUCHDOWN) == touchdowns > 4 and kinds.count(LIFT_OFF) == steps
    assert [contact[1:4] for contact in found] == [contact[1:4] for contact in fine]
    assert [contact.time for contact in found] == pytest.approx([contact.time for contact in fine], abs=1e-9)
    places, places_fine = (np.array([contact.position for contact in row]) for row in (found, fine))
    np.testing.assert_allclose(places, places_fine, rtol=0.0, atol=1e-6)  # of solvers that iterate


@pytest.fixture(scope="module")
def seldom():
    """A spider on a slope that a host steps twice a second: many feet land and lift again within a frame."""
    machine = ff.load_machine("spider")
    terrain = ff.make_terrain("slope", machine.leg_length)
    state, command = ff.initial_state(machine, terrain.world), ff.idle_command(1)
    command["speed"] = machine.file.cruise_speed
    frames = [ff.show(machine, state, command, terrain.world)]
    for _ in range(40):
        frames.append(ff.step(machine, frames[-1].state, command, terrain.world, 0.5))
    return machine, terrain, frames


def test_a_foot_that_has_lifted_again_is_told_where_it_stood(seldom):
    machine, terrain, frames = seldom
    contacts, before, again = Contacts(machine), frames[0].time, 0
    for frame in frames:
        for contact in contacts.add(frame):
            assert before < contact.time <= frame.time  # half a second is a whole number of inner steps
            x, y, z = contact.position
            assert z == pytest.approx(terrain.height(np.array([x]), np.array([y]))[0], abs=1e-6)
            again += contact.kind == TOUCHDOWN and frame.legs["swinging"][0, contact.leg] != 0
        before = frame.time
    assert again > 10


def test_footfalls_are_on_the_ground_and_not_after_their_frame(seldom):
    machine, terrain, frames = seldom
    cues, count = Cues(machine, np.random.default_rng(0)), 0
    for frame in frames:
        for event in cues.add(frame):
            if event.kind is CueKind.FOOTFALL:
                assert event.time <= frame.time
                x, y, z = event.position
                assert z == pytest.approx(terrain.height(np.array([x]), np.array([y]))[0], abs=1e-6)
                count += 1
    assert count > 80


def test_what_cannot_be_told_is_counted(seldom):
    """Frames of a second, of which the spider's feet land twice in some."""
    machine, terrain, frames = seldom
    contacts, trace, bake = Contacts(machine), Trace(machine, terrain.world), Bake(machine)
    found = []
    for frame in frames[::2]:
        found += contacts.add(frame)
        trace.add(frame)
        bake.add(frame)
    # all that there was: a lift-off before each touchdown and before each foot that is in the air at the end
    last = frames[-1].legs
    begun = int(last["steps"].sum())
    assert begun == int(last["touchdowns"].sum() + last["swinging"].sum())
    assert len(found) + contacts.missed == begun + int(last["touchdowns"].sum())
    assert contacts.missed > 10
    arrays = trace.arrays()
    assert arrays["contacts_missed"] == contacts.missed
    times = [contact.time for contact in found if contact.kind == TOUCHDOWN]
    assert arrays["touchdown_time"].tolist() == times
    assert [contact.time for contact in bake.motion().contacts if contact.kind == TOUCHDOWN] == times


def test_a_touchdown_between_two_frames_is_where_the_next_swing_began():
    rig = four_legs()
    trace, state = Trace(rig, None, ground=flat), fresh(rig)
    air = np.array([[1, 0, 0, 0]])
    state.legs["lift_off"][0, 0], state.legs["touchdown"][0, 0] = -0.01, 0.02
    trace.add(pose(rig, 0.0, state=state, swinging=air))
    state.legs["lift_off"][0, 0], state.legs["touchdown"][0, 0], state.legs["touchdowns"][0, 0] = 0.05, 0.2, 1
    state.legs["stood"][0, 0] = (1.0, 2.0, 3.0)
    trace.add(pose(rig, 0.1, state=state, swinging=air))
    found = trace.arrays()
    assert found["touchdown_time"].tolist() == [0.02]
    assert found["touchdown_position"].tolist() == [[1.0, 2.0, 3.0]]


def test_a_step_that_only_a_frame_between_two_ticks_shows_is_not_told():
    machine = ff.load_machine("quadruped")
    world = ff.make_terrain("flat", machine.leg_length).world
    state, command = ff.initial_state(machine, world), ff.idle_command(1)
    hands = ff.no_hands(1, len(machine.rig.legs))
    contacts, found = Contacts(machine), []
    for held, ticks in ((0, 1.0), (1, 0.5), (0, 0.5), (0, 30.0)):
        hands["held"][0, 1] = held
        frame = ff.step(machine, state, command, world, ticks * machine.inner_step, hands=hands)
        state = frame.state
        assert frame.legs["swinging"][0, 1] == held
        found += contacts.add(frame)
    assert not found and not state.legs["steps"].any()


def test_a_foot_that_the_hand_lets_go_lifts_off_once():
    machine = ff.load_machine("quadruped")
    world = ff.make_terrain("flat", machine.leg_length).world
    state, command = ff.initial_state(machine, world), ff.idle_command(1)
    hands = ff.no_hands(1, len(machine.rig.legs))
    contacts, found = Contacts(machine), []
    hands["target"][0, 1] = state.legs["stood"][0, 1] + (0.0, 0.0, 0.3)
    for frame_number in range(180):
        hands["held"][0, 1] = 10 <= frame_number < 60
        frame = ff.step(machine, state, command, world, 1.0 / 60.0, hands=hands)
        state = frame.state
        found += contacts.add(frame)
    assert [(contact.leg, contact.kind) for contact in found if contact.leg == 1] == [(1, LIFT_OFF), (1, TOUCHDOWN)]


def test_a_crowd_of_another_size_is_refused():
    rig = four_legs()
    contacts = Contacts(rig)
    contacts.add(pose(rig, 0.0))
    with pytest.raises(FootfallError, match="2 agents"):
        contacts.add(pose(rig, 0.1, state=fresh(rig, 2)))

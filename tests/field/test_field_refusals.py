"""What is handed in wrong is refused in one line, before a kernel reads past its end."""

from __future__ import annotations

import numpy as np
import pytest
from field_walks import commands, frames_at, walk

import footfall as ff
from footfall import tick
from footfall.state import State
from footfall.world import Boxes, Plane, build_world, flat_world


@pytest.fixture(scope="module")
def biped():
    return ff.load_machine("biped")


@pytest.fixture(scope="module")
def four(biped):
    """Four agents."""
    return ff.initial_state(biped, flat_world(), [[3.0 * n, 0.0, 0.0] for n in range(4)])


def refuses(call, *words):
    """The error is one line that holds these words."""
    with pytest.raises(ff.FootfallError) as caught:
        call()
    line = str(caught.value)
    assert "\n" not in line and all(word in line for word in words), line


def both(machine, state, command, *words, **more):
    """``step`` and ``show`` refuse."""
    world = more.pop("world", flat_world())
    kept = ff.state_hash(state)
    refuses(lambda: ff.step(machine, state, command, world, 1 / 60, **more), *words)
    if "buffers" in more:
        more["buffers"] = more["buffers"][1]
    refuses(lambda: ff.show(machine, state, command, world, **more), *words)
    assert ff.state_hash(state) == kept


def test_the_state_of_another_machine(biped):
    spider = ff.load_machine("spider")
    both(biped, ff.initial_state(spider, flat_world()), commands(biped), "biped", "state.legs", "[1, 8]", "[1, 2]")


@pytest.mark.parametrize("part", State._fields)
def test_a_state_with_a_part_of_another_size_or_type(biped, four, part):
    array = getattr(four, part)
    longer = np.concatenate([array, array[:1]])
    if part == "body":
        longer = array[:3]  # its length is the number of agents
    both(biped, four._replace(**{part: longer}), commands(biped, len(longer) if part == "body" else 4), "state.")
    other = np.zeros(array.shape, np.dtype([("x", np.int32)]))
    both(biped, four._replace(**{part: other}), commands(biped, 4), f"state.{part}")


def test_a_state_of_another_world(biped):
    rich = build_world([Plane(), Boxes(low=[[-5.0, -5.0, 0.0]], high=[[5.0, 5.0, 1.0]])])
    state = ff.initial_state(biped, rich)
    assert state.legs["surface"].max() == 1
    both(biped, state, commands(biped), "surface", "it has 1")


@pytest.mark.parametrize("count", [1, 3, 5])
def test_a_command_for_another_number_of_agents(biped, four, count):
    both(biped, four, commands(biped, count), "command", f"[{count}]", "4 agents")


def test_a_command_of_another_type(biped, four):
    both(biped, four, np.zeros((4, 3)), "command", "float64")


@pytest.mark.parametrize("gait", [99, -7, 11])
def test_a_gait_that_there_is_none_of(biped, four, gait):
    asked = commands(biped, 4)
    asked["gait"][2] = gait
    both(biped, four, asked, "command[2]", f"gait {gait}", "-1", "10")
    refuses(lambda: ff.initial_state(biped, flat_world(), gait=gait), f"gait is {gait}")
    broken = four.copy()
    broken.body["gait"][1] = gait
    both(biped, broken, commands(biped, 4), "agent 1", f"gait {gait}")


@pytest.mark.parametrize("shape", [(2,), (4, 3), (3, 2), (4, 2, 1)])
def test_hands_of_another_size(biped, four, shape):
    both(biped, four, commands(biped, 4), "hands", str(list(shape)), "[4, 2]", hands=np.zeros(shape, ff.HAND))


def test_hands_of_another_type(biped, four):
    both(biped, four, commands(biped, 4), "hands", "float64", hands=np.zeros((4, 2)))


def test_room_for_another_number_of_agents_or_another_machine(biped, four):
    three = State(*(array[:3] for array in four))
    rooms = (ff.make_buffers(biped, three), ff.make_buffers(biped, three))
    both(biped, four, commands(biped, 4), "buffers", "make_buffers", buffers=rooms)
    spider = ff.load_machine("spider")
    other = ff.make_buffers(spider, ff.initial_state(spider, flat_world(), np.zeros((4, 3))))
    both(biped, four, commands(biped, 4), "buffers", "biped", buffers=(other, other))
    room = ff.make_buffers(biped, four)
    turned = room._replace(state=room.state._replace(legs=np.asfortranarray(room.state.legs)))
    both(biped, four, commands(biped, 4), "in a row", buffers=(turned, turned))


def test_arrays_in_another_order_walk_the_same_walk(biped, four):
    asked = commands(biped, 4, speed=1.2)
    usual = walk(biped, flat_world(), asked, frames_at(50, 1), four)
    turned = State(*(np.asfortranarray(array) for array in four))
    assert not turned.legs.flags.c_contiguous and usual.steps.sum() > 0
    apart = np.repeat(asked, 2)[::2]  # not in a row
    hands = np.asfortranarray(ff.no_hands(4, 2))
    for command, held in ((asked, None), (apart, hands)):
        walked = walk(biped, flat_world(), command, frames_at(50, 1), turned, hands=held)
        assert (walked.joints == usual.joints).all()
        assert ff.state_hash(walked.state) == ff.state_hash(usual.state)


# ---- seating


UPRIGHT = (1.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("agents", [[4], [-1], [0, 99], [0.5]])
def test_a_teleport_of_agents_that_there_are_none_of(biped, four, agents):
    for command in (None, commands(biped, 4)):
        refuses(
            lambda: ff.teleport(biped, four, flat_world(), agents, np.zeros((len(agents), 3)), UPRIGHT, command),  # noqa: B023
            "agents are", "0 to 3",
        )  # fmt: skip


@pytest.mark.parametrize(
    "place, turn",
    [
        ((np.nan, 0.0, 0.0), UPRIGHT),
        ((0.0, np.inf, 0.0), UPRIGHT),
        ((0.0, 0.0), UPRIGHT),
        ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)),
        ((0.0, 0.0, 0.0), (np.nan, 0.0, 0.0, 0.0)),
        ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
    ],
)
def test_a_teleport_to_no_place_or_without_a_rotation(biped, four, place, turn):
    refuses(lambda: ff.teleport(biped, four, flat_world(), [1], [place], [turn]), "are [[", "allowed")


def test_a_teleport_with_the_state_or_command_of_others(biped, four):
    spider = ff.load_machine("spider")
    refuses(lambda: ff.teleport(spider, four, flat_world(), [0], [(0.0, 0.0, 0.0)], [UPRIGHT]), "state.legs")
    short = commands(biped, 2)
    refuses(lambda: ff.teleport(biped, four, flat_world(), [0], [(0.0, 0.0, 0.0)], [UPRIGHT], short), "command")


@pytest.mark.parametrize(
    "figures, word",
    [
        ({"headings": [0.0, 1.0]}, "headings"),
        ({"headings": np.nan}, "headings"),
        ({"up": (0.0, 0.0, 0.0)}, "up"),
        ({"up": (0.0, np.nan, 1.0)}, "up"),
        ({"up": [[0.0, 0.0, 1.0]] * 2}, "up"),
    ],
)
def test_a_start_that_is_none(biped, figures, word):
    refuses(lambda: ff.initial_state(biped, flat_world(), np.zeros((3, 3)), **figures), word)


def test_a_plain_step_that_ends_with_a_tick_makes_one_set_of_room(biped, four, monkeypatch):
    made = []
    real = tick.make_buffers
    monkeypatch.setattr(tick, "make_buffers", lambda *given: made.append(1) or real(*given))
    ff.step(biped, four, commands(biped, 4), flat_world(), biped.inner_step)
    assert len(made) == 1
    ff.step(biped, four, commands(biped, 4), flat_world(), 1.4 * biped.inner_step)
    assert len(made) == 3

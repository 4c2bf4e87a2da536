"""The C program of the benchmark does the same work: the same bits as the kernels that it is written from."""

from __future__ import annotations

import numpy as np
import pytest

from footfall.bench import compiled
from footfall.bench.c_program import write_program
from footfall.bench.c_types import TranslationError
from footfall.bench.compiled import bind, build, compiler
from footfall.bench.measure import SHARE, filled, largest_difference, tick_arguments, walked_in, write_c
from footfall.compile import kernel
from footfall.machine import load_machine, machine_names
from footfall.stream import place_agents
from footfall.tick import no_hands, tick_agents, tick_fused
from footfall.world.terrain import make_terrain

TICKS = 50


@pytest.fixture(scope="module")
def program():
    if compiler() is None:
        pytest.skip("there is no gcc")
    flags = compiled.FLAGS
    compiled.FLAGS = ("-O1", *flags[1:])  # the same bits, built in a third of the time
    try:
        yield build(write_c(), tick_agents.py_func.__name__)
    finally:
        compiled.FLAGS = flags


@pytest.mark.parametrize("agents", [1, 7])
@pytest.mark.parametrize("name", machine_names())
def test_the_c_program_gives_the_bits_of_the_kernels(program, name, agents):
    machine = load_machine(name)
    rocks = make_terrain("rocks", machine.leg_length)
    state, command = walked_in(machine, rocks.world, place_agents(machine, rocks, agents))
    ours, theirs = filled(machine, state), filled(machine, state)
    hands = no_hands(*state.legs.shape)
    tick = bind(program, tick_arguments(machine, rocks.world, theirs, command, hands))
    for _ in range(TICKS):
        tick_fused(machine, rocks.world, ours, command, hands, SHARE, machine.inner_step, True)
        tick()
    assert largest_difference(ours, theirs) == 0.0
    assert np.abs(ours.actual.trunks["position"] - state.trunks["position"]).max() > 0.01  # it went on
    for mine, other in zip(ours.state, theirs.state, strict=True):
        assert mine.tobytes() == other.tobytes()


@kernel
def fill_with_text(out):
    """What C has no word for."""
    text = "one" + "two"
    out[0] = len(text)


def test_a_kernel_that_has_no_c_is_refused():
    with pytest.raises(TranslationError, match="no such constant in C: 'one'"):
        write_program(fill_with_text, (np.zeros(1),), "")

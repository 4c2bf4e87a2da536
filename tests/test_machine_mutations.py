"""Any machine file is refused with its faults or walks: what is changed in a sound one never shows as anything else."""

from __future__ import annotations

import copy
import io
from importlib import resources

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from ruamel.yaml import YAML

from footfall.bake import Bake
from footfall.documents import parse_document
from footfall.errors import FileError
from footfall.machine import MachineFile, build_machine, check_machine, machine_names
from footfall.metrics import Metrics
from footfall.scenario import steady
from footfall.stream import run
from footfall.world.terrain import make_terrain

MISSING = object()
VALUES = [MISSING, None, "nope", True, 0, 1, -1, 3, 1e-9, 1e9, 1e300, float("nan"), float("inf"), [], [0, 0], [0, 0, 0],
          [1e6, 1e6], [1e300, 0, 0], {}, [[]]]  # fmt: skip


def written(name):
    """A built-in machine file as plain data."""
    path = resources.files("footfall") / "machines" / f"{name}.yaml"
    return YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))


FILES = {name: written(name) for name in machine_names()}


def places(data, at=()):
    """Paths of all keys and entries of plain data."""
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, part in parts:
        yield (*at, key)
        yield from places(part, (*at, key))


PLACES = {name: list(places(data)) for name, data in FILES.items()}


def changed(name, changes):
    """Text of a built-in machine file with values put at paths; a change whose path has gone is left out."""
    data = copy.deepcopy(FILES[name])
    for path, value in changes:
        try:
            owner = data
            for key in path[:-1]:
                owner = owner[key]
            if value is MISSING:
                del owner[path[-1]]
            else:
                owner[path[-1]] = copy.deepcopy(value)
        except (KeyError, IndexError, TypeError):
            continue
    text = io.StringIO()
    yaml = YAML(typ="safe", pure=True)
    yaml.width = 10**6
    yaml.dump(data, text)
    return text.getvalue()


def built(text):
    """The machine, or None where its file is refused."""
    try:
        return build_machine(parse_document(text, "mutant.yaml", MachineFile, check_machine))
    except FileError as error:
        assert error.faults and all(fault.line is not None for fault in error.faults)
        return None


def mutants(most):
    """Text of a built-in machine file with a few changes."""

    def change(name):
        return st.tuples(st.sampled_from(PLACES[name]), st.sampled_from(VALUES))

    names = st.sampled_from(sorted(FILES))
    return names.flatmap(lambda name: st.lists(change(name), min_size=1, max_size=most).map(lambda c: changed(name, c)))


@pytest.mark.parametrize("name", machine_names())
def test_a_file_that_is_written_again_unchanged_is_sound(name):
    assert built(changed(name, [])) is not None


@given(mutants(4))
@example(changed("crawler", [(("legs", 0, "directions", 0), [0, 0, 0])]))
@example(changed("crawler", [(("pattern",), "gallop"), (("legs", 0, "trunk"), "nope"), (("trunks",), [])]))
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
def test_a_changed_file_loads_or_is_refused_with_places(text):
    built(text)


@given(mutants(1))
@example(changed("centipede", [(("legs", 0, "rest", 1), 0)]))
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_what_the_check_passes_walks_and_bakes_finite_numbers(text):
    machine = built(text)
    if machine is None:
        return
    terrain = make_terrain("flat", machine.leg_length)
    metrics, bake = Metrics(machine.rig, terrain.world), Bake(machine)
    walking = run(machine, terrain, steady(2.0))
    for frame in walking:
        metrics.add(frame, walking.command)
        bake.add(frame)
    assert metrics.result()["not_finite"] == 0
    assert all(np.isfinite(array).all() for array in bake.motion().parts)

"""Faults of a machine file that no single key shows are told at the key to change, and none is hidden by another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from footfall.machine import AutomaticGait, check_machine, load_machine
from footfall.rig import Hinge, Solver


def leg(**values):
    """A change of the first leg's entry."""
    return lambda file: replace(file, legs=(replace(file.legs[0], **values), *file.legs[1:]))


def section(name, **values):
    """A change of a section."""
    return lambda file: replace(file, **{name: replace(getattr(file, name), **values)})


def entry(**values):
    """A change of a key."""
    return lambda file: replace(file, **values)


HINGE = Hinge(axis=(0.0, 1.0, 0.0), rest=0.0, lower=-1.0, upper=1.0)
TWICE = entry(trunks=load_machine("quadruped").file.trunks * 2)

#: A change of a sound file, the key that is to be told, and words of what is told.
FAULTS = [
    (TWICE, "trunks", "two trunks of one name"),
    (entry(pattern="stagger"), "pattern", "'stagger'; allowed: legs, wave"),
    (leg(trunk="tail"), "legs[0].trunk", "'tail'; known trunks: hull"),
    (leg(rows=3), "legs[0].rows", "is 3; there are 1 trunks from 'hull' on"),
    (leg(segments=(0.5, 0.5)), "legs[0].segments", "has 2 bones; three_segment takes 3"),
    (leg(solver=Solver.fabrik, segments=(0.5,)), "legs[0].segments", "has 1 bone; fabrik takes 2 or more"),
    (leg(solver=Solver.chain), "legs[0].segments", "has 3 bones; chain takes a hinge and a direction for each"),
    (leg(pole=(0.0, 0.0, 0.0)), "legs[0].pole", "has no length"),
    (leg(hinges=(HINGE, replace(HINGE, axis=(0.0, 0.0, 0.0)))), "legs[0].hinges[1].axis", "has no length"),
    (leg(hinges=(replace(HINGE, rest=2.0),)), "legs[0].hinges[0].rest", "is 2 rad; allowed: -1 to 1"),
    (leg(knee_min=3.0, knee_max=2.0), "legs[0].knee_min", "is 3 rad; allowed: less than knee_max, 2"),
    (leg(rest=(9.0, 0.0)), "legs[0].rest", "from the hip when standing; the leg reaches from"),
    (section("gait", airborne_limit=4), "gait.airborne_limit", "is 4; allowed: less than the 4 legs"),
    (section("gait", duty_factor=0.4), "gait.duty_factor", "feet are in the air at once; gait.airborne_limit allows 1"),
    (
        section("gait", duty_factor=0.25, airborne_limit=3),
        "gait.duty_factor",
        "the last foot on the ground lifts as another lands",
    ),
    (entry(automatic=(AutomaticGait("stagger", 1.0),)), "automatic[0].gait", "'stagger'; allowed: wave"),
    (section("gait", stride_min=3.0, stride_max=2.0), "gait.stride_min", "is 3; allowed: up to stride_max, 2"),
    (section("gait", cadence_min=3.0, cadence_max=2.0), "gait.cadence_min", "is 3; allowed: up to cadence_max, 2"),
    (section("swing", move_start=0.9, move_end=0.8), "swing.move_start", "is 0.9; allowed: less than move_end, 0.8"),
    (section("travel", governor_start=0.99, governor_stop=0.9), "travel.governor_start", "less than governor_stop"),
]


@pytest.mark.parametrize(
    ("change", "key", "words"), FAULTS, ids=[f"{number}-{key}" for number, (_, key, _) in enumerate(FAULTS)]
)
def test_a_fault_is_told_at_its_key(change, key, words):
    file = load_machine("quadruped").file
    assert not list(check_machine(file))
    faults = dict(check_machine(change(file)))
    assert list(faults) == [key]
    assert words in faults[key]


def test_faults_that_do_not_hang_together_are_told_at_once():
    file = load_machine("quadruped").file
    for change in (entry(pattern="stagger"), leg(rest=(9.0, 0.0)), section("gait", stride_min=3.0, stride_max=2.0)):
        file = change(file)
    assert [key for key, _ in check_machine(file)] == ["pattern", "legs[0].rest", "gait.stride_min"]

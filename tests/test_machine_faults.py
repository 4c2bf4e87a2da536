"""Faults of a machine file that no single key shows are told at the key to change, and none is hidden by another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from footfall.body import Carriage
from footfall.machine import AutomaticGait, TrunkEntry, build_machine, check_machine, load_machine
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
QUADRUPED = load_machine("quadruped").file
TWO_TRUNKS = entry(
    trunks=(*QUADRUPED.trunks, TrunkEntry("torso", (1.0, 1.0, 1.0))),
    legs=(QUADRUPED.legs[0], *(replace(leg, trunk="hull") for leg in QUADRUPED.legs[1:])),
)
TWICE = entry(trunks=QUADRUPED.trunks * 2)


def aim(**values):
    """A change of the first piston."""
    return lambda file: replace(file, aims=(replace(file.aims[0], **values), *file.aims[1:]))


def camera(**values):
    """A change of the first camera."""
    return lambda file: replace(file, cameras=(replace(file.cameras[0], **values), *file.cameras[1:]))


#: A change of a sound file, the key that is to be told, and words of what is told.
FAULTS = [
    (TWICE, "trunks", "2 trunks of one name, 'hull'"),
    (entry(pattern="stagger"), "pattern", "'stagger'; allowed: legs, wave"),
    (leg(trunk="tail"), "legs[0].trunk", "'tail'; known trunks: hull"),
    (TWO_TRUNKS, "legs[0].trunk", "is missing; known trunks: hull, torso"),
    (section("body", path_smoothing=0.3), "body.path_smoothing", "there is no path: trunk_spacing is 0"),
    (entry(trunk_spacing=0.3, body=Carriage()), "trunk_spacing", "is 0.3 with one trunk; allowed: 0"),
    (leg(rows=3), "legs[0].rows", "is 3; there is 1 trunk from 'hull' on"),
    (leg(segments=(0.5, 0.5)), "legs[0].segments", "has 2 bones; three_segment takes 3"),
    (leg(solver=Solver.fabrik, segments=(0.5,)), "legs[0].segments", "has 1 bone; fabrik takes 2 or more"),
    (leg(solver=Solver.chain), "legs[0].segments", "has 3 bones; chain takes a hinge and a direction for each"),
    (leg(pole=(0.0, 0.0, 0.0)), "legs[0].pole", "has no length"),
    (leg(pole=(1e300, 0.0, 0.0)), "legs[0].pole", "has too great a length"),
    (leg(directions=((1.0, 0.0, 0.0), (0.0, 0.0, 0.0))), "legs[0].directions[1]", "has no length"),
    (leg(hinges=(replace(HINGE, lower=2.0),)), "legs[0].hinges[0].lower", "is 2 rad; allowed: up to upper, 1"),
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
    (section("swing", move_start=0.72), "swing.move_start", "is 0.72; allowed: less than 0.72"),
    (section("swing", move_start=0.0, move_end=0.3), "swing.move_end", "is 0.3; allowed: more than 0.3"),
    (section("gait", swing_time_min=2.0), "gait.swing_time_min", "is 2; allowed: up to swing_time_max, 0.9"),
    (section("gait", swing_time_min=0.01), "gait.swing_time_min", "is 0.01; allowed: from 0.01667, one inner step"),
    (entry(automatic=(AutomaticGait("trot", 1.0),) * 2), "automatic", "has 2 gaits of one name, 'trot'"),
    (aim(base_part="nope"), "aims[0].base_part", "is 'nope'; known parts: hull, left_hind/0"),
    (aim(end_part="left_hind/9"), "aims[0].end_part", "is 'left_hind/9'; known parts: hull, left_hind/0"),
    (aim(name=QUADRUPED.aims[1].name), "aims", "has 2 aims of one name, 'left_fore_piston'"),
    (camera(trunk="nothing"), "cameras[0].trunk", "is 'nothing'; known trunks: hull"),
    (camera(forward=(0.0, 0.0, 0.0)), "cameras[0].forward", "has no length"),
    (camera(up=(0.0, 0.0, 0.0)), "cameras[0].up", "has no length"),
    (camera(forward=(0.0, 0.0, -2.0)), "cameras[0].forward", "is parallel to up"),
    (camera(name="left"), "cameras", "has 2 cameras of one name, 'left'"),
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
    changes = [entry(pattern="stagger"), leg(trunk="tail", pole=(0.0, 0.0, 0.0), knee_min=3.0, knee_max=2.0)]
    changes += [TWICE, section("gait", stride_min=3.0, stride_max=2.0), camera(trunk="tail"), aim(name="x")]
    for change in changes:
        file = change(file)
    told = ["gait.stride_min", "legs[0].knee_min", "legs[0].pole", "legs[0].trunk", "pattern", "trunks"]
    assert sorted(key for key, _ in check_machine(file)) == ["cameras[0].trunk", *told]


@pytest.mark.parametrize(
    ("key", "value"),
    [("bob", 0.01), ("sway", 0.01), ("roll", 0.1), ("twist", 0.1), ("lean_speed", 0.1), ("lean_acceleration", 0.1),
     ("impact_kick", 0.1), ("weight_shift", 0.5), ("park_height", 0.1), ("park_pitch", 0.1), ("kneel_height", 0.1),
     ("height_time", 0.2), ("adapt_reach", 0.9)],
)  # fmt: skip
def test_what_a_chain_of_trunks_would_not_do_is_refused(key, value):
    file = load_machine("centipede").file
    assert not list(check_machine(file))
    faults = dict(check_machine(section("body", **{key: value})(file)))
    assert list(faults) == [f"body.{key}"]
    assert f"is {value:g}; a chain of trunks on a path has only follow_pitch, " in faults[f"body.{key}"]
    calm = entry(trunks=(replace(file.trunks[0], stabilise=0.5),))
    assert "trunks on a path take no part" in dict(check_machine(calm(file)))["trunks[0].stabilise"]


@pytest.mark.parametrize("name", ["quadruped", "crab"])
def test_a_leg_without_a_trunk_hangs_on_the_only_one(name):
    file = load_machine(name).file
    plain = entry(legs=tuple(replace(one, trunk="") for one in file.legs))(file)
    assert not list(check_machine(plain))
    assert (build_machine(plain).rig.leg_table == load_machine(name).rig.leg_table).all()

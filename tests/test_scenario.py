"""Scenarios: what the time line asks for, and what its files may hold."""

from __future__ import annotations

import math

import pytest

from footfall.errors import FileError, FootfallError
from footfall.gaits import LIBRARY
from footfall.machine import load_machine, machine_names
from footfall.scenario import (
    Event,
    Scenario,
    check_commands,
    command_at,
    load_scenario,
    prefer,
    scenario_names,
    steady,
)


@pytest.fixture(scope="module")
def machine():
    return load_machine("quadruped")


def write(tmp_path, text):
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    return path


def faults(path):
    with pytest.raises(FileError) as caught:
        load_scenario(path)
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize("name", scenario_names())
def test_every_built_in_scenario_loads_and_suits_every_machine_but_those_that_cannot_kneel(name):
    scenario = load_scenario(name)
    assert scenario.name == name
    assert scenario.title
    for other in map(load_machine, machine_names()):
        if name != "kneel" or other.kneels:
            check_commands(other, scenario)
        else:
            with pytest.raises(FootfallError, match=f"^scenario kneel at 14 s: {other.name} cannot kneel: its file"):
                check_commands(other, scenario)
    assert load_machine("quadruped").kneels and not load_machine("biped").kneels


@pytest.mark.parametrize("asked", [{"yaw": 0.1}, {"shift": (0.0, 0.1)}])
def test_a_pose_that_trunks_on_a_path_do_not_take_is_refused(machine, asked):
    centipede, name = load_machine("centipede"), next(iter(asked))
    check_commands(machine, steady(5.0, **asked))
    check_commands(centipede, steady(5.0, height=0.02, roll=0.1, pitch=0.1, limp=0.01, yaw=0.0, shift=(0.0, 0.0)))
    with pytest.raises(FootfallError, match=f"centipede takes no {name}: its trunks follow a path"):
        check_commands(centipede, steady(5.0, **asked))


def test_start_stop_walks_and_stops_at_2_13_22_and_26_s(machine):
    scenario = load_scenario("start_stop")
    assert scenario.seconds == 32.0
    cruise = machine.file.cruise_speed
    walks = ((2.0, 12.99), (22.0, 25.99))
    for time in (0.0, 1.99, 2.0, 12.99, 13.0, 21.99, 22.0, 25.99, 26.0, 32.0):
        speed = cruise if any(first <= time <= last for first, last in walks) else 0.0
        assert command_at(machine, scenario, time, 1)["speed"][0] == speed, time


def test_a_scenario_that_names_no_speed_goes_at_the_cruising_speed(machine):
    assert command_at(machine, Scenario("x", 5.0), 1.0, 3)["speed"].tolist() == [machine.file.cruise_speed] * 3


def test_an_event_holds_until_another_names_it(machine):
    events = (Event(0.0, speed=0.5, yaw_rate=0.2), Event(3.0, speed=1.0), Event(6.0, yaw_rate=0.0))
    scenario = Scenario("x", 9.0, events=events)
    command = command_at(machine, scenario, 4.0, 1)
    assert (command["speed"][0], command["yaw_rate"][0]) == (1.0, 0.2)
    assert command_at(machine, scenario, 7.0, 1)["yaw_rate"][0] == 0.0


def test_numbers_move_evenly_over_the_time_that_is_given(machine):
    scenario = Scenario("x", 20.0, events=(Event(0.0, speed=1.0), Event(4.0, over=8.0, speed=3.0, shift=(0.2, 0.4))))
    for time, share in ((4.0, 0.0), (6.0, 0.25), (8.0, 0.5), (12.0, 1.0), (15.0, 1.0)):
        command = command_at(machine, scenario, time, 1)
        assert command["speed"][0] == pytest.approx(1.0 + 2.0 * share)
        assert command["shift"][0].tolist() == pytest.approx([0.2 * share, 0.4 * share])


def test_a_share_is_of_the_speed_that_the_caller_gives(machine):
    scenario = Scenario("x", 5.0, events=(Event(0.0, speed_share=0.5, lateral_share=-0.25),))
    command = command_at(machine, scenario, 0.0, 1, cruise=4.0)
    assert (command["speed"][0], command["lateral"][0]) == (2.0, -1.0)


def test_the_whole_pose_reaches_the_command(machine):
    event = Event(0.0, height=0.1, roll=0.2, pitch=-0.3, yaw=0.4, shift=(0.5, -0.6), limp=0.7, kneel=True, gait="trot")
    command = command_at(machine, Scenario("x", 5.0, events=(event,)), 0.0, 1)[0]
    for name in ("height", "roll", "pitch", "yaw", "limp"):
        assert command[name] == getattr(event, name)
    assert command["kneel"] == 1.0
    assert command["shift"].tolist() == [0.5, -0.6]
    assert command["gait"] == machine.gait_index("trot")
    assert command["up"].tolist() == [0.0, 0.0, 1.0]


def test_a_gait_named_auto_is_chosen_by_speed(machine):
    assert command_at(machine, steady(5.0, gait="auto"), 0.0, 1)["gait"][0] == -1
    assert command_at(machine, steady(5.0, gait="own"), 0.0, 1)["gait"][0] == 0


@pytest.mark.parametrize("name", machine_names())
def test_every_gait_has_one_name_and_the_library_is_within_reach_of_a_machine_that_walks_in_one_of_it(name):
    machine = load_machine(name)
    assert machine.gait_names == ("own", *LIBRARY)
    assert [machine.gait_index(gait) for gait in ("auto", *machine.gait_names)] == list(range(-1, len(LIBRARY) + 1))
    for gait, named in LIBRARY.items():
        duty = machine.constants.gaits[machine.gait_index(gait)]["duty_factor"]
        assert duty == named.duty_factor(len(machine.rig.legs))


def test_an_array_is_used_again(machine):
    first = command_at(machine, steady(5.0), 0.0, 2)
    again = command_at(machine, steady(5.0, speed=0.25), 0.0, 2, out=first)
    assert again is first and first["speed"].tolist() == [0.25, 0.25]


def test_what_the_caller_prefers_gives_way_to_what_the_scenario_names(machine):
    scenario = Scenario("x", 9.0, events=(Event(0.0, speed_share=1.0), Event(5.0, yaw_rate=0.0)))
    asked = prefer(scenario, speed=9.0, yaw_rate=0.3, gait="trot", lateral=None)
    command = command_at(machine, asked, 1.0, 1)
    assert command["speed"][0] == machine.file.cruise_speed
    assert command["yaw_rate"][0] == 0.3
    assert command["gait"][0] == machine.gait_index("trot")
    assert command_at(machine, asked, 6.0, 1)["yaw_rate"][0] == 0.0
    assert prefer(scenario) is scenario
    late = Scenario("x", 9.0, events=(Event(5.0, speed=0.0),))
    assert prefer(late, yaw_rate=0.3).events[0] == Event(0.0, yaw_rate=0.3)


def test_an_unknown_scenario_is_answered_with_those_that_are_known():
    with pytest.raises(FootfallError, match=r"is 'strat_stop'; did you mean start_stop\? known scenarios: circle"):
        load_scenario("strat_stop")


def test_a_gait_that_nobody_has_is_refused_with_its_place(tmp_path):
    path = write(tmp_path, "name: x\nseconds: 5\nevents:\n  - {at: 0, speed: 1}\n  - {at: 1, gait: gallop}\n")
    assert faults(path)[0].startswith(f"{path}:5:")
    assert "events[1].gait is 'gallop'; allowed: auto, own, wave" in faults(path)[0]


def test_faults_of_values_hide_no_faults_of_the_time_line(tmp_path):
    events = ["{at: 1, sped: 1}", "{at: 3, gait: gallop}", "{at: 4, speed: fast}", "{at: 2}", "{at: 9}"]
    path = write(tmp_path, "name: x\nseconds: 5\nevents:\n" + "".join(f"  - {event}\n" for event in events))
    places = [tuple(found.removeprefix(f"{path}:").split(" is ")[0].split(":")[::2]) for found in faults(path)]
    told = [("4", "events[0].sped"), ("5", "events[1].gait"), ("6", "events[2].speed")]
    assert places == [(line, f" {key}") for line, key in [*told, ("7", "events[3].at"), ("8", "events[4].at")]]


def test_times_that_do_not_increase_are_refused(tmp_path):
    path = write(tmp_path, "name: x\nseconds: 5\nevents:\n  - {at: 2}\n  - {at: 2}\n  - {at: 7}\n")
    found = faults(path)
    assert "events[1].at is 2 s; allowed: later than the event before it, at 2 s" in found[0]
    assert "events[2].at is 7 s; allowed: before the end of the scenario at 5 s" in found[1]


@pytest.mark.parametrize(
    "line",
    ["at: .nan", "at: -1", "at: 0, speed: .inf", "at: 0, yaw_rate_deg: 1e9", "at: 0, kneel: 3", "at: 0, sped: 1"],
)
def test_a_bad_value_is_refused_with_its_place(tmp_path, line):
    path = write(tmp_path, f"name: x\nseconds: 5\nevents:\n  - {{{line}}}\n")
    assert len(faults(path)) == 1
    assert faults(path)[0].startswith(f"{path}:4:")


def test_a_speed_and_its_share_are_not_given_together(tmp_path):
    path = write(tmp_path, "name: x\nseconds: 5\nevents:\n  - {at: 0, speed: 1, speed_share: 1}\n")
    assert "given together with speed" in faults(path)[0]


def test_angles_are_given_in_degrees_or_radians(tmp_path, machine):
    path = write(tmp_path, "name: x\nseconds: 5\nevents:\n  - {at: 0, yaw_rate_deg: 90, pitch: 0.5}\n")
    command = command_at(machine, load_scenario(path), 0.0, 1)
    assert command["yaw_rate"][0] == pytest.approx(math.pi / 2)
    assert command["pitch"][0] == 0.5

"""Files that are like another one: what they leave out is as it is there, and a fault is told where its key stands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from footfall.documents import load_document
from footfall.errors import FileError
from footfall.machine import MachineFile, check_machine, load_machine, machine_names

BUILT_IN = Path(load_machine.__code__.co_filename).parents[1] / "machines"


@pytest.fixture
def written(tmp_path):
    """Writes a machine file, loads it."""

    def write(text, name="mine.yaml"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    return write


def load(path):
    return load_document(path, MachineFile, check_machine)


def faults(path):
    with pytest.raises(FileError) as caught:
        load(path)
    return str(caught.value).splitlines()


@pytest.mark.parametrize("name", machine_names())
def test_a_file_that_says_no_more_is_the_same_machine(written, name):
    assert replace(load(written(f"like: {name}\n")), like="") == replace(load_machine(name).file, like="")


def test_what_is_given_goes_over_what_is_there(written):
    base = load_machine("quadruped").file
    mine = load(
        written("like: quadruped\ncruise_speed: 0.5\ngait: {stride: 1.2}\nlegs: [{name: left_fore, phase: 0.1}]\n")
    )
    assert (mine.cruise_speed, mine.gait) == (0.5, replace(base.gait, stride=1.2))
    assert mine.legs == (
        base.legs[0],
        replace(base.legs[1], phase=0.1),
        *base.legs[2:],
    )  # in the order of the other file
    assert mine.aims == base.aims


def test_entries_with_new_names_are_added_and_lists_without_names_replaced(written):
    base = load_machine("quadruped").file
    camera = "{name: nose, trunk: hull, position: [3, 0, 0]}"
    mine = load(written(f"like: quadruped\ncameras: [{camera}]\naims: []\nautomatic: [{{gait: pace, speed_max: 3}}]\n"))
    assert [entry.name for entry in mine.cameras] == [*(entry.name for entry in base.cameras), "nose"]
    assert mine.aims == ()
    assert [entry.gait for entry in mine.automatic] == ["pace"]
    mine = load(written("like: quadruped\nlegs: [{name: left_hind, hip: [-1.4, 0.7, -0.1]}]\n"))
    assert mine.legs[0].hip == (-1.4, 0.7, -0.1)


def test_an_angle_may_be_given_in_another_unit_than_there(written):
    assert "knee_min_deg" in (BUILT_IN / "biped.yaml").read_text()
    assert load(written("like: biped\nlegs: [{name: leg, knee_min: 0.5}]\n")).legs[0].knee_min == 0.5


def test_a_path_is_relative_to_the_file_that_names_it_and_goes_on_from_there(written):
    written("like: ../b.yaml\nname: a\n", "folder/a.yaml")
    written("like: crab\nname: b\nstand_height: 0.31\n", "b.yaml")
    mine = load(written("like: folder/a.yaml\ncruise_speed: 0.4\n"))
    assert (mine.name, mine.stand_height, mine.cruise_speed) == ("a", 0.31, 0.4)
    assert mine.legs == load_machine("crab").file.legs


def test_faults_are_told_in_the_file_that_their_key_stands_in(written):
    base = written("like: crab\nname: b\nstand_hight: 1\ncruise_speed: fast\n", "b.yaml")
    mine = written("like: b.yaml\nname: c\nswing:\n  height: -1\n")
    assert faults(mine) == [
        f"{mine}:4:11: swing.height is -1; allowed: a number > 0",
        f"{base}:3:1: stand_hight is not a known key; did you mean stand_height?",
        f"{base}:4:15: cruise_speed is 'fast'; allowed: a number > 0",
    ]


def test_a_fault_of_both_together_is_told_where_the_key_stands(written):
    mine = written("like: quadruped\nstand_height: 9\n")
    told = faults(mine)
    assert len(told) == 4 and all(line.startswith(f"{BUILT_IN / 'quadruped.yaml'}:") for line in told)
    assert "legs[0].rest is 7.98 m from the hip" in told[0]
    mine = written("like: quadruped\ngait: {duty_factor: 0.5}\n")
    assert [line.partition(": ")[0] for line in faults(mine)] == [f"{mine}:2:21"]


def test_a_key_that_is_given_twice_is_still_refused(written):
    mine = written("like: crab\ngait: {stride: 1}\ngait: {stride: 2}\n")
    assert faults(mine) == [f"{mine}:3:1: gait is given twice, first on line 2"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("centipde", "is 'centipde'; known machines: biped, "),
        ("none.yaml", "is 'none.yaml'; there is no such file"),
        (".", "is '.'; is a directory, not a file"),
        ("mine.yaml", "is 'mine.yaml'; that file is like this one"),
        ("other.yaml", "is 'mine.yaml'; that file is like this one"),
        ('"a\\0b.yaml"', "is 'a\\x00b.yaml'; is not a file name"),
        ("3", "is 3; allowed: text"),
        ("[crab]", "is ['crab']; allowed: text"),
    ],
)
def test_a_file_that_cannot_be_like_another_says_why(written, name, words):
    other = written("like: mine.yaml\n", "other.yaml")
    mine = written(f"like: {name}\n")
    told = next(line for line in faults(mine) if " like " in line)
    assert told.startswith(f"{other if name == 'other.yaml' else mine}:1:") and f"like {words}" in told


def test_text_that_is_no_document_is_told_in_its_own_file(written):
    other = written("name: [\n", "other.yaml")
    assert faults(written("like: other.yaml\n"))[0].startswith(f"{other}:2:1: ")


def test_the_centipede_for_comparison_is_the_centipede_but_for_its_loop():
    fixed, centipede = load_machine("centipede_fixed").file, load_machine("centipede").file
    assert all(leg.fixed_loop for leg in fixed.legs)
    told = {name for name in vars(fixed) if getattr(fixed, name) != getattr(centipede, name)}
    assert told == {"name", "title", "like", "legs", "gait"}

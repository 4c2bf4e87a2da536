"""What the command line refuses, and how it says so."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from footfall.cli import main
from footfall.cli.arguments import Parser, number, whole

PROGRAM = [sys.executable, "-m", "footfall"]

BAD = [
    (["walk"], "MACHINE"),
    (["walk", "no-such-machine"], "known machines: biped"),
    (["walk", "no-such.yaml"], "there is no such file"),
    (["walk", "quadruped", "--terrain", "no-such"], "terrain is 'no-such'; known terrains: flat"),
    (["walk", "quadruped", "--terrain", "stpes"], "terrain is 'stpes'; did you mean steps? known terrains: flat"),
    (["walk", "quadrupet"], "machine is 'quadrupet'; did you mean quadruped? known machines: biped"),
    (["walk", "quadruped", "--scenario", "knee"], "scenario is 'knee'; did you mean kneel? known scenarios: circle"),
    (["walk", "quadruped", "--gait", "Trot"], "gait is 'Trot'; did you mean trot? known gaits: auto, own, wave"),
    (["walk", "biped", "--scenario", "kneel"], "scenario kneel at 14 s: biped cannot kneel"),
    (["walk", "quadruped", "--terrain", "no-such.yaml"], "there is no such file"),
    (["walk", "quadruped", "--scenario", "no-such"], "known scenarios: circle"),
    (["walk", "quadruped", "--gait", "gallop"], "known gaits: auto, own, wave, ripple, tetrapod, tripod"),
    (["walk", "quadruped", "--drive", "magic"], "kinematic"),
    (["walk", "quadruped", "--speed", "nan"], "--speed is nan; allowed: from"),
    (["walk", "quadruped", "--speed", "-inf"], "--speed is -inf; allowed: from"),
    (["walk", "quadruped", "--speed", "fast"], "--speed is 'fast', which is no number"),
    (["walk", "quadruped", "--speed"], "--speed"),
    (["walk", "quadruped", "--yaw-rate", "1e999"], "--yaw-rate is 1e999"),
    (["walk", "quadruped", "--rate", "0"], "--rate is 0; allowed: from 1"),
    (["walk", "quadruped", "--rate", "-60"], "--rate is -60"),
    (["walk", "quadruped", "--rate", "1", "--jitter", "0.5"], "allowed: from 15, so that no frame"),
    (["walk", "quadruped", "--seconds", "0"], "--seconds is 0; allowed: more than 0"),
    (["walk", "quadruped", "--seconds", "1e9"], "--seconds is 1e9; allowed: more than 0 to 86400"),
    (["walk", "quadruped", "--agents", "0"], "--agents is 0; allowed: a whole number from 1"),
    (["walk", "quadruped", "--agents", "1.5"], "--agents is '1.5'; allowed: a whole number"),
    (["walk", "quadruped", "--agents", "100000000"], "--agents is 100000000"),
    (["walk", "quadruped", "--jitter", "1"], "--jitter is 1; allowed: from 0 to less than 1"),
    (["walk", "quadruped", "--terrain-scale", "0"], "--terrain-scale is 0; allowed: more than 0"),
    (["walk", "quadruped", "--seed", "-1"], "--seed is -1"),
    (["walk", "quadruped", "--out", "/no/such/folder/x.glb"], "there is no folder /no/such/folder"),
    (["walk", "quadruped", "--out", "x.fbx"], "--out is 'x.fbx'; allowed: a file that ends in .npz, .glb, .csv, .bvh"),
    (["walk", "quadruped", "--report", "x.pdf"], "--report is 'x.pdf'; allowed: a file that ends in .html"),
    (["walk", "quadruped", "--agents", "900000", "--seconds", "80000", "--out", "x.npz"], "GB of memory"),
    (["walk", "quadruped", "--sped", "1"], "--sped"),
    (["wlak", "quadruped"], "walk"),
    (["check", "/etc/hostname"], "/etc/hostname"),
    (["check", "no-such.yaml"], "there is no such file"),
    (["check", "quadrupet"], "file is 'quadrupet'; did you mean quadruped? known machines and scenarios: biped"),
    (["check", "/tmp"], "is a directory"),
]


@pytest.mark.parametrize("arguments, words", BAD, ids=lambda part: " ".join(part) if isinstance(part, list) else "")
def test_a_bad_request_is_one_clear_line_and_leaves_nothing(arguments, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert len(err.strip().splitlines()) == 1
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["x.npz", "sub/x.npz"])
def test_a_folder_in_the_place_of_a_file_is_refused(name, capsys, tmp_path):
    path = tmp_path / name
    path.mkdir(parents=True)
    assert main(["walk", "quadruped", "--out", str(path)]) == 2
    assert "which is a folder" in capsys.readouterr().err


def test_one_file_asked_for_twice_is_refused(capsys, tmp_path):
    twice = [str(tmp_path / "x.npz"), str(tmp_path / "." / "x.npz")]
    assert main(["walk", "quadruped", "--out", twice[0], "--out", twice[1]]) == 2
    assert "twice" in capsys.readouterr().err


def test_every_fault_of_a_machine_file_is_told_with_its_place(capsys, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("name: mine\ncruise_speed: fast\nstand_hight: 1\ntrunks: []\n")
    for command in (["check", str(path)], ["walk", str(path)]):
        assert main(command) == 2
        lines = capsys.readouterr().err.splitlines()
        assert any(line.startswith(f"{path}:2:15: cruise_speed is 'fast'") for line in lines)
        assert any(line.startswith(f"{path}:3:1: stand_hight") for line in lines)


def test_a_fault_of_the_program_shows_no_traceback(capsys, monkeypatch):
    def burst(*arguments):
        raise ZeroDivisionError("by\nzero")

    monkeypatch.setattr("footfall.cli.walk.prepare", burst)
    monkeypatch.delenv("FOOTFALL_DEBUG", raising=False)
    assert main(["walk", "quadruped"]) == 1
    err = capsys.readouterr().err
    assert err == "footfall: a fault of the program itself: ZeroDivisionError: by zero (FOOTFALL_DEBUG=1 shows where)\n"
    monkeypatch.setenv("FOOTFALL_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(["walk", "quadruped"])


@pytest.mark.parametrize(
    "fault, code, words",
    [
        (MemoryError(), 2, "not enough memory"),
        (OSError(28, "No space left on device", "x.npz"), 2, "x.npz: No space left on device"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_what_stops_a_run_has_its_own_code_and_line(fault, code, words, capsys, monkeypatch):
    def burst(*arguments):
        raise fault

    monkeypatch.setattr("footfall.cli.walk.prepare", burst)
    assert main(["walk", "quadruped"]) == code
    err = capsys.readouterr().err
    assert words in err and len(err.splitlines()) == 1


def test_without_a_command_the_help_is_shown(capsys):
    assert main([]) == 2
    assert "walk" in capsys.readouterr().err


@pytest.mark.parametrize("command", [[], ["walk"], ["list"], ["check"], ["bench"], ["warm"]])
def test_help_lists_what_there_is(command, capsys):
    assert main([*command, "--help"]) == 0
    out = capsys.readouterr().out
    assert "--json" in out or not command


def test_help_loads_nothing_heavy():
    subprocess.run([*PROGRAM, "--help"], check=True, capture_output=True)
    heavy = ["numpy", "numba", "rich", "pydantic", "ruamel", "matplotlib"]
    code = (
        "import sys, footfall, footfall.cli; footfall.cli.make_parser();"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_the_program_exits_with_the_code_of_its_command():
    done = subprocess.run([*PROGRAM, "walk", "quadruped", "--speed", "nan"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


def test_numbers_keep_to_their_range():
    read = number(0.0, 1.0, above=True, below=True)
    assert read("0.5") == 0.5
    for text in ("0", "1", "nan", "inf", "-0.1", "", "0x1"):
        with pytest.raises(Exception, match="allowed: more than 0 to less than 1"):
            read(text)
    assert whole(1, 3)("2") == 2


def test_a_negative_number_is_no_option():
    parser = Parser()
    parser.add_argument("--speed", type=float)
    for text in ("-1", "-.5", "-1e-3", "-2.5E+1"):
        assert parser.parse_args(["--speed", text]).speed == float(text)


def test_the_public_surface_is_what_it_says():
    import footfall

    for name in footfall.__all__:
        assert getattr(footfall, name) is not None
    assert set(footfall.__all__) <= set(dir(footfall))
    with pytest.raises(AttributeError, match="no attribute 'walk'"):
        footfall.walk  # noqa: B018


def test_list_names_everything(capsys):
    assert main(["list", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["machines", "terrains", "scenarios", "gaits"]
    assert {"flat", "slope", "ramp", "steps", "rocks", "gaps", "jacksboro"} <= set(found["terrains"])
    assert {"start_stop", "turn", "figure_eight", "circle", "ramp", "step", "kneel", "gaits"} <= set(found["scenarios"])
    assert found["gaits"][0] == "own" and found["gaits"][-1] == "auto" and {"wave", "trot"} <= set(found["gaits"])
    for machine in found["machines"]:
        assert len(machine["leg_names"]) == machine["legs"]
        assert machine["leg_length"] > 0.0 and machine["cruise_speed"] > 0.0
        assert 0.0 < machine["duty_factor"] < 1.0
        assert 1 <= machine["airborne_limit"] < machine["legs"]
        assert machine["drive"] in ("kinematic", "force") and machine["planner"] == "gait"
        assert machine["ground"] in (True, False)
    assert main(["list"]) == 0
    assert "quadruped" in capsys.readouterr().out


def test_check_tells_the_kind_of_a_sound_file(capsys, tmp_path):
    import footfall

    scenario = tmp_path / "mine.yaml"
    scenario.write_text("name: mine\nseconds: 5\nevents:\n  - {at: 0, speed: 1}\n")
    terrain = tmp_path / "ground.yaml"
    terrain.write_text("name: ground\nsurfaces:\n  - {kind: plane}\n")
    machine = footfall.__path__[0] + "/machines/quadruped.yaml"
    for path, kind in ((scenario, "scenario"), (terrain, "terrain"), (machine, "machine")):
        assert main(["check", str(path)]) == 0
        assert f"a sound {kind} file" in capsys.readouterr().out
        assert main(["check", str(path), "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["kind"], found["sound"], found["faults"]) == (kind, True, [])


@pytest.mark.parametrize(("name", "kind"), [("quadruped", "machine"), ("kneel", "scenario")])
def test_check_takes_the_name_of_what_is_built_in(name, kind, capsys):
    assert main(["check", name]) == 0
    assert f"{name}: a sound {kind} file ({name}, " in capsys.readouterr().out


def test_check_gives_faults_as_json_too(capsys, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("name: mine\nseconds: 5\nevents:\n  - {at: 9, speed: 1}\n  - {at: 2}\n")
    assert main(["check", str(path), "--json"]) == 2
    found = json.loads(capsys.readouterr().out)
    assert found["kind"] == "scenario" and not found["sound"]
    assert [fault["line"] for fault in found["faults"]] == [4, 5]


def test_check_refuses_what_is_none_of_them(capsys, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("colour: red\n")
    assert main(["check", str(path)]) == 2
    assert "is no machine, scenario or terrain file" in capsys.readouterr().err

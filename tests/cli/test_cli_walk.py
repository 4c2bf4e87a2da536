"""``footfall walk``, from the outside: its JSON, its table, its files, and what an interrupt leaves."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from footfall.cli import main

PROGRAM = [sys.executable, "-m", "footfall"]
METRICS = (
    "slip_max_mm", "slip_p95_mm", "penetration_max_mm", "hover_max_mm", "reach_excess_max_mm", "reach_excess_count",
    "e_ik_max_mm", "e_track_rms_mm", "e_track_max_mm", "joint_step_max_deg", "pole_flips", "limit_hits",
    "airborne_max", "support_margin_min_m", "speed_mean", "speed_commanded", "steps", "rescue_steps",
    "rejected_footholds", "tick_us_median", "tick_us_p95",
)  # fmt: skip


@pytest.fixture
def walk(capsys):
    """Walk in this process; the JSON object."""

    def call(*arguments):
        code = main(["walk", *map(str, arguments), "--json"])
        out, err = capsys.readouterr()
        assert code == 0, err
        assert err == ""
        return json.loads(out)

    return call


def test_json_is_exactly_one_object_with_every_key(walk):
    result = walk("quadruped", "--seconds", 2)
    assert {"machine", "terrain", "seconds", "rate", "agents", "metrics", "state_hash", "files"} <= set(result)
    assert (result["machine"], result["terrain"], result["seconds"], result["rate"]) == ("quadruped", "flat", 2, 60)
    assert set(METRICS) <= set(result["metrics"])
    assert all(isinstance(value, int | float) for value in result["metrics"].values())
    assert result["files"] == []


def test_where_nothing_is_said_it_walks_20_s_at_the_cruising_speed(walk):
    result = walk("crawler")
    assert result["seconds"] == 20
    assert result["metrics"]["frames"] == 1201
    assert result["metrics"]["speed_commanded"] == pytest.approx(0.25)


def stool(tmp_path, **values):
    """The README's machine in a file, with other values."""
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    text = re.search(r"```yaml\n(name: stool.*?)```", readme, re.DOTALL)[1]
    for key, value in values.items():
        text, count = re.subn(rf"\b{key}: [\d.]+", f"{key}: {value}", text)
        assert count == 1
    path = tmp_path / "stool.yaml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("values", "missed"), [({}, set()), ({"stride": 3}, {"rescue_share"}), ({"cruise_speed": 20}, {"speed_share"})]
)
def test_a_machine_that_cannot_keep_its_pace_does_not_pass(walk, tmp_path, values, missed):
    result = walk(stool(tmp_path, **values))
    assert missed <= set(result["missed"])
    assert result["passed"] == (not missed)


def test_a_walk_that_is_short_or_goes_both_ways_is_not_held_to_a_pace(walk, tmp_path):
    result = walk(stool(tmp_path, cruise_speed=20), "--seconds", 9)
    assert result["metrics"]["speed_share"] < 0.7 and "speed_share" not in result["missed"]
    path = tmp_path / "both.yaml"
    path.write_text("name: both\nseconds: 20\nevents: [{at: 0, speed_share: 1}, {at: 10, speed_share: -1}]\n")
    result = walk(stool(tmp_path), "--scenario", path)
    assert result["metrics"]["speed_share"] is None or "speed_share" not in result["missed"]
    assert result["passed"]


def test_speed_and_turn_are_what_was_asked(walk, tmp_path):
    path = tmp_path / "x.npz"
    result = walk("quadruped", "--speed", -0.5, "--lateral", 0.2, "--yaw-rate", 6, "--seconds", 5, "--out", path)
    assert result["metrics"]["speed_commanded"] == pytest.approx(-0.5)
    with np.load(path) as trace:
        rotation = trace["root_rotation"][-1, 0]
        assert trace["root_position"][-1, 0, 0] < -1.0
    turned = 2.0 * np.degrees(np.arctan2(rotation[3], rotation[0]))
    assert 20.0 < turned < 30.5


def test_a_scenario_gives_the_length_and_the_ground(walk):
    assert walk("crawler", "--scenario", "start_stop")["seconds"] == 32
    brought = walk("crawler", "--scenario", "ramp", "--seconds", 1)
    assert (brought["terrain"], brought["seconds"], brought["scenario"]) == ("ramp", 1, "ramp")
    assert walk("crawler", "--scenario", "ramp", "--seconds", 1, "--terrain", "flat")["terrain"] == "flat"


def test_a_speed_is_what_a_scenario_walks_at(walk):
    result = walk("crawler", "--scenario", "circle", "--speed", 0.1, "--seconds", 2)
    assert result["metrics"]["speed_commanded"] == pytest.approx(0.1)


def test_a_gait_by_name_changes_the_walk(walk):
    own = walk("crawler", "--seconds", 4)
    other = walk("crawler", "--seconds", 4, "--gait", "wave")
    assert own["state_hash"] != other["state_hash"]
    assert other["metrics"]["airborne_max"] == 1


def test_the_hash_is_the_same_twice_and_changes_with_the_seed(walk):
    arguments = ("quadruped", "--terrain", "rocks", "--seconds", 3)
    first = walk(*arguments)["state_hash"]
    assert first == walk(*arguments)["state_hash"]
    assert first != walk(*arguments, "--seed", 1)["state_hash"]
    assert first != walk(*arguments, "--terrain-scale", 0.5)["state_hash"]


def test_agents_walk_together(walk):
    result = walk("quadruped", "--agents", 300, "--seconds", 1, "--terrain", "rocks")
    assert result["agents"] == result["metrics"]["agents"] == 300


@pytest.mark.parametrize("rate", [30, 144])
def test_a_trace_has_a_row_a_frame(walk, tmp_path, rate):
    path = tmp_path / "x.npz"
    result = walk("quadruped", "--seconds", 2, "--rate", rate, "--out", path)
    assert result["files"] == [str(path)]
    with np.load(path, allow_pickle=False) as trace:
        assert len(trace["t"]) == 2 * rate + 1
        assert trace["t"][0] == 0.0


@pytest.mark.parametrize("suffix", [".glb", ".csv", ".bvh"])
def test_a_bake_holds_the_first_agent(walk, tmp_path, suffix):
    one, many = tmp_path / f"one{suffix}", tmp_path / f"many{suffix}"
    assert walk("quadruped", "--seconds", 1, "--out", one)["files"] == [str(one)]
    walk("quadruped", "--seconds", 1, "--agents", 3, "--out", many)
    assert one.read_bytes() == many.read_bytes()
    assert len(one.read_bytes()) > 1000


def test_the_page_needs_no_trace_file_and_says_how_to_make_it_again(walk, tmp_path):
    one, many = tmp_path / "one.html", tmp_path / "many.html"
    result = walk("quadruped", "--seconds", 1, "--report", one)
    assert result["files"] == [str(one)]
    assert f"footfall walk quadruped --seconds 1 --report {one} --json" in one.read_text()
    walk("quadruped", "--seconds", 1, "--agents", 100, "--report", many)
    assert many.stat().st_size < 1.2 * one.stat().st_size


def test_limits_are_those_of_the_gaits_that_are_walked(walk):
    assert walk("crawler", "--seconds", 6, "--gait", "tripod")["passed"]
    result = walk("quadruped", "--speed", 0, "--seconds", 5)
    assert result["metrics"]["steps"] == 0 and result["passed"]  # nobody asked for a step


def test_the_table_says_what_holds_and_what_does_not(capsys, monkeypatch):
    assert main(["walk", "quadruped", "--seconds", "4"]) == 0
    out = capsys.readouterr().out
    assert "pass" in out and "FAIL" not in out
    monkeypatch.setitem(sys.modules["footfall.metrics.limits"].DEFAULT_LIMITS, "steps", 1e9)
    assert main(["walk", "quadruped", "--seconds", "4"]) == 0  # the walk was made
    out = capsys.readouterr().out
    assert "FAIL" in out and "1 of" in out


def test_what_is_no_number_is_null_in_json():
    from footfall.cli.output import plain

    found = plain({"a": np.float64("nan"), "b": [np.inf, np.int64(3), True], "c": np.arange(2), "d": None})
    assert found == {"a": None, "b": [None, 3, True], "c": [0, 1], "d": None}


class OnTerminal:
    """The program with a terminal for stderr."""

    def __init__(self, *arguments: str) -> None:
        self.screen, theirs = pty.openpty()
        self.running = subprocess.Popen([*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=theirs, text=True)
        os.close(theirs)
        self.shown = b""

    def read(self) -> bool:
        """Take what is shown next; false at the end, and where nothing is shown for a minute."""
        if not select.select([self.screen], [], [], 60.0)[0]:
            return False
        try:
            part = os.read(self.screen, 4096)
        except OSError:  # the program has ended
            return False
        self.shown += part
        return bool(part)

    def wait_for(self, sign: bytes) -> None:
        """Wait until something is shown."""
        while sign not in self.shown:
            assert self.read(), self.shown

    def stop(self, number: int) -> str:
        """Send a signal and wait for the end; stdout."""
        self.running.send_signal(number)
        while self.read():
            pass
        out, _ = self.running.communicate(timeout=60)
        os.close(self.screen)
        return out


@pytest.mark.parametrize(
    "number, code, word", [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]
)
def test_an_interrupt_leaves_no_half_written_file(number, code, word, tmp_path):
    path = tmp_path / "x.npz"
    path.write_text("of an earlier run")
    program = OnTerminal("walk", "quadruped", "--seconds", "3000", "--out", str(path))
    program.wait_for(b"quadruped on flat")  # it walks
    assert program.stop(number) == ""
    assert program.running.returncode == code
    assert program.shown.decode().splitlines()[-1].endswith(f"footfall: {word}")
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_text() == "of an earlier run"


def test_an_interrupt_while_a_file_is_written_leaves_nothing(tmp_path, monkeypatch, capsys):
    def half(file, **arrays):
        file.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez", half)
    assert main(["walk", "quadruped", "--seconds", "0.1", "--out", str(tmp_path / "x.npz")]) == 130
    assert list(tmp_path.iterdir()) == []


def test_progress_is_shown_on_a_terminal_only(capfd):
    program = OnTerminal("walk", "quadruped", "--seconds", "3000", "--json")
    program.wait_for(b"quadruped on flat")
    assert b"%" in program.shown
    assert program.stop(signal.SIGINT) == ""
    assert main(["walk", "quadruped", "--seconds", "1", "--json"]) == 0
    out, err = capfd.readouterr()
    assert json.loads(out)["machine"] == "quadruped" and err == ""


def test_a_reader_that_goes_away_is_no_fault():
    reader = "import sys; sys.stdin.readline()"
    done = subprocess.run(
        f"{sys.executable} -m footfall list --json | {sys.executable} -c '{reader}'", shell=True, capture_output=True
    )
    assert b"Traceback" not in done.stderr


def test_warm_says_where_the_cache_is(capsys):
    assert main(["warm", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["machines"] and os.path.isdir(found["cache"])

"""The examples run, with fast settings, and say what they say they do."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
RUNS = {
    "walk_numbers": (["quadruped", "flat", "3"], ("steps", "slip_max_mm", "was largest at", "state ")),
    "own_machine": (["3"], ("'steps'", "'airborne_max': 1")),
    "host_root": (["3"], ("left_leg down at", "after a teleport the feet stand at [[100.")),
    "crowd": (["20", "0.5"], ("20 machines took", "µs a machine")),
    "save_replay": (["0.5"], ("gone on:", "restored:")),
    "draw": (["picture.png"], ("wrote picture.png",)),
}


@pytest.mark.parametrize("name", RUNS)
def test_example_runs(name, tmp_path, monkeypatch, capsys):
    arguments, words = RUNS[name]
    if name == "draw":
        pytest.importorskip("trimesh")
        pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [f"{name}.py", *arguments])
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    told = capsys.readouterr().out
    for word in words:
        assert word in told, f"{name} does not say '{word}' but: {told}"


def test_every_example_is_run_and_short():
    files = {path.stem: path for path in EXAMPLES.glob("*.py")}
    assert set(files) == set(RUNS)
    for name, path in files.items():
        if name != "draw":
            assert len(path.read_text().splitlines()) <= 40, f"{name} is long"


def test_a_saved_state_goes_on_as_the_one_that_was_kept(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["save_replay.py", "0.4"])
    runpy.run_path(str(EXAMPLES / "save_replay.py"), run_name="__main__")
    hashes = [
        line.split()[-1] for line in capsys.readouterr().out.splitlines() if line.startswith(("gone", "restored"))
    ]
    assert len(hashes) == 2 and hashes[0] == hashes[1]

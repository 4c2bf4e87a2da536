"""What the pages say is so: tables are up to date, snippets run, commands are understood, nothing is left out."""

from __future__ import annotations

import importlib
import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest

import footfall
from footfall.cli import make_parser
from footfall.documents import parse_document
from footfall.machine import MachineFile, build_machine, check_machine, load_machine
from footfall.metrics import DEFAULT_LIMITS, PACE_LIMITS, Metrics
from footfall.scenario import Scenario, check_scenario, scenario_names
from footfall.trace import Trace
from footfall.world.terrain import TerrainFile, build_from_file, terrain_names

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def fences(language: str) -> list[tuple[str, str]]:
    """Fenced blocks of all pages in a language, each with where it is."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            if match[1] == language:
                found.append((f"{page.name}:{text.count(chr(10), 0, match.start()) + 1}", match[2]))
    return found


@lru_cache
def parameters():
    """The script that writes the tables."""
    spec = importlib.util.spec_from_file_location("parameters", DOCS / "parameters.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def text_of(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [page.name for page in sorted(DOCS.glob("*.md"))])
def test_tables_of_parameters_are_up_to_date(page):
    text = text_of(page)
    assert parameters().filled(text) == text, "run python docs/parameters.py"


def test_every_section_of_a_machine_file_has_its_table():
    tables = re.findall(r"<!-- parameters: ([\w.]+) -->", text_of("machines.md"))
    assert {"MachineFile", "TrunkEntry", "LegEntry", "Hinge", "Aim", "Camera", "Travel", "Gait", "Footholds", "Swing",
            "Carriage", "Head",
            "AutomaticGait", "Articulation", "Solid"} == {table.rpartition(".")[2] for table in tables}  # fmt: skip


@pytest.mark.parametrize(("where", "source"), fences("python"), ids=lambda value: value if ":" in value[:40] else "")
def test_snippets_run_as_they_are_printed(where, source, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    source = source.replace("ff.steady(10.0)", "ff.steady(2.0)")
    exec(compile(source, where, "exec"), {"__name__": "__main__"})


def commands() -> list[tuple[str, str]]:
    """Commands on the pages; those in a block marked ``text`` are only spoken of."""
    lines = [(where, line.partition("  #")[0].strip()) for where, block in fences("") for line in block.splitlines()]
    return [(where, line) for where, line in lines if line.startswith("footfall ")]


@pytest.mark.parametrize(("where", "line"), commands(), ids=lambda value: value)
def test_commands_are_understood(where, line):
    words = shlex.split(line)[1:]
    options = make_parser().parse_args(words)
    if words[0] != "walk":
        return
    assert options.machine in footfall.machine_names() or options.machine == "stool.yaml"
    assert options.terrain in (None, *terrain_names())
    assert options.scenario in (None, *scenario_names())
    if options.gait is not None:
        load_machine(options.machine).gait_index(options.gait)


@pytest.mark.parametrize(("where", "text"), fences("yaml"), ids=lambda value: value if ":" in value[:30] else "")
def test_files_on_the_pages_are_sound(where, text):
    if "legs:" in text:
        assert build_machine(parse_document(text, where, MachineFile, check_machine)).leg_length > 0.0
    elif "events:" in text:
        parse_document(text, where, Scenario, check_scenario)
    else:
        build_from_file(parse_document(text, where, TerrainFile), DOCS, "yard")


def test_fault_in_the_readme_is_what_check_says():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    told = re.search(r"^stool\.yaml:.*$", text, re.MULTILINE)[0]
    whole = next(block for _, block in fences("yaml") if "stool" in block)
    broken = whole.replace("rest: [-0.22, 0.39], segments: [0.45", "rest: [-0.22, 0.39], segments: [-0.45")
    with pytest.raises(footfall.FileError) as caught:
        parse_document(broken, "stool.yaml", MachineFile, check_machine)
    assert str(caught.value) == told


def test_every_number_and_limit_is_explained():
    rig = load_machine("biped").rig
    page = text_of("numbers.md")
    missing = [key for key in Metrics(rig).result() if f"`{key}`" not in page]
    assert not missing
    for key, limit in {**DEFAULT_LIMITS, **PACE_LIMITS}.items():
        row = next(line for line in page.splitlines() if line.startswith("|") and f"`{key}`" in line)
        assert f"| {limit:g} |" in row or f"| at least {limit:g} |" in row, f"{key}: limit {limit:g}"


def test_every_key_of_a_trace_is_explained():
    machine = load_machine("centipede")
    world = footfall.make_terrain("flat", machine.leg_length).world
    trace = Trace(machine, world)
    trace.add(footfall.show(machine, footfall.initial_state(machine, world), footfall.idle_command(1), world))
    page = text_of("numbers.md")
    assert [key for key in trace.arrays() if f"`{key}`" not in page] == []


def test_every_flag_is_explained(capsys):
    page = text_of("command-line.md")
    for command in ("walk", "list", "check", "bench", "warm"):
        with pytest.raises(SystemExit):
            make_parser().parse_args([command, "--help"])
        for flag in set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out)) - {"--help"}:
            assert flag in page or flag in text_of("performance.md"), f"{command} {flag}"


def test_every_public_name_is_on_the_page():
    page = text_of("python.md")
    assert [name for name in footfall.__all__ if name != "__version__" and f"`{name}`" not in page] == []


def test_every_public_name_is_there_and_has_one_home():
    told = [name for names in footfall._HOMES.values() for name in names]
    assert sorted([*told, "__version__"]) == sorted(footfall.__all__) == sorted(set(footfall.__all__))
    for home, names in footfall._HOMES.items():
        module = importlib.import_module(f"footfall.{home}")
        assert all(getattr(footfall, name) is getattr(module, name) for name in names)


def test_users_need_no_module_but_footfall():
    """But quaternions, ``footfall.frames``, and single formats, ``footfall.io``."""
    texts = {path: path.read_text(encoding="utf-8") for path in [*(ROOT / "examples").glob("*.py"), ROOT / "README.md"]}
    texts |= {page: page.read_text(encoding="utf-8") for page in DOCS.glob("*.md")}
    deep = re.compile(r"^(?:from|import) footfall\.(?!frames\b|io\b).*", re.MULTILINE)
    assert {path.name: found for path, text in texts.items() if (found := deep.findall(text))} == {}


def test_every_built_in_name_is_on_its_page():
    assert [name for name in footfall.machine_names() if f"`{name}`" not in text_of("machines.md")] == []
    assert [name for name in terrain_names() if f"`{name}`" not in text_of("world.md")] == []
    assert [name for name in scenario_names() if f"`{name}`" not in text_of("scenarios.md")] == []


def test_navigation_names_every_page():
    named = set(re.findall(r"([\w-]+\.md)\s*$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE))
    assert named == {page.name for page in DOCS.glob("*.md")}


@pytest.mark.skipif(shutil.which("mkdocs", path=str(Path(sys.executable).parent)) is None, reason="mkdocs is missing")
def test_pages_build_without_a_warning(tmp_path):
    program = shutil.which("mkdocs", path=str(Path(sys.executable).parent))
    done = subprocess.run(
        [program, "build", "--strict", "--site-dir", str(tmp_path / "site")], cwd=ROOT, capture_output=True, text=True,
        env={"PATH": "/usr/bin:/bin", "NO_MKDOCS_2_WARNING": "1", "HOME": str(tmp_path)}, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr


def test_picture_of_the_readme_is_small():
    assert (DOCS / "images" / "quadruped.png").stat().st_size < 300_000

"""Imports run one way: a module imports only itself, its siblings and what stands before it in the pipeline."""

from __future__ import annotations

import ast
import graphlib
import importlib.util
import tomllib
from functools import lru_cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "footfall"

#: The pipeline's order; modules in one line are siblings and may import one another, but never in a circle.
ORDER = [
    ["errors"],
    ["cache", "compile", "records", "documents"],
    ["frames", "spring", "froude"],
    ["rig"],
    ["articulation"],
    ["io.mjcf"],  # the joint drive runs on the model that this writes
    ["world", "clip"],
    ["state"],
    ["constants"],
    ["motion"],
    ["path", "arc"],
    ["reach"],
    ["gait", "gaits"],
    ["foothold"],
    ["swing"],
    ["body"],
    ["action"],
    ["ik"],
    ["pose"],
    ["head"],
    ["planners"],
    ["drives"],
    ["machine", "buffers", "check", "tick", "seat", "physics"],
    ["route"],
    ["scenario"],
    ["stream"],
    ["joint_run"],
    ["bridge"],
    ["contacts", "force_record"],
    ["cues"],
    ["bench", "trace", "metrics", "report", "replicate", "bake", "sweep", "io"],
    ["bench", "studio", "cli"],
]
RANKS = {name: rank for rank, names in enumerate(ORDER) for name in names}
DATA = ("machines", "scenarios", "clips")


def rank_of(module: str) -> int:
    """Place of a module in the order; the public surface, ``footfall`` itself, stands above all."""
    parts = module.split(".")[1:]
    if not parts or parts == ["__main__"]:
        return len(ORDER)
    for length in range(len(parts), 0, -1):
        name = ".".join(parts[:length])
        if name in RANKS:
            return RANKS[name]
    raise AssertionError(f"{module} has no place in ORDER of {Path(__file__).name}: say where it stands")


@lru_cache
def modules() -> dict[str, Path]:
    """Every module of the package with its file."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        if "node_modules" not in parts and not (len(parts) > 2 and parts[1] in DATA):
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(node: ast.AST, module: str) -> list[str]:
    """Names that one statement imports, in full."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            package = module if modules()[module].name == "__init__.py" else module.rpartition(".")[0]
            base = importlib.util.resolve_name("." * node.level + base, package)
        return [f"{base}.{alias.name}" if f"{base}.{alias.name}" in modules() else base for alias in node.names]
    return []


def imports(module: str) -> list[tuple[int, str]]:
    """All imports of a module, those inside functions too, as (line, name)."""
    tree = ast.parse(modules()[module].read_text())
    return [(node.lineno, name) for node in ast.walk(tree) for name in imported(node, module)]


def imports_on_load(module: str) -> list[tuple[int, str]]:
    """Imports that run when a module is loaded: all but those inside functions."""
    found, left = [], list(ast.parse(modules()[module].read_text()).body)
    while left:
        node = left.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            left += node.orelse
            continue
        found += [(getattr(node, "lineno", 0), name) for name in imported(node, module)]
        left += [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt | ast.ExceptHandler)]
    return found


def inside(name: str) -> bool:
    return name == "footfall" or name.startswith("footfall.")


@pytest.mark.parametrize("module", list(modules()))
def test_module_imports_only_what_stands_before_it(module):
    own = rank_of(module)
    late = [f"line {line}: {name}" for line, name in imports(module) if inside(name) and rank_of(name) > own]
    assert not late, f"{module} imports what stands after it in the pipeline: {'; '.join(late)}"


def test_no_imports_run_in_a_circle():
    graph = {
        module: {name for _, name in imports(module) if inside(name) and name != module and name in modules()}
        for module in modules()
    }
    graphlib.TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("module", list(modules()))
def test_physics_is_loaded_only_where_it_is_asked_for(module):
    if module.startswith(("footfall.drives.force", "footfall.io.mjcf")):
        return
    early = [f"line {line}" for line, name in imports_on_load(module) if name.split(".")[0] == "mujoco"]
    assert not early, f"{module} imports mujoco when it is loaded: {', '.join(early)}"


@pytest.mark.parametrize("module", list(modules()))
def test_readers_of_files_are_loaded_only_when_a_file_is_read(module):
    slow = ("pydantic", "ruamel", "matplotlib", "trimesh", "rich")
    early = [f"line {line}: {name}" for line, name in imports_on_load(module) if name.split(".")[0] in slow]
    assert not early, f"{module} loads a slow library with itself: {'; '.join(early)}"


def test_the_type_checker_is_told_of_modules_that_are_there():
    rules = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["tool"]["mypy"]["overrides"]
    named = [name.removesuffix(".*") for rule in rules for name in rule["module"] if name.startswith("footfall")]
    assert [name for name in named if name not in modules()] == []


def test_a_module_without_a_place_is_refused():
    with pytest.raises(AssertionError, match="has no place"):
        rank_of("footfall.helpers")

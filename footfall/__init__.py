"""Procedural locomotion for legged machines: describe the legs, get walking."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__: str

if TYPE_CHECKING:
    from footfall.bake import Bake
    from footfall.buffers import make_buffers
    from footfall.contacts import Contact, Contacts
    from footfall.cues import Cue, CueKind, Cues
    from footfall.errors import FileError, FileFault, FootfallError
    from footfall.io.mjcf import to_mjcf
    from footfall.joint_run import run_joints
    from footfall.machine import Machine, MachineFile, build_machine, load_machine, machine_names, parse_machine
    from footfall.metrics import Metrics, state_hash
    from footfall.pose import part_table, pose_parts
    from footfall.report import write_report
    from footfall.route import PROGRESS, Route, follow, go_to, lay_course, start_progress
    from footfall.scenario import Event, Scenario, command_at, load_scenario, scenario_names, steady
    from footfall.seat import initial_state, teleport
    from footfall.state import COMMAND, HAND, Frame, State
    from footfall.stream import place_agents, run
    from footfall.tick import idle_command, no_hands, show, step
    from footfall.trace import Trace
    from footfall.world import (
        Answer,
        Body,
        Boxes,
        Heightfield,
        Hit,
        Host,
        Mesh,
        Plane,
        World,
        build_world,
        cast,
        delete_surface,
        flat_world,
        ground_height,
        move_surface,
        rest_surfaces,
    )
    from footfall.world.terrain import Terrain, load_terrain, make_terrain, terrain_names

#: Where each public name lives. They are loaded when they are first asked for, so that importing footfall is quick.
_HOMES = {
    "bake": ("Bake",),
    "buffers": ("make_buffers",),
    "contacts": ("Contact", "Contacts"),
    "cues": ("Cue", "CueKind", "Cues"),
    "errors": ("FileError", "FileFault", "FootfallError"),
    "io.mjcf": ("to_mjcf",),
    "joint_run": ("run_joints",),
    "machine": ("Machine", "MachineFile", "build_machine", "load_machine", "machine_names", "parse_machine"),
    "metrics": ("Metrics", "state_hash"),
    "pose": ("part_table", "pose_parts"),
    "report": ("write_report",),
    "route": ("PROGRESS", "Route", "follow", "go_to", "lay_course", "start_progress"),
    "scenario": ("Event", "Scenario", "command_at", "load_scenario", "scenario_names", "steady"),
    "seat": ("initial_state", "teleport"),
    "state": ("COMMAND", "HAND", "Frame", "State"),
    "stream": ("place_agents", "run"),
    "tick": ("idle_command", "no_hands", "show", "step"),
    "trace": ("Trace",),
    "world": (
        "Answer",
        "Body",
        "Boxes",
        "Heightfield",
        "Hit",
        "Host",
        "Mesh",
        "Plane",
        "World",
        "build_world",
        "cast",
        "delete_surface",
        "flat_world",
        "ground_height",
        "move_surface",
        "rest_surfaces",
    ),
    "world.terrain": ("Terrain", "load_terrain", "make_terrain", "terrain_names"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "COMMAND",
    "HAND",
    "PROGRESS",
    "Answer",
    "Bake",
    "Body",
    "Boxes",
    "Contact",
    "Contacts",
    "Cue",
    "CueKind",
    "Cues",
    "Event",
    "FileError",
    "FileFault",
    "FootfallError",
    "Frame",
    "Heightfield",
    "Hit",
    "Host",
    "Machine",
    "MachineFile",
    "Mesh",
    "Metrics",
    "Plane",
    "Route",
    "Scenario",
    "State",
    "Terrain",
    "Trace",
    "World",
    "__version__",
    "build_machine",
    "build_world",
    "cast",
    "command_at",
    "delete_surface",
    "flat_world",
    "follow",
    "go_to",
    "ground_height",
    "idle_command",
    "initial_state",
    "lay_course",
    "load_machine",
    "load_scenario",
    "load_terrain",
    "machine_names",
    "make_buffers",
    "make_terrain",
    "move_surface",
    "no_hands",
    "parse_machine",
    "part_table",
    "place_agents",
    "pose_parts",
    "rest_surfaces",
    "run",
    "run_joints",
    "scenario_names",
    "show",
    "start_progress",
    "state_hash",
    "steady",
    "step",
    "teleport",
    "terrain_names",
    "to_mjcf",
    "write_report",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("footfall")
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'footfall' has no attribute '{name}'")
    value = getattr(importlib.import_module(f"footfall.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

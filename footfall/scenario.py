"""Scenarios: a time line of what is asked of a machine, as data.

A scenario is a list of events. What an event names holds until a later event names it again; what nobody names is the
default: the machine's cruising speed straight ahead, in its own gait, upright. So the same file serves every machine.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt, Le, MaxLen

from footfall.documents import load_document
from footfall.drives.joint.phase import PhaseController
from footfall.errors import FootfallError, known_names
from footfall.gaits import LIBRARY
from footfall.machine import AUTO, OWN, Machine
from footfall.records import Records
from footfall.route import Route
from footfall.state import COMMAND
from footfall.world.landscape import Terrain
from footfall.world.terrain import make_terrain
from footfall.world.terrain_file import TerrainFile, build_from_file, find_faults

LONGEST = 86_400.0  # a run of a day [s]

Seconds = Annotated[float, Ge(0), Le(LONGEST)]
Speed = Annotated[float, Ge(-1e3), Le(1e3)]
Angle = Annotated[float, Ge(-math.tau), Le(math.tau)]
Length = Annotated[float, Ge(-1e3), Le(1e3)]


@dataclass(frozen=True)
class Event:
    """What is asked from an instant on; what is left out stays as it was."""

    at: Seconds
    """When [s]."""
    over: Seconds = 0.0
    """The numbers of this event move there evenly in this time [s]; 0 asks for them at once."""
    speed: Speed | None = None
    """Forward [m/s]."""
    speed_share: Annotated[float, Ge(-10), Le(10)] | None = None
    """Forward, as a share of the cruising speed."""
    lateral: Speed | None = None
    """To the left [m/s]."""
    lateral_share: Annotated[float, Ge(-10), Le(10)] | None = None
    """To the left, as a share of the cruising speed."""
    yaw_rate: Angle | None = None
    """Rate of turn to the left [rad/s]."""
    yaw_share: Annotated[float, Ge(-1), Le(1)] | None = None
    """Rate of turn to the left, as a share of the machine's greatest."""
    gait: str | None = None
    """``own``, the machine's own gait; one of the library; or ``auto`` to choose by speed."""
    kneel: bool | None = None
    """Kneel, or stand up again."""
    height: Length | None = None
    """Added to the body's height [m]."""
    roll: Angle | None = None
    """Added to the body's roll, right side down positive [rad]."""
    pitch: Angle | None = None
    """Added to the body's pitch, nose down positive [rad]."""
    yaw: Angle | None = None
    """Body turned over its feet, to the left [rad]."""
    shift: tuple[float, float] | None = None
    """Body moved over its feet, forward and left [m]."""
    limp: Length | None = None
    """Body lowered by this much for damage [m]."""


@dataclass(frozen=True)
class Scenario:
    """A time line of commands."""

    name: str
    """Short name."""
    seconds: Annotated[float, Gt(0), Le(LONGEST)]
    """How long it lasts [s]."""
    title: str = ""
    """What it shows, in a few words."""
    terrain: str | None = None
    """Ground that it brings along: a name or a path; where nothing is said, what the caller asks for."""
    ground: TerrainFile | None = None
    """Ground of its own, as a terrain file has it; lengths are in metres unless it says otherwise."""
    route: Route | None = None
    """Where to go: steers speed and rate of turn, no faster than the speed asked for."""
    events: Annotated[tuple[Event, ...], MaxLen(10_000)] = ()
    """In the order of time."""
    joint: PhaseController | None = None
    """What the joint drive plays, in place of the events; its own defaults where nothing is said."""


SHARES = {"speed": "speed_share", "lateral": "lateral_share", "yaw_rate": "yaw_share"}  # two ways to ask for one
PLAIN = ("height", "roll", "pitch", "yaw", "limp", "lateral", "yaw_rate")  # numbers that a command takes as they are


def check_scenario(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Faults that no single key shows, each with the path of the key it is reported at."""
    before = -1.0
    for index, event in enumerate(scenario.events):
        where = f"events[{index}]"
        if event.at <= before:
            yield f"{where}.at", f"is {event.at:g} s; allowed: later than the event before it, at {before:g} s"
        before = max(before, event.at)
        if event.at >= scenario.seconds:
            yield f"{where}.at", f"is {event.at:g} s; allowed: before the end of the scenario at {scenario.seconds:g} s"
        for name, share in SHARES.items():
            if getattr(event, name) is not None and getattr(event, share) is not None:
                yield f"{where}.{share}", f"is given together with {name}; allowed: one of them"
        if event.gait is not None and event.gait not in (AUTO, OWN, *LIBRARY):
            yield f"{where}.gait", f"is '{event.gait}'; allowed: {', '.join((AUTO, OWN, *LIBRARY))}"
    if scenario.ground is not None:
        if scenario.terrain is not None:
            yield "terrain", "is given together with ground; allowed: one of them"
        for key, fault in find_faults(scenario.ground, Path()):
            yield f"ground.{key}", fault


def scenario_names() -> list[str]:
    """Names of the built-in scenarios."""
    folder = resources.files("footfall") / "scenarios"
    return sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir() if entry.name.endswith(".yaml"))


def scenario_path(name: str | Path) -> Path:
    """Path of a built-in scenario's file by its name, or of a file by its path.

    Raises:
        FootfallError: it is no name of a scenario, and no path.
    """
    known = scenario_names()
    if isinstance(name, str) and name in known:
        return Path(str(resources.files("footfall") / "scenarios" / f"{name}.yaml"))
    path = Path(name)
    if not path.suffix and not os.path.exists(path):
        known_ones = known_names("scenarios", str(name), known, ", or the path of a file")
        raise FootfallError(f"scenario is '{name}'; {known_ones}")
    return path


def load_scenario(name: str | Path) -> Scenario:
    """Load a built-in scenario by its name, or a scenario file by its path.

    Raises:
        FileError: the file has faults; all of them are told.
        FootfallError: there is no such scenario.
    """
    return load_document(scenario_path(name), Scenario, check_scenario, apart=True)


def steady(seconds: float, name: str = "steady", **asked: object) -> Scenario:
    """A scenario of one command from the start on; ``asked`` are fields of ``Event``."""
    return Scenario(name, seconds, events=(Event(0.0, **asked),))  # type: ignore[arg-type]


def prefer(scenario: Scenario, **asked: object) -> Scenario:
    """The same scenario, with another default for what its events do not name; ``asked`` are fields of ``Event``."""
    asked = {name: value for name, value in asked.items() if value is not None}
    events = scenario.events
    if not asked:
        return scenario
    if events and events[0].at == 0.0:
        own = {name: getattr(events[0], name) for name in Event.__dataclass_fields__}
        named = {name for name, value in own.items() if value is not None}
        for name, share in SHARES.items():
            if named & {name, share}:
                asked.pop(name, None)
                asked.pop(share, None)
        first = replace(events[0], **{name: value for name, value in asked.items() if name not in named})  # type: ignore[arg-type]
        return replace(scenario, events=(first, *events[1:]))
    return replace(scenario, events=(Event(0.0, **asked), *events))  # type: ignore[arg-type]


def scenario_ground(
    scenario: Scenario, leg_length: float, terrain: str | None = None, scale: float = 1.0, seed: int = 0
) -> Terrain:
    """What a scenario is walked on: the terrain asked for, else the ground that it brings along, else flat ground.

    Args:
        scenario: the time line.
        leg_length: the machine's unit of length [m].
        terrain: a name or a path.
        scale: multiplies all features.
        seed: of what is random in it.

    Raises:
        FootfallError: the terrain is unknown, or has faults.
    """
    if terrain is None and scenario.ground is not None:
        return build_from_file(scenario.ground, Path(), scenario.name, leg_length, scale)
    return make_terrain(terrain or scenario.terrain or "flat", leg_length, scale, seed)


def check_commands(machine: Machine, scenario: Scenario) -> None:
    """Refuse a scenario that asks for what the machine cannot do.

    Raises:
        FootfallError: naming the scenario, what is asked, and what is known or whose it is.
    """
    for event in scenario.events:
        try:
            check_event(machine, event)
        except FootfallError as error:
            raise FootfallError(f"scenario {scenario.name} at {event.at:g} s: {error}") from None


def check_event(machine: Machine, event: Event) -> None:
    """Refuse a gait that the machine does not have, a kneel that it cannot, a pose that its trunks do not take.

    Raises:
        FootfallError: naming what is asked, and what is known or whose it is.
    """
    if event.gait is not None:
        machine.gait_index(event.gait)
    if event.kneel and not machine.kneels:
        raise FootfallError(f"{machine.name} cannot kneel: its file has no body.kneel_height")
    for name in ("yaw", "shift") if machine.on_path else ():
        if np.any(np.array(getattr(event, name) or 0.0)):
            raise FootfallError(f"{machine.name} takes no {name}: its trunks follow a path")


def command_at(
    machine: Machine, scenario: Scenario, time: float, agents: int, cruise: float | None = None,
    out: Records | None = None,
) -> Records:  # fmt: skip
    """What the time line asks for at an instant.

    Args:
        machine: whose cruising speed and gaits are meant.
        scenario: the time line; its route is the caller's to steer.
        time: [s]
        agents: they are all asked for the same.
        cruise: speed that a share of 1 stands for [m/s]; the machine's cruising speed by default.
        out: ``COMMAND [agents]`` of an earlier call to write into.

    Returns:
        ``COMMAND [agents]``.
    """
    pace = machine.file.cruise_speed if cruise is None else cruise
    asked = dict.fromkeys(PLAIN, 0.0)
    asked["speed"] = pace
    shift = (0.0, 0.0)
    gait, kneel = 0, False
    values: dict[str, float] = {}
    for event in scenario.events:
        if event.at > time + 1e-9:
            break
        moved = 1.0 if event.over <= 0.0 else min((time - event.at) / event.over, 1.0)
        values.clear()
        for name in PLAIN:
            value = getattr(event, name)
            if value is not None:
                values[name] = value
        if event.speed is not None:
            values["speed"] = event.speed
        if event.speed_share is not None:
            values["speed"] = event.speed_share * pace
        if event.lateral_share is not None:
            values["lateral"] = event.lateral_share * pace
        if event.yaw_share is not None:
            values["yaw_rate"] = event.yaw_share * machine.file.travel.yaw_rate_max
        for name, value in values.items():
            asked[name] = value if moved >= 1.0 else asked[name] + moved * (value - asked[name])
        if event.shift is not None:
            shift = tuple(a + moved * (b - a) for a, b in zip(shift, event.shift, strict=True))  # type: ignore[assignment]
        if event.gait is not None:
            gait = machine.gait_index(event.gait)
        if event.kneel is not None:
            kneel = event.kneel
    command = np.zeros(agents, COMMAND) if out is None else out
    if out is None:
        command["up"] = (0.0, 0.0, 1.0)
        command["root_rotation"] = (1.0, 0.0, 0.0, 0.0)
    for name, value in asked.items():
        command[name] = value
    command["shift"] = shift
    command["gait"] = gait
    command["kneel"] = 1.0 if kneel else 0.0
    return command

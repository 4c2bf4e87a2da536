"""Walks of the centipede and its like, kept as plain arrays, and NumPy's own view of them."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np

from footfall import Machine, State, load_machine, make_terrain, run
from footfall.machine import build_machine
from footfall.scenario import Scenario, steady
from footfall.world.landscape import Terrain

STRIDE, CRUISE, LEGS = 0.6, 0.78, 16
PERIOD = STRIDE / CRUISE  # s
UP = np.array([0.0, 0.0, 1.0])


class Walk(NamedTuple):
    """One agent's walk; arrays lead with [ticks]."""

    machine: Machine
    t: np.ndarray
    trunk: np.ndarray  # [ticks, trunks, 3]
    rotation: np.ndarray  # [ticks, trunks, 4]
    joints: np.ndarray  # [ticks, legs, 4, 3]
    swinging: np.ndarray  # [ticks, legs]
    lift_off: np.ndarray  # [ticks, legs]
    touchdown: np.ndarray  # [ticks, legs]
    anchor: np.ndarray  # [ticks, legs, 3]
    origin: np.ndarray
    target: np.ndarray  # like anchor in the frame of its surface
    steps: np.ndarray
    excess: np.ndarray
    governor: np.ndarray  # [ticks]
    latched: np.ndarray
    cadence: np.ndarray
    rescues: int
    rejected: int
    last: State

    @property
    def sole(self) -> np.ndarray:
        return self.joints[:, :, -1]

    @property
    def leg_trunk(self) -> np.ndarray:
        return self.machine.rig.leg_table["trunk"]

    def in_trunk(self, points: np.ndarray) -> np.ndarray:
        """World points ``[ticks, legs, …, 3]`` in the frame of each leg's trunk."""
        more = (None,) * (points.ndim - 3)
        here = (slice(None), self.leg_trunk, *more)
        return turn_back(self.rotation[here], points - self.trunk[here])

    def lift_offs(self) -> list[tuple[float, int, int]]:
        """Time, leg and row of every lift-off seen, in order."""
        rows, legs = np.nonzero(np.diff(self.steps, axis=0) > 0)
        return sorted(
            (float(self.lift_off[row + 1, leg]), int(leg), int(row + 1)) for row, leg in zip(rows, legs, strict=True)
        )


def turn(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Vectors turned by unit quaternions wxyz, by the matrix written out."""
    w, x, y, z = np.moveaxis(np.asarray(q), -1, 0)
    matrix = np.stack(
        [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], -1),
            np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], -1),
            np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1),
        ],
        -2,
    )
    return np.einsum("...ij,...j->...i", matrix, v)


def turn_back(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    return turn(np.asarray(q) * [1.0, -1.0, -1.0, -1.0], v)


def ground(machine: Machine, name: str) -> Terrain:
    return make_terrain(name, machine.leg_length)


def record(machine: Machine, terrain: Terrain, scenario: Scenario, **how) -> Walk:
    """Walk and keep what the tests look at."""
    keep: dict[str, list] = {}
    counts = {"first_joint": machine.rig.leg_table["first_joint"], "bones": machine.rig.leg_table["bones"]}
    joints = counts["first_joint"][:, None] + np.minimum(np.arange(counts["bones"].max() + 1), counts["bones"][:, None])
    frame = None
    for frame in run(machine, terrain, scenario, **how):
        legs, body = frame.legs[0], frame.body[0]
        row = {
            "t": frame.time,
            "trunk": frame.actual.trunks["position"][0],
            "rotation": frame.actual.trunks["rotation"][0],
            "joints": frame.joints.position[0][joints],
            "swinging": frame.actual.feet["swinging"][0] != 0,
            "excess": frame.actual.feet["excess"][0],
            **{key: legs[key] for key in ("lift_off", "touchdown", "anchor", "origin", "target", "steps")},
            **{key: body[key] for key in ("governor", "latched", "cadence")},
        }
        for key, value in row.items():
            keep.setdefault(key, []).append(np.array(value))
    assert frame is not None
    return Walk(
        machine,
        **{key: np.stack(rows) for key, rows in keep.items()},
        rescues=int(frame.legs["rescues"].sum()),
        rejected=int(frame.legs["rejected"].sum()),
        last=frame.state,
    )


def with_legs(count: int) -> Machine:
    """The centipede with another number of legs: two on each trunk behind the head."""
    file = load_machine("centipede").file
    rows = count // 2
    trunks = (dataclasses.replace(file.trunks[0], count=rows + 1),)
    return build_machine(dataclasses.replace(file, trunks=trunks, legs=(dataclasses.replace(file.legs[0], rows=rows),)))


def cruise(seconds: float, **asked) -> Scenario:
    return steady(seconds, **asked)

"""Feet that touch down and lift off between one frame and the next, exact at any rate that a run may have.

They are read from the state that a frame leads to, not from the frame itself: that may lie between two inner steps, and
show a step that the next inner step takes at another instant, or not at all.

A foot's record tells its last touchdown, its last lift-off and where it stood before that. So a frame in which a foot
lands and lifts again is told whole, as long as no foot lands twice in it: no frame may be longer than the shortest
swing, and ``stream.run`` refuses a lower rate. Where a host makes longer frames, what cannot be told is counted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from footfall.errors import FootfallError
from footfall.machine import Machine, rig_of
from footfall.rig import Rig
from footfall.state import Array, Frame

TOUCHDOWN, LIFT_OFF = "touchdown", "lift_off"


class Contact(NamedTuple):
    """A foot that touches down or lifts off."""

    time: float
    """Instant, finer than ticks and frames [s]."""
    agent: int
    leg: int
    """Index of the leg."""
    kind: str
    """``touchdown`` or ``lift_off``."""
    position: tuple[float, float, float]
    """Sole, world [m]."""


class Seen(NamedTuple):
    """What is kept of the legs at a frame, ``[agents, legs]`` each."""

    swinging: NDArray[np.int64]
    touchdown: Array
    """When the swing ends or ended [s]."""
    touchdowns: NDArray[np.int64]


class Contacts:
    """Turns a stream of frames into contacts."""

    def __init__(self, machine: Machine | Rig, agent: int | None = None) -> None:
        """
        Args:
            machine: whose frames they are.
            agent: the only one to look at; all of them by default.
        """
        rig = rig_of(machine)
        self._soles = rig.leg_table["first_joint"] + rig.leg_table["bones"]
        self._agents = slice(None) if agent is None else slice(agent, agent + 1)
        self._seen: Seen | None = None
        self.missed = 0
        """Contacts so far that came and went within one frame, longer than a swing, and cannot be told."""

    def add(self, frame: Frame) -> list[Contact]:
        """Contacts since the last frame, in order of time; none at the first frame.

        Raises:
            FootfallError: the frame has another number of agents than the last one.
        """
        legs = frame.state.legs[self._agents]
        before, now = self._seen, Seen(*(legs[field].copy() for field in Seen._fields))
        self._seen = now
        if before is None:
            return []
        if now.swinging.shape != before.swinging.shape:
            raise FootfallError(f"a frame has {len(now.swinging)} agents; those before had {len(before.swinging)}")
        landed = np.maximum(now.touchdowns - before.touchdowns, 0)
        lifted = np.maximum(landed + now.swinging - before.swinging, 0)  # on the ground and in the air take turns
        places = np.where(
            (frame.legs["swinging"][self._agents] == 0)[..., None],
            frame.joints.position[self._agents, self._soles],
            legs["stood"],
        )
        found: list[Contact] = []
        for agent, leg in np.argwhere((landed > 0) | (lifted > 0)).tolist():
            told = contacts_of(legs[agent, leg], landed[agent, leg], before.swinging[agent, leg],
                               before.touchdown[agent, leg], places[agent, leg])  # fmt: skip
            self.missed += int(landed[agent, leg] + lifted[agent, leg]) - len(told)
            first = self._agents.start or 0
            found += [Contact(float(time), first + agent, leg, kind, _point(place)) for time, kind, place in told]
        return sorted(found, key=lambda contact: contact.time)


def contacts_of(
    leg: np.void, landed: int, swung: int, due: float, sole: Array
) -> list[tuple[float, str, Array]]:  # fmt: skip
    """Time, kind and place of what can be told of one leg.

    Args:
        leg: its record, ``LEG``.
        landed: touchdowns since the last frame.
        swung: 1 if it was in the air at the last frame.
        due: when it was to touch down then [s].
        sole: where it stands or stood last, world [m].
    """
    if leg["swinging"] == 0:
        return [(leg["touchdown"], TOUCHDOWN, sole)] if landed > 0 else []
    told = []
    if landed == 1 and swung != 0:  # and lifted again: it stood where this swing began
        told.append((min(due, leg["lift_off"]), TOUCHDOWN, leg["stood"]))
    if landed > 0 or swung == 0:
        told.append((leg["lift_off"], LIFT_OFF, leg["stood"]))
    return told


def _point(place: Array) -> tuple[float, float, float]:
    return float(place[0]), float(place[1]), float(place[2])

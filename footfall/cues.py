"""What happens in a run, as a list of cues: footfalls, dust, steam, the hatch and its servos.

A consumer of frames. Effects and sounds hang on it; nothing in the motion depends on it.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from footfall.contacts import TOUCHDOWN, Contact, Contacts
from footfall.machine import Machine, rig_of
from footfall.rig import Rig
from footfall.state import Frame


class CueKind(enum.Enum):
    """What can happen."""

    FOOTFALL = "footfall"
    DUST = "dust"
    STEAM = "steam"
    HATCH_OPEN = "hatch_open"
    HATCH_CLOSE = "hatch_close"
    SERVO_START = "servo_start"
    SERVO_STOP = "servo_stop"


@dataclass(frozen=True)
class Cue:
    """One thing that happened."""

    time: float
    """Instant [s]; a footfall's is its sub-tick touchdown."""
    agent: int
    kind: CueKind
    leg: int | None = None
    """Index of the leg, where it is one's."""
    position: tuple[float, float, float] | None = None
    """Where, world [m]: the sole for a footfall and its dust, the hock, as the frame shows it, for steam."""


class Cues:
    """Turns a stream of frames into cues."""

    def __init__(self, machine: Machine | Rig, generator: np.random.Generator, steam_chance: float = 0.25) -> None:
        """
        Args:
            machine: whose frames they are.
            generator: decides which landings vent steam; the same seed gives the same cues.
            steam_chance: share of the landings that vent steam.
        """
        self._rig = rig_of(machine)
        self._generator = generator
        self._steam_chance = steam_chance
        self._contacts = Contacts(machine)
        self._kneel: NDArray[np.float64] | None = None

    def add(self, frame: Frame) -> list[Cue]:
        """Cues since the last frame, in order of time."""
        kneel = frame.body["kneel"].copy()
        found: list[Cue] = []
        for contact in self._contacts.add(frame):
            if contact.kind == TOUCHDOWN:
                found += self._landing(frame, contact)
        if self._kneel is not None:
            for agent in range(len(kneel)):
                found += self._kneeling(frame.time, agent, float(self._kneel[agent]), float(kneel[agent]))
        self._kneel = kneel
        return sorted(found, key=lambda cue: cue.time)

    def _landing(self, frame: Frame, contact: Contact) -> list[Cue]:
        time, agent, leg, sole = contact.time, contact.agent, contact.leg, contact.position
        cues = [Cue(time, agent, CueKind.FOOTFALL, leg, sole), Cue(time, agent, CueKind.DUST, leg, sole)]
        if self._generator.random() < self._steam_chance:
            row = self._rig.leg_table[leg]
            hock = frame.joints.position[agent, row["first_joint"] + min(2, row["bones"])]
            place = (float(hock[0]), float(hock[1]), float(hock[2]))
            cues.append(Cue(time, agent, CueKind.STEAM, leg, place))
        return cues

    def _kneeling(self, time: float, agent: int, before: float, now: float) -> list[Cue]:
        cues = []
        moving_before, moving_now = 0.0 < before < 1.0, 0.0 < now < 1.0
        if moving_now and not moving_before:
            cues.append(Cue(time, agent, CueKind.SERVO_START))
        if before == 1.0 and now < 1.0:
            cues.append(Cue(time, agent, CueKind.HATCH_CLOSE))
        if moving_before and not moving_now:
            cues.append(Cue(time, agent, CueKind.SERVO_STOP))
        if now == 1.0 and before < 1.0:
            cues.append(Cue(time, agent, CueKind.HATCH_OPEN))
        return cues

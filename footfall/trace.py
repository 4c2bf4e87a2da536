"""The trace: every frame's motion as arrays, so that anybody can measure it again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from footfall.contacts import TOUCHDOWN, Contact, Contacts
from footfall.errors import FootfallError
from footfall.force_record import ForceRecord
from footfall.io.files import replacing
from footfall.machine import Machine, name_of, rig_of
from footfall.metrics.sole_ground import GroundHeight, sole_gaps
from footfall.rig import Rig
from footfall.state import Array, Frame
from footfall.world.surfaces import World

VERSION = 1  #: of the layout
HOLE_DEPTH = 1000.0  #: how far under the sole the ground of a hole is said to be [m]: a trace holds finite numbers


class Trace:
    """Collects frames; one row a frame, its first row is time 0 of a bake.

    Keys of ``arrays``: ``t [ticks]``; ``root_position``, ``root_rotation``, ``body_position``, ``body_rotation``
    ``[ticks, agents, …]`` (the body is the trunk that hips are fixed in; of several trunks, the middle one);
    ``trunk_position``, ``trunk_rotation [ticks, agents, trunks, …]`` and ``leg_trunk [legs]`` where there are several;
    ``hip [agents, legs, 3]`` in its trunk; ``joints [ticks, agents, legs, segments + 1, 3]`` hip to sole, a shorter
    chain repeats its sole; ``sole``, ``planted``, ``ground``, ``ground_known [ticks, agents, legs]``, the terrain's
    height under each sole, along up, and whether there is any: in a hole the height is ``HOLE_DEPTH`` under the sole;
    ``up [ticks, agents, 3]``; ``phase [ticks, agents]``; ``touchdown_time``,
    ``touchdown_agent``, ``touchdown_leg [n]``, ``touchdown_position [n, 3]``; ``contacts_missed``, 0 unless a host made
    frames so long that a foot landed twice in one; ``leg_names``, ``machine``, ``dt`` (the median time between frames
    [s]), ``version``. A force drive adds the columns of ``ForceRecord``.
    """

    def __init__(
        self, machine: Machine | Rig, world: World | None = None, *, ground: GroundHeight | None = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        """A trace without frames.

        Args:
            machine: whose frames they are.
            world: what can be stood on.
            ground: heights of the ground instead of the world's, where up is z.
            name: of the machine, in the trace; its own by default.
        """
        rig = rig_of(machine)
        self.rig, self.world, self.ground, self.name = rig, world, ground, name or name_of(machine)
        table = rig.leg_table
        joints = int(table["bones"].max()) + 1
        # a shorter chain repeats its sole
        self._joints = table["first_joint"][:, None] + np.minimum(np.arange(joints), table["bones"][:, None])
        self._rows: dict[str, list[NDArray[Any]]] = {}
        self._time: list[float] = []
        self._contacts = Contacts(rig)
        self._force = ForceRecord(rig, rig.main_trunk)
        self._touchdowns: list[Contact] = []
        self.last_gaps: Array | None = (
            None  #: ``[agents, legs]`` last frame's soles over the ground, NaN over a hole [m]
        )

    def __len__(self) -> int:
        """Rows so far."""
        return len(self._time)

    def add(self, frame: Frame, extra: Mapping[str, NDArray[Any]] | None = None) -> None:
        """Keep one frame; one at the same time as the last is not kept.

        Args:
            frame: the next instant.
            extra: more arrays to keep of every frame, ``[agents, …]``, by key.

        Raises:
            FootfallError: the frame is before the last one, or has another number of agents.
        """
        if self._time and frame.time <= self._time[-1]:
            if frame.time < self._time[-1]:
                raise FootfallError(f"a frame of {frame.time:g} s comes after one of {self._time[-1]:g} s")
            return
        joints = frame.joints.position[:, self._joints]
        if self._time and joints.shape != self._rows["joints"][0].shape:
            raise FootfallError(f"a frame has {len(joints)} agents; those before had {len(self._rows['joints'][0])}")
        sole = joints[:, :, -1].copy()
        up = frame.motion["up"]
        gaps = sole_gaps(self.world, up, joints[:, :, 0], sole, self.rig.leg_length, self.ground)
        self.last_gaps = gaps
        known = np.isfinite(gaps)
        trunks = frame.actual.trunks
        main = self.rig.main_trunk
        row = {
            "root_position": frame.body["root_position"],
            "root_rotation": frame.body["root_rotation"],
            "body_position": trunks["position"][:, main],
            "body_rotation": trunks["rotation"][:, main],
            "joints": joints,
            "sole": sole,
            "planted": frame.actual.feet["swinging"] == 0,
            "ground": np.einsum("alk,ak->al", sole, up) - np.where(known, gaps, HOLE_DEPTH),
            "ground_known": known,
            "up": up,
            "phase": frame.body["phase"],
        }
        if len(self.rig.trunks) > 1:
            row |= {"trunk_position": trunks["position"], "trunk_rotation": trunks["rotation"]}
        if frame.state.contacts.shape[1] > 0:
            row |= self._force.columns(frame)
        for key, array in {**row, **(extra or {})}.items():
            self._rows.setdefault(key, []).append(np.array(array))
        self._time.append(frame.time)
        self._touchdowns += [contact for contact in self._contacts.add(frame) if contact.kind == TOUCHDOWN]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that is kept, by key.

        Raises:
            FootfallError: there are no frames.
        """
        if not self._time:
            raise FootfallError("a trace without frames holds nothing")
        agents = len(self._rows["joints"][0])
        found: dict[str, NDArray[Any]] = {"t": np.array(self._time)}
        found |= {key: np.stack(rows) for key, rows in self._rows.items()}
        found["hip"] = np.broadcast_to(self.rig.leg_table["hip"], (agents, len(self.rig.legs), 3)).copy()
        if len(self.rig.trunks) > 1:
            found["leg_trunk"] = self.rig.leg_table["trunk"].astype(np.int64)
        found["touchdown_time"] = np.array([contact.time for contact in self._touchdowns], np.float64)
        found["touchdown_agent"] = np.array([contact.agent for contact in self._touchdowns], np.int64)
        found["touchdown_leg"] = np.array([contact.leg for contact in self._touchdowns], np.int64)
        places = [contact.position for contact in self._touchdowns]
        found["touchdown_position"] = np.array(places, np.float64).reshape(-1, 3)
        found["contacts_missed"] = np.array(self._contacts.missed)
        found["leg_names"] = np.array(self.rig.leg_names)
        found["machine"] = np.array(self.name)
        found["dt"] = np.array(np.median(np.diff(self._time)) if len(self._time) > 1 else 0.0)
        found["version"] = np.array(VERSION)
        return found

    def save(self, path: str | Path) -> Path:
        """Write an ``.npz`` file, whole or not at all.

        Raises:
            FootfallError: there are no frames, or the folder cannot be written to.
        """
        found = self.arrays()
        with replacing(path) as file:
            _write(file, found)
        return Path(path)


def _write(file: IO[bytes], found: dict[str, NDArray[Any]]) -> None:
    np.savez(file, **found)  # type: ignore[arg-type]

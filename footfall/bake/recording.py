"""What a bake keeps of every frame of one agent, and the motion that it becomes."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from footfall.contacts import Contact, Contacts
from footfall.errors import FootfallError
from footfall.frames import arrays
from footfall.pose import Parts, PartTable, part_table, pose_parts
from footfall.rig import Rig
from footfall.state import POSE, Array, Frame, Joints


class Motion(NamedTuple):
    """One agent's motion; a frame a row, time 0 at the first one."""

    rig: Rig
    table: PartTable
    times: Array
    """``[frames]`` [s], strictly increasing, as float32 too."""
    root_position: Array
    """``[frames, 3]`` world [m]: the ground point under the body that is driven."""
    root_rotation: Array
    """``[frames, 4]`` q_world_root."""
    parts: Parts
    """Of every part, ``[frames, parts, …]``; trunks are in the root's frame, all else in its parent's."""
    planted: NDArray[np.bool_]
    """``[frames, legs]``."""
    contacts: tuple[Contact, ...]
    """In order of time, which is since the first frame."""

    @property
    def soles(self) -> Array:
        """``[frames, legs, 3]`` world [m]."""
        first = len(self.rig.trunks) + self.rig.bone_count
        return self.parts.position_world[:, first : first + len(self.rig.legs)]


class Recording:
    """Collects one agent's frames."""

    def __init__(self, rig: Rig, agent: int = 0) -> None:
        """Nothing yet; ``agent`` is the one that is kept."""
        self.rig, self.agent = rig, agent
        self._start = 0.0
        self._times: list[float] = []
        self._rows: tuple[list[Array], ...] = ([], [], [], [], [], [])
        self._planted: list[NDArray[np.bool_]] = []
        self._legs = Contacts(rig, agent)
        self._contacts: list[Contact] = []

    def __len__(self) -> int:
        """Frames so far."""
        return len(self._times)

    def add(self, frame: Frame) -> None:
        """Keep one frame; one at the same instant as the last, to the precision of float32, is not kept.

        Raises:
            FootfallError: the frame has no such agent, comes before the last one, or holds what is no number.
        """
        agents = frame.joints.position.shape[0]
        if not 0 <= self.agent < agents:
            raise FootfallError(f"agent {self.agent} is to be baked, and a frame has {agents}; they count from 0")
        if not self._times:
            self._start = frame.time
        time = frame.time - self._start
        if self._times and time < self._times[-1]:
            raise FootfallError(f"a frame of {frame.time:g} s comes after one of {self._times[-1] + self._start:g} s")
        trunks, root = frame.actual.trunks[self.agent], frame.body[self.agent]
        row = (
            root["root_position"], root["root_rotation"], trunks["position"], trunks["rotation"],
            frame.joints.position[self.agent], frame.joints.hinge[self.agent],
        )  # fmt: skip
        if not math.isfinite(time) or not all(np.isfinite(array).all() for array in row):
            raise FootfallError(f"the frame at {frame.time:g} s holds what is no number and cannot be baked")
        for contact in self._legs.add(frame):
            self._contacts.append(contact._replace(time=max(contact.time - self._start, 0.0)))
        if self._times and np.float32(time) <= np.float32(self._times[-1]):
            return
        for kept, array in zip(self._rows, row, strict=True):
            kept.append(np.array(array))
        self._times.append(time)
        self._planted.append(frame.actual.feet["swinging"][self.agent] == 0)

    def motion(self) -> Motion:
        """The motion so far.

        Raises:
            FootfallError: there are no frames.
        """
        if not self._times:
            raise FootfallError("no frames: there is nothing to bake")
        root_p, root_q, trunk_p, trunk_q, joints, hinges = (np.stack(rows) for rows in self._rows)
        trunks = np.zeros(trunk_p.shape[:2], POSE)
        trunks["position"], trunks["rotation"] = trunk_p, trunk_q
        table = part_table(self.rig)
        parts = pose_parts(self.rig, trunks, Joints(joints, hinges), table)
        count, root = len(self.rig.trunks), root_q[:, None]
        parts.position_parent[:, :count] = arrays.unrotate(root, trunk_p - root_p[:, None])
        parts.rotation_parent[:, :count] = arrays.multiply(arrays.conjugate(root), trunk_q)
        return Motion(
            self.rig, table, np.array(self._times), root_p, root_q, parts, np.stack(self._planted),
            tuple(sorted(self._contacts)),
        )  # fmt: skip

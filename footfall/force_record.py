"""What a force drive adds to a record of a run: goals and measurements, contacts and loads, tick by tick."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from footfall.drives.force.memory import memory_of
from footfall.frames import arrays
from footfall.rig import Rig
from footfall.state import Array, Frame


def bone_frames(rig: Rig, frame: Frame) -> Array:
    """Three axes of every bone ``[agents, bones, 3, 3]``, world: along it, across it, and the third."""
    table = rig.leg_table
    starts = np.concatenate([leg["first_joint"] + np.arange(leg["bones"]) for leg in table])
    along = frame.joints.position[:, starts + 1] - frame.joints.position[:, starts]
    along = along / np.maximum(np.linalg.norm(along, axis=-1, keepdims=True), 1e-300)
    across = frame.joints.hinge
    return np.stack([along, across, arrays.cross(along, across)], axis=-2)


def turn_deg(before: Array, after: Array) -> Array:
    """Largest angle ``[agents]`` [deg] that a bone has turned by between two sets of axes (row B105).

    The squared distances of three orthonormal axes sum to 8 sin²(angle / 2).
    """
    sine = np.sqrt(np.clip(np.sum((after - before) ** 2, axis=(-1, -2)) / 8.0, 0.0, 1.0))
    turned: Array = np.degrees(2.0 * np.arcsin(sine)).max(axis=-1)
    return turned


class ForceRecord:
    """Columns of a force drive's frames, one dictionary a frame; all lead with ``[agents]``.

    ``sole_goal``, ``sole_measured [legs, 3]``, ``body_goal``, ``body_measured [3]`` [m]; ``contact``, ``stable
    [legs]``; ``anchor [legs, 3]`` where a planted foot is held [m]; ``load [legs]`` of the ground on the foot [N];
    ``slip [legs]`` along the ground [m/s]; ``reaction [legs, 3]`` share of the body's support [N];
    ``residual_wrench [6]`` [N, N·m]; ``supports`` that carried the body; ``first_substep [legs]`` of contact in the
    tick, -1 none; ``joint_step_deg`` largest turn of a bone since the last frame; ``waiting`` 1 while a foot waits for
    the ground.
    """

    def __init__(self, rig: Rig, main_trunk: int) -> None:
        """Columns of a rig's frames; ``main_trunk`` is the body's."""
        self.rig, self.main = rig, main_trunk
        self._before: Array | None = None

    def columns(self, frame: Frame) -> dict[str, NDArray[Any]]:
        """The columns of one frame."""
        contacts = frame.state.contacts
        memory = memory_of(frame.state.drive, contacts.shape[1])
        axes = bone_frames(self.rig, frame)
        before, self._before = (axes if self._before is None else self._before), axes
        return {
            "sole_goal": frame.plan.feet["sole"],
            "sole_measured": frame.actual.feet["sole"],
            "body_goal": frame.plan.trunks["position"][:, self.main],
            "body_measured": frame.actual.trunks["position"][:, self.main],
            "contact": contacts["met"] != 0,
            "stable": contacts["stable"] != 0,
            "anchor": frame.legs["anchor"],
            "load": contacts["load"],
            "slip": contacts["slip"],
            "reaction": memory["feet"]["reaction"],
            "residual_wrench": memory["body"]["residual"],
            "supports": memory["body"]["supports"],
            "first_substep": memory["feet"]["first_substep"],
            "joint_step_deg": turn_deg(before, axes),
            "waiting": frame.body["waiting"],
        }

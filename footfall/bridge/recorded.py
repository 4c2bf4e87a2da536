"""What the bridge reads of a motion: where the body and the feet are, at even times."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from footfall.errors import FootfallError
from footfall.machine import Machine
from footfall.state import Array, Frame


class Recorded(NamedTuple):
    """One agent's motion, a sample a row."""

    time: Array
    """``[samples]`` from 0 on, evenly spaced [s]."""
    body: Array
    """``[samples, 3]`` origin of the first trunk, world [m]."""
    feet: Array
    """``[samples, legs, 3]`` soles, world [m]."""
    phase: Array
    """``[samples]`` of the gait [cycles], running on past whole cycles."""

    @property
    def interval(self) -> float:
        """Time between two samples [s]."""
        return float(self.time[1] - self.time[0])

    def table(self) -> Array:
        """``[samples, 3 + 3 legs]`` body, then feet in the order of the machine's legs [m]."""
        return np.concatenate([self.body, self.feet.reshape(len(self.time), -1)], axis=1)


def record(frames: Iterable[Frame], machine: Machine, rate: float, agent: int = 0) -> Recorded:
    """Read a run.

    Args:
        frames: of a run, in order.
        machine: whose run it is.
        rate: samples a second [Hz]; what lies between two frames is on the line between them.
        agent: which of the frames' agents.

    Returns:
        Samples from the first frame on, and before the last one.

    Raises:
        FootfallError: there are fewer than two samples.
    """
    soles = machine.rig.leg_table["first_joint"] + machine.rig.leg_table["bones"]
    rows = [
        (
            frame.time,
            frame.actual.trunks["position"][agent, 0].copy(),
            frame.joints.position[agent, soles].copy(),
            float(frame.body["phase"][agent]),
        )
        for frame in frames
    ]
    span = rows[-1][0] - rows[0][0] if rows else 0.0
    count = math.ceil(span * rate - 1e-6)
    if count < 2:
        raise FootfallError(f"a run of {span:g} s has no two samples at {rate:g} Hz")
    times, body, feet, phase = (np.array(column) for column in zip(*rows, strict=True))
    time = np.arange(count) / rate
    return Recorded(
        time, sampled(time, times - times[0], body), sampled(time, times - times[0], feet),
        sampled(time, times - times[0], np.unwrap(phase, period=1.0)),
    )  # fmt: skip


def sampled(time: Array, times: NDArray[np.float64], values: Array) -> Array:
    """``values [rows, …]`` of ``times [rows]`` at other times ``[samples, …]``, on straight lines between rows."""
    row = np.clip(np.searchsorted(times, time, side="right") - 1, 0, len(times) - 2)
    share = (time - times[row]) / (times[row + 1] - times[row])
    share = share.reshape(-1, *[1] * (values.ndim - 1))
    return np.asarray(values[row] + share * (values[row + 1] - values[row]))

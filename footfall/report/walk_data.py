"""What the page's plots show, computed from a trace's arrays for one agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from footfall.frames import arrays
from footfall.metrics.support import hull_margin

Array = NDArray[np.float64]

#: Okabe and Ito (2008): told apart with any kind of colour vision.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8C6BB1", "#A6761D")


def leg_colours(sides: Array) -> list[str]:
    """A colour for each leg; of many legs one for each side: ``sides [legs]`` are positive to the left."""
    if len(sides) <= len(PALETTE):
        return list(PALETTE[: len(sides)])
    return [PALETTE[0] if side > 0.0 else PALETTE[1] if side < 0.0 else PALETTE[2] for side in sides]


def spans(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """``[start, end)`` of every run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(np.int8), [0]])))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


class WalkData:
    """One agent of a trace."""

    def __init__(self, trace: Mapping[str, NDArray[Any]], agent: int) -> None:
        """Take one agent out of ``Trace.arrays``, or of a file that it wrote."""
        self.t: Array = np.asarray(trace["t"], np.float64)
        self.names = [str(name) for name in trace["leg_names"]]
        self.sole: Array = trace["sole"][:, agent]
        self.planted = trace["planted"][:, agent].astype(bool)
        self.joints: Array = trace["joints"][:, agent]
        self.ground: Array = np.where(trace["ground_known"][:, agent], trace["ground"][:, agent], np.nan)
        self.body: Array = trace["body_position"][:, agent]
        self.rotation: Array = trace["body_rotation"][:, agent]
        self.up: Array = trace["up"][:, agent]
        self.level = arrays.upright(self.up)  # q_world_level: horizontal axes x and y, z along up
        self.seen_from = self.level[:1]  # of the first instant: what is seen from above is seen along it
        self.trunks: Array = trace["trunk_rotation"][:, agent] if "trunk_rotation" in trace else self.rotation[:, None]
        sides: Array = trace["hip"][agent, :, 1]
        self.colours = leg_colours(sides)
        named = [name.replace("_", " ") for name in self.names]
        if len(named) > len(PALETTE):
            named = ["left legs" if side > 0.0 else "right legs" if side < 0.0 else "middle legs" for side in sides]
        self.key = list(dict(zip(named, self.colours, strict=True)).items())

    def heights(self) -> Array:
        """Soles over the ground ``[ticks, legs]`` [m]; not a number over a hole."""
        return np.asarray(np.einsum("tlk,tk->tl", self.sole, self.up) - self.ground)

    def slip(self) -> Array:
        """Drift of the soles since their stances began ``[ticks, legs]`` [mm]; not a number in swing."""
        out = np.full(self.planted.shape, np.nan)
        for leg in range(self.planted.shape[1]):
            for start, end in spans(self.planted[:, leg]):
                out[start:end, leg] = np.linalg.norm(self.sole[start:end, leg] - self.sole[start, leg], axis=-1) * 1e3
        return out

    def body_height(self) -> Array:
        """Body over the mean height of the ground under all soles ``[ticks]`` [m]."""
        known = np.isfinite(self.ground).any(axis=1)
        mean = np.full(len(self.t), np.nan)
        mean[known] = np.nanmean(self.ground[known], axis=1)
        return np.asarray((self.body * self.up).sum(axis=1) - mean)

    def angles(self) -> tuple[Array, Array, Array]:
        """Roll, right side down, pitch, nose down, and unwrapped yaw, to the left, of the body [deg]."""
        turned = arrays.multiply(arrays.conjugate(self.level), self.rotation)
        ahead = arrays.rotate(turned, np.broadcast_to((1.0, 0.0, 0.0), self.body.shape))
        left = arrays.rotate(turned, np.broadcast_to((0.0, 1.0, 0.0), self.body.shape))
        yaw = np.unwrap(np.arctan2(ahead[:, 1], ahead[:, 0]))
        pitch = -np.arcsin(np.clip(ahead[:, 2], -1.0, 1.0))
        roll = np.arcsin(np.clip(left[:, 2], -1.0, 1.0))
        return np.degrees(roll), np.degrees(pitch), np.degrees(yaw)

    def turns(self) -> tuple[Array, Array]:
        """Largest change of a bone's direction, and rotation of a trunk, since the frame before ``[ticks]`` [deg]."""
        bone = np.diff(self.joints, axis=-2)
        across = np.linalg.norm(np.cross(bone[:-1], bone[1:]), axis=-1)
        turn = np.degrees(np.arctan2(across, (bone[:-1] * bone[1:]).sum(axis=-1))).max(axis=(1, 2))
        body = np.degrees(arrays.angle_between(self.trunks[:-1], self.trunks[1:])).max(axis=1)
        return np.concatenate([[0.0], turn]), np.concatenate([[0.0], body])

    def speed(self) -> Array:
        """Of the body along its heading ``[ticks]`` [m/s]."""
        if len(self.t) < 2:
            return np.zeros(len(self.t))
        velocity = arrays.unrotate(self.level, np.gradient(self.body, self.t, axis=0))
        yaw = np.radians(self.angles()[2])
        return np.asarray(velocity[:, 0] * np.cos(yaw) + velocity[:, 1] * np.sin(yaw))

    def support_margin(self) -> Array:
        """Distance of the body's ground point inside the hull of the planted soles ``[ticks]`` [m]."""
        legs = len(self.names)
        out, room = np.full(len(self.t), np.nan), np.zeros(2 * legs + 2, np.int64)
        x, y = np.zeros(legs), np.zeros(legs)
        for tick in range(len(self.t)):
            on = arrays.unrotate(self.level[tick], self.sole[tick, self.planted[tick]] - self.body[tick])
            if len(on):
                x[: len(on)], y[: len(on)] = on[:, 0], on[:, 1]
                out[tick] = hull_margin(x, y, len(on), room)
        return out

    def from_above(self, points: Array) -> Array:
        """World points ``[..., 3]`` as they are seen from above, x and y; z is the height."""
        return arrays.unrotate(self.seen_from, points.reshape(-1, 3)).reshape(points.shape)

    def footholds(self, leg: int) -> Array:
        """Where the leg's stances began ``[n, 3]``, world [m]."""
        return np.array([self.sole[start, leg] for start, _ in spans(self.planted[:, leg])]).reshape(-1, 3)

    def support_polygon(self, tick: int) -> Array:
        """Corners of the hull of the planted soles ``[n, 2]``, in order, as they are seen from above."""
        points = self.from_above(self.sole[tick, self.planted[tick]])[:, :2]
        if len(points) < 3:
            return points
        order = np.lexsort((points[:, 1], points[:, 0]))
        halves: list[Array] = []
        for sequence in (order, order[::-1]):
            chain: list[Array] = []
            for index in sequence:
                p = points[index]
                while len(chain) > 1 and _turn(chain[-2], chain[-1], p) <= 0.0:
                    chain.pop()
                chain.append(p)
            halves += chain[:-1]
        return np.array(halves)


def _turn(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

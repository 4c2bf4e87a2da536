"""A consumer of frames that measures them."""

from __future__ import annotations

import math
from collections import deque
from typing import Any, NamedTuple

import numpy as np

from footfall.errors import FootfallError
from footfall.frames import arrays
from footfall.machine import Machine, rig_of
from footfall.metrics.measure import measure_frame
from footfall.metrics.sole_ground import GroundHeight, sole_gaps
from footfall.metrics.tally import CountOf, PeakOf, SpreadOf, Tally, histogram, make_tally, percentile
from footfall.records import Records
from footfall.rig import Rig
from footfall.state import Array, Frame, State
from footfall.world.surfaces import World

TICKS_KEPT = 100_000  # costs of ticks of which the median is taken


class Peak(NamedTuple):
    """Where a number was largest."""

    value: float
    """In the number's own unit."""
    time: float
    """[s]"""
    agent: int
    leg: str
    """Name of the leg, empty where it is not a leg's."""


def on_surfaces(world: World | None, legs: Records, soles: Array) -> Array:
    """Soles in the frames of the surfaces that they stand on; on what does not move, in the world's."""
    if world is None or not world.moving[0]:
        return soles
    surface = legs["surface"]
    record = world.surfaces[np.maximum(surface, 0)]
    local = arrays.unrotate(record["rotation"], soles - record["position"])
    return np.ascontiguousarray(np.where(((surface >= 0) & (record["placed"] != 0))[..., None], local, soles))


class Metrics:
    """Measures frames one by one; knows frames, rig and ground, and nothing of how frames are made.

    What it keeps does not grow with the length of a run. Frames may be views that the next step writes over.
    """

    def __init__(
        self, machine: Machine | Rig, world: World | None = None, *, ground: GroundHeight | None = None,
        speed_commanded: float | None = None, since: State | None = None,
    ) -> None:  # fmt: skip
        """Measure from the next frame on.

        Args:
            machine: whose frames they are.
            world: what can be stood on.
            ground: heights of the ground instead of the world's, where up is z.
            speed_commanded: speed asked for [m/s], where ``add`` is not told of commands.
            since: steps are counted from this state on; a state of a fresh machine where none is given.
        """
        rig = rig_of(machine)
        self.rig, self.world, self.ground = rig, world, ground
        self.main = rig.main_trunk
        self.soles = rig.leg_table["first_joint"] + rig.leg_table["bones"]
        self.hips = np.array(rig.leg_table["first_joint"])
        self.speed_commanded = speed_commanded
        self.tally: Tally | None = None
        self.frames = 0
        self._unbroken = 0  # frames since the last break
        names = ("steps", "rescues", "rejected")
        self._since = {name: 0 if since is None else int(since.legs[name].sum()) for name in names}
        self._counts = dict(self._since)
        self._first_time = self._time = math.nan
        self._moving_time = 0.0
        self._asked = 0.0
        self._asked_now: float | None = None
        self._tick_times: deque[float] = deque(maxlen=TICKS_KEPT)
        legs = len(rig.legs)
        self._room = (np.zeros(legs), np.zeros(legs), np.zeros(2 * legs + 2, np.int64))

    def add(self, frame: Frame, command: Records | None = None, gaps: Array | None = None) -> None:
        """Measure one frame.

        Args:
            frame: the next instant of the run.
            command: ``COMMAND [agents]`` that led to it.
            gaps: ``[agents, legs]`` soles over the ground, where that is known already [m]; NaN over a hole.

        Raises:
            FootfallError: the number of agents has changed.
        """
        agents = len(frame.body)
        if self.tally is None:
            self.tally = make_tally(agents, len(self.rig.legs), self.rig.bone_count, len(self.rig.trunks))
            self._first_time = frame.time
        elif len(self.tally.agents) != agents:
            raise FootfallError(f"a frame has {agents} agents; those before had {len(self.tally.agents)}")
        dt = frame.time - self._time if self._unbroken else 0.0
        joints = frame.joints.position
        soles = np.ascontiguousarray(joints[:, self.soles])
        if gaps is None:
            up, hips = frame.motion["up"], joints[:, self.hips]
            gaps = sole_gaps(self.world, up, hips, soles, self.rig.leg_length, self.ground)
        measure_frame(
            self.rig.leg_table, self.rig.segment_table, self.main, self.rig.leg_length, frame.body, frame.legs,
            frame.motion, frame.plan.feet, frame.actual.trunks, frame.actual.feet, joints, frame.joints.hinge,
            on_surfaces(self.world, frame.legs, soles), gaps, self.tally, frame.time, dt, self._unbroken, *self._room,
        )  # fmt: skip
        self._moving_time += max(dt, 0.0)
        asked = None if command is None else float(command["speed"].mean())
        if asked is not None:
            self._asked += asked * max(dt, 0.0)
            self._asked_now = asked
        for name in self._counts:
            self._counts[name] = int(frame.legs[name].sum())
        self._time = frame.time
        self.frames += 1
        self._unbroken += 1

    def add_tick_time(self, seconds: float) -> None:
        """Note what one tick of the whole batch cost [s]."""
        self._tick_times.append(seconds)

    def break_off(self) -> None:
        """The next frame does not follow on the last one (a cut, a teleport): no difference is taken between them."""
        self._unbroken = 0
        if self.tally is not None:
            self._end_stances()
            self.tally.legs["bent"] = 0

    def _end_stances(self) -> None:
        assert self.tally is not None
        self.tally.spreads[SpreadOf.slip] += self._running_stances()
        self.tally.legs["standing"] = 0

    def _running_stances(self) -> Any:
        """Histogram of the stances that are not over yet."""
        assert self.tally is not None
        return histogram(np.sqrt(self.tally.legs["drift"][self.tally.legs["standing"] != 0]))

    def _percentile(self, which: SpreadOf, largest: str) -> float:
        """The 95th percentile of a spread, in leg lengths; no more than its largest value."""
        if self.tally is None:
            return 0.0
        return min(percentile(self.tally.spreads[which], 0.95) / self.rig.leg_length, self._value(largest))

    def _peak(self, which: PeakOf) -> float:
        """The largest value, or 0 where there was none above."""
        return 0.0 if self.tally is None else max(0.0, float(self.tally.peaks["value"][which]))

    def _scales(self) -> dict[str, tuple[PeakOf, bool, float]]:
        """Peaks by the result's key: which, whether it is kept as a square, and the factor to the key's unit."""
        size = self.rig.leg_length
        return {
            "slip_max_mm": (PeakOf.slip, True, 1e3),
            "penetration_max_mm": (PeakOf.penetration, False, 1e3),
            "hover_max_mm": (PeakOf.hover, False, 1e3),
            "reach_excess_max_mm": (PeakOf.reach, False, 1e3),
            "e_ik_max_mm": (PeakOf.ik, True, 1e3),
            "e_track_max_mm": (PeakOf.track, True, 1e3),
            "airborne_max": (PeakOf.airborne, False, 1.0),
            "knee_step_max_deg": (PeakOf.knee_step, False, math.degrees(1.0)),
            "knee_rate_max_deg_s": (PeakOf.knee_rate, False, math.degrees(1.0)),
            "lift_max_legs": (PeakOf.lift, False, 1.0 / size),
            "sole_speed_max_legs": (PeakOf.sole_speed, True, 1.0 / size),
            "sole_acceleration_max_legs": (PeakOf.sole_acceleration, True, 1.0 / size),
            "body_acceleration_max_legs": (PeakOf.body_acceleration, True, 1.0 / size),
            "body_jerk_max_legs": (PeakOf.body_jerk, True, 1.0 / size),
            "body_spin_max_deg_s2": (PeakOf.body_spin, True, math.degrees(1.0)),
        }

    def _value(self, key: str) -> float:
        if key == "joint_step_max_deg":  # kept as sin²(angle / 2)
            return math.degrees(2.0 * math.asin(math.sqrt(min(self._peak(PeakOf.bone_turn), 1.0))))
        which, squared, factor = self._scales()[key]
        value = self._peak(which)
        return (math.sqrt(value) if squared else value) * factor

    def result(self) -> dict[str, float | int | None]:
        """All numbers so far, by the keys that ``footfall walk --json`` has.

        Lengths in leg lengths end in ``_legs`` (accelerations: per s²). A support margin that never was, a
        share of no speed, and costs of ticks that nobody told, are None.
        """
        tally = self.tally
        counts = np.zeros(len(CountOf), np.int64) if tally is None else tally.counts
        legs = int(counts[CountOf.legs])
        measured = legs - int(counts[CountOf.not_finite])
        squares = 0.0 if tally is None else float(tally.agents["track"].sum())
        slips = np.zeros(1, np.int64) if tally is None else tally.spreads[SpreadOf.slip] + self._running_stances()
        found: dict[str, float | int | None] = {key: self._value(key) for key in self._scales()}
        found["airborne_max"] = int(self._peak(PeakOf.airborne))
        margin = -math.inf if tally is None else float(tally.peaks["value"][PeakOf.overhang])
        way = 0.0 if tally is None else float(tally.agents["way"].mean())
        moved = self._moving_time > 0.0
        asked = self.speed_commanded
        if self._asked_now is not None:
            asked = self._asked / self._moving_time if moved else self._asked_now
        speed = way / self._moving_time if moved else 0.0
        steps, rescues = (self._counts[name] - self._since[name] for name in ("steps", "rescues"))
        ticks = np.array(self._tick_times) * 1e6
        found |= {
            "slip_p95_mm": min(percentile(slips, 0.95) * 1e3, self._value("slip_max_mm")),
            "reach_excess_count": int(counts[CountOf.reach]),
            "e_track_rms_mm": math.sqrt(squares / measured) * 1e3 if measured > 0 else 0.0,
            "joint_step_max_deg": self._value("joint_step_max_deg"),
            "pole_flips": int(counts[CountOf.flips]),
            "limit_hits": int(counts[CountOf.limits]),
            "support_margin_min_m": -margin if math.isfinite(margin) else None,
            "speed_mean": speed,
            "speed_commanded": asked,
            "speed_share": speed / asked if asked else None,
            "steps": steps,
            "rescue_steps": rescues,
            "rescue_share": rescues / max(steps, 1),
            "rejected_footholds": self._counts["rejected"] - self._since["rejected"],
            "tick_us_median": float(np.median(ticks)) if len(ticks) else None,
            "tick_us_p95": float(np.percentile(ticks, 95)) if len(ticks) else None,
            "planted_share": int(counts[CountOf.planted]) / measured if measured > 0 else 0.0,
            "swing_low_share": int(counts[CountOf.swing_low]) / max(int(counts[CountOf.swing_over_ground]), 1),
            "sole_acceleration_p95_legs": self._percentile(SpreadOf.sole_acceleration, "sole_acceleration_max_legs"),
            "body_acceleration_p95_legs": self._percentile(SpreadOf.body_acceleration, "body_acceleration_max_legs"),
            "latched_ticks": int(counts[CountOf.latched]),
            "unsupported_ticks": int(counts[CountOf.unsupported]),
            "no_ground_count": int(counts[CountOf.no_ground]),
            "not_finite": int(counts[CountOf.not_finite]),
            "frames": self.frames,
            "agents": 0 if tally is None else len(tally.agents),
            "seconds": self._time - self._first_time if self.frames else 0.0,
        }
        return found

    def peaks(self) -> dict[str, Peak]:
        """Where and when each largest value was, by the result's key; only for those that are above 0."""
        found = {}
        keys = {**{key: which for key, (which, _, _) in self._scales().items()}, "joint_step_max_deg": PeakOf.bone_turn}
        for key, which in keys.items():
            if self.tally is not None and self._peak(which) > 0.0:
                found[key] = self._named(which, self._value(key))
        if self.tally is not None and math.isfinite(self.tally.peaks["value"][PeakOf.overhang]):
            margin = -float(self.tally.peaks["value"][PeakOf.overhang])
            found["support_margin_min_m"] = self._named(PeakOf.overhang, margin)
        return found

    def _named(self, which: PeakOf, value: float) -> Peak:
        assert self.tally is not None
        row = self.tally.peaks[which]
        leg = int(row["leg"])
        return Peak(value, float(row["time"]), int(row["agent"]), self.rig.leg_names[leg] if leg >= 0 else "")

"""Routes: way-points, a spline or one point to go to, become a commanded speed and rate of turn.

Pure pursuit, Coulter (1992), section 3: the machine drives on the arc through a goal that lies one look-ahead further
along the course, of curvature ``κ = 2 y / L²`` with the goal ``y`` to the left at distance ``L``. It slows by its own
deceleration into the end, ``v = √(2 a s)``, and turns in place first where the goal is behind it.

All lengths of a route are on the ground plane of the frame that it starts in: x ahead and y left of where the machine
stood at time 0, in metres or in leg lengths.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
from annotated_types import Ge, Gt, Le, MaxLen, MinLen
from numpy.typing import NDArray

from footfall.machine import Machine
from footfall.records import Records
from footfall.state import Array

TURN_BEGIN = math.radians(75.0)  # a goal further round than this is turned to in place
TURN_END = math.radians(15.0)  # until it is this near to straight ahead
CAUTION = 0.8  # share of the machine's own deceleration that a stop is planned with
SAMPLES_PER_LOOK_AHEAD = 16

#: How far along its course an agent is; ``[agents]``, kept by the caller.
PROGRESS = np.dtype(
    [
        ("way", np.float64),  #: way along the course [m]; on a closed one it goes on over the laps
        ("turning", np.int64),  #: 1 while it turns in place to a goal behind it
        ("arrived", np.int64),  #: 1 once it is at the end, and for good
    ],
    align=True,
)


class Unit(enum.IntEnum):
    """What the lengths of a route are measured in."""

    metre = 0
    leg_length = 1


@dataclass(frozen=True)
class Route:
    """Where to go, as data."""

    points: Annotated[tuple[tuple[float, float], ...], MinLen(1), MaxLen(10_000)]
    """Way-points, forward and left of where the machine stands at the start; an open route begins there itself."""
    unit: Unit = Unit.leg_length
    """Of the points."""
    closed: bool = False
    """The last point leads to the first again."""
    smooth: bool = True
    """A centripetal Catmull-Rom spline through the points; else straight from one to the next."""
    laps: Annotated[int, Ge(1), Le(10_000)] = 1
    """How often a closed route is gone round."""
    look_ahead: Annotated[float, Gt(0), Le(20)] = 1.5
    """How far ahead along the course it aims [leg lengths]."""
    arrive_within: Annotated[float, Gt(0), Le(5)] = 0.1
    """Distance to the end at which it has arrived [leg lengths]."""


class Course(NamedTuple):
    """A route laid out in metres for one machine."""

    points: Array
    """``[samples, 2]`` forward and left, evenly spaced [m]; the first one again at the end where it is closed."""
    spacing: float
    """Way between neighbouring samples [m]."""
    lap: float
    """Way from the first to the last sample [m]."""
    closed: bool
    length: float
    """Way from the start to the end, over all laps [m]."""
    look_ahead: float
    """[m]"""
    arrive_within: float
    """[m]"""


class Steering(NamedTuple):
    """What a route asks of each agent."""

    speed: Array
    """``[agents]`` forward speed [m/s]."""
    yaw_rate: Array
    """``[agents]`` rate of turn to the left [rad/s]."""
    progress: Records
    """``PROGRESS [agents]`` to hand in next time."""


def start_progress(agents: int) -> Records:
    """``PROGRESS [agents]`` of agents at the start of their course."""
    return np.zeros(agents, PROGRESS)


def catmull_rom(points: Array, closed: bool, samples: int = 32) -> Array:
    """Points on a centripetal Catmull-Rom spline, ``[n, 2]``; Barry and Goldman (1988), Yuksel et al. (2011).

    Args:
        points: ``[knots, 2]`` that it runs through; neighbours differ.
        closed: the last knot leads to the first again.
        samples: points for each stretch between two knots.
    """
    count = len(points)
    if closed:
        padded = np.concatenate([points[-1:], points, points[:2]])
        stretches = count
    else:
        padded = np.concatenate([2.0 * points[:1] - points[1:2], points, 2.0 * points[-1:] - points[-2:-1]])
        stretches = count - 1
    share = np.arange(samples) / samples
    parts = []
    for first in range(stretches):
        p = padded[first : first + 4]
        knots = np.concatenate([[0.0], np.cumsum(np.sqrt(np.linalg.norm(np.diff(p, axis=0), axis=-1)))])
        t = (knots[1] + share * (knots[2] - knots[1]))[:, None]

        def between(a: Array, b: Array, start: float, end: float, t: Array = t) -> Array:
            return ((end - t) * a + (t - start) * b) / (end - start)

        a1 = between(p[0], p[1], knots[0], knots[1])
        a2 = between(p[1], p[2], knots[1], knots[2])
        a3 = between(p[2], p[3], knots[2], knots[3])
        b1 = between(a1, a2, knots[0], knots[2])
        b2 = between(a2, a3, knots[1], knots[3])
        parts.append(between(b1, b2, knots[1], knots[2]))
    return np.concatenate([*parts, points[:1] if closed else points[-1:]])


def lay_course(route: Route, machine: Machine) -> Course:
    """A route in metres, evenly sampled. Way-points at one spot count once; a route that goes nowhere ends at once."""
    scale = machine.leg_length if route.unit == Unit.leg_length else 1.0
    knots = np.asarray(route.points, dtype=np.float64) * scale
    if not route.closed:
        knots = np.concatenate([[[0.0, 0.0]], knots])
    apart = np.linalg.norm(np.diff(knots, axis=0), axis=-1) > 1e-9 * scale
    knots = knots[np.concatenate([[True], apart])]
    closed = route.closed and len(knots) > 2
    if closed and np.linalg.norm(knots[-1] - knots[0]) < 1e-9 * scale:
        knots = knots[:-1]
    if route.smooth and len(knots) > 2:
        line = catmull_rom(knots, closed)
    else:
        line = np.concatenate([knots, knots[:1]]) if closed else knots
    look_ahead = route.look_ahead * machine.leg_length
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=-1))])
    lap = float(way[-1])
    count = max(math.ceil(lap / look_ahead * SAMPLES_PER_LOOK_AHEAD), 1) + 1
    even = np.linspace(0.0, lap, count)
    points = np.stack([np.interp(even, way, line[:, 0]), np.interp(even, way, line[:, 1])], axis=-1)
    return Course(
        points, lap / (count - 1), lap, closed, lap * (route.laps if closed else 1), look_ahead,
        route.arrive_within * machine.leg_length,
    )  # fmt: skip


def point_at(course: Course, way: Array) -> Array:
    """Points of a course ``[..., 2]`` at ways along it ``[...]`` [m]; beyond its ends, the ends."""
    along = np.mod(way, course.lap) if course.closed and course.lap > 0.0 else np.clip(way, 0.0, course.lap)
    at = along / course.spacing if course.spacing > 0.0 else np.zeros_like(along)
    index = np.clip(at.astype(np.int64), 0, len(course.points) - 2)
    share = (at - index)[..., None]
    return np.asarray(course.points[index] * (1.0 - share) + course.points[index + 1] * share)


def nearest_way(course: Course, positions: Array, way: Array) -> Array:
    """Way of the nearest point of a course, not behind where each agent was and at most two look-aheads on [m].

    Looking only ahead of the last way keeps an agent on its strand where a course crosses itself.
    """
    steps = np.arange(2 * SAMPLES_PER_LOOK_AHEAD + 1) * (course.look_ahead / SAMPLES_PER_LOOK_AHEAD)
    ways = np.minimum(way[:, None] + steps, course.length)
    starts, ends = point_at(course, ways[:, :-1]), point_at(course, ways[:, 1:])
    line = ends - starts
    square = np.maximum((line * line).sum(axis=-1), 1e-300)
    share = np.clip(((positions[:, None] - starts) * line).sum(axis=-1) / square, 0.0, 1.0)
    off = np.linalg.norm(starts + share[..., None] * line - positions[:, None], axis=-1)
    best = off.argmin(axis=-1)
    rows = np.arange(len(way))
    low, high = ways[rows, best], ways[rows, best + 1]
    return np.asarray(low + share[rows, best] * (high - low))


def follow(
    course: Course, machine: Machine, positions: Array, headings: Array, speed: float, progress: Records
) -> Steering:
    """Steer agents along a course.

    Args:
        course: in the frame that each agent started in.
        machine: its deceleration and rates of turn bound what is asked.
        positions: ``[agents, 2]`` roots in that frame [m].
        headings: ``[agents]`` in that frame [rad].
        speed: to go at where nothing slows it [m/s].
        progress: ``PROGRESS [agents]`` of the last time; it is not changed.
    """
    way = nearest_way(course, positions, progress["way"])
    along = course.length - way
    goal = point_at(course, np.minimum(way + course.look_ahead, course.length))
    if course.closed:  # the end of the last lap is the start of none
        goal = np.where((along <= 0.0)[:, None], course.points[-1], goal)
    straight = np.linalg.norm(course.points[-1] - positions, axis=-1)
    remaining = np.where(along > course.look_ahead, along, np.maximum(along, np.minimum(straight, course.look_ahead)))
    steering = pursue(goal, remaining, course, machine, positions, headings, speed, progress)
    steering.progress["way"] = way
    return steering


def go_to(
    targets: Array, machine: Machine, positions: Array, headings: Array, speed: float, progress: Records,
    look_ahead: float = 1.5, arrive_within: float = 0.1,
) -> Steering:  # fmt: skip
    """Steer agents straight to a point each.

    Args:
        targets: ``[agents, 2]`` or ``[2]``, in the frame of the positions [m].
        machine: see ``follow``, as for the other arguments.
        positions: ``[agents, 2]`` [m].
        headings: ``[agents]`` [rad].
        speed: [m/s]
        progress: ``PROGRESS [agents]``; start anew with another target.
        look_ahead: [leg lengths]
        arrive_within: distance at which it has arrived [leg lengths].
    """
    goals = np.broadcast_to(np.asarray(targets, dtype=np.float64), positions.shape)
    size = machine.leg_length
    course = Course(goals, 0.0, 0.0, False, 0.0, look_ahead * size, arrive_within * size)
    remaining = np.linalg.norm(goals - positions, axis=-1)
    return pursue(goals, remaining, course, machine, positions, headings, speed, progress)


def greatest_yaw_rate(machine: Machine) -> float:
    """Rate of turn in place that the machine's outermost feet allow [rad/s]."""
    travel = machine.file.travel
    radius = float(machine.constants.machine[0]["rest_radius"])
    return min(travel.yaw_rate_max, travel.foot_speed_max / max(radius, 1e-9))


def pursue(
    goals: Array, remaining: Array, course: Course, machine: Machine, positions: Array, headings: Array, speed: float,
    progress: Records,
) -> Steering:  # fmt: skip
    """Pure pursuit of one goal an agent, with ``remaining [agents]`` metres to the end of its course."""
    travel = machine.file.travel
    following = progress.copy()
    apart = goals - positions
    span = np.linalg.norm(apart, axis=-1)
    bearing = np.arctan2(apart[:, 1], apart[:, 0]) - headings
    bearing = np.arctan2(np.sin(bearing), np.cos(bearing))
    off = np.abs(bearing)
    # near the end a goal that slips behind has been reached as well as it can be
    passed = (remaining < 0.5 * course.look_ahead) & (off > TURN_BEGIN) & (progress["turning"] == 0)
    passed &= progress["way"] > 0.0
    arrived = (progress["arrived"] != 0) | (remaining <= course.arrive_within) | passed
    turning: NDArray[np.bool_] = np.where(progress["turning"] != 0, off > TURN_END, off > TURN_BEGIN) & ~arrived

    fastest = greatest_yaw_rate(machine)
    curvature = 2.0 * np.sin(bearing) / np.maximum(span, 0.5 * course.look_ahead)
    going = np.minimum(abs(speed), np.sqrt(2.0 * CAUTION * travel.deceleration * np.maximum(remaining, 0.0)))
    going = np.minimum(going, fastest / np.maximum(np.abs(curvature), 1e-9))
    spin = np.minimum(fastest, np.sqrt(2.0 * CAUTION * travel.yaw_acceleration * off)) * np.sign(bearing)

    following["arrived"] = arrived
    following["turning"] = turning
    moving = ~arrived & ~turning
    asked = np.where(moving, going, 0.0)
    yaw_rate = np.where(turning, spin, np.where(moving, going * curvature, 0.0))
    return Steering(asked, yaw_rate, following)

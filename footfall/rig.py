"""The rig: trunks, legs, bones, poles and limits. Constants of a machine; nothing here changes after loading."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, Gt, Le, Lt, MinLen
from numpy.typing import NDArray

from footfall.froude import LENGTH, Scaled
from footfall.records import Records

Vector = tuple[float, float, float]
Positive = Annotated[float, Gt(0)]
NotNegative = Annotated[float, Ge(0)]
Share = Annotated[float, Ge(0), Le(1)]


class Solver(enum.IntEnum):
    """Inverse kinematics of a leg."""

    two_bone = 0
    pantograph = 1
    three_segment = 2
    fabrik = 3
    chain = 4


@dataclass(frozen=True)
class Hinge:
    """The joint at the root of one bone of a ``chain`` leg."""

    axis: Vector
    """Axis of rotation, trunk frame with all angles zero."""
    lower: float = -math.pi
    """Smallest angle [rad]."""
    upper: float = math.pi
    """Largest angle [rad]."""
    rest: float = 0.0
    """Angle that the solver starts from [rad]."""
    stops: tuple[float, float] | None = None
    """Range of the joint of the articulated machine [rad], where that is not the range above."""


@dataclass(frozen=True)
class Leg:
    """One leg, hip to sole."""

    name: str
    """Name; the sole's node in a bake is ``<name>_sole``."""
    hip: Vector
    """Hip joint, trunk frame [m]."""
    rest: tuple[float, float]
    """Where the sole stands at rest: x, y in the trunk's frame over the ground [m]."""
    segments: Annotated[tuple[Positive, ...], MinLen(1)]
    """Lengths of the bones from hip to ankle [m]."""
    trunk: str = ""
    """Name of the trunk that carries the hip; may be left out where there is only one."""
    solver: Solver = Solver.two_bone
    """How the joints are found."""
    pole: Vector = (1.0, 0.0, 0.0)
    """Direction that the knee points to, trunk frame."""
    phase: Annotated[float, Ge(0), Lt(1)] = 0.0
    """Phase offset in the machine's own gait [cycles]; phase 0 is touchdown."""
    foot_height: NotNegative = 0.0
    """Height of the ankle over the sole along the foot's normal [m]; 0 is a leg that ends in a tip."""
    foot_radius: NotNegative = 0.0
    """Radius of the sole [m]: no foothold is nearer to an edge."""
    knee_min: Annotated[float, Ge(0), Le(math.pi)] = 0.35
    """Smallest angle between thigh and shin [rad]."""
    knee_max: Annotated[float, Ge(0), Le(math.pi)] = 3.0
    """Largest angle between thigh and shin [rad]; π is a straight leg."""
    metatarsus: Vector = (0.0, 0.0, 1.0)
    """``three_segment``: direction from ankle to hock when standing, heading frame."""
    metatarsus_kneel: Vector = (0.0, 0.0, 1.0)
    """``three_segment``: the same when kneeling."""
    metatarsus_fold: Vector = (0.0, 0.0, 0.0)
    """``three_segment``: added to that direction at full lift of the foot."""
    hinges: tuple[Hinge, ...] = ()
    """``chain``: one joint a bone."""
    directions: tuple[Vector, ...] = ()
    """``chain``: direction of each bone with all angles zero, trunk frame."""
    fixed_loop: bool = False
    """The foot plays one fixed loop in the trunk's frame and ignores the ground (for comparison)."""
    thickness: Positive = 0.1
    """Thickness of the bones when drawn, as a share of their length."""


@dataclass(frozen=True)
class Trunk:
    """One rigid part of the body that carries hips."""

    name: str
    size: tuple[Positive, Positive, Positive]
    """Length, width and height when drawn [m]."""
    centre: Vector = (0.0, 0.0, 0.0)
    """Centre of the drawn shape, trunk frame [m]."""


@dataclass(frozen=True)
class Aim:
    """A piston: its two ends stay on their anchors, and each half points at the other end."""

    name: str
    base_part: str
    """Part that carries the cylinder: a trunk's name, or ``<leg>/<bone>`` with bones counted from 0 at the hip."""
    base: Vector
    """Anchor of the cylinder, base part's frame [m]."""
    end_part: str
    """Part that carries the rod."""
    end: Vector
    """Anchor of the rod, end part's frame [m]."""
    thickness: Positive = Scaled(0.02, LENGTH)
    """Radius of the cylinder when drawn [m]."""


@dataclass(frozen=True)
class Camera:
    """A camera or seat on a trunk."""

    name: str
    trunk: str
    position: Vector
    """Trunk frame [m]."""
    forward: Vector = (1.0, 0.0, 0.0)
    """Direction of view, trunk frame."""
    up: Vector = (0.0, 0.0, 1.0)
    """Upward direction of the picture, trunk frame."""
    field_of_view: Annotated[float, Gt(0), Lt(math.pi)] = math.radians(60.0)
    """Angle from the lower to the upper edge of the picture [rad]."""


#: Constants of a leg as kernels read them.
LEG_RIG = np.dtype(
    [
        ("trunk", np.int64),  #: index of the trunk
        ("hip", np.float64, (3,)),  #: hip joint, trunk frame [m]
        ("rest", np.float64, (3,)),  #: sole at rest, trunk's frame over the ground (z = 0 is the ground) [m]
        ("hip_to_rest", np.float64, (3,)),  #: unit vector from hip to solved end at rest, trunk frame
        ("pole", np.float64, (3,)),  #: unit vector, trunk frame
        ("rest_bend", np.float64, (3,)),  #: unit vector across hip_to_rest that the knee bends to at rest
        ("cone_full", np.float64),  #: cosine: within this cone about hip_to_rest the pole alone sets the bend
        ("cone_none", np.float64),  #: cosine: outside this cone the bend swings along from rest without twist
        ("solver", np.int64),  #: Solver
        ("segments", np.int64),  #: number of solved bones
        ("first_segment", np.int64),  #: index into the rig's segments
        ("bones", np.int64),  #: number of bones, the foot included where foot_height > 0
        ("first_bone", np.int64),  #: index of the first bone in flat arrays over bones
        ("first_joint", np.int64),  #: index of the hip in flat arrays over joints; bones + 1 joints follow
        ("memory", np.int64),  #: index of the leg's numbers in the solver memory
        ("reach_min", np.float64),  #: least distance of the solved end (ankle, or hock) from the hip [m]
        ("reach_max", np.float64),  #: greatest distance of the solved end from the hip [m]
        ("chain_length", np.float64),  #: stretched length hip to sole, foot included [m]
        ("foot_height", np.float64),  #: [m]
        ("foot_radius", np.float64),  #: [m]
        ("knee_min", np.float64),  #: [rad]
        ("knee_max", np.float64),  #: [rad]
        ("metatarsus", np.float64, (3,)),  #: heading frame
        ("metatarsus_kneel", np.float64, (3,)),  #: heading frame
        ("metatarsus_fold", np.float64, (3,)),  #: heading frame
        ("fixed_loop", np.int64),  #: 1: plays a fixed loop and ignores the ground
        ("side", np.float64),  #: +1 left, -1 right, 0 in the middle
        ("end", np.float64),  #: +1 front, -1 rear, 0 in the middle
    ],
    align=True,
)

#: Constants of a bone as kernels read them.
SEGMENT_RIG = np.dtype(
    [
        ("length", np.float64),  #: [m]
        ("direction", np.float64, (3,)),  #: chain: unit vector with all angles zero, trunk frame; fabrik: see ``_arc``
        ("axis", np.float64, (3,)),  #: chain: unit vector of the hinge, trunk frame with all angles zero
        ("across", np.float64, (3,)),  #: chain: unit vector across direction that fixes the bone's twist
        ("lower", np.float64),  #: chain: [rad]
        ("upper", np.float64),  #: chain: [rad]
        ("rest", np.float64),  #: chain: [rad]
    ],
    align=True,
)


@dataclass(frozen=True)
class Rig:
    """Skeleton of a machine.

    Flat arrays over bones and joints run leg by leg: leg i owns ``bones`` bones and ``bones + 1`` joints, hip first,
    sole last. All arrays are read-only.
    """

    trunks: tuple[Trunk, ...]
    legs: tuple[Leg, ...]
    aims: tuple[Aim, ...]
    cameras: tuple[Camera, ...]
    stand_height: float
    """Height of the first trunk's origin over the ground at rest [m]."""
    trunk_offsets: NDArray[np.float64]
    """Way of each trunk along the body's path, positive ahead of the middle trunk ``[trunks]`` [m]."""
    leg_table: Records
    """``LEG_RIG [legs]``."""
    segment_table: Records
    """``SEGMENT_RIG [segments]``."""
    joint_count: int
    bone_count: int
    memory_size: int
    """Numbers that the solvers remember for one agent."""
    bone_names: tuple[str, ...] = field(default=())
    """``<leg>/<bone>`` for every bone."""

    @property
    def leg_names(self) -> tuple[str, ...]:
        """Names in the order of every array over legs."""
        return tuple(leg.name for leg in self.legs)

    @property
    def main_trunk(self) -> int:
        """Index of the trunk that is the body's frame: the middle one of several that follow a path, else the first."""
        return int(np.abs(self.trunk_offsets).argmin()) if np.ptp(self.trunk_offsets) > 0.0 else 0

    @property
    def leg_length(self) -> float:
        """Longest leg, stretched, hip to sole [m]: the machine's unit of length."""
        return float(self.leg_table["chain_length"].max())


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(vector / np.linalg.norm(vector))


def _across(direction: NDArray[np.float64], wish: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unit vector across a direction that is nearest to a wish; any, where the two are parallel."""
    for candidate in (wish, np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])):
        rest = candidate - direction * (candidate @ direction)
        if np.linalg.norm(rest) > 1e-3:
            return _unit(rest)
    raise AssertionError("two axes cannot both be parallel to one direction")


def _two_bone_reach(first: float, second: float, knee_min: float, knee_max: float) -> tuple[float, float]:
    """Least and greatest distance of the ends of two bones, by the law of cosines at both limits of the knee."""

    def span(knee: float) -> float:
        return math.sqrt(max(first * first + second * second - 2.0 * first * second * math.cos(knee), 0.0))

    return span(knee_min), span(knee_max)


def leg_reach(leg: Leg) -> tuple[float, float]:
    """Least and greatest distance of the solved end from the hip [m]."""
    lengths = leg.segments
    if leg.solver == Solver.two_bone:
        return _two_bone_reach(lengths[0], lengths[1], leg.knee_min, leg.knee_max)
    if leg.solver == Solver.pantograph:  # thigh and metatarsus are parallel: together one bone
        return _two_bone_reach(lengths[0] + lengths[2], lengths[1], leg.knee_min, leg.knee_max)
    if leg.solver == Solver.three_segment:  # the metatarsus is set by hand: thigh and shin reach the hock
        return _two_bone_reach(lengths[0], lengths[1], leg.knee_min, leg.knee_max)
    total, longest = sum(lengths), max(lengths)
    return max(2.0 * longest - total, 0.0) + 0.05 * total, 0.985 * total


def leg_bones(leg: Leg) -> tuple[str, ...]:
    """Names of a leg's bones from the hip on, the foot included: ``<leg>/<bone>``."""
    return tuple(f"{leg.name}/{bone}" for bone in range(len(leg.segments) + (1 if leg.foot_height > 0.0 else 0)))


def _arc(lengths: tuple[float, ...], span: float) -> NDArray[np.float64]:
    """Directions ``[bones, 3]`` of bones bent evenly to span a distance: x along the span, y to the bend, z = 0."""
    ends = np.cumsum(lengths)
    middle = (ends - 0.5 * np.array(lengths)) / ends[-1]

    def bones(opening: float) -> NDArray[np.complex128]:
        return np.asarray(np.exp(1j * opening * (1.0 - 2.0 * middle)))

    low, high = 0.0, math.pi
    for _ in range(60):
        half = 0.5 * (low + high)
        low, high = (half, high) if abs(bones(half) @ np.array(lengths)) > span else (low, half)
    directions = bones(0.5 * (low + high))
    end = directions @ np.array(lengths)
    directions = directions * np.conj(end) / max(abs(end), 1e-300)
    return np.stack([directions.real, directions.imag, np.zeros(len(lengths))], axis=-1)


def build_rig(
    trunks: tuple[Trunk, ...],
    legs: tuple[Leg, ...],
    stand_height: float,
    trunk_spacing: float = 0.0,
    aims: tuple[Aim, ...] = (),
    cameras: tuple[Camera, ...] = (),
) -> Rig:
    """Lay the legs out in flat tables.

    Args:
        trunks: front to rear.
        legs: in the order of every array over legs.
        stand_height: height of the trunks' origins over the ground at rest [m].
        trunk_spacing: way between neighbouring trunks along their path [m].
        aims: pistons.
        cameras: cameras and seats.
    """
    names = [trunk.name for trunk in trunks]
    legs = tuple(leg if leg.trunk else replace(leg, trunk=names[0]) for leg in legs)
    table = np.zeros(len(legs), LEG_RIG)
    segments: list[Any] = []
    bone_names: list[str] = []
    joint_count = bone_count = memory_size = 0
    for row, leg in zip(table, legs, strict=True):
        hip = np.array(leg.hip)
        rest = np.array([*leg.rest, 0.0])
        down = np.array([0.0, 0.0, stand_height])
        end = rest - down + np.array([0.0, 0.0, leg.foot_height])  # the ankle at rest, trunk frame
        if leg.solver == Solver.three_segment:
            end = end + _unit(np.array(leg.metatarsus)) * leg.segments[2]
        direction = _unit(end - hip)
        pole = _unit(np.array(leg.pole))
        to_pole = math.acos(min(max(abs(float(direction @ pole)), 0.0), 1.0))  # to the nearer singular direction
        bones = len(leg_bones(leg))
        row["trunk"] = names.index(leg.trunk)
        row["hip"], row["rest"], row["pole"] = hip, rest, pole
        row["hip_to_rest"], row["rest_bend"] = direction, _across(direction, pole)
        row["cone_full"], row["cone_none"] = math.cos(0.5 * to_pole), math.cos(0.9 * to_pole)
        row["solver"], row["segments"], row["first_segment"] = leg.solver, len(leg.segments), len(segments)
        row["bones"], row["first_bone"], row["first_joint"] = bones, bone_count, joint_count
        row["memory"] = memory_size
        row["reach_min"], row["reach_max"] = leg_reach(leg)
        row["chain_length"] = sum(leg.segments) + leg.foot_height
        row["foot_height"], row["foot_radius"] = leg.foot_height, leg.foot_radius
        row["knee_min"], row["knee_max"] = leg.knee_min, leg.knee_max
        row["metatarsus"] = _unit(np.array(leg.metatarsus))
        row["metatarsus_kneel"] = _unit(np.array(leg.metatarsus_kneel))
        row["metatarsus_fold"], row["fixed_loop"] = leg.metatarsus_fold, leg.fixed_loop
        row["side"], row["end"] = np.sign(leg.rest[1]), np.sign(leg.rest[0])
        arc = _arc(leg.segments, float(np.clip(np.linalg.norm(end - hip), *leg_reach(leg))))
        for index, segment_length in enumerate(leg.segments):
            segment = np.zeros((), SEGMENT_RIG)
            segment["length"], segment["direction"] = segment_length, arc[index]
            if leg.solver == Solver.chain:
                hinge = leg.hinges[index]
                along = _unit(np.array(leg.directions[index]))
                segment["direction"], segment["axis"] = along, _unit(np.array(hinge.axis))
                segment["across"] = _across(along, np.array(hinge.axis))
                segment["lower"], segment["upper"], segment["rest"] = hinge.lower, hinge.upper, hinge.rest
            segments.append(segment[()])
        bone_names += leg_bones(leg)
        bone_count += bones
        joint_count += bones + 1
        if leg.solver == Solver.fabrik:  # inner joints of the last solution, plane of the leg
            memory_size += 2 * (len(leg.segments) - 1)
        elif leg.solver == Solver.chain:  # angles of the last solution, and room to keep them while others are tried
            memory_size += 2 * len(leg.segments)
    segment_table = np.array(segments, SEGMENT_RIG)
    offsets = trunk_spacing * (0.5 * (len(trunks) - 1) - np.arange(len(trunks), dtype=np.float64))
    for array in (table, segment_table, offsets):
        array.flags.writeable = False
    return Rig(
        trunks, legs, aims, cameras, stand_height, offsets, table, segment_table, joint_count, bone_count, memory_size,
        tuple(bone_names),
    )  # fmt: skip

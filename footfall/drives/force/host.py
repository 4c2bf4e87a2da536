"""What a rigid-body engine is to the force drive: proxies and wrenches go in, readings come out.

One body and n feet are separate rigid bodies without joints. Arrays over them have ``1 + feet`` rows, the body first.
Everything is in the world's frame and about centres of mass. No engine is named here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from footfall.errors import FootfallError
from footfall.world import Hit

Vector = tuple[float, float, float]
Array = NDArray[np.float64]
Counts = NDArray[np.int64]
Flags = NDArray[np.bool_]

SOLE_POINTS = 4  # contact points that are kept of one foot
ROLL_OF_YAW = 0.625  # inertia about x or y over inertia about z of a uniform box L × L × L/2


@dataclass(frozen=True)
class ProxyShape:
    """One rigid body: a box about its centre of mass, along its own axes."""

    mass: float
    """[kg]"""
    size: Vector
    """Length, width and height [m]. The sole of a foot is the underside of its box."""
    inertia: Vector
    """Moments of inertia about its own axes [kg m²]."""
    friction: float = 0.5
    """Coefficient of friction between it and any ground."""
    polygon: tuple[tuple[float, float], ...] = ()
    """Foot: up to four points of the sole that touch the ground, x and y in its own frame [m]; none: the whole
    underside."""

    def __post_init__(self) -> None:
        """Refuse what is no rigid body."""
        if not (0.0 < self.mass < math.inf and all(0.0 < side < math.inf for side in self.size)):
            raise FootfallError(f"a proxy of {self.mass} kg and {self.size} m: both must be positive and finite")
        small, middle, large = sorted(self.inertia)
        if not (small > 0.0 and large <= (small + middle) * (1.0 + 1e-9)):
            raise FootfallError(f"inertia {self.inertia}: moments must be positive, none above the sum of the others")
        if not 0.0 <= self.friction < math.inf:
            raise FootfallError(f"friction {self.friction}: must not be negative")
        if len(self.polygon) > SOLE_POINTS:
            raise FootfallError(f"a sole polygon of {len(self.polygon)} points; at most {SOLE_POINTS}")

    @property
    def sole_offset(self) -> float:
        """Distance of the sole under the centre along the foot's own z [m]."""
        return 0.5 * self.size[2]

    @property
    def sole_radius(self) -> float:
        """Half the smaller side of the sole [m]."""
        return 0.5 * min(self.size[:2])


def box_inertia(mass: float, size: Vector) -> Vector:
    """Moments of inertia of a uniform box about its own axes [kg m²]."""
    x, y, z = (side * side for side in size)
    return (mass / 12.0 * (y + z), mass / 12.0 * (z + x), mass / 12.0 * (x + y))


def inertia_of_yaw(yaw: float) -> Vector:
    """Moments of inertia of a body proxy with this yaw inertia [kg m²]: a uniform box L × L × L/2."""
    return (ROLL_OF_YAW * yaw, ROLL_OF_YAW * yaw, yaw)


def body_shape(mass: float, length: float, friction: float = 0.5) -> ProxyShape:
    """A body proxy: a uniform box of ``length × length × length/2`` [m]."""
    return ProxyShape(mass, (length, length, 0.5 * length), inertia_of_yaw(mass * length * length / 6.0), friction)


def foot_shape(
    mass: float, radius: float, offset: float, friction: float = 0.5, polygon: tuple[tuple[float, float], ...] = ()
) -> ProxyShape:
    """A foot proxy: a uniform box with a sole of twice ``radius`` each way, ``offset`` under its centre [m]."""
    size = (2.0 * radius, 2.0 * radius, 2.0 * offset)
    return ProxyShape(mass, size, box_inertia(mass, size), friction, polygon)


@dataclass(frozen=True)
class Proxies:
    """All rigid bodies of one machine, and how their time is cut."""

    body: ProxyShape
    """The one body."""
    feet: tuple[ProxyShape, ...]
    """In the order of the machine's legs."""
    dt: float = 1.0 / 30.0
    """Frame: a wrench is held for so long [s]."""
    substeps: int = 25
    """Steps of the engine in a frame. A whole number of its own: rounding dt over a step may give one more or less."""
    gravity: Vector = (0.0, 0.0, -9.81)
    """World [m/s²]."""

    def __post_init__(self) -> None:
        """Refuse a machine without feet, and time that does not pass."""
        if not self.feet:
            raise FootfallError("proxies: no foot; a machine needs at least one")
        if isinstance(self.substeps, bool) or not isinstance(self.substeps, int) or self.substeps < 1:
            raise FootfallError(f"substeps is {self.substeps!r}; expected a whole number from 1")
        if not 0.0 < self.dt < math.inf:
            raise FootfallError(f"dt is {self.dt} s; must be positive and finite")

    @property
    def shapes(self) -> tuple[ProxyShape, ...]:
        """Body and feet."""
        return (self.body, *self.feet)

    @property
    def masses(self) -> Array:
        """``[1 + feet]`` [kg]."""
        return np.array([shape.mass for shape in self.shapes])

    @property
    def inertias(self) -> Array:
        """``[1 + feet, 3]`` about each one's own axes [kg m²]."""
        return np.array([shape.inertia for shape in self.shapes])

    @property
    def sole_offsets(self) -> Array:
        """``[feet]`` [m]."""
        return np.array([foot.sole_offset for foot in self.feet])

    @property
    def substep(self) -> float:
        """Step of the engine [s]."""
        return self.dt / self.substeps


@dataclass(frozen=True)
class HostCaps:
    """What a host is: enough to predict a frame of free flight, and to judge what it reports."""

    name: str
    """Name of the host and of its engine, with the version."""
    dt: float
    """Frame [s]."""
    substeps: int
    """Steps of the engine in a frame."""
    integrator: str
    """The engine's name of its integrator; positions are moved by the new velocity (semi-implicit)."""
    gravity: Vector
    """World [m/s²]."""
    gyro: str
    """``explicit`` or ``implicit``: how a step takes the gyroscopic term ω × I ω."""
    latched_contacts: bool
    """Whether contacts are looked at after every substep."""
    exact_snapshot: bool
    """Whether a restored snapshot replays bit for bit, contact included."""
    contact_delay: float
    """Age of the contacts in a reading against its positions [s]."""

    @property
    def position_coefficient(self) -> float:
        """c of x' = x + v dt + c a dt² under a held acceleration: ½ (1 + 1/N) for N semi-implicit substeps."""
        return 0.5 * (1.0 + 1.0 / self.substeps)


class Reading(NamedTuple):
    """What an engine says at the end of a frame.

    A foot's centre (``position``), its sole (``sole.sole_of``) and its contact (``point``) are kept apart. What is said
    of a contact is that of the frame's last substep where the foot touches then; where it touched and left within the
    frame, that of the onset; else that of its last contact, not a number before the first.
    """

    position: Array
    """``[1 + feet, 3]`` centre of mass, world [m]."""
    rotation: Array
    """``[1 + feet, 4]`` q_world_proxy."""
    velocity: Array
    """``[1 + feet, 3]`` of the centre of mass, world [m/s]."""
    angular_velocity: Array
    """``[1 + feet, 3]`` world [rad/s]."""
    contact: Flags
    """``[feet]`` the foot touches the ground in the frame's last substep."""
    latched: Counts
    """``[feet]`` substeps of the frame in which it touched."""
    first_substep: Counts
    """``[feet]`` first of them, counted from 0; -1 where there is none."""
    point: Array
    """``[feet, 3]`` contact point, the mean of all weighted by their normal forces, world [m]."""
    normal: Array
    """``[feet, 3]`` outward unit normal of the ground, weighted likewise, world."""
    force: Array
    """``[feet, 3]`` of the ground on the foot in the frame's last substep, world [N]; 0 where it does not touch."""
    gap: Array
    """``[feet]`` least distance of the foot from the ground [m]; negative is penetration."""
    point_count: Counts
    """``[feet]`` contact points, at most 4; 0 where it does not touch in the frame's last substep."""
    points: Array
    """``[feet, 4, 3]`` those points, world [m]; with a sole polygon in its order; not a number where there is none."""
    onsets: Counts
    """``[n, 2]`` substep and foot of every beginning of a contact in the frame, in the order of time."""


class Host(Protocol):
    """A rigid-body engine with the proxies of one machine on the ground of one world."""

    @property
    def caps(self) -> HostCaps:
        """What this host is."""
        ...

    @property
    def proxies(self) -> Proxies:
        """What it was made of."""
        ...

    def place(
        self, position: ArrayLike, rotation: ArrayLike, velocity: ArrayLike, angular_velocity: ArrayLike | None = None
    ) -> Reading:
        """Seat all proxies, and forget all wrenches and contacts.

        Args:
            position: ``[1 + feet, 3]`` centres of mass, world [m].
            rotation: ``[1 + feet, 4]`` q_world_proxy.
            velocity: ``[1 + feet, 3]`` world [m/s].
            angular_velocity: ``[1 + feet, 3]`` world [rad/s]; 0 where it is left out.
        """
        ...

    def read(self) -> Reading:
        """What there is now; arrays of the caller's own."""
        ...

    def apply(self, forces: ArrayLike, torques: ArrayLike) -> None:
        """Wrenches at the centres of mass, held until the next call.

        Args:
            forces: ``[1 + feet, 3]`` world [N]; gravity comes on top.
            torques: ``[1 + feet, 3]`` world [N m].
        """
        ...

    def step(self) -> Reading:
        """Advance by one frame in exactly ``substeps`` steps, latching contacts, and read."""
        ...

    def save(self) -> Array:
        """``[n]`` numbers from which ``restore`` brings back everything, what ``read`` says included."""
        ...

    def restore(self, saved: ArrayLike) -> None:
        """Go back to a saved moment of this host, or of another one of the same proxies and world."""
        ...

    def raycast(self, points: ArrayLike, directions: ArrayLike, lengths: ArrayLike) -> Hit:
        """Rays onto the ground that feet collide with, from outside only.

        Args:
            points: ``[n, 3]`` world [m].
            directions: ``[3]`` or ``[n, 3]`` world; brought to unit length.
            lengths: one or ``[n]`` [m].
        """
        ...

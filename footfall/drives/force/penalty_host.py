"""A small host without an engine: rigid bodies in NumPy, and springs where soles meet the ground.

It makes what stands on top of a host testable alone. Only feet touch the ground, and only with the points of their
soles: the corners, or the sole polygon. Each point looks straight down from ``PROBE`` foot heights over itself; it
finds no walls, and a one-sided surface that it has sunk through further than that is lost.

Normal force N = max(0, k d − c vn) at depth d. Friction is a spring from where the point began to stick, which slips
where it would pull harder than μ N (Cundall and Strack 1979, section 3).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from footfall.drives.force.ground_shapes import counted
from footfall.drives.force.host import SOLE_POINTS, Array, Flags, HostCaps, Proxies, ProxyShape, Reading
from footfall.drives.force.host_contacts import (
    Contacts,
    FrameLatch,
    contact_memory,
    forget_contacts,
    make_reading,
    note_contacts,
)
from footfall.errors import FootfallError
from footfall.frames.arrays import cross, multiply, rotate, unrotate
from footfall.world import HIT, UNOWNED, Hit, World, cast

STIFFNESS = 0.2  # angle by which a foot on its springs swings in one substep [rad]
DAMPING_RATIO = 1.0
PROBE = 4.0  # how far over a sole point its ray begins, in heights of the foot
DOWN = np.array([0.0, 0.0, -1.0])


def sole_points(foot: ProxyShape) -> Array:
    """Points of the sole in the foot's frame ``[4, 3]`` [m]; not a number where the polygon has fewer."""
    x, y = 0.5 * foot.size[0], 0.5 * foot.size[1]
    corners = foot.polygon or ((x, y), (-x, y), (-x, -y), (x, -y))
    points = np.full((SOLE_POINTS, 3), np.nan)
    points[: len(corners)] = [(*corner, -foot.sole_offset) for corner in corners]
    return points


def turn_by(rotation: Array, vector: Array) -> Array:
    """Rotations ``[n, 4]`` turned on by rotation vectors ``[n, 3]`` in their own frames [rad]."""
    angle = np.linalg.norm(vector, axis=-1, keepdims=True)
    half = 0.5 * angle
    small = 0.5 * vector * np.sinc(half / np.pi)  # sin(half) × axis
    turned = multiply(rotation, np.concatenate([np.cos(half), small], axis=-1))
    return turned / np.linalg.norm(turned, axis=-1, keepdims=True)


class PenaltyHost:
    """One body and n feet in NumPy, on the ground of a world as it stands when the host is made.

    Raises:
        FootfallError: the ground has no shape.
    """

    def __init__(self, proxies: Proxies, world: World) -> None:
        counted(world)
        self.proxies = proxies
        self.world = world
        self.caps = HostCaps(
            name="penalty",
            dt=proxies.dt,
            substeps=proxies.substeps,
            integrator="Euler",
            gravity=proxies.gravity,
            gyro="explicit",
            latched_contacts=True,
            exact_snapshot=True,
            contact_delay=proxies.substep,
        )
        count, feet = len(proxies.shapes), len(proxies.feet)
        points = np.array([sole_points(foot) for foot in proxies.feet])
        self._foot, self._slot = np.nonzero(np.isfinite(points[:, :, 0]))
        self._points = points[self._foot, self._slot]
        masses = proxies.masses[1:] / np.bincount(self._foot, minlength=feet)
        rate = STIFFNESS / proxies.substep
        self._stiffness = masses[self._foot] * rate * rate
        self._damping = 2.0 * DAMPING_RATIO * masses[self._foot] * rate
        self._friction = np.array([foot.friction for foot in proxies.feet])[self._foot]
        self._probe = PROBE * np.array([foot.size[2] for foot in proxies.feet])[self._foot]
        self._masses, self._inertias = proxies.masses, proxies.inertias
        self._numbers = np.zeros(count * 19 + len(self._foot) * 4)
        self._position, self._rotation, self._velocity, self._spin, self._force, self._torque = self._split(count)
        self._rotation[:, 0] = 1.0
        sticking = self._numbers[count * 19 :].reshape(-1, 4)
        self._sticking, self._anchor = sticking[:, 0], sticking[:, 1:]
        self._memory = contact_memory(feet, proxies.substeps)

    def _split(self, count: int) -> list[Array]:
        """Views of all that moves: positions, rotations, velocities, spins in own frames, held wrenches."""
        ends = count * np.cumsum([3, 4, 3, 3, 3, 3])
        return [part.reshape(count, -1) for part in np.split(self._numbers[: ends[-1]], ends[:-1])]

    def place(
        self, position: ArrayLike, rotation: ArrayLike, velocity: ArrayLike, angular_velocity: ArrayLike | None = None
    ) -> Reading:
        """Seat all proxies; see ``Host.place``."""
        self._numbers[:] = 0.0
        rotation = np.asarray(rotation, np.float64)
        self._position[:], self._velocity[:] = position, velocity
        self._rotation[:] = rotation / np.linalg.norm(rotation, axis=-1, keepdims=True)
        if angular_velocity is not None:
            self._spin[:] = unrotate(self._rotation, np.asarray(angular_velocity, np.float64))
        forget_contacts(self._memory)
        return self.read()

    def read(self) -> Reading:
        """What there is now."""
        spin = rotate(self._rotation, self._spin)
        return make_reading(self._memory, self._position.copy(), self._rotation.copy(), self._velocity.copy(), spin)

    def apply(self, forces: ArrayLike, torques: ArrayLike) -> None:
        """Wrenches at the centres of mass, world, held until the next call."""
        self._force[:], self._torque[:] = forces, torques

    def step(self) -> Reading:
        """Advance by one frame, looking at the contacts after each substep."""
        latch = FrameLatch(self._memory)
        for substep in range(self.proxies.substeps):
            contacts, arms = self._touch()
            latch.rows[substep + 1, contacts.foot] = True
            begins = latch.begins(substep)
            if begins.any():
                note_contacts(self._memory, contacts, begins)
            force, torque = self._force.copy(), self._torque.copy()
            np.add.at(force, 1 + contacts.foot, contacts.force)
            np.add.at(torque, 1 + contacts.foot, cross(arms, contacts.force))
            self._move(force, torque)
        latch.close(contacts)
        return self.read()

    def _touch(self) -> tuple[Contacts, Array]:
        """Contacts of all sole points that are in the ground, and where they are from their feet's centres [m]."""
        proxy = 1 + self._foot
        rotation = self._rotation[proxy]
        arm = rotate(rotation, self._points)
        point = self._position[proxy] + arm
        velocity = self._velocity[proxy] + cross(rotate(self._rotation, self._spin)[proxy], arm)
        hit = cast(self.world, point - self._probe[:, None] * DOWN, DOWN, self._probe, UNOWNED)
        depth = ((hit.point - point) * hit.normal).sum(axis=1)
        touching = (hit.found == HIT) & (depth > 0.0)
        speed = (velocity * hit.normal).sum(axis=1)
        normal_force = np.where(touching, np.maximum(self._stiffness * depth - self._damping * speed, 0.0), 0.0)
        across = velocity - speed[:, None] * hit.normal
        force = normal_force[:, None] * hit.normal + self._rub(point, across, hit.normal, normal_force, touching)
        rows = np.flatnonzero(touching)
        contacts = Contacts(
            self._foot[rows], self._slot[rows], hit.point[rows], hit.normal[rows], force[rows], -depth[rows]
        )
        return contacts, arm[rows]

    def _rub(self, point: Array, across: Array, normal: Array, normal_force: Array, touching: Flags) -> Array:
        """Friction ``[points, 3]`` [N] of points that move at ``across`` [m/s]; what slips takes its anchor along."""
        begins = touching & (self._sticking == 0.0)
        self._anchor[begins] = point[begins]
        self._sticking[:] = touching
        stretch = point - self._anchor
        stretch -= (stretch * normal).sum(axis=1, keepdims=True) * normal
        drag = self._damping[:, None] * across
        pull = -self._stiffness[:, None] * stretch - drag
        size = np.linalg.norm(pull, axis=1)
        slips = touching & (size > self._friction * normal_force)
        pull[slips] *= (self._friction * normal_force / np.maximum(size, 1e-300))[slips, None]
        self._anchor[slips] = (point + (pull + drag) / self._stiffness[:, None])[slips]
        return np.where(touching[:, None], pull, 0.0)

    def _move(self, force: Array, torque: Array) -> None:
        """One semi-implicit Euler step: velocities first, with an explicit gyroscopic term, then places by them."""
        h = self.proxies.substep
        inertia = self._inertias
        self._velocity += h * (force / self._masses[:, None] + np.asarray(self.proxies.gravity))
        gyro = cross(self._spin, inertia * self._spin)
        self._spin += h * (unrotate(self._rotation, torque) - gyro) / inertia
        self._position += h * self._velocity
        self._rotation[:] = turn_by(self._rotation, h * self._spin)

    def save(self) -> Array:
        """Contacts, and all that moves."""
        return np.concatenate([self._memory.view(np.float64), self._numbers])

    def restore(self, saved: ArrayLike) -> None:
        """Go back to a saved moment.

        Raises:
            FootfallError: the array is of other proxies.
        """
        saved = np.asarray(saved, np.float64)
        memory = self._memory.view(np.float64)
        size = len(memory) + len(self._numbers)
        if saved.shape != (size,):
            raise FootfallError(f"a saved moment of shape {saved.shape}; a host of these proxies saves ({size},)")
        memory[:] = saved[: len(memory)]
        self._numbers[:] = saved[len(memory) :]

    def raycast(self, points: ArrayLike, directions: ArrayLike, lengths: ArrayLike) -> Hit:
        """Rays onto the ground; see ``Host.raycast``."""
        return cast(self.world, points, directions, lengths, UNOWNED)

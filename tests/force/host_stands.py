"""The giant's proxies, and machines that stand, fall and fly for the tests of hosts."""

from __future__ import annotations

import numpy as np

from footfall.drives.force.host import Proxies, Reading, body_shape, foot_shape
from footfall.drives.force.hosts import make_host
from footfall.world import Plane, build_world

GRAVITY = 9.81
LEG_LENGTH = 18.5  # of the giant [m]
LEVEL = np.array([1.0, 0.0, 0.0, 0.0])


def giant(friction: float = 0.5, polygon: tuple[tuple[float, float], ...] = (), feet: int = 6) -> Proxies:
    foot = foot_shape(800.0, 0.6, 0.1, friction, polygon)
    return Proxies(body_shape(6000.0, 6.0, friction), (foot,) * feet)


def turn(axis, angle):
    """Rotation about an axis by an angle [rad]."""
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    return np.array([np.cos(0.5 * angle), *(np.sin(0.5 * angle) * axis)])


def ring(feet: int = 6, radius: float = 9.0, height: float = 9.5):
    """Centres of the body and of feet around it with their soles at z = 0 ``[1 + feet, 3]``."""
    angle = 2.0 * np.pi * np.arange(feet) / feet
    return np.vstack(
        [[0.0, 0.0, height], np.stack([radius * np.cos(angle), radius * np.sin(angle), np.full(feet, 0.1)], 1)]
    )


def rotations(count: int = 7, rotation=LEVEL):
    return np.tile(rotation, (count, 1))


def still(count: int = 7):
    return np.zeros((count, 3))


def carried(proxies: Proxies, load: float | None = None):
    """Forces that hold the body in the air and press on the feet with its weight, or with a load [N] each."""
    forces = np.zeros((len(proxies.shapes), 3))
    weight = GRAVITY * proxies.body.mass
    forces[0, 2] = weight
    forces[1:, 2] = -weight / len(proxies.feet) if load is None else -load
    return forces


def stand(host, position, frames, load=None, rotation=LEVEL) -> Reading:
    """What is read after so many frames on feet that are put down at rest."""
    count = len(host.proxies.shapes)
    host.place(position, rotations(count, rotation), still(count))
    host.apply(carried(host.proxies, load), still(count))
    for _ in range(frames):
        reading = host.step()
    return reading


def flat_host(name: str, proxies: Proxies | None = None):
    return make_host(name, proxies or giant(), build_world([Plane()]))


def deepest(name: str, proxies: Proxies, load: float) -> float:
    """How far a foot that bears a load [N] on one point goes into the ground at most [m].

    Penalty springs: load over stiffness of a point, k = 0.2² m / (4 h²). MuJoCo: measured 1.6 µm under 18 kN at four
    points of a plane, so within 10 µm under one.
    """
    if name == "penalty":
        return 4.0 * load * proxies.substep**2 / (0.04 * proxies.feet[0].mass)
    return 1e-5


def same_bits(a: Reading, b: Reading) -> bool:
    return all(x.tobytes() == y.tobytes() and x.shape == y.shape for x, y in zip(a, b, strict=True))

"""What every host must do in the air: one suite over all hosts, MuJoCo with both of its integrators."""

from __future__ import annotations

import numpy as np
import pytest
from host_stands import GRAVITY, flat_host, giant, ring, rotations, still, turn

from footfall.drives.force.hosts import HOSTS
from footfall.drives.force.mujoco_host import MujocoHost
from footfall.frames.arrays import rotate
from footfall.world import flat_world

PROXIES = giant()
DT, N, H = PROXIES.dt, PROXIES.substeps, PROXIES.substep


@pytest.fixture(params=[*HOSTS, "mujoco-implicitfast"])
def flying(request):
    """A host of the giant whose machine is far above the ground."""
    if request.param == "mujoco-implicitfast":
        return MujocoHost(PROXIES, flat_world(), "implicitfast")
    return flat_host(request.param)


def random_flight(host, seed):
    """Place at random in the air, apply a random wrench, and say what was done."""
    random = np.random.default_rng(seed)
    position = ring() + [0.0, 0.0, 500.0]
    quaternions = random.normal(size=(7, 4))
    rotation = quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)
    velocity, spin = random.normal(size=(7, 3)) * 8.0, random.normal(size=(7, 3)) * 2.0
    force = random.normal(size=(7, 3)) * 50.0 * host.proxies.masses[:, None]
    torque = random.normal(size=(7, 3)) * 5.0 * host.proxies.inertias.max(axis=1)[:, None]
    host.place(position, rotation, velocity, spin)
    host.apply(force, torque)
    return position, rotation, velocity, spin, force, torque


def skew(v):
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def rotation_of(vector):
    """Rotation matrix of a rotation vector (Rodrigues)."""
    angle = np.linalg.norm(vector)
    k = skew(vector / angle)
    return np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * k @ k


def spin_by_substeps(rotation, spin, torque, inertia, gyro):
    """Matrix and world spin after a frame, substep by substep in the frame of the proxy."""
    w = rotation.T @ spin
    for _ in range(N):
        moment = rotation.T @ torque - np.cross(w, inertia * w)
        if gyro == "explicit":
            w = w + H * moment / inertia
        else:  # (I + h D) Δw = h (τ − w × I w) with D = [w] I − [I w]
            slope = skew(w) @ np.diag(inertia) - skew(inertia * w)
            w = w + np.linalg.solve(np.diag(inertia) + H * slope, H * moment)
        rotation = rotation @ rotation_of(H * w)
    return rotation, rotation @ w


def columns(q):
    """Rotation matrix of a quaternion."""
    return rotate(np.tile(q, (3, 1)), np.eye(3)).T


@pytest.mark.parametrize("seed", range(3))
def test_a_frame_of_free_flight_moves_by_the_position_coefficient(flying, seed):
    position, _, velocity, _, force, _ = random_flight(flying, seed)
    reading = flying.step()
    acceleration = force / flying.proxies.masses[:, None] + [0.0, 0.0, -GRAVITY]
    c = flying.caps.position_coefficient
    assert c == 0.52
    np.testing.assert_allclose(
        reading.position, position + velocity * DT + c * acceleration * DT**2, atol=1e-9, rtol=0.0
    )
    np.testing.assert_allclose(reading.velocity, velocity + acceleration * DT, atol=1e-10, rtol=0.0)
    assert not reading.latched.any()
    assert len(reading.onsets) == 0


@pytest.mark.parametrize("seed", range(3))
def test_a_frame_of_free_flight_turns_as_its_substeps_do(flying, seed):
    _, rotation, _, spin, _, torque = random_flight(flying, seed)
    reading = flying.step()
    for proxy in range(7):
        turned, faster = spin_by_substeps(
            columns(rotation[proxy]), spin[proxy], torque[proxy], flying.proxies.inertias[proxy], flying.caps.gyro
        )
        error = columns(reading.rotation[proxy]).T @ turned
        assert np.linalg.norm(error - np.eye(3)) < 1e-9
        np.testing.assert_allclose(reading.angular_velocity[proxy], faster, atol=1e-9)


def test_a_torque_and_a_spin_are_in_the_frame_of_the_world(flying):
    tipped = turn((1, 0, 0), 0.5 * np.pi)  # own z along -y, own y along z
    spin = np.zeros((7, 3))
    spin[1] = [0.0, 0.0, 0.3]  # about the foot's own y: a main axis, so it stays
    placed = flying.place(ring() + [0.0, 0.0, 500.0], rotations(7, tipped), still(), spin)
    np.testing.assert_allclose(placed.angular_velocity, spin, atol=1e-15)
    torque = np.zeros((7, 3))
    torque[0] = [0.0, 36000.0, 0.0]
    flying.apply(still(), torque)
    reading = flying.step()
    expected = spin + torque * DT / flying.proxies.inertias[:, [0, 2, 1]]
    np.testing.assert_allclose(reading.angular_velocity, expected, atol=1e-12)


def test_a_wrench_is_held_until_the_next_one(flying):
    flying.place(ring() + [0.0, 0.0, 500.0], rotations(), still())
    force = PROXIES.masses[:, None] * [3.0, 0.0, GRAVITY]
    flying.apply(force, still())
    flying.step()
    np.testing.assert_allclose(flying.step().velocity, np.tile([6.0 * DT, 0.0, 0.0], (7, 1)), atol=1e-12)
    flying.apply(PROXIES.masses[:, None] * [0.0, 0.0, GRAVITY], still())
    np.testing.assert_allclose(flying.step().velocity, np.tile([6.0 * DT, 0.0, 0.0], (7, 1)), atol=1e-12)

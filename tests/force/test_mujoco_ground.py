"""The ground that MuJoCo collides with against the ground that rays meet, by MuJoCo's own rays."""

from __future__ import annotations

import builtins
import sys

import mujoco
import numpy as np
import pytest
from host_stands import GRAVITY, LEG_LENGTH, carried, giant, ring, rotations, same_bits, stand, still, turn

from footfall.drives.force import ground_shapes
from footfall.drives.force.hosts import make_host
from footfall.drives.force.mujoco_host import MujocoHost
from footfall.errors import FootfallError
from footfall.world import Body, Boxes, Heightfield, Host, Mesh, Plane, build_world
from footfall.world.terrain import make_terrain, terrain_names

PROXIES = giant()
DOWN = np.array([0.0, 0.0, -1.0])
TILT = tuple(turn((1.0, 2.0, 0.5), 0.3))


def bumps(seed=1, rows=9, columns=12):
    return np.random.default_rng(seed).uniform(0.0, 2.0, (rows, columns))


def sheet():
    """A rough mesh over 20 m × 20 m."""
    field = bumps(2, 5, 5)
    x, y = np.meshgrid(np.linspace(-10.0, 10.0, 5), np.linspace(-10.0, 10.0, 5))
    index = np.arange(25).reshape(5, 5)
    a, b, c, d = index[:-1, :-1].ravel(), index[:-1, 1:].ravel(), index[1:, 1:].ravel(), index[1:, :-1].ravel()
    triangles = np.concatenate([np.stack([a, b, d], 1), np.stack([b, c, d], 1)])  # the other diagonal
    return Mesh(np.stack([x, y, field], -1).reshape(-1, 3), triangles, position=(1.0, 2.0, 0.5), rotation=TILT)


WORLDS = {name: lambda name=name: make_terrain(name, LEG_LENGTH).world for name in terrain_names()} | {
    "tilted height field": lambda: build_world(
        [Heightfield(bumps(), -10.0, -9.0, 1.7, 2.1, position=(3.0, -1.0, 0.7), rotation=TILT)]
    ),
    "tilted boxes": lambda: build_world(
        [Plane(position=(0.0, 0.0, -9.0)), Boxes([[-8.0, -5.0, -1.0]], [[6.0, 7.0, 1.0]], rotation=TILT)]
    ),
    "tilted mesh": lambda: build_world([sheet()]),
    "small periodic field": lambda: build_world([Heightfield(bumps(), 0.3, 0.4, 1.7, 2.1, periodic=True)]),
    "level height field": lambda: build_world([Heightfield(np.full((4, 4), 1.25), -30.0, -30.0, 20.0, 20.0)]),
}


def engine_rays(host, points):
    """Height over each point at which MuJoCo's own ray meets the ground; not a number where it meets none."""
    model, data = host._engine.model, host._engine.data
    mujoco.mj_forward(model, data)
    groups = np.array([1, 0, 0, 0, 0, 0], np.uint8)
    ground, normal, geom = model.geom_bodyid == 0, np.zeros(3), np.zeros(1, np.int32)
    model.geom_group[:] = np.where(ground, 0, 1)
    ways = np.array([mujoco.mj_ray(model, data, p, DOWN, groups, 1, -1, geom, normal) for p in points])
    return np.where(ways >= 0.0, points[:, 2] - ways, np.nan)


@pytest.mark.parametrize("ground", WORLDS)
@pytest.mark.parametrize("place", [(0.0, 0.0), (431.0, -257.0)])
def test_rays_meet_the_surface_that_feet_collide_with(ground, place):
    host = MujocoHost(PROXIES, WORLDS[ground]())
    host.place(ring() + [*place, 300.0], rotations(), still())
    random = np.random.default_rng(4)
    points = np.column_stack([random.uniform(-24.0, 24.0, (400, 2)) + place, np.full(400, 1000.0)])
    expected = host.raycast(points, DOWN, 2000.0)
    found = engine_rays(host, points)
    there = expected.found == 1
    if place == (0.0, 0.0):
        assert there.sum() > 50
    # single precision: 6e-8 of a rise of up to 100 m, and of plates of up to 200 m
    np.testing.assert_allclose(found[there], expected.point[there, 2], atol=2e-5, rtol=0.0)
    if ground not in ("tilted height field", "tilted mesh"):  # those have flanks, which are no ground
        assert np.isnan(found[~there]).all()


@pytest.mark.parametrize("terrain", ["flat", "slope", "steps", "gaps"])
def test_planes_and_boxes_are_met_in_double_precision(terrain):
    host = MujocoHost(PROXIES, WORLDS[terrain]())
    points = np.column_stack([np.random.default_rng(4).uniform(-24.0, 24.0, (200, 2)), np.full(200, 100.0)])
    np.testing.assert_allclose(engine_rays(host, points), host.raycast(points, DOWN, 200.0).point[:, 2], atol=1e-9)


def test_a_foot_stands_on_the_floor_of_a_trough_not_on_its_hull():
    profile = [(-20.0, 4.0), (-3.0, 0.0), (3.0, 0.0), (20.0, 4.0)]
    vertices = [(x, y, z) for x, z in profile for y in (-30.0, 30.0)]
    triangles = [(a, a + 2, a + 3) for a in (0, 2, 4)] + [(a, a + 3, a + 1) for a in (0, 2, 4)]
    host = MujocoHost(giant(feet=1), build_world([Mesh(np.array(vertices), np.array(triangles))]))
    position = ring(1, radius=1.0, height=50.0)
    reading = stand(host, position, 30, load=0.0)
    assert reading.contact.all()
    np.testing.assert_allclose(reading.position[1, 2], 0.1, atol=1e-5)


@pytest.mark.parametrize("terrain", ["rocks", "ramp"])
def test_a_flight_over_the_border_of_a_window_is_a_flight(terrain):
    host = MujocoHost(PROXIES, WORLDS[terrain]())
    velocity = np.tile([900.0, -700.0, 0.0], (7, 1))
    start = ring() + [0.0, 0.0, 400.0]
    host.place(start, rotations(), velocity)
    host.apply(PROXIES.masses[:, None] * [0.0, 0.0, GRAVITY], still())
    windows = set()
    for _ in range(30):
        reading = host.step()
        windows.add(host._window)
    assert len(windows) > 5
    np.testing.assert_allclose(reading.position, start + velocity, atol=1e-9)


def test_a_moment_in_another_window_replays_bit_for_bit():
    host, other = MujocoHost(PROXIES, WORLDS["rocks"]()), MujocoHost(PROXIES, WORLDS["rocks"]())
    position = ring() + [71.0, 0.0, 0.0]  # in the window around x = 48; beyond x = 120 it is another one
    position[1:, 2] += host.raycast(position[1:] + [0.0, 0.0, 50.0], DOWN, 100.0).point[:, 2] + 0.05
    host.place(position, rotations(), np.tile([80.0, 0.0, 0.0], (7, 1)))
    host.apply(carried(PROXIES, load=3e4), still())
    saves, readings, windows = [], [], []
    for _ in range(24):
        saves.append(host.save())
        readings.append(host.step())
        windows.append(host._window)
    crossing = windows.index((2, 0))
    assert windows[0] == (1, 0) and 3 < crossing < 20
    touched = [reading.latched.any() for reading in readings]
    assert any(touched[:crossing]) and any(touched[crossing:])
    for index in (20, 0, crossing):
        other.restore(saves[index])
        for expected in readings[index:]:
            assert same_bits(other.step(), expected)


def test_windows_overlap_so_that_a_machine_at_the_border_of_one_is_well_within_the_next():
    length = 6.0
    for x in np.linspace(-300.0, 300.0, 601):
        window = ground_shapes.window_at(x, 0.4 * x, length)
        around = np.array(
            [[x + dx, 0.4 * x + dy] for dx in (-4 * length, 4 * length) for dy in (-4 * length, 4 * length)]
        )
        assert not ground_shapes.near_border(window, length, around)
        x0, x1, y0, y1 = ground_shapes.window_bounds(window, length)
        assert x0 < around[:, 0].min() and around[:, 0].max() < x1
        assert y0 < around[:, 1].min() and around[:, 1].max() < y1


def test_what_no_ray_of_nobody_meets_is_not_collided_with():
    world = build_world(
        [
            Plane(position=(0.0, 0.0, -1.0)),
            Plane(trigger=True),
            Plane(owner=0),
            Body(),
            Boxes(
                [[-50.0, -50.0, -1.0]] * 2, [[50.0, 50.0, 2.0]] * 2, owners=np.array([0, -1]), triggers=np.array([0, 1])
            ),
        ]
    )
    host = MujocoHost(PROXIES, world)
    assert (host._engine.model.geom_bodyid == 0).sum() == 1
    assert np.nanmax(engine_rays(host, np.array([[1.0, 2.0, 50.0]]))) == -1.0


def test_ground_that_a_callable_answers_for_is_refused():
    for name in ("mujoco", "penalty"):
        with pytest.raises(FootfallError, match="shape"):
            make_host(name, PROXIES, build_world([Plane(), Host()]))


def test_body_and_feet_meet_the_ground_and_not_one_another():
    host = MujocoHost(PROXIES, build_world([Plane()]))
    position = np.zeros((7, 3))
    position[:, 2] = 0.5  # all in one place, the body deep in the ground
    host.place(position, rotations(), still())
    reading = host.step()
    assert reading.velocity[0, 2] > 1.0
    np.testing.assert_allclose(reading.velocity[1:], np.tile([0.0, 0.0, -GRAVITY * PROXIES.dt], (6, 1)), atol=1e-12)


@pytest.mark.row("B11")
def test_proxies_of_other_masses_than_asked_for_are_refused():
    from footfall.drives.force.mujoco_model import check_masses

    host = MujocoHost(PROXIES, build_world([Plane()]))
    model = host._engine.model
    assert model.nbody - 1 == 7 and model.nv == 42
    np.testing.assert_array_equal(model.body_mass[1:], [6000.0] + [800.0] * 6)
    check_masses(model, PROXIES)
    with pytest.raises(FootfallError, match="kg"):
        check_masses(model, giant(feet=4))
    model.body_mass[3] = 801.0
    with pytest.raises(FootfallError, match="801"):
        check_masses(model, PROXIES)


def test_an_unknown_integrator_or_host_is_named_with_the_known_ones():
    with pytest.raises(FootfallError, match="Euler, implicitfast"):
        MujocoHost(PROXIES, build_world([Plane()]), "RK4")
    with pytest.raises(FootfallError, match="mujoco, penalty"):
        make_host("havok", PROXIES, build_world([Plane()]))


def test_without_mujoco_one_line_says_what_to_install(monkeypatch):
    load = builtins.__import__

    def refuse(name, *rest, **named):
        if name == "mujoco":
            raise ModuleNotFoundError("No module named 'mujoco'", name="mujoco")
        return load(name, *rest, **named)

    for module in ("mujoco_host", "mujoco_model"):
        monkeypatch.delitem(sys.modules, f"footfall.drives.force.{module}", raising=False)
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(FootfallError, match=r"footfall\[physics\]") as caught:
        make_host("mujoco", PROXIES, build_world([Plane()]))
    assert "\n" not in str(caught.value)


def test_an_engine_that_fails_shows_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    host = MujocoHost(PROXIES, build_world([Plane()]))
    host.place(ring() + [0.0, 0.0, 10.0], rotations(), still())
    forces = still()
    forces[2, 0] = np.nan
    host.apply(forces, still())
    reading = host.step()
    assert np.isnan(reading.position[2]).any()
    assert not list(tmp_path.iterdir())  # and nothing is left in the user's folder

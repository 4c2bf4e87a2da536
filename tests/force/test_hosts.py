"""What every host must do where feet touch the ground, and with saved moments: one suite over all hosts."""

from __future__ import annotations

import numpy as np
import pytest
from host_stands import (
    GRAVITY,
    LEG_LENGTH,
    LEVEL,
    carried,
    deepest,
    flat_host,
    giant,
    ring,
    rotations,
    same_bits,
    stand,
    still,
    turn,
)

from footfall.drives.force.host import Reading
from footfall.drives.force.hosts import HOSTS, make_host
from footfall.drives.force.sole import sole_of, sole_velocity, split_speed
from footfall.errors import FootfallError
from footfall.frames.arrays import angle_between
from footfall.world import Boxes, Heightfield, Mesh, Plane, build_world
from footfall.world.terrain import make_terrain, terrain_names

PROXIES = giant()
DT, N, H = PROXIES.dt, PROXIES.substeps, PROXIES.substep


@pytest.fixture(params=HOSTS)
def name(request):
    return request.param


@pytest.mark.row("B1")
def test_a_machine_is_one_body_and_its_feet(name):
    reading = flat_host(name).read()
    assert reading.position.shape == reading.velocity.shape == reading.angular_velocity.shape == (7, 3)
    assert reading.contact.shape == (6,)


def test_the_ground_bears_the_whole_weight_upwards(name):
    host = flat_host(name)
    reading = stand(host, ring(), 60)
    assert reading.contact.all()
    assert (reading.latched == N).all() and (reading.first_substep == 0).all() and len(reading.onsets) == 0
    assert (reading.force[:, 2] > 0.0).all()
    np.testing.assert_allclose(reading.force[:, 2].sum(), GRAVITY * PROXIES.masses.sum(), rtol=1e-6)
    np.testing.assert_allclose(reading.normal, np.tile([0.0, 0.0, 1.0], (6, 1)), atol=1e-12)
    assert (reading.gap <= 0.0).all()
    assert (reading.gap > -deepest(name, PROXIES, reading.force[:, 2].max())).all()
    assert (reading.point_count == 4).all()


@pytest.mark.row("B33")
def test_contact_point_sole_and_centre_of_a_foot_are_three_points(name):
    slope = np.radians(15.0)
    host = make_host(name, PROXIES, build_world([Plane.tilted(slope)]))
    tilt = turn((0, 1, 0), -slope)
    normal = np.array([-np.sin(slope), 0.0, np.cos(slope)])
    position = ring()
    position[1:, 2] = np.tan(slope) * position[1:, 0]  # on the ground,
    position[1:] += 0.1 * normal  # with the sole
    reading = stand(host, position, 60, rotation=tilt)
    sole = sole_of(reading.position[1:], reading.rotation[1:], PROXIES.sole_offsets)
    depth = deepest(name, PROXIES, 2e4)
    np.testing.assert_allclose(reading.normal, np.tile(normal, (6, 1)), atol=1e-6)
    assert np.abs(sole @ normal).max() < depth
    assert np.abs(reading.point @ normal).max() < depth
    np.testing.assert_allclose((reading.position[1:] - sole) @ normal, np.full(6, 0.1), atol=1e-3)
    # more of the load is on the lower side: by h tan(slope) for a resultant that goes straight down from the centre
    down = sole - reading.point
    load = carried(PROXIES)[1, 2]
    assert load < 0.0
    np.testing.assert_allclose(np.linalg.norm(down, axis=1), np.full(6, 0.1 * np.tan(slope)), rtol=0.05)
    assert (down[:, 0] > 0.0).all()


@pytest.mark.parametrize("friction, holds, slides", [(0.5, 26.0, 27.0), (0.2, 11.0, 12.0), (0.8, 38.0, 39.5)])
@pytest.mark.row("B134")
def test_a_foot_holds_below_the_angle_of_friction_and_slides_above_it(name, friction, holds, slides):
    assert np.tan(np.radians(holds)) < friction < np.tan(np.radians(slides))
    speed = {}
    for degrees in (holds, slides):
        slope = np.radians(degrees)
        proxies = giant(friction)
        host = make_host(name, proxies, build_world([Plane.tilted(slope)]))
        position = ring(height=50.0)
        position[1:, 2] = np.tan(slope) * position[1:, 0]
        position[1:] += 0.1 * np.array([-np.sin(slope), 0.0, np.cos(slope)])
        reading = stand(host, position, 60, load=0.0, rotation=turn((0, 1, 0), -slope))
        speed[degrees] = np.linalg.norm(reading.velocity[1:], axis=1)
    slope = np.radians(slides)
    free = 60 * DT * GRAVITY * (np.sin(slope) - friction * np.cos(slope))
    assert speed[holds].max() < 1e-5
    np.testing.assert_allclose(speed[slides], free, rtol=0.05)


INCLINE = np.radians(10.0)
INCLINES = {
    "plane": lambda: build_world([Plane.tilted(INCLINE)]),
    "box": lambda: build_world([Boxes([[-60, -60, -5.0]], [[60, 60, 0.0]], rotation=tuple(turn((0, 1, 0), -INCLINE)))]),
    "height field": lambda: build_world(
        [Heightfield(np.tile(np.tan(INCLINE) * np.arange(-60.0, 60.5, 1.5), (81, 1)), -60.0, -60.0, 1.5, 1.5)]
    ),
    "mesh": lambda: build_world(
        [Mesh([[a, b, a * np.tan(INCLINE)] for a in (-60, 60) for b in (-60, 60)], [[0, 2, 3], [0, 3, 1]])]
    ),
}


@pytest.mark.row("B35")
@pytest.mark.parametrize("incline", INCLINES)
def test_planted_feet_are_within_the_thresholds_of_a_stable_foot_on_an_incline(name, incline):
    host = make_host(name, PROXIES, INCLINES[incline]())
    normal = np.array([-np.sin(INCLINE), 0.0, np.cos(INCLINE)])
    position = ring(height=40.0)
    position[1:, 2] = np.tan(INCLINE) * position[1:, 0]
    position[1:] += 0.1 * normal
    rotation = turn((0, 1, 0), -INCLINE)
    reading = stand(host, position, 30, rotation=rotation)
    began = sole_of(reading.position[1:], reading.rotation[1:], 0.1)
    for _ in range(60):
        reading = host.step()
        speeds = split_speed(
            sole_velocity(reading.velocity[1:], reading.angular_velocity[1:], reading.rotation[1:], 0.1), normal
        )
        assert np.abs(speeds[0]).max() < 1e-4 and speeds[1].max() < 1e-5
    drift = sole_of(reading.position[1:], reading.rotation[1:], 0.1) - began
    assert np.linalg.norm(drift, axis=1).max() < 1e-5 * 60 * DT


@pytest.mark.parametrize("height", [0.05, 0.051, 0.0523])
def test_a_foot_that_hits_the_ground_does_not_bounce(name, height):
    host = flat_host(name)
    position, velocity = ring(), still()
    position[1:, 2] += height
    velocity[1:, 2] = -5.0
    host.place(position, rotations(), velocity)
    forces = carried(PROXIES, load=0.0)
    host.apply(forces, still())
    fastest = max(host.step().velocity[1:, 2].max() for _ in range(5))
    assert fastest < 0.1 * 5.0  # a damping ratio of 1 gives up to 0.2


def level_spots(host, random, count):
    """Centres for feet over ground: on steps and trenches, where the whole sole is on one level."""
    spots = []
    while len(spots) < count:
        x, y = random.uniform(-25.0, 40.0), random.uniform(-25.0, 25.0)
        corners = [(x + a, y + b, 200.0) for a in (-0.7, 0.0, 0.7) for b in (-0.7, 0.0, 0.7)]
        heights = host.raycast(corners, (0.0, 0.0, -1.0), 400.0).point[:, 2]
        if np.ptp(heights) < 1.0 and not any(np.hypot(x - a, y - b) < 3.0 for a, b, _ in spots):
            spots.append((x, y, heights.max() + 0.15))
    return np.array(spots)


@pytest.mark.parametrize("terrain", terrain_names())
def test_a_sole_rests_at_the_height_that_a_ray_finds(name, terrain):
    proxies = giant(friction=2.0)  # nothing slides
    host = make_host(name, proxies, make_terrain(terrain, LEG_LENGTH, scale=0.5).world)
    position = ring(height=300.0)
    position[1:] = level_spots(host, np.random.default_rng(5), 6)
    reading = stand(host, position, 90, load=0.0)
    resting = reading.contact & (np.linalg.norm(reading.velocity[1:], axis=1) < 1e-3)
    np.testing.assert_allclose(reading.force[resting, 2], GRAVITY * 800.0, rtol=0.02)
    assert (reading.normal[resting, 2] > 0.5).all()
    points = reading.points[resting]
    points = points[np.isfinite(points[..., 0])]
    assert len(points) >= 12  # most feet have come to rest
    ground = host.raycast(points + [0.0, 0.0, 5.0], (0.0, 0.0, -1.0), 10.0)
    assert (ground.found == 1).all()
    allowed = deepest(name, proxies, GRAVITY * 800.0) + 1e-5  # single precision of grids and plates
    assert np.abs(points[:, 2] - ground.point[:, 2]).max() < allowed
    assert -reading.gap[reading.contact].min() < allowed


def height_after(substeps, height, velocity, acceleration):
    """Height of a free foot's sole after so many semi-implicit substeps [m]."""
    return height + velocity * H * substeps + acceleration * H**2 * substeps * (substeps + 1) / 2


@pytest.mark.row("B36")
def test_the_first_substep_of_a_collision_is_known(name):
    host = flat_host(name)
    position, velocity = ring(), still()
    heights = np.array([0.01, 0.04, 0.07, 0.10, 0.13, 0.3])  # the last one stays in the air
    position[1:, 2] += heights
    velocity[1:, 2] = -5.0
    host.place(position, rotations(), velocity)
    reading = host.step()
    path = height_after(np.arange(N)[:, None], heights, -5.0, -GRAVITY)
    first = np.where((path < 0.0).any(axis=0), (path < 0.0).argmax(axis=0), -1)
    assert (first[:5] > 0).all() and first[5] == -1
    np.testing.assert_array_equal(reading.first_substep, first)
    np.testing.assert_array_equal(np.array(sorted(map(tuple, reading.onsets[:5])))[:, 0], first[:5])
    assert H <= 0.00139


@pytest.mark.row("B36")
def test_a_touch_that_is_over_at_the_end_of_the_frame_is_latched(name):
    host = flat_host(name)
    position, velocity, forces = ring(), still(), carried(PROXIES)
    rise = 30.0  # acceleration upwards [m/s²]
    forces[1:, 2] = (rise + GRAVITY) * 800.0
    velocity[1:, 2] = -0.5  # turns back after v/a = 12.5 substeps, v²/2a = 4.2 mm further down
    position[1:, 2] += 0.0038
    position[3, 2] += 1.0  # far from all ground
    host.place(position, rotations(), velocity)
    host.apply(forces, still())
    reading = host.step()
    touching = np.arange(6) != 2
    first = (height_after(np.arange(N), 0.0038, -0.5, rise) < 0.0).argmax()
    assert not reading.contact.any()
    assert (reading.latched[touching] > 0).all() and reading.latched[2] == 0
    assert (reading.first_substep[touching] == first).all() and reading.first_substep[2] == -1
    assert sorted(map(tuple, reading.onsets)) == [(first, foot) for foot in range(6) if foot != 2]
    assert (reading.force == 0.0).all() and (reading.point_count == 0).all()
    np.testing.assert_allclose(reading.normal[touching], np.tile([0.0, 0.0, 1.0], (5, 1)), atol=1e-9)
    np.testing.assert_allclose(reading.point[touching, 2], 0.0, atol=1e-3)
    assert np.isnan(reading.point[2]).all()
    assert host.step().latched.sum() == 0  # the next frame begins anew


TRIANGLE = ((0.5, 0.0), (-0.5, 0.4), (-0.5, -0.4))


def test_points_of_a_sole_polygon_are_told_apart(name):
    proxies = giant(polygon=TRIANGLE)
    host = flat_host(name, proxies)
    reading = stand(host, ring(), 60)
    assert (reading.point_count == 3).all()
    expected = np.array([(x, y, -0.1) for x, y in TRIANGLE]) + ring()[1:, None]
    np.testing.assert_allclose(reading.points[:, :3], expected, atol=2e-3)
    assert np.isnan(reading.points[:, 3]).all()
    toe_down = turn((0, 1, 0), 0.02)
    position = ring()
    position[:, 2] += 0.5 * np.sin(0.02) - 0.1 * (1.0 - np.cos(0.02))  # point 0 is on the ground
    forces = PROXIES.masses[:, None] * [0.0, 0.0, GRAVITY]
    forces[1:, 2] -= 100.0  # so little that the foot does not turn flat in two frames
    host.place(position, rotations(7, toe_down), still())
    host.apply(forces, still())
    host.step()
    reading = host.step()
    assert (reading.point_count == 1).all()
    assert np.isfinite(reading.points[:, 0]).all() and np.isnan(reading.points[:, 1:]).all()


def shake(host, random):
    host.apply(carried(host.proxies) + random.normal(size=(7, 3)) * 4e3, random.normal(size=(7, 3)) * 1e3)
    return host.step()


def wander(host, frames, seed):
    """Readings of a machine that is shaken about on its feet."""
    random = np.random.default_rng(seed)
    return [shake(host, random) for _ in range(frames)]


@pytest.mark.parametrize("terrain", ["flat", "rocks"])
def test_a_saved_moment_replays_bit_for_bit_in_mid_contact(name, terrain):
    world = make_terrain(terrain, LEG_LENGTH).world
    host, other = make_host(name, PROXIES, world), make_host(name, PROXIES, world)
    position = ring()
    position[1:, 2] += host.raycast(position[1:] + [0.0, 0.0, 50.0], (0.0, 0.0, -1.0), 100.0).point[:, 2] + 0.01
    host.place(position, rotations(), still())
    wander(host, 8, seed=1)
    saved = host.save()
    kept = saved.copy()
    before = host.read()
    assert before.contact.any() and (before.force[:, 2] > 0.0).any()
    first = wander(host, 12, seed=2)
    host.restore(saved)
    assert same_bits(host.read(), before)
    again = wander(host, 12, seed=2)
    other.restore(saved)
    assert same_bits(other.read(), before)
    elsewhere = wander(other, 12, seed=2)
    assert all(map(same_bits, first, again)) and all(map(same_bits, first, elsewhere))
    assert saved.tobytes() == kept.tobytes()  # a kept array is not written to
    assert saved.dtype == np.float64 and saved.ndim == 1


def test_a_held_wrench_is_part_of_a_saved_moment(name):
    host = flat_host(name)
    host.place(ring() + [0.0, 0.0, 100.0], rotations(), still())
    host.apply(PROXIES.masses[:, None] * [7.0, 0.0, GRAVITY], still())
    saved = host.save()
    host.apply(still(), still())
    host.restore(saved)
    np.testing.assert_allclose(host.step().velocity, np.tile([7.0 * DT, 0.0, 0.0], (7, 1)), atol=1e-12)


def test_two_hosts_share_nothing(name):
    alone = flat_host(name)
    alone.place(ring(), rotations(), still())
    expected = wander(alone, 6, seed=3)
    one, two = flat_host(name), flat_host(name)
    one.place(ring(), rotations(), still())
    two.place(ring() + [0.0, 0.0, 0.5], rotations(), still())
    random_one, random_two = np.random.default_rng(3), np.random.default_rng(4)
    for reading in expected:  # by turns
        assert same_bits(shake(one, random_one), reading)
        assert not same_bits(shake(two, random_two), reading)


def test_a_reading_is_the_callers_own(name):
    host = flat_host(name)
    reading = stand(host, ring(), 3)
    kept = Reading(*(array.copy() for array in reading))
    host.step()
    assert same_bits(reading, kept)
    for array in reading:
        array[...] = 0
    assert host.read().position.any()


def test_a_machine_that_is_placed_again_has_forgotten_everything(name):
    host = flat_host(name)
    stand(host, ring(), 5)
    reading = host.place(ring() + [0.0, 0.0, 50.0], rotations(), still())
    assert not reading.contact.any() and np.isnan(reading.point).all() and (reading.force == 0.0).all()
    np.testing.assert_allclose(host.step().velocity[:, 2], -GRAVITY * DT, rtol=1e-12)  # no wrench is left


def test_a_saved_moment_of_other_proxies_is_refused(name):
    with pytest.raises(FootfallError, match="shape"):
        flat_host(name).restore(flat_host(name, giant(feet=4)).save())


def test_rotations_that_are_read_have_unit_length(name):
    host = flat_host(name)
    host.place(ring() + [0.0, 0.0, 100.0], rotations(7, 2.0 * LEVEL), still(), np.ones((7, 3)))
    reading = host.step()
    np.testing.assert_allclose(np.linalg.norm(reading.rotation, axis=1), 1.0, rtol=1e-12)
    assert angle_between(reading.rotation, rotations(7)).min() > 0.01

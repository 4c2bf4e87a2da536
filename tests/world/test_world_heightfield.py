from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.world import Heightfield, build_world, cast, cast_ray, ground_height

DOWN = (0.0, 0.0, -1.0)


def random_field(seed: int, rows: int = 9, columns: int = 13, roughness: float = 0.3, periodic: bool = False, **common):
    heights = np.random.default_rng(seed).uniform(-roughness, roughness, (rows, columns))
    return Heightfield(heights, -1.1, -0.7, 0.2, 0.15, periodic, **common)


def field_triangles(field: Heightfield) -> np.ndarray:
    """All triangles ``[m, 3, 3]`` of a field, built from the docstring's rule and not from the kernel."""
    rows, columns = field.heights.shape

    def corner(j, i):
        return (field.x0 + i * field.dx, field.y0 + j * field.dy, field.heights[j, i])

    triangles = []
    for j in range(rows - 1):
        for i in range(columns - 1):
            triangles.append((corner(j, i), corner(j, i + 1), corner(j + 1, i + 1)))
            triangles.append((corner(j, i), corner(j + 1, i + 1), corner(j + 1, i)))
    return np.array(triangles)


def brute_force(triangles: np.ndarray, origin, direction, limit: float) -> float:
    """Nearest hit on one-sided triangles (Moller and Trumbore 1997); infinite for a miss."""
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    edge1, edge2 = b - a, c - a
    p = np.cross(direction, edge2)
    det = np.einsum("ij,ij->i", edge1, p)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = origin - a
        u = np.einsum("ij,ij->i", t, p) / det
        q = np.cross(t, edge1)
        v = q @ np.asarray(direction) / det
        way = np.einsum("ij,ij->i", edge2, q) / det
    hit = (det > 1e-14) & (u >= -1e-12) & (v >= -1e-12) & (u + v <= 1 + 1e-12) & (way >= 0) & (way <= limit)
    return way[hit].min() if hit.any() else math.inf


def slanted_rays(seed: int, count: int, above: float, flat: float = 1.0):
    random = np.random.default_rng(seed)
    points = np.stack([random.uniform(-1.0, 1.2, count), random.uniform(-0.6, 0.4, count), np.full(count, above)], 1)
    directions = random.normal(size=(count, 3)) * [1.0, 1.0, flat]
    directions[:, 2] = -abs(directions[:, 2]) - 0.02
    return points, directions / np.linalg.norm(directions, axis=1, keepdims=True)


@pytest.mark.parametrize("seed", range(4))
def test_slanted_rays_meet_the_same_triangles_as_brute_force(seed):
    field = random_field(seed)
    points, directions = slanted_rays(seed, 300, 0.31, flat=0.4)
    hit = cast(build_world([field]), points, directions, 10.0)
    triangles = field_triangles(field)
    for n in range(len(points)):
        expected = brute_force(triangles, points[n], directions[n], 10.0)
        assert (hit.found[n] == 1) == math.isfinite(expected), (points[n], directions[n])
        if hit.found[n] == 1:
            assert np.linalg.norm(hit.point[n] - points[n]) == pytest.approx(expected, abs=1e-11)
            assert hit.normal[n] @ directions[n] < 0.0


@pytest.mark.parametrize("seed", range(2))
def test_rays_from_outside_of_the_extent_meet_the_same_triangles_as_brute_force(seed):
    field = random_field(seed)
    random = np.random.default_rng(seed)
    points = random.uniform(-1.0, 1.0, (400, 3)) * [4.0, 4.0, 0.3]
    outside = (points[:, 0] < -1.1) | (points[:, 0] > 1.3) | (points[:, 1] < -0.7) | (points[:, 1] > 0.5)
    points = points[outside]
    directions = np.array([0.1, -0.1, 0.0]) + random.uniform(-0.8, 0.8, points.shape) * [1.0, 0.5, 0.3] - points
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    hit = cast(build_world([field]), points, directions, 20.0)
    triangles = field_triangles(field)
    for n in range(len(points)):
        expected = brute_force(triangles, points[n], directions[n], 20.0)
        found = np.linalg.norm(hit.point[n] - points[n]) if hit.found[n] == 1 else math.inf
        assert found == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("periodic", [False, True])
def test_the_vertical_path_equals_the_general_path(periodic):
    world = build_world([random_field(3, periodic=periodic)])
    points, _ = slanted_rays(3, 500, 1.0)
    vertical = cast(world, points, DOWN, 5.0)
    tilt = 1e-9  # enough to be no vertical ray, too little to matter
    general = cast(world, points, (tilt, tilt, -1.0), 5.0)
    assert (vertical.found == 1).all() and (general.found == 1).all()
    np.testing.assert_allclose(general.point[:, 2], vertical.point[:, 2], atol=1e-7)
    same = np.isclose(general.normal, vertical.normal, atol=1e-9).all(axis=1)
    assert same.mean() > 0.99  # those within 1e-9 of a diagonal may be on the other triangle


def test_the_diagonal_of_a_cell_runs_from_the_low_to_the_high_corner():
    world = build_world([Heightfield(np.array([[1.0, 0.0], [0.0, 0.0]]), 0.0, 0.0, 2.0, 4.0)])
    # along the diagonal from (0, 0) to (2, 4) the surface is one straight edge from 1 to 0
    np.testing.assert_allclose(
        ground_height(world, [[2 * s, 4 * s, 0] for s in (0.0, 0.25, 0.5, 1.0)]), [1, 0.75, 0.5, 0]
    )
    # beside it the height falls with the greater of both shares
    np.testing.assert_allclose(ground_height(world, [[1.5, 1.0, 0], [0.5, 3.0, 0]]), [0.25, 0.25])


def test_rays_equal_those_of_mujoco():
    mujoco = pytest.importorskip("mujoco")
    field = random_field(11, rows=8, columns=6)
    rows, columns = field.heights.shape
    low, high = field.heights.min(), field.heights.max()
    half = (0.5 * (columns - 1) * field.dx, 0.5 * (rows - 1) * field.dy)
    middle = (field.x0 + half[0], field.y0 + half[1], low)
    size = f"{half[0]} {half[1]} {high - low} 0.1"
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco>
          <asset><hfield name="h" nrow="{rows}" ncol="{columns}" size="{size}"/></asset>
          <worldbody><geom type="hfield" hfield="h" pos="{middle[0]} {middle[1]} {middle[2]}"/></worldbody>
        </mujoco>"""
    )
    model.hfield_data[:] = ((field.heights - low) / (high - low)).ravel()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    random = np.random.default_rng(5)
    points = np.array(middle) + random.uniform(-0.9, 0.9, (400, 3)) * [*half, 0.0] + [0.0, 0.0, 2 * high - low]
    directions = random.normal(size=(400, 3)) * [1.0, 1.0, 0.5]
    directions[:, 2] = -abs(directions[:, 2]) - 0.1
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    directions[:100] = DOWN
    hit = cast(build_world([field]), points, directions, 50.0)
    geom = np.zeros(1, np.int32)
    met = 0
    for n in range(400):
        expected = mujoco.mj_ray(model, data, points[n], directions[n], None, 1, -1, geom)
        if hit.found[n] == 1:
            met += 1  # its data are float32
            assert np.linalg.norm(hit.point[n] - points[n]) == pytest.approx(expected, abs=1e-6)
        else:
            assert expected == -1
    assert met > 100


@given(
    x=st.floats(-50, 50), y=st.floats(-50, 50), i=st.integers(-40, 40), j=st.integers(-40, 40),
    dx=st.floats(-1, 1), dy=st.floats(-1, 1),
)  # fmt: skip
@settings(max_examples=60)
def test_a_periodic_field_repeats_for_every_ray(x, y, i, j, dx, dy):
    field = random_field(7, periodic=True)
    world = build_world([field])
    direction = np.array([dx, dy, -0.3])
    direction /= np.linalg.norm(direction)
    way = []
    for shift in ((0.0, 0.0), (13 * 0.2 * i, 9 * 0.15 * j)):
        status, distance, _, _ = cast_ray(world, (x + shift[0], y + shift[1], 0.31), tuple(direction), 20.0, -1, -1)
        assert status == 1
        way.append(distance)
    assert way[0] == pytest.approx(way[1], abs=1e-8)


def test_a_periodic_field_equals_a_field_that_was_laid_out_many_times():
    field = random_field(9, periodic=True)
    tiled = Heightfield(np.tile(field.heights, (4, 4)), field.x0 - 13 * 0.2, field.y0 - 9 * 0.15, field.dx, field.dy)
    points, directions = slanted_rays(9, 400, 0.31)
    one, other = (
        cast(build_world([field]), points, directions, 1.2),
        cast(build_world([tiled]), points, directions, 1.2),
    )
    np.testing.assert_array_equal(one.found, other.found)
    np.testing.assert_allclose(one.point, other.point, atol=1e-12)
    np.testing.assert_allclose(one.normal, other.normal, atol=1e-9)


def test_a_level_ray_over_an_endless_field_ends():
    world = build_world([Heightfield(np.zeros((4, 4)), 0.0, 0.0, 1.0, 1.0, periodic=True)])
    assert cast_ray(world, (0.5, 0.5, 1e-7), (1.0, 0.0, 0.0), math.inf, -1, -1)[0] == 0


def test_a_flat_field_is_met_by_slanted_rays_at_its_height():
    world = build_world([Heightfield(np.full((3, 3), 0.7), -5.0, -5.0, 5.0, 5.0)])
    status, distance, normal, _ = cast_ray(world, (0.1, 0.2, 1.7), (0.6, 0.0, -0.8), 9.0, -1, -1)
    assert (status, distance) == (1, pytest.approx(1.25)) and normal == (0.0, 0.0, 1.0)


@pytest.mark.parametrize("heights", [np.full((3, 4), 0.7), np.linspace(0.2, 0.4, 12), np.linspace(-3.0, 1.0, 12)])
def test_heights_are_metres_as_they_were_stated(heights):  # FC-D14
    heights = np.reshape(heights, (3, 4))
    world = build_world([Heightfield(heights, 0.0, 0.0, 1.0, 2.0)])
    points = [[i, 2.0 * j, 0.0] for j in range(3) for i in range(4)]
    np.testing.assert_allclose(ground_height(world, points), heights.ravel(), atol=1e-9)


def test_a_peak_is_where_its_row_and_column_say():  # FC-D15
    heights = np.zeros((3, 3))
    heights[0, 2] = 1.0
    world = build_world([Heightfield(heights, -1.0, -1.0, 1.0, 1.0)])
    np.testing.assert_allclose(ground_height(world, [[1, -1, 0], [1, 1, 0], [-1, -1, 0], [-1, 1, 0]]), [1, 0, 0, 0])


def test_outside_of_a_field_is_a_hole():
    world = build_world([Heightfield(np.zeros((3, 3)), -1.0, -1.0, 1.0, 1.0)])
    height = ground_height(world, [[1.01, 0, 0], [0, -1.01, 0], [0, 0, 0], [1, 1, 0], [math.nan, 0, 0]])
    np.testing.assert_array_equal(height, [math.nan, math.nan, 0.0, 0.0, math.nan])

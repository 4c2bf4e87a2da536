from __future__ import annotations

import math

import numpy as np
import pytest

from footfall.errors import FootfallError
from footfall.world import cast
from footfall.world.terrain import make_terrain, terrain_names

LEG_LENGTHS = (0.05, 20.0)
DOWN, AHEAD = (0.0, 0.0, -1.0), (1.0, 0.0, 0.0)


def levels(terrain, x0, x1, y=0.0, count=4001):
    """Heights along +x, in units."""
    x = np.linspace(x0, x1, count) * terrain.unit
    return terrain.height(x, y * terrain.unit) / terrain.unit


def edges(heights, x0, x1):
    """Where heights jump, in units, and by how much."""
    jump = np.diff(heights)
    at = np.flatnonzero(abs(jump) > 1e-3)
    return x0 + (at + 0.5) * (x1 - x0) / (len(heights) - 1), jump[at]


@pytest.fixture(params=LEG_LENGTHS, ids=lambda size: f"leg {size} m")
def leg_length(request):
    return request.param


@pytest.mark.parametrize("name", terrain_names())
def test_a_machine_starts_at_the_origin_on_the_ground(name, leg_length):
    terrain = make_terrain(name, leg_length)
    assert terrain.name == name and terrain.start == (0.0, 0.0, 0.0) and terrain.contains(0.0, 0.0)
    assert terrain.height(0.0, 0.0) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("name", terrain_names())
def test_all_features_are_multiplied_by_leg_length_and_scale(name):
    small, large = make_terrain(name, 0.5), make_terrain(name, 2.0, scale=1.5)
    x, y = np.random.default_rng(0).uniform(-4, 4, (2, 300))
    np.testing.assert_allclose(small.height(x, y) * 6.0, large.height(6.0 * x, 6.0 * y), atol=1e-8)


@pytest.mark.parametrize("name", terrain_names())
def test_the_ground_has_no_hole_for_sixty_leg_lengths(name, leg_length):
    terrain = make_terrain(name, leg_length)
    x, y = np.random.default_rng(1).uniform(-60, 60, (2, 2000)) * leg_length
    assert np.isfinite(terrain.height(x, y)).all() and terrain.contains(x, y).all()


@pytest.mark.parametrize("name", terrain_names())
def test_a_patch_is_the_ground_that_rays_meet(name, leg_length):
    terrain = make_terrain(name, leg_length)
    bounds = np.array([-1.2, 5.3, -1.1, 1.3]) * leg_length
    vertices, triangles = terrain.patch(*bounds)
    corners = vertices[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    upward = normals[:, 2] > 1e-9 * leg_length**2
    centres = corners[upward].mean(axis=1)
    ground = terrain.height(centres[:, 0], centres[:, 1])
    on_top = np.isclose(ground, centres[:, 2], atol=1e-6 * leg_length)
    assert (ground >= centres[:, 2] - 1e-6 * leg_length).all() and on_top.mean() > 0.2  # others lie under blocks
    area = np.linalg.norm(normals[upward], axis=1) / 2 * normals[upward, 2] / np.linalg.norm(normals[upward], axis=1)
    assert area.sum() >= 0.999 * (bounds[1] - bounds[0]) * (bounds[3] - bounds[2])


def test_the_slope_rises_fifteen_degrees_along_x(leg_length):
    terrain = make_terrain("slope", leg_length)
    np.testing.assert_allclose(levels(terrain, -9, 9), np.tan(np.radians(15)) * np.linspace(-9, 9, 4001), atol=1e-9)
    hit = cast(terrain.world, [[0.0, leg_length, leg_length]], DOWN, 9 * leg_length)
    assert hit.normal[0] == pytest.approx((-math.sin(math.radians(15)), 0.0, math.cos(math.radians(15))))


def test_the_ramp_goes_up_and_down_at_ten_degrees_over_a_crest(leg_length):
    x = np.linspace(-3, 16, 4001)
    top = 4.0 * math.tan(math.radians(10))
    expected = np.interp(x, [1.5, 5.5, 7.5, 11.5], [0.0, top, top, 0.0])
    terrain = make_terrain("ramp", leg_length)
    for y in (0.0, 59.0, -59.0):
        np.testing.assert_allclose(levels(terrain, -3, 16, y), expected, atol=1e-8)


def test_steps_have_upright_risers_of_their_size(leg_length):
    terrain = make_terrain("steps", leg_length)
    for y in (0.0, 60.0, -60.0):
        at, jump = edges(levels(terrain, -1, 10, y, 11001), -1, 10)
        np.testing.assert_allclose(jump, [0.12] * 5 + [-0.12] * 5, atol=1e-9)
        np.testing.assert_allclose(at, [1.2, 1.8, 2.4, 3.0, 3.6, 5.1, 5.7, 6.3, 6.9, 7.5], atol=1e-3)
    low = [[0.0, 0.0, (0.12 * n + 0.06) * leg_length] for n in range(5)]
    hit = cast(terrain.world, low, AHEAD, 10 * leg_length)
    np.testing.assert_allclose(hit.point[:, 0], (1.2 + 0.6 * np.arange(5)) * leg_length)
    np.testing.assert_array_equal(hit.normal, [[-1.0, 0.0, 0.0]] * 5)


def test_trenches_have_their_width_depth_and_distance(leg_length):
    terrain = make_terrain("gaps", leg_length)
    for y in (0.0, 60.0):
        at, jump = edges(levels(terrain, -6.0, 62, y, 20001), -6.0, 62)
        near = at[jump < 0]
        far = at[jump > 0]
        np.testing.assert_allclose(far - near, 0.25, atol=8e-3)
        ahead = near[near > 0]
        np.testing.assert_allclose(ahead, 1.3 + 1.6 * np.arange(len(ahead)), atol=5e-3)
        assert len(ahead) > 35 and near[near < 0][-1] == pytest.approx(-1.55, abs=5e-3)
        np.testing.assert_allclose(abs(jump), 1.0, atol=1e-9)
    hit = cast(terrain.world, [[1.4 * leg_length, 0.0, -0.5 * leg_length]], AHEAD, leg_length)
    assert hit.point[0, 0] == pytest.approx(1.55 * leg_length) and tuple(hit.normal[0]) == (-1.0, 0.0, 0.0)


def test_rocks_can_be_walked_on_and_never_end(leg_length):
    terrain = make_terrain("rocks", leg_length)
    field = terrain.world.surfaces[0]
    assert field["periodic"] and min(field["rows"], field["columns"]) >= 256
    assert field["dx"] == field["dy"] == pytest.approx(0.08 * leg_length)
    x, y = np.random.default_rng(0).uniform(-1e3, 1e3, (2, 4000)) * leg_length
    hit = cast(terrain.world, np.stack([x, y, np.full_like(x, leg_length)], 1), DOWN, 9 * leg_length)
    steep = np.degrees(np.arccos(hit.normal[:, 2]))
    assert (steep < 35).mean() > 0.99 and np.percentile(steep, 90) > 10
    heights = hit.point[:, 2] / leg_length
    assert 0.1 < np.ptp(heights) < 0.35


def test_rocks_differ_by_seed_and_by_nothing_else():
    x, y = np.random.default_rng(0).uniform(-9, 9, (2, 100))
    first = make_terrain("rocks", 1.0, seed=3).height(x, y)
    np.testing.assert_array_equal(first, make_terrain("rocks", 1.0, seed=3).height(x, y))
    assert abs(first - make_terrain("rocks", 1.0, seed=4).height(x, y)).max() > 0.05


def test_jacksboro_has_the_cells_and_the_relief_of_the_land(leg_length):  # FC-D18
    from matplotlib import cbook

    elevation = cbook.get_sample_data("jacksboro_fault_dem.npz")["elevation"].astype(float)
    terrain = make_terrain("jacksboro", leg_length)
    field = terrain.world.surfaces[0]
    shrink = leg_length / 92.5  # a cell is 92.5 m from north to south and 74.6 m from east to west
    assert field["dy"] == leg_length
    assert field["dx"] == pytest.approx(74.6 * shrink, rel=1e-3)
    assert (field["rows"], field["columns"]) == elevation.shape
    for row, column in ((0, 0), (0, 402), (343, 0), (343, 402), (100, 250)):
        x = (column - 201) * field["dx"]
        y = (343 - row - 172) * field["dy"]  # row 0 is the northern one
        expected = (elevation[row, column] - elevation[343 - 172, 201]) * shrink
        assert terrain.height(x, y) == pytest.approx(expected, rel=1e-3, abs=1e-3 * leg_length)
    x0, x1, y0, y1 = terrain.extent
    assert x1 - x0 == pytest.approx(402 * field["dx"]) and y1 - y0 == pytest.approx(343 * field["dy"])
    assert not terrain.contains(x1 + leg_length, 0.0) and np.isnan(terrain.height(x1 + leg_length, 0.0))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("moon", 1.0), "terrain is 'moon'; known terrains: flat, slope, ramp, steps, rocks, gaps, jacksboro"),
        (("flat", 0.0), "must be positive"),
        (("flat", math.nan), "must be positive"),
        (("flat", 1.0, -2.0), "must be positive"),
        (("flat", 1.0, math.inf), "must be positive"),
    ],
)
def test_a_terrain_that_makes_no_sense_is_refused_in_one_line(arguments, says):
    with pytest.raises(FootfallError, match=says) as error:
        make_terrain(*arguments)
    assert "\n" not in str(error.value)

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.world import Boxes, Mesh, build_world, cast, cast_ray, ground_height
from footfall.world.surfaces import BOX
from footfall.world.tree import LEAF, build_tree


def brute_force(triangles, origin, direction):
    """Nearest hit of a ray on triangles ``[m, 3, 3]`` that face it, by plane and barycentric coordinates."""
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    normal = np.cross(b - a, c - a)
    facing = normal @ direction
    with np.errstate(divide="ignore", invalid="ignore"):
        way = np.einsum("ij,ij->i", normal, a - origin) / facing
    best = math.inf
    for n in np.flatnonzero((facing < 0) & (way >= 0)):
        basis = np.stack([b[n] - a[n], c[n] - a[n], normal[n]], 1)
        u, v, _ = np.linalg.solve(basis, origin + way[n] * direction - a[n])
        if u >= 0 and v >= 0 and u + v <= 1:
            best = min(best, way[n])
    return best


def box_by_sampling(low, high, origin, direction):
    """Distance to one box from outside, by the crossings of its six faces."""
    best = math.inf
    for axis in range(3):
        for face in (low[axis], high[axis]):
            if direction[axis] == 0.0:
                continue
            way = (face - origin[axis]) / direction[axis]
            point = origin + way * direction
            others = [k for k in range(3) if k != axis]
            if way >= 0.0 and all(low[k] <= point[k] <= high[k] for k in others):
                best = min(best, way)
    return best


@given(seed=st.integers(0, 10**6), count=st.integers(1, 60), spread=st.sampled_from([0.0, 0.1, 3.0]))
@settings(max_examples=40)
def test_a_mesh_is_met_where_brute_force_meets_it(seed, count, spread):
    random = np.random.default_rng(seed)
    centres = random.normal(size=(count, 1, 3)) * spread
    corners = centres + random.normal(size=(count, 3, 3))
    world = build_world([Mesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))])
    for _ in range(20):
        origin = random.normal(size=3) * 3
        direction = random.normal(size=3) - origin
        direction /= np.linalg.norm(direction)
        status, distance, normal, _ = cast_ray(world, tuple(origin), tuple(direction), 1e3, -1, -1)
        expected = brute_force(corners, origin, direction)
        assert (status == 1) == math.isfinite(expected)
        if status == 1:
            assert distance == pytest.approx(expected, abs=1e-9)
            assert np.dot(normal, direction) < 0


@given(seed=st.integers(0, 10**6), count=st.integers(1, 60))
@settings(max_examples=40)
def test_boxes_are_met_where_brute_force_meets_them(seed, count):
    random = np.random.default_rng(seed)
    low = random.uniform(-3, 3, (count, 3))
    high = low + random.uniform(0.05, 1.5, (count, 3))
    world = build_world([Boxes(low, high)])
    for n in range(20):
        origin = random.uniform(-5, 5, 3)
        direction = random.normal(size=3) - 0.3 * origin
        if n % 4 == 0:
            direction[[n % 3, (n + 1) % 3]] = 0.0
        direction /= np.linalg.norm(direction)
        status, distance, normal, _ = cast_ray(world, tuple(origin), tuple(direction), 1e3, -1, -1)
        if ((low < origin) & (origin < high)).all(axis=1).any():
            expected = 0.0
        else:
            expected = min(box_by_sampling(a, b, origin, direction) for a, b in zip(low, high, strict=True))
        assert (status == 1) == math.isfinite(expected)
        if status == 1:
            assert distance == pytest.approx(expected, abs=1e-9)
            assert np.dot(normal, direction) < 0


def test_rays_on_boxes_equal_those_of_mujoco():
    mujoco = pytest.importorskip("mujoco")
    random = np.random.default_rng(2)
    low = random.uniform(-2, 2, (30, 3))
    high = low + random.uniform(0.1, 0.8, (30, 3))
    geoms = ""
    for middle, half in zip((0.5 * (low + high)).tolist(), (0.5 * (high - low)).tolist(), strict=True):
        geoms += '<geom type="box" pos="{} {} {}" size="{} {} {}"/>'.format(*middle, *half)
    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{geoms}</worldbody></mujoco>")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    points = random.normal(size=(200, 3))
    points *= 6 / np.linalg.norm(points, axis=1, keepdims=True)
    directions = random.normal(size=(200, 3)) - points
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    hit = cast(build_world([Boxes(low, high)]), points, directions, 100.0)
    geom = np.zeros(1, np.int32)
    for n in range(200):
        expected = mujoco.mj_ray(model, data, points[n], directions[n], None, 1, -1, geom)
        found = np.linalg.norm(hit.point[n] - points[n]) if hit.found[n] == 1 else -1
        assert found == pytest.approx(expected, abs=1e-9)


def test_heights_on_a_mesh_equal_those_that_trimesh_finds_closest():
    trimesh = pytest.importorskip("trimesh")
    ball = trimesh.creation.icosphere(subdivisions=3, radius=2.0)
    world = build_world([Mesh(ball.vertices, ball.faces)])
    points = np.random.default_rng(0).uniform(-1.2, 1.2, (200, 3))
    hit = cast(world, points + [0.0, 0.0, 5.0], (0.0, 0.0, -1.0), 20.0)
    assert (hit.found == 1).all()
    _, distance, face = trimesh.proximity.closest_point_naive(ball, hit.point)
    assert distance.max() < 1e-12
    np.testing.assert_allclose(hit.normal, ball.face_normals[face], atol=1e-9)


def test_no_ray_slips_through_the_seams_of_a_mesh():
    n = 12
    x, y = np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n))
    z = np.random.default_rng(0).uniform(-0.2, 0.2, x.shape)
    vertices = np.stack([x, y, z], -1).reshape(-1, 3)
    index = np.arange(n * n).reshape(n, n)
    a, b, c, d = (part.ravel() for part in (index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]))
    mesh = Mesh(vertices, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]))
    inner = index[1:-1, 1:-1].ravel()
    for share in (0.0, 0.25, 0.5, 1.0 / 3.0):
        points = (1 - share) * vertices[inner] + share * vertices[inner + n + 1]  # along diagonals, through corners
        assert (cast(build_world([mesh]), points + [0, 0, 2.0], (0.0, 0.0, -1.0), 9.0).found == 1).all()
        direction = np.array([0.3, -0.2, -1.0])
        assert (cast(build_world([mesh]), points - 2.0 * direction, direction, 9.0).found == 1).all()


def test_a_vertical_ray_onto_a_shared_face_of_two_boxes_meets_their_top():
    world = build_world([Boxes([[0, 0, 0], [1, 0, 0]], [[1, 1, 1], [2, 1, 1]])])
    np.testing.assert_array_equal(ground_height(world, [[0, 0.5, 5], [1, 0.5, 5], [2, 1, 5]]), [1, 1, 1])


@pytest.mark.parametrize("count", [1, LEAF, LEAF + 1, 500])
def test_a_tree_holds_every_item_once_and_within_its_nodes(count):
    random = np.random.default_rng(count)
    low = np.round(random.uniform(-1, 1, (count, 3)), 1)  # many centres are the same
    high = low + 0.1
    nodes, order = build_tree(low, high)
    assert sorted(order) == list(range(count))
    leaves = nodes[nodes["count"] > 0]
    assert leaves["count"].sum() == count and leaves["count"].max() <= LEAF
    for place, node in enumerate(nodes):
        under = nodes[place : node["skip"]]
        assert (under["low"] >= node["low"]).all() and (under["high"] <= node["high"]).all()
        items = order[node["first"] : node["first"] + node["count"]]
        assert (low[items] >= node["low"]).all() and (high[items] <= node["high"]).all()


def test_a_tree_over_items_at_one_place_is_cut_in_the_middle():
    low = np.zeros((100, 3))
    nodes, _ = build_tree(low, low + 1.0)
    assert nodes[nodes["count"] > 0]["count"].max() <= LEAF


def test_a_record_of_a_box_keeps_its_own_flags_through_the_tree():
    low = np.arange(20.0)[:, None] * [1.0, 0, 0]
    world = build_world([Boxes(low, low + 0.5, owners=np.arange(20))])
    assert world.boxes.dtype == BOX
    for box in world.boxes:
        assert box["owner"] == round(box["low"][0])

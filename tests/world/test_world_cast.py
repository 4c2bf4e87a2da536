from __future__ import annotations

import math

import numpy as np
import pytest

from footfall.errors import FootfallError
from footfall.world import (
    ALL_LAYERS,
    HIT,
    MISS,
    NOBODY,
    UNOWNED,
    Boxes,
    Heightfield,
    Mesh,
    Plane,
    build_world,
    cast,
    cast_ray,
    delete_surface,
    ground_height,
    trace_ground,
)

pytestmark = pytest.mark.nojit

DOWN, UP = (0.0, 0.0, -1.0), (0.0, 0.0, 1.0)
FIELD = Heightfield(np.zeros((3, 3)), -5.0, -5.0, 5.0, 5.0)
BOX = Boxes([[-2.0, -2.0, -0.5]], [[2.0, 2.0, 0.0]])
SQUARE = ([[-2, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0]], [[0, 1, 2], [0, 2, 3]])


def ray(world, origin, direction, limit=100.0, owner=NOBODY, mask=ALL_LAYERS):
    return cast_ray(world, tuple(map(float, origin)), tuple(map(float, direction)), limit, owner, mask)


@pytest.mark.parametrize("surface", [Plane(), FIELD, BOX], ids=["plane", "heightfield", "box"])
@pytest.mark.parametrize("direction", [DOWN, (0.6, 0.0, -0.8)], ids=["down", "slanted"])
def test_a_foot_two_centimetres_in_the_ground_is_never_in_the_air(surface, direction):  # FC-D01
    status, distance, normal, index = ray(build_world([surface]), (0.1, 0.2, -0.02), direction)
    assert (status, distance, index) == (HIT, 0.0, 0)
    assert normal == pytest.approx(UP)


def test_a_ray_from_above_measures_how_deep_a_foot_is_in_the_ground():  # FC-D01
    for surface in (Plane(), FIELD, BOX, Mesh(*SQUARE)):
        status, ground, normal, _ = trace_ground(
            build_world([surface]), (0.1, 0.2, -0.02), UP, 0.5, 0.5, NOBODY, ALL_LAYERS
        )
        assert status == HIT and ground[2] + 0.02 == pytest.approx(0.02) and normal == pytest.approx(UP)


def test_a_miss_is_a_miss_and_no_number_looks_like_ground():  # FC-D02
    world = build_world([BOX])
    status, distance, normal, surface = ray(world, (3.0, 0.0, 1.0), DOWN)
    assert (status, distance, normal, surface) == (MISS, math.inf, (0.0, 0.0, 0.0), -1)
    hit = cast(world, [[3.0, 0.0, 1.0], [0.0, 0.0, 1.0]], DOWN, 10.0)
    np.testing.assert_array_equal(hit.found, [0, 1])
    assert np.isnan(hit.point[0]).all() and np.isfinite(hit.point[1]).all()
    np.testing.assert_array_equal(hit.surface, [-1, 0])
    np.testing.assert_array_equal(ground_height(world, [[3.0, 0.0, 0.0], [0.0, 0.0, 0.0]]), [math.nan, 0.0])
    assert trace_ground(world, (3.0, 0.0, 0.0), UP, 1.0, 1.0, NOBODY, ALL_LAYERS)[:2] == (MISS, (3.0, 0.0, 0.0))


def test_a_gap_in_a_mesh_is_a_hole_from_every_side():  # FC-D02
    sides = [Mesh(*SQUARE, position=(-2.2, 0.0, 0.0)), Mesh(*SQUARE, position=(2.2, 0.0, 0.0))]
    world = build_world(sides)
    heights = ground_height(world, [[x, 0.3, 0.0] for x in (-0.21, -0.19, 0.0, 0.19, 0.21)])
    np.testing.assert_array_equal(heights, [0.0, math.nan, math.nan, math.nan, 0.0])
    assert ray(world, (-1.0, 0.3, 0.01), (1, 0, 0))[0] == MISS  # and no obstacle


def test_the_limit_is_part_of_the_ray_and_no_more():
    world = build_world([Plane()])
    assert ray(world, (0, 0, 2), DOWN, 2.0)[:2] == (HIT, 2.0)
    assert ray(world, (0, 0, 2), DOWN, 1.999)[0] == MISS
    assert ray(world, (0, 0, 2), UP)[0] == MISS
    assert ray(world, (0, 0, 2), (1, 0, 0), math.inf)[0] == MISS


def test_own_parts_triggers_and_other_layers_never_count():  # FC-D03
    ground = Plane()
    hull = Boxes([[-1, -1, 1.0]], [[1, 1, 1.2]], owner=3, layer=2)
    trigger = Boxes([[-1, -1, 0.3]], [[1, 1, 0.5]], trigger=True)
    world = build_world([ground, hull, trigger])
    start = (0.0, 0.0, 2.0)
    assert ray(world, start, DOWN)[3] == 1
    assert ray(world, start, DOWN, owner=3)[3] == 0  # its own hull
    assert ray(world, start, DOWN, owner=4)[3] == 1  # another walker's back is ground
    assert ray(world, start, DOWN, owner=4, mask=1)[3] == 0  # unless its layer does not count
    assert ray(world, start, DOWN, owner=UNOWNED)[3] == 0
    assert ray(world, (0, 0, 1.1), DOWN, owner=3)[:2] == (HIT, pytest.approx(1.1))  # nor from inside of it


def test_each_box_has_its_own_owner_layer_and_trigger():  # FC-D03
    low, high = [[0, 0, 1], [0, 0, 2], [0, 0, 3]], [[1, 1, 1.5], [1, 1, 2.5], [1, 1, 3.5]]
    boxes = Boxes(low, high, owners=[-1, 7, -1], layers=[-1, -1, 4], triggers=[False, False, True], layer=6)
    world = build_world([boxes])
    start = (0.5, 0.5, 9.0)
    assert ray(world, start, DOWN)[1] == pytest.approx(6.5)
    assert ray(world, start, DOWN, owner=7)[1] == pytest.approx(7.5)
    hit = cast(world, [start], DOWN, 20.0)
    assert hit.layer[0] == 6
    assert ray(world, start, DOWN, mask=1)[0] == MISS
    world = build_world([Boxes([[0, 0, 0]], [[1, 1, 1]], layers=4, layer=6)])
    assert cast(world, [start], DOWN, 20.0).layer[0] == 4


def test_what_is_met_from_behind_is_passed():
    world = build_world([Mesh(*SQUARE)])
    assert ray(world, (0.3, 0.1, -1), UP)[0] == MISS
    assert ray(world, (0.3, 0.1, 1), DOWN)[:3] == (HIT, 1.0, UP)


def test_a_sole_on_a_face_may_leave_it_and_slide_along_it():
    for surface in (Plane(), FIELD, BOX, Mesh(*SQUARE)):
        world = build_world([surface])
        assert ray(world, (0.3, 0.1, 0.0), UP)[0] == MISS
        assert ray(world, (0.3, 0.1, 0.0), (1.0, 0.0, 0.0))[0] == MISS
        assert ray(world, (0.3, 0.1, 0.0), DOWN)[:2] == (HIT, 0.0)


def test_the_nearest_of_all_surfaces_is_met():
    surfaces = [Plane(position=(0, 0, -1)), BOX, Mesh(*SQUARE, position=(0, 0, 0.5)), FIELD]
    for order in ([0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]):
        status, distance, _, index = ray(build_world([surfaces[n] for n in order]), (0.3, 0.1, 2.0), DOWN)
        assert (status, distance, order[index]) == (HIT, pytest.approx(1.5), 2)


def test_what_is_gone_is_never_met():
    world = build_world([Plane(position=(0, 0, -1)), BOX])
    assert ray(world, (0, 0, 1), DOWN)[3] == 1
    delete_surface(world, 1)
    assert ray(world, (0, 0, 1), DOWN)[3] == 0


def test_a_placed_surface_is_met_as_if_the_ray_were_placed_the_other_way():
    random = np.random.default_rng(1)
    field = random.uniform(-0.3, 0.3, (12, 12))
    q = random.normal(size=4)
    q /= np.linalg.norm(q)
    shapes = [
        lambda **pose: Heightfield(field, -1.0, -1.0, 0.2, 0.2, **pose),
        lambda **pose: Boxes([[-1.0, -1.0, -0.5]], [[1.0, 1.0, 0.3]], **pose),
        lambda **pose: Mesh(*SQUARE, **pose),
        lambda **pose: Plane(**pose),
    ]
    w, v = q[0], q[1:]
    turn = (w * w - v @ v) * np.eye(3) + 2 * np.outer(v, v) + 2 * w * np.cross(np.eye(3), v)  # textbook formula
    position = np.array([3.0, -2.0, 1.0])
    points = np.stack([*random.uniform(-1, 1, (2, 200)), np.full(200, 2.0)], 1)
    directions = random.uniform(-0.5, 0.5, (200, 3)) + [0, 0, -1]
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    for shape in shapes:
        still = cast(build_world([shape()]), points, directions, 9.0)
        placed = cast(
            build_world([shape(position=tuple(position), rotation=tuple(q))]), points @ turn.T + position,
            directions @ turn.T, 9.0,
        )  # fmt: skip
        np.testing.assert_array_equal(placed.found, still.found)
        np.testing.assert_allclose(placed.point, still.point @ turn.T + position, atol=1e-9)
        np.testing.assert_allclose(placed.normal, still.normal @ turn.T, atol=1e-9)


def test_numbers_that_are_none_miss_everything_and_break_nothing():
    random = np.random.default_rng(0)
    periodic = Heightfield(random.uniform(0, 1, (4, 4)), 0, 0, 1, 1, periodic=True)
    for surface in (Plane(), FIELD, periodic, BOX, Mesh(*SQUARE)):
        world = build_world([surface])
        for bad in (math.nan, math.inf, -math.inf, 1e300):
            for place in range(2):
                origin = [0.2, 0.1, 3.0]
                origin[place] = bad
                for direction in (DOWN, (0.6, 0.0, -0.8)):
                    ray(world, origin, direction)  # comes back
            assert ray(world, (0.2, 0.1, math.nan), DOWN)[0] == MISS
            assert ray(world, (0.2, 0.1, 3.0), (math.nan, math.nan, math.nan))[0] == MISS
        assert ray(world, (0.2, 0.1, 3.0), DOWN, math.nan)[0] == MISS


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Heightfield([[0, math.nan], [0, 0]], 0, 0, 1, 1), r"heights\[0\]\[1\] is nan"),
        (lambda: Heightfield([[0, 1]], 0, 0, 1, 1), "2 rows and 2 columns"),
        (lambda: Heightfield([[0, 1], [0, 0]], 0, 0, 0, 1), "dx is 0; a cell's width must be positive"),
        (lambda: Heightfield([[0, 1], [0, 0]], math.inf, 0, 1, 1), "x0, y0"),
        (lambda: Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 3]]), r"triangles\[0\] is .*vertices are 0 to 2"),
        (lambda: Mesh([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]]), "none has an area"),
        (lambda: Mesh([[0, 0, 0], [1, 0, math.inf], [2, 0, 0]], [[0, 1, 2]]), r"vertices\[1\]\[2\] is inf"),
        (lambda: Boxes([[0, 0, 0]], [[1, 0, 1]]), "box 0 reaches from 0.0 to 0.0 along y"),
        (lambda: Boxes(np.zeros((0, 3)), np.zeros((0, 3))), "no box"),
        (lambda: Boxes([[0, 0, 0]], [[1, 1, 1]], owners=[1, 2]), "owners: shape"),
        (lambda: Plane(rotation=(0.0, 0.0, 0.0, 0.0)), "must have a length"),
        (lambda: Plane(position=(0.0, math.nan, 0.0)), r"position\[1\] is nan"),
        (lambda: build_world(["plane"]), "surface 0 is 'plane'; expected one of Plane"),
        (lambda: cast(build_world([]), [[0, 0]], DOWN, 1.0), "points: shape"),
    ],
)
def test_bad_input_is_refused_in_one_clear_line(make, says):
    with pytest.raises(FootfallError, match=says) as error:
        make()
    assert "\n" not in str(error.value)


def test_an_empty_world_is_a_hole():
    assert ray(build_world([]), (0, 0, 1), DOWN)[0] == MISS


def test_one_compile_serves_every_world():
    worlds = [build_world([]), build_world([Plane()]), build_world([FIELD, BOX, Mesh(*SQUARE)])]
    for world in worlds:
        ray(world, (0, 0, 1), DOWN)
    if hasattr(cast_ray, "signatures"):
        before = len(cast_ray.signatures)
        for world in worlds:
            ray(world, (0, 0, 1), DOWN)
        assert len(cast_ray.signatures) == before
    import numba

    assert len({numba.typeof(world) for world in worlds}) == 1

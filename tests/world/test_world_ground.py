from __future__ import annotations

import numpy as np
import pytest

from footfall.world import (
    ALL_LAYERS,
    HIT,
    MISS,
    NOBODY,
    Boxes,
    Plane,
    build_world,
    ground_height,
    trace_ground,
    trace_ground_past_own,
)

pytestmark = pytest.mark.nojit

UP = (0.0, 0.0, 1.0)
WALKER, OTHER = 5, 6
ABOVE, BELOW, SKIP, TRIES = 5.0, 10.0, 0.05, 3  # rows A23 and A24


def plate(height: float, owner: int = NOBODY, thickness: float = 0.02) -> Boxes:
    return Boxes([[-1.0, -1.0, height - thickness]], [[1.0, 1.0, height]], owner=owner)


def excluding(world, point=(0.0, 0.0, 0.0), owner=WALKER):
    return trace_ground(world, point, UP, ABOVE, BELOW, owner, ALL_LAYERS)


def past_own(world, point=(0.0, 0.0, 0.0), owner=WALKER):
    return trace_ground_past_own(world, point, UP, ABOVE, BELOW, owner, SKIP, TRIES)


@pytest.mark.row("A23")
@pytest.mark.parametrize("trace", [excluding, past_own])
def test_ground_is_found_from_five_above_to_ten_below(trace):
    for height, found in ((4.9, True), (5.1, False), (-9.9, True), (-10.1, False), (0.0, True)):
        status, ground, normal, surface = trace(build_world([plate(height, OTHER)]))
        assert (status == HIT) == found, height
        if found:
            assert ground == pytest.approx((0.0, 0.0, height)) and normal == UP and surface == 0
        else:
            assert status == MISS


@pytest.mark.row("A23")
def test_the_owner_is_excluded_from_the_ray():
    status, ground, _, _ = excluding(build_world([plate(2.0, WALKER), plate(1.0, OTHER)]))
    assert status == HIT and ground[2] == pytest.approx(1.0)


@pytest.mark.row("A24")
@pytest.mark.parametrize("own", [[], [1.0], [1.0, 0.8]])
def test_own_plates_above_the_ground_are_passed(own):
    world = build_world([plate(0.2), *(plate(height, WALKER) for height in own), plate(-0.5)])
    status, ground, _, surface = past_own(world)
    assert status == HIT and surface == 0 and ground[2] == pytest.approx(0.2)


@pytest.mark.row("A24")
def test_the_next_try_starts_a_skip_below_the_own_part():
    thin = build_world([plate(1.0, WALKER), plate(0.975, OTHER, 0.001), plate(0.0)])
    assert past_own(thin)[1][2] == pytest.approx(0.0)  # within the skip: not seen
    lower = build_world([plate(1.0, WALKER), plate(0.949, OTHER, 0.001), plate(0.0)])
    assert past_own(lower)[1][2] == pytest.approx(0.949)


@pytest.mark.row("A24")
def test_a_part_of_another_walker_is_ground():
    assert past_own(build_world([plate(1.0, OTHER), plate(0.0)]))[1][2] == pytest.approx(1.0)


@pytest.mark.row("A24")
def test_own_boxes_of_a_surface_that_nobody_owns_are_passed():
    mixed = Boxes([[-1, -1, 0.9], [-1, -1, -0.1]], [[1, 1, 1.0], [1, 1, 0.0]], owners=[WALKER, -1])
    world = build_world([mixed])
    assert trace_ground_past_own(world, (0.0, 0.0, 0.0), UP, ABOVE, BELOW, WALKER, 0.2, TRIES)[1][2] == pytest.approx(
        0.0
    )


@pytest.mark.row("A25")
def test_four_own_plates_give_the_height_of_the_terrain():
    plates = [plate(height, WALKER) for height in (2.0, 1.8, 1.6, 1.4)]
    other = plate(1.0, OTHER)  # would be the fifth try's
    status, ground, _, surface = past_own(build_world([Plane(position=(0, 0, -0.3)), *plates, other]))
    assert status == HIT and surface == 0 and ground == pytest.approx((0.0, 0.0, -0.3))


@pytest.mark.row("A25")
def test_a_void_gives_the_height_of_the_terrain_however_deep():
    status, ground, _, _ = past_own(build_world([Plane(position=(0, 0, -40.0))]), (3.0, 4.0, 1.0))
    assert status == HIT and ground == pytest.approx((3.0, 4.0, -40.0))
    assert past_own(build_world([plate(-20.0, OTHER)]))[0] == MISS  # nobody's terrain there


def test_ground_is_traced_along_any_up():
    up = np.array([0.6, 0.0, 0.8])
    wall = build_world([Boxes([[-10.0, -10.0, -10.0]], [[-1.0, 10.0, 10.0]])])
    status, ground, normal, _ = trace_ground(wall, (0.0, 0.0, 0.0), tuple(up), 0.5, 5.0, NOBODY, ALL_LAYERS)
    assert status == HIT and normal == (1.0, 0.0, 0.0)
    assert ground == pytest.approx(tuple(-up / 0.6))


def test_heights_come_in_batches_whatever_height_the_points_have():
    world = build_world([Plane.tilted(0.3, heading=np.pi / 2)])
    points = np.random.default_rng(0).uniform(-5, 5, (50, 3))
    np.testing.assert_allclose(ground_height(world, points), np.tan(0.3) * points[:, 1], atol=1e-9)

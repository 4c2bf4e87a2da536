from __future__ import annotations

import numpy as np
import pytest

from footfall.compile import kernel
from footfall.errors import FootfallError
from footfall.world import (
    HIT,
    MISS,
    NOT_LOADED,
    Answer,
    Body,
    Boxes,
    Host,
    answer_pending,
    build_world,
    cast_ray,
    clear_memo,
    has_host,
    move_surface,
    trace_ground,
)

pytestmark = pytest.mark.nojit

DOWN, UP = (0.0, 0.0, -1.0), (0.0, 0.0, 1.0)


def flat_host(rays):
    return [Answer(ray["origin"][2] / -ray["direction"][2], UP) if ray["direction"][2] < 0 else False for ray in rays]


def ray(world, origin, direction=DOWN, limit=10.0, owner=-1, mask=-1):
    return cast_ray(world, origin, direction, limit, owner, mask)


def test_an_unknown_ray_is_not_loaded_until_the_host_has_answered():
    world = build_world([Host()])
    assert ray(world, (0.5, 0.0, 2.0))[0] == NOT_LOADED
    assert answer_pending(world, flat_host)
    assert ray(world, (0.5, 0.0, 2.0)) == (HIT, 2.0, UP, 0)
    assert not answer_pending(world, flat_host)


@kernel
def walk_down(world, rays):
    """Each ray starts from where the last one hit."""
    x, height = 0.0, 0.0
    for _ in range(rays):
        status, ground, normal, surface = trace_ground(world, (x, 0.0, height), UP, 1.0, 5.0, -1, -1)
        if status != 1:
            return status, x, height
        x, height = x + 0.5, ground[2]
    return 1, x, height


def test_a_tick_runs_again_until_nothing_is_pending_and_asks_each_ray_once():
    world, asked = build_world([Host()]), []

    def slope(rays):
        asked.extend(tuple(r) for r in rays[["origin", "direction"]])
        return [Answer(r["origin"][2] + 0.2 * r["origin"][0], (0.2, 0, 1.0)) for r in rays]

    for tick in range(2):
        clear_memo(world)
        runs = 0
        while True:
            result = walk_down(world, 6)
            runs += 1
            if not answer_pending(world, slope):
                break
        assert runs == 7 and result == (1, 3.0, pytest.approx(-0.2 * 2.5))
        assert len(asked) == 6 * (tick + 1)


def test_a_miss_and_ground_that_is_not_loaded_are_kept_as_such():
    world = build_world([Host()])
    rays = [(float(n), 0.0, 2.0) for n in range(4)]
    for origin in rays:
        ray(world, origin)
    assert answer_pending(world, lambda rays: [None, False, Answer(2.0, (0, 0, 3.0)), (50.0, UP)])
    assert [ray(world, origin)[0] for origin in rays] == [NOT_LOADED, MISS, HIT, MISS]  # the last one is too far
    assert ray(world, rays[2])[2] == UP
    assert not answer_pending(world, flat_host)


def test_rays_that_differ_in_any_number_are_different_rays():
    world = build_world([Host()])
    near, nearly = (1.0, 0.0, 2.0), (np.nextafter(1.0, 2.0), 0.0, 2.0)
    variants = [
        (near, DOWN, 10.0, -1, -1),
        (nearly, DOWN, 10.0, -1, -1),
        (near, UP, 10.0, -1, -1),
        (near, DOWN, 10.5, -1, -1),
        (near, DOWN, 10.0, 0, -1),
        (near, DOWN, 10.0, -1, 1),
    ]
    for _ in range(2):
        for variant in variants:
            ray(world, *variant)
    assert world.asked[0] == len(variants)


def test_many_rays_are_told_apart():
    world = build_world([Host(capacity=5000)])
    points = [tuple(p) for p in np.random.default_rng(0).integers(0, 70, (5000, 3)) / 4.0]
    for _ in range(2):
        for point in points:
            ray(world, point)
        answer_pending(world, flat_host)
    assert world.asked[0] == len(set(points))
    for point in points:
        assert ray(world, point, limit=10.0)[0] == (HIT if point[2] <= 10.0 else MISS)


def test_a_host_that_is_asked_too_much_says_so():
    world = build_world([Host(capacity=2)])
    for x in (0.0, 1.0, 2.0):
        assert ray(world, (x, 0.0, 1.0))[0] == NOT_LOADED
    with pytest.raises(FootfallError, match="more than 2 different rays"):
        answer_pending(world, flat_host)
    clear_memo(world)
    assert not answer_pending(world, flat_host)


BAD = [True, Answer(-1.0, UP), Answer(1.0, (0, 0, 0)), Answer(1.0, UP, 9), Answer(float("nan"), UP), (1.0, (0, 0))]


@pytest.mark.parametrize("answer", BAD)
def test_an_answer_that_is_none_is_refused(answer):
    world = build_world([Host()])
    ray(world, (0.0, 0.0, 1.0))
    with pytest.raises(FootfallError, match="answer"):
        answer_pending(world, lambda rays: [answer])


def test_too_few_answers_are_refused():
    world = build_world([Host()])
    ray(world, (0.0, 0.0, 1.0))
    with pytest.raises(FootfallError, match="0 answers to 1 rays"):
        answer_pending(world, lambda rays: [])


def test_built_in_surfaces_and_a_host_share_a_world():
    world = build_world([Host(), Boxes([[-1, -1, 0]], [[1, 1, 0.5]])])
    for origin, expected in (((0.0, 0.0, 2.0), (1.5, 1)), ((3.0, 0.0, 2.0), (2.0, 0))):
        assert ray(world, origin)[0] == NOT_LOADED  # whatever else is known, the host's ground may be nearer
        answer_pending(world, flat_host)
        status, distance, _, surface = ray(world, origin)
        assert status == HIT and (distance, surface) == expected
    assert has_host(world) and not has_host(build_world([]))


def test_a_host_may_name_the_moving_body_that_was_met():
    world = build_world([Host(), Body()])
    move_surface(world, 1, (0.0, 0.0, 1.0))
    ray(world, (0.0, 0.0, 2.0))
    answer_pending(world, lambda rays: [Answer(1.0, UP, 1)])
    assert ray(world, (0.0, 0.0, 2.0)) == (HIT, 1.0, UP, 1)

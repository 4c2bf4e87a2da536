"""Feet: fixed in stance, on their arc in swing, and out of turn where a leg would overstretch."""

from __future__ import annotations

import numpy as np
import pytest
from biped_host import INNER, REST, SPEED, cadence, drive, parked, straight, stride

from footfall.frames import arrays
from footfall.machine import load_machine
from footfall.state import COMMAND
from footfall.tick import step
from footfall.world.build import build_world, flat_world
from footfall.world.shapes import Boxes, Heightfield, Plane

PERIOD = 1.0 / cadence(SPEED)
SLOPE = np.radians(12.0)
RISER, TREAD = 0.22, 1.3


def to_heading(points, yaw):
    """Points, or differences of them, in a frame turned by yaw."""
    c, s = np.cos(yaw), np.sin(yaw)
    return np.stack([c * points[..., 0] + s * points[..., 1], c * points[..., 1] - s * points[..., 0]], axis=-1)


def circling(speed, rate, seconds):
    """Roots on a circle that starts at the origin along x."""
    times = np.arange(round(seconds * 60) + 1) * INNER
    return circle_at(speed, rate, times), arrays.about_z(rate * times)


def circle_at(speed, rate, times):
    radius = speed / rate
    return np.stack([radius * np.sin(rate * times), radius * (1.0 - np.cos(rate * times)), 0.0 * times], axis=-1)


def stance_rows(walk, leg):
    """Slices of rows in which a leg stands, one each stance."""
    stands = ~walk.swinging[:, leg]
    edges = np.flatnonzero(np.diff(np.concatenate([[False], stands, [False]]).astype(int)))
    return [slice(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True)]


# ---- ground of our own, with its height in closed form


def stair_height(x, y):
    """Treads from x = 2 on."""
    return RISER * np.clip(np.floor((x - 2.0) / TREAD) + 1.0, 0.0, 10.0)


def stair_world():
    edges = [(2.0 + TREAD * n, 2.0 + TREAD * (n + 1), RISER * (n + 1)) for n in range(10)]
    low = [[-50.0, -9.0, -1.0], *([a, -9.0, -1.0] for a, _, _ in edges)]
    high = [[2.0, 9.0, 0.0], *([b, 9.0, h] for _, b, h in edges)]
    return build_world([Boxes(low=low, high=high)])


def stair_roots():
    roots = straight(1.5, 8.0)
    roots[:, 2] = np.clip((roots[:, 0] - 2.0 + 0.5 * TREAD) * RISER / TREAD, 0.0, 10.0 * RISER)
    return roots


def slope_height(x, y):
    return np.tan(SLOPE) * x


def slope_world():
    return build_world([Plane(rotation=(np.cos(0.5 * SLOPE), 0.0, -np.sin(0.5 * SLOPE), 0.0))])


def slope_roots():
    roots = straight(1.5, 8.0)
    roots[:, 2] = slope_height(roots[:, 0], 0.0)
    return roots


CELL = 0.5


def bump_nodes(x, y):
    return 0.12 * np.sin(1.1 * x) * np.cos(0.9 * y) + 0.05 * np.sin(2.3 * x + 1.7 * y)


def bump_height(x, y):
    """Triangles over a grid, with the diagonal from the (1, 0) corner to the (0, 1) corner or the other way round."""
    i, j = np.floor(x / CELL), np.floor(y / CELL)
    u, v = x / CELL - i, y / CELL - j
    h00, h10 = bump_nodes(i * CELL, j * CELL), bump_nodes((i + 1) * CELL, j * CELL)
    h01, h11 = bump_nodes(i * CELL, (j + 1) * CELL), bump_nodes((i + 1) * CELL, (j + 1) * CELL)
    along = np.where(u >= v, h00 + u * (h10 - h00) + v * (h11 - h10), h00 + v * (h01 - h00) + u * (h11 - h01))
    across = np.where(u + v <= 1.0, h00 + u * (h10 - h00) + v * (h01 - h00),
                      h11 + (1 - u) * (h01 - h11) + (1 - v) * (h10 - h11))  # fmt: skip
    return np.stack([along, across])


def bump_world():
    x, y = np.arange(-10, 70) * CELL, np.arange(-20, 21) * CELL
    heights = bump_nodes(x[None, :], y[:, None])
    return build_world([Heightfield(heights=heights, x0=x[0], y0=y[0], dx=CELL, dy=CELL)])


GROUNDS = {
    "steps": (stair_world, stair_height, stair_roots),
    "slope": (slope_world, slope_height, slope_roots),
    "bumps": (bump_world, bump_height, lambda: straight(1.5, 8.0)),
}


@pytest.fixture(scope="module", params=GROUNDS)
def rough(request, authority):
    """A walk over one of the grounds, and the ground's height in closed form (bumps: one of two values)."""
    world, height, roots = GROUNDS[request.param]
    return drive(authority, roots(), world=world()), height


def over(height, points):
    """Height of points over the ground; where the ground has two readings, the one that is nearer to 0."""
    gaps = points[..., 2] - np.atleast_1d(height(points[..., 0], points[..., 1]))
    if gaps.ndim == points.ndim:  # two readings
        gaps = gaps[np.argmin(np.abs(gaps).max(axis=tuple(range(1, gaps.ndim))))]
    return gaps


# ---- stance


@pytest.mark.row("A16")
def test_a_planted_foot_stays_exactly_where_it_landed(steady, rough, authority):
    weaving = drive(authority, *circling(1.6, 0.5, 10.0))
    for walk in (steady, rough[0], weaving):
        stances = 0
        for leg in (0, 1):
            for rows in stance_rows(walk, leg):
                spots = walk.sole[rows, leg]
                assert np.abs(spots - spots[0]).max() <= 1e-9
                stances += 1
        assert stances > 8
        assert np.ptp(walk.trunk[:, 0, 0]) > 5.0  # the body walked over them


@pytest.mark.row("A16")
def test_a_stance_begins_at_the_end_of_the_swing(steady):
    for leg in (0, 1):
        lifted, landed, spots = steady.swings(leg)
        before = np.searchsorted(steady.time, landed) - 1  # last frame in the air
        left = (landed - steady.time[before]) / (0.4 * PERIOD)
        # at the end of the eased line 3s² − 2s³ the way that is left is 3(1 − s)² of the step, and 4(1 − s) of the lift
        gap = np.linalg.norm(steady.sole[before, leg] - spots, axis=-1)
        assert np.all(gap[2:] <= (3.0 * left**2 * stride(SPEED) + 4.0 * left * 0.32 + 1e-9)[2:])


# ---- targets


@pytest.mark.row("A17")
def test_a_foot_lands_half_a_stance_ahead_of_its_neutral_spot_and_leaves_it_as_far_behind(steady):
    half = 0.5 * 0.6 * PERIOD * SPEED
    for leg in (0, 1):
        lifted, landed, spots = (values[3:] for values in steady.swings(leg))
        np.testing.assert_allclose(spots[:, 0] - (SPEED * landed + REST[leg, 0]), half, rtol=0.01)
        np.testing.assert_allclose(spots[:, 1], REST[leg, 1], atol=1e-9)
        leaves = spots[:-1, 0] - (SPEED * lifted[1:] + REST[leg, 0])
        np.testing.assert_allclose(leaves, -half, rtol=0.01)


@pytest.mark.row("A17")
@pytest.mark.parametrize("speed, rate", [(1.5, 0.4), (1.2, -0.6), (-1.0, 0.3)])
def test_in_a_turn_the_neutral_spot_is_moved_and_rotated_by_the_same_time(authority, speed, rate):
    walk = drive(authority, *circling(speed, rate, 12.0))
    for leg in (0, 1):
        lifted, landed, spots = (values[2:] for values in walk.swings(leg))
        # τ after a moment of the swing is the middle of the next stance; there the root is on its circle
        middle = 0.5 * (landed[:-1] + lifted[1:])
        roots = circle_at(speed, rate, middle)
        ahead = to_heading(spots[:-1] - roots, rate * middle)
        np.testing.assert_allclose(ahead, np.tile(REST[leg, :2], (len(ahead), 1)), atol=0.01 * stride(abs(speed)))
        # and it is the turn that matters: a target that is only moved ahead would be off by more than that
        straight_on = circle_at(speed, rate, landed[:-1])
        heading = rate * landed[:-1]
        way = (speed * (middle - landed[:-1]))[:, None] * np.stack([np.cos(heading), np.sin(heading)], axis=-1)
        unturned = to_heading(spots[:-1, :2] - straight_on[:, :2] - way, heading) - REST[leg, :2]
        assert np.abs(unturned).max() > 0.02 * stride(abs(speed))


@pytest.mark.row("A18")
@pytest.mark.parametrize("share", [0.15, 0.4, 0.55])
@pytest.mark.parametrize("speed, rate", [(1.2, 0.0), (2.3, 0.0), (1.8, 0.5), (1.4, -0.4)])
def test_a_change_of_speed_or_turn_in_the_middle_of_a_swing_moves_the_foothold(authority, steady, share, speed, rate):
    lifted, landed, _ = steady.swings(0)
    frame = round((lifted[4] + share * (landed[4] - lifted[4])) / INNER)
    times = np.arange(round(8.0 / INNER) + 1) * INNER
    since = np.maximum(times - frame * INNER, 0.0)

    def root(since, times):
        """Straight until the frame, then the new motion."""
        x = SPEED * np.minimum(times, frame * INNER)
        if rate == 0.0:
            return np.stack([x + speed * since, 0.0 * x, 0.0 * x], axis=-1)
        return np.stack([x, 0.0 * x, 0.0 * x], axis=-1) + circle_at(speed, rate, since)

    walk = drive(authority, root(since, times), arrays.about_z(rate * since))
    (lifts, lands, spots) = walk.swings(0)
    assert lands[4] == pytest.approx(landed[4], abs=1e-9)  # a swing that has begun keeps its time
    middle = 0.5 * (lands[4] + lifts[5])
    after = middle - frame * INNER
    there = root(np.array([after]), np.array([middle]))[0]
    miss = to_heading((spots[4] - there)[None], rate * after)[0] - REST[0, :2]
    assert np.linalg.norm(miss) < 0.02 * stride(SPEED)
    _, _, unchanged = steady.swings(0)
    assert np.linalg.norm(unchanged[4] - spots[4]) > 0.02 * stride(SPEED)  # it had to move


@pytest.mark.row("A19")
def test_a_foot_lands_on_the_ground(rough):
    walk, height = rough
    for leg in (0, 1):
        _, _, spots = walk.swings(leg)
        assert len(spots) >= 5 and np.ptp(spots[:, 2]) > 0.1
        assert np.abs(over(height, spots)).max() < 1e-4


# ---- the arc


def swing_frames(walk, leg):
    """Rows of the finished swings of a leg at full stride, with start, end and progress."""
    lifted, landed, spots = walk.swings(leg)
    for number in range(3, len(lifted)):
        rows = np.flatnonzero((walk.time > lifted[number]) & (walk.time < landed[number] - 1e-9))
        progress = (walk.time[rows] - lifted[number]) / (landed[number] - lifted[number])
        yield rows, spots[number - 1], spots[number], progress[:, None]


@pytest.mark.row("A20")
def test_the_arc_is_a_parabola_over_the_eased_line(steady):
    for leg in (0, 1):
        for rows, start, end, s in swing_frames(steady, leg):
            expected = start + (end - start) * (3.0 * s**2 - 2.0 * s**3) + 4.0 * s * (1.0 - s) * [0.0, 0.0, 0.32]
            np.testing.assert_allclose(steady.sole[rows, leg], expected, atol=1e-9)


@pytest.mark.row("A20")
def test_in_the_middle_of_a_swing_the_foot_is_exactly_one_step_height_up(authority, steady):
    lifted, landed, _ = steady.swings(0)
    middle = 0.5 * (lifted[5] + landed[5])
    row = np.searchsorted(steady.time, middle) - 1
    state = steady.frames[row].state
    command = np.zeros(1, COMMAND)
    command["hosted"], command["up"], command["root_rotation"] = 1, (0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.0)
    command["root_position"][0, 0] = SPEED * middle
    frame = step(authority, state, command, flat_world(), middle - steady.time[row])
    assert frame.actual.feet["sole"][0, 0, 2] == pytest.approx(0.32, abs=1e-12)


@pytest.mark.row("A20")
def test_the_eased_line_has_no_speed_at_both_ends(authority, steady):
    lifted, landed, _ = steady.swings(0)
    moves = []
    for at, way in ((lifted[5], 1e-3), (landed[5], -1e-3)):
        row = np.searchsorted(steady.time, min(at, at + way)) - 1
        state = steady.frames[row].state
        command = np.zeros(1, COMMAND)
        command["hosted"], command["up"], command["root_rotation"] = 1, (0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.0)
        places = []
        for time in (at, at + way):
            command["root_position"][0, 0] = SPEED * time
            frame = step(authority, state, command, flat_world(), time - steady.time[row])
            places.append(frame.actual.feet["sole"][0, 0, 0])
        moves.append(abs(places[1] - places[0]) / 1e-3)
    assert max(moves) < 0.05  # 6 s (1 − s) L / T at s = 1 ms / 444 ms is 0.06 m/s over 2; in the middle it is 6.7 m/s


@pytest.mark.row("A21")
@pytest.mark.parametrize("height", [0.3, 0.5, 0.8])
@pytest.mark.parametrize("wide", [0.1, 0.5])
def test_a_foot_that_swings_over_a_wall_higher_than_its_arc_never_enters_it(authority, height, wide):
    walk = drive(
        authority, straight(SPEED, 7.0),
        world=build_world([Plane(), Boxes(low=[[7.0, -3.0, 0.0]], high=[[7.0 + wide, 3.0, height]])]),
    )  # fmt: skip
    inside = (walk.sole[..., 0] > 7.0) & (walk.sole[..., 0] < 7.0 + wide)
    ground = np.where(inside, height, 0.0)
    assert (walk.sole[..., 2] - ground).min() >= -1e-9
    crossing = np.abs(walk.sole[..., 0] - 7.0 - 0.5 * wide) < 1.0
    assert walk.sole[..., 2][crossing].max() > max(height, 0.32) + 0.02  # it went over, higher than usual
    assert walk.sole[-1, :, 0].min() > 8.0 and walk.excess.max() == 0.0


@pytest.mark.row("A21")
def test_a_swinging_foot_is_never_below_the_ground(rough):
    walk, height = rough
    assert over(height, walk.sole).min() >= -1e-9


# ---- rescue


def pushed(at, way=1.25):
    """Roots that walk straight on and are pushed to the left by half a leg length at a frame."""
    roots = straight(SPEED, 12.0)
    roots[at:, 1] += way
    return roots


@pytest.mark.row("A22")
def test_a_push_that_stretches_a_standing_leg_makes_it_step_out_of_turn_in_the_next_frame(authority, steady):
    assert authority.leg_length == pytest.approx(2.5)
    limit = authority.rig.leg_table["reach_max"][1]
    rescued = 0
    for at in range(300, 367):  # a whole cycle
        if steady.swinging[at - 1 : at + 1].any():
            continue
        walk = drive(authority, pushed(at)[: at + 120])
        ankle = walk.goal + [0.0, 0.0, authority.file.legs[0].foot_height]
        assert np.linalg.norm(walk.hip - ankle, axis=-1).max() <= limit + 1e-3 and walk.excess.max() == 0.0
        reach = walk.hip[at - 1] - ankle[at - 1]
        stretched = np.linalg.norm(reach, axis=-1) > authority.file.gait.rescue_reach * limit
        outward = reach[:, 0] > 0.0  # the body goes on along x, away from the foot
        for leg in np.flatnonzero(stretched & outward):
            assert walk.swinging[at, leg]
            due = ((walk.phase[at] + [0.0, 0.5])[leg] - 0.6) % 1.0 < cadence(SPEED) * INNER + 1e-9
            assert due or walk.rescues[at, leg] == steady.rescues[at, leg] + 1
            rescued += int(walk.rescues[at, leg])
    assert rescued >= 3


@pytest.mark.row("A22")
def test_after_a_rescue_the_gait_goes_on_in_its_phase(authority):
    walk = drive(authority, pushed(362))
    assert walk.rescues[-1].sum() == 1
    for leg in (0, 1):
        lifted, landed, spots = walk.swings(leg)
        late = lifted > 6.1 + 1.5 * PERIOD
        phase = walk.phase[-1] + [0.0, 0.5][leg] - cadence(SPEED) * (walk.time[-1] - lifted[late])
        assert late.sum() >= 3
        assert np.abs((phase - 0.6 + 0.5) % 1.0 - 0.5).max() < 1e-9  # each lifts where its turn comes
        np.testing.assert_allclose((landed - lifted)[late], 0.4 * PERIOD, atol=1e-9)
        np.testing.assert_allclose(spots[late, 1], REST[leg, 1] + 1.25, atol=1e-9)


@pytest.mark.row("A22")
def test_a_parked_machine_that_is_pushed_puts_its_feet_back_under_itself(proxy, authority):
    roots = parked(8.0)
    roots[60:, 1] += 1.25
    for machine in (proxy, authority):
        walk = drive(machine, roots)
        assert walk.swinging[59:61].any()  # within one frame
        assert walk.excess.max() == 0.0
        np.testing.assert_allclose(walk.sole[-1], REST + [0.0, 1.25, 0.0], atol=0.15)


@pytest.mark.row("A22")
def test_a_steady_walk_needs_no_rescue(steady):
    assert steady.rescues[-1].sum() == 0
    assert load_machine("biped").file.gait.rescue_reach < 1.0

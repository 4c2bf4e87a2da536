"""Thigh, shin and a metatarsus whose lean is set by hand."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from ik_machines import LEGS, Bench, quaternion, rig_of

from footfall.frames import arrays
from footfall.reach import metatarsus_direction, solved_end
from footfall.rig import Leg, Solver

LEG = LEGS["three_segment"]


def unit(v):
    return np.asarray(v) / np.linalg.norm(v)


@pytest.mark.nojit
@pytest.mark.row("D18")
@pytest.mark.parametrize("kneel", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("lift", [0.0, 0.4, 1.0])
def test_the_metatarsus_leans_between_standing_and_kneeling_and_folds_with_the_lift(kneel, lift):
    rig = rig_of(LEG)
    q = quaternion(np.random.default_rng(1))
    meta, kneeling = unit(LEG.metatarsus), unit(LEG.metatarsus_kneel)
    expected = arrays.rotate(q, unit(meta + kneel * (kneeling - meta) + lift * np.array(LEG.metatarsus_fold)))
    np.testing.assert_allclose(metatarsus_direction(rig.leg_table[0], tuple(q), kneel, lift), expected, atol=1e-14)


@pytest.mark.nojit
@pytest.mark.row("D19")
def test_the_hock_is_one_metatarsus_from_the_ankle():
    bench = Bench(rig_of(LEG))
    leg, segments = bench.rig.leg_table[0], bench.rig.segment_table
    rng = np.random.default_rng(4)
    for _ in range(50):
        q, sole, normal = quaternion(rng), rng.normal(size=3), unit(rng.normal(size=3))
        hock = solved_end(leg, segments, tuple(q), tuple(sole), tuple(normal), 0.4, 0.7)
        ankle = sole + normal * LEG.foot_height
        assert np.linalg.norm(np.array(hock) - ankle) == pytest.approx(LEG.segments[2], rel=1e-14)


@pytest.mark.nojit
@pytest.mark.row("D20")
def test_the_knee_follows_the_published_construction():
    bench = Bench(rig_of(LEG))
    leg, segments = bench.rig.leg_table[0], bench.rig.segment_table
    l1, l2 = LEG.segments[:2]
    heading, normal = (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0)
    rng = np.random.default_rng(7)
    for _ in range(100):
        sole = np.array([*LEG.rest, 0.0]) + rng.uniform(-0.15, 0.15, 3)
        bench.kneel[0], bench.feet["lift"] = rng.uniform(0.0, 1.0), rng.uniform(0.0, 1.0)
        lift = float(bench.feet["lift"][0, 0])
        joints, _, excess = bench.solve(sole)
        hock = np.array(solved_end(leg, segments, heading, tuple(sole), normal, float(bench.kneel[0]), lift))
        hip = joints[0]
        span = np.linalg.norm(hock - hip)
        if not abs(l1 - l2) + 0.1 < span < l1 + l2 - 0.02:  # where the source clamps
            continue
        line = (hock - hip) / span
        pole = leg["pole"] - line * (leg["pole"] @ line)
        along = (l1**2 - l2**2 + span**2) / (2.0 * span)
        knee = hip + line * along + unit(pole) * np.sqrt(max(l1**2 - along**2, 0.0))
        np.testing.assert_allclose(joints[1], knee, atol=1e-13)
        np.testing.assert_allclose(joints[2], hock, atol=1e-13)
        np.testing.assert_allclose(joints[-1], sole, atol=1e-13)
        assert excess[0] == 0.0


@pytest.mark.nojit
@pytest.mark.row("D20")
def test_out_of_reach_the_metatarsus_stays_on_the_shin_and_the_sole_leaves_its_goal():
    bench = Bench(rig_of(LEG))
    leg, segments = bench.rig.leg_table[0], bench.rig.segment_table
    for sole in ((3.0, 0.3, 0.0), (0.0, 0.3, -2.0), (-0.1, 0.2, 0.78 - sum(LEG.segments[2:]) - LEG.foot_height)):
        joints, hinges, excess = bench.solve(np.array(sole))
        assert np.isfinite(joints).all() and np.isfinite(hinges).all()
        np.testing.assert_allclose(np.linalg.norm(np.diff(joints, axis=0), axis=1), bench.lengths(0), rtol=1e-12)
        hock = solved_end(leg, segments, (1.0, 0.0, 0.0, 0.0), sole, (0.0, 0.0, 1.0), 0.0, 0.0)
        span = float(np.linalg.norm(np.array(hock) - joints[0]))
        beyond = max(span - sum(LEG.segments[:2]), abs(LEG.segments[0] - LEG.segments[1]) - span, 0.0)
        assert excess[0] == pytest.approx(beyond, abs=1e-14)
        assert np.linalg.norm(joints[-1] - sole) == pytest.approx(beyond, abs=1e-13)


@pytest.mark.row("D17", "D21")
def test_four_legs_of_one_machine_each_bend_to_their_own_side():
    """Front elbows up and out, hind knees forward with a hock that folds backward; all lengths differ."""
    front = dataclasses.replace(LEG, metatarsus=(0.1, 0.0, 1.0), metatarsus_fold=(0.2, 0.0, 0.2))
    legs = tuple(
        dataclasses.replace(leg, name=name, hip=(x, y, 0.0), rest=rest, pole=pole, segments=segments)
        for leg, name, x, y, rest, pole, segments in (
            (front, "fl", 0.6, 0.3, (0.7, 0.5), (0.0, 1.0, 0.6), (0.4, 0.42, 0.2)),
            (front, "fr", 0.6, -0.3, (0.7, -0.5), (0.0, -1.0, 0.6), (0.42, 0.41, 0.21)),
            (LEG, "hl", -0.6, 0.3, (-0.6, 0.4), (1.0, 0.1, 0.0), (0.41, 0.4, 0.26)),
            (LEG, "hr", -0.6, -0.3, (-0.6, -0.4), (1.0, -0.2, 0.0), (0.43, 0.4, 0.25)),
        )
    )
    bench = Bench(rig_of(*legs))
    rest = np.array([[*leg.rest, 0.0] for leg in legs])
    assert len({leg.segments for leg in legs}) == 4
    joints, _, _ = bench.solve(rest)
    lifted = Bench(rig_of(*legs))
    lifted.feet["lift"] = 1.0
    folded, _, _ = lifted.solve(rest + np.array([0.0, 0.0, 0.1]))
    for index, leg in enumerate(legs):
        rows, _ = bench.rows(index)
        hip, knee, hock, ankle = joints[rows][:4]
        line = unit(hock - hip)
        bend = (knee - hip) - line * ((knee - hip) @ line)
        assert unit(bend) @ unit(leg.pole) > 0.7
        if index < 2:
            assert bend[1] * leg.rest[1] > 0.0 and bend[2] > 0.0
        else:
            assert bend[0] > 0.0 and hock[0] < ankle[0]
            aloft = folded[rows]
            assert aloft[2][0] - aloft[3][0] < hock[0] - ankle[0]  # folds further back


@pytest.mark.row("D18")
def test_the_metatarsus_folds_only_in_the_air():
    bench = Bench(rig_of(LEG))
    joints, _, _ = bench.solve(np.array([*LEG.rest, 0.0]))
    np.testing.assert_allclose(unit(joints[2] - joints[3]), unit(LEG.metatarsus), atol=1e-14)


def test_a_fold_that_cancels_the_lean_is_finite():
    leg = Leg("leg", (0, 0, 0), (0, 0), (0.4, 0.4, 0.2), solver=Solver.three_segment, metatarsus_fold=(0.0, 0.0, -1.0))
    bench = Bench(rig_of(leg))
    bench.feet["lift"] = 1.0
    joints, hinges, _ = bench.solve(np.zeros(3))
    assert np.isfinite(joints).all() and np.isfinite(hinges).all()

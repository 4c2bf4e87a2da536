from __future__ import annotations

import math
import sys

import numpy as np
import pytest

from footfall.errors import FileError
from footfall.machine import load_machine
from footfall.stream import place_agents
from footfall.world.terrain import load_terrain, make_terrain

YARD = """
title: A yard
start: [1, 2]
start_heading_deg: 90
surfaces:
  - {kind: plane, slope_deg: 10, heading_deg: 90, position: [0, 0, -3]}
  - kind: boxes
    position: [10, 0, 0]
    boxes:
      - {low: [0, 0, 0], high: [1, 1, 0.5]}
      - {low: [2, 0, 0], high: [3, 1, 0.75]}
  - {kind: heightfield, file: hills.npz, array: hills, cell: [2, 1], rows: north_first, height_scale: 0.1}
  - {kind: mesh, file: roof.obj, position: [-20, 0, 0]}
"""
ROOF = "v 0 0 1\nv 2 0 1\nv 2 2 2\nv 0 2 2\nf 1 2 3\nf 1 3 4\n"


@pytest.fixture
def yard(tmp_path):
    hills = np.zeros((3, 5))
    hills[0, 4] = 7.0  # the north-eastern corner
    np.savez(tmp_path / "hills.npz", hills=hills)
    (tmp_path / "roof.obj").write_text(ROOF)
    path = tmp_path / "yard.yaml"
    path.write_text(YARD)
    return path


def test_a_file_may_hold_all_kinds_of_surfaces(yard):
    pytest.importorskip("trimesh")
    terrain = load_terrain(yard)
    assert terrain.name == "yard" and terrain.start == (1.0, 2.0, pytest.approx(math.pi / 2))
    assert terrain.height(50.0, 10.0) == pytest.approx(-3 + 10 * math.tan(math.radians(10)))
    assert terrain.height(10.5, 0.5) == pytest.approx(0.5) and terrain.height(12.5, 0.5) == pytest.approx(0.75)
    assert terrain.height(4.0, 1.0) == pytest.approx(0.7) and terrain.height(4.0, -1.0) == pytest.approx(0.0)
    assert terrain.height(-19.0, 1.0) == pytest.approx(1.5)


def test_a_file_is_in_metres_unless_it_says_leg_lengths(yard):
    pytest.importorskip("trimesh")
    assert make_terrain(str(yard), leg_length=2.0).height(10.5, 0.5) == pytest.approx(0.5)
    assert make_terrain(str(yard), leg_length=2.0, scale=3.0).height(31.5, 1.5) == pytest.approx(1.5)
    yard.write_text("unit: leg_length\n" + YARD)
    terrain = make_terrain(str(yard), leg_length=2.0)
    assert terrain.height(21.0, 1.0) == pytest.approx(1.0) and terrain.start[:2] == (2.0, 4.0)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("kind: boxes", "kind: spheres", r"yard.yaml:7.*spheres"),
        ("high: [1, 1, 0.5]", "high: [1, 0, 0.5]", r"yard.yaml:7.*box 0 reaches from 0.0 to 0.0 along y"),
        ("slope_deg: 10", "slope_deg: 95", r"yard.yaml:6.*slope"),
        ("slope_deg: 10", "slope_deg: 10, rotation: [0, 1, 0, 0]", r"yard.yaml:6.*both a slope and a rotation"),
        ("hills.npz", "missing.npz", r"yard.yaml:12.*refused: there is no file .*missing.npz$"),
        ("array: hills", "array: dales", r"yard.yaml:12.*no array 'dales'; it has hills"),
        ("cell: [2, 1]", "cell: [2, 0]", r"yard.yaml:12.*cell"),
        ("roof.obj", "missing.ply", r"yard.yaml:13.*refused: there is no file .*missing.ply$"),
        ("title:", "tilte:", r"yard.yaml:2.*tilte"),
    ],
)
def test_a_fault_names_its_place_in_the_file(yard, old, new, says):
    pytest.importorskip("trimesh")
    assert old in YARD
    yard.write_text(YARD.replace(old, new))
    with pytest.raises(FileError, match=says):
        load_terrain(yard)


def test_a_fault_of_one_surface_hides_none_of_another(yard):
    text = YARD.replace("high: [1, 1, 0.5]", "high: [1, 1, low]").replace("hills.npz", "missing.npz")
    yard.write_text(text.replace("slope_deg: 10", "slope_deg: 10, rotation: [0, 1, 0, 0]"))
    with pytest.raises(FileError) as caught:
        load_terrain(yard)
    assert [(fault.line, fault.message.split(" is ")[0]) for fault in caught.value.faults] == [
        (6, "surfaces[0]"), (10, "surfaces[1].boxes[0].high[2]"), (12, "surfaces[2]")
    ]  # fmt: skip


def test_an_array_with_a_hole_is_refused(yard, tmp_path):
    pytest.importorskip("trimesh")
    hills = np.zeros((3, 5))
    hills[1, 2] = np.nan
    np.savez(tmp_path / "hills.npz", hills=hills)
    with pytest.raises(FileError, match=r"heights\[1\]\[2\] is nan"):
        load_terrain(yard)


def test_meshes_without_their_reader_are_a_fault_that_names_it(yard, monkeypatch):
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(FileError, match=r"yard.yaml:13.*pip install 'footfall\[meshes\]'"):
        load_terrain(yard)


FIELD = "surfaces:\n  - {kind: heightfield, file: hills.npy, cell: [0.5, 0.25], position: [3, 1, 0]"


@pytest.fixture
def field(tmp_path):
    """A field of 10 m x 5 m, its middle at (3, 1)."""
    np.save(tmp_path / "hills.npy", np.random.default_rng(0).uniform(0.0, 0.05, (21, 21)))
    return tmp_path / "field.yaml"


def test_a_terrain_s_bounds_are_those_of_its_surfaces(field):
    field.write_text(FIELD + "}\n")
    assert load_terrain(field).extent == pytest.approx((-2.0, 8.0, -1.5, 3.5))
    assert load_terrain(field, scale=2.0).extent == pytest.approx((-4.0, 16.0, -3.0, 7.0))
    quarter = math.sqrt(0.5)
    field.write_text(FIELD + f", rotation: [{quarter}, 0, 0, {quarter}]}}\n")  # a quarter turn about its origin
    assert load_terrain(field).extent == pytest.approx((0.5, 5.5, -4.0, 6.0))
    field.write_text(FIELD + "}\n  - {kind: boxes, boxes: [{low: [20, 0, 0], high: [21, 9, 1]}]}\n")
    assert load_terrain(field).extent == pytest.approx((-2.0, 21.0, -1.5, 9.0), abs=1e-6)
    for endless in ("}\n  - {kind: plane, position: [0, 0, -3]}\n", ", periodic: true}\n"):
        field.write_text(FIELD + endless)
        assert load_terrain(field).extent == (-math.inf, math.inf, -math.inf, math.inf)


def test_agents_start_on_a_field_of_ones_own(field):
    field.write_text(FIELD + "}\nstart: [3, 1]\n")
    terrain, machine = load_terrain(field), load_machine("spider")
    places = place_agents(machine, terrain, 25)
    assert np.isfinite(terrain.height(places[:, 0], places[:, 1])).all()


def test_a_terrain_s_unit_is_what_its_lengths_are_multiples_of(yard):
    assert load_terrain(yard, leg_length=2.0).unit == 1.0
    assert load_terrain(yard, leg_length=2.0, scale=3.0).unit == 3.0
    yard.write_text("unit: leg_length\n" + YARD)
    assert load_terrain(yard, leg_length=2.0, scale=3.0).unit == 6.0

"""The report: self-contained, well formed, and showing what is in the trace and the numbers."""

from __future__ import annotations

import base64
import os
import re
import sys
import zlib
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "metrics"))

from walks import DT, four_legs, fresh, pose, soles_at_rest, three_trunks

from footfall.errors import FootfallError
from footfall.frames.arrays import about_z
from footfall.metrics import DEFAULT_LIMITS, Metrics
from footfall.report import write_report
from footfall.report.plot import nice_ticks, thinned
from footfall.report.top_view import png
from footfall.report.walk_data import WalkData, spans
from footfall.trace import Trace

VOID = {"meta", "line", "circle", "rect", "path", "polygon", "image", "br"}


class Checker(HTMLParser):
    """Counts elements and finds those that are not closed, and what is loaded from elsewhere."""

    def __init__(self):
        super().__init__()
        self.open, self.counts, self.loaded = [], {}, []

    def handle_starttag(self, tag, attributes):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag not in ("meta",):
            self.open.append(tag)
        self.loaded += [v for k, v in attributes if k in ("src", "href") and not v.startswith("data:")]

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def hills(points):
    return np.where(np.abs(points[:, 0] - 1.75) < 0.05, np.nan, 0.2 * np.sin(points[:, 0]))


@pytest.fixture(scope="module")
def walked():
    """A walk of 2 s in which each leg steps ahead in its turn; right_hind slips by 20 mm as it lands."""
    rig = four_legs()
    metrics, trace, state = Metrics(rig, ground=hills), Trace(rig, None, ground=hills, name="stool"), fresh(rig)
    for k in range(121):
        x = 0.5 * k * DT
        soles, air = soles_at_rest(rig), np.zeros((1, 4), np.int64)
        for leg in range(4):
            cycle = (k / 40 + leg / 4) % 1.0
            air[0, leg] = cycle < 0.2
            soles[0, leg, 0] += x + (0.1 * (cycle - 0.5) if air[0, leg] else 0.0)
            soles[0, leg, 2] = hills(soles[0, leg : leg + 1])[0] + 0.1 * np.sin(np.pi * cycle / 0.2) * air[0, leg]
        frame = pose(rig, k * DT, state=state, soles=np.nan_to_num(soles), swinging=air, position=(x, 0.0, 0.0))
        metrics.add(frame)
        trace.add(frame)
    return metrics, trace


def page_of(walked, path, **more):
    metrics, trace = walked
    write_report(
        path, title="Stool <on> hills", trace=trace.arrays(), metrics=metrics.result(), machine={"legs": 4},
        command='footfall walk stool --report "a & b.html"', peaks=metrics.peaks(), **more,
    )  # fmt: skip
    return path.read_text()


def test_a_page_is_well_formed_and_loads_nothing(walked, tmp_path):
    page = page_of(walked, tmp_path / "walk.html", ground=hills)
    checker = Checker()
    checker.feed(page)
    assert not checker.open
    assert not checker.loaded
    assert not re.search(r"url\(|@import|https?://", page)
    assert checker.counts["svg"] == 9
    assert checker.counts["table"] == 3
    assert "Stool &lt;on&gt; hills" in page
    assert "&quot;a &amp; b.html&quot;" in page
    assert "nan" not in re.sub(r"base64,[^\"]*", "", page).lower().replace("finance", "")


def test_a_page_says_which_limits_are_missed(walked, tmp_path):
    missed = page_of(walked, tmp_path / "walk.html")
    assert "limits missed" in missed
    assert "✗ fail" in missed
    metrics, trace = walked
    good = {key: 0.0 for key in DEFAULT_LIMITS} | {"steps": 3}
    path = write_report(tmp_path / "good.html", title="good", trace=trace.arrays(), metrics=good)
    assert f"all {len(DEFAULT_LIMITS)} limits hold" in path.read_text()
    assert "✗ fail" not in path.read_text()


def test_a_gait_diagram_has_a_bar_for_each_stance(walked, tmp_path):
    page = page_of(walked, tmp_path / "walk.html")
    planted = walked[1].arrays()["planted"][:, 0]
    assert page.count("<rect") == sum(len(spans(planted[:, leg])) for leg in range(4))


def test_the_view_from_above_has_a_dot_for_each_foothold(walked, tmp_path):
    page = page_of(walked, tmp_path / "walk.html", ground=hills)
    planted = walked[1].arrays()["planted"][:, 0]
    assert page.count('class="foothold"') == sum(len(spans(planted[:, leg])) for leg in range(4))
    assert page.count('class="support"') == 7
    assert "Holes are black" in page


def test_plotted_slip_is_the_number_in_the_table(walked):
    metrics, trace = walked
    data = WalkData(trace.arrays(), 0)
    assert np.nanmax(data.slip()) == pytest.approx(metrics.result()["slip_max_mm"], rel=1e-9)
    assert np.nanmin(data.support_margin()) == pytest.approx(metrics.result()["support_margin_min_m"], rel=1e-9)
    assert data.speed() == pytest.approx(np.full(121, 0.5))


def test_thinned_lines_keep_their_peaks():
    t = np.linspace(0.0, 1.0, 50_000)
    y = np.zeros(50_000)
    y[12_345], y[40_000] = 7.0, -3.0
    a, b = thinned(t, y)
    assert len(a) < 1200
    assert b.max() == 7.0
    assert b.min() == -3.0
    assert (np.diff(a) > 0).all()


def test_ticks_are_round_and_inside():
    for low, high in ((0.0, 1.0), (-3.7, 12.2), (1e-6, 3e-6), (995.0, 1005.0)):
        ticks = nice_ticks(low, high)
        assert 2 <= len(ticks) <= 6
        assert low - 1e-9 <= ticks[0] <= ticks[-1] <= high + 1e-9
    assert nice_ticks(1.0, 1.0) == [1.0]


def test_a_picture_holds_its_pixels():
    pixels = np.arange(3 * 5 * 4, dtype=np.uint8).reshape(3, 5, 4)
    data = png(pixels)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    start = data.index(b"IDAT")
    size = int.from_bytes(data[start - 4 : start], "big")
    rows = np.frombuffer(zlib.decompress(data[start + 4 : start + 4 + size]), np.uint8).reshape(3, 21)
    assert (rows[:, 1:].reshape(3, 5, 4) == pixels).all()
    assert base64.b64encode(data)


def test_a_page_is_whole_or_not_there(walked, tmp_path):
    with pytest.raises(FootfallError, match="cannot be written"):
        page_of(walked, tmp_path / "none" / "walk.html")
    assert not os.listdir(tmp_path)


def test_one_frame_is_enough_for_a_page(tmp_path):
    rig = four_legs()
    metrics, trace = Metrics(rig, ground=hills), Trace(rig, None, ground=hills)
    frame = pose(rig, 0.0)
    metrics.add(frame)
    trace.add(frame)
    path = write_report(
        tmp_path / "a.html", title="a", trace=trace.arrays(), metrics=metrics.result(),
        ground=lambda points: np.full(len(points), np.nan),
    )  # fmt: skip
    assert path.stat().st_size > 1000


def test_a_sole_over_a_deep_ravine_is_high_and_over_a_hole_it_has_no_height():
    rig = four_legs()
    trace = Trace(rig, None, ground=lambda points: np.where(points[:, 0] > 0.0, -950.0, np.nan))
    trace.add(pose(rig, 0.0))
    assert WalkData(trace.arrays(), 0).heights()[0] == pytest.approx([950.0, 950.0, np.nan, np.nan], nan_ok=True)


def test_plotted_rotation_sees_every_trunk():
    rig = three_trunks()
    trace = Trace(rig, None, ground=hills)
    for k in range(3):
        frame = pose(rig, k * DT)
        frame.actual.trunks["rotation"][0, 0] = about_z(0.5 * (k == 2))  # the front one, that is not the body
        trace.add(frame)
    assert WalkData(trace.arrays(), 0).turns()[1] == pytest.approx([0.0, 0.0, np.degrees(0.5)])

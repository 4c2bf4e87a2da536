"""The page: one self-contained HTML file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from footfall.frames import arrays
from footfall.io.files import replacing
from footfall.metrics import AT_LEAST, DEFAULT_LIMITS, GroundHeight, Peak, judge
from footfall.report.plot import BOTTOM, LEFT, TOP, Plot, legend
from footfall.report.style import SCRIPT, STYLE
from footfall.report.top_view import draw_top_view
from footfall.report.walk_data import WalkData, spans
from footfall.world.ground import ground_height
from footfall.world.surfaces import World

Array = NDArray[np.float64]

#: Rows of the quality table: key, words, unit.
FIGURES = (
    ("Feet", (
        ("slip_max_mm", "slip of planted soles", "mm"),
        ("penetration_max_mm", "sole under the ground", "mm"),
        ("hover_max_mm", "hover of planted soles", "mm"),
        ("swing_low_share", "swing at ground level", ""),
        ("airborne_max", "most feet in the air", ""),
        ("steps", "steps", ""),
        ("rescue_steps", "rescue steps", ""),
        ("rescue_share", "rescue steps, share", ""),
        ("rejected_footholds", "footholds refused", ""),
    )),
    ("Legs", (
        ("reach_excess_count", "over-reach, leg-ticks", ""),
        ("reach_excess_max_mm", "over-reach", "mm"),
        ("e_ik_max_mm", "IK error", "mm"),
        ("e_track_max_mm", "tracking error", "mm"),
        ("pole_flips", "knee flips", ""),
        ("limit_hits", "joint limit hits", ""),
        ("joint_step_max_deg", "bone turn in a frame", "°"),
        ("knee_rate_max_deg_s", "knee rate", "°/s"),
        ("sole_acceleration_p95_legs", "sole accel., 95 %", "legs/s²"),
    )),
    ("Body", (
        ("support_margin_min_m", "support margin, least", "m"),
        ("speed_mean", "speed, mean", "m/s"),
        ("speed_commanded", "speed, asked for", "m/s"),
        ("speed_share", "speed, share of that", ""),
        ("body_acceleration_p95_legs", "body accel., 95 %", "legs/s²"),
        ("body_acceleration_max_legs", "body accel., peak", "legs/s²"),
        ("not_finite", "not a number", ""),
        ("tick_us_median", "tick, median", "µs"),
    )),
)  # fmt: skip


def figure_text(value: Any) -> str:
    """A number as the table shows it."""
    if not isinstance(value, int | float) or not math.isfinite(value):
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    if 0.0 < abs(value) < 1e-6:
        return "≈ 0"
    return f"{value:,.4g}".replace("-", "−")


def quality_tables(metrics: Mapping[str, Any], limits: Mapping[str, float], peaks: Mapping[str, Peak]) -> str:
    """Three tables side by side: feet, legs, body."""
    verdicts = {verdict.key: verdict for verdict in judge(metrics, limits)}
    out = []
    for title, figures in FIGURES:
        rows = []
        for key, words, unit in figures:
            verdict, peak = verdicts.get(key), peaks.get(key)
            limit = mark = ""
            if verdict is not None:
                limit = f"{'≥' if key in AT_LEAST else '≤'} {figure_text(verdict.limit)}"
                mark = '<span class="pass">✓ pass</span>' if verdict.ok else '<span class="fail">✗ fail</span>'
            where = ""
            if peak is not None and key in metrics and isinstance(metrics[key], float) and abs(metrics[key]) >= 1e-6:
                where = f' title="at {peak.time:.2f} s{", " + escape(peak.leg) if peak.leg else ""}"'
            rows.append(
                f"<tr{where}><td>{escape(words)}</td><td class=num>{figure_text(metrics.get(key))}"
                f"<small> {escape(unit)}</small></td><td class=limit>{limit}</td><td>{mark}</td></tr>"
            )
        out.append(f"<table><caption>{title}</caption>{''.join(rows)}</table>")
    return f'<div class="tables">{"".join(out)}</div>'


def padded(*lines: Array, zero: bool = False, room: float = 0.08) -> tuple[float, float]:
    """A range that holds all lines, with room around."""
    values = np.concatenate([np.ravel(line) for line in lines])
    values = values[np.isfinite(values)]
    if not len(values):
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    margin = max(room * (high - low), 1e-3 * max(abs(high), abs(low)), 1e-9)
    return (low if zero and low == 0.0 else low - margin), high + margin


def draw_gait(data: WalkData) -> str:
    """Hildebrand's gait diagram: a bar for each stance."""
    row = 24.0 if len(data.names) <= 8 else 17.0
    plot = Plot(data.t, 0.0, 1.0, TOP + BOTTOM + row * len(data.names), ticks=False)
    for leg, name in enumerate(data.names):
        top = TOP + row * leg
        plot.label(top + 0.5 * row, name.replace("_", " "))
        for start, end in spans(data.planted[:, leg]):
            until = data.t[min(end, len(data.t) - 1)]
            title = f"{name}: {data.t[start]:.2f} to {until:.2f} s"
            plot.bar(data.t[start], until, top + 0.16 * row, top + 0.84 * row, data.colours[leg], title)
    return plot.svg("gait diagram")


def draw_heights(data: WalkData) -> str:
    """Height of each sole over the ground, a row a leg."""
    heights = data.heights()
    high = max(float(np.nanmax(heights)) if np.isfinite(heights).any() else 0.0, 1e-3)
    row = 46.0 if len(data.names) <= 8 else 24.0
    plot = Plot(data.t, 0.0, 1.0, TOP + BOTTOM + row * len(data.names), ticks=False)
    tall = plot.height - TOP - BOTTOM
    for leg, name in enumerate(data.names):
        base = 1.0 - (leg + 1) * row / tall
        shown = base + np.clip(heights[:, leg] / high, -0.1, 1.0) * 0.88 * row / tall
        plot.label(TOP + row * (leg + 0.72), name.replace("_", " "))
        floor = float(plot.y(base))
        plot.parts.append(f'<line class="grid" x1="{LEFT}" x2="1102" y1="{floor:.1f}" y2="{floor:.1f}"/>')
        plot.area(shown, base, data.colours[leg], name)
        plot.line(shown, data.colours[leg], name, 1.4)
    note = f"Every row is {high / 0.88:.3g} m high; a sole on its base line stands on the ground."
    return plot.svg("height of the soles over the ground") + f'<p class="note">{note}</p>'


def draw_slip(data: WalkData, limit: float | None) -> str:
    """Drift of each planted sole."""
    slip = data.slip()
    _, high = padded(slip, zero=True)
    plot = Plot(data.t, 0.0, max(high, 1.4 * (limit or 0.0), 1e-6), 150.0, "slip [mm]")
    for leg, name in enumerate(data.names):
        plot.line(slip[:, leg], data.colours[leg], name, 2.2)
    if limit is not None:
        plot.level(limit, f"limit {limit:g} mm")
    return plot.svg("slip of planted soles")


def draw_lines(
    data: WalkData, unit: str, lines: list[tuple[str, Array, str]], *, height: float = 170.0, zero: bool = False,
    levels: tuple[tuple[float, str, str], ...] = (),
) -> str:  # fmt: skip
    """Lines with a legend; ``levels`` hold a value, its name and ``limit`` or ``mark``, shown where it is near."""
    low, high = padded(*(line for _, line, _ in lines), zero=zero)
    reach = high - low
    for value, _, _ in levels:
        if low - reach < value < high + 1.5 * reach:
            low, high = min(low, value - 0.08 * reach), max(high, value + 0.12 * reach)
    plot = Plot(data.t, low, high, height, unit)
    for name, line, colour in lines:
        plot.line(line, colour, name)
    for value, text, kind in levels:
        plot.level(value, text, kind)
    names = legend([(name, colour) for name, _, colour in lines]) if len(lines) > 1 else ""
    return names + plot.svg(unit)


def section(title: str, content: str) -> str:
    """A titled card."""
    return f"<section><h2>{escape(title)}</h2>{content}</section>"


def draw_page(
    title: str, data: WalkData, metrics: Mapping[str, Any], limits: Mapping[str, float], machine: Mapping[str, Any],
    ground: GroundHeight | None, leg_length: float, command: str, peaks: Mapping[str, Peak],
) -> str:  # fmt: skip
    """The whole page."""
    verdicts = judge(metrics, limits)
    missed = [verdict.key for verdict in verdicts if not verdict.ok]
    badge = (
        f'<span class="badge bad">{len(missed)} of {len(verdicts)} limits missed</span>'
        if missed
        else f'<span class="badge good">all {len(verdicts)} limits hold</span>'
    )
    chips = "".join(f"<li><b>{escape(str(value))}</b>{escape(str(name))}</li>" for name, value in machine.items())
    roll, pitch, yaw = data.angles()
    bones, body_turn = data.turns()
    asked = metrics.get("speed_commanded")
    speed_levels = ((float(asked), f"asked for: {asked:.3g} m/s", "mark"),) if asked is not None else ()
    turn_limit = limits.get("joint_step_max_deg")
    turn_levels = ((turn_limit, f"limit {turn_limit:g}°", "limit"),) if turn_limit is not None else ()
    blue, orange, green, vermilion = "#0072B2", "#E69F00", "#009E73", "#D55E00"
    cards = [section("Quality", quality_tables(metrics, limits, peaks))]
    if ground is not None:
        cards.append(section("From above", legend(data.key) + draw_top_view(data, ground, leg_length)))
    cards += [
        section("Gait", draw_gait(data)),
        section("Height of the soles over the ground", draw_heights(data)),
        section("Slip of planted soles", draw_slip(data, limits.get("slip_max_mm"))),
        section("Speed along the heading", draw_lines(
            data, "[m/s]", [("speed", data.speed(), blue)], levels=speed_levels, zero=True
        )),
        section("Body height over the ground", draw_lines(data, "[m]", [("height", data.body_height(), blue)])),
        section("Body angles", draw_lines(data, "[°]", [
            ("roll, right side down", roll, orange), ("pitch, nose down", pitch, blue),
            ("yaw, from its start", yaw - yaw[0], green),
        ])),
        section("Rotation in one frame", draw_lines(data, "[°]", [
            ("largest change of a bone's direction", bones, vermilion), ("body", body_turn, blue),
        ], zero=True, levels=turn_levels)),
        section("Support margin", draw_lines(
            data, "[m]", [("margin", data.support_margin(), green)],
            levels=((0.0, "edge of the support polygon", "mark"),),
        )),
    ]  # fmt: skip
    made = f"<footer><span>Made by footfall</span><code>{escape(command)}</code></footer>" if command else ""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head><body><main>'
        f"<header><div><h1>{escape(title)}</h1>{badge}</div><ul>{chips}</ul></header>"
        f"{''.join(cards)}{made}</main><script>{SCRIPT}</script></body></html>\n"
    )


def write_report(
    path: str | Path, *, title: str, trace: Mapping[str, NDArray[Any]], metrics: Mapping[str, Any],
    limits: Mapping[str, float] | None = None, machine: Mapping[str, Any] | None = None, leg_length: float = 1.0,
    world: World | None = None, ground: GroundHeight | None = None, command: str = "",
    peaks: Mapping[str, Peak] | None = None, agent: int = 0,
) -> Path:  # fmt: skip
    """Write a walk as one self-contained page, whole or not at all.

    Args:
        path: an ``.html`` file.
        title: of the page.
        trace: ``Trace.arrays()``, or a trace file that has been read.
        metrics: ``Metrics.result()``.
        limits: what they are held to, ``DEFAULT_LIMITS`` where none are given.
        machine: facts for the head of the page, by their names.
        leg_length: the machine's unit of length [m].
        world: terrain of the view from above, which is left out where there is neither this nor ``ground``.
        ground: heights of the ground instead of the world's, where up is z.
        command: the command line that makes this page again.
        peaks: ``Metrics.peaks()``: the table tells when and where under the pointer.
        agent: whose motion the plots show.

    Raises:
        FootfallError: the folder cannot be written to.
    """
    data = WalkData(trace, agent)
    if ground is None and world is not None:
        ground = lambda seen: ground_height(world, arrays.rotate(data.seen_from, seen), up=data.up[0])  # noqa: E731
    page = draw_page(
        title, data, metrics, DEFAULT_LIMITS if limits is None else limits, machine or {}, ground,
        leg_length, command, peaks or {},
    )  # fmt: skip
    with replacing(path) as file:
        file.write(page.encode())
    return Path(path)

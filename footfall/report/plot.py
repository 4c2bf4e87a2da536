"""Plots over time as SVG; colours come from the page's style, so that light and dark are one drawing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

WIDTH = 1120.0
LEFT, RIGHT, TOP, BOTTOM = 92.0, 18.0, 12.0, 30.0
BUCKETS = 560  # of a line: each is drawn by its lowest and its highest value


def nice_ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round values between low and high."""
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return [low]
    step = 10.0 ** math.floor(math.log10((high - low) / wanted))
    for factor in (1.0, 2.0, 2.5, 5.0, 10.0):
        if (high - low) / (step * factor) <= wanted:
            step *= factor
            break
    first = math.ceil(low / step - 1e-9)
    return [round(k * step, 12) for k in range(first, math.floor(high / step + 1e-9) + 1)]


def tick_text(value: float) -> str:
    """A tick's label."""
    return f"{value:.6g}".replace("-", "−")


def text_at(x: float | Array, y: float | Array, text: str, kind: str = "tick", anchor: str = "middle") -> str:
    """A text of the drawing."""
    return f'<text class="{kind}" x="{float(x):.1f}" y="{float(y):.1f}" text-anchor="{anchor}">{text}</text>'


def thinned(t: Array, y: Array) -> tuple[Array, Array]:
    """The same line with few points: the lowest and the highest value of each bucket are kept."""
    if len(t) <= 2 * BUCKETS:
        return t, y
    kept: list[int] = []
    for part in np.array_split(np.arange(len(t)), BUCKETS):
        values = y[part]
        if np.isnan(values).all():
            kept.append(int(part[0]))
        else:
            kept += sorted({int(part[np.nanargmin(values)]), int(part[np.nanargmax(values)])})
    return t[kept], y[kept]


def points_text(x: Array, y: Array) -> str:
    """Path data of a line; values that are no number break it."""
    out, pen = [], "M"
    for a, b in zip(x, y, strict=True):
        if math.isfinite(b):
            out.append(f"{pen}{a:.1f} {b:.1f}")
            pen = "L"
        else:
            pen = "M"
    return "".join(out)


class Plot:
    """One plot with time to the right."""

    def __init__(
        self, t: Array, low: float, high: float, height: float = 190.0, unit: str = "", ticks: bool = True
    ) -> None:
        """Axes over all of ``t`` and from ``low`` to ``high``."""
        self.t = t
        self.start, self.end = float(t[0]), float(max(t[-1], t[0] + 1e-9))
        self.low, self.high = (low, high) if high > low else (low - 1.0, low + 1.0)
        self.height = height
        self.parts: list[str] = []
        if ticks:
            for value in nice_ticks(self.low, self.high, max(int(height / 38), 2)):
                y = self.y(value)
                self.parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
                self.parts.append(text_at(LEFT - 8, y + 4, tick_text(value), anchor="end"))
        if unit:
            middle = 0.5 * (TOP + height - BOTTOM)
            self.parts.append(
                f'<text class="unit" transform="translate(18 {middle:.0f}) rotate(-90)" text-anchor="middle">'
                f"{escape(unit)}</text>"
            )

    def x(self, t: float | Array) -> Array:
        """Place of a time."""
        return np.asarray(LEFT + (np.asarray(t) - self.start) / (self.end - self.start) * (WIDTH - LEFT - RIGHT))

    def y(self, value: float | Array) -> Array:
        """Place of a value."""
        share = (np.asarray(value) - self.low) / (self.high - self.low)
        return np.asarray(self.height - BOTTOM - share * (self.height - TOP - BOTTOM))

    def line(self, values: Array, colour: str, title: str = "", width: float = 1.8, dash: str = "") -> None:
        """A line over all times."""
        t, y = thinned(self.t, values)
        more = f' stroke-dasharray="{dash}"' if dash else ""
        path = points_text(self.x(t), self.y(np.clip(y, self.low, self.high)))
        self.parts.append(
            f'<path class="line" d="{path}" stroke="{colour}" stroke-width="{width}"{more}>'
            f"<title>{escape(title)}</title></path>"
        )

    def area(self, values: Array, base: float, colour: str, title: str = "") -> None:
        """The area between a line and a value."""
        t, y = thinned(self.t, np.where(np.isfinite(values), values, base))
        x, places = self.x(t), self.y(np.clip(y, self.low, self.high))
        floor = float(self.y(base))
        path = f"M{x[0]:.1f} {floor:.1f}" + points_text(x, places).replace("M", "L", 1) + f"L{x[-1]:.1f} {floor:.1f}Z"
        self.parts.append(f'<path d="{path}" fill="{colour}" fill-opacity=".22"><title>{escape(title)}</title></path>')

    def level(self, value: float, text: str, kind: str = "limit") -> None:
        """A horizontal line with a name; out of the plot's range it is only named."""
        if self.low <= value <= self.high:
            y = float(self.y(value))
            self.parts.append(f'<line class="{kind}" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
            place = y - 5.0 if y > TOP + 16.0 else y + 14.0
        else:
            place = TOP + 12.0
            text += " (outside the plot)"
        self.parts.append(
            f'<text class="{kind}-text" x="{WIDTH - RIGHT - 4}" y="{place:.1f}" text-anchor="end">{escape(text)}</text>'
        )

    def bar(self, start: float, end: float, top: float, bottom: float, colour: str, title: str) -> None:
        """A bar from one time to another, in places of the drawing."""
        a, b = float(self.x(start)), float(self.x(end))
        self.parts.append(
            f'<rect x="{a:.1f}" y="{top:.1f}" width="{max(b - a, 0.6):.1f}" height="{bottom - top:.1f}" rx="2" '
            f'fill="{colour}"><title>{escape(title)}</title></rect>'
        )

    def label(self, y: float, text: str) -> None:
        """A name to the left of a row."""
        self.parts.append(text_at(LEFT - 8, y + 4, escape(text), "row", "end"))

    def svg(self, name: str) -> str:
        """The drawing; ``name`` is what a screen reader says."""
        floor = self.height - BOTTOM
        axis = [f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{floor:.1f}" y2="{floor:.1f}"/>']
        for value in nice_ticks(self.start, self.end, 10):
            x = float(self.x(value))
            axis.append(f'<line class="axis" x1="{x:.1f}" x2="{x:.1f}" y1="{floor:.1f}" y2="{floor + 4:.1f}"/>')
            axis.append(text_at(x, floor + 18, tick_text(value)))
        axis.append(text_at(LEFT - 18, floor + 18, "time [s]", anchor="end"))
        return (
            f'<svg class="plot" role="img" aria-label="{escape(name)}" viewBox="0 0 {WIDTH:.0f} {self.height:.0f}" '
            f'data-t0="{self.start}" data-t1="{self.end}" data-x0="{LEFT}" data-x1="{WIDTH - RIGHT}">'
            f'{"".join(self.parts + axis)}<line class="cursor" y1="{TOP}" y2="{floor:.1f}" x1="0" x2="0"/></svg>'
        )


def legend(entries: Sequence[tuple[str, str]]) -> str:
    """Names with their colours."""
    items = "".join(
        f'<span class="key"><i style="border-top:3px solid {colour}"></i>{escape(name)}</span>'
        for name, colour in entries
    )
    return f'<div class="legend">{items}</div>'

"""The walk from above: footholds on the terrain, the body's path, the support polygon at a few instants."""

from __future__ import annotations

import base64
import struct
import zlib
from html import escape

import numpy as np
from numpy.typing import NDArray

from footfall.metrics.sole_ground import GroundHeight
from footfall.report.plot import nice_ticks, text_at, tick_text
from footfall.report.walk_data import WalkData

Array = NDArray[np.float64]

WIDTH = 1120.0
TALLEST = 560.0
LEFT, RIGHT, TOP, BOTTOM = 60.0, 18.0, 10.0, 34.0
PIXELS = 420  # of the terrain along the longer side
INSTANTS = 7  # support polygons

#: Heights from low to high, for relief in light and in dark: muted cividis (Nuñez, Anderton and Renslow 2018).
TINTS = np.array([(70, 84, 112), (104, 114, 126), (139, 140, 126), (176, 167, 118), (214, 199, 120)], np.float64)


def png(pixels: NDArray[np.uint8]) -> bytes:
    """A PNG file of ``[rows, columns, 4]`` red, green, blue and opacity."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows, columns = pixels.shape[:2]
    lines = np.concatenate([np.zeros((rows, 1), np.uint8), pixels.reshape(rows, -1)], axis=1)
    header = struct.pack(">IIBBBBB", columns, rows, 8, 6, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines.tobytes(), 9))
        + chunk(b"IEND", b"")
    )  # fmt: skip


def relief(heights: Array, cell: float) -> NDArray[np.uint8]:
    """Shaded relief ``[rows, columns, 4]`` of heights, first row first; light from the upper left, holes dark."""
    known = np.isfinite(heights)
    low, high = (float(heights[known].min()), float(heights[known].max())) if known.any() else (0.0, 0.0)
    filled = np.where(known, heights, low)
    share = (filled - low) / (high - low) if high - low > 1e-6 else np.full(heights.shape, 0.5)
    place = share * (len(TINTS) - 1)
    index = np.minimum(place.astype(int), len(TINTS) - 2)
    part = (place - index)[..., None]
    colour = TINTS[index] * (1.0 - part) + TINTS[index + 1] * part
    down, right = np.gradient(filled, cell) if min(heights.shape) > 1 else (np.zeros_like(filled),) * 2
    normal = np.stack([-right, down, np.ones_like(filled)], axis=-1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    light = np.array([-0.5, 0.5, 0.7]) / np.linalg.norm([0.5, 0.5, 0.7])
    shade = np.clip((normal @ light) / light[2], 0.25, 1.5)
    out = np.zeros((*heights.shape, 4), np.uint8)
    out[..., :3] = np.clip(colour * shade[..., None], 0, 255)
    out[..., 3] = 255
    out[~known] = (18, 18, 24, 255)
    return out


def draw_top_view(data: WalkData, ground: GroundHeight, leg_length: float) -> str:
    """The drawing, x to the right and y up, with one scale for both; ``ground`` takes points as seen from above."""
    body = data.from_above(data.body)
    points = np.concatenate([data.from_above(data.sole).reshape(-1, 3)[:, :2], body[:, :2]])
    low, high = points.min(axis=0) - 0.35 * leg_length, points.max(axis=0) + 0.35 * leg_length
    span = np.maximum(high - low, 1.2 * leg_length)
    wide, tall = WIDTH - LEFT - RIGHT, TALLEST - TOP - BOTTOM
    scale = min(wide / span[0], tall / span[1])
    middle = 0.5 * (low + high)
    full = np.array([wide / scale, max(span[1], 150.0 / scale)])  # terrain fills the whole width
    low, high = middle - 0.5 * full, middle + 0.5 * full
    height = TOP + BOTTOM + full[1] * scale

    def x(v: Array | float) -> Array:
        return np.asarray(LEFT + (np.asarray(v) - low[0]) * scale)

    def y(v: Array | float) -> Array:
        return np.asarray(height - BOTTOM - (np.asarray(v) - low[1]) * scale)

    cell = full.max() / PIXELS
    columns, rows = (max(int(round(size / cell)), 2) for size in full)
    xs = low[0] + (np.arange(columns) + 0.5) * full[0] / columns
    ys = high[1] - (np.arange(rows) + 0.5) * full[1] / rows
    grid = np.stack([*np.meshgrid(xs, ys), np.full((rows, columns), body[:, 2].max() + 2.0 * leg_length)], axis=-1)
    heights = np.asarray(ground(grid.reshape(-1, 3)), np.float64).reshape(rows, columns)
    picture = base64.b64encode(png(relief(heights, cell))).decode()
    parts = [
        f'<image x="{LEFT}" y="{TOP}" width="{wide:.1f}" height="{full[1] * scale:.1f}" preserveAspectRatio="none" '
        f'href="data:image/png;base64,{picture}"/>'
    ]
    for tick in np.linspace(0, len(data.t) - 1, INSTANTS).astype(int):
        corners = data.support_polygon(int(tick))
        if not len(corners):
            continue
        text = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x(corners[:, 0]), y(corners[:, 1]), strict=True))
        bx, by = float(x(body[tick, 0])), float(y(body[tick, 1]))
        parts.append(
            f'<polygon class="support" points="{text}"><title>support at {data.t[tick]:.2f} s</title></polygon>'
            f'<circle class="body" cx="{bx:.1f}" cy="{by:.1f}" r="4"/>'
        )
    path = body[:: max(len(data.t) // 800, 1)]
    line = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(x(path[:, 0]), y(path[:, 1]), strict=True))
    parts.append(f'<path class="path-edge" d="{line}"/><path class="path" d="{line}"/>')
    for leg, name in enumerate(data.names):
        for number, hold in enumerate(data.from_above(data.footholds(leg))):
            parts.append(
                f'<circle class="foothold" cx="{float(x(hold[0])):.1f}" cy="{float(y(hold[1])):.1f}" r="4" '
                f'fill="{data.colours[leg]}"><title>{escape(name)}, stance {number + 1}</title></circle>'
            )
    start, end = path[0], path[-1]
    for spot, text, anchor, shift in ((start, "start", "end", -9), (end, "end", "start", 9)):
        parts.append(text_at(x(spot[0]) + shift, y(spot[1]) + 4, text, "mark", anchor))
    floor = height - BOTTOM
    for value in nice_ticks(low[0], high[0], 10):
        place = float(x(value))
        parts.append(text_at(place, floor + 18, tick_text(value)))
        parts.append(f'<line class="axis" x1="{place:.1f}" x2="{place:.1f}" y1="{floor:.1f}" y2="{floor + 4:.1f}"/>')
    for value in nice_ticks(low[1], high[1], max(int((floor - TOP) / 40), 2)):
        place = float(y(value))
        parts.append(text_at(LEFT - 8, place + 4, tick_text(value), anchor="end"))
        parts.append(f'<line class="axis" x1="{LEFT - 4}" x2="{LEFT}" y1="{place:.1f}" y2="{place:.1f}"/>')
    parts.append(text_at(LEFT - 8, floor + 18, "[m]", anchor="end"))
    known = heights[np.isfinite(heights)]
    note = f"Terrain from {known.min():.2f} m (blue) to {known.max():.2f} m (yellow)." if known.size else "No terrain."
    if known.size and np.ptp(known) < 1e-6:
        note = f"Level ground at {known.min():.2f} m.".replace("-0.00", "0.00")
    if known.size < heights.size:
        note += " Holes are black."
    return (
        f'<svg role="img" aria-label="footholds from above" viewBox="0 0 {WIDTH:.0f} {height:.0f}">'
        f"{''.join(parts)}</svg>"
        f'<p class="note">{escape(note)} Dots are footholds in the colours of the legs; shaded areas are the support'
        f" polygon at {INSTANTS} instants, with the body's ground point.</p>"
    )

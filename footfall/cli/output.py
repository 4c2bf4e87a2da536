"""What a command prints: one JSON object, or tables for people."""

from __future__ import annotations

import json
import math
import sys
from typing import Any


def plain(value: Any) -> Any:
    """A value as JSON has it: NumPy's numbers become Python's, what is not finite becomes null."""
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return str(value)


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object on stdout."""
    json.dump(plain(value), sys.stdout, allow_nan=False, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


def figure(value: Any) -> str:
    """A number in a table."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return "–"
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


#: Rows of the quality table: key, what it says, unit.
ROWS = (
    ("slip_max_mm", "slip of a planted sole, largest", "mm"),
    ("slip_p95_mm", "slip, 95 % of stances", "mm"),
    ("penetration_max_mm", "sole under the ground", "mm"),
    ("hover_max_mm", "planted sole over the ground", "mm"),
    ("reach_excess_max_mm", "reach beyond the leg", "mm"),
    ("reach_excess_count", "leg-ticks out of reach", ""),
    ("e_ik_max_mm", "solved sole off its goal", "mm"),
    ("e_track_rms_mm", "sole off the plan, rms", "mm"),
    ("joint_step_max_deg", "largest turn of a bone in a frame", "deg"),
    ("pole_flips", "knees that changed sides", ""),
    ("limit_hits", "leg-ticks beyond a joint's limit", ""),
    ("airborne_max", "most feet in the air", ""),
    ("support_margin_min_m", "least support margin", "m"),
    ("swing_low_share", "share of swing that touches the ground", ""),
    ("speed_mean", "speed", "m/s"),
    ("speed_commanded", "speed asked for", "m/s"),
    ("steps", "steps", ""),
    ("rescue_steps", "rescue steps", ""),
    ("rejected_footholds", "footholds refused", ""),
    ("not_finite", "values that are no number", ""),
    ("tick_us_median", "cost of a tick, median", "µs"),
    ("tick_us_p95", "cost of a tick, 95 %", "µs"),
)


def print_table(result: dict[str, Any], verdicts: list[Any]) -> None:
    """Print a walk's quality table on stdout; ``verdicts`` hold some of its numbers to limits."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    held = {verdict.key: verdict for verdict in verdicts}
    many = f", {result['agents']:,} agents" if result["agents"] > 1 else ""
    table = Table(
        box=box.SIMPLE, title_justify="left",
        title=f"{result['machine']} on {result['terrain']}, {result['seconds']:g} s at {result['rate']:g} Hz{many}",
    )  # fmt: skip
    table.add_column("")
    table.add_column("value", justify="right")
    table.add_column("unit")
    table.add_column("limit", justify="right")
    table.add_column("")
    for key, words, unit in ROWS:
        verdict = held.get(key)
        limit, mark = "", ""
        if verdict is not None:
            least = key == "steps"
            limit = f"{'≥' if least else '≤'} {figure(verdict.limit)}"
            mark = "[green]pass[/]" if verdict.ok else "[bold red]FAIL[/]"
        table.add_row(words, figure(result["metrics"].get(key)), unit, limit, mark)
    console = Console(highlight=False)
    console.print(table)
    missed = sum(not verdict.ok for verdict in verdicts)
    if missed:
        console.print(f"[bold red]FAIL[/] {missed} of {len(verdicts)} limits are missed")
    else:
        console.print(f"[green]pass[/] all {len(verdicts)} limits hold")
    for path in result["files"]:
        console.print(f"wrote {path}", soft_wrap=True, markup=False)
    console.print(f"state {result['state_hash']}", soft_wrap=True)

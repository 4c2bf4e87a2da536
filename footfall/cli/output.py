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


def print_table(result: dict[str, Any], verdicts: list[Any]) -> None:
    """Print a walk's quality table on stdout; ``verdicts`` hold some of its numbers to limits."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from footfall.metrics import AT_LEAST
    from footfall.report.page import FIGURES, figure_text

    held = {verdict.key: verdict for verdict in verdicts}
    many = f", {result['agents']:,} agents" if result["agents"] > 1 else ""
    table = Table(
        box=box.SIMPLE, title_justify="left", title_style="bold",
        title=f"{result['machine']} on {result['terrain']}, {result['seconds']:g} s at {result['rate']:g} Hz{many}",
    )  # fmt: skip
    for column, side in (("", "left"), ("value", "right"), ("", "left"), ("limit", "right"), ("", "left")):
        table.add_column(column, justify=side)  # type: ignore[arg-type]
    for _, figures in FIGURES:
        for key, words, unit in figures:
            verdict = held.get(key)
            limit = mark = ""
            if verdict is not None:
                limit = f"{'≥' if key in AT_LEAST else '≤'} {figure_text(verdict.limit)}"
                mark = "[green]pass[/]" if verdict.ok else "[bold red]FAIL[/]"
            table.add_row(words, figure_text(result["metrics"].get(key)), unit, limit, mark)
        table.add_section()
    console = Console(highlight=False)
    console.print(table)
    missed = len(result["missed"])
    if missed:
        console.print(f"[bold red]FAIL[/] {missed} of {len(verdicts)} limits are missed")
    else:
        console.print(f"[green]pass[/] all {len(verdicts)} limits hold")
    for path in result["files"]:
        console.print(f"wrote {path}", soft_wrap=True, markup=False)
    console.print(f"state {result['state_hash']}", soft_wrap=True)

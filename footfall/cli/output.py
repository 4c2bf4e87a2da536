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

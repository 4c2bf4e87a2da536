"""Write the tables of parameters into the pages, from the dataclasses that files fill and from record fields.

    python docs/parameters.py            # write them
    python docs/parameters.py --check    # only say whether a page is out of date

A page marks where a table goes:

    <!-- parameters: footfall.gait.Gait -->
    <!-- end -->
"""

from __future__ import annotations

import enum
import importlib
import inspect
import math
import re
import sys
from collections.abc import Iterator
from dataclasses import MISSING, Field, is_dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np

from footfall.documents import allowed_values, field_docs
from footfall.documents.declarations import declared_fields, union_members
from footfall.froude import LENGTH, RATE, STIFFNESS, TIME, Scaled

DOCS = Path(__file__).parent
MARK = re.compile(r"(<!-- (parameters|record): ([\w.]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
UNIT = re.compile(r"\s*\[([^\]`]+)\]")
ROWS = re.compile(r"\s*\(rows? [^)]*\)")
FIELD = re.compile(r'^\s*\("(\w+)", [^#]*\),(?:\s*#: (.*))?$')


def find(path: str) -> tuple[Any, Any]:
    """A dataclass or a record dtype by its dotted path, and the module that it is in."""
    place, _, name = path.rpartition(".")
    module = importlib.import_module(place)
    return getattr(module, name), module


def parted(doc: str) -> tuple[str, str]:
    """Unit and effect of a docstring, as a table's cells have them."""
    text = ROWS.sub("", " ".join(doc.split()))
    units = UNIT.findall(text)
    text = UNIT.sub("", text).replace("``", "`").replace("|", "\\|")
    return (units[0] if units else "", text)


GROWTH = {LENGTH: " · L", TIME: " · √L", RATE: " / √L", STIFFNESS: " / L"}


def shown(value: Any) -> str:
    """A default value."""
    if isinstance(value, Scaled):
        return shown(float(value)) + GROWTH[value.power]
    if isinstance(value, enum.Enum):
        return f"`{value.name}`"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, float) and abs(value) == math.pi:
        return "−π" if value < 0.0 else "π"
    if isinstance(value, int | float):
        return f"{value:.4g}".replace("-", "−").replace("1e+03", "1000")
    if isinstance(value, tuple):
        return ", ".join(shown(part) for part in value) or "none"
    return "none" if value is None else f"`{value}`" if value else "–"


def default_of(field: Field[Any]) -> str:
    """A field's default, or that it must be given."""
    if field.default is not MISSING:
        return shown(field.default)
    if field.default_factory is not MISSING:
        return "its own"
    return "**must be given**"


def allowed_of(hint: Any) -> str:
    """What a field may hold, short where it is a mapping of its own."""
    if any(is_dataclass(member) for member in union_members(hint)):
        return "a mapping"
    words = re.sub(r"\s+", " ", allowed_values(hint)).replace("|", "\\|").strip()
    words = re.sub(r"mappings with keys [\w, ]+?(?=, at least|, at most|$)", "mappings", words)
    for text, sign in ((">= ", "≥ "), ("<= ", "≤ "), ("3.14159", "π"), ("1.5708", "π/2"), ("6.28319", "2π")):
        words = words.replace(text, sign)
    return re.sub(r"(?<=[≥≤] )-", "−", words)


def doc_of(doc: str | None, hint: Any) -> str:
    """A field's docstring, or the first line of that of what it holds."""
    held = [part for member in union_members(hint) for part in (member, *get_args(member)) if isinstance(part, type)]
    own = [part for part in held if is_dataclass(part) or issubclass(part, enum.Enum)]
    return doc or next(((part.__doc__ or "").splitlines()[0] for part in own), "")


def parameter_rows(declaration: type) -> Iterator[tuple[str, ...]]:
    """One row a field."""
    docs = field_docs(declaration)
    for name, (field, hint) in declared_fields(declaration).items():
        unit, effect = parted(doc_of(docs.get(name), hint))
        yield f"`{name}`", unit, default_of(field), allowed_of(hint), effect


def record_rows(dtype: np.dtype[Any], module: Any, name: str) -> Iterator[tuple[str, ...]]:
    """One row a field, with the words that stand behind it in the source."""
    source = inspect.getsource(module)
    body = source[re.search(rf"^{name} = np\.dtype\(", source, re.MULTILINE).end() :]  # type: ignore[union-attr]
    docs = {}
    for line in body.splitlines():
        if line.startswith(")"):
            break
        found = FIELD.match(line)
        if found is not None:
            docs[found[1]] = found[2] or ""
    for field in dtype.names or ():
        base, shape = dtype[field].base, dtype[field].shape
        kind = {"i": "whole", "f": "float"}[base.kind]
        unit, meaning = parted(docs[field])
        yield f"`{field}`", kind + (f" × {shape[0]}" if shape else ""), unit, meaning


def table(path: str) -> str:
    """The table of one dataclass or record."""
    what, module = find(path)
    if isinstance(what, np.dtype):
        head: tuple[str, ...] = ("field", "type", "unit", "meaning")
        rows = record_rows(what, module, path.rpartition(".")[2])
    else:
        head = ("key", "unit", "default", "allowed", "effect")
        rows = parameter_rows(what)
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def filled(text: str) -> str:
    """A page with its tables as they are now."""
    return MARK.sub(lambda found: f"{found[1]}\n{table(found[3])}\n{found[5]}", text)


def main(arguments: list[str]) -> int:
    """Write all pages that are out of date, or say which are."""
    stale = []
    for page in sorted(DOCS.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if filled(text) != text:
            stale.append(page.name)
            if "--check" not in arguments:
                page.write_text(filled(text), encoding="utf-8")
    if "--check" not in arguments:
        print(f"wrote {', '.join(stale) or 'nothing: all tables are up to date'}")
        return 0
    if stale:
        print(f"out of date, run python docs/parameters.py: {', '.join(stale)}", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

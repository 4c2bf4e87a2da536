"""What a declaration allows: its fields, their types and ranges in words, their docstrings."""

from __future__ import annotations

import ast
import enum
import inspect
import itertools
import math
import re
import textwrap
import types
import typing
from collections.abc import Sequence
from dataclasses import Field, fields, is_dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import annotated_types

COLLECTIONS = (tuple, list, Sequence)
SCALARS = {float: "a number", int: "a whole number", bool: "true, false", str: "text", Path: "a path"}


@lru_cache
def field_docs(declaration: type) -> dict[str, str]:
    """Docstrings of a dataclass's fields, by name: the string literals under them. Empty where there is no source."""
    docs: dict[str, str] = {}
    for owner in reversed(declaration.__mro__):
        if not is_dataclass(owner):
            continue
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(owner)))
        except (OSError, TypeError, SyntaxError):
            continue
        body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
        for line, below in itertools.pairwise(body):
            if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and isinstance(below, ast.Expr):
                if isinstance(below.value, ast.Constant) and isinstance(below.value.value, str):
                    docs[line.target.id] = inspect.cleandoc(below.value.value)
    return docs


def unwrap(hint: Any) -> tuple[Any, list[Any]]:
    """The type without ``Annotated``, and its limits one by one."""
    if get_origin(hint) is not Annotated:
        return hint, []
    base, *metadata = get_args(hint)
    limits = []
    for entry in metadata:
        limits += list(entry) if isinstance(entry, annotated_types.GroupedMetadata) else [entry]
    inner, more = unwrap(base)
    return inner, more + limits


def union_members(hint: Any) -> tuple[Any, ...]:
    """Members of a union without None; one member for any other type."""
    base, _ = unwrap(hint)
    if get_origin(base) in (typing.Union, types.UnionType):
        return tuple(member for member in get_args(base) if member is not types.NoneType)
    return (base,)


@lru_cache
def declared_fields(declaration: type) -> dict[str, tuple[Field[Any], Any]]:
    """Fields that a file may give, with their types."""
    hints = get_type_hints(declaration, include_extras=True)
    return {field.name: (field, hints[field.name]) for field in fields(declaration) if field.init}


def tag_values(member: Any) -> dict[str, tuple[Any, ...]]:
    """Fields of a dataclass that hold one of a few fixed words, with the words; empty for any other type."""
    base, _ = unwrap(member)
    if not (isinstance(base, type) and is_dataclass(base)):
        return {}
    hints = {name: unwrap(hint)[0] for name, (_, hint) in declared_fields(base).items()}
    return {name: get_args(hint) for name, hint in hints.items() if get_origin(hint) is Literal}


def takes_degrees(hint: Any, doc: str = "") -> bool:
    """Whether a field is an angle: numbers only, and no unit without rad in its docstring."""
    units = re.findall(r"\[([a-zA-Z][^\]]*)\]", doc)
    if units and not any("rad" in unit for unit in units):
        return False
    for member in union_members(hint):
        base, _ = unwrap(member)
        if get_origin(base) in COLLECTIONS:
            if not all(takes_degrees(part) for part in get_args(base) if part is not Ellipsis):
                return False
        elif base is not float:
            return False
    return True


def _limits(limits: list[Any], degrees: bool) -> str:
    """`` > 0, at least 1`` and the like."""

    def number(limit: Any) -> str:
        return f"{math.degrees(limit) if degrees else limit:.6g}"

    signs = {annotated_types.Ge: ("ge", ">="), annotated_types.Gt: ("gt", ">"),
             annotated_types.Le: ("le", "<="), annotated_types.Lt: ("lt", "<")}  # fmt: skip
    ranges, counts = [], []
    for limit in limits:
        if type(limit) in signs:
            name, sign = signs[type(limit)]
            ranges.append(f"{sign} {number(getattr(limit, name))}")
        elif isinstance(limit, annotated_types.MinLen):
            counts.append(f"at least {limit.min_length} of them")
        elif isinstance(limit, annotated_types.MaxLen):
            counts.append(f"at most {limit.max_length} of them")
        elif isinstance(limit, annotated_types.MultipleOf):
            counts.append(f"a multiple of {limit.multiple_of}")
    return (" " if ranges else "") + ", ".join(ranges) + "".join(f", {count}" for count in counts)


def allowed_values(hint: Any, degrees: bool = False) -> str:
    """What a field of this type may hold, in words."""
    base, limits = unwrap(hint)
    origin, arguments = get_origin(base), get_args(base)
    if len(union_members(base)) > 1:
        return " or ".join(allowed_values(member, degrees) for member in union_members(base))
    if union_members(base) != (base,):
        return allowed_values(union_members(base)[0], degrees)
    if origin is Literal:
        return ", ".join(str(value) for value in arguments)
    if isinstance(base, type) and issubclass(base, enum.Enum):
        return ", ".join(base.__members__)
    if isinstance(base, type) and is_dataclass(base):
        return "keys " + ", ".join(declared_fields(base))
    if origin is tuple and Ellipsis not in arguments:
        if len(set(arguments)) == 1:
            return f"{len(arguments)} {_plural(allowed_values(arguments[0], degrees))}{_limits(limits, degrees)}"
        return "a list of " + ", ".join(allowed_values(part, degrees) for part in arguments)
    if origin in COLLECTIONS:
        return f"a list of {_plural(allowed_values(arguments[0], degrees))}{_limits(limits, degrees)}"
    if origin is dict:
        return f"a mapping of names to {_plural(allowed_values(arguments[1], degrees))}"
    words = SCALARS.get(base, "a value")
    return words + _limits(limits, degrees) + (" (degrees)" if degrees else "")


def _plural(words: str) -> str:
    if words.startswith("keys "):
        return f"mappings with {words}"
    singular = re.match(r"a (number|whole number|value|path)", words)
    return singular[1] + "s" + words[singular.end() :] if singular else words


def fits_type(value: Any, base: Any) -> bool:
    """Whether a scalar is of a type, without any conversion but whole floats to int and int to float."""
    if get_origin(base) is Literal:
        return any(type(value) is type(option) and value == option for option in get_args(base))
    if base is bool:
        return isinstance(value, bool)
    if base in (int, float):
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return number and (base is float or float(value).is_integer())
    if base in (str, Path):
        return isinstance(value, str)
    return base is Any or (base in (None, types.NoneType) and value is None)

"""One reading of one file: nodes along a declaration, then pydantic, with the place of every key."""

from __future__ import annotations

import difflib
import enum
import math
import re
import types
from collections.abc import Iterable
from dataclasses import MISSING, is_dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple, get_args, get_origin

from footfall.documents.declarations import (
    COLLECTIONS,
    allowed_values,
    declared_fields,
    field_docs,
    fits_type,
    tag_values,
    takes_degrees,
    union_members,
    unwrap,
)  # fmt: skip
from footfall.documents.nodes import SUFFIX, TagError, is_finite, node_kind, quote, read_scalar, render_node
from footfall.errors import FileError, FileFault

KeyPath = tuple[str | int, ...]
LARGEST_TREE = 200_000  # YAML nodes, aliases expanded
MOST_FAULTS = 200  # faults that are listed


def parse_key_path(path: str) -> KeyPath:
    """``legs[0].hip[2]`` as ``("legs", 0, "hip", 2)``."""
    return tuple(int(index) if index else key for key, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", path))


class _Place(NamedTuple):
    """Where a key stands, and what was found there."""

    file: str
    line: int
    column: int
    shown: str
    value: str
    hint: Any
    degrees: bool


class Reader:
    """One reading of one file: the faults so far and the place of every key."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.faults: list[FileFault] = []
        self.places: dict[KeyPath, _Place] = {}
        self.dead: set[KeyPath] = set()
        self.nodes = 0
        self.open: set[int] = set()

    def fault(self, path: KeyPath, message: str, mark: Any = None) -> None:
        """Note a fault at a key, or at its nearest ancestor in the file."""
        self.dead.add(path)
        if mark is not None:
            self.faults.append(FileFault(mark.name, message, mark.line + 1, mark.column + 1))
            return
        while path not in self.places:
            path = path[:-1]
        place = self.places[path]
        self.faults.append(FileFault(place.file, message, place.line, place.column))

    def refuse(self, path: KeyPath, why: str = "") -> None:
        """Note that a value is not what its key allows."""
        place = self.places[path]
        self.fault(path, f"{place.shown} is {place.value}{why}; allowed: {allowed_values(place.hint, place.degrees)}")

    def shown(self, path: KeyPath) -> str:
        """A key path as messages write it."""
        if path in self.places:
            return self.places[path].shown
        return _join(self.shown(path[:-1]), path[-1]) if path else ""

    def sorted_faults(self) -> list[FileFault]:
        """Faults in the order of the file, then those of files that it is like."""
        faults = sorted(self.faults, key=lambda at: (at.file != self.file, at.file, at.line or 0, at.column or 0))
        if len(faults) > MOST_FAULTS:
            more = FileFault(self.file, f"and {len(faults) - MOST_FAULTS} more faults")
            faults = [*faults[:MOST_FAULTS], more]
        return faults

    def convert(self, node: Any, hint: Any, path: KeyPath, shown: str, key: Any = None, degrees: bool = False) -> Any:
        """First pass: the node's value as plain data, with faults noted."""
        self.nodes += 1
        if self.nodes > LARGEST_TREE:
            raise FileError([FileFault(self.file, f"has more than {LARGEST_TREE:,} values once aliases are expanded")])
        base, _ = unwrap(hint)
        mark = key.start_mark if key is not None and node_kind(node) in ("map", "seq", "null") else node.start_mark
        self.places[path] = _Place(mark.name, mark.line + 1, mark.column + 1, shown, render_node(node), hint, degrees)
        if id(node) in self.open:
            return self.fault(path, f"{shown} contains itself")
        self.open.add(id(node))
        try:
            if union_members(base) != (base,):
                return self._convert_union(node, base, path, shown, key, degrees)
            if isinstance(base, type) and is_dataclass(base):
                return self._convert_fields(node, base, path, shown)
            if node_kind(node) == "map" and (get_origin(base) or base) in (dict, Any):
                return self._convert_table(node, base, path, shown)
            if get_origin(base) in COLLECTIONS or (base is Any and node_kind(node) == "seq"):
                return self._convert_list(node, base, path, shown, degrees)
            return self._convert_scalar(node, base, path, degrees)
        finally:
            self.open.discard(id(node))

    def _convert_fields(self, node: Any, declaration: type, path: KeyPath, shown: str) -> Any:
        if node_kind(node) != "map":
            return self.refuse(path)
        declared, docs = declared_fields(declaration), field_docs(declaration)
        values: dict[str, Any] = {}
        for key, value, name in self._keys(node, path, shown):
            field = name
            degrees = name not in declared and name.endswith(SUFFIX)
            if degrees:
                field = name.removesuffix(SUFFIX)
                if field in declared and not takes_degrees(declared[field][1], docs.get(field, "")):
                    message = f"{_join(shown, name)} is not an angle; did you mean {field}?"
                    self.fault((*path, name), message, key.start_mark)
                    self.dead.add((*path, field))
                    continue
            if field not in declared:
                self._refuse_key(key, name, declaration, path, shown)
            elif field in values:
                message = f"{_join(shown, name)} is given twice, once with {SUFFIX} and once without"
                self.fault((*path, field), message, key.start_mark)
            else:
                child = (*path, field)
                values[field] = self.convert(value, declared[field][1], child, _join(shown, name), key, degrees)
        return values

    def _keys(self, node: Any, path: KeyPath, shown: str) -> Iterable[tuple[Any, Any, str]]:
        """Key node, value node and name of each entry that is not a duplicate."""
        seen: dict[str, int] = {}
        for key, value in node.value:
            if not isinstance(key.value, str):
                message = f"{shown or 'the file'} has a key that is {render_node(key)}; allowed: names"
                self.fault((*path, "?"), message, key.start_mark)
            elif key.value in seen:
                message = f"{_join(shown, key.value)} is given twice, first on line {seen[key.value]}"
                self.fault((*path, key.value), message, key.start_mark)
            else:
                seen[key.value] = key.start_mark.line + 1
                yield key, value, key.value

    def _refuse_key(self, key: Any, name: str, declaration: type, path: KeyPath, shown: str) -> None:
        declared, docs = declared_fields(declaration), field_docs(declaration)
        angles = [field + SUFFIX for field in declared if "rad" in docs.get(field, "")]
        near = difflib.get_close_matches(name.lower().replace("-", "_"), [*declared, *angles], 1, 0.6)
        if near:
            hint = f"did you mean {near[0]}?"
            self.dead.add((*path, near[0].removesuffix(SUFFIX)))
        else:
            hint = f"known keys: {', '.join(declared)}"
        self.fault((*path, name), f"{_join(shown, name)} is not a known key; {hint}", key.start_mark)

    def _convert_table(self, node: Any, base: Any, path: KeyPath, shown: str) -> Any:
        hint = get_args(base)[1] if get_args(base) else Any
        return {
            name: self.convert(value, hint, (*path, name), _join(shown, name), key)
            for key, value, name in self._keys(node, path, shown)
        }

    def _convert_list(self, node: Any, base: Any, path: KeyPath, shown: str, degrees: bool) -> Any:
        if node_kind(node) != "seq":
            return self.refuse(path)
        hints = get_args(base) or (Any,)
        if get_origin(base) is tuple and Ellipsis not in hints:
            if len(node.value) != len(hints):
                return self.refuse(path)
        else:
            hints = (hints[0],) * len(node.value)
        return tuple(
            self.convert(part, hint, (*path, index), _join(shown, index), degrees=degrees)
            for index, (part, hint) in enumerate(zip(node.value, hints, strict=True))
        )

    def _convert_scalar(self, node: Any, base: Any, path: KeyPath, degrees: bool) -> Any:
        if node_kind(node) in ("map", "seq"):
            return self.refuse(path)
        try:
            value = read_scalar(node)
        except TagError as wrong:
            return self.fault(path, f"{self.places[path].shown} is {self.places[path].value}, which {wrong}")
        if isinstance(value, int | float) and not is_finite(value):
            return self.refuse(path, ", which is not a finite number")
        if isinstance(base, type) and issubclass(base, enum.Enum):
            return base[value] if isinstance(value, str) and value in base.__members__ else self.refuse(path)
        if not fits_type(value, base):
            return self.refuse(path)
        if base is float:
            return math.radians(value) if degrees else float(value)
        return int(value) if base is int else value

    def _convert_union(self, node: Any, base: Any, path: KeyPath, shown: str, key: Any, degrees: bool) -> Any:
        members = union_members(base)
        if node_kind(node) == "null" and types.NoneType in get_args(base):
            return None
        fitting = [member for member in members if _node_fits(node, member)]
        self.open.discard(id(node))  # the same node again, as its chosen member
        if len(members) == 1:
            return self.convert(node, members[0], path, shown, key, degrees)
        if not fitting:
            return self.refuse(path)
        if self._refuse_tag(node, fitting, path, shown):
            return None
        chosen = max(fitting, key=lambda member: _likeness(node, member))
        value = self.convert(node, chosen, path, shown, key, degrees)
        return self.validate(value, chosen, path)

    def _refuse_tag(self, node: Any, members: list[Any], path: KeyPath, shown: str) -> bool:
        """Whether the key that tells the dataclasses of a union apart is missing or wrong; the fault is noted."""
        tags = [tag_values(member) for member in members]
        shared = set.intersection(*(set(tag) for tag in tags))
        for name in sorted(shared):
            allowed = ", ".join(str(value) for tag in tags for value in tag[name])
            found = [(key, value) for key, value in node.value if key.value == name]
            if not found:
                self.fault((*path, name), f"{_join(shown, name)} is missing; allowed: {allowed}")
            elif not any(fits_type(found[0][1].value, Literal[value]) for tag in tags for value in tag[name]):
                message = f"{_join(shown, name)} is {render_node(found[0][1])}; allowed: {allowed}"
                self.fault((*path, name), message, found[0][1].start_mark)
            else:
                continue
            self.dead.add(path)
            return True
        return False

    def validate(self, value: Any, hint: Any, path: KeyPath) -> Any:
        """Second pass: the instance, or None with faults noted."""
        from pydantic import ValidationError

        try:
            return _adapter(hint).validate_python(value)
        except ValidationError as error:
            for entry in error.errors(include_url=False, include_input=False):
                self._note(entry, (*path, *entry["loc"]))
            self.dead.add(path)
            return None

    def sound_part(self, value: Any, declaration: type) -> tuple[Any, dict[KeyPath, list[int]]]:
        """An instance without the entries of lists that have faults, and the numbers of those that it has, by key.

        None and no numbers where a fault is elsewhere, or too little is left.
        """
        from pydantic import ValidationError

        lists = {name: part for name, part in value.items() if isinstance(part, tuple)}
        numbers: dict[KeyPath, list[int]]
        numbers = {(name,): [n for n in range(len(part)) if self._sound((name, n))] for name, part in lists.items()}
        whole = all(path[:1] in numbers and len(path) > 1 for path in self.dead if path)
        left = {name: tuple(part[n] for n in numbers[name,]) for name, part in lists.items()}
        try:
            return (_adapter(declaration).validate_python({**value, **left}), numbers) if whole else (None, {})
        except ValidationError:
            return None, {}

    def _sound(self, path: KeyPath) -> bool:
        return not any(dead[: len(path)] == path for dead in self.dead)

    def _note(self, entry: Any, path: KeyPath) -> None:
        if any(path[:length] in self.dead for length in range(len(path) + 1)):
            return
        kind = entry["type"]
        if kind == "missing" or path not in self.places:
            self._refuse_missing(path)
        elif kind.startswith(("greater_than", "less_than", "too_", "string_too", "multiple_of")):
            self.refuse(path)
        else:
            place = self.places[path]
            message = re.sub(r"\s+", " ", entry["msg"].removeprefix("Value error, "))
            named = f"{place.shown} is {place.value}" if place.value != "a mapping" else place.shown
            self.fault(path, f"{named}: {message}" if named else message)

    def _refuse_missing(self, path: KeyPath) -> None:
        owner = self.places.get(path[:-1])
        declaration = next((m for m in union_members(owner.hint) if is_dataclass(m)), None) if owner else None
        message = f"{self.shown(path)} is missing"
        if isinstance(declaration, type) and path[-1] in declared_fields(declaration):
            message += f"; allowed: {allowed_values(declared_fields(declaration)[str(path[-1])][1])}"
            doc = field_docs(declaration).get(str(path[-1]), "")
            message += f" ({' '.join(doc.split()).rstrip('.')})" if doc else ""
        self.fault(path, message)


@lru_cache
def _adapter(hint: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(hint)


def _join(shown: str, key: str | int) -> str:
    if isinstance(key, int):
        return f"{shown}[{key}]"
    name = key if re.fullmatch(r"[\w/ -]{1,60}", key) else quote(key)
    return f"{shown}.{name}" if shown else name


def _node_fits(node: Any, member: Any) -> bool:
    """Whether a node looks like a member of a union."""
    base, _ = unwrap(member)
    kind = node_kind(node)
    if (isinstance(base, type) and is_dataclass(base)) or get_origin(base) is dict:
        return kind == "map"
    if get_origin(base) in COLLECTIONS:
        parts = get_args(base)
        return kind == "seq" and (Ellipsis in parts or get_origin(base) is not tuple or len(parts) == len(node.value))
    if kind in ("map", "seq"):
        return base is Any
    try:
        value = read_scalar(node)
    except TagError:
        return False
    if isinstance(base, type) and issubclass(base, enum.Enum):
        return isinstance(value, str) and value in base.__members__
    return fits_type(value, base)


def _likeness(node: Any, member: Any) -> int:
    """How well a node fits a member of a union: for dataclasses the keys in common, and much for a matching tag."""
    base, _ = unwrap(member)
    if not (isinstance(base, type) and is_dataclass(base)):
        return 1 if base is int and node_kind(node) == "int" else 0
    declared, score = declared_fields(base), 0
    for key, value in node.value:
        name = key.value if isinstance(key.value, str) else ""
        field = name if name in declared else name.removesuffix(SUFFIX)
        if field in declared:
            hint, _ = unwrap(declared[field][1])
            score += (1000 if _node_fits(value, hint) else -1000) if get_origin(hint) is Literal else 1
    required = sum(field.default is MISSING and field.default_factory is MISSING for field, _ in declared.values())
    return score * 100 - required

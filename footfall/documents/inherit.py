"""Files that are like another one: the other file's nodes with this one's over them, each with its own place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from footfall.documents.declarations import declared_fields, unwrap
from footfall.documents.nodes import SUFFIX, compose_text, node_kind, quote, read_text
from footfall.errors import FileError, FileFault, FootfallError


@dataclass(frozen=True)
class Like:
    """Marks the key of a declaration that names another file to take over all keys from that are not given."""

    find: Callable[[str, Path], Path]
    """Path of the file from its name and the folder of the file that names it; raises ``FootfallError``."""


def inherit_nodes(root: Any, declaration: Any, file: str, before: tuple[Path, ...] = ()) -> Any:
    """Root mapping node of a file, over that of the file it is like, and so on.

    Raises:
        FileError: there is no such file, it is no document, or it is like this one.
    """
    key, like = like_key(declaration)
    node = next((value for name, value in root.value if name.value == key), None)
    if like is None or node is None or node_kind(node) != "str":
        return root
    here = (*before, Path(file).resolve())

    def refuse(message: str) -> FileError:
        mark = node.start_mark
        return FileError([FileFault(file, f"{key} is {quote(node.value)}; {message}", mark.line + 1, mark.column + 1)])

    try:
        path = like.find(node.value, Path(file).parent)
    except FootfallError as error:
        raise refuse(str(error)) from None
    try:
        text = read_text(path)
    except FileError as error:
        raise refuse(error.faults[0].message) from None
    if path.resolve() in here:
        raise refuse("that file is like this one")
    return merge_maps(inherit_nodes(compose_text(text, str(path)), declaration, str(path), here), root)


def like_key(declaration: Any) -> tuple[str, Like | None]:
    """Key of a declaration that names another file."""
    for name, (_, hint) in declared_fields(declaration).items():
        for mark in unwrap(hint)[1]:
            if isinstance(mark, Like):
                return name, mark
    return "", None


def merge_maps(base: Any, over: Any) -> Any:
    """Mapping node with the entries of both; where both have one, that of ``over`` is merged in, or replaces it."""
    given = {plain_key(key): value for key, value in base.value}
    entries = [(key, merge_nodes(given.get(plain_key(key)), value)) for key, value in over.value]
    taken = {plain_key(key) for key, _ in over.value}
    left = [(key, value) for key, value in base.value if plain_key(key) not in taken]
    return type(over)(over.tag, [*entries, *left], over.start_mark, over.end_mark)


def merge_nodes(base: Any, over: Any) -> Any:
    """One node over another."""
    kinds = (node_kind(base), node_kind(over)) if base is not None else ()
    if kinds == ("map", "map"):
        return merge_maps(base, over)
    if kinds == ("seq", "seq"):
        return merge_lists(base, over)
    return over


def merge_lists(base: Any, over: Any) -> Any:
    """List node: entries with names are merged with that of the same name, or added; other lists are replaced."""
    names = [entry_name(entry) for entry in over.value]
    known = [entry_name(entry) for entry in base.value]
    if not names or None in names or None in known:
        return over
    parts = dict(zip(names, over.value, strict=True))
    entries = [merge_nodes(entry, parts.pop(name, entry)) for name, entry in zip(known, base.value, strict=True)]
    return type(over)(over.tag, [*entries, *parts.values()], over.start_mark, over.end_mark)


def entry_name(node: Any) -> str | None:
    """Name of an entry of a list, where it has one."""
    if node_kind(node) != "map":
        return None
    return next((str(value.value) for key, value in node.value if key.value == "name"), None)


def plain_key(key: Any) -> str:
    """A key without the unit of its value: an angle may be given in degrees here and in radians there."""
    return str(key.value).removesuffix(SUFFIX)

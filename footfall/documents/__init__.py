"""YAML files to frozen dataclasses, with every fault at once: file, line, column, key, value, what is allowed.

A file is read in two passes. The first walks the YAML nodes along the declaration: keys, duplicates, types, names of
enum members, degrees, numbers that are not finite. The second hands the values to pydantic: missing keys, ranges,
lengths. A fault of the first pass hides what the second says about the same key. A file may be like another one
(``inherit``): then the nodes of both are walked as one, and each fault is told in the file that its key stands in.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from footfall.documents.declarations import allowed_values, field_docs
from footfall.documents.inherit import Like, inherit_nodes
from footfall.documents.nodes import compose_text, read_text
from footfall.documents.reader import KeyPath, Reader, parse_key_path
from footfall.errors import FileError, FileFault

__all__ = ["Check", "Like", "allowed_values", "field_docs", "load_document", "parse_document", "parse_key_path"]

T = TypeVar("T")
Check = Callable[[T], Iterable[tuple[str | KeyPath, str]]]
"""Called with a valid instance; returns faults as (key path, message), with a path like ``legs[0].trunk``."""


def load_document(path: str | Path, declaration: type[T], check: Check[T] | None = None, apart: bool = False) -> T:
    """Read a YAML file into an instance of a dataclass.

    Args:
        path: the file.
        declaration: a dataclass; its fields' types and ``annotated_types`` ranges say what is allowed.
        check: see ``Check``; called only when all else holds.
        apart: entries of lists are sound each by itself: where some are not, the check is called with the others.

    Raises:
        FileError: with one fault for each thing that is wrong.
    """
    return parse_document(read_text(path), str(path), declaration, check, apart)


def parse_document(text: str, file: str, declaration: type[T], check: Check[T] | None = None, apart: bool = False) -> T:
    """Read YAML text into an instance of a dataclass; ``file`` is the name in errors. See ``load_document``."""
    reader = Reader(file)
    try:
        root = inherit_nodes(compose_text(text, file), declaration, file)
        value = reader.convert(root, declaration, (), "")
        instance = reader.validate(value, declaration, ())
    except RecursionError:
        raise FileError([FileFault(file, "is nested too deeply")]) from None
    sound, numbers = reader.sound_part(value, declaration) if reader.faults and apart else (instance, {})
    if sound is not None and check is not None:
        for path, message in check(sound):
            keys = parse_key_path(path) if isinstance(path, str) else path
            if keys[:1] in numbers and len(keys) > 1:
                keys = (keys[0], numbers[keys[:1]][int(keys[1])], *keys[2:])
            reader.fault(keys, f"{reader.shown(keys)} {message}".strip())
    if reader.faults:
        raise FileError(reader.sorted_faults())
    return typing.cast(T, instance)

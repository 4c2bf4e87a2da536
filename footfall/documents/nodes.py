"""YAML text to nodes with line marks, and nodes to scalars, by the core schema of YAML 1.2."""

from __future__ import annotations

import io
import math
import os
import re
import stat
import typing
import warnings
from pathlib import Path
from typing import Any

from footfall.errors import FileError, FileFault

LARGEST_FILE = 5_000_000  # bytes
LONGEST_VALUE = 60  # characters of a value in a message
SUFFIX = "_deg"  # of a key whose value is in degrees


def read_text(path: str | Path) -> str:
    """Text of a file that is there, not huge, and in UTF-8; raises ``FileError``."""

    def refuse(message: str) -> typing.NoReturn:
        raise FileError([FileFault(str(path), message)]) from None

    try:
        found = os.stat(path)
        if stat.S_ISDIR(found.st_mode):
            refuse("is a directory, not a file")
        if not stat.S_ISREG(found.st_mode):
            refuse("is not a regular file")
        if found.st_size > LARGEST_FILE:
            refuse(f"has {found.st_size / 1e6:.1f} MB; the limit is {LARGEST_FILE / 1e6:.0f} MB")
        data = Path(path).read_bytes()
    except FileNotFoundError:
        refuse("there is no such file")
    except OSError as error:
        refuse(f"cannot be read: {error.strerror or error}")
    except ValueError:  # a NUL in the name
        refuse("is not a file name")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        refuse(f"is not a text file in UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}")


def named_stream(text: str, file: str) -> io.StringIO:
    """A stream of text that gives its file's name to the marks of all nodes."""
    stream = io.StringIO(text)
    stream.name = file
    return stream


def compose_text(text: str, file: str) -> Any:
    """Root mapping node of the text, each of whose marks names the file; raises ``FileError``."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError
    from ruamel.yaml.nodes import MappingNode
    from ruamel.yaml.reader import ReaderError

    def refuse(message: str, line: int | None = None, column: int | None = None) -> typing.NoReturn:
        raise FileError([FileFault(file, re.sub(r"\s+", " ", message), line, column)]) from None

    directive = re.search(r"^%YAML\s+(?!1\.2\s*$)(.*)$", text, re.MULTILINE)
    if directive:
        refuse(f"is marked as YAML {directive[1].strip()}; allowed: 1.2", text.count("\n", 0, directive.start()) + 1, 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            root = YAML(typ="rt", pure=True).compose(named_stream(text, file))
    except ReaderError as error:
        before = text[: error.position]
        line, column = before.count("\n") + 1, error.position - before.rfind("\n")
        code = error.character if isinstance(error.character, int) else ord(error.character)
        refuse(f"is not a text file: control character 0x{code:02x}", line, column)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = str(error.problem or error)
        if "'\\t'" in problem:
            problem = "a tab where YAML allows only spaces; indent with spaces"
        elif "another document" in problem:
            problem = "a second document starts here; allowed: one document a file"
        elif error.context and str(error.context).startswith("while"):
            problem = f"{problem} {error.context}"
        refuse(problem, *((mark.line + 1, mark.column + 1) if mark else ()))
    except (YAMLError, ValueError, LookupError, TypeError, AttributeError, AssertionError) as error:
        refuse(f"is not valid YAML: {error}")
    if root is None:
        refuse("is empty")
    if not isinstance(root, MappingNode):
        refuse(f"holds {render_node(root)}, not keys and values", root.start_mark.line + 1, root.start_mark.column + 1)
    return root


class TagError(Exception):
    """A scalar that cannot be what its tag says."""


def quote(value: str) -> str:
    """A text in a message, on one line and not too long."""
    return repr(value if len(value) <= LONGEST_VALUE else value[: LONGEST_VALUE - 1] + "…")


def render_node(node: Any) -> str:
    """A node's value in a message."""
    if isinstance(node.value, str):
        if node_kind(node) == "str":
            return quote(node.value)
        return node.value[:LONGEST_VALUE] or "empty"
    if node_kind(node) == "map":
        return "a mapping"
    if len(node.value) < 8 and all(isinstance(part.value, str) for part in node.value):
        whole = "[" + ", ".join(render_node(part) for part in node.value) + "]"
        if len(whole) <= LONGEST_VALUE:
            return whole
    return f"a list of {len(node.value)}"


def node_kind(node: Any) -> str:
    """``map``, ``seq``, or the scalar's type: ``str``, ``float``, ``int``, ``bool``, ``null``."""
    if not isinstance(node.value, str):
        return "map" if type(node).__name__ == "MappingNode" else "seq"
    kind = str(node.tag).removeprefix("tag:yaml.org,2002:")
    return "str" if kind in ("timestamp", "value", "merge") else kind


def read_scalar(node: Any) -> Any:
    """A scalar by the core schema of YAML 1.2."""
    kind, text = node_kind(node), node.value
    if kind == "str":
        return text
    if kind == "null":
        return None
    try:
        if kind == "bool":
            return {"true": True, "false": False}[text.lower()]
        digits = text.replace("_", "").lower()
        if kind == "int":
            base = {"0x": 16, "0o": 8, "0b": 2}.get(digits.lstrip("+-")[:2], 10)
            return int(digits, base)
        if kind == "float":
            return float(digits.replace(".inf", "inf").replace(".nan", "nan"))
    except (KeyError, ValueError):
        raise TagError(f"is not of the type {kind}") from None
    raise TagError(f"has the tag {kind}; allowed: no tags")


def is_finite(value: int | float) -> bool:
    """Whether a number is neither NaN nor infinite, and fits a float."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False

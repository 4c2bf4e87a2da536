"""What all tests share: the requirement rows and the field cases that they carry."""

from __future__ import annotations

import os
import re

import hypothesis
import pytest

NAMES = {"row": (re.compile(r"[A-E][1-9]\d*"), "C23"), "case": (re.compile(r"FC-[A-G]\d\d"), "FC-A01")}

# Kernels compile inside the first example, and machines are shared: no deadline. CI tries the same examples each time.
hypothesis.settings.register_profile("footfall", deadline=None, derandomize="CI" in os.environ)
hypothesis.settings.load_profile("footfall")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a marker that names no row, or no case."""
    for item in items:
        for kind, (pattern, example) in NAMES.items():
            for marker in item.iter_markers(kind):
                names = marker.args
                if not names or not all(isinstance(name, str) and pattern.fullmatch(name) for name in names):
                    raise pytest.UsageError(f'{item.nodeid}: mark as {kind}("{example}"), not {names!r}')

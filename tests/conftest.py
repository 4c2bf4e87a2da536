"""What all tests share: the requirement rows that they carry."""

from __future__ import annotations

import os
import re

import hypothesis
import pytest

ROW = re.compile(r"[A-E][1-9]\d*")

# Kernels compile inside the first example, and machines are shared: no deadline. CI tries the same examples each time.
hypothesis.settings.register_profile("footfall", deadline=None, derandomize="CI" in os.environ)
hypothesis.settings.load_profile("footfall")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a row marker that names no row."""
    for item in items:
        for marker in item.iter_markers("row"):
            if not marker.args or not all(isinstance(row, str) and ROW.fullmatch(row) for row in marker.args):
                raise pytest.UsageError(f'{item.nodeid}: mark rows as row("C23"), not {marker.args!r}')

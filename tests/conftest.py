"""What all tests share: the requirement rows that they carry."""

from __future__ import annotations

import re

import pytest

ROW = re.compile(r"[A-E][1-9]\d*")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a row marker that names no row."""
    for item in items:
        for marker in item.iter_markers("row"):
            if not marker.args or not all(isinstance(row, str) and ROW.fullmatch(row) for row in marker.args):
                raise pytest.UsageError(f'{item.nodeid}: mark rows as row("C23"), not {marker.args!r}')

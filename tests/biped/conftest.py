"""Walks that many tests of this folder look at."""

from __future__ import annotations

import pytest
from biped_host import SPEED, changed, drive, straight


@pytest.fixture(scope="session")
def proxy():
    """The biped as it is: a network copy, which measures its root over a window."""
    return changed()


@pytest.fixture(scope="session")
def authority():
    """The biped of a server or an owner: it measures its root from frame to frame."""
    return changed(travel={"window": 0.0})


@pytest.fixture(scope="session")
def steady(authority):
    """A straight walk at the reference speed for 24 s."""
    return drive(authority, straight(SPEED, 24.0))

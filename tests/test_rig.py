"""What a rig says of itself."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "metrics"))

from walks import four_legs

from footfall.rig import Trunk, build_rig


def rig_of_trunks(count: int, spacing: float):
    trunks = tuple(Trunk(f"trunk_{n}", (0.4, 0.4, 0.2)) for n in range(count))
    return build_rig(trunks, tuple(replace(leg, trunk="trunk_0") for leg in four_legs().legs), 0.8, spacing)


@pytest.mark.parametrize("count", [1, 2, 3, 8, 9])
def test_the_main_trunk_of_a_row_is_the_one_nearest_to_the_root(count):
    rig = rig_of_trunks(count, 0.7)
    away = abs(rig.trunk_offsets)  # the root is at way 0
    assert away[rig.main_trunk] == away.min()


def test_the_main_trunk_of_a_stack_is_the_one_that_legs_hang_on():
    assert rig_of_trunks(3, 0.0).main_trunk == 0

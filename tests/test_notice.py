"""Credits: what is owed to others is said in NOTICE."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.row("C23")
def test_notice_credits_the_technique_and_says_that_nothing_was_copied():
    notice = " ".join((ROOT / "NOTICE").read_text().split())
    for credit in ("BattleDawnNZ/ProceduralAnimation", "MIT", "027b923", "FastIKFabric", "FABRIK", "pole"):
        assert credit in notice, f"NOTICE does not name {credit}"
    assert "No code and no assets were copied" in notice


@pytest.mark.row("C23")
def test_repository_holds_no_assets_of_others():
    assets = {".fbx", ".blend", ".unity", ".prefab", ".mat", ".obj", ".png", ".jpg", ".wav", ".mp3", ".cs", ".shader"}
    found = [path for path in (ROOT / "footfall").rglob("*") if path.suffix.lower() in assets]
    assert found == []


def test_licence_is_the_whole_apache_licence():
    licence = (ROOT / "LICENSE").read_text()
    assert "Apache License" in licence and "Version 2.0, January 2004" in licence
    assert "END OF TERMS AND CONDITIONS" in licence


def test_elevation_model_is_credited():
    assert "jacksboro" in (ROOT / "NOTICE").read_text()

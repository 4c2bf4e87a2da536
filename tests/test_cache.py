"""The cache of compiled kernels: it removes nothing but its own, and every source that a kernel sees is in its key."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

import pytest
from test_import_order import imports, modules

from footfall import cache

KEYS = [f"{n:016x}" for n in range(1, 9)]


@pytest.fixture
def chosen(tmp_path, monkeypatch):
    """A folder that the user names, and a fresh temporary folder."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    folder = tmp_path / "chosen"
    folder.mkdir()
    monkeypatch.setenv("FOOTFALL_CACHE_DIR", str(folder))
    return folder


def open_anew() -> Path:
    return Path(cache.cache_folder.__wrapped__())


def fill(root: Path, key: str, age: float) -> Path:
    """A cache that was last used so many seconds ago."""
    folder = cache.open_cache(root, key)
    used = folder.stat().st_mtime - age
    os.utime(folder / cache.MARKER, (used, used))
    return folder


def test_what_the_user_keeps_in_the_folder_stays(chosen):
    kept = [chosen / name for name in ("thesis", "photos", "mail", "0123456789abcdef", "music", "keys", "work")]
    for number, folder in enumerate(kept):
        folder.mkdir()
        (folder / "only copy").write_text("of it")
        os.utime(folder, (number, number))
    open_anew()
    assert all((folder / "only copy").read_text() == "of it" for folder in kept)


def test_what_others_keep_beside_the_caches_stays(chosen):
    root = chosen / cache.ROOT
    kept = [root / "notes", root / KEYS[0], root / "a file"]
    kept[0].mkdir(parents=True)
    kept[1].mkdir()  # the name of a cache, but not one of ours
    kept[2].write_text("text")
    caches = [fill(root, key, 100.0 + number) for number, key in enumerate(KEYS[1:])]
    open_anew()
    assert all(path.exists() for path in kept)
    assert [folder.exists() for folder in caches] == [True] * (cache.KEPT_FOLDERS - 1) + [False] * 4


def test_a_cache_that_is_used_stays_however_long_ago_it_was_made(chosen):
    root = chosen / cache.ROOT
    first = fill(root, KEYS[0], 1000.0)
    others = [fill(root, key, 100.0 + number) for number, key in enumerate(KEYS[1:5])]
    cache.open_cache(root, KEYS[0])
    open_anew()
    assert first.exists() and others[0].exists()
    assert not others[-1].exists()


def test_a_cache_that_another_process_removes_meanwhile_is_passed_over(chosen, monkeypatch):
    root = chosen / cache.ROOT
    folders = [fill(root, key, 100.0 + number) for number, key in enumerate(KEYS)]
    gone = cache.MARKER + "-gone"
    looked_at = Path.iterdir

    def removed_while_listed(self):
        found = list(looked_at(self))
        (folders[2] / cache.MARKER).rename(folders[2] / gone)
        return iter(found)

    monkeypatch.setattr(Path, "iterdir", removed_while_listed)
    found = open_anew()
    assert found.parent == root, "a race is no reason to go to the temporary folder"
    assert folders[0].exists() and not folders[-1].exists()


@pytest.fixture
def unwritable(chosen, monkeypatch):
    """The user's folder cannot be written to (root may write anywhere, so a file stands in its place)."""
    (chosen / cache.ROOT).write_text("no folder")
    return Path(tempfile.gettempdir())


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="has no owners and modes")
def test_a_cache_in_the_temporary_folder_is_this_users_alone(unwritable):
    found = open_anew()
    assert found.parent.parent == unwritable
    status = found.parent.stat()
    assert stat.S_IMODE(status.st_mode) == 0o700 and status.st_uid == os.getuid()
    assert open_anew() == found, "it serves the next process too"


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="has no owners and modes")
@pytest.mark.parametrize("trap", ["open to all", "a link", "somebody else's"])
def test_a_temporary_folder_that_another_may_have_filled_is_not_used(unwritable, monkeypatch, tmp_path, trap):
    name = unwritable / f"{cache.ROOT}-{os.getuid()}"
    if trap == "open to all":
        name.mkdir()
        name.chmod(0o777)
    elif trap == "a link":
        (tmp_path / "theirs").mkdir(mode=0o700)
        name.symlink_to(tmp_path / "theirs")
    else:
        name.mkdir(mode=0o700)
        another = os.getuid() + 1
        monkeypatch.setattr(os, "getuid", lambda: another)
        name.rename(unwritable / f"{cache.ROOT}-{os.getuid()}")
    found = open_anew()
    assert found.parent.parent == unwritable and found.parent.name not in (name.name, f"{cache.ROOT}-{os.getuid()}")
    assert stat.S_IMODE(found.parent.stat().st_mode) == 0o700
    assert not list((tmp_path / "theirs").iterdir() if trap == "a link" else [])


def seen_by_kernels() -> set[str]:
    """Modules that import the decorators, and all that these import of this package."""
    graph = {module: {name for _, name in imports(module) if name in modules()} for module in modules()}
    left = [module for module, names in graph.items() if "footfall.compile" in names]
    found: set[str] = set()
    while left:
        module = left.pop()
        if module not in found:
            found.add(module)
            left += graph[module]
    return found - {"footfall"}


def test_every_source_that_a_kernel_sees_is_in_the_key():
    counted = set(cache.key_files())
    seen = seen_by_kernels()
    assert {"footfall.tick", "footfall.frames.scalar", "footfall.metrics.measure", "footfall.compile"} <= seen
    left_out = sorted(name for name in seen if modules()[name] not in counted)
    assert not left_out, f"a change in these would give stale kernels: {left_out}"

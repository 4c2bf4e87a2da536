"""Where compiled kernels are kept: a folder for each state of the sources, and no file of anybody else touched.

Numba's own cache looks only at the file of the function that is cached, so a changed callee in another file gives
stale results. Here the folder is keyed by a hash of every source file that a kernel can see and by the versions of
Numba and Python: any edit opens a fresh folder.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

import numba

#: Modules and folders that hold no kernel and that no kernel's module imports: they do not change the key.
CONSUMERS = frozenset(
    {
        "__init__.py",
        "__main__.py",
        "bake",
        "bench",
        "cli",
        "contacts.py",
        "cues.py",
        "io",
        "report",
        "route.py",
        "scenario.py",
        "stream.py",
        "studio",
        "trace.py",
    }
)
KEPT_FOLDERS = 4  # caches of other states of the sources that stay on disk, this one's included
ROOT = "footfall-kernels"  # the folder of all caches, in the user's cache folder or where the user says
KEY = re.compile(r"[0-9a-f]{16}")  # the name of a cache
MARKER = "compiled-by-footfall"  # a file in each cache; it is touched when the cache is used


def key_files() -> list[Path]:
    """Source files that a kernel can see, in order."""
    package = Path(__file__).parent
    left_out = {package / name for name in CONSUMERS}
    return [path for path in sorted(package.rglob("*.py")) if left_out.isdisjoint((path, *path.parents))]


def sources_key() -> str:
    """Hash of these sources and of what compiles them."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for path in key_files():
        digest.update(str(path.relative_to(Path(__file__).parent)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def chosen_root() -> Path:
    """Folder of all caches: in ``$FOOTFALL_CACHE_DIR``, or in the user's cache folder."""
    chosen = os.environ.get("FOOTFALL_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(chosen, ROOT)


def temporary_root() -> Path:
    """Folder of all caches where nothing else can be written: this user's alone, since Numba runs what it finds there.

    A folder of that name that belongs to somebody else, or that others may write to, is left alone: then the cache
    lasts as long as this process.
    """
    if not hasattr(os, "getuid"):  # Windows: the temporary folder is the user's own
        return Path(tempfile.gettempdir(), ROOT)
    root = Path(tempfile.gettempdir(), f"{ROOT}-{os.getuid()}")
    with contextlib.suppress(OSError):
        root.mkdir(mode=0o700)
    with contextlib.suppress(OSError):
        status = root.lstat()
        if stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077:
            return root
    own = tempfile.mkdtemp(prefix=f"{ROOT}-")  # 0700
    atexit.register(shutil.rmtree, own, ignore_errors=True)
    return Path(own)


def open_cache(root: Path, key: str) -> Path:
    """Make the cache of a key if it is missing, and mark it as used now."""
    folder = root / key
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARKER).touch()
    return folder


def prune_caches(root: Path, used: Path) -> None:
    """Remove all caches in a folder but the one in use and those that were used last; nothing else is touched."""
    age: dict[Path, float] = {}
    with contextlib.suppress(OSError):
        for folder in root.iterdir():
            if KEY.fullmatch(folder.name) and folder != used:
                with contextlib.suppress(OSError):  # no marker: not ours, or another process has just removed it
                    age[folder] = (folder / MARKER).stat().st_mtime
    for old in sorted(age, key=lambda folder: age[folder], reverse=True)[KEPT_FOLDERS - 1 :]:
        shutil.rmtree(old, ignore_errors=True)


@lru_cache(maxsize=1)
def cache_folder() -> str:
    """Folder of the compiled kernels of exactly these sources; made if it is missing."""
    key = sources_key()
    try:
        root = chosen_root()
        folder = open_cache(root, key)
    except (OSError, RuntimeError):  # it cannot be written to, or there is no home
        root = temporary_root()
        folder = open_cache(root, key)
    prune_caches(root, folder)
    return str(folder)

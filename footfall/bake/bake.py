"""A consumer of frames that writes animation files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from footfall.bake.recording import Motion, Recording
from footfall.errors import FootfallError
from footfall.io.files import replacing
from footfall.machine import Machine, name_of, rig_of
from footfall.rig import Rig
from footfall.state import Array, Frame

BOUND = 5e-5  # keys are left out only where no part is off by more than this [m]
FORMATS = (".glb", ".bvh", ".csv")


class Bake:
    """Collects one agent's frames and writes them as ``.glb``, ``.bvh`` or ``.csv``."""

    def __init__(
        self, machine: Machine | Rig, *, name: str | None = None, agent: int = 0, bound: float = BOUND,
        terrain_patch: tuple[Array, NDArray[np.int64]] | None = None,
    ) -> None:  # fmt: skip
        """A bake without frames.

        Args:
            machine: whose parts are drawn.
            name: of the document's first node; the machine's own by default.
            agent: which agent of the frames.
            bound: keys of a GLB are left out only where no part is off by more than this at any frame [m].
            terrain_patch: ground to draw in a GLB: vertices ``[n, 3]``, world [m], and triangles ``[m, 3]``.
        """
        self.rig, self.name = rig_of(machine), name or name_of(machine)
        self.bound, self.terrain_patch = bound, terrain_patch
        self.recording = Recording(self.rig, agent)

    def __len__(self) -> int:
        """Frames so far."""
        return len(self.recording)

    def add(self, frame: Frame) -> None:
        """Keep one frame; see ``Recording.add``."""
        self.recording.add(frame)

    def motion(self) -> Motion:
        """What has been collected; see ``Recording.motion``."""
        return self.recording.motion()

    def save(self, path: str | Path) -> Path:
        """Write a file, whole or not at all; its suffix says which format.

        Raises:
            FootfallError: there are no frames, the suffix is another one, or the folder cannot be written to.
        """
        path = Path(path)
        suffix = path.suffix.lower()
        if suffix not in FORMATS:
            raise FootfallError(f"{path}: bakes are {', '.join(FORMATS)}")
        data = self.to_bytes(suffix)
        with replacing(path) as file:
            file.write(data)
        return path

    def to_bytes(self, suffix: str = ".glb") -> bytes:
        """The bytes of a file.

        Raises:
            FootfallError: there are no frames.
        """
        motion = self.motion()
        if suffix == ".glb":
            from footfall.bake.scene import Scene

            return Scene(motion, self.name, self.bound).build(self.terrain_patch)
        if suffix == ".bvh":
            from footfall.bake.hierarchy import to_bvh

            return to_bvh(motion, self.name).encode()
        from footfall.bake.sheet import to_csv

        return to_csv(motion).encode()

"""A reader of GLB files that shares nothing with the writer."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np

KINDS = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Glb:
    """A file, and where its nodes are at a time."""

    def __init__(self, data: bytes | Path) -> None:
        data = data.read_bytes() if isinstance(data, Path) else data
        magic, version, length = struct.unpack_from("<4sII", data)
        assert (magic, version, length) == (b"glTF", 2, len(data))
        size, kind = struct.unpack_from("<I4s", data, 12)
        assert kind == b"JSON"
        self.json = json.loads(data[20 : 20 + size])
        binary_size, kind = struct.unpack_from("<I4s", data, 20 + size)
        assert kind == b"BIN\0"
        self.binary = data[28 + size : 28 + size + binary_size]
        self.nodes = self.json["nodes"]
        self.index = {node["name"]: number for number, node in enumerate(self.nodes)}
        assert len(self.index) == len(self.nodes), "two nodes share a name"
        self.parent = {child: number for number, node in enumerate(self.nodes) for child in node.get("children", [])}
        animations = self.json.get("animations", [])
        self.tracks = {}
        for channel in animations[0]["channels"] if animations else []:
            sampler = animations[0]["samplers"][channel["sampler"]]
            assert sampler["interpolation"] == "LINEAR"
            key = channel["target"]["node"], channel["target"]["path"]
            assert key not in self.tracks
            self.tracks[key] = self.array(sampler["input"])[:, 0], self.array(sampler["output"])

    def array(self, accessor: int) -> np.ndarray:
        """Values ``[n, width]``."""
        found = self.json["accessors"][accessor]
        view = self.json["bufferViews"][found["bufferView"]]
        width = WIDTHS[found["type"]]
        start = view.get("byteOffset", 0) + found.get("byteOffset", 0)
        return np.frombuffer(self.binary, KINDS[found["componentType"]], found["count"] * width, start).reshape(
            -1, width
        )

    def local(self, node: int, time: float) -> np.ndarray:
        """Matrix of a node in its parent."""
        here = self.nodes[node]
        translation, rotation = here.get("translation", [0, 0, 0]), here.get("rotation", [0, 0, 0, 1])
        if (node, "translation") in self.tracks:
            translation = self.sample(node, "translation", time)
        if (node, "rotation") in self.tracks:
            rotation = self.sample(node, "rotation", time)
        x, y, z, w = np.asarray(rotation, float) / np.linalg.norm(rotation)
        out = np.eye(4)
        out[:3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
        out[:3, 3] = translation
        return out

    def sample(self, node: int, path: str, time: float) -> np.ndarray:
        """A track's value: straight lines, great circles."""
        times, values = self.tracks[node, path]
        if len(times) == 1 or time <= times[0]:
            return values[0].astype(float)
        right = min(int(np.searchsorted(times, time, side="right")), len(times) - 1)
        a, b = values[right - 1].astype(float), values[right].astype(float)
        share = min((time - float(times[right - 1])) / float(times[right] - times[right - 1]), 1.0)
        if path == "translation":
            return a + share * (b - a)
        angle = np.arccos(np.clip(a @ b / np.linalg.norm(a) / np.linalg.norm(b), -1, 1))
        if angle < 1e-4:
            return a + share * (b - a)
        return (np.sin((1 - share) * angle) * a + np.sin(share * angle) * b) / np.sin(angle)

    def world(self, name: str, time: float) -> np.ndarray:
        """Matrix of a node in the scene."""
        node = self.index[name]
        out = self.local(node, time)
        while node in self.parent:
            node = self.parent[node]
            out = self.local(node, time) @ out
        return out

    def place(self, name: str, time: float) -> np.ndarray:
        """Where a node is, z up and x forward again."""
        return self.world(name, time)[[2, 0, 1], 3]

"""A glTF 2.0 document in one binary file (GLB): pygltflib's document classes and our own accessors.

Whatever is given here has z up and x forward, quaternions wxyz; it is turned to glTF's axes on its way in.
Khronos Group (2021), glTF 2.0 specification.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from footfall.frames import arrays
from footfall.io.axes import to_xyzw, to_y_up, y_up_matrix
from footfall.state import Array

COMPONENTS = {"uint8": 5121, "uint16": 5123, "uint32": 5125, "float32": 5126}
SHAPES = {(): "SCALAR", (3,): "VEC3", (4,): "VEC4", (16,): "MAT4"}
ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER = 34962, 34963


class Material(NamedTuple):
    """How a surface looks."""

    name: str
    colour: tuple[float, float, float]
    """Linear red, green, blue, 0 to 1."""
    metallic: float = 0.0
    roughness: float = 0.8
    emission: tuple[float, float, float] = (0.0, 0.0, 0.0)
    double_sided: bool = False


class Surface(NamedTuple):
    """Triangles of one material; axes z up."""

    positions: Array
    """``[vertices, 3]`` [m]."""
    normals: Array
    """``[vertices, 3]`` unit."""
    triangles: NDArray[np.int64]
    """``[triangles, 3]`` anticlockwise from outside."""
    material: int
    """Index in the document."""
    colours: Array | None = None
    """``[vertices, 3]`` linear colours that multiply the material's, 0 to 1."""
    joints: NDArray[np.int64] | None = None
    """``[vertices, 4]`` indices of a skin's joints."""
    weights: Array | None = None
    """``[vertices, 4]`` shares of these joints; each row sums to 1."""


class Track(NamedTuple):
    """Keys of one property of one node; neighbours are joined by straight or great-circle lines."""

    node: int
    rotation: bool
    """Values are q_parent_node ``[keys, 4]``; else positions in the parent's frame ``[keys, 3]`` [m]."""
    times: NDArray[np.float32]
    """``[keys]`` [s]."""
    values: Array


def whole_weights(weights: Array) -> NDArray[np.uint8]:
    """Weights as bytes whose rows sum to exactly 255: what rounding leaves goes to the largest."""
    found = np.round(weights * 255.0).astype(np.int64)
    rows = np.arange(len(found))
    found[rows, found.argmax(axis=1)] += 255 - found.sum(axis=1)
    return found.astype(np.uint8)


class GlbDocument:
    """Nodes, meshes, skins and animations, gathered and then written as the bytes of one file."""

    def __init__(self, generator: str) -> None:
        """An empty document; ``generator`` names who wrote it."""
        import pygltflib

        self._lib = pygltflib
        self._document = pygltflib.GLTF2(asset=pygltflib.Asset(version="2.0", generator=generator))
        self._document.scene = 0
        self._scene = pygltflib.Scene(name="scene")
        self._document.scenes.append(self._scene)
        self._chunks: list[bytes] = []
        self._size = 0
        self._kept_times: dict[bytes, int] = {}

    def accessor(self, array: NDArray[Any], *, target: int | None = None, bounds: bool = False,
                 normalized: bool = False) -> int:  # fmt: skip
        """Index of an accessor over a copy of an array ``[n]``, ``[n, 3]``, ``[n, 4]`` or ``[n, 16]``.

        Args:
            array: of a type in ``COMPONENTS``; rows of other than whole words are refused.
            target: what a buffer of vertices or indices is for.
            bounds: state least and greatest values.
            normalized: whole numbers stand for 0 to 1.
        """
        array = np.ascontiguousarray(array)
        data = array.tobytes()
        view = self._lib.BufferView(buffer=0, byteOffset=self._size, byteLength=len(data), target=target)
        self._document.bufferViews.append(view)
        padding = -len(data) % 4
        self._chunks.append(data + b"\0" * padding)
        self._size += len(data) + padding
        found = self._lib.Accessor(
            bufferView=len(self._document.bufferViews) - 1, componentType=COMPONENTS[array.dtype.name],
            count=len(array), type=SHAPES[array.shape[1:]], byteOffset=None, normalized=normalized or None,
        )  # fmt: skip
        if bounds:
            found.min = np.atleast_1d(array.min(axis=0)).tolist()
            found.max = np.atleast_1d(array.max(axis=0)).tolist()
        self._document.accessors.append(found)
        return len(self._document.accessors) - 1

    def material(self, material: Material) -> int:
        """Index of a new material."""
        surface = self._lib.PbrMetallicRoughness(
            baseColorFactor=[*material.colour, 1.0], metallicFactor=material.metallic,
            roughnessFactor=material.roughness,
        )  # fmt: skip
        found = self._lib.Material(
            name=material.name, pbrMetallicRoughness=surface, alphaMode=None, alphaCutoff=None,
            emissiveFactor=list(material.emission) if any(material.emission) else None,
            doubleSided=material.double_sided or None,
        )  # fmt: skip
        self._document.materials.append(found)
        return len(self._document.materials) - 1

    def mesh(self, name: str, surfaces: Sequence[Surface]) -> int:
        """Index of a new mesh."""
        primitives = []
        for surface in surfaces:
            attributes = self._lib.Attributes(
                POSITION=self.accessor(
                    to_y_up(surface.positions).astype(np.float32), target=ARRAY_BUFFER, bounds=True
                ),
                NORMAL=self.accessor(unit32(to_y_up(surface.normals)), target=ARRAY_BUFFER),
            )  # fmt: skip
            if surface.colours is not None:
                opaque = np.pad(surface.colours, ((0, 0), (0, 1)), constant_values=1.0)
                whole = np.round(np.clip(opaque, 0.0, 1.0) * 255.0).astype(np.uint8)
                attributes.COLOR_0 = self.accessor(whole, target=ARRAY_BUFFER, normalized=True)
            if surface.joints is not None and surface.weights is not None:
                small = np.uint8 if surface.joints.max() < 256 else np.uint16
                attributes.JOINTS_0 = self.accessor(surface.joints.astype(small), target=ARRAY_BUFFER)
                attributes.WEIGHTS_0 = self.accessor(
                    whole_weights(surface.weights), target=ARRAY_BUFFER, normalized=True
                )
            short = np.uint16 if len(surface.positions) < 65535 else np.uint32
            indices = self.accessor(surface.triangles.astype(short).ravel(), target=ELEMENT_ARRAY_BUFFER)
            primitives.append(
                self._lib.Primitive(attributes=attributes, indices=indices, material=surface.material, mode=None)
            )
        self._document.meshes.append(self._lib.Mesh(name=name, primitives=primitives))
        return len(self._document.meshes) - 1

    def node(self, name: str, parent: int | None = None, *, position: Array | None = None,
             rotation: Array | None = None, mesh: int | None = None, skin: int | None = None,
             camera: int | None = None) -> int:  # fmt: skip
        """Index of a new node, under a parent or on top of the scene; where not given it is not moved or turned."""
        node = self._lib.Node(name=name, mesh=mesh, skin=skin, camera=camera)
        if position is not None and np.any(position):
            node.translation = to_y_up(np.asarray(position, np.float64)).tolist()
        if rotation is not None:
            turned = to_xyzw(np.asarray(rotation, np.float64))
            turned = turned / np.linalg.norm(turned)
            node.rotation = turned.tolist()
        self._document.nodes.append(node)
        index = len(self._document.nodes) - 1
        (self._scene.nodes if parent is None else self._document.nodes[parent].children).append(index)
        return index

    def camera(self, name: str, field_of_view: float, nearest: float) -> int:
        """Index of a new camera that sees so high [rad], from a distance [m] on without end.

        It looks along −x of its node, in the axes with x forward and z up; up in the picture is z.
        """
        view = self._lib.Perspective(yfov=field_of_view, znear=nearest)
        self._document.cameras.append(self._lib.Camera(name=name, type="perspective", perspective=view))
        return len(self._document.cameras) - 1

    def skin(self, name: str, joints: Sequence[int], positions: Array, rotations: Array) -> int:
        """Index of a new skin.

        Args:
            name: of the skin.
            joints: its nodes; all of them stand under the first one.
            positions: ``[joints, 3]`` where they are in the mesh's own frame as it was modelled [m].
            rotations: ``[joints, 4]`` q_mesh_joint.
        """
        inverse = np.linalg.inv(y_up_matrix(rotations, positions))
        inverse[:, 3] = (0.0, 0.0, 0.0, 1.0)
        matrices = np.swapaxes(inverse, 1, 2).reshape(-1, 16).astype(np.float32)  # column by column
        found = self._lib.Skin(
            name=name, joints=list(joints), inverseBindMatrices=self.accessor(matrices), skeleton=joints[0]
        )
        self._document.skins.append(found)
        return len(self._document.skins) - 1

    def animation(self, name: str, tracks: Sequence[Track], extras: dict[str, Any]) -> int:
        """Index of a new animation; tracks with the same times share them."""
        animation = self._lib.Animation(name=name, extras=extras)
        for track in tracks:
            key = track.times.tobytes()
            if key not in self._kept_times:
                self._kept_times[key] = self.accessor(track.times, bounds=True)
            values = unit32(to_xyzw(track.values)) if track.rotation else to_y_up(track.values).astype(np.float32)
            if track.rotation:  # signs come last, after everything that could turn them
                values = arrays.continuous(values)  # type: ignore[arg-type, assignment]
            animation.samplers.append(
                self._lib.AnimationSampler(
                    input=self._kept_times[key], output=self.accessor(values), interpolation="LINEAR"
                )
            )
            path = "rotation" if track.rotation else "translation"
            animation.channels.append(
                self._lib.AnimationChannel(
                    sampler=len(animation.samplers) - 1,
                    target=self._lib.AnimationChannelTarget(node=track.node, path=path),
                )
            )
        self._document.animations.append(animation)
        return len(self._document.animations) - 1

    def to_bytes(self) -> bytes:
        """The whole file."""
        self._document.buffers = [self._lib.Buffer(byteLength=self._size)]
        text = self._document.to_json(separators=(",", ":"), allow_nan=False, ensure_ascii=False).encode()
        text += b" " * (-len(text) % 4)
        binary = b"".join(self._chunks)
        return b"".join(
            [
                struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(binary)),
                struct.pack("<I4s", len(text), b"JSON"), text,
                struct.pack("<I4s", len(binary), b"BIN\0"), binary,
            ]
        )  # fmt: skip


def unit32(vectors: Array) -> NDArray[np.float32]:
    """Vectors ``[n, k]`` of length 1, as float32."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.where(length > 0.0, length, 1.0)).astype(np.float32)

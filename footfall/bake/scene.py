"""From a motion to a glTF document: nodes, meshes, a skin, tracks and contact events."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from footfall.bake import armour
from footfall.bake.between import leg_keys
from footfall.bake.names import part_names, unique
from footfall.bake.recording import Motion
from footfall.bake.shapes import CREASE, Solid, creased
from footfall.bake.tracks import kept_keys
from footfall.frames import arrays
from footfall.io.axes import to_y_up
from footfall.io.gltf import GlbDocument, Surface, Track
from footfall.pose import BONE, PISTON, SOLE, TRUNK
from footfall.rig import Camera, Rig
from footfall.state import Array

NEAREST = 0.005  # what cameras see begins this far from them, in leg lengths
FAR = 100.0  # coordinates beyond this get an offset of their own, for the sake of float32 [m]

Patch = tuple[Array, NDArray[np.int64]]


class Nodes(NamedTuple):
    """Nodes of a document."""

    base: int
    root: int
    parts: list[int]


class Scene:
    """Builds the document of one motion."""

    def __init__(self, motion: Motion, name: str, bound: float) -> None:
        """See ``Bake``."""
        self.motion, self.name, self.bound = motion, name, bound
        self.document = GlbDocument("footfall")
        self.offset = far_offset(motion.root_position)
        self.materials: dict[str, int] = {}
        self.meshes: dict[Any, int] = {}
        taken = {"root", "boots", "ground", *(f"{leg}_sole" for leg in motion.rig.leg_names)}
        self._base = unique(name, taken)
        self._names = part_names(motion.table.names, taken)
        taken.update(self._names)
        self._cameras = [unique(camera.name, taken) for camera in motion.rig.cameras]

    def build(self, patch: Patch | None) -> bytes:
        """The whole file."""
        nodes = self._add_nodes()
        self._add_boots(nodes)
        self._add_cameras(nodes)
        if patch is not None and len(patch[1]):
            self._add_ground(*patch)
        tracks = self._tracks(nodes)
        if tracks:
            self.document.animation("walk", tracks, self._extras())
        return self.document.to_bytes()

    def _material(self, name: str) -> int:
        if name not in self.materials:
            self.materials[name] = self.document.material(armour.PALETTE[name])
        return self.materials[name]

    def _mesh(self, key: Any, name: str, solids: list[Solid]) -> int:
        """A mesh, made once for each key; one surface a material."""
        if key not in self.meshes:
            surfaces = []
            for material in dict.fromkeys(solid.material for solid in solids):
                chosen = [solid for solid in solids if solid.material == material]
                positions, normals, triangles, _ = creased(*join(chosen))
                surfaces.append(Surface(positions, normals, triangles, self._material(material)))
            self.meshes[key] = self.document.mesh(name, surfaces)
        return self.meshes[key]

    def _add_nodes(self) -> Nodes:
        motion, document = self.motion, self.document
        base = document.node(self._base, position=self.offset)
        root = document.node(
            "root", base, position=motion.root_position[0] - self.offset,
            rotation=motion.root_rotation[0],
        )  # fmt: skip
        meshes = self._part_meshes()
        parts: list[int] = []
        for index, name in enumerate(self._names):
            parent, kind = motion.table.parents[index], motion.table.kinds[index]
            position = motion.parts.position_parent[0, index] if kind == TRUNK else motion.table.anchors[index]
            rotation = motion.parts.rotation_parent[0, index]
            parts.append(
                document.node(
                    name, root if parent < 0 else parts[parent],
                    position=position, rotation=rotation, mesh=meshes.get(index),
                )
            )  # fmt: skip
        return Nodes(base, root, parts)

    def _part_meshes(self) -> dict[int, int]:
        """Mesh of each part that has one, by the part's index."""
        rig, found = self.motion.rig, {}
        radii = [armour.bone_radii(leg) for leg in rig.legs]
        for index, trunk in enumerate(rig.trunks):
            hips = [
                (np.array(leg.hip), float(radii[n][0]))
                for n, leg in enumerate(rig.legs)
                if rig.leg_table["trunk"][n] == index
            ]
            ends = trunk_ends(rig, index)
            key = ("hull", trunk.size, trunk.centre, ends, tuple((*hip, radius) for hip, radius in hips))
            found[index] = self._mesh(key, trunk.name, armour.hull_solids(trunk, *ends, hips))
        for leg, row, sizes in zip(rig.legs, rig.leg_table, radii, strict=True):
            for bone in range(row["bones"]):
                length = leg.segments[bone] if bone < len(leg.segments) else leg.foot_height
                radius, first, last = float(sizes[bone]), bone == 0, bone == row["bones"] - 1
                key = ("bone", length, radius, first, last, leg.foot_radius, leg.foot_height, *sizes[bone:])
                if bone >= len(leg.segments):
                    solids = armour.foot_solids(length, radius, leg.foot_radius)
                elif last:
                    solids = armour.tip_solids(length, radius, 0.0, first)
                else:
                    solids = armour.limb_solids(length, radius, float(sizes[bone + 1]), first)
                part = len(rig.trunks) + row["first_bone"] + bone
                found[part] = self._mesh(key, f"{leg.name}_{bone}", solids)
        pistons = np.flatnonzero(self.motion.table.kinds == PISTON)
        for aim, (cylinder, rod) in zip(rig.aims, pistons.reshape(-1, 2), strict=True):
            place = self.motion.parts.position_world
            apart = np.linalg.norm(place[:, rod] - place[:, cylinder], axis=1)
            lengths = armour.piston_lengths(float(apart.min()), float(apart.max()))
            for part, name, solids in (
                (cylinder, f"{aim.name}_cylinder", armour.cylinder_solids(lengths[0], aim.thickness)),
                (rod, f"{aim.name}_rod", armour.rod_solids(lengths[1], aim.thickness)),
            ):
                found[int(part)] = self._mesh((name, *lengths), name, solids)
        return found

    def _add_cameras(self, nodes: Nodes) -> None:
        """The machine's cameras, each on its trunk."""
        rig = self.motion.rig
        trunks = [trunk.name for trunk in rig.trunks]
        for camera, name in zip(rig.cameras, self._cameras, strict=True):
            view = self.document.camera(name, camera.field_of_view, NEAREST * rig.leg_length)
            trunk = nodes.parts[trunks.index(camera.trunk)]
            self.document.node(
                name, trunk, position=np.array(camera.position), rotation=camera_rotation(camera), camera=view
            )  # fmt: skip

    def _add_boots(self, nodes: Nodes) -> None:
        """One skinned mesh: bellows over all knees and ankles. Its joints are the root, all trunks, bones and soles."""
        motion, rig = self.motion, self.motion.rig
        jointed = np.flatnonzero(motion.table.kinds != PISTON)
        root_q, root_p = motion.root_rotation[0], motion.root_position[0]
        positions = arrays.unrotate(root_q, motion.parts.position_world[0] - root_p)
        rotations = arrays.multiply(arrays.conjugate(root_q), motion.parts.rotation_world[0])
        boots, pairs = [], []
        for leg, row in zip(rig.legs, rig.leg_table, strict=True):
            radii = armour.bone_radii(leg)
            for bone in range(1, row["bones"]):
                part = len(rig.trunks) + row["first_bone"] + bone
                before, after = (arrays.rotate(rotations[n], np.array([1.0, 0.0, 0.0])) for n in (part - 1, part))
                side = arrays.rotate(rotations[part], np.array([0.0, 1.0, 0.0]))
                radius = float(radii[bone])
                boots.append(armour.boot(positions[part], before, after, side, 0.74 * radius, 1.5 * radius))
                pairs.append((part, part + 1))  # joints of the skin: the bone before, this one; the root is number 0
        joints = [nodes.root, *(nodes.parts[part] for part in jointed)]
        if not boots:
            return
        shape = join([Solid(boot.positions, boot.triangles, "rubber") for boot in boots])
        owners = np.repeat(np.arange(len(boots)), [len(boot.positions) for boot in boots])
        share = np.concatenate([boot.shares for boot in boots])
        vertices, normals, triangles, source = creased(*shape, np.pi)
        indices, weights = np.zeros((len(source), 4), np.int64), np.zeros((len(source), 4))
        weights[:, 0], weights[:, 1] = 1.0 - share[source], share[source]
        whole = np.round(weights[:, :2] * 255.0) > 0  # a joint without weight is joint 0
        indices[:, :2] = np.where(whole, np.array(pairs)[owners[source]], 0)
        skin = self.document.skin(
            f"{self.name}_skin", joints,
            np.concatenate([np.zeros((1, 3)), positions[jointed]]),
            np.concatenate([[[1.0, 0.0, 0.0, 0.0]], rotations[jointed]]),
        )  # fmt: skip
        mesh = self.document.mesh(
            "boots", [Surface(vertices, normals, triangles, self._material("rubber"), None, indices, weights)]
        )
        self.document.node("boots", mesh=mesh, skin=skin)

    def _add_ground(self, vertices: Array, triangles: NDArray[np.int64]) -> None:
        """The terrain patch under an offset of its own; triangles without numbers or area are left out."""
        triangles = triangles[np.isfinite(vertices[triangles]).all(axis=(1, 2))]
        if not len(triangles):
            return
        offset = far_offset(vertices[np.unique(triangles)])
        positions, normals, corners, _ = creased(vertices - offset, triangles, CREASE)
        if not len(corners):
            return
        mesh = self.document.mesh(
            "ground",
            [Surface(positions, normals, corners, self._material("ground"), ground_colours(positions, normals))],
        )
        self.document.node("ground", position=offset, mesh=mesh)

    def _tracks(self, nodes: Nodes) -> list[Track]:
        motion = self.motion
        if len(motion.times) < 2:
            return []
        budget = Budget(motion, self.bound)
        found = [
            self._track(nodes.root, False, motion.root_position - self.offset, budget.root),
            self._track(nodes.root, True, motion.root_rotation, budget.root / budget.root_reach),
        ]
        for part, node in enumerate(nodes.parts):
            kind, share = motion.table.kinds[part], budget.parts[part]
            if kind == TRUNK:
                found.append(self._track(node, False, motion.parts.position_parent[:, part], share))
            if kind in (TRUNK, PISTON):
                found.append(self._track(node, True, motion.parts.rotation_parent[:, part], share / budget.reach[part]))
        for leg, row in enumerate(motion.rig.leg_table):
            keys = leg_keys(motion, leg)
            for bone in range(row["bones"]):
                part = len(motion.rig.trunks) + int(row["first_bone"]) + bone
                angle = budget.parts[part] / budget.reach[part]
                found.append(self._track(nodes.parts[part], True, keys.rotations[:, bone], angle, keys.times))
        return found

    def _track(self, node: int, rotation: bool, values: Array, bound: float, times: Array | None = None) -> Track:
        """Keys of one property; of every frame, where no times are given."""
        times = self.motion.times if times is None else times
        kept = kept_keys(times, values, rotation, bound)
        return Track(node, rotation, times[kept].astype(np.float32), values[kept])

    def _extras(self) -> dict[str, Any]:
        contacts = [
            {"time": contact.time, "leg": self.motion.rig.leg_names[contact.leg], "kind": contact.kind,
             "position": to_y_up(np.array(contact.position)).tolist()}
            for contact in self.motion.contacts
        ]  # fmt: skip
        return {"machine": self.name, "contacts": contacts}


def camera_rotation(camera: Camera) -> Array:
    """q_trunk_camera: a camera looks along −x and its picture's up is z, as far as the view leaves it."""
    x = -np.array(camera.forward) / np.linalg.norm(camera.forward)
    z = np.array(camera.up) - (np.array(camera.up) @ x) * x
    z /= np.linalg.norm(z)
    return arrays.from_axes(x, np.cross(z, x), z)


class Budget:
    """How much of the bound each track may use, so that no part is off by more than the bound in all.

    Errors add up from the root outward: each track moves what hangs on it by at most its error (angles times the
    farthest point that hangs on it), and a sole hangs on at most ``tracks`` of them.
    """

    def __init__(self, motion: Motion, bound: float) -> None:
        table, rig = motion.table, motion.rig
        count = len(table.names)
        self.reach = np.zeros(count)
        tracks = np.zeros(count, np.int64)
        own = np.zeros(count)
        for index, trunk in enumerate(rig.trunks):
            own[index] = 0.5 * np.linalg.norm(trunk.size) + np.linalg.norm(trunk.centre)
        for index in range(count - 1, -1, -1):
            parent = table.parents[index]
            self.reach[index] = max(self.reach[index], own[index], 1e-3)
            if table.kinds[index] == PISTON:
                self.reach[index] = rig.leg_length
            if parent >= 0:
                self.reach[parent] = max(self.reach[parent], np.linalg.norm(table.anchors[index]) + self.reach[index])
        for index in range(count):
            parent = table.parents[index]
            above = 2 if parent < 0 else tracks[parent]
            tracks[index] = above + {TRUNK: 2, BONE: 1, SOLE: 0, PISTON: 1}[int(table.kinds[index])]
        most = int(tracks.max())
        self.root = bound / most
        self.parts = np.full(count, bound / most)
        far = np.linalg.norm(motion.parts.position_parent[:, : len(rig.trunks)], axis=-1).max(axis=0)
        self.root_reach = float((far + self.reach[: len(rig.trunks)]).max())


def trunk_ends(rig: Rig, index: int) -> tuple[bool, bool, bool]:
    """Whether a trunk has the machine's front, its rear, and a deck: ends of a row, or the largest of a stack."""
    if np.ptp(rig.trunk_offsets) > 0.0:
        return index == 0, index == len(rig.trunks) - 1, True
    largest = int(np.argmax([np.prod(trunk.size) for trunk in rig.trunks])) == index
    return largest, largest, largest


def join(solids: list[Solid]) -> tuple[Array, NDArray[np.int64]]:
    """Vertices and triangles of several solids."""
    starts = np.cumsum([0, *(len(solid.positions) for solid in solids)])[:-1]
    return (
        np.concatenate([solid.positions for solid in solids]),
        np.concatenate([solid.triangles + start for solid, start in zip(solids, starts, strict=True)]),
    )


def far_offset(points: Array) -> Array:
    """A point of whole metres in the middle of points that are far from the world's origin, else the origin."""
    if np.abs(points).max(initial=0.0) <= FAR:
        return np.zeros(3)
    return np.asarray(np.round(0.5 * (points.min(axis=0) + points.max(axis=0))))


def ground_colours(positions: Array, normals: Array) -> Array:
    """Linear colours ``[vertices, 3]``: dry grass and soil where it is flat, bare rock where it is steep."""
    steep = np.clip((0.985 - normals[:, 2]) / 0.28, 0.0, 1.0)[:, None]
    low, high = positions[:, 2].min(), positions[:, 2].max()
    height = ((positions[:, 2] - low) / max(high - low, 1e-9))[:, None]
    flat = (1.0 - height) * np.array([0.16, 0.17, 0.10]) + height * np.array([0.29, 0.26, 0.17])
    return np.asarray((1.0 - steep) * flat + steep * np.array([0.22, 0.185, 0.15]))

"""Draw a strip of a walk: the machine at a few instants, with the ways of its soles. It makes the README's picture.

python examples/draw.py docs/images/quadruped.png
"""

from __future__ import annotations

import io
import sys

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from PIL import Image

import footfall as ff
from footfall.frames import arrays

MACHINE, TERRAIN, INSTANTS, HEADING = "quadruped", "jacksboro", (1.0, 9.0, 16.6), np.radians(-90.0)
TILT, AZIMUTH = np.radians(-36.0), np.radians(-17.0)
VIEW = arrays.multiply(  # q_picture_world: x to the right, y up, z to the eye
    np.array([np.cos(TILT), np.sin(TILT), 0.0, 0.0]), arrays.about_z(AZIMUTH - HEADING)
)
SUN = np.array([0.35, 0.75, 0.55]) / np.linalg.norm([0.35, 0.75, 0.55])  # picture's axes
LEGS = ("#e0662f", "#2a8fbd", "#c9a227", "#5b8c3a")


def seen(points):
    """World to picture: right, up, towards the eye."""
    return arrays.rotate(VIEW, points)


def shaded(corners, colour):
    """Colours of triangles ``[n, 3, 3]`` in the sun."""
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-12)
    light = 0.42 + 0.58 * np.clip(normal @ SUN, 0.0, 1.0)
    return np.clip(light[:, None] * np.asarray(colour), 0.0, 1.0)


def meshes_of(bake):
    """Triangles ``[n, 3, 3]`` and colours of every part that has a mesh, part's frame, from the baked file."""
    import trimesh

    scene = trimesh.load(io.BytesIO(bake.to_bytes(".glb")), file_type="glb", process=False)
    found: dict[str, list] = {}
    for name in scene.graph.nodes_geometry:
        mesh = scene.geometry[scene.graph[name][1]]
        part = scene.graph.transforms.parents.get(name, name) if name not in PARTS else name
        factor = mesh.visual.material.baseColorFactor
        linear = np.asarray(factor[:3], float) / (255.0 if np.max(factor) > 1.0 else 1.0)
        found.setdefault(part, []).append((mesh.vertices[mesh.faces][..., [2, 0, 1]], linear ** (1 / 2.2)))
    return found


machine = ff.load_machine(MACHINE)
terrain = ff.make_terrain(TERRAIN, machine.leg_length)
table = ff.part_table(machine.rig)
PARTS = set(table.names) | {name.replace("/", "_") for name in table.names}
bake = ff.Bake(machine)
frames = []
for frame in ff.run(machine, terrain, ff.steady(INSTANTS[-1]), headings=HEADING):
    bake.add(frame)
    frames.append((frame.time, ff.pose_parts(machine.rig, frame.actual.trunks, frame.joints, table)))
solids = meshes_of(bake)

corners, colours = [], []
for instant in INSTANTS:
    parts = min(frames, key=lambda pair: abs(pair[0] - instant))[1]
    for index, name in enumerate(table.names):
        for mesh, colour in solids.get(name.replace("/", "_"), solids.get(name, [])):
            world = arrays.rotate(parts.rotation_world[0, index], mesh) + parts.position_world[0, index]
            corners.append(seen(world))
            colours.append(shaded(corners[-1], colour))
body = np.concatenate(corners)
order = np.argsort(body.mean(axis=1)[:, 2])

first = len(machine.rig.trunks) + machine.rig.bone_count
soles = np.array([parts.position_world[0, first : first + len(machine.rig.legs)] for _, parts in frames])
middle = soles.mean(axis=(0, 1))
x, y = (np.arange(middle[axis] - 62.0, middle[axis] + 62.0, 0.7) for axis in (0, 1))
grid = np.stack(np.meshgrid(x, y), axis=-1)
ground = np.concatenate([grid, terrain.height(grid[..., 0], grid[..., 1])[..., None]], axis=-1)
quads = np.stack([ground[:-1, :-1], ground[:-1, 1:], ground[1:, 1:], ground[1:, :-1]], axis=2).reshape(-1, 4, 3)
land = seen(quads)
far = np.argsort(land.mean(axis=1)[:, 2])

figure, axes = plt.subplots(figsize=(12, 5), dpi=130)
level = quads[..., 2].mean(axis=1)
share = np.clip((level - soles[..., 2].min() + 3.0) / 8.0, 0.0, 1.0)[:, None]
tint = shaded(land[:, :3], (1.0 - share) * (0.72, 0.76, 0.62) + share * (0.93, 0.88, 0.74))
axes.add_collection(
    PolyCollection(land[far][..., :2], facecolors=tint[far], edgecolors=0.93 * tint[far], linewidths=0.5)
)
for leg in range(soles.shape[1]):
    line = seen(soles[:, leg])[:, :2]
    axes.add_collection(LineCollection([line], colors=LEGS[leg % len(LEGS)], linewidths=1.8, alpha=0.95))
    still = np.linalg.norm(np.diff(soles[:, leg], axis=0), axis=-1) < 1e-9
    stood = np.unique(np.round(soles[1:][still, leg], 6), axis=0)
    axes.scatter(*seen(stood)[:, :2].T, s=20, color=LEGS[leg % len(LEGS)], edgecolors="white", linewidths=0.7, zorder=3)
shade = np.concatenate(colours)[order]
axes.add_collection(PolyCollection(body[order][..., :2], facecolors=shade, edgecolors=shade, linewidths=0.25, zorder=4))
low, high = body[..., :2].reshape(-1, 2).min(axis=0), body[..., :2].reshape(-1, 2).max(axis=0)
half = 0.5 * max(high[0] - low[0] + 2.0, 2.4 * (high[1] - low[1] + 1.4))
centre = 0.5 * (low + high)
axes.set(
    xlim=(centre[0] - half, centre[0] + half), ylim=(centre[1] - half / 2.4, centre[1] + half / 2.4), aspect="equal"
)
axes.axis("off")
figure.subplots_adjust(0, 0, 1, 1)
out = sys.argv[1] if len(sys.argv) > 1 else "quadruped.png"
picture = io.BytesIO()
figure.savefig(picture, facecolor="#dfe8ee")
Image.open(picture).convert("RGB").quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
    out, optimize=True
)
print(f"wrote {out}")

"""Others judge a bake: the Khronos validator, and three.js's loader in Node."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest
from bake_machines import RIGS, soles_of, walk

from footfall.bake import Bake

PACKAGES = ("gltf-validator", "three")
VALIDATE = """
const validator = require('gltf-validator'), fs = require('fs');
validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[2])))
  .then(report => console.log(JSON.stringify(report.issues)));
"""
LOAD = """
globalThis.self = globalThis;
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import fs from 'fs';
const [path, names, times] = [process.argv[2], JSON.parse(process.argv[3]), JSON.parse(process.argv[4])];
const data = fs.readFileSync(path);
const gltf = await new GLTFLoader().parseAsync(data.buffer.slice(data.byteOffset, data.byteOffset + data.length), '');
const mixer = new THREE.AnimationMixer(gltf.scene);
mixer.clipAction(gltf.animations[0]).play();
const out = times.map(time => {
  mixer.setTime(time);
  gltf.scene.updateMatrixWorld(true);
  return names.map(name => gltf.scene.getObjectByName(name).getWorldPosition(new THREE.Vector3()).toArray());
});
let bones = 0;
gltf.scene.traverse(node => { if (node.isBone) bones += 1; });
console.log(JSON.stringify({ soles: out, bones, duration: gltf.animations[0].duration }));
"""


@pytest.fixture(scope="module")
def node_folder() -> Path:
    """A folder with the packages, kept between runs."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("node and npm are not on this machine")
    folder = Path(tempfile.gettempdir()) / "footfall-test-node"
    folder.mkdir(exist_ok=True)
    if not all((folder / "node_modules" / name / "package.json").exists() for name in PACKAGES):
        command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), *PACKAGES]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            pytest.skip(f"npm cannot install {', '.join(PACKAGES)}: {done.stderr.strip()[-200:]}")
    (folder / "validate.cjs").write_text(VALIDATE)
    (folder / "load.mjs").write_text(LOAD)
    return folder


def node(folder: Path, script: str, *arguments: str) -> dict:
    done = subprocess.run(
        ["node", str(folder / script), *arguments], capture_output=True, text=True, timeout=120, cwd=folder
    )
    assert done.returncode == 0, done.stderr[-500:]
    return json.loads(done.stdout)


def bake(rig, frames) -> Bake:
    corners = np.array([[-3.0, -3.0, 0.0], [3.0, -3.0, 0.1], [3.0, 3.0, 0.0], [-3.0, 3.0, 0.5]])
    found = Bake(rig, terrain_patch=(corners, np.array([[0, 1, 2], [0, 2, 3]])))
    for frame in frames:
        found.add(frame)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("make", list(RIGS.values()))
@pytest.mark.parametrize(
    ("times", "still"),
    [(np.arange(90) / 60.0, False), (np.zeros(1), False), (np.arange(90) / 60.0, True), (np.arange(20) / 10.0, False)],
    ids=["walk", "one frame", "static", "slow"],
)
def test_khronos_validator_finds_nothing(node_folder, tmp_path, make, times, still):
    rig = make()
    path = bake(rig, walk(rig, times, start=-0.125, still=still)).save(tmp_path / "walk.glb")
    issues = node(node_folder, "validate.cjs", str(path))
    assert [issues[key] for key in ("numErrors", "numWarnings", "numInfos", "numHints")] == [0, 0, 0, 0], issues


@pytest.mark.slow
@pytest.mark.parametrize("make", list(RIGS.values()))
def test_three_js_shows_the_soles_of_the_frames(node_folder, tmp_path, make):
    rig = make()
    frames = walk(rig, np.arange(90) / 60.0)
    path = bake(rig, frames).save(tmp_path / "walk.glb")
    chosen = list(range(0, 90, 8))
    names = json.dumps([f"{leg}_sole" for leg in rig.leg_names])
    found = node(node_folder, "load.mjs", str(path), names, json.dumps([frames[k].time for k in chosen]))
    want = soles_of(rig, frames)[chosen][..., [1, 2, 0]]  # z up, x forward: y up, z forward
    assert np.linalg.norm(np.array(found["soles"]) - want, axis=-1).max() < 1e-4
    assert found["bones"] == 1 + len(rig.trunks) + rig.bone_count + len(rig.legs)
    assert found["duration"] == pytest.approx(89 / 60, abs=1e-6)

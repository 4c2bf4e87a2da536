"""A baked GLB shows the motion: soles in their place, at frames and between them, and nothing that is not valid."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from bake_machines import RIGS, biped, quadruped, soles_of, walk
from glb_reader import Glb

from footfall.bake import Bake
from footfall.bake.armour import piston_lengths
from footfall.bake.scene import FAR
from footfall.bake.tracks import kept_keys
from footfall.errors import FootfallError
from footfall.frames import arrays
from footfall.rig import build_rig


def baked(rig, frames, **options) -> Glb:
    bake = Bake(rig, **options)
    for frame in frames:
        bake.add(frame)
    return Glb(bake.to_bytes())


@pytest.fixture(scope="module", params=list(RIGS))
def walked(request):
    rig = RIGS[request.param]()
    frames = walk(rig, np.arange(150) / 60.0)
    return rig, frames, baked(rig, frames)


def worst_sole(rig, frames, glb, step=7) -> float:
    """Largest distance of a sole in the file from the frame's [m]."""
    soles = soles_of(rig, frames)
    return max(
        np.linalg.norm(glb.place(f"{leg}_sole", frames[k].time - frames[0].time) - soles[k, n])
        for k in range(0, len(frames), step)
        for n, leg in enumerate(rig.leg_names)
    )


def test_soles_are_within_the_bound_of_the_frames(walked):
    rig, frames, glb = walked
    assert worst_sole(rig, frames, glb) < 5e-5 + 2e-6  # the bound, and float32


def test_every_part_is_within_the_bound_of_the_frames(walked):
    rig, frames, glb = walked
    bake = Bake(rig)
    for frame in frames:
        bake.add(frame)
    motion = bake.motion()
    for k in (0, 31, 77, 149):
        for part, name in enumerate(motion.table.names):
            shown = glb.place(name.replace("/", "_"), float(motion.times[k]))
            assert np.linalg.norm(shown - motion.parts.position_world[k, part]) < 5.2e-5, name


@pytest.mark.parametrize("rate", [60.0, 30.0, 12.0])
@pytest.mark.parametrize("make", list(RIGS.values()))
def test_planted_soles_hold_between_keys(make, rate):
    rig = make()
    frames = walk(rig, np.arange(int(2.0 * rate)) / rate)
    glb, soles = baked(rig, frames), soles_of(rig, frames)
    planted = np.stack([frame.actual.feet["swinging"][0] == 0 for frame in frames])
    worst = 0.0
    for k, leg in np.argwhere(planted[1:] & planted[:-1]):
        if np.linalg.norm(soles[k + 1, leg] - soles[k, leg]) > 1e-3:
            continue
        for share in (0.21, 0.5, 0.83):
            shown = glb.place(f"{rig.leg_names[leg]}_sole", (k + share) / rate)
            worst = max(worst, np.linalg.norm(shown - soles[k, leg]))
    assert worst < 3e-4  # 0.2 mm between keys and the bound of the keys that are left out


def test_neighbouring_quaternions_have_like_signs(walked):
    for (_, path), (_, values) in walked[2].tracks.items():
        if path == "rotation":
            assert (np.einsum("ij,ij->i", values[1:].astype(float), values[:-1].astype(float)) >= 0.0).all()
            assert np.abs(np.linalg.norm(values.astype(float), axis=1) - 1.0).max() < 1e-6


def test_signs_are_continuous_though_the_frames_are_not(walked):
    rig, frames, _ = walked
    turned = []
    for number, frame in enumerate(frames):
        trunks = frame.actual.trunks.copy()
        trunks["rotation"] *= -1.0 if number % 2 else 1.0
        turned.append(frame._replace(actual=frame.actual._replace(trunks=trunks)))
    glb = baked(rig, turned)
    for (_, path), (_, values) in glb.tracks.items():
        if path == "rotation":
            assert (np.einsum("ij,ij->i", values[1:], values[:-1]) >= 0.0).all()


def test_key_times_start_at_zero_and_increase_and_are_stated(walked):
    glb = walked[2]
    for sampler in glb.json["animations"][0]["samplers"]:
        times, stated = glb.array(sampler["input"])[:, 0], glb.json["accessors"][sampler["input"]]
        assert times[0] == 0.0 and (np.diff(times) > 0.0).all()
        assert times[-1] == np.float32(walked[1][-1].time)
        assert stated["min"] == [float(times[0])] and stated["max"] == [float(times[-1])]


def test_leg_bones_only_turn(walked):  # FC-C07
    rig, _, glb = walked
    bones = {glb.index[name.replace("/", "_")] for name in rig.bone_names}
    soles = {glb.index[f"{leg}_sole"] for leg in rig.leg_names}
    assert all(path != "scale" for _, path in glb.tracks)
    assert {node for node, path in glb.tracks if path == "rotation"} >= bones
    assert not {node for node, path in glb.tracks if path == "translation"} & (bones | soles)
    assert not any("scale" in node or "matrix" in node for node in glb.nodes)


def test_hierarchy_runs_from_the_root_to_the_soles(walked):
    rig, _, glb = walked
    for leg, row in zip(rig.legs, rig.leg_table, strict=True):
        node, names = glb.index[f"{leg.name}_sole"], []
        while node in glb.parent:
            node = glb.parent[node]
            names.append(glb.nodes[node]["name"])
        bones = [f"{leg.name}_{n}" for n in range(row["bones"] - 1, -1, -1)]
        assert names == [*bones, rig.trunks[row["trunk"]].name, "root", "machine"]


def test_a_leg_that_names_no_trunk_has_its_hip_on_the_first():
    rig = quadruped()
    named = build_rig(rig.trunks, tuple(replace(leg, trunk="hull") for leg in rig.legs), 1.05, aims=rig.aims)
    unnamed = build_rig(rig.trunks, tuple(replace(leg, trunk="") for leg in rig.legs), 1.05, aims=rig.aims)
    first, second = (baked(each, walk(each, np.zeros(1))) for each in (named, unnamed))
    assert first.json == second.json and first.binary == second.binary


def test_skin_binds_every_trunk_bone_and_sole_as_the_machine_stands(walked):
    rig, _, glb = walked
    skin = glb.json["skins"][0]
    names = {glb.nodes[node]["name"] for node in skin["joints"]}
    assert names >= {"root", *(t.name for t in rig.trunks), *(f"{leg}_sole" for leg in rig.leg_names)}
    binds = glb.array(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
    root = glb.world("root", 0.0)
    for node, bind in zip(skin["joints"], binds, strict=True):
        assert np.allclose(glb.world(glb.nodes[node]["name"], 0.0) @ bind, root, atol=2e-6)
    mesh = glb.json["meshes"][next(node["mesh"] for node in glb.nodes if "skin" in node)]
    attributes = mesh["primitives"][0]["attributes"]
    joints, weights = glb.array(attributes["JOINTS_0"]), glb.array(attributes["WEIGHTS_0"])
    assert (weights.sum(axis=1, dtype=int) == 255).all()
    assert (joints[weights == 0] == 0).all() and joints.max() < len(skin["joints"])


def test_meshes_face_outward_and_have_unit_normals(walked):
    glb = walked[2]
    assert len(glb.json["meshes"]) >= 2
    for mesh in glb.json["meshes"]:
        for primitive in mesh["primitives"]:
            positions = glb.array(primitive["attributes"]["POSITION"]).astype(float)
            normals = glb.array(primitive["attributes"]["NORMAL"]).astype(float)
            corners = positions[glb.array(primitive["indices"]).reshape(-1, 3)]
            faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6.0
            assert volume > 0.0, mesh["name"]
            assert np.abs(np.linalg.norm(normals, axis=1) - 1.0).max() < 1e-5
            mean = normals[glb.array(primitive["indices"]).reshape(-1, 3)].sum(axis=1)
            agree = np.einsum("ij,ij->i", mean, faces) > 0.0
            # a bellows folds into itself on the inner side of a bent knee
            assert agree.mean() > 0.9 if mesh["name"] == "boots" else agree.all(), mesh["name"]


def test_contacts_are_told_with_time_leg_and_place(walked):
    rig, frames, glb = walked
    contacts = glb.json["animations"][0]["extras"]["contacts"]
    kinds = {(event["leg"], event["kind"]) for event in contacts}
    assert kinds >= {(leg, kind) for leg in rig.leg_names[1:] for kind in ("touchdown", "lift_off")}
    assert all(0.0 <= event["time"] <= frames[-1].time for event in contacts)
    assert [event["time"] for event in contacts] == sorted(event["time"] for event in contacts)
    for event in contacts:
        y, z, x = event["position"]
        shown = glb.place(f"{event['leg']}_sole", event["time"] + (0.05 if event["kind"] == "touchdown" else -0.05))
        assert np.linalg.norm(shown - (x, y, z)) < 1e-3, event


def test_far_from_the_origin_it_is_as_exact():
    rig, origin = quadruped(), (12_345.678, -9_876.543, 321.0)
    assert np.linalg.norm(origin) > FAR
    frames = walk(rig, np.arange(90) / 60.0, origin=origin)
    glb = baked(
        rig, frames, terrain_patch=(np.array([[0, 0, 0], [3, 0, 0], [0, 3, 0.0]]) + origin, np.array([[0, 1, 2]]))
    )
    assert worst_sole(rig, frames, glb) < 5.5e-5
    ground = glb.json["meshes"][glb.nodes[glb.index["ground"]]["mesh"]]["primitives"][0]
    assert np.abs(glb.array(ground["attributes"]["POSITION"])).max() < 10.0
    assert np.allclose(glb.place("ground", 0.0), origin, atol=3.0)


def test_static_tracks_have_two_keys():  # FC-E21
    rig = biped()
    glb = baked(rig, walk(rig, np.arange(100) / 60.0, still=True))
    assert all(len(times) == 2 and times[-1] == np.float32(99 / 60) for times, _ in glb.tracks.values())


def test_one_frame_is_a_scene_without_animation():  # FC-E21
    rig = quadruped()
    frames = walk(rig, np.zeros(1))
    glb = baked(rig, frames)
    assert "animations" not in glb.json
    assert worst_sole(rig, frames, glb) < 1e-6


@pytest.mark.parametrize("suffix", [".glb", ".bvh", ".csv"])
def test_no_frames_are_refused(tmp_path, suffix):  # FC-E21
    with pytest.raises(FootfallError, match="no frames"):
        Bake(quadruped()).save(tmp_path / f"walk{suffix}")
    assert not list(tmp_path.iterdir())


def test_time_before_zero_is_taken_off():  # FC-E21
    rig = quadruped()
    frames = walk(rig, np.arange(60) / 60.0, start=-0.125)
    glb = baked(rig, frames)
    assert all(times[0] == 0.0 for times, _ in glb.tracks.values())
    assert worst_sole(rig, frames, glb) < 5.5e-5
    assert all(event["time"] >= 0.0 for event in glb.json["animations"][0]["extras"]["contacts"])


def test_times_that_float32_cannot_tell_apart_are_one_key():
    rig = biped()
    frames = walk(rig, np.array([0.0, 0.5, 1.0, 1.0 + 1e-9, 1.0 + 2e-8, 1.5]))
    for frame, y in zip(frames, (0.0, 0.1, 0.0, 0.1, 0.2, 0.0), strict=True):  # so that no key can be left out
        frame.body["root_position"][0, 1] = y
    glb = baked(rig, frames, bound=0.0)
    root = glb.tracks[glb.index["root"], "translation"][0]
    assert root.tolist() == [0.0, 0.5, 1.0, 1.5]
    assert all((np.diff(times) > 0.0).all() for times, _ in glb.tracks.values())


@pytest.mark.slow
def test_late_keys_at_240_hz_increase():  # FC-E21: the last 10 s of 10 minutes
    rig = biped()
    times = np.concatenate([[0.0], np.arange(240 * 590, 240 * 600, 1) / 240.0])
    glb = baked(rig, walk(rig, times))
    for kept, _ in glb.tracks.values():
        assert kept[0] == 0.0 and (np.diff(kept) > 0.0).all() and kept[-1] == np.float32(times[-1])


def test_keys_that_are_left_out_stay_within_the_bound():
    times = np.sort(np.random.default_rng(1).uniform(0.0, 10.0, 600))
    values = np.stack([np.sin(times), 0.3 * np.cos(2.0 * times), 0.0 * times], axis=1)
    for bound in (1e-6, 1e-3, 1e-2):
        kept = kept_keys(times, values, False, bound)
        shown = np.stack([np.interp(times, times[kept], values[kept, axis]) for axis in range(3)], axis=1)
        assert kept[0] and kept[-1] and np.linalg.norm(shown - values, axis=1).max() <= bound
    assert kept.sum() < 80


def test_names_are_unique_whatever_the_machine_is_called():
    for name in ("root", "hull", "left_hind_0", "my/machine 1", ""):
        frames = walk(quadruped(), np.zeros(1))
        assert baked(quadruped(), frames, name=name).index["left_hind_sole"]  # the reader refuses names that are twice


def test_ground_without_area_or_numbers_is_left_out():
    rig, frames = biped(), walk(biped(), np.zeros(1))
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, np.nan, 0.0]])
    bad = np.array([[0, 1, 2], [0, 1, 4]])
    assert "ground" not in baked(rig, frames, terrain_patch=(corners, bad)).index
    glb = baked(rig, frames, terrain_patch=(corners, np.array([[0, 1, 2], [0, 1, 3], [0, 1, 4]])))
    primitive = glb.json["meshes"][glb.nodes[glb.index["ground"]]["mesh"]]["primitives"][0]
    assert glb.array(primitive["indices"]).size == 3


@pytest.mark.parametrize(("least", "greatest"), [(1.0, 1.0), (0.9, 1.1), (0.5, 1.0), (0.2, 1.0)])
def test_rods_never_leave_their_cylinders(least, greatest):
    cylinder, rod = piston_lengths(least, greatest)
    assert cylinder < least and cylinder + rod > greatest


def test_any_agent_can_be_baked():
    rig = biped()
    frames = walk(rig, np.arange(10) / 60.0, agents=3)
    frames = [frame._replace(joints=frame.joints._replace(position=frame.joints.position.copy())) for frame in frames]
    for frame in frames:
        frame.joints.position[2, ..., 1] += 4.0
        frame.actual.trunks["position"][2, ..., 1] += 4.0
        frame.body["root_position"][2, 1] += 4.0
    assert baked(rig, frames, agent=2).place("left_sole", 0.0)[1] == pytest.approx(4.2, abs=1e-5)
    with pytest.raises(FootfallError, match="agent 3 is to be baked"):
        baked(rig, frames, agent=3)


def test_frames_out_of_order_or_without_numbers_are_refused():
    rig = biped()
    frames = walk(rig, np.arange(3) / 60.0)
    bake = Bake(rig)
    bake.add(frames[1])
    with pytest.raises(FootfallError, match="comes after"):
        bake.add(frames[0])
    frames[2].joints.position[0, 2] = np.nan
    with pytest.raises(FootfallError, match="no number"):
        bake.add(frames[2])


def test_files_appear_whole_or_not_at_all(tmp_path):
    bake = Bake(biped())
    bake.add(walk(biped(), np.zeros(1))[0])
    with pytest.raises(FootfallError) as caught:
        bake.save(tmp_path / "missing" / "walk.glb")
    assert "\n" not in str(caught.value)
    with pytest.raises(FootfallError, match=r"\.glb, \.bvh, \.csv"):
        bake.save(tmp_path / "walk.fbx")
    assert bake.save(tmp_path / "walk.glb") == tmp_path / "walk.glb"
    assert [path.name for path in tmp_path.iterdir()] == ["walk.glb"]


def test_a_bake_is_the_same_bytes_every_time():
    rig = quadruped()
    frames = walk(rig, np.arange(20) / 60.0)
    first, second = Bake(rig), Bake(rig)
    for frame in frames:
        first.add(frame)
        second.add(frame)
    assert first.to_bytes() == second.to_bytes()


def test_cameras_ride_on_their_trunk_and_look_where_the_machine_file_says():
    rig = quadruped()
    frames = walk(rig, np.arange(60) / 60.0)
    glb = baked(rig, frames)
    names = [node["name"] for node in glb.nodes if "camera" in node]
    assert names == ["ahead", "hull_2"]
    for name, camera in zip(names, rig.cameras, strict=True):
        view = glb.json["cameras"][glb.nodes[glb.index[name]]["camera"]]
        assert view["type"] == "perspective" and view["perspective"]["yfov"] == camera.field_of_view
        for frame in (frames[0], frames[37]):
            trunk = frame.actual.trunks[0, 0]
            seen = glb.world(name, frame.time)[[2, 0, 1]]  # glTF: a camera looks along -z, y is up
            place = trunk["position"] + arrays.rotate(trunk["rotation"], np.array(camera.position))
            forward = arrays.rotate(trunk["rotation"], np.array(camera.forward))
            up = arrays.rotate(trunk["rotation"], np.array(camera.up))
            assert np.linalg.norm(seen[:, 3] - place) < 6e-5
            assert -seen[:, 2] @ forward == pytest.approx(np.linalg.norm(forward), abs=1e-7)
            across = np.cross(forward, up)
            assert seen[:, 0] @ across == pytest.approx(np.linalg.norm(across), abs=1e-7)


def test_a_frame_of_axes_is_the_rotation_that_they_came_from():
    random = np.random.default_rng(6)
    turns = np.concatenate([random.normal(size=(50, 4)), np.eye(4), [[1e-9, 1, 0, 0], [0, 1, 1, 1]]])
    for q in turns / np.linalg.norm(turns, axis=1, keepdims=True):
        found = arrays.from_axes(*(arrays.rotate(q, axis) for axis in np.eye(3)))
        assert abs(found @ q) == pytest.approx(1.0, abs=1e-12)

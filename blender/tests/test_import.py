"""An imported run shows what its files hold, in whatever frame the timeline is, and after the file is opened again."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray


def import_run(bpy: Any, path: Path, **options: Any) -> Any:
    """Imports a run; returns the object that all parts hang on."""
    assert bpy.ops.import_scene.pliant_run(filepath=str(path), **options) == {"FINISHED"}
    return next(thing for thing in bpy.data.objects if thing.pliant_run.folder)


def part(root: Any, series: str, name: str) -> Any:
    found = [thing for thing in root.children if thing.pliant_part.series == series and thing.pliant_part.name == name]
    assert len(found) == 1
    return found[0]


def values(data: Any, name: str, field: str, width: int = 1) -> NDArray[Any]:
    attribute = data.attributes[name]
    array = np.empty(len(attribute.data) * width, dtype=np.int32 if field == "value_int" else np.float32)
    attribute.data.foreach_get(field.removesuffix("_int"), array)
    return array.reshape(-1, width) if width > 1 else array


def file_of(run: Path, series: str, number: int) -> Any:
    return np.load(run / series / f"{series}.{number:04}.npz")


@pytest.mark.parametrize("frame", [1, 4, 2, 6])
def test_particles_are_those_of_the_file(blender: Any, runs: Path, frame: int) -> None:
    root = import_run(blender, runs / "fall" / "run.json")
    blender.context.scene.frame_set(frame)
    file = file_of(runs / "fall", "particles", frame)
    chosen = file["body"] == list(file["body_names"]).index("heap-of-sand")
    mesh = part(root, "particles", "heap-of-sand").data
    assert np.array_equal(values(mesh, "position", "vector", 3), file["position"][chosen].astype(np.float32))
    assert np.array_equal(values(mesh, "velocity", "vector", 3), file["velocity"][chosen])
    assert np.array_equal(values(mesh, "radius", "value"), file["radius"][chosen])
    assert np.array_equal(values(mesh, "id", "value_int"), file["id"][chosen].astype(np.int32))
    assert set(values(mesh, "body", "value_int")) == {0}
    assert len(values(mesh, "color", "color", 4)) == chosen.sum()


def test_particles_are_seen_as_points_with_their_radius(blender: Any, runs: Path) -> None:
    root = import_run(blender, runs / "fall")
    blender.context.scene.frame_set(3)
    heap = part(root, "particles", "heap-of-sand")
    graph = blender.context.evaluated_depsgraph_get()
    seen = [item.object.data for item in graph.object_instances if item.object.name == heap.name]
    (cloud,) = [data for data in seen if data.rna_type.identifier == "PointCloud"]
    assert len(cloud.points) == len(heap.data.vertices) > 0
    assert np.allclose(values(cloud, "radius", "value"), 0.01)
    assert np.array_equal(values(cloud, "velocity", "vector", 3), values(heap.data, "velocity", "vector", 3))
    assert [material.name for material in cloud.materials if material] == ["heap-of-sand"]


def test_cloth_and_surfaces_are_meshes_with_velocities(blender: Any, runs: Path) -> None:
    root = import_run(blender, runs / "cut")
    for frame in (1, 5, 3):
        blender.context.scene.frame_set(frame)
        surface = file_of(runs / "cut", "surface", frame)
        mesh = part(root, "surface", "block").data
        assert np.array_equal(values(mesh, "position", "vector", 3), surface["position"].astype(np.float32))
        assert np.array_equal(values(mesh, "velocity", "vector", 3), surface["velocity"])
        corners = np.empty(len(mesh.loops), dtype=np.int32)
        mesh.loops.foreach_get("vertex_index", corners)
        assert np.array_equal(corners, surface["triangles"].ravel())
        uv = np.empty(2 * len(mesh.loops), dtype=np.float32)
        mesh.uv_layers["UVMap"].data.foreach_get("uv", uv)
        assert np.array_equal(uv, surface["triangles_uv"].ravel())
        inside = np.empty(len(mesh.polygons), dtype=bool)
        mesh.attributes["inside"].data.foreach_get("value", inside)
        assert np.array_equal(inside, surface["triangles_inside"])
        assert not mesh.validate()
        particles = file_of(runs / "cut", "particles", frame)
        sheet = part(root, "particles", "sheet").data
        assert len(sheet.polygons) == len(particles["triangles"])
    assert part(root, "particles", "block").hide_render
    assert not part(root, "particles", "leaving").hide_render


def test_rigid_bodies_move_and_turn(blender: Any, runs: Path) -> None:
    root = import_run(blender, runs / "fall")
    top = part(root, "rigid", "top")
    assert len(top.data.polygons) == 12
    for frame in (2, 5):
        blender.context.scene.frame_set(frame)
        file = file_of(runs / "fall", "particles", frame)
        (row,) = np.flatnonzero(file["body"] == list(file["body_names"]).index("top"))
        assert np.allclose(top.location, file["position"][row])
        assert math.isclose(top.rotation_quaternion[3], file["rotation_z"][row], abs_tol=1e-6)
        assert math.isclose(top.rotation_quaternion[0], file["rotation_w"][row], abs_tol=1e-6)


def test_colliders_move_as_the_scene_says(blender: Any, runs: Path) -> None:
    root = import_run(blender, runs / "fall")
    paddle = part(root, "collider", "paddle")
    for frame in (1, 3):
        blender.context.scene.frame_set(frame)
        assert np.allclose(paddle.location, (0.5 * (frame - 1) / 24.0 / 0.2, 1.0, 0.0), atol=1e-6)
    # One has no end, one deforms.
    assert not [thing for thing in root.children if thing.pliant_part.name in {"floor", "flap"}]


def test_the_timeline_gets_the_rate_and_the_length(blender: Any, runs: Path) -> None:
    scene = blender.context.scene
    import_run(blender, runs / "fall", start=11)
    assert (scene.frame_start, scene.frame_end) == (11, 16)
    assert scene.render.fps / scene.render.fps_base == 24.0


def test_another_rate_shows_frames_between(blender: Any, runs: Path) -> None:
    scene = blender.context.scene
    scene.render.fps = 48
    root = import_run(blender, runs / "fall", set_timeline=False)
    top = part(root, "rigid", "top")
    scene.frame_set(3)
    second = top.location.copy()
    scene.frame_set(5)
    third = top.location.copy()
    scene.frame_set(4)
    assert np.allclose(second, position_of_top(runs / "fall", 2))
    assert np.allclose(third, position_of_top(runs / "fall", 3))
    assert third.z < top.location.z < second.z
    scene.frame_set(4, subframe=0.5)
    assert third.z < top.location.z < (second.z + third.z) / 2


def position_of_top(run: Path, number: int) -> NDArray[Any]:
    file = file_of(run, "particles", number)
    return np.asarray(file["position"][file["body"] == list(file["body_names"]).index("top")][0])


def test_slow_motion_slows_velocities(blender: Any, runs: Path) -> None:
    root = import_run(blender, runs / "fall")
    root.pliant_run.speed = 0.5
    blender.context.scene.frame_set(5)
    file = file_of(runs / "fall", "particles", 3)
    mesh = part(root, "particles", "sheet").data
    chosen = file["body"] == list(file["body_names"]).index("sheet")
    assert np.allclose(values(mesh, "velocity", "vector", 3), 0.5 * file["velocity"][chosen])


def test_quantities_become_attributes(blender: Any, runs: Path) -> None:
    root = import_run(blender, runs / "fall", quantities="density, stress_von_mises, of no run")
    mesh = part(root, "particles", "sheet").data
    file = file_of(runs / "fall", "particles", 1)
    chosen = file["body"] == list(file["body_names"]).index("sheet")
    assert np.array_equal(values(mesh, "density", "value"), file["density"][chosen])
    assert "stress_von_mises" in mesh.attributes
    assert "det_F" not in mesh.attributes


def test_what_has_y_up_stands_and_units_are_those_of_the_scene(blender: Any, runs: Path) -> None:
    scene = blender.context.scene
    scene.unit_settings.scale_length = 0.01
    root = import_run(blender, runs / "cut")
    blender.context.view_layer.update()
    sheet = part(root, "particles", "sheet")
    seen = sheet.matrix_world @ sheet.data.vertices[0].co
    x, y, z = file_of(runs / "cut", "particles", 1)["position"][list(sheet_rows(runs))[0]]
    assert np.allclose(seen, (100 * x, -100 * z, 100 * y), atol=1e-3)


def sheet_rows(runs: Path) -> NDArray[Any]:
    file = file_of(runs / "cut", "particles", 1)
    return np.flatnonzero(file["body"] == list(file["body_names"]).index("sheet"))


def test_a_saved_file_follows_when_it_is_opened_again(blender: Any, fall: Path) -> None:
    import_run(blender, fall)
    blender.context.scene.frame_set(2)
    path = fall.parent / "moved" / "film.blend"
    path.parent.mkdir()
    blender.ops.wm.save_as_mainfile(filepath=str(path))
    blender.ops.wm.read_factory_settings(use_empty=True)
    blender.ops.wm.open_mainfile(filepath=str(path))
    root = next(thing for thing in blender.data.objects if thing.pliant_run.folder)
    assert root.pliant_run.folder == "//../fall"
    mesh = part(root, "particles", "heap-of-sand").data
    for frame in (5, 3):
        blender.context.scene.frame_set(frame)
        file = file_of(fall, "particles", frame)
        position = file["position"][file["body"] == 0].astype(np.float32)
        assert np.array_equal(values(mesh, "position", "vector", 3), position)


def test_paths_are_relative_to_a_saved_file(blender: Any, fall: Path) -> None:
    blender.ops.wm.save_as_mainfile(filepath=str(fall.parent / "film.blend"))
    root = import_run(blender, fall)
    assert root.pliant_run.folder == "//fall"
    (fall.parent / "copies").mkdir()
    blender.ops.wm.save_as_mainfile(filepath=str(fall.parent / "copies" / "copy.blend"), copy=True)
    assert root.pliant_run.folder == "//fall"
    blender.context.scene.frame_set(2)
    assert root.pliant_run.message == ""


def test_missing_frames_hold_the_last_and_damaged_ones_say_so(blender: Any, fall: Path) -> None:
    for path in (fall / "particles").glob("particles.0003.*"):
        path.unlink()
    (fall / "particles" / "particles.0005.npz").write_bytes(b"nonsense")
    root = import_run(blender, fall)
    scene = blender.context.scene
    mesh = part(root, "particles", "heap-of-sand").data
    for frame, shown in ((2, 2), (3, 2), (5, 2), (4, 4), (99, 6)):
        scene.frame_set(frame)
        file = file_of(fall, "particles", shown)
        position = file["position"][file["body"] == 0].astype(np.float32)
        assert np.array_equal(values(mesh, "position", "vector", 3), position)
        assert ("damaged" in root.pliant_run.message) == (frame == 5)


def test_importing_again_adds_what_is_new_and_nothing_else(blender: Any, fall: Path) -> None:
    root = import_run(blender, fall)
    before = set(blender.data.objects)
    meshes = len(blender.data.meshes)
    blender.context.view_layer.objects.active = root
    assert blender.ops.pliant.refresh() == {"FINISHED"}
    import_run(blender, fall)
    assert set(blender.data.objects) == before
    assert len(blender.data.meshes) == meshes


def test_surfaces_that_are_gone_leave_the_particles(blender: Any, fall: Path) -> None:
    root = import_run(blender, fall)
    points = part(root, "particles", "block")
    assert points.hide_render
    for path in (fall / "surface").iterdir():
        path.unlink()
    blender.context.scene.frame_set(3)
    assert "no frames of surface" in root.pliant_run.message
    heap = part(root, "particles", "heap-of-sand").data
    file = file_of(fall, "particles", 3)
    assert len(heap.vertices) == (file["body"] == 0).sum()
    blender.context.view_layer.objects.active = root
    assert blender.ops.pliant.refresh() == {"FINISHED"}
    assert root.pliant_run.message == ""
    assert not points.hide_render
    assert len(points.data.vertices) > 0
    assert not [thing for thing in root.children if thing.pliant_part.series == "surface"]


@pytest.mark.parametrize("spoil", ["nothing", "folder", "scene", "particles"])
def test_errors_are_told_in_words(blender: Any, fall: Path, spoil: str) -> None:
    path = {"nothing": fall / "nowhere" / "run.json", "folder": fall.parent}.get(spoil, fall)
    if spoil == "scene":
        (fall / "scene.toml").write_text("[scene")
    if spoil == "particles":
        for file in (fall / "particles").iterdir():
            file.write_bytes(b"nonsense")
    with pytest.raises(RuntimeError) as caught:
        blender.ops.import_scene.pliant_run(filepath=str(path))
    assert str(caught.value).startswith("Error: ")
    assert "Traceback" not in str(caught.value)


def test_a_missing_program_leaves_the_rest(blender: Any, fall: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(fall))
    root = import_run(blender, fall)
    assert part(root, "rigid", "top").type == "EMPTY"
    blender.context.scene.frame_set(4)
    assert np.allclose(part(root, "rigid", "top").location, position_of_top(fall, 4))


def test_materials_look_as_the_bodies_do(blender: Any, runs: Path) -> None:
    root = import_run(blender, runs / "fall")
    material = part(root, "particles", "heap-of-sand").data.materials[0]
    shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    # The file's colours are sRGB, those of Blender linear.
    import pliant_blender.playback.color as color
    from pliant_blender.recording.run_folder import RunFolder

    body = RunFolder(runs / "fall").bodies[0]
    shown = shader.inputs["Base Color"].default_value
    assert color.to_hexadecimal(shown) == body.color
    assert np.allclose(values(part(root, "particles", "heap-of-sand").data, "color", "color", 4)[0], shown)

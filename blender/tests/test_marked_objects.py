"""Marked objects become a scene that passes `pliant check`, runs, and comes back to where they are."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pliant_blender.command.program import check_scene
from pliant_blender.recording.motion import from_degrees


def add(bpy: Any, primitive: str, name: str, role: str, **options: Any) -> Any:
    """Adds an object and marks it."""
    known = bpy.types.Object.bl_rna.properties["pliant"].fixed_type.properties
    marks = {key: options.pop(key) for key in list(options) if key in known}
    scale = options.pop("scale", (1, 1, 1))
    getattr(bpy.ops.mesh, f"primitive_{primitive}_add")(**options)
    thing = bpy.context.active_object
    thing.scale = scale
    thing.name = name
    thing.pliant.role = role
    for key, item in marks.items():
        setattr(thing.pliant, key, item)
    return thing


@pytest.fixture
def scene(blender: Any, tmp_path: Path) -> Any:
    """A saved file whose timeline has seven frames."""
    blender.ops.wm.save_as_mainfile(filepath=str(tmp_path / "film.blend"))
    scene = blender.context.scene
    scene.frame_start, scene.frame_end = 10, 16
    return scene


def written(bpy: Any, tmp_path: Path) -> Any:
    assert bpy.ops.pliant.write_scene() == {"FINISHED"}
    return tomllib.loads((tmp_path / "pliant" / "scene.toml").read_text(encoding="utf-8"))


def mesh_of(tmp_path: Path, table: Any) -> tuple[Any, Any]:
    """Vertices and triangles of the file of a shape."""
    content = (tmp_path / "pliant" / table["shape"]["mesh"]["file"]).read_bytes()
    head, _, rest = content.partition(b"end_header\n")
    counts = [int(word) for word in head.split() if word.isdigit()]
    position = np.frombuffer(rest[: counts[0] * 24], dtype="<f8").reshape(-1, 3)
    faces = faces_of(head, rest[counts[0] * 24 :])
    assert len(faces) == counts[1]
    return position, faces["corners"]


def faces_of(head: bytes, content: bytes) -> Any:
    kind: list[Any] = [("count", "u1"), ("corners", "<u4", 3)]
    if b"texcoord" in head:
        kind += [("uv_count", "u1"), ("uv", "<f4", (3, 2))]
    return np.frombuffer(content, dtype=kind)


def test_a_scene_of_all_roles_passes_the_check(blender: Any, scene: Any, tmp_path: Path, program: Path) -> None:
    ball = add(blender, "uv_sphere", "Ball.001", "BODY", radius=0.2, location=(0, 0, 1), preset="rubber")
    ball.pliant.carries_mesh = True
    ball.pliant.values = "restitution = 0.25"
    add(blender, "cube", "Heap", "BODY", size=0.3, location=(2, 0, 1), material_values="friction_angle = 25.0")
    add(blender, "grid", "Cloth", "BODY", size=0.5, location=(4, 0, 1), preset="cotton")
    add(blender, "cube", "Stone", "BODY", size=0.2, location=(6, 0, 1), preset="rigid")
    spout = add(blender, "cube", "Spout", "EMITTER", size=0.3, location=(8, 0, 1), preset="water", rate=100.0)
    spout.pliant.is_limited, spout.pliant.first_frame, spout.pliant.last_frame = True, 10, 13
    add(blender, "cube", "Second", "EMITTER", size=0.3, location=(2, 0, 3), body=blender.data.objects["Heap"])
    add(blender, "plane", "Floor", "COLLIDER", kind="plane", friction=0.75)
    add(blender, "cube", "Wall", "COLLIDER", location=(0, 5, 0))
    add(blender, "cube", "Grip", "PIN", size=0.2, location=(0, 0, 1.2), body=ball)
    tables = written(blender, tmp_path)
    assert tables["scene"] == {
        "title": "Scene",
        "duration": 0.25,
        "frame_rate": 24.0,
        "gravity": pytest.approx([0, 0, -9.81], abs=1e-3),
        "up": "z",
    }
    assert {body["name"] for body in tables["body"]} == {"Ball_001", "Cloth", "Heap", "Spout", "Stone"}
    assert tables["body"][0]["restitution"] == 0.25
    assert tables["body"][0]["render_mesh"] == tables["body"][0]["shape"]
    tables["emitter"].sort(key=lambda table: table["name"])
    assert tables["emitter"] == [
        {"name": "Second", "body": "Heap", "shape": tables["emitter"][0]["shape"], "velocity": [0, 0, 0], "start": 0.0},
        {
            "name": "Spout",
            "body": "Spout",
            "shape": tables["emitter"][1]["shape"],
            "velocity": [0, 0, 0],
            "start": 0.0,
            "rate": 100.0,
            "stop": 0.125,
        },
    ]
    assert tables["collider"][0]["friction"] == 0.75
    assert "motion" not in tables["collider"][1]
    assert check_scene(program, tmp_path / "pliant" / "scene.toml")
    assert blender.ops.pliant.check() == {"FINISHED"}


def test_meshes_are_as_seen_in_metres(blender: Any, scene: Any, tmp_path: Path) -> None:
    scene.unit_settings.scale_length = 0.1
    parent = add(blender, "cube", "Parent", "NONE", location=(1, 2, 3), rotation=(0.3, 0.4, 0.5), scale=(2, 2, 2))
    body = add(blender, "cube", "Body", "BODY", location=(1, 0, 0), scale=(1, -2, 3), spacing=0.5)
    body.parent = parent
    body.modifiers.new("Array", "ARRAY").count = 2
    tables = written(blender, tmp_path)
    blender.context.view_layer.update()
    evaluated = body.evaluated_get(blender.context.evaluated_depsgraph_get())
    expected = np.array([body.matrix_world @ vertex.co for vertex in evaluated.data.vertices]) * 0.1
    position, triangles = mesh_of(tmp_path, tables["body"][0])
    assert np.allclose(position, expected, atol=1e-6)
    assert tables["body"][0]["spacing"] == 0.05
    a, b, c = (position[triangles[:, corner]] for corner in range(3))
    volume = (a * np.cross(b, c)).sum() / 6.0
    # The picture is where it was: each side of a cube has a sixteenth of it.
    content = (tmp_path / "pliant" / tables["body"][0]["shape"]["mesh"]["file"]).read_bytes()
    head, _, rest = content.partition(b"end_header\n")
    uv = faces_of(head, rest[len(position) * 24 :])["uv"].astype(float)
    areas = 0.5 * np.cross(uv[:, 1] - uv[:, 0], uv[:, 2] - uv[:, 0])
    assert areas == pytest.approx(np.full(len(triangles), -1.0 / 32.0), abs=1e-6)
    # Outside is outside, although the object is mirrored.
    assert volume == pytest.approx(2 * 2 * 2 * 2 * 6 * 8 * 1e-3, rel=1e-4)


def test_repairs_are_written_for_what_must_be_closed(blender: Any, scene: Any, tmp_path: Path) -> None:
    body = add(blender, "cube", "Body", "BODY", spacing=0.2)
    add(blender, "cube", "Solid", "COLLIDER", location=(5, 0, 0))
    add(blender, "cube", "Shell", "COLLIDER", location=(9, 0, 0), kind="shell")
    for thing, repair in (("Body", "fill-holes"), ("Solid", "voxels"), ("Shell", "winding")):
        blender.data.objects[thing].pliant.repair = repair
    tables = written(blender, tmp_path)
    assert tables["body"][0]["shape"]["mesh"]["repair"] == "fill-holes"
    repairs = {table["name"]: table["shape"]["mesh"].get("repair") for table in tables["collider"]}
    assert repairs == {"Solid": "voxels", "Shell": None}


def test_animated_colliders_have_a_pose_in_each_frame(blender: Any, scene: Any, tmp_path: Path) -> None:
    add(blender, "cube", "Body", "BODY", size=0.2, location=(0, 0, 5))
    pusher = add(blender, "cube", "Pusher", "COLLIDER", location=(1, 0, 0), rotation=(0.1, 0.2, 0.3), scale=(1, 2, 3))
    pusher.keyframe_insert("location", frame=10)
    pusher.keyframe_insert("rotation_euler", frame=10)
    pusher.location, pusher.rotation_euler = (2, 1, 0), (1.1, -0.8, 7.0)
    pusher.keyframe_insert("location", frame=16)
    pusher.keyframe_insert("rotation_euler", frame=16)
    scene.frame_set(12)
    (table,) = written(blender, tmp_path)["collider"]
    assert scene.frame_current == 12
    keyframes = table["motion"]["keyframes"]
    assert [frame["t"] for frame in keyframes] == pytest.approx([number / 24.0 for number in range(7)])
    own, _ = mesh_of(tmp_path, table)
    for number, frame in enumerate(keyframes):
        scene.frame_set(10 + number)
        turned = np.array([turn(from_degrees(frame["rotation"]), point) for point in own]) + frame["position"]
        seen = [pusher.matrix_world @ vertex.co for vertex in pusher.data.vertices]
        assert np.allclose(turned, seen, atol=1e-5)
    steps = np.diff([frame["rotation"] for frame in keyframes], axis=0)
    assert np.abs(steps).max() < 120.0, "angles jump"


def test_colliders_that_deform_have_a_mesh_in_each_frame(
    blender: Any, scene: Any, tmp_path: Path, program: Path
) -> None:
    add(blender, "cube", "Body", "BODY", size=0.2, location=(0, 0, 5), spacing=0.1)
    growing = add(blender, "cube", "Growing", "COLLIDER", location=(3, 0, 0), rotation=(0.1, 0.2, 0.3))
    growing.keyframe_insert("scale", frame=10)
    growing.scale = (2, 1, 1)
    growing.keyframe_insert("scale", frame=16)
    bending = add(blender, "grid", "Bending", "COLLIDER", kind="shell")
    bending.shape_key_add(name="Flat")
    key = bending.shape_key_add(name="Up")
    for point in key.data:
        point.co.z += point.co.x**2
    key.value = 0.0
    key.keyframe_insert("value", frame=10)
    key.value = 1.0
    key.keyframe_insert("value", frame=16)
    bending.keyframe_insert("location", frame=10)
    bending.location = (0, 0, 1)
    bending.keyframe_insert("location", frame=16)
    stiff = add(blender, "cube", "Stiff", "COLLIDER", location=(-3, 0, 0))
    stiff.modifiers.new("Round", "BEVEL")
    tables = {table["name"]: table for table in written(blender, tmp_path)["collider"]}
    assert "mesh" in tables["Stiff"]["shape"]
    assert tables["Bending"]["two_sided"] is True
    for thing in (growing, bending):
        table = tables[thing.name]
        sequence = table["shape"]["mesh-sequence"]
        assert (sequence["last"], sequence["frame_rate"]) == (7, 24.0)
        keyframes = table.get("motion", {}).get("keyframes", [table] * 7)
        for number in range(7):
            scene.frame_set(10 + number)
            file = sequence["file"].replace("#####", f"{number + 1:05}")
            own, _ = mesh_of(tmp_path, {"shape": {"mesh": {"file": file}}})
            place = keyframes[number]
            turned = np.array([turn(from_degrees(place["rotation"]), point) for point in own]) + place["position"]
            evaluated = thing.evaluated_get(blender.context.evaluated_depsgraph_get())
            seen = [evaluated.matrix_world @ vertex.co for vertex in evaluated.data.vertices]
            assert np.allclose(turned, seen, atol=1e-5), (thing.name, number)
    blender.ops.pliant.check()
    folder = tmp_path / "pliant"
    run: list[Any] = [program, "run", folder / "scene.toml", "--out", folder / "run"]
    subprocess.run([*run, "--frames", "2", "--quiet", "--no-preview", "--threads", "1"], check=True)


def turn(rotation: Any, point: Any) -> Any:
    w, *axis = rotation
    twice = 2.0 * np.cross(axis, point)
    return point + w * twice + np.cross(axis, twice)


def test_a_scene_runs_and_its_bodies_come_back_to_their_places(
    blender: Any, scene: Any, tmp_path: Path, program: Path
) -> None:
    scene.gravity = (0, 0, 0)
    heap = add(blender, "cube", "Heap", "BODY", size=0.4, location=(1, 2, 3), rotation=(0.2, 0.3, 0.4), spacing=0.1)
    material = blender.data.materials.new("yellow")
    heap.data.materials.append(material)
    sheet = add(blender, "grid", "Sheet", "BODY", size=0.5, location=(-1, 0, 0), preset="cotton", spacing=0.1)
    written(blender, tmp_path)
    folder = tmp_path / "pliant"
    run: list[Any] = [program, "run", folder / "scene.toml", "--out", folder / "run"]
    subprocess.run([*run, "--frames", "3", "--quiet", "--no-preview", "--threads", "1"], check=True)
    blender.ops.import_scene.pliant_run(filepath=str(folder / "run"), set_timeline=False, start=10)
    blender.context.view_layer.update()
    parts = {thing.pliant_part.name: thing for thing in blender.data.objects if thing.pliant_part.series}
    seen = np.array([parts["Heap"].matrix_world @ vertex.co for vertex in parts["Heap"].data.vertices])
    assert np.allclose(seen.mean(axis=0), heap.location, atol=0.02)
    inside = np.array([heap.matrix_world.inverted() @ thing for thing in map(to_vector, seen)])
    assert np.abs(inside).max() < 0.2
    cloth = np.array([parts["Sheet"].matrix_world @ vertex.co for vertex in parts["Sheet"].data.vertices])
    assert len(cloth) == len(sheet.data.vertices)
    assert np.allclose(cloth.min(axis=0), (-1.25, -0.25, 0.0), atol=1e-3)
    assert parts["Heap"].data.materials[0] == material


def to_vector(point: Any) -> Any:
    from mathutils import Vector

    return Vector(point)


def test_what_cannot_be_written_is_told_in_words(blender: Any, scene: Any, tmp_path: Path) -> None:
    def refused(words: str) -> None:
        with pytest.raises(RuntimeError, match=words):
            blender.ops.pliant.write_scene()

    refused("no body")
    body = add(blender, "cube", "Body", "BODY", size=0.2)
    body.pliant.material_values = "friction"
    refused("Material values of Body")
    body.pliant.material_values = ""
    lamp = blender.data.objects.new("Lamp", blender.data.lights.new("Lamp", "POINT"))
    scene.collection.objects.link(lamp)
    lamp.pliant.role = "COLLIDER"
    refused("Lamp has no surface")
    lamp.pliant.role = "NONE"
    growing = add(blender, "cube", "Growing", "PIN", location=(3, 0, 0), body=body)
    growing.keyframe_insert("scale", frame=10)
    growing.scale = (2, 2, 2)
    growing.keyframe_insert("scale", frame=16)
    refused("Growing changes its form or size")
    growing.animation_data_clear()
    growing.pliant.body = None
    refused("holds no body")
    growing.pliant.role = "COLLIDER"
    rounded = growing.modifiers.new("Rounded", "SUBSURF")
    rounded.levels = 1
    rounded.keyframe_insert("levels", frame=10)
    rounded.levels = 2
    rounded.keyframe_insert("levels", frame=16)
    refused("Growing has other faces")
    growing.pliant.role = "NONE"
    scene.frame_end = scene.frame_start
    refused("timeline ends before")
    scene.frame_end = 16
    body.pliant.preset = "dry-sandd"
    with pytest.raises(RuntimeError, match="dry-sand"):
        blender.ops.pliant.check()
    scene.pliant.folder = "//film.blend"
    refused("cannot be written")


def test_a_file_that_was_not_saved_is_to_be_saved_first(blender: Any) -> None:
    add(blender, "cube", "Body", "BODY")
    with pytest.raises(RuntimeError, match="Save the .blend file first"):
        blender.ops.pliant.write_scene()

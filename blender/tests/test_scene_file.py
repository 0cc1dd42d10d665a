"""Scenes that are written pass `pliant check`, and their values are those that were given."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest
from pliant_blender.command.program import check_scene, vocabulary
from pliant_blender.problem import Problem
from pliant_blender.writing.marks import (
    BodyMark,
    ColliderMark,
    EmitterMark,
    Material,
    PinMark,
    Pose,
    SceneMarks,
    plain_name,
)
from pliant_blender.writing.mesh_file import Mesh
from pliant_blender.writing.scene_file import write_scene
from pliant_blender.writing.toml import document, pairs

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float) - 0.5
FACES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
TRIANGLES = np.array([part for a, b, c, d in FACES for part in ([a, b, c], [a, c, d])], dtype=np.int32)


def cube(size: float, *center: float) -> Mesh:
    return Mesh(CORNERS * size + (center or (0.0, 0.0, 0.0)), TRIANGLES)


def scene() -> SceneMarks:
    """A bit of everything."""
    here = [Pose(0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))]
    moving = [*here, Pose(0.1, (0.1, 0.0, 0.0), (0.0, 0.0, 90.0))]
    sand = Material("dry-sand", {"friction_angle": 25.0})
    return SceneMarks(
        title='A "scene"\n',
        duration=0.25,
        frame_rate=24.0,
        gravity=(0.0, 0.0, -9.81),
        bodies=[
            BodyMark("heap", sand, cube(0.2, 0.0, 0.0, 0.2), 0.04, color="#d8b27a"),
            BodyMark("poured", sand, None, 0.04),
            BodyMark("jelly", Material("rubber"), cube(0.2, 1.0, 0.0, 0.5), 0.04, carries_mesh=True),
            BodyMark("stone", Material("", {"law": "rigid", "density": 2000.0}), cube(0.1, 2.0, 0.0, 0.5), 0.04),
            BodyMark("more", Material("dry-sand"), cube(0.2, 3.0, 0.0, 0.5), 0.04, velocity=(1.0, 0.0, 0.0)),
        ],
        colliders=[
            ColliderMark("floor", "plane", None, here),
            ColliderMark("paddle", "solid", cube(0.1), moving, friction=0.2, values={"restitution": 0.5}),
            ColliderMark("dancer", "solid", cube(0.1), here, frames=[cube(0.1 + 0.01 * frame) for frame in range(7)]),
            ColliderMark("foil", "shell", Mesh(CORNERS + 9.0, TRIANGLES[:2]), here),
        ],
        emitters=[EmitterMark("spout", "poured", cube(0.2, -1.0, 0.0, 1.0), (0.0, 0.0, -1.0), 200.0, 0.1, 0.2)],
        pins=[
            PinMark("grip", "jelly", cube(0.1, 1.0, 0.0, 0.6), here),
            PinMark("hand", "jelly", cube(0.1, 1.0, 0.0, 0.4), moving),
        ],
    )


def test_a_scene_passes_the_check(program: Path, tmp_path: Path) -> None:
    path = write_scene(tmp_path, scene())
    answer = check_scene(program, path)
    assert "particles" in answer
    written = tomllib.loads(path.read_text())
    assert written["scene"]["title"] == 'A "scene"\n'
    assert written["scene"]["up"] == "z"
    assert [body["material"] for body in written["body"]] == ["dry-sand", "dry-sand", "rubber", "rigid", "dry-sand-2"]
    assert written["material"]["dry-sand"] == {"preset": "dry-sand", "friction_angle": 25.0}
    assert written["body"][2]["render_mesh"] == written["body"][2]["shape"]
    assert written["collider"][1]["motion"]["keyframes"][1]["rotation"] == [0.0, 0.0, 90.0]
    sequence = {"file": "meshes/008-dancer.#####.ply", "last": 7, "frame_rate": 24.0}
    assert written["collider"][2]["shape"] == {"mesh-sequence": sequence}
    assert written["attach"][1]["to_collider"] == "hand-moving"


def test_meshes_of_an_earlier_scene_are_removed(tmp_path: Path) -> None:
    write_scene(tmp_path, scene())
    (tmp_path / "meshes" / "my-own.ply").write_bytes(b"")
    marks = scene()
    write_scene(tmp_path, SceneMarks(marks.title, 1.0, 24.0, marks.gravity, marks.bodies[:1]))
    assert sorted(path.name for path in (tmp_path / "meshes").iterdir()) == ["001-heap.ply", "my-own.ply"]


def test_what_is_wrong_is_told_in_the_words_of_the_program(program: Path, tmp_path: Path) -> None:
    marks = scene()
    wrong = BodyMark("heap", Material("dry-sandd"), cube(0.2), 0.04)
    path = write_scene(tmp_path, SceneMarks("", 1.0, 24.0, marks.gravity, [wrong]))
    with pytest.raises(Problem, match="dry-sand"):
        check_scene(program, path)


def test_open_meshes_are_repaired_as_they_are_marked(program: Path, tmp_path: Path) -> None:
    for repair in ("fill-holes", "winding"):
        lidless = Mesh(CORNERS * 0.2, TRIANGLES[:10], repair)
        body = BodyMark("crate", Material("rubber"), lidless, 0.04, carries_mesh=True)
        path = write_scene(tmp_path, SceneMarks("", 1.0, 24.0, (0.0, 0.0, 0.0), [body]))
        assert "was repaired" in check_scene(program, path)
        written = tomllib.loads(path.read_text())["body"][0]
        assert written["shape"]["mesh"] == {"file": "meshes/001-crate.ply", "repair": repair}
        assert written["render_mesh"]["mesh"] == {"file": "meshes/001-crate.ply"}


def test_a_scene_without_bodies_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="no body"):
        write_scene(tmp_path, SceneMarks("", 1.0, 24.0, (0.0, 0.0, 0.0), []))


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Problem, match="file cannot be written"):
        write_scene(tmp_path / "file", scene())


def test_names_are_made_ones_that_scenes_take(program: Path, tmp_path: Path) -> None:
    for name in ("Würfel.001", "a/b c", "x" * 70):
        body = BodyMark(plain_name(name), Material("dry-sand"), cube(0.2), 0.04)
        check_scene(program, write_scene(tmp_path, SceneMarks("", 1.0, 24.0, (0.0, 0.0, 0.0), [body])))


def test_texts_and_keys_come_back() -> None:
    tables = {"a table": {"key": 'quote " back \\ line \n bell \x07 é 雪', "b c": [1.5, {"d": True, "e": []}, {}]}}
    assert tomllib.loads(document(tables)) == tables


def test_pairs_of_a_line() -> None:
    assert pairs("", "") == {}
    assert pairs(" friction_angle = 25.0, law = 'snow', size = [1, 2], ", "") == {
        "friction_angle": 25.0,
        "law": "snow",
        "size": [1, 2],
    }
    for wrong in ("a", "a = ", "a = 1 b = 2", "a = 1}\n[table]\nb = {", "}"):
        with pytest.raises(Problem, match="Material values of heap"):
            pairs(wrong, "Material values of heap")


def test_the_program_tells_its_presets_and_methods(program: Path) -> None:
    words = vocabulary(program)
    assert {"dry-sand", "water", "rubber", "cotton"} <= set(words.presets)
    assert {"xpbi", "fluid", "cloth", "rigid"} <= set(words.methods)

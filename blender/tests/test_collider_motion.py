"""Colliders are where the program has them."""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path
from typing import Any

import pytest
from pliant_blender.command.program import shapes_of
from pliant_blender.problem import Problem
from pliant_blender.recording.motion import from_degrees, pose_at
from pliant_blender.recording.run_folder import RunFolder
from pliant_blender.recording.shapes import read_shapes

HALF = math.sqrt(0.5)

SCENE = """
scene = { duration = 0.5 }
material.stone = { law = "rigid", density = 2000.0 }
body = [{ name = "ball", material = "stone", shape = { sphere = { radius = 0.1 } }, position = [0.0, 5.0, 0.0] }]
[[collider]]
name = "keyed"
shape = { box = { size = [1.0, 2.0, 3.0] } }
motion = { ease = "EASE", keyframes = [
    { t = 0.1, position = [1.0, 0.0, 0.0], rotation = [10.0, 20.0, 30.0] },
    { t = 0.3, position = [2.0, 1.0, 0.0], rotation = [90.0, -40.0, 400.0] },
    { t = 0.4 },
] }
[[collider]]
name = "thrown"
shape = { box = { size = [1.0, 2.0, 3.0] } }
position = [9.0, 0.0, 0.0]
rotation = [0.0, 45.0, 20.0]
motion = { velocity = [1.0, 2.0, 0.0], spin = [90.0, 0.0, 200.0] }
"""


def test_rotations_are_about_own_x_then_y_then_z() -> None:
    assert from_degrees([90.0, 0.0, 0.0]) == pytest.approx((HALF, HALF, 0.0, 0.0))
    assert from_degrees([90.0, 90.0, 0.0]) == pytest.approx((0.5, 0.5, 0.5, 0.5))


@pytest.mark.parametrize("ease", ["linear", "smooth"])
def test_poses_are_those_that_the_program_exports(program: Path, tmp_path: Path, ease: str) -> None:
    scene = tmp_path / "moving.toml"
    scene.write_text(SCENE.replace("EASE", ease))
    out = tmp_path / "run"
    subprocess.run([program, "run", scene, "--out", out, "--no-preview", "--quiet"], check=True)
    run = RunFolder(out)
    for number in (1, 4, 6, 9, 11, 13):
        frames = f"{number}..{number}"
        subprocess.run(
            [program, "export", out, "--to", "glb", "--frames", frames, "--out", tmp_path / frames, "--quiet"],
            check=True,
        )
        nodes = _nodes(tmp_path / frames / "animation.glb")
        for table in run.scene["collider"]:
            node = nodes[table["name"]]
            position, rotation = pose_at(table, (number - 1) / run.frame_rate)
            assert position == pytest.approx(node["translation"], abs=1e-5)
            x, y, z, w = node["rotation"]
            exported = (w, x, y, z) if w * rotation[0] >= 0.0 else (-w, -x, -y, -z)
            assert rotation == pytest.approx(exported, abs=1e-3)


def test_shapes_are_in_their_own_coordinates(program: Path, runs: Path) -> None:
    shapes = shapes_of(program, runs / "fall")
    assert set(shapes) >= {"top", "paddle"}
    top = shapes["top"]
    assert top.position.max(axis=0) == pytest.approx([0.05, 0.05, 0.1])
    assert len(top.triangles) == 12


def test_a_file_that_is_no_gltf_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "animation.glb"
    for content in (b"", b"glTF" * 20, b"\0" * 100):
        path.write_bytes(content)
        with pytest.raises(Problem, match="damaged"):
            read_shapes(path)


def _nodes(path: Path) -> dict[str, Any]:
    content = path.read_bytes()
    size = int.from_bytes(content[12:16], "little")
    return {node["name"]: node for node in json.loads(content[20 : 20 + size])["nodes"]}

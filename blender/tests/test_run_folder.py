"""The folder of a run: found, listed, read lazily; what is no run is refused in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from pliant_blender.problem import Problem
from pliant_blender.recording.run_folder import RunFolder, find_run


def test_a_run_tells_bodies_rate_and_axis(runs: Path) -> None:
    run = RunFolder(runs / "fall")
    assert run.up == "z"
    assert run.frame_rate == 24.0
    assert run.frames_planned == 6
    assert [body.name for body in run.bodies] == ["heap-of-sand", "sheet", "block", "top"]
    assert [body.is_rigid for body in run.bodies] == [False, False, False, True]
    assert list(run.frames("particles")) == [1, 2, 3, 4, 5, 6]
    assert run.frames("particles")[1].suffix == ".npz"
    assert list(run.frames("mesh")) == []


@pytest.mark.parametrize("inside", ["", "run.json", "scene.toml", "particles", "particles/particles.0001.vtp"])
def test_a_run_is_found_from_anything_in_it(runs: Path, inside: str) -> None:
    assert find_run(runs / "fall" / inside) == runs / "fall"


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"program": "another"}')
    with pytest.raises(Problem, match="belongs to no Pliant run"):
        find_run(tmp_path)
    with pytest.raises(Problem, match="There is no"):
        find_run(tmp_path / "a" / "b" / "c" / "d")
    with pytest.raises(Problem, match="not the folder of a Pliant run"):
        RunFolder(tmp_path)


@pytest.mark.parametrize("file", ["run.json", "scene.toml"])
@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe\x00", b"[]"])
def test_damaged_descriptions_are_refused(fall: Path, file: str, content: bytes) -> None:
    (fall / file).write_bytes(content)
    with pytest.raises(Problem, match=r"damaged|not the folder|misses|missing"):
        RunFolder(fall)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("frame_rate = 24.0", "frame_rate = 0.0"),
        ("frame_rate = 24.0", "frame_rate = []"),
        ("[[body]]", "[[bodies]]\n[body]"),
        ("gloss = ", "gloss = 'a' #"),
    ],
)
def test_values_that_no_scene_has_are_refused(fall: Path, right: str, wrong: str) -> None:
    text = (fall / "scene.toml").read_text()
    assert right in text
    (fall / "scene.toml").write_text(text.replace(right, wrong, 1))
    with pytest.raises(Problem, match="scene.toml is damaged"):
        RunFolder(fall)


ADDED = """
[[addition]]
first_frame = 3
first_id = 100000
particles = 1
bodies = ["late"]
materials = []

[[body]]
name = "late"
method = "rigid"
color = "#112233"
"""


def test_bodies_that_were_added_come_after_those_of_the_scene(fall: Path) -> None:
    (fall / "additions.toml").write_text(ADDED)
    run = RunFolder(fall)
    assert [body.name for body in run.bodies] == ["heap-of-sand", "sheet", "block", "top", "late"]
    late = run.bodies[-1]
    assert (late.is_rigid, late.color, late.first_frame, run.bodies[0].first_frame) == (True, "#112233", 3, 1)
    assert run.frames_of_shapes == [1, 3]
    assert len(run.scene["body"]) == 5


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[[addition",
        ADDED.replace("bodies", "bodys"),
        ADDED.replace("first_frame = 3", 'first_frame = "x"'),
        ADDED.replace('name = "late"', 'name = "other"'),
        ADDED.replace("[[body]]", "[body]"),
        ADDED.replace('bodies = ["late"]', "bodies = 3"),
    ],
)
def test_a_damaged_list_of_additions_is_refused(fall: Path, content: str) -> None:
    (fall / "additions.toml").write_text(content)
    with pytest.raises(Problem, match="additions.toml is damaged"):
        RunFolder(fall)


def test_a_run_without_a_scene_is_refused(fall: Path) -> None:
    (fall / "scene.toml").unlink()
    with pytest.raises(Problem, match=r"scene.toml is missing"):
        RunFolder(fall)


def test_the_frame_before_a_gap_is_held(fall: Path) -> None:
    for path in (fall / "particles").glob("particles.000[34].*"):
        path.unlink()
    run = RunFolder(fall)
    assert [run.held("particles", number) for number in (-3, 1, 2, 3, 4, 5, 6, 99)] == [1, 1, 2, 2, 2, 5, 6, 6]


def test_frames_that_are_written_later_are_seen(fall: Path) -> None:
    hidden = fall / "particles.0006.npz"
    (fall / "particles/particles.0006.npz").rename(hidden)
    for suffix in ("vtp", "ply"):
        (fall / f"particles/particles.0006.{suffix}").unlink()
    run = RunFolder(fall)
    assert max(run.frames("particles")) == 5
    hidden.rename(fall / "particles/particles.0006.npz")
    assert max(run.frames("particles")) == 6


def test_few_frames_stay_in_memory(runs: Path) -> None:
    run = RunFolder(runs / "fall")
    first = run.read("particles", 1)
    assert run.read("particles", 1) is first
    for number in range(1, 7):
        run.read("particles", number)
        run.read("surface", number)
    assert len(run._kept) <= 6
    assert run.read("particles", 1) is not first


def test_a_folder_without_frames_says_so(fall: Path) -> None:
    for path in (fall / "particles").iterdir():
        path.unlink()
    run = RunFolder(fall)
    with pytest.raises(Problem, match="no frames of particles in a format that is read"):
        run.held("particles", 1)

"""A simulation in the background: progress, cancel, continue, and the run in the scene."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def heap(blender: Any, tmp_path: Path) -> Any:
    """A saved file with a heap of sand and a timeline of five seconds."""
    blender.ops.wm.save_as_mainfile(filepath=str(tmp_path / "film.blend"))
    scene = blender.context.scene
    scene.frame_start, scene.frame_end = 1, 121
    scene.pliant.threads = 1
    blender.ops.mesh.primitive_cube_add(size=0.2, location=(0, 0, 1))
    heap = blender.context.active_object
    heap.name = "Heap"
    heap.pliant.role = "BODY"
    heap.pliant.spacing = 0.02
    return heap


def watch(until: Any = lambda task: False) -> None:
    """Does what Blender's timer does, until the job ends or something has happened."""
    from pliant_blender.interface import background

    for _ in range(2400):
        if background.tick() is None or until(background.current()):
            return
        time.sleep(0.05)
    raise AssertionError("it took too long")


def running() -> Any:
    from pliant_blender.interface import background

    return background.current()


def test_a_run_is_shown_cancelled_and_continued(blender: Any, heap: Any, tmp_path: Path) -> None:
    from pliant_blender.interface import background

    scene = blender.context.scene
    assert not blender.ops.pliant.cancel.poll()
    assert blender.ops.pliant.simulate() == {"FINISHED"}
    assert not blender.ops.pliant.simulate.poll()
    watch(until=lambda task: task.job.progress.frame >= 2)
    assert 0.0 < running().job.progress.share < 1.0
    # It is in the scene while it goes on.
    root = next(thing for thing in blender.data.objects if thing.pliant_run.folder)
    assert heap.hide_render and not root.children[0].hide_render
    assert blender.ops.pliant.cancel() == {"FINISHED"}
    watch()
    assert "cancelled" in background.message()
    reached = len(list((tmp_path / "pliant/run/particles").glob("*.npz")))
    assert 2 <= reached < 121
    # The same folder, with a shorter duration: it goes on to its end.
    scene.frame_set(2)
    particles = root.children[0]
    before = particles.data.vertices[0].co.z
    scene.frame_set(reached)
    assert particles.data.vertices[0].co.z < before
    assert blender.ops.pliant.resume() == {"FINISHED"}
    watch(until=lambda task: task.job.progress.frame >= reached + 2)
    assert running().job.progress.frame >= reached + 2
    blender.ops.pliant.cancel()
    watch()
    assert len([thing for thing in blender.data.objects if thing.pliant_run.folder]) == 1
    assert root.pliant_run.folder == "//pliant/run"


def test_surfaces_are_made_when_the_run_has_ended(blender: Any, heap: Any, tmp_path: Path) -> None:
    from pliant_blender.interface import background

    scene = blender.context.scene
    scene.frame_end = 4
    scene.pliant.surfaces = True
    blender.ops.pliant.simulate()
    watch()
    assert background.message() == "Making surfaces: done"
    parts = {thing.pliant_part.series: thing for thing in blender.data.objects if thing.pliant_part.series}
    assert parts["particles"].hide_render and not parts["mesh"].hide_render
    heights = []
    for frame in (1, 4):
        scene.frame_set(frame)
        mesh = parts["mesh"].data
        assert len(mesh.polygons) > 1000
        heights.append(sum(vertex.co.z for vertex in mesh.vertices) / len(mesh.vertices))
    assert heights[1] < heights[0] - 0.05


def test_rigid_bodies_have_their_shapes(blender: Any, heap: Any) -> None:
    heap.pliant.preset = "rigid"
    scene = blender.context.scene
    scene.frame_end = 4
    blender.ops.pliant.simulate()
    watch()
    (stone,) = [thing for thing in blender.data.objects if thing.pliant_part.series == "rigid"]
    assert len(stone.data.polygons) == 12
    scene.frame_set(4)
    assert stone.location.z < 0.99


def test_a_wrong_scene_is_not_started(blender: Any, heap: Any) -> None:
    from pliant_blender.interface import background

    heap.pliant.preset = "dry-sandd"
    with pytest.raises(RuntimeError, match="dry-sand"):
        blender.ops.pliant.simulate()
    assert background.current() is None
    assert "dry-sand" in background.message()


def test_there_is_nothing_to_continue(blender: Any, heap: Any) -> None:
    with pytest.raises(RuntimeError, match="no run to go on with"):
        blender.ops.pliant.resume()


def test_a_missing_program_is_told_where_to_be_put(
    blender: Any, heap: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RuntimeError, match="Preferences"):
        blender.ops.pliant.simulate()

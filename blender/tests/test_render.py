"""Cycles renders of an animation what it renders of each frame alone, and blurs what moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray


@pytest.fixture
def scene(blender: Any, runs: Path) -> Any:
    """The run `fall` from the side, in few small pixels."""
    blender.ops.import_scene.pliant_run(filepath=str(runs / "fall"))
    scene = blender.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = 4
    scene.cycles.use_denoising = False
    scene.render.resolution_x, scene.render.resolution_y = 96, 60
    for data, place, turn in (
        (blender.data.cameras.new("camera"), (0.4, -3.2, 0.9), (np.pi / 2, 0, 0)),
        (blender.data.lights.new("sun", "SUN"), (0, 0, 3), (0.6, 0.3, 0.2)),
    ):
        thing = blender.data.objects.new(data.name, data)
        thing.location, thing.rotation_euler = place, turn
        scene.collection.objects.link(thing)
    scene.camera = blender.data.objects["camera"]
    return scene


def pixels(bpy: Any, path: Path) -> NDArray[np.float32]:
    image = bpy.data.images.load(str(path))
    return np.array(image.pixels[:], dtype=np.float32)


def still(bpy: Any, scene: Any, frame: int, path: Path) -> NDArray[np.float32]:
    scene.frame_set(frame)
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    return pixels(bpy, path)


@pytest.mark.parametrize("blurred", [False, True])
def test_an_animation_has_the_pictures_of_its_frames(blender: Any, scene: Any, tmp_path: Path, blurred: bool) -> None:
    scene.render.use_motion_blur = blurred
    scene.frame_start, scene.frame_end, scene.frame_step = 2, 5, 3
    scene.frame_set(1)
    scene.render.filepath = str(tmp_path / "film_")
    blender.ops.render.render(animation=True)
    pictures = [pixels(blender, tmp_path / f"film_000{frame}.png") for frame in (2, 5)]
    for frame, picture in zip((2, 5), pictures, strict=True):
        assert np.array_equal(picture, still(blender, scene, frame, tmp_path / f"still-{frame}.png"))
    assert np.abs(pictures[0] - pictures[1]).max() > 0.1


def test_motion_blur_follows_the_velocities_of_points(blender: Any, scene: Any, tmp_path: Path) -> None:
    for thing in blender.data.objects:
        if thing.pliant_part.series and thing.pliant_part.name != "heap-of-sand":
            thing.hide_render = True
    scene.render.film_transparent = True
    sharp = still(blender, scene, 5, tmp_path / "sharp.png")[3::4]
    scene.render.use_motion_blur = True
    scene.render.motion_blur_shutter = 4.0
    blurred = still(blender, scene, 5, tmp_path / "blurred.png")[3::4]
    # Half a metre a second and more, for a sixth of a second, is wider than the heap.
    assert (blurred > 0.0).sum() > 1.5 * (sharp > 0.0).sum()

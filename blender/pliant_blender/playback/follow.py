"""Shows of each run the frame that the timeline is at. Files are read when they are needed and not before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy
import numpy as np
from bpy.app.handlers import persistent

from ..problem import Problem
from ..recording.frame import Frame
from ..recording.interpolation import frame_at, frame_number
from ..recording.motion import pose_at
from ..recording.run_folder import RunFolder
from .color import from_hexadecimal
from .geometry import fill

#: Runs that were opened, by their folders.
_opened: dict[Path, RunFolder] = {}

#: Series of parts that are filled with the points of files.
_OF_POINTS = {"particles", "surface", "mesh"}


def register() -> None:
    """From now on runs follow the timeline."""
    bpy.app.handlers.frame_change_pre.append(_frame_changes)
    bpy.app.handlers.load_post.append(_file_opened)


def unregister() -> None:
    """They stay as they are."""
    bpy.app.handlers.load_post.remove(_file_opened)
    bpy.app.handlers.frame_change_pre.remove(_frame_changes)
    _opened.clear()


def open_run(root: bpy.types.Object, anew: bool = False) -> RunFolder:
    """The run that an object stands for.

    Raises:
        Problem: It is no run, or damaged.
    """
    path = Path(bpy.path.abspath(root.pliant_run.folder))
    if anew or path not in _opened:
        _opened[path] = RunFolder(path)
    return _opened[path]


def roots_of(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """The objects that stand for runs."""
    return [thing for thing in scene.objects if thing.pliant_run.folder]


def parts_of(root: bpy.types.Object) -> list[bpy.types.Object]:
    """The objects that show the parts of a run."""
    return [thing for thing in root.children if thing.pliant_part.series]


def show_all(scene: bpy.types.Scene) -> None:
    """Brings all runs of a scene to the frame of its timeline. What cannot be shown stays as it was, and says why."""
    for root in roots_of(scene):
        message = ""
        try:
            _show(root, scene)
        except Problem as problem:
            message = str(problem)
        if root.pliant_run.message != message:
            root.pliant_run.message = message
            if message:
                print(f"Pliant: {root.name}: {message}")


@contextmanager
def paused() -> Iterator[None]:
    """Runs stay as they are while the timeline is moved for another reason than to be looked at."""
    bpy.app.handlers.frame_change_pre.remove(_frame_changes)
    try:
        yield
    finally:
        bpy.app.handlers.frame_change_pre.append(_frame_changes)


@persistent
def _frame_changes(scene: bpy.types.Scene, *_: object) -> None:
    show_all(scene)


@persistent
def _file_opened(*_: object) -> None:
    _opened.clear()
    for scene in bpy.data.scenes:
        show_all(scene)


def _show(root: bpy.types.Object, scene: bpy.types.Scene) -> None:
    run = open_run(root)
    state = root.pliant_run
    rate = scene.render.fps / scene.render.fps_base
    number = frame_number(scene.frame_float, state.start, rate, run.frame_rate, state.speed)
    shown: dict[str, Frame] = {}
    problems: dict[str, Problem] = {}
    for part in parts_of(root):
        series = part.pliant_part.series
        if part.hide_viewport and part.hide_render:
            continue
        if series == "collider":
            _place_collider(part, run, number)
            continue
        files = series if series in _OF_POINTS else "particles"
        try:
            if files not in shown and files not in problems:
                shown[files] = frame_at(run, files, number)
        except Problem as problem:
            # Surfaces may be damaged where particles are not.
            problems[files] = problem
        if files in shown:
            _show_part(part, shown[files], run, state)
    if problems:
        raise next(iter(problems.values()))


def _show_part(part: bpy.types.Object, frame: Frame, run: RunFolder, state: bpy.types.PropertyGroup) -> None:
    name = part.pliant_part.name
    frame = frame.of_body(name)
    if part.pliant_part.series == "rigid":
        _place_rigid(part, frame)
    elif part.mode != "EDIT":
        color = next((body.color for body in run.bodies if body.name == name), "#c0c0c0")
        wanted = [quantity.strip() for quantity in state.quantities.split(",") if quantity.strip()]
        fill(part.data, frame, wanted, from_hexadecimal(color), state.speed)


def _place_rigid(part: bpy.types.Object, frame: Frame) -> None:
    """A rigid body is one particle, at its centre of mass, with a rotation; it has no size while it is not there."""
    if len(frame.position) == 0:
        part.scale = (0.0, 0.0, 0.0)
        return
    if not any(part.scale):
        part.scale = (1.0, 1.0, 1.0)
    part.location = frame.position[0]
    part.rotation_mode = "QUATERNION"
    if "rotation_w" in frame.columns:
        part.rotation_quaternion = [frame.columns[f"rotation_{axis}"][0] for axis in "wxyz"]


def _place_collider(part: bpy.types.Object, run: RunFolder, number: float) -> None:
    table = next((item for item in run.scene.get("collider", []) if item.get("name") == part.pliant_part.name), None)
    if table is None:
        return
    time = float(np.clip((number - 1.0) / run.frame_rate, 0.0, run.duration))
    part.rotation_mode = "QUATERNION"
    part.location, part.rotation_quaternion = pose_at(table, time)

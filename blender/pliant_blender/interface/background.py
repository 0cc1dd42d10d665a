"""The one job that goes on in the background, watched by a timer of Blender."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import bpy

from ..command.job import Job
from ..command.program import shapes_of
from ..marking.properties import RIGID
from ..playback import objects
from ..preferences import program
from ..problem import Problem
from ..recording.shapes import Shape

_INTERVAL = 0.25


@dataclass
class Task:
    """A job, and what is to be done with what it writes."""

    job: Job
    what: str
    """Shown while it goes on."""
    run: Path
    """The folder that it writes into."""
    scene: str
    """Name of the scene that the run is shown in."""
    blend: str
    """The .blend file that it was started from; in another one nothing is shown."""
    surfaces: bool
    """Whether surfaces are made afterwards."""
    shown: int = -1
    """Files of frames that were there when the run was last shown."""


@dataclass
class _State:
    task: Task | None = None
    message: str = ""


_state = _State()


def current() -> Task | None:
    """The job that goes on, if any."""
    return _state.task


def message() -> str:
    """How the last one ended."""
    return _state.message


def say(text: str) -> None:
    """Shows a message in the panel."""
    _state.message = text


def start_run(scene: bpy.types.Scene, arguments: list[str], run: Path, log: Path) -> None:
    """Starts `pliant run`.

    Raises:
        Problem: Another job goes on, or the program is missing.
    """
    command = ["run", *arguments, "--out", str(run), "--verbose", "--no-preview"]
    if scene.pliant.threads:
        command += ["--threads", str(scene.pliant.threads)]
    _start(scene, "Simulating", command, run, log, scene.pliant.surfaces)


def start_surfaces(scene: bpy.types.Scene, run: Path, log: Path) -> None:
    """Starts `pliant mesh`; raises as `start_run` does."""
    _start(scene, "Making surfaces", ["mesh", str(run), "--to", "npz"], run, log, False)


def tick() -> float | None:
    """Looks after the job; returns the seconds until the next look, or None if there is nothing to look after."""
    task = _state.task
    if task is None:
        return None
    goes_on = task.job.poll()
    if task.what == "Simulating" or not goes_on:
        _show(task)
    if not goes_on:
        _end(task)
    _redraw()
    return None if _state.task is None else _INTERVAL


def _start(scene: bpy.types.Scene, what: str, arguments: list[str], run: Path, log: Path, surfaces: bool) -> None:
    if _state.task is not None:
        raise Problem("A run goes on already: wait for it, or cancel it")
    job = Job(program(), arguments, log)
    _state.task = Task(job, what, run, scene.name, bpy.data.filepath, surfaces)
    _state.message = ""
    if not bpy.app.timers.is_registered(tick):
        bpy.app.timers.register(tick, first_interval=_INTERVAL, persistent=True)


def _end(task: Task) -> None:
    _state.task = None
    try:
        outcome = task.job.outcome()
        if outcome is not None:
            _state.message = f"{task.what} was cancelled after frame {task.job.progress.frame}; it can be continued"
            return
        _state.message = f"{task.what}: done"
        scene = bpy.data.scenes.get(task.scene)
        if task.surfaces and scene is not None and task.blend == bpy.data.filepath:
            start_surfaces(scene, task.run, task.job.log)
    except Problem as problem:
        _state.message = str(problem)


def _show(task: Task) -> None:
    """Shows the frames that are there, if there are others than before."""
    scene = bpy.data.scenes.get(task.scene)
    if scene is None or task.blend != bpy.data.filepath or not (task.run / "scene.toml").exists():
        return
    count = sum(len(list((task.run / series).glob("*.npz"))) for series in ("particles", "surface", "mesh"))
    if count == 0 or count == task.shown:
        return
    try:
        if objects.find_root(scene, task.run) is None:
            _draw_as_wires(scene)
        objects.import_run(scene, task.run, _shapes(scene, task), colliders=False)
        task.shown = count
    except Problem as problem:
        _state.message = str(problem)


def _draw_as_wires(scene: bpy.types.Scene) -> None:
    """Marked objects are where the run begins: from now on it is seen in their place."""
    for thing in scene.objects:
        if thing.pliant.role in {"BODY", "EMITTER", "PIN"}:
            thing.display_type = "WIRE"
            thing.hide_render = True


def _shapes(scene: bpy.types.Scene, task: Task) -> Mapping[str, Shape]:
    """Shapes of rigid bodies, which are needed when they are shown for the first time."""
    is_new = objects.find_root(scene, task.run) is None
    has_rigid = any(thing.pliant.role == "BODY" and thing.pliant.preset == RIGID for thing in scene.objects)
    return shapes_of(program(), task.run) if is_new and has_rigid else {}


def _redraw() -> None:
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()

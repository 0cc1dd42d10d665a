"""Write the scene, check it, run it, cancel and continue; refresh a run and make its surfaces."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy

from ..command.program import check_scene, shapes_of
from ..marking.collect import collect
from ..playback import follow, objects
from ..preferences import program
from ..problem import Problem
from ..writing.scene_file import write_scene
from . import background


def folder_of(scene: bpy.types.Scene) -> Path:
    """Where a scene is written.

    Raises:
        Problem: The folder is relative to a .blend file that was not saved yet.
    """
    folder = scene.pliant.folder
    if folder.startswith("//") and not bpy.data.filepath:
        raise Problem("Save the .blend file first: the scene is written beside it")
    return Path(bpy.path.abspath(folder))


def selected_run(context: bpy.types.Context) -> Any:
    """The object of the run that the active object is or belongs to, or None."""
    thing = context.active_object
    while thing is not None and not thing.pliant_run.folder:
        thing = thing.parent
    return thing


class _Operator(bpy.types.Operator):
    """What is common to all: a problem is shown in the status bar and in the panel."""

    bl_options = {"REGISTER"}

    def attempt(self, action: Callable[[], None]) -> set[str]:
        """Does it, and says why if it cannot be done."""
        try:
            action()
        except Problem as problem:
            background.say(str(problem))
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        return {"FINISHED"}


class WriteScene(_Operator):
    """Write the marked objects as a scene file with its meshes"""

    bl_idname = "pliant.write_scene"
    bl_label = "Write scene"

    def execute(self, context: bpy.types.Context) -> set[str]:
        def write() -> None:
            path = write_scene(folder_of(context.scene), collect(context))
            background.say(f"Written: {path}")

        return self.attempt(write)


class CheckScene(_Operator):
    """Write the scene, let pliant validate it and estimate what running it takes"""

    bl_idname = "pliant.check"
    bl_label = "Check"

    def execute(self, context: bpy.types.Context) -> set[str]:
        def check() -> None:
            path = write_scene(folder_of(context.scene), collect(context))
            background.say(check_scene(program(), path))

        return self.attempt(check)


class Simulate(_Operator):
    """Write the scene and run it in the background. An earlier run in the folder is replaced"""

    bl_idname = "pliant.simulate"
    bl_label = "Simulate"

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        return background.current() is None

    def execute(self, context: bpy.types.Context) -> set[str]:
        def simulate() -> None:
            folder = folder_of(context.scene)
            path = write_scene(folder, collect(context))
            check_scene(program(), path)
            background.start_run(context.scene, [str(path)], folder / "run", folder / "run.log")

        return self.attempt(simulate)


class Continue(_Operator):
    """Go on with a run that was cancelled, from its newest checkpoint, to the bits of one that was not"""

    bl_idname = "pliant.resume"
    bl_label = "Continue"

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        return background.current() is None

    def execute(self, context: bpy.types.Context) -> set[str]:
        def resume() -> None:
            folder = folder_of(context.scene)
            scene = folder / "run" / "scene.toml"
            if not scene.exists():
                raise Problem(f"There is no run to go on with in {folder}: simulate first")
            background.start_run(context.scene, [str(scene), "--resume"], folder / "run", folder / "run.log")

        return self.attempt(resume)


class Cancel(_Operator):
    """End the run after the frame that it is at; pressed again, at once"""

    bl_idname = "pliant.cancel"
    bl_label = "Cancel"

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        return background.current() is not None

    def execute(self, _context: bpy.types.Context) -> set[str]:
        task = background.current()
        if task is not None:
            task.job.cancel()
        return {"FINISHED"}


class Refresh(_Operator):
    """Read the run again: frames and surfaces that are new"""

    bl_idname = "pliant.refresh"
    bl_label = "Refresh"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return selected_run(context) is not None

    def execute(self, context: bpy.types.Context) -> set[str]:
        root = selected_run(context)
        return self.attempt(lambda: _refresh(context.scene, root))


class MakeSurfaces(_Operator):
    """Make surfaces of the water, sand, snow and goo of the run, in the background"""

    bl_idname = "pliant.surfaces"
    bl_label = "Make surfaces"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return selected_run(context) is not None and background.current() is None

    def execute(self, context: bpy.types.Context) -> set[str]:
        run = Path(bpy.path.abspath(selected_run(context).pliant_run.folder))
        log = Path(bpy.app.tempdir) / "pliant-mesh.log"
        return self.attempt(lambda: background.start_surfaces(context.scene, run, log))


def _refresh(scene: bpy.types.Scene, root: bpy.types.Object) -> None:
    run = follow.open_run(root, anew=True)
    there = {part.pliant_part.name for part in follow.parts_of(root) if part.pliant_part.series == "rigid"}
    are_all_there = all(body.name in there for body in run.bodies if body.is_rigid)
    shapes = {} if are_all_there else shapes_of(program(), run.path, run.frames_of_shapes)
    objects.import_run(scene, run.path, shapes, colliders=False)


CLASSES = (WriteScene, CheckScene, Simulate, Continue, Cancel, Refresh, MakeSurfaces)

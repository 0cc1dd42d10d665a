"""File > Import > Pliant run."""

from collections.abc import Mapping
from pathlib import Path

import bpy
from bpy_extras.io_utils import ImportHelper

from ..command.program import shapes_of
from ..playback import follow, objects
from ..preferences import program
from ..problem import Problem
from ..recording.run_folder import RunFolder, find_run
from ..recording.shapes import Shape


class ImportRun(bpy.types.Operator, ImportHelper):
    """Show a run of Pliant, which follows the timeline"""

    bl_idname = "import_scene.pliant_run"
    bl_label = "Import Pliant run"
    bl_options = {"REGISTER", "UNDO"}

    filename_ext = ".json"
    filter_glob: bpy.props.StringProperty(default="run.json;scene.toml", options={"HIDDEN"})
    start: bpy.props.IntProperty(
        name="Start", description="Frame of the timeline that shows the initial state", default=1
    )
    set_timeline: bpy.props.BoolProperty(
        name="Set the timeline", description="Give the scene the frame rate and the length of the run", default=True
    )
    colliders: bpy.props.BoolProperty(
        name="Colliders", description="Show colliders too, which needs the program pliant", default=True
    )
    quantities: bpy.props.StringProperty(
        name="Quantities", description="Further attributes of the points: density, stress_von_mises, fragment"
    )

    def execute(self, context: bpy.types.Context) -> set[str]:
        try:
            path = find_run(Path(bpy.path.abspath(self.filepath)))
            run = RunFolder(path)
            shapes, hint = _shapes(run, self.colliders)
            root = objects.import_run(context.scene, path, shapes, self.colliders)
        except Problem as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        root.pliant_run.start = self.start
        root.pliant_run.quantities = self.quantities
        if self.set_timeline:
            objects.follow_timeline(context.scene, run, self.start)
        follow.show_all(context.scene)
        if hint:
            self.report({"WARNING"}, hint)
        return {"FINISHED"}


def _shapes(run: RunFolder, colliders: bool) -> tuple[Mapping[str, Shape], str]:
    """Shapes of rigid bodies and colliders where any are wanted, and what is to be said if there are none."""
    wanted = any(body.is_rigid for body in run.bodies) or (colliders and run.scene.get("collider"))
    if not wanted:
        return {}, ""
    try:
        return shapes_of(program(), run.path, run.frames_of_shapes), ""
    except Problem as problem:
        return {}, f"Rigid bodies and colliders are shown without their shapes: {problem}"


class RunFileHandler(bpy.types.FileHandler):
    """A run.json that is dropped into the 3D view."""

    bl_idname = "IMPORT_FH_pliant_run"
    bl_label = "Pliant run"
    bl_import_operator = "import_scene.pliant_run"
    bl_file_extensions = ".json"

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        return context.area is not None and context.area.type == "VIEW_3D"


def menu_entry(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
    """The entry in File > Import."""
    menu.layout.operator(ImportRun.bl_idname, text="Pliant run (run.json)")


CLASSES = (ImportRun, RunFileHandler)

"""What a .blend file keeps of an imported run, so that it follows the timeline when it is opened again."""

import bpy

from . import follow

#: Blender 5 asks whether a path may start with //; earlier ones do not know the question.
MAY_BE_RELATIVE = {"PATH_SUPPORTS_BLEND_RELATIVE"} if bpy.app.version >= (5, 0, 0) else set()


def _changed(_state: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    follow.show_all(context.scene)


class RunState(bpy.types.PropertyGroup):
    """Of the empty object that the parts of a run hang on."""

    folder: bpy.props.StringProperty(
        name="Folder",
        description="The folder of the run; // is where the .blend file is",
        subtype="DIR_PATH",
        options={"ANIMATABLE", *MAY_BE_RELATIVE},
    )
    start: bpy.props.IntProperty(
        name="Start",
        description="Frame of the timeline that shows the initial state",
        default=1,
        update=_changed,
    )
    speed: bpy.props.FloatProperty(
        name="Speed",
        description="Simulated seconds in a second of the film: 0.5 shows the run at half its speed",
        default=1.0,
        min=0.0,
        soft_max=10.0,
        update=_changed,
    )
    quantities: bpy.props.StringProperty(
        name="Quantities",
        description="Further attributes of the points, with commas between them: density, stress_von_mises, fragment",
        update=_changed,
    )
    message: bpy.props.StringProperty(description="Why frames cannot be shown", options={"SKIP_SAVE"})


class PartState(bpy.types.PropertyGroup):
    """Of an object that shows a part of a run; its parent is the run."""

    series: bpy.props.StringProperty(description="particles, surface, mesh, rigid or collider; empty if it is no part")
    name: bpy.props.StringProperty(description="Name of the body or the collider")


CLASSES = (RunState, PartState)

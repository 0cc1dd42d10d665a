"""What Blender is told of when the extension is enabled."""

from __future__ import annotations

import bpy

from . import preferences
from .interface import import_operator, mark_panels, run_panels, simulate_operators
from .marking import properties as marks
from .playback import follow, paths
from .playback import properties as playback

#: Groups of properties come before what points to them.
_CLASSES = (
    *preferences.CLASSES,
    *marks.CLASSES,
    *playback.CLASSES,
    *import_operator.CLASSES,
    *simulate_operators.CLASSES,
    *mark_panels.CLASSES,
    *run_panels.CLASSES,
)


def register() -> None:
    """Classes, properties, handlers and the entry of the menu."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Object.pliant = bpy.props.PointerProperty(type=marks.ObjectMark)
    bpy.types.Object.pliant_run = bpy.props.PointerProperty(type=playback.RunState)
    bpy.types.Object.pliant_part = bpy.props.PointerProperty(type=playback.PartState)
    bpy.types.Scene.pliant = bpy.props.PointerProperty(type=marks.SceneMark)
    bpy.types.TOPBAR_MT_file_import.append(import_operator.menu_entry)
    follow.register()
    paths.register()


def unregister() -> None:
    """Takes all of it back."""
    paths.unregister()
    follow.unregister()
    bpy.types.TOPBAR_MT_file_import.remove(import_operator.menu_entry)
    del bpy.types.Scene.pliant
    del bpy.types.Object.pliant_part
    del bpy.types.Object.pliant_run
    del bpy.types.Object.pliant
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)

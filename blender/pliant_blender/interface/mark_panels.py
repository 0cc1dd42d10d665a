"""The panels in the sidebar that mark objects and run the simulation."""

from __future__ import annotations

import bpy

from . import background

#: Lines of a message that the panel shows; all of it is in the tooltip of errors and in the log.
_LINES = 24


class _Panel(bpy.types.Panel):
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Pliant"


class ObjectPanel(_Panel):
    """What the active object is."""

    bl_idname = "PLIANT_PT_object"
    bl_label = "Object"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.active_object is not None and not context.active_object.pliant_part.series

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        mark = context.active_object.pliant
        layout.prop(mark, "role")
        draw = {"BODY": _draw_body, "COLLIDER": _draw_collider, "EMITTER": _draw_emitter, "PIN": _draw_pin}
        if mark.role in draw:
            draw[mark.role](layout, mark)
            layout.prop(mark, "values")


def _draw_material(layout: bpy.types.UILayout, mark: bpy.types.PropertyGroup) -> None:
    layout.prop(mark, "preset")
    layout.prop(mark, "material_values")
    layout.prop(mark, "method")
    layout.prop(mark, "spacing")


def _draw_body(layout: bpy.types.UILayout, mark: bpy.types.PropertyGroup) -> None:
    _draw_material(layout, mark)
    layout.prop(mark, "velocity")
    layout.prop(mark, "carries_mesh")
    layout.prop(mark, "repair")


def _draw_collider(layout: bpy.types.UILayout, mark: bpy.types.PropertyGroup) -> None:
    layout.prop(mark, "kind")
    if mark.kind == "solid":
        layout.prop(mark, "repair")
    layout.prop(mark, "friction")


def _draw_emitter(layout: bpy.types.UILayout, mark: bpy.types.PropertyGroup) -> None:
    layout.prop(mark, "body")
    if mark.body is None:
        _draw_material(layout, mark)
    layout.prop(mark, "velocity")
    layout.prop(mark, "repair")
    layout.prop(mark, "rate")
    layout.prop(mark, "is_limited")
    if mark.is_limited:
        layout.prop(mark, "first_frame")
        layout.prop(mark, "last_frame")


def _draw_pin(layout: bpy.types.UILayout, mark: bpy.types.PropertyGroup) -> None:
    layout.prop(mark, "body")


class SimulationPanel(_Panel):
    """Write, check, run."""

    bl_idname = "PLIANT_PT_simulation"
    bl_label = "Simulation"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        settings = context.scene.pliant
        layout.prop(settings, "folder")
        row = layout.row()
        row.prop(settings, "threads")
        row.prop(settings, "surfaces")
        row = layout.row()
        row.operator("pliant.write_scene")
        row.operator("pliant.check")
        task = background.current()
        if task is None:
            row = layout.row()
            row.operator("pliant.simulate")
            row.operator("pliant.resume")
        else:
            progress = task.job.progress
            text = f"{task.what}: frame {progress.frame} of {progress.frames}" if progress.frames else task.what
            text += f", {progress.time_left} left" if progress.time_left else ""
            layout.progress(factor=progress.share, text=text)
            layout.operator("pliant.cancel", text="Stop at once" if task.job.is_cancelled else "Cancel")
        column = layout.column(align=True)
        for line in background.message().splitlines()[:_LINES]:
            column.label(text=line)


CLASSES = (ObjectPanel, SimulationPanel)

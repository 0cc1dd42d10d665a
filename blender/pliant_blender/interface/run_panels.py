"""The panel of an imported run."""

from __future__ import annotations

import bpy

from .simulate_operators import selected_run


class RunPanel(bpy.types.Panel):
    """How the run that is selected is shown."""

    bl_idname = "PLIANT_PT_run"
    bl_label = "Run"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Pliant"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return selected_run(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        state = selected_run(context).pliant_run
        for name in ("folder", "start", "speed", "quantities"):
            layout.prop(state, name)
        row = layout.row()
        row.operator("pliant.refresh")
        row.operator("pliant.surfaces")
        if state.message:
            layout.label(text=state.message, icon="ERROR")


CLASSES = (RunPanel,)

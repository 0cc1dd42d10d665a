"""Where the program is, as the user says it in the preferences."""

from pathlib import Path

import bpy

from .command.program import find_program


class PliantPreferences(bpy.types.AddonPreferences):
    """The page of the extension in the preferences."""

    bl_idname = __package__

    program: bpy.props.StringProperty(
        name="Program",
        description="Path of the program pliant. If empty, it is looked for where programs are (PATH)",
        subtype="FILE_PATH",
    )

    def draw(self, _context: bpy.types.Context) -> None:
        self.layout.prop(self, "program")


def program() -> Path:
    """The program pliant.

    Raises:
        Problem: It is not there.
    """
    entry = bpy.context.preferences.addons.get(__package__)
    preferred = entry.preferences.program if entry and entry.preferences else ""
    return find_program(bpy.path.abspath(preferred) if preferred else "")


CLASSES = (PliantPreferences,)

"""Materials that look as the scene says: colour, gloss and opacity of each body."""

from __future__ import annotations

import bpy

from ..recording.run_folder import Body
from ..writing.marks import plain_name
from .color import from_hexadecimal

#: Index of refraction of water at 20 degrees Celsius, for bodies that let light through.
_REFRACTION_OF_WATER = 1.333


def material_of(body: Body) -> bpy.types.Material:
    """The material of the object that was marked as this body, or else a new one."""
    for marked in bpy.data.objects:
        is_body = marked.pliant.role in {"BODY", "EMITTER"} and plain_name(marked.name) == body.name
        if is_body and marked.active_material:
            return marked.active_material
    return new_material(body.name, body.color, body.gloss, body.opacity)


def new_material(name: str, color: str, gloss: float, opacity: float) -> bpy.types.Material:
    """A material of one colour."""
    material = bpy.data.materials.new(name)
    if not material.node_tree:
        material.use_nodes = True
    shown = from_hexadecimal(color)
    material.diffuse_color = (*shown[:3], 0.3 + 0.7 * opacity)
    material.roughness = 1.0 - 0.9 * gloss
    shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = shown
    shader.inputs["Roughness"].default_value = material.roughness
    if opacity < 1.0:
        shader.inputs["Transmission Weight"].default_value = 1.0 - opacity
        shader.inputs["IOR"].default_value = _REFRACTION_OF_WATER
    return material

"""Materials that look as the scene says: colour, gloss and opacity of each body."""

from __future__ import annotations

import bpy

from ..recording.run_folder import Body
from ..writing.marks import plain_name
from .color import from_hexadecimal

#: Index of refraction of water at 20 degrees Celsius, for bodies that let light through.
_REFRACTION_OF_WATER = 1.333


def material_of(body: Body, is_surface: bool) -> bpy.types.Material:
    """The material of the object that was marked as this body, or else a new one; points are opaque."""
    for marked in bpy.data.objects:
        is_body = marked.pliant.role in {"BODY", "EMITTER"} and plain_name(marked.name) == body.name
        if is_body and marked.active_material:
            return marked.active_material
    material = _new_material(body.name, body.color, body.gloss)
    if is_surface and body.opacity < 1.0:
        shader = _shader(material)
        shader.inputs["Transmission Weight"].default_value = 1.0 - body.opacity
        shader.inputs["IOR"].default_value = _REFRACTION_OF_WATER
    return material


def material_of_collider(name: str, color: str, opacity: float, gloss: float) -> bpy.types.Material:
    """A material that shows what is behind it without bending light."""
    material = _new_material(name, color, gloss)
    material.diffuse_color[3] = opacity
    _shader(material).inputs["Alpha"].default_value = opacity
    return material


def _new_material(name: str, color: str, gloss: float) -> bpy.types.Material:
    material = bpy.data.materials.new(name)
    if not material.node_tree:
        material.use_nodes = True
    shown = from_hexadecimal(color)
    material.diffuse_color = shown
    material.roughness = 1.0 - 0.9 * gloss
    shader = _shader(material)
    shader.inputs["Base Color"].default_value = shown
    shader.inputs["Roughness"].default_value = material.roughness
    return material


def _shader(material: bpy.types.Material) -> bpy.types.Node:
    return next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")

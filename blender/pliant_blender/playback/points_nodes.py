"""Geometry nodes that show the vertices of a mesh as a point cloud.

A mesh is filled and not a point cloud, because Python cannot change the number of points of one in Blender 4.2 to 5.0.
"""

from __future__ import annotations

import bpy


def show_as_points(thing: bpy.types.Object, material: bpy.types.Material) -> None:
    """Gives an object the modifier.

    Each material has nodes of its own: how the inputs of a modifier are set differs between versions of Blender.
    """
    name = f"Points of {material.name}"
    modifier = thing.modifiers.new(name, "NODES")
    modifier.node_group = bpy.data.node_groups.get(name) or _new_group(name, material)


def _new_group(name: str, material: bpy.types.Material) -> bpy.types.NodeTree:
    group = bpy.data.node_groups.new(name, "GeometryNodeTree")
    group.is_modifier = True
    group.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    group.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    names = ("NodeGroupInput", "GeometryNodeMeshToPoints", "GeometryNodeSetMaterial", "NodeGroupOutput")
    source, points, painted, result = (group.nodes.new(kind) for kind in names)
    for place, node in enumerate((source, points, painted, result)):
        node.location = (200.0 * place, 0.0)
    radius = group.nodes.new("GeometryNodeInputNamedAttribute")
    radius.data_type = "FLOAT"
    radius.inputs["Name"].default_value = "radius"
    radius.location = (0.0, -150.0)
    painted.inputs["Material"].default_value = material
    group.links.new(source.outputs["Geometry"], points.inputs["Mesh"])
    group.links.new(radius.outputs["Attribute"], points.inputs["Radius"])
    group.links.new(points.outputs["Points"], painted.inputs["Geometry"])
    group.links.new(painted.outputs["Geometry"], result.inputs["Geometry"])
    return group

"""Geometry nodes that show the vertices of a mesh as a point cloud.

A mesh is filled and not a point cloud, because Python cannot change the number of points of one in Blender 4.2 to 5.0.
"""

from __future__ import annotations

import bpy

_NAME = "Pliant points"


def show_as_points(thing: bpy.types.Object, material: bpy.types.Material) -> None:
    """Gives an object the modifier."""
    group = bpy.data.node_groups.get(_NAME) or _new_group()
    modifier = thing.modifiers.new(_NAME, "NODES")
    modifier.node_group = group
    socket = group.interface.items_tree["Material"]
    modifier[socket.identifier] = material


def _new_group() -> bpy.types.NodeTree:
    group = bpy.data.node_groups.new(_NAME, "GeometryNodeTree")
    group.is_modifier = True
    group.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    group.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    group.interface.new_socket("Material", in_out="INPUT", socket_type="NodeSocketMaterial")
    names = ("NodeGroupInput", "GeometryNodeMeshToPoints", "GeometryNodeSetMaterial", "NodeGroupOutput")
    source, points, material, result = (group.nodes.new(name) for name in names)
    for place, node in enumerate((source, points, material, result)):
        node.location = (200.0 * place, 0.0)
    radius = group.nodes.new("GeometryNodeInputNamedAttribute")
    radius.data_type = "FLOAT"
    radius.inputs["Name"].default_value = "radius"
    radius.location = (0.0, -150.0)
    group.links.new(source.outputs["Geometry"], points.inputs["Mesh"])
    group.links.new(radius.outputs["Attribute"], points.inputs["Radius"])
    group.links.new(points.outputs["Points"], material.inputs["Geometry"])
    group.links.new(source.outputs["Material"], material.inputs["Material"])
    group.links.new(material.outputs["Geometry"], result.inputs["Geometry"])
    return group

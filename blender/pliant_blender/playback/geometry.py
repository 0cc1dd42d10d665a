"""A frame as the mesh of an object: vertices, triangles and attributes."""

from __future__ import annotations

from collections.abc import Iterable

import bpy
import numpy as np
from numpy.typing import NDArray

from ..recording.frame import Frame
from .color import linear

#: Columns that every mesh gets; others are asked for.
_USUAL = ("id", "radius")

#: Texture coordinates, as Blender calls them.
_UV = "UVMap"


def fill(
    mesh: bpy.types.Mesh, frame: Frame, quantities: Iterable[str], color: NDArray[np.float32], speed: float
) -> None:
    """Puts a frame into a mesh.

    Args:
        mesh: The mesh; it is built anew only if the number of points or the triangles have changed.
        frame: The frame.
        quantities: Names of columns that become attributes, beside those that always do.
        color: Linear colour of the body (r, g, b, a), for points that have none of their own.
        speed: Simulated seconds in a second of the film, by which velocities are multiplied: what renders motion
            blur reads them as lengths in a second of the film.
    """
    if not _has_topology(mesh, frame):
        _build(mesh, frame)
    mesh.vertices.foreach_set("co", frame.position.astype(np.float32).ravel())
    _set(mesh, "velocity", "FLOAT_VECTOR", "vector", frame.velocity * np.float32(speed))
    _set(mesh, "body", "INT", "value", frame.body.astype(np.int32))
    _set(mesh, "color", "FLOAT_COLOR", "color", _colors(frame, color))
    for name in (*_USUAL, *quantities):
        values = frame.columns.get(name)
        if values is None:
            continue
        if values.dtype.kind in "iu":
            _set(mesh, name, "INT", "value", values.astype(np.int32))
        else:
            _set(mesh, name, "FLOAT", "value", values.astype(np.float32))
    if len(frame.uv):
        layer = mesh.uv_layers.get(_UV) or mesh.uv_layers.new(name=_UV)
        layer.data.foreach_set("uv", frame.uv.ravel())
    if len(frame.inside):
        _set(mesh, "inside", "BOOLEAN", "value", frame.inside, domain="FACE")
    mesh.update()


def _has_topology(mesh: bpy.types.Mesh, frame: Frame) -> bool:
    if len(mesh.vertices) != len(frame.position) or len(mesh.loops) != frame.triangles.size:
        return False
    corners = np.empty(len(mesh.loops), dtype=np.int32)
    mesh.loops.foreach_get("vertex_index", corners)
    return np.array_equal(corners, frame.triangles.ravel())


def _build(mesh: bpy.types.Mesh, frame: Frame) -> None:
    mesh.clear_geometry()
    mesh.vertices.add(len(frame.position))
    count = len(frame.triangles)
    if count:
        mesh.loops.add(3 * count)
        mesh.loops.foreach_set("vertex_index", frame.triangles.ravel())
        mesh.polygons.add(count)
        mesh.polygons.foreach_set("loop_start", np.arange(0, 3 * count, 3, dtype=np.int32))
        mesh.update(calc_edges=True)


def _colors(frame: Frame, color: NDArray[np.float32]) -> NDArray[np.float32]:
    colors = np.tile(color, (len(frame.position), 1))
    own = [f"color_{part}" for part in "rgb"]
    if all(name in frame.columns for name in own):
        colors[:, :3] = linear(np.stack([frame.columns[name] for name in own], axis=1))
    return colors


def _set(
    mesh: bpy.types.Mesh, name: str, kind: str, field: str, values: NDArray[np.generic], domain: str = "POINT"
) -> None:
    attribute = mesh.attributes.get(name)
    if attribute is not None and (attribute.data_type != kind or attribute.domain != domain):
        mesh.attributes.remove(attribute)
        attribute = None
    if attribute is None:
        attribute = mesh.attributes.new(name, kind, domain)
    attribute.data.foreach_set(field, values.ravel())

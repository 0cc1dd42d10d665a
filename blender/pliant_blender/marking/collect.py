"""Marked objects of Blender as marks: meshes in metres, times in seconds, rotations as scene files have them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import bpy
import numpy as np
from mathutils import Euler, Matrix

from ..playback import follow
from ..playback.color import to_hexadecimal
from ..problem import Problem
from ..writing.marks import BodyMark, ColliderMark, EmitterMark, Material, PinMark, Pose, SceneMarks, Vector, plain_name
from ..writing.mesh_file import Mesh
from ..writing.toml import pairs
from .properties import RIGID

#: Kinds of objects that have a surface.
_WITH_SURFACE = {"MESH", "CURVE", "SURFACE", "FONT", "META"}

#: Poses that differ by less, in units and as parts of a rotation, are the same.
_SAME = 1e-6


def collect(context: bpy.types.Context) -> SceneMarks:
    """Everything that is marked in a scene, as it is at the first frame of the timeline.

    Raises:
        Problem: Something that is marked cannot be written.
    """
    scene = context.scene
    marked = [thing for thing in scene.objects if thing.pliant.role != "NONE"]
    if scene.frame_end <= scene.frame_start:
        raise Problem("The timeline ends before it has begun: its last frame must be after its first")
    with follow.paused(), _at_first_frame(scene):
        reader = _Reader(context)
        bodies = [reader.body(thing) for thing in marked if _has_body(thing)]
        emitters = [reader.emitter(thing) for thing in marked if thing.pliant.role == "EMITTER"]
        moving = [thing for thing in marked if thing.pliant.role in {"COLLIDER", "PIN"}]
        meshes = {thing.name: reader.own_mesh(thing) for thing in moving if not _is_plane(thing)}
        poses = reader.poses(moving)
    colliders = [
        _collider(thing, meshes.get(thing.name), poses[thing.name])
        for thing in moving
        if thing.pliant.role == "COLLIDER"
    ]
    pins = [_pin(thing, meshes[thing.name], poses[thing.name]) for thing in moving if thing.pliant.role == "PIN"]
    rate = scene.render.fps / scene.render.fps_base
    return SceneMarks(
        title=scene.name,
        duration=(scene.frame_end - scene.frame_start) / rate,
        frame_rate=rate,
        gravity=tuple(scene.gravity) if scene.use_gravity else (0.0, 0.0, 0.0),
        bodies=bodies,
        colliders=colliders,
        emitters=emitters,
        pins=pins,
    )


class _Reader:
    """Reads objects of a scene as they are evaluated, with modifiers and parents."""

    def __init__(self, context: bpy.types.Context) -> None:
        self.scene = context.scene
        self.graph = context.evaluated_depsgraph_get()
        self.unit = self.scene.unit_settings.scale_length
        self.rate = self.scene.render.fps / self.scene.render.fps_base

    def body(self, thing: bpy.types.Object) -> BodyMark:
        """A body; that of an emitter has no mesh."""
        mark = thing.pliant
        is_emitter = mark.role == "EMITTER"
        values = pairs(mark.values, f"Further values of {thing.name}") if not is_emitter else {}
        if mark.method:
            values["method"] = mark.method
        return BodyMark(
            name=plain_name(thing.name),
            material=_material(thing),
            mesh=None if is_emitter else self._mesh(thing, thing.evaluated_get(self.graph).matrix_world),
            spacing=_plain(mark.spacing * self.unit),
            velocity=(0.0, 0.0, 0.0) if is_emitter else self._velocity(mark),
            carries_mesh=mark.carries_mesh and not is_emitter,
            color=_color(thing),
            values=values,
        )

    def emitter(self, thing: bpy.types.Object) -> EmitterMark:
        """An emitter, with its own body or that which it feeds."""
        mark = thing.pliant
        if mark.body is not None and not _has_body(mark.body):
            raise Problem(f"The emitter {thing.name} feeds {mark.body.name}, which is no body")
        return EmitterMark(
            name=plain_name(thing.name),
            body=plain_name((mark.body or thing).name),
            mesh=self._mesh(thing, thing.evaluated_get(self.graph).matrix_world),
            velocity=self._velocity(mark),
            rate=_plain(mark.rate),
            start=self._time(mark.first_frame) if mark.is_limited else 0.0,
            stop=self._time(mark.last_frame) if mark.is_limited else None,
            values=pairs(mark.values, f"Further values of {thing.name}"),
        )

    def own_mesh(self, thing: bpy.types.Object) -> Mesh:
        """A mesh in the coordinates of what moves without changing its size: the object's scale is in it."""
        world = thing.evaluated_get(self.graph).matrix_world
        location, rotation, _ = world.decompose()
        return self._mesh(thing, Matrix.LocRotScale(location, rotation, None).inverted() @ world)

    def poses(self, things: Sequence[bpy.types.Object]) -> dict[str, list[Pose]]:
        """Where each object is in each frame of the timeline, or only at the start if it stays there."""
        matrices: dict[str, list[Matrix]] = {thing.name: [] for thing in things}
        frames = range(self.scene.frame_start, self.scene.frame_end + 1) if things else range(0)
        for frame in frames:
            self.scene.frame_set(frame)
            for thing in things:
                matrices[thing.name].append(thing.evaluated_get(self.graph).matrix_world.copy())
        return {name: self._poses(name, list_of) for name, list_of in matrices.items()}

    def _poses(self, name: str, matrices: Sequence[Matrix]) -> list[Pose]:
        poses: list[Pose] = []
        before: Euler | None = None
        for number, matrix in enumerate(matrices):
            location, rotation, scale = matrix.decompose()
            if (scale - matrices[0].to_scale()).length > 1e-4 * scale.length:
                raise Problem(f"{name} changes its size during the animation, which colliders and pins cannot")
            # Blender calls an order of rotations by the last one first: about its own x, then y, then z.
            euler = rotation.to_matrix().to_euler("ZYX", before) if before else rotation.to_euler("ZYX")
            before = euler
            degrees = _vector([math.degrees(angle) for angle in euler])
            poses.append(Pose(number / self.rate, _vector(location * self.unit), degrees))
        still = all(_are_close(matrix, matrices[0]) for matrix in matrices)
        return poses[:1] if still else poses

    def _mesh(self, thing: bpy.types.Object, placed: Matrix) -> Mesh:
        """The triangles of an object, as modifiers leave them."""
        if thing.type not in _WITH_SURFACE:
            raise Problem(f"{thing.name} has no surface: mark a mesh, or a curve, text or metaball that has one")
        evaluated = thing.evaluated_get(self.graph)
        mesh = evaluated.to_mesh()
        try:
            mesh.calc_loop_triangles()
            position = np.empty((len(mesh.vertices), 3), dtype=np.float32)
            mesh.vertices.foreach_get("co", position.ravel())
            triangles = np.empty((len(mesh.loop_triangles), 3), dtype=np.int32)
            mesh.loop_triangles.foreach_get("vertices", triangles.ravel())
        finally:
            evaluated.to_mesh_clear()
        if len(triangles) == 0:
            raise Problem(f"{thing.name} has no faces")
        matrix = np.array(placed, dtype=np.float64)
        moved = (position @ matrix[:3, :3].T + matrix[:3, 3]) * self.unit
        # A mirrored object would be inside out.
        return Mesh(moved, triangles[:, ::-1] if placed.is_negative else triangles)

    def _velocity(self, mark: bpy.types.PropertyGroup) -> Vector:
        return _vector([component * self.unit for component in mark.velocity])

    def _time(self, frame: int) -> float:
        return max(0.0, (frame - self.scene.frame_start) / self.rate)


@contextmanager
def _at_first_frame(scene: bpy.types.Scene) -> Iterator[None]:
    """The timeline at its start, and afterwards where it was."""
    frame, part = scene.frame_current, scene.frame_subframe
    scene.frame_set(scene.frame_start)
    try:
        yield
    finally:
        scene.frame_set(frame, subframe=part)


def _has_body(thing: bpy.types.Object) -> bool:
    mark = thing.pliant
    return mark.role == "BODY" or (mark.role == "EMITTER" and mark.body is None)


def _is_plane(thing: bpy.types.Object) -> bool:
    return thing.pliant.role == "COLLIDER" and thing.pliant.kind == "plane"


def _material(thing: bpy.types.Object) -> Material:
    mark = thing.pliant
    values = pairs(mark.material_values, f"Material values of {thing.name}")
    if mark.preset == RIGID:
        return Material("", {"law": "rigid", "density": 1000.0, **values})
    return Material(mark.preset, values)


def _collider(thing: bpy.types.Object, mesh: Mesh | None, poses: Sequence[Pose]) -> ColliderMark:
    mark = thing.pliant
    values = pairs(mark.values, f"Further values of {thing.name}")
    return ColliderMark(plain_name(thing.name), mark.kind, mesh, poses, _plain(mark.friction), values)


def _pin(thing: bpy.types.Object, mesh: Mesh, poses: Sequence[Pose]) -> PinMark:
    mark = thing.pliant
    if mark.body is None or not _has_body(mark.body):
        raise Problem(f"The pin {thing.name} holds no body: choose one")
    values = pairs(mark.values, f"Further values of {thing.name}")
    return PinMark(plain_name(thing.name), plain_name(mark.body.name), mesh, poses, values)


def _color(thing: bpy.types.Object) -> str | None:
    """The colour of its material, by its shader if it has the usual one."""
    material = thing.active_material
    if material is None:
        return None
    nodes = material.node_tree.nodes if material.node_tree else []
    shader = next((node for node in nodes if node.type == "BSDF_PRINCIPLED"), None)
    return to_hexadecimal(shader.inputs["Base Color"].default_value if shader else material.diffuse_color)


def _plain(number: float) -> float:
    """A number as the user wrote it: properties of Blender are in single precision."""
    return float(f"{number:.7g}")


def _vector(values: Sequence[float]) -> Vector:
    x, y, z = (_plain(component) for component in values)
    return (x, y, z)


def _are_close(a: Matrix, b: Matrix) -> bool:
    return bool(np.allclose(np.array(a), np.array(b), atol=_SAME))

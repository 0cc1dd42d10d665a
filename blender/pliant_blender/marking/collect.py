"""Marked objects of Blender as marks: meshes in metres, times in seconds, rotations as scene files have them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import bpy
import numpy as np
from mathutils import Euler, Matrix
from numpy.typing import NDArray

from ..playback import follow
from ..playback.color import to_hexadecimal
from ..problem import Problem
from ..writing.marks import BodyMark, ColliderMark, EmitterMark, Material, PinMark, Pose, SceneMarks, Vector, plain_name
from ..writing.mesh_file import Mesh
from ..writing.toml import pairs
from .properties import RIGID

#: Kinds of objects that have a surface.
_WITH_SURFACE = {"MESH", "CURVE", "SURFACE", "FONT", "META"}

#: Scales that differ by a smaller part are the same.
_SAME_SIZE = 1e-4

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
        tracks = reader.tracks(moving)
    colliders = [_collider(track) for track in tracks if track.thing.pliant.role == "COLLIDER"]
    pins = [_pin(track) for track in tracks if track.thing.pliant.role == "PIN"]
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


@dataclass
class _Track:
    """An object during the timeline."""

    thing: bpy.types.Object
    matrices: list[Matrix] = field(default_factory=list)
    """Of each frame."""
    frames: list[Mesh] = field(default_factory=list)
    """Its mesh in each frame, in its own coordinates; none of a plane."""
    poses: list[Pose] = field(default_factory=list)
    """Of each frame, or only the first if it stays there."""

    def deformation(self) -> list[Mesh]:
        """The mesh in each frame if it deforms.

        Raises:
            Problem: It has other faces in another frame.
        """
        if not self.frames:
            return []
        first = self.frames[0]
        deforms = False
        for number, mesh in enumerate(self.frames):
            if mesh is first:
                continue
            if not np.array_equal(mesh.triangles, first.triangles) or len(mesh.position) != len(first.position):
                raise Problem(
                    f"{self.thing.name} has other faces {number} frames after the first: a collider that deforms "
                    "keeps its faces; choose modifiers that do not change them"
                )
            deforms = deforms or not np.allclose(mesh.position, first.position, rtol=0.0, atol=_SAME)
        return self.frames if deforms else []


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

    def tracks(self, things: Sequence[bpy.types.Object]) -> list[_Track]:
        """Where each object is in each frame of the timeline, and how it deforms."""
        tracks = [_Track(thing) for thing in things]
        frames = range(self.scene.frame_start, self.scene.frame_end + 1) if things else range(0)
        for frame in frames:
            self.scene.frame_set(frame)
            for track in tracks:
                self._follow(track)
        for track in tracks:
            track.poses = self._poses(track.matrices)
        return tracks

    def _follow(self, track: _Track) -> None:
        """Adds a frame to a track."""
        world = track.thing.evaluated_get(self.graph).matrix_world.copy()
        track.matrices.append(world)
        if _is_plane(track.thing):
            return
        before, now = track.matrices[0].to_scale(), world.to_scale()
        is_scaled = (now - before).length > _SAME_SIZE * now.length
        is_first = not track.frames
        if is_first or is_scaled or _may_deform(track.thing):
            track.frames.append(self._own_mesh(track.thing, world))
        else:
            track.frames.append(track.frames[0])

    def _own_mesh(self, thing: bpy.types.Object, world: Matrix) -> Mesh:
        """A mesh in the coordinates of what moves without changing its size: the object's scale is in it."""
        location, rotation, _ = world.decompose()
        return self._mesh(thing, Matrix.LocRotScale(location, rotation, None).inverted() @ world)

    def _poses(self, matrices: Sequence[Matrix]) -> list[Pose]:
        poses: list[Pose] = []
        before: Euler | None = None
        for number, matrix in enumerate(matrices):
            location, rotation, _ = matrix.decompose()
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
            uv = _uv(mesh)
        finally:
            evaluated.to_mesh_clear()
        if len(triangles) == 0:
            raise Problem(f"{thing.name} has no faces")
        matrix = np.array(placed, dtype=np.float64)
        moved = (position @ matrix[:3, :3].T + matrix[:3, 3]) * self.unit
        # A mirrored object would be inside out.
        if placed.is_negative:
            triangles, uv = triangles[:, ::-1], None if uv is None else uv[:, ::-1]
        return Mesh(moved, triangles, _repair(thing), uv)

    def _velocity(self, mark: bpy.types.PropertyGroup) -> Vector:
        return _vector([component * self.unit for component in mark.velocity])

    def _time(self, frame: int) -> float:
        return max(0.0, (frame - self.scene.frame_start) / self.rate)


def _uv(mesh: bpy.types.Mesh) -> NDArray[np.float32] | None:
    """The texture coordinates that are in use, of the corners of triangles, of shape (m, 3, 2)."""
    layer = mesh.uv_layers.active
    if layer is None:
        return None
    of_loops = np.empty((len(mesh.loops), 2), dtype=np.float32)
    layer.data.foreach_get("uv", of_loops.ravel())
    loops = np.empty((len(mesh.loop_triangles), 3), dtype=np.int32)
    mesh.loop_triangles.foreach_get("loops", loops.ravel())
    return of_loops[loops]


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


def _repair(thing: bpy.types.Object) -> str:
    """How its mesh is closed, empty where it stays as it is."""
    mark = thing.pliant
    must_be_closed = mark.role in {"BODY", "EMITTER"} or (mark.role == "COLLIDER" and mark.kind == "solid")
    return str(mark.repair) if must_be_closed and mark.repair != "none" else ""


def _material(thing: bpy.types.Object) -> Material:
    mark = thing.pliant
    values = pairs(mark.material_values, f"Material values of {thing.name}")
    if mark.preset == RIGID:
        return Material("", {"law": "rigid", "density": 1000.0, **values})
    return Material(mark.preset, values)


def _may_deform(thing: bpy.types.Object) -> bool:
    """Whether the surface of an object may change from frame to frame."""
    data = thing.data
    has_keys = getattr(data, "shape_keys", None) is not None
    return thing.type != "MESH" or bool(thing.modifiers) or has_keys or data.animation_data is not None


def _collider(track: _Track) -> ColliderMark:
    thing, mark = track.thing, track.thing.pliant
    values = pairs(mark.values, f"Further values of {thing.name}")
    name, friction = plain_name(thing.name), _plain(mark.friction)
    first = track.frames[0] if track.frames else None
    return ColliderMark(name, mark.kind, first, track.poses, friction, track.deformation(), values)


def _pin(track: _Track) -> PinMark:
    thing, mark = track.thing, track.thing.pliant
    if track.deformation():
        raise Problem(f"The pin {thing.name} changes its form or size during the animation, which pins cannot")
    if mark.body is None or not _has_body(mark.body):
        raise Problem(f"The pin {thing.name} holds no body: choose one")
    values = pairs(mark.values, f"Further values of {thing.name}")
    return PinMark(plain_name(thing.name), plain_name(mark.body.name), track.frames[0], track.poses, values)


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

"""Makes the objects that show a run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import bpy

from ..recording.run_folder import Body, RunFolder
from ..recording.shapes import Shape
from . import follow
from .materials import material_of, material_of_collider
from .paths import stored_path
from .points_nodes import show_as_points


def import_run(scene: bpy.types.Scene, path: Path, shapes: Mapping[str, Shape], colliders: bool) -> bpy.types.Object:
    """Shows a run in a scene, or brings one that is there already up to date.

    Args:
        scene: Where to.
        path: The folder of the run.
        shapes: Meshes of rigid bodies and colliders, by their names.
        colliders: Whether colliders are shown.

    Returns:
        The empty object that all parts hang on. It turns what has y up, and scales metres to units of the scene.

    Raises:
        Problem: It is no run, or it is damaged.
    """
    root = find_root(scene, path)
    run = RunFolder(path) if root is None else follow.open_run(root, anew=True)
    if root is None:
        root = _new_root(scene, run)
    parts = _Parts(root, run, shapes)
    parts.remove_surfaces_that_are_gone()
    parts.add_surfaces()
    parts.add_bodies()
    if colliders:
        parts.add_colliders()
    follow.show_all(scene)
    return root


def find_root(scene: bpy.types.Scene, path: Path) -> bpy.types.Object | None:
    """The object that stands for a run, if it was imported before."""
    for root in follow.roots_of(scene):
        if Path(bpy.path.abspath(root.pliant_run.folder)).resolve() == path.resolve():
            return root
    return None


def follow_timeline(scene: bpy.types.Scene, run: RunFolder, start: int) -> None:
    """Gives a scene the frame rate and the length of a run."""
    scene.render.fps = max(1, round(run.frame_rate))
    scene.render.fps_base = scene.render.fps / run.frame_rate
    scene.frame_start = start
    scene.frame_end = start + run.frames_planned - 1


def _new_root(scene: bpy.types.Scene, run: RunFolder) -> bpy.types.Object:
    title = run.path.name
    collection = bpy.data.collections.new(title)
    scene.collection.children.link(collection)
    root = bpy.data.objects.new(title, None)
    collection.objects.link(root)
    root.empty_display_size = 0.1
    if run.up == "y":
        root.rotation_euler = (math.pi / 2.0, 0.0, 0.0)
    root.scale = (1.0 / scene.unit_settings.scale_length,) * 3
    root.pliant_run.start = scene.frame_start
    root.pliant_run.folder = stored_path(run.path.absolute(), bpy.data.filepath)
    return root


class _Parts:
    """Adds what is missing to the parts of a run."""

    def __init__(self, root: bpy.types.Object, run: RunFolder, shapes: Mapping[str, Shape]) -> None:
        self.root = root
        self.run = run
        self.shapes = shapes
        self.materials: dict[tuple[str, bool], bpy.types.Material] = {}
        self.there = {(part.pliant_part.series, part.pliant_part.name): part for part in follow.parts_of(root)}
        #: Bodies that have got a surface just now, for which their particles are hidden.
        self.surfaced: set[str] = set()

    def remove_surfaces_that_are_gone(self) -> None:
        """Those of an earlier run in the folder; particles are seen again."""
        for (series, name), part in list(self.there.items()):
            if series in {"surface", "mesh"} and not self.run.frames(series):
                bpy.data.meshes.remove(part.data)
                del self.there[(series, name)]
                for body in _sharing({name}, self.run):
                    points = self.there.get(("particles", body))
                    if points is not None:
                        points.hide_render = points.hide_viewport = False

    def add_surfaces(self) -> None:
        """Embedded surfaces, and those that `pliant mesh` has made."""
        for series in ("surface", "mesh"):
            names = _bodies_in(self.run, series)
            added = set()
            for body in self.run.bodies:
                if body.name in names and (series, body.name) not in self.there:
                    self._add(series, body.name, bpy.data.meshes.new(body.name), self._material(body, True))
                    added.add(body.name)
            self.surfaced |= _sharing(added, self.run) if series == "mesh" else added

    def add_bodies(self) -> None:
        """Particles, cloth and rigid bodies."""
        for body in self.run.bodies:
            series = "rigid" if body.is_rigid else "particles"
            if (series, body.name) in self.there:
                pass
            elif body.is_rigid:
                self._add_shape("rigid", body.name, self._material(body, True))
            else:
                is_cloth = _is_cloth(body, self.run)
                material = self._material(body, is_cloth)
                part = self._add("particles", body.name, bpy.data.meshes.new(body.name), material)
                if not is_cloth:
                    show_as_points(part, material)
            if body.name in self.surfaced:
                hidden = self.there[(series, body.name)]
                hidden.hide_render = hidden.hide_viewport = True

    def add_colliders(self) -> None:
        """Colliders that have an end; not those that deform, of which a shape would show one moment only."""
        for table in self.run.scene.get("collider", []):
            name = str(table.get("name", ""))
            deforms = "mesh-sequence" in table.get("shape", {})
            if name in self.shapes and not deforms and ("collider", name) not in self.there:
                color = str(table.get("color", "#9aa0a6"))
                opacity, gloss = float(table.get("opacity", 1.0)), float(table.get("gloss", 0.1))
                self._add_shape("collider", name, material_of_collider(name, color, opacity, gloss))

    def _material(self, body: Body, is_surface: bool) -> bpy.types.Material:
        key = (body.name, is_surface)
        if key not in self.materials:
            self.materials[key] = material_of(body, is_surface)
        return self.materials[key]

    def _add_shape(self, series: str, name: str, material: bpy.types.Material) -> None:
        mesh = None
        if name in self.shapes:
            shape = self.shapes[name]
            mesh = bpy.data.meshes.new(name)
            mesh.from_pydata(shape.position.tolist(), [], shape.triangles.tolist())
            mesh.shade_flat()
        self._add(series, name, mesh, material)

    def _add(
        self, series: str, name: str, mesh: bpy.types.Mesh | None, material: bpy.types.Material
    ) -> bpy.types.Object:
        part = bpy.data.objects.new(f"{name} {series}", mesh)
        self.root.users_collection[0].objects.link(part)
        part.parent = self.root
        part.pliant_part.series = series
        part.pliant_part.name = name
        if mesh is not None:
            mesh.materials.append(material)
        self.there[(series, name)] = part
        return part


def _bodies_in(run: RunFolder, series: str) -> set[str]:
    """Bodies that have points in the first or the last frame of a series."""
    numbers = list(run.frames(series))
    names = set()
    for number in {*numbers[:1], *numbers[-1:]}:
        frame = run.read(series, number)
        names |= {frame.body_names[place] for place in set(frame.body.tolist())}
    return names


def _sharing(names: set[str], run: RunFolder) -> set[str]:
    """Bodies of the same material and spacing as those: `pliant mesh` gives them one surface."""
    tables = run.scene.get("body", [])
    kinds = {(table.get("material"), table.get("spacing")) for table in tables if table.get("name") in names}
    return {str(table.get("name")) for table in tables if (table.get("material"), table.get("spacing")) in kinds}


def _is_cloth(body: Body, run: RunFolder) -> bool:
    first = run.read("particles", run.held("particles", body.first_frame))
    return body.method == "cloth" or len(first.of_body(body.name).triangles) > 0

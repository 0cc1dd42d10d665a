"""Marks as a scene file with its meshes beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..problem import Problem
from .marks import BodyMark, ColliderMark, EmitterMark, Material, PinMark, Pose, SceneMarks
from .mesh_file import Mesh, write_mesh
from .toml import document, vector

_HEAD = "# Written by the Blender extension of Pliant; the next time it is written, changes are lost.\n"


def write_scene(folder: Path, marks: SceneMarks) -> Path:
    """Writes `scene.toml` and `meshes/` into a folder; returns the path of the file."""
    if not marks.bodies:
        raise Problem("There is no body: mark an object as a body or an emitter in the panel Pliant")
    try:
        meshes = _Meshes(folder)
        text = document(_tables(marks, meshes))
        meshes.remove_others()
        path = folder / "scene.toml"
        path.write_text(_HEAD + text, encoding="utf-8")
    except OSError as error:
        raise Problem(f"{folder} cannot be written: {error.strerror or error}") from error
    return path


class _Meshes:
    """Mesh files of a scene."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "meshes"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.written: set[str] = set()

    def shape(self, name: str, mesh: Mesh) -> dict[str, Any]:
        """Writes a mesh and returns it as a shape."""
        file = f"{len(self.written) + 1:03}-{name}.ply"
        write_mesh(self.folder / file, mesh)
        self.written.add(file)
        repair = {"repair": mesh.repair} if mesh.repair else {}
        return {"mesh": {"file": f"meshes/{file}", **repair}}

    def sequence(self, name: str, frames: Sequence[Mesh], rate: float) -> dict[str, Any]:
        """Writes the frames of a mesh that deforms and returns them as a shape."""
        start = f"{len(self.written) + 1:03}-{name}"
        for number, mesh in enumerate(frames, 1):
            file = f"{start}.{number:05}.ply"
            write_mesh(self.folder / file, mesh)
            self.written.add(file)
        return {"mesh-sequence": {"file": f"meshes/{start}.#####.ply", "last": len(frames), "frame_rate": rate}}

    def remove_others(self) -> None:
        """Removes what an earlier scene left."""
        for path in self.folder.glob("[0-9][0-9][0-9]-*.ply"):
            if path.name not in self.written:
                path.unlink()


def _tables(marks: SceneMarks, meshes: _Meshes) -> dict[str, Any]:
    materials = _name_materials(marks.bodies)
    named = {name: _material(material) for name, material in materials}
    regions = [_pin(pin, meshes) for pin in marks.pins]
    movers = [_mover(pin) for pin in marks.pins if len(pin.poses) > 1]
    return {
        "scene": {
            "title": marks.title,
            "duration": marks.duration,
            "frame_rate": marks.frame_rate,
            "gravity": vector(marks.gravity),
            "up": "z",
        },
        "output": {"particles": ["npz"]},
        "material": named,
        "body": [_body(body, _name_of(body.material, materials), meshes) for body in marks.bodies],
        "collider": [_collider(collider, meshes, marks.frame_rate) for collider in marks.colliders] + movers,
        "emitter": [_emitter(emitter, meshes) for emitter in marks.emitters],
        "attach": regions,
    }


def _name_materials(bodies: Sequence[BodyMark]) -> list[tuple[str, Material]]:
    """Each material once, so that bodies of one material have a surface together."""
    materials: list[tuple[str, Material]] = []
    for body in bodies:
        if all(material != body.material for _, material in materials):
            base = body.material.preset or str(body.material.values.get("law", "material"))
            taken = {name for name, _ in materials}
            name = (
                base
                if base not in taken
                else next(f"{base}-{number}" for number in range(2, len(taken) + 3) if f"{base}-{number}" not in taken)
            )
            materials.append((name, body.material))
    return materials


def _name_of(material: Material, materials: Sequence[tuple[str, Material]]) -> str:
    return next(name for name, other in materials if other == material)


def _material(material: Material) -> dict[str, Any]:
    preset = {"preset": material.preset} if material.preset else {}
    return {**preset, **material.values}


def _body(body: BodyMark, material: str, meshes: _Meshes) -> dict[str, Any]:
    table: dict[str, Any] = {"name": body.name, "material": material}
    if body.material.values.get("law") != "rigid":
        table["spacing"] = body.spacing
    if body.mesh is not None:
        table["shape"] = meshes.shape(body.name, body.mesh)
        if body.carries_mesh:
            table["render_mesh"] = {"mesh": {"file": table["shape"]["mesh"]["file"]}}
    if any(body.velocity):
        table["velocity"] = vector(body.velocity)
    if body.color is not None:
        table["color"] = body.color
    return {**table, **body.values}


def _collider(collider: ColliderMark, meshes: _Meshes, rate: float) -> dict[str, Any]:
    table: dict[str, Any] = {"name": collider.name, "friction": collider.friction}
    if collider.kind == "plane":
        table["shape"] = {"plane": {"normal": [0.0, 0.0, 1.0]}}
    elif collider.frames:
        table["shape"] = meshes.sequence(collider.name, collider.frames, rate)
    elif collider.mesh is not None:
        table["shape"] = meshes.shape(collider.name, collider.mesh)
    if collider.kind == "shell":
        table["two_sided"] = True
    return {**table, **_placed(collider.poses), **collider.values}


def _emitter(emitter: EmitterMark, meshes: _Meshes) -> dict[str, Any]:
    table: dict[str, Any] = {
        "name": emitter.name,
        "body": emitter.body,
        "shape": meshes.shape(emitter.name, emitter.mesh),
        "velocity": vector(emitter.velocity),
        "start": emitter.start,
    }
    if emitter.rate > 0.0:
        table["rate"] = emitter.rate
    if emitter.stop is not None:
        table["stop"] = emitter.stop
    return {**table, **emitter.values}


def _pin(pin: PinMark, meshes: _Meshes) -> dict[str, Any]:
    first = pin.poses[0]
    table: dict[str, Any] = {"name": pin.name, "body": pin.body, "shape": meshes.shape(pin.name, pin.mesh)}
    table.update(_placed([first]))
    if len(pin.poses) > 1:
        table["to_collider"] = _mover_name(pin)
    return {**table, **pin.values}


def _mover(pin: PinMark) -> dict[str, Any]:
    """A collider that touches nothing and takes along what is pinned to it."""
    return {"name": _mover_name(pin), **_placed(pin.poses)}


def _mover_name(pin: PinMark) -> str:
    return f"{pin.name[:57]}-moving"


def _placed(poses: Sequence[Pose]) -> dict[str, Any]:
    first = poses[0]
    if len(poses) == 1:
        return {"position": vector(first.position), "rotation": vector(first.rotation)}
    keyframes = [
        {"t": pose.time, "position": vector(pose.position), "rotation": vector(pose.rotation)} for pose in poses
    ]
    return {"motion": {"keyframes": keyframes}}

"""Opens a scene of USD with Blender, where its module is installed."""

import numpy as np

import usd


def check(run, frames, check):
    """Imports the scene and checks what it shows in the last frame; returns what was seen."""
    try:
        import bpy
    except ImportError:
        return ", without Blender"
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.usd_import(filepath=str((run / "particles" / "scene.usda").resolve()))
    last = max(frames)
    bpy.context.scene.frame_set(last)
    particles, _ = frames[last]
    graph = bpy.context.evaluated_depsgraph_get()
    seen = {}
    for thing in bpy.context.scene.objects:
        data = thing.evaluated_get(graph).data
        if thing.type in ("MESH", "POINTCLOUD"):
            seen[thing.name] = len(data.vertices if thing.type == "MESH" else data.points)
    counts = np.bincount(particles["body"], minlength=len(particles["body_names"]))
    check(max(seen.values(), default=0) >= counts.max(), f"Blender sees {seen}")
    if run.name == "fall":
        _check_deformation(bpy, check)
    return f", Blender {bpy.app.version_string} sees {len(seen)} objects"


def _check_deformation(bpy, check):
    """The collider that deforms is in the third frame as its second file has it."""
    bpy.context.scene.frame_set(3)
    graph = bpy.context.evaluated_depsgraph_get()
    places = usd.places(2)
    meshes = [thing.evaluated_get(graph).data for thing in bpy.context.scene.objects if thing.type == "MESH"]
    meshes = [mesh for mesh in meshes if len(mesh.vertices) == len(places)]
    found = [np.array([vertex.co for vertex in mesh.vertices]) for mesh in meshes]
    check(any(np.allclose(vertices, places, atol=1e-6) for vertices in found), f"Blender sees {found}, not {places}")

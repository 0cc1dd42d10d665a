"""Triangle meshes as binary PLY."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_HEAD = """ply
format binary_little_endian 1.0
element vertex {vertices}
property double x
property double y
property double z
element face {triangles}
property list uchar uint vertex_indices
"""


@dataclass(frozen=True)
class Mesh:
    """Triangles [m]."""

    position: NDArray[np.float64]
    """Vertices, of shape (n, 3)."""
    triangles: NDArray[np.int32]
    """Corners, of shape (m, 3)."""
    repair: str = ""
    """How the engine closes it, in the word of the scene file; empty if it is closed."""
    uv: NDArray[np.float32] | None = None
    """Texture coordinates at the corners of triangles, of shape (m, 3, 2)."""


def write_mesh(path: Path, mesh: Mesh) -> None:
    """Writes a mesh; its vertices keep their order."""
    of_face: list[tuple[Any, ...]] = [("count", "u1"), ("corners", "<u4", 3)]
    if mesh.uv is not None:
        of_face += [("uv_count", "u1"), ("uv", "<f4", 6)]
    faces = np.zeros(len(mesh.triangles), dtype=of_face)
    faces["count"] = 3
    faces["corners"] = mesh.triangles
    head = _HEAD.format(vertices=len(mesh.position), triangles=len(faces))
    if mesh.uv is not None:
        faces["uv_count"] = 6
        faces["uv"] = mesh.uv.reshape(-1, 6)
        head += "property list uchar float texcoord\n"
    head += "end_header\n"
    path.write_bytes(head.encode() + mesh.position.astype("<f8").tobytes() + faces.tobytes())

"""Shapes of rigid bodies and colliders: the meshes of a glTF file of one frame that `pliant export` writes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .frame import damaged


@dataclass(frozen=True)
class Shape:
    """A mesh in the coordinates of what it belongs to."""

    position: NDArray[np.float64]
    """Vertices [m], of shape (n, 3)."""
    triangles: NDArray[np.int32]
    """Corners, of shape (m, 3)."""


def read_shapes(path: Path) -> dict[str, Shape]:
    """The meshes of triangles of a binary glTF file, by the names of their nodes."""
    try:
        content = path.read_bytes()
        size = int.from_bytes(content[12:16], "little")
        described = json.loads(content[20 : 20 + size])
        buffer = content[28 + size :]
        shapes = {}
        for node in described["nodes"]:
            if "mesh" in node:
                primitive = described["meshes"][node["mesh"]]["primitives"][0]
                if "indices" in primitive:
                    shapes[node["name"]] = _shape(primitive, described, buffer)
    except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
        raise damaged(path, f"it is not the glTF file of a run ({error})") from error
    return shapes


def _shape(primitive: dict[str, Any], described: dict[str, Any], buffer: bytes) -> Shape:
    position = _accessor(primitive["attributes"]["POSITION"], "<f4", described, buffer).reshape(-1, 3)
    triangles = _accessor(primitive["indices"], "<u4", described, buffer).reshape(-1, 3)
    return Shape(position.astype(np.float64), triangles.astype(np.int32))


def _accessor(number: int, kind: str, described: dict[str, Any], buffer: bytes) -> NDArray[Any]:
    view = described["bufferViews"][described["accessors"][number]["bufferView"]]
    start = view.get("byteOffset", 0)
    return np.frombuffer(buffer[start : start + view["byteLength"]], dtype=kind)

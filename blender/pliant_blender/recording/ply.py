"""Frames in binary PLY as Pliant writes it: little endian, vertices first, then triangles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .frame import Frame, Triangles, damaged, frame_of

_TYPES = {"double": "<f8", "float": "<f4", "uint": "<u4", "int": "<i4", "uchar": "u1", "ushort": "<u2"}
#: What a triangle may have, by the lines of the head, which are in this order.
_OF_TRIANGLE: dict[str, list[tuple[Any, ...]]] = {
    "property list uchar uint vertex_indices": [("count", "u1"), ("corners", "<u4", 3)],
    "property list uchar float texcoord": [("uv_count", "u1"), ("uv", "<f4", 6)],
    "property uchar inside": [("inside", "u1")],
}


def read_ply(path: Path) -> Frame:
    """Reads a frame."""
    content = path.read_bytes()
    head, mark, _ = content.partition(b"end_header\n")
    if not mark or b"format binary_little_endian" not in head:
        raise damaged(path, "it is not a binary PLY file")
    counts, properties, of_triangle, names = _head(head.decode("utf-8", errors="replace"), path)
    try:
        layout = np.dtype(properties)
    except ValueError as error:
        raise damaged(path, f"its columns are wrong ({error})") from error
    if not properties:
        raise damaged(path, "its vertices have no columns")
    start = len(head) + len(mark)
    end = start + counts.get("vertex", 0) * layout.itemsize
    triangle = np.dtype(of_triangle)
    faces = content[end : end + counts.get("face", 0) * triangle.itemsize]
    if end > len(content) or len(faces) != counts.get("face", 0) * triangle.itemsize:
        raise damaged(path, "it is shorter than its head says")
    vertices = np.frombuffer(content[start:end], dtype=layout)
    columns = {name: vertices[name] for name in layout.names or ()}
    return frame_of(columns, _triangles(faces, triangle, path), names, path)


def _triangles(faces: bytes, triangle: np.dtype[np.void], path: Path) -> Triangles:
    if not faces:
        return Triangles(np.zeros((0, 3), dtype=np.int32))
    values = np.frombuffer(faces, dtype=triangle)
    known = {name: values[name] for name in triangle.names or ()}
    if "corners" not in known or (known["count"] != 3).any() or (known.get("uv_count", np.full(1, 6)) != 6).any():
        raise damaged(path, "it has polygons that are not triangles")
    return Triangles(known["corners"], known.get("uv"), known.get("inside"))


def _head(text: str, path: Path) -> tuple[dict[str, int], list[tuple[str, str]], list[tuple[Any, ...]], list[str]]:
    """How many of each element there are, the columns of a vertex and of a triangle, and the names of bodies."""
    counts: dict[str, int] = {}
    properties: list[tuple[str, str]] = []
    of_triangle: list[tuple[Any, ...]] = []
    names: list[str] = []
    element = ""
    for line in text.splitlines():
        words = line.split(" ")
        if words[0] == "element" and len(words) == 3 and words[2].isdigit():
            element = words[1]
            counts[element] = int(words[2])
        elif words[0] == "property" and element == "vertex":
            if len(words) != 3 or words[1] not in _TYPES:
                raise damaged(path, f"its head has a line that is not known: {line}")
            properties.append((words[2], _TYPES[words[1]]))
        elif line in _OF_TRIANGLE and element == "face":
            of_triangle.extend(_OF_TRIANGLE[line])
        elif line.startswith("comment body_names "):
            names.append(line.removeprefix("comment body_names "))
    return counts, properties, of_triangle, names

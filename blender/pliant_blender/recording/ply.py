"""Frames in binary PLY as Pliant writes it: little endian, vertices first, then triangles."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .frame import Frame, damaged, frame_of

_TYPES = {"double": "<f8", "float": "<f4", "uint": "<u4", "int": "<i4", "uchar": "u1", "ushort": "<u2"}
_TRIANGLE = np.dtype([("count", "u1"), ("corners", "<u4", 3)])


def read_ply(path: Path) -> Frame:
    """Reads a frame."""
    content = path.read_bytes()
    head, mark, _ = content.partition(b"end_header\n")
    if not mark or b"format binary_little_endian" not in head:
        raise damaged(path, "it is not a binary PLY file")
    counts, properties, names = _head(head.decode("utf-8", errors="replace"), path)
    try:
        layout = np.dtype(properties)
    except ValueError as error:
        raise damaged(path, f"its columns are wrong ({error})") from error
    if not properties:
        raise damaged(path, "its vertices have no columns")
    start = len(head) + len(mark)
    end = start + counts.get("vertex", 0) * layout.itemsize
    faces = content[end : end + counts.get("face", 0) * _TRIANGLE.itemsize]
    if end > len(content) or len(faces) != counts.get("face", 0) * _TRIANGLE.itemsize:
        raise damaged(path, "it is shorter than its head says")
    vertices = np.frombuffer(content[start:end], dtype=layout)
    triangles = np.frombuffer(faces, dtype=_TRIANGLE)
    if (triangles["count"] != 3).any():
        raise damaged(path, "it has polygons that are not triangles")
    columns = {name: vertices[name] for name in layout.names or ()}
    return frame_of(columns, triangles["corners"], names, path)


def _head(text: str, path: Path) -> tuple[dict[str, int], list[tuple[str, str]], list[str]]:
    """How many of each element there are, the columns of a vertex, and the names of bodies."""
    counts: dict[str, int] = {}
    properties: list[tuple[str, str]] = []
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
        elif line.startswith("comment body_names "):
            names.append(line.removeprefix("comment body_names "))
    return counts, properties, names

"""Frames in VTK PolyData as Pliant writes it: little endian, appended raw data, triangles as polygons."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from .frame import Frame, Triangles, damaged, frame_of

_TYPES = {
    "Float32": "<f4",
    "Float64": "<f8",
    "Int32": "<i4",
    "UInt32": "<u4",
    "Int64": "<i8",
    "UInt64": "<u8",
    "UInt8": "u1",
}


def read_vtp(path: Path) -> Frame:
    """Reads a frame."""
    try:
        return _parsed(path.read_bytes(), path)
    except ValueError as error:
        raise damaged(path, f"a number in its head is wrong ({error})") from error


def _parsed(content: bytes, path: Path) -> Frame:
    head, mark, rest = content.partition(b"<AppendedData")
    start = len(head) + len(mark) + rest.find(b"_") + 1
    try:
        root = ElementTree.fromstring(head + b"</VTKFile>")
    except ElementTree.ParseError as error:
        raise damaged(path, f"its head is no XML ({error})") from error
    piece = root.find("PolyData/Piece")
    if not mark or piece is None:
        raise damaged(path, "it is not VTK PolyData with appended data")
    columns = {}
    for array in piece.findall("Points/DataArray") + piece.findall("PointData/DataArray"):
        columns[array.get("Name", "")] = _values(array, content, start, path)
    if "Points" in columns:
        columns["position"] = columns.pop("Points")

    def found(where: str) -> NDArray[Any] | None:
        array = root.find(f"PolyData/{where}")
        return None if array is None else _values(array, content, start, path)

    corners = found("Piece/Polys/DataArray[@Name='connectivity']")
    if corners is None:
        corners = np.zeros(0, dtype=np.int32)
    if corners.size % 3:
        raise damaged(path, "it has polygons that are not triangles")
    uv, inside = (found(f"FieldData/DataArray[@Name='{name}']") for name in ("uv", "inside"))
    return frame_of(columns, Triangles(corners, uv, inside), _names(root), path)


def _values(array: ElementTree.Element, content: bytes, start: int, path: Path) -> NDArray[Any]:
    kind = _TYPES.get(array.get("type", ""))
    if kind is None or array.get("format") != "appended":
        raise damaged(path, f"its array {array.get('Name')} is in a form that is not known")
    place = start + int(array.get("offset", "0"))
    size = int.from_bytes(content[place : place + 8], "little")
    data = content[place + 8 : place + 8 + size]
    if len(data) != size or size % np.dtype(kind).itemsize:
        raise damaged(path, f"it ends within its array {array.get('Name')}")
    values = np.frombuffer(data, dtype=kind)
    width = int(array.get("NumberOfComponents", "1"))
    return values.reshape(-1, width) if width > 1 else values


def _names(root: ElementTree.Element) -> list[str]:
    """Names of bodies, which are texts as numbers of their letters, each ended by a zero."""
    array = root.find("PolyData/FieldData/DataArray[@Name='body_names']")
    if array is None or not array.text:
        return []
    letters = bytes(int(letter) for letter in array.text.split())
    return letters.decode("utf-8", errors="replace").split("\0")[:-1]

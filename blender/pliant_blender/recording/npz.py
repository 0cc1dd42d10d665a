"""Frames in NumPy archives."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from .frame import Frame, Triangles, damaged, frame_of

#: Arrays that are of the whole frame and not of its points.
_OF_FRAME = {"time", "frame", "body_names", "material_names", "quantity_units"}


def read_npz(path: Path) -> Frame:
    """Reads a frame."""
    content = path.read_bytes()
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except Exception as error:  # Of damaged bytes: zipfile, zlib and the tokenizer below NumPy each have their own.
        raise damaged(path, f"it is not a NumPy archive ({error})") from error
    triangles = Triangles(
        corners=arrays.pop("triangles", np.zeros((0, 3), dtype=np.int32)),
        uv=arrays.pop("triangles_uv", None),
        inside=arrays.pop("triangles_inside", None),
    )
    columns = {name: values for name, values in arrays.items() if name not in _OF_FRAME}
    names = [str(name) for name in arrays.get("body_names", np.zeros(0, dtype=str))]
    return frame_of(columns, triangles, names, path)

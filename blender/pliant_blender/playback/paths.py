"""Paths of runs as .blend files keep them: relative to the file, so that both can be moved together."""

from __future__ import annotations

from pathlib import Path

import bpy
from bpy.app.handlers import persistent


def register() -> None:
    """From now on paths of runs are kept right when a file is saved elsewhere."""
    bpy.app.handlers.save_pre.append(_before_saving)
    bpy.app.handlers.save_post.append(_after_saving)


def unregister() -> None:
    """They stay as they are."""
    bpy.app.handlers.save_post.remove(_after_saving)
    bpy.app.handlers.save_pre.remove(_before_saving)


def stored_path(path: Path, blend: str) -> str:
    """A path as the file `blend` keeps it; absolute if there is no such file yet."""
    if not blend:
        return str(path)
    try:
        return bpy.path.relpath(str(path), start=str(Path(blend).parent))
    except ValueError:
        # On another drive of Windows there is no relative path.
        return str(path)


#: Absolute paths by the names of objects, while a file is being saved.
_absolute: dict[str, Path] = {}


@persistent
def _before_saving(blend: str, *_: object) -> None:
    _absolute.clear()
    for root in bpy.data.objects:
        if root.pliant_run.folder:
            _absolute[root.name] = Path(bpy.path.abspath(root.pliant_run.folder))
            root.pliant_run.folder = stored_path(_absolute[root.name], blend)


@persistent
def _after_saving(*_: object) -> None:
    """A copy may have been saved: then the file that is open is still the one before."""
    for root in bpy.data.objects:
        if root.name in _absolute:
            root.pliant_run.folder = stored_path(_absolute[root.name], bpy.data.filepath)

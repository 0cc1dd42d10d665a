"""What a scene is given as."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Union

from pliant import _toml
from pliant._table import Table

#: A scene: the path of a file, a dict of its tables, or a `pliant.scene.Scene`.
Scene = Union[str, "os.PathLike[str]", Mapping[str, Any], Table]


def text_of(scene: Mapping[str, Any] | Table, folder: Any) -> tuple[str, tuple[str, str]]:
    """The text of a scene that is given by its tables, its name in messages, and the folder of its paths.

    Raises:
        TypeError: It is neither tables nor the path of a file.
    """
    tables = scene.to_dict() if isinstance(scene, Table) else scene
    if not isinstance(tables, Mapping):
        raise TypeError(f"a scene is the path of a file, a dict of tables or a pliant.scene.Scene, not {tables!r}")
    return _toml.dumps(tables), ("scene dict", folder_of(folder))


def folder_of(folder: Any) -> str:
    """The folder that relative paths start from."""
    return "." if folder is None else os.fspath(folder)

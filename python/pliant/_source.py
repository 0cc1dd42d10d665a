"""What a scene is given as."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Union

from pliant import _toml

#: A scene: the path of a file, or a dict of its tables.
Scene = Union[str, "os.PathLike[str]", Mapping[str, Any]]


def text_of(scene: Mapping[str, Any], folder: Any) -> tuple[str, tuple[str, str]]:
    """The text of a scene that is a dict, its name in messages, and the folder that its paths start from."""
    return _toml.dumps(scene), ("scene dict", folder_of(folder))


def folder_of(folder: Any) -> str:
    """The folder that relative paths start from."""
    return "." if folder is None else os.fspath(folder)

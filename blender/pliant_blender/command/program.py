"""Where the program `pliant` is, and what it answers at once."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..problem import Problem
from ..recording.shapes import Shape, read_shapes

#: No window of a terminal opens on Windows.
WITHOUT_WINDOW: dict[str, Any] = {"creationflags": 0x08000000} if sys.platform == "win32" else {}

_MISSING = (
    "The program pliant was not found{where}. Install it, and give its path in "
    "Edit > Preferences > Add-ons > Pliant, or put it where programs are looked for (PATH)"
)


def find_program(preferred: str) -> Path:
    """The program: at the preferred path, or if that is empty, on the PATH."""
    if preferred:
        path = Path(preferred).expanduser()
        if path.is_dir():
            path = path / ("pliant.exe" if sys.platform == "win32" else "pliant")
        if not path.is_file():
            raise Problem(_MISSING.format(where=f" at {preferred}"))
        return path
    found = shutil.which("pliant")
    if found is None:
        raise Problem(_MISSING.format(where=""))
    return Path(found)


def check_scene(program: Path, scene: Path) -> str:
    """What `pliant check` says of a scene that is right.

    Raises:
        Problem: What it says of one that is wrong.
    """
    answer = _call(program, ["check", scene.name], folder=scene.parent)
    if answer.returncode != 0:
        raise Problem(answer.stderr.strip() or f"pliant check ended with the status {answer.returncode}")
    return (answer.stdout + answer.stderr).strip()


def shapes_of(program: Path, run: Path, frames: Iterable[int] = (1,)) -> dict[str, Shape]:
    """The shapes of rigid bodies and colliders of a run that are there in some frames."""
    shapes = {}
    for frame in frames:
        with tempfile.TemporaryDirectory(prefix="pliant-") as folder:
            arguments = ["export", str(run), "--to", "glb", "--frames", f"{frame}..{frame}", "--out", folder]
            answer = _call(program, [*arguments, "--quiet"])
            if answer.returncode != 0:
                raise Problem(answer.stderr.strip() or f"pliant export ended with the status {answer.returncode}")
            shapes.update(read_shapes(Path(folder) / "animation.glb"))
    return shapes


@dataclass(frozen=True)
class Vocabulary:
    """Words that scene files know."""

    presets: tuple[str, ...]
    methods: tuple[str, ...]


@lru_cache
def vocabulary(program: Path) -> Vocabulary:
    """The words of a program's scene files, from its schema."""
    answer = _call(program, ["schema"])
    try:
        properties = json.loads(answer.stdout)["properties"]
        methods = properties["body"]["items"]["properties"]["method"]["enum"]
        presets = _first(properties["material"], "preset")["enum"]
    except (ValueError, KeyError, TypeError) as error:
        raise Problem(f"{program} printed no schema of scenes; is it another program?") from error
    return Vocabulary(tuple(presets), tuple(methods))


def _first(node: Any, key: str) -> Any:
    """The first value of a key anywhere in a tree, or None."""
    if isinstance(node, dict):
        if key in node and isinstance(node[key], dict):
            return node[key]
        node = list(node.values())
    if isinstance(node, list):
        return next((found for found in (_first(item, key) for item in node) if found is not None), None)
    return None


def _call(program: Path, arguments: list[str], folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [str(program), *arguments]
    try:
        return subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=300,
            check=False,
            **WITHOUT_WINDOW,
        )
    except OSError as error:
        raise Problem(f"{program} cannot be started: {error.strerror or error}") from error
    except subprocess.TimeoutExpired as error:
        raise Problem(f"{program} {arguments[0]} did not end within five minutes") from error

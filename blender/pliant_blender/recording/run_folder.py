"""The folder that `pliant run` writes: what it is of, and which frames are there."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..problem import Problem
from .frame import Frame
from .npz import read_npz
from .ply import read_ply
from .vtp import read_vtp

#: Formats that are read, the quickest first.
_READERS: dict[str, Callable[[Path], Frame]] = {"npz": read_npz, "vtp": read_vtp, "ply": read_ply}
_NUMBERED = re.compile(r"(particles|surface|mesh)\.(\d+)\.(npz|vtp|ply)")

#: Frames that stay in memory: the two that are interpolated between, of particles and of two kinds of surface.
_KEPT = 6


@dataclass(frozen=True)
class Body:
    """What the scene of a run says about a body."""

    name: str
    method: str
    color: str
    opacity: float
    gloss: float
    #: The first frame that has it.
    first_frame: int = 1

    @property
    def is_rigid(self) -> bool:
        """Whether it moves and turns as a whole."""
        return self.method == "rigid"


class RunFolder:
    """A run, finished or going on. Frames are read when they are asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if _report(path) is None:
            raise Problem(f"{path} is not the folder of a Pliant run: it has no run.json of Pliant")
        self.scene = _scene(path / "scene.toml")
        added = _added(path / "additions.toml")
        settings = self.scene["scene"]
        try:
            self.frame_rate = float(settings.get("frame_rate", 24.0))
            self.duration = float(settings.get("duration", 0.0))
            self.up = str(settings.get("up", "y"))
            self.bodies = [_body(table) for table in self.scene.get("body", [])]
            self.bodies += [_body(table, first_frame) for first_frame, table in added]
            self.scene["body"] = [*self.scene.get("body", []), *(table for _, table in added)]
        except (AttributeError, TypeError, ValueError) as error:
            raise Problem(f"{path / 'scene.toml'} is damaged: {error}") from error
        if not self.frame_rate > 0.0:
            raise Problem(f"{path / 'scene.toml'} is damaged: its frame rate is {self.frame_rate}")
        self._listed: dict[str, tuple[int, dict[int, Path]]] = {}
        self._kept: dict[tuple[Path, int], Frame] = {}

    @property
    def frames_planned(self) -> int:
        """Frames of the whole run, those to come too."""
        return round(self.duration * self.frame_rate) + 1

    def frames(self, series: str) -> dict[int, Path]:
        """The files of `particles`, `surface` or `mesh` by the number of the frame, in order."""
        folder = self.path / series
        try:
            changed = folder.stat().st_mtime_ns
        except OSError:
            return {}
        listed = self._listed.get(series)
        if listed is None or listed[0] != changed:
            listed = (changed, _list(folder, series))
            self._listed[series] = listed
        return listed[1]

    @property
    def frames_of_shapes(self) -> list[int]:
        """Frames in which each collider and rigid body is there for once."""
        there = self.frames("particles")
        first = {body.first_frame for body in self.bodies if body.is_rigid}
        return [1, *sorted(frame for frame in first if frame > 1 and frame in there)]

    def read(self, series: str, number: int) -> Frame:
        """A frame, from memory if it was read just before."""
        path = self.frames(series).get(number)
        if path is None:
            raise Problem(f"{self.path} has no frame {number} of {series} in a format that is read (npz, vtp, ply)")
        try:
            key = (path, path.stat().st_mtime_ns)
            if key not in self._kept:
                self._kept[key] = _READERS[path.suffix[1:]](path)
        except OSError as error:
            raise Problem(f"{path} cannot be read: {error.strerror or error}") from error
        while len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]
        return self._kept[key]

    def held(self, series: str, number: int) -> int:
        """The last frame that is there and not after this one, or the first of all."""
        there = self.frames(series)
        if not there:
            raise Problem(f"{self.path} has no frames of {series} in a format that is read (npz, vtp, ply)")
        if number in there:
            return number
        return max((frame for frame in there if frame <= number), default=next(iter(there)))


def find_run(path: Path) -> Path:
    """The folder of the run that a file or a folder belongs to."""
    if not path.exists():
        raise Problem(f"There is no {path}")
    for folder in (path, path.parent, path.parent.parent):
        if _report(folder) is not None:
            return folder
    raise Problem(f"{path} belongs to no Pliant run: choose the folder that `pliant run` wrote, or its run.json")


def _report(folder: Path) -> Mapping[str, Any] | None:
    """What `run.json` says, or None if there is none of Pliant."""
    path = folder / "run.json"
    if not path.is_file():
        return None
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Problem(f"{path} is damaged: {error}") from error
    if not isinstance(report, dict) or report.get("program") != "pliant":
        return None
    return report


def _scene(path: Path) -> dict[str, Any]:
    """The scene of a run, with every default written out."""
    try:
        scene = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise Problem(f"{path} is missing: it tells the bodies and the frame rate of the run") from error
    except (OSError, ValueError) as error:
        raise Problem(f"{path} is damaged: {error}") from error
    if not isinstance(scene.get("scene"), dict) or not isinstance(scene.get("body", []), list):
        raise Problem(f"{path} is damaged: it is not a scene of Pliant")
    return scene


def _added(path: Path) -> list[tuple[int, dict[str, Any]]]:
    """The first frame and the table of each body that was added while the run was recorded."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise Problem(f"{path} is damaged: {error}") from error
    try:
        listed = tomllib.loads(text)
        first_frames = {name: int(item["first_frame"]) for item in listed["addition"] for name in item["bodies"]}
        return [(first_frames[table["name"]], table) for table in listed.get("body", [])]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise Problem(f"{path} is damaged: {error}") from error


def _body(table: Mapping[str, Any], first_frame: int = 1) -> Body:
    return Body(
        name=str(table.get("name", "")),
        method=str(table.get("method", "")),
        color=str(table.get("color", "#c0c0c0")),
        opacity=float(table.get("opacity", 1.0)),
        gloss=float(table.get("gloss", 0.2)),
        first_frame=first_frame,
    )


def _list(folder: Path, series: str) -> dict[int, Path]:
    order = list(_READERS)
    found: dict[int, Path] = {}
    for path in folder.iterdir():
        match = _NUMBERED.fullmatch(path.name)
        if match is None or match[1] != series:
            continue
        number = int(match[2])
        best = found.get(number)
        if best is None or order.index(match[3]) < order.index(best.suffix[1:]):
            found[number] = path
    return dict(sorted(found.items()))

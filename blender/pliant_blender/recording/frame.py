"""Particles, or the vertices of a surface, at one moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..problem import Problem

#: Columns of three components, by the names of their components in files that have numbers only.
_VECTORS = {"position": ("x", "y", "z"), "velocity": ("vx", "vy", "vz")}


@dataclass(frozen=True)
class Frame:
    """What a file of a run holds. `n` is the number of its points, `m` that of its triangles."""

    position: NDArray[np.float64]
    """Positions [m], of shape (n, 3)."""
    velocity: NDArray[np.float32]
    """Velocities [m/s], of shape (n, 3)."""
    triangles: NDArray[np.int32]
    """Corners of triangles, places of points, of shape (m, 3)."""
    body: NDArray[np.int64]
    """Bodies, places in `body_names`, of shape (n,)."""
    body_names: tuple[str, ...]
    columns: Mapping[str, NDArray[Any]]
    """Every other column by its name, such as `id`, `radius`, `density`, each of shape (n,)."""
    uv: NDArray[np.float32]
    """Texture coordinates at the corners of triangles, of shape (m, 3, 2), or (0, 3, 2) if there are none."""
    inside: NDArray[np.bool_]
    """Which triangles are faces of cuts, of shape (m,), or (0,) if nothing is told."""

    def of_body(self, name: str) -> Frame:
        """The points of one body, and the triangles between them."""
        if name not in self.body_names:
            return self._chosen(np.zeros(len(self.body), dtype=bool))
        return self._chosen(self.body == self.body_names.index(name))

    def _chosen(self, chosen: NDArray[np.bool_]) -> Frame:
        places = np.cumsum(chosen) - 1
        within = chosen[self.triangles].all(axis=1)
        return Frame(
            position=self.position[chosen],
            velocity=self.velocity[chosen],
            triangles=places[self.triangles[within]].astype(np.int32).reshape(-1, 3),
            body=self.body[chosen],
            body_names=self.body_names,
            columns={name: values[chosen] for name, values in self.columns.items()},
            uv=self.uv[within] if len(self.uv) else self.uv,
            inside=self.inside[within] if len(self.inside) else self.inside,
        )


@dataclass(frozen=True)
class Triangles:
    """What a file tells of triangles."""

    corners: NDArray[Any]
    """Places of points, three a triangle."""
    uv: NDArray[Any] | None = None
    """Six texture coordinates a triangle."""
    inside: NDArray[Any] | None = None
    """Not zero for faces of cuts."""


def frame_of(columns: Mapping[str, NDArray[Any]], triangles: Triangles, body_names: Sequence[str], path: Path) -> Frame:
    """A frame of the columns of a file, which are checked."""
    vectors, scalars = _split(columns)
    position = vectors.get("position")
    if position is None:
        raise damaged(path, "it has no positions")
    count = len(position)
    velocity = vectors.get("velocity", np.zeros((count, 3), dtype=np.float32))
    body = np.asarray(scalars.pop("body", np.zeros(count)), dtype=np.int64)
    for name, values in {**vectors, **scalars, "body": body}.items():
        if len(values) != count:
            raise damaged(path, f"it has {count} positions, and {len(values)} values of {name}")
    if not np.isfinite(position).all():
        raise damaged(path, "a position is not a finite number")
    corners = np.asarray(triangles.corners, dtype=np.int64).reshape(-1, 3)
    uv = _of_triangles(triangles.uv, 6, len(corners), path)
    inside = _of_triangles(triangles.inside, 1, len(corners), path)
    if corners.size and (corners.min() < 0 or corners.max() >= count):
        raise damaged(path, "a triangle has a corner that is not there")
    if body.size and (body.min() < 0 or body.max() >= len(body_names)):
        raise damaged(path, "a particle is of a body that has no name")
    return Frame(
        position=np.asarray(position, dtype=np.float64),
        velocity=np.asarray(velocity, dtype=np.float32),
        triangles=corners.astype(np.int32),
        body=body,
        body_names=tuple(body_names),
        columns=scalars,
        uv=uv.astype(np.float32).reshape(-1, 3, 2),
        inside=inside.astype(bool),
    )


def _of_triangles(values: NDArray[Any] | None, each: int, count: int, path: Path) -> NDArray[Any]:
    """So many values a triangle one after the other, or none."""
    flat = np.zeros(0) if values is None else np.asarray(values).ravel()
    if len(flat) not in (0, each * count):
        raise damaged(path, f"it has {count} triangles, and {len(flat)} values that should be {each} for each")
    return flat


def damaged(path: Path, why: str) -> Problem:
    """What is said of a file that cannot be read."""
    return Problem(f"{path.name} is damaged: {why}. Its folder is {path.parent}")


def _split(columns: Mapping[str, NDArray[Any]]) -> tuple[dict[str, NDArray[Any]], dict[str, NDArray[Any]]]:
    """Columns of shape (n, 3), put together from their components where they are apart, and columns of shape (n,)."""
    vectors = {name: values for name, values in columns.items() if values.ndim == 2 and values.shape[1] == 3}
    scalars = {name: values for name, values in columns.items() if values.ndim == 1}
    for name, parts in _VECTORS.items():
        if name not in vectors and all(part in scalars for part in parts):
            vectors[name] = np.stack([scalars.pop(part) for part in parts], axis=1)
    return vectors, scalars

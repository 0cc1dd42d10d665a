"""What a scene is made of, in the words of the scene file: metres, seconds, z up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .mesh_file import Mesh

Vector = tuple[float, float, float]


def plain_name(name: str) -> str:
    """A name as scene files take it: up to 64 letters, digits, - and _."""
    return re.sub(r"[^\w-]", "_", name)[:64]


@dataclass(frozen=True)
class Pose:
    """Where something is at a time."""

    time: float
    """[s]"""
    position: Vector
    """[m]"""
    rotation: Vector
    """About its own x, then y, then z axis [degrees], without jumps from one pose to the next."""


@dataclass(frozen=True)
class Material:
    """A preset and what differs from it; without a preset, all keys of a material."""

    preset: str
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class BodyMark:
    """A body that fills a mesh; without one an emitter adds its particles."""

    name: str
    material: Material
    mesh: Mesh | None
    spacing: float
    velocity: Vector = (0.0, 0.0, 0.0)
    carries_mesh: bool = False
    """Whether the mesh is embedded in the body and deforms with it."""
    color: str | None = None
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ColliderMark:
    """An obstacle."""

    name: str
    kind: str
    """`solid`, `shell`, or `plane`, whose normal is its own z axis."""
    mesh: Mesh | None
    """In its own coordinates."""
    poses: Sequence[Pose]
    """One if it is at rest."""
    friction: float = 0.5
    frames: Sequence[Mesh] = ()
    """The mesh in each frame of the timeline, with the same triangles, if it deforms."""
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class EmitterMark:
    """What adds particles to a body."""

    name: str
    body: str
    mesh: Mesh
    velocity: Vector = (0.0, 0.0, 0.0)
    rate: float = 0.0
    """Particles a second; 0: as many as find room."""
    start: float = 0.0
    stop: float | None = None
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PinMark:
    """A region that holds the particles of a body that lie in it at the start, and takes them along."""

    name: str
    body: str
    mesh: Mesh
    """In its own coordinates."""
    poses: Sequence[Pose]
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SceneMarks:
    """A whole scene."""

    title: str
    duration: float
    frame_rate: float
    gravity: Vector
    bodies: Sequence[BodyMark]
    colliders: Sequence[ColliderMark] = ()
    emitters: Sequence[EmitterMark] = ()
    pins: Sequence[PinMark] = ()

"""Where colliders are: the `motion` of a scene file."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

Quaternion = tuple[float, float, float, float]
Vector = tuple[float, float, float]


def pose_at(collider: Mapping[str, Any], time: float) -> tuple[Vector, Quaternion]:
    """Position [m] and rotation (w, x, y, z) of a collider at a time [s]."""
    motion = collider.get("motion") or {}
    position = _vector(collider.get("position"))
    rotation = _vector(collider.get("rotation"))
    keyframes = motion.get("keyframes")
    if keyframes:
        ease = motion.get("ease", "linear")
        place = _interpolated(keyframes, "position", position, time, ease)
        return place, from_degrees(_interpolated(keyframes, "rotation", rotation, time, ease))
    moved = _sum(position, _times(_vector(motion.get("velocity")), time))
    spin = _times(_vector(motion.get("spin")), math.radians(time))
    return moved, _product(_from_rotation_vector(spin), from_degrees(rotation))


def is_moving(collider: Mapping[str, Any]) -> bool:
    """Whether it is anywhere else at another time."""
    motion = collider.get("motion") or {}
    return bool(motion.get("keyframes")) or any(motion.get("velocity") or []) or any(motion.get("spin") or [])


def from_degrees(rotation: Sequence[float]) -> Quaternion:
    """Rotations about an object's own x, then y, then z axis [degrees] as a quaternion."""
    turn: Quaternion = (1.0, 0.0, 0.0, 0.0)
    for axis, angle in enumerate(rotation):
        half = math.radians(angle) / 2.0
        about = [0.0, 0.0, 0.0]
        about[axis] = math.sin(half)
        turn = _product(turn, (math.cos(half), about[0], about[1], about[2]))
    return turn


def _interpolated(keyframes: Sequence[Mapping[str, Any]], key: str, default: Vector, time: float, ease: str) -> Vector:
    values = [(float(frame["t"]), _vector(frame.get(key), default)) for frame in keyframes]
    if time <= values[0][0]:
        return values[0][1]
    for (start, before), (end, after) in pairwise(values):
        if time < end:
            share = (time - start) / (end - start)
            share = share * share * (3.0 - 2.0 * share) if ease == "smooth" else share
            return _sum(_times(before, 1.0 - share), _times(after, share))
    return values[-1][1]


def _vector(values: Sequence[float] | None, default: Vector = (0.0, 0.0, 0.0)) -> Vector:
    return default if values is None else (float(values[0]), float(values[1]), float(values[2]))


def _sum(a: Vector, b: Vector) -> Vector:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def _times(a: Vector, factor: float) -> Vector:
    return (a[0] * factor, a[1] * factor, a[2] * factor)


def _from_rotation_vector(vector: Vector) -> Quaternion:
    angle = math.hypot(*vector)
    if angle == 0.0:
        return (1.0, 0.0, 0.0, 0.0)
    axis = _times(vector, math.sin(angle / 2.0) / angle)
    return (math.cos(angle / 2.0), *axis)


def _product(a: Quaternion, b: Quaternion) -> Quaternion:
    """The rotation b, then a."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )

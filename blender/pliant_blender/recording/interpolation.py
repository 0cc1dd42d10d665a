"""A run at any time: between two frames particles move along the cubics that their velocities ask for."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .frame import Frame
from .run_folder import RunFolder

#: A number of a frame that is off by less is taken for the frame itself.
_TOLERANCE = 1e-4


def frame_number(timeline: float, start: float, scene_rate: float, run_rate: float, speed: float = 1.0) -> float:
    """The number of the run's frame that is shown at a frame of the timeline; 1 is the initial state.

    Args:
        timeline: Frame of the timeline, with its fraction.
        start: Frame of the timeline that shows the initial state.
        scene_rate: Frames a second of the timeline.
        run_rate: Frames a second of the run.
        speed: Simulated seconds in a second of the film.
    """
    return 1.0 + (timeline - start) / scene_rate * speed * run_rate


def frame_at(run: RunFolder, series: str, number: float) -> Frame:
    """A frame of a run; where files are missing, the last one before is held."""
    nearest = round(number)
    if abs(number - nearest) < _TOLERANCE:
        number = nearest
    whole = math.floor(number)
    held = run.held(series, whole)
    before = run.read(series, held)
    share = number - whole
    if share == 0.0 or held != whole or whole + 1 not in run.frames(series):
        return before
    after = run.read(series, whole + 1)
    # Only particles keep their numbers; a surface is another one in each frame unless its triangles are the same.
    if series != "particles" and not np.array_equal(before.triangles, after.triangles):
        return _moved_on(before, share / run.frame_rate)
    return between(before, after, share, 1.0 / run.frame_rate)


def between(before: Frame, after: Frame, share: float, duration: float) -> Frame:
    """The frame at a share of the time between two. Points that are not in the second move on as they did."""
    result = _moved_on(before, share * duration)
    if "id" not in before.columns or "id" not in after.columns:
        return result
    _, i, j = np.intersect1d(before.columns["id"], after.columns["id"], return_indices=True)
    ends = (before.position[i], after.position[j])
    velocities = (before.velocity[i], after.velocity[j])
    position, velocity = _hermite(ends, velocities, share, duration)
    result.position[i] = position
    result.velocity[i] = velocity
    return replace(result, columns={**before.columns, **_rotations(before, after, i, j, share)})


def _moved_on(frame: Frame, time: float) -> Frame:
    """All points moved by their velocities, in arrays of their own."""
    return replace(frame, position=frame.position + frame.velocity * time, velocity=frame.velocity.copy())


Pair = tuple[NDArray[Any], NDArray[Any]]


def _hermite(ends: Pair, velocities: Pair, share: float, duration: float) -> Pair:
    """Positions and velocities on cubic Hermite curves."""
    s = share
    start, end = ends
    v_start, v_end = (velocity.astype(np.float64) * duration for velocity in velocities)
    moved = end - start
    position = start + (3.0 * s**2 - 2.0 * s**3) * moved + (s**3 - 2.0 * s**2 + s) * v_start + (s**3 - s**2) * v_end
    change = (6.0 * s - 6.0 * s**2) * moved + (3.0 * s**2 - 4.0 * s + 1.0) * v_start + (3.0 * s**2 - 2.0 * s) * v_end
    return position, change / duration


def _rotations(before: Frame, after: Frame, i: NDArray[Any], j: NDArray[Any], share: float) -> dict[str, NDArray[Any]]:
    """Rotations between those of two frames, along the shorter way, as normalised sums; empty if there are none."""
    names = [f"rotation_{axis}" for axis in "xyzw"]
    if any(name not in frame.columns for name in names for frame in (before, after)):
        return {}
    mixed = np.stack([before.columns[name] for name in names], axis=1)
    first = mixed[i]
    second = np.stack([after.columns[name] for name in names], axis=1)[j]
    second = np.where((first * second).sum(axis=1, keepdims=True) < 0.0, -second, second)
    mixed[i] = (1.0 - share) * first + share * second
    mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
    return {name: mixed[:, place] for place, name in enumerate(names)}

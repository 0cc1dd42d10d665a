"""Scooping sand with a driven ladle, in many worlds: what both environments are made of."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.batch import Batch

#: Numbers of an action: velocity along x and y, spin about z.
ACTIONS = 3
#: Parts of the tray along x whose heights are observed.
PARTS = 8
#: Numbers of an observation.
OBSERVATIONS = 5 + PARTS

# The tray [m]: half its length and width, and the height of its rim.
_LENGTH, _WIDTH, _RIM = 0.2, 0.08, 0.12
_SPACING, _DENSITY = 0.02, 1600.0
# The ladle [m]: its outer and inner radius; its origin is the middle of its rim.
_OUTER, _INNER = 0.075, 0.055
# Where its origin may be [m], at least and at most, along x and y.
_LEAST, _MOST = np.array([-0.11, 0.09]), np.array([0.11, 0.30])
# What an action of 1 means [m/s, m/s, rad/s], and how far the ladle may turn [rad].
_SPEED, _TURN = np.array([0.4, 0.4, 2.0]), 1.6
# Frames a second, frames a step, seconds an episode.
_RATE, _FRAMES, _EPISODE = 20.0, 2, 6.0
# Reward [kg] for each step at full speed.
_EFFORT = 1e-3


def scene() -> dict[str, Any]:
    """The scene: a tray of sand, and a ladle that is driven."""
    outside = {"box": {"size": [2 * _LENGTH + 0.1, 0.3, 2 * _WIDTH + 0.1]}, "position": [0.0, 0.0, 0.0]}
    inside = {"box": {"size": [2 * _LENGTH, 0.3, 2 * _WIDTH]}, "position": [0.0, 0.15, 0.0]}
    hollow = {"sphere": {"radius": _INNER}}
    above = {"box": {"size": [0.4, 0.2, 0.4]}, "position": [0.0, 0.1, 0.0]}
    bounds = {"min": [-0.5, -0.3, -0.5], "max": [0.5, 0.8, 0.5], "on_exit": "stop"}
    return {
        "scene": {"title": "Scooping sand", "duration": _EPISODE, "frame_rate": _RATE, "bounds": bounds},
        "material": {
            "sand": {
                "law": "drucker-prager",
                "density": _DENSITY,
                "youngs_modulus": 8e4,
                "friction_angle": 32.0,
            }
        },
        "body": [
            {
                "name": "sand",
                "material": "sand",
                "shape": {"box": {"size": [2 * _LENGTH - _SPACING, 0.06, 2 * _WIDTH - _SPACING]}},
                "position": [0.0, 0.04, 0.0],
                "spacing": _SPACING,
            }
        ],
        "collider": [
            {"name": "tray", "shape": {"sdf": {"difference": [outside, inside]}}, "friction": 0.5},
            {
                "name": "ladle",
                "shape": {"sdf": {"difference": [{"sphere": {"radius": _OUTER}}, hollow, above]}},
                "position": [0.0, 0.25, 0.0],
                "friction": 0.4,
                "driven": True,
            },
        ],
    }


class Scooping:
    """Worlds in which a ladle scoops sand; ``w`` is their number."""

    def __init__(self, worlds: int, threads: int) -> None:
        self._batch = Batch(scene(), worlds, threads=threads)
        self._left = np.zeros(worlds)
        self._in_ladle = np.zeros(worlds)
        self._lifted = np.zeros(worlds)
        self._look()

    def reset(self, worlds: list[int], places: NDArray[np.float64]) -> None:
        """Starts episodes in worlds, the ladle over places of the tray along x, -1 to 1 from end to end."""
        self._batch.reset(worlds)
        positions, _ = self._batch.collider_poses("ladle")
        velocity = np.zeros((len(self._batch), 3))
        velocity[worlds, 0] = (places * _MOST[0] - positions[worlds, 0]) * _RATE
        # In one frame it is there.
        self._batch.drive("ladle", velocity)
        self._batch.step(1, worlds)
        self._left[worlds] = _EPISODE
        self._look()

    def step(self, actions: NDArray[Any], moves: NDArray[np.bool_] | None = None) -> NDArray[np.float64]:
        """Moves the ladles of the worlds that move for 0.1 s; the rewards, of shape (w,)."""
        wanted = np.clip(np.asarray(actions, dtype=np.float64), -1.0, 1.0)
        time = _FRAMES / _RATE
        now = np.column_stack([self._position[:, :2], self._angle])
        least, most = np.append(_LEAST, -_TURN), np.append(_MOST, _TURN)
        motion = (np.clip(now + wanted * _SPEED * time, least, most) - now) / time
        velocity, spin = np.zeros((2, len(self._batch), 3))
        velocity[:, :2], spin[:, 2] = motion[:, :2], motion[:, 2]
        self._batch.drive("ladle", velocity, spin)
        self._batch.step(_FRAMES, moves)
        self._left[slice(None) if moves is None else moves] -= time
        before = self._in_ladle + self._lifted
        self._look()
        effort = _EFFORT * np.square(wanted).mean(axis=1)
        return np.asarray(self._in_ladle + self._lifted - before - effort)

    def is_over(self) -> NDArray[np.bool_]:
        """Whether the time of the episodes is over, of shape (w,)."""
        return np.asarray(self._left < 0.5 * _FRAMES / _RATE)

    def observe(self) -> NDArray[np.float32]:
        """What is seen of the worlds, of shape (w, OBSERVATIONS)."""
        scalars = np.column_stack([self._position[:, :2], self._angle, self._in_ladle, self._left])
        return np.column_stack([scalars, self._heights]).astype(np.float32)

    def _look(self) -> None:
        grains = self._batch.positions()
        self._position, turned = self._batch.collider_poses("ladle")
        self._angle = 2.0 * np.arctan2(turned[:, 2], turned[:, 3])
        from_ladle = grains - self._position[:, None]
        up = np.column_stack([-np.sin(self._angle), np.cos(self._angle)])
        height = np.einsum("wni,wi->wn", from_ladle[..., :2], up)
        inside = (np.linalg.norm(from_ladle, axis=2) < _OUTER) & (height < _SPACING)
        mass = _DENSITY * _SPACING**3
        self._in_ladle = mass * inside.sum(axis=1)
        self._lifted = mass * (inside & (grains[..., 1] > _RIM)).sum(axis=1)
        part = np.clip(((grains[..., 0] / _LENGTH + 1.0) * 0.5 * PARTS).astype(int), 0, PARTS - 1)
        in_tray = np.where(inside, 0.0, grains[..., 1])
        self._heights = np.zeros((len(grains), PARTS))
        np.maximum.at(self._heights, (np.arange(len(grains))[:, None], part), in_tray)

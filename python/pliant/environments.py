"""Environments for Gymnasium: scooping sand with a driven ladle, one world or many.

Who imports this module has them registered as ``pliant/ScoopSand-v0``:

>>> import gymnasium
>>> import pliant.environments
>>> env = gymnasium.make("pliant/ScoopSand-v0")
>>> envs = gymnasium.make_vec("pliant/ScoopSand-v0", num_envs=8)
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from pliant._scooping import ACTIONS, OBSERVATIONS, Scooping

Floats = NDArray[np.float32]


def _spaces() -> tuple[Any, Any]:
    observations = gymnasium.spaces.Box(-np.inf, np.inf, (OBSERVATIONS,), np.float32)
    return observations, gymnasium.spaces.Box(-1.0, 1.0, (ACTIONS,), np.float32)


class ScoopSand(gymnasium.Env[Floats, Floats]):
    """A ladle is to take sand out of a tray and lift it.

    An action has three numbers from -1 to 1: the velocity of the ladle along x and along y, 1 is 0.4 m/s, and how it
    turns about z, 1 is 2 rad/s. A step is 0.1 s. An observation has 13 numbers: x and y of the ladle [m], its angle
    [rad], the mass in it [kg], the time that is left [s], and the height of the sand [m] in eight parts of the
    tray along x. The reward is the mass [kg] that has come into the ladle, and as much again for what of it is
    lifted over the rim, less a little for moving. An episode is truncated after 6 s.

    The same seed and the same actions give the same bits.
    """

    metadata = {"render_modes": []}

    def __init__(self, render_mode: str | None = None) -> None:
        if render_mode is not None:
            raise ValueError(f"there is no render_mode {render_mode!r}; leave it out")
        observations, actions = _spaces()
        self.observation_space: gymnasium.spaces.Space[Floats] = observations
        self.action_space: gymnasium.spaces.Space[Floats] = actions
        self._scooping = Scooping(1, threads=1)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Starts an episode, the ladle somewhere over the tray."""
        super().reset(seed=seed)
        self._scooping.reset([0], self.np_random.uniform(-1.0, 1.0, 1))
        return self._scooping.observe()[0], {}

    def step(self, action: Floats) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Moves the ladle for 0.1 s."""
        reward = self._scooping.step(np.asarray(action)[None])
        truncated = bool(self._scooping.is_over()[0])
        return self._scooping.observe()[0], float(reward[0]), False, truncated, {}


class ScoopSandVector(VectorEnv[Floats, Floats, NDArray[Any]]):
    """Many of them, stepped on all cores. A world whose episode is over starts again in the step after.

    Args:
        num_envs: How many.
        threads: Threads that compute; 0 takes one a core. The bits do not depend on it.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, num_envs: int = 1, threads: int = 0, render_mode: str | None = None) -> None:
        if render_mode is not None:
            raise ValueError(f"there is no render_mode {render_mode!r}; leave it out")
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = _spaces()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._scooping = Scooping(num_envs, threads)
        self._starts = np.zeros(num_envs, dtype=bool)
        self._random = [np.random.default_rng() for _ in range(num_envs)]

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Starts all episodes. World k has the seed ``seed + k``, or its own of a list."""
        seeds = [seed + k for k in range(self.num_envs)] if isinstance(seed, int) else seed
        for k, own in enumerate(seeds or []):
            if own is not None:
                self._random[k], _ = gymnasium.utils.seeding.np_random(own)
        self._start(range(self.num_envs))
        self._starts[:] = False
        return self._scooping.observe(), {}

    def _start(self, worlds: Any) -> None:
        numbers = list(worlds)
        places = np.array([self._random[k].uniform(-1.0, 1.0, 1)[0] for k in numbers])
        self._scooping.reset(numbers, places)

    def step(self, actions: Floats) -> tuple[Floats, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Moves the ladles for 0.1 s; worlds whose episode was over start again."""
        starts = self._starts.copy()
        reward = self._scooping.step(actions, ~starts)
        if starts.any():
            self._start(np.flatnonzero(starts).tolist())
        self._starts = self._scooping.is_over()
        terminated = np.zeros(self.num_envs, dtype=bool)
        return self._scooping.observe(), np.where(starts, 0.0, reward), terminated, self._starts.copy(), {}


gymnasium.register(
    id="pliant/ScoopSand-v0",
    entry_point="pliant.environments:ScoopSand",
    vector_entry_point="pliant.environments:ScoopSandVector",
)

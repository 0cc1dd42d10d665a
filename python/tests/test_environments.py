"""The environments are what Gymnasium expects, and many are as one."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pliant.environments
from gymnasium.utils.env_checker import check_env


def actions(count: int) -> Any:
    """Down into the sand, along, up."""
    moves = [(0.0, -1.0, 0.0)] * 5 + [(1.0, 0.0, 0.0)] * 4 + [(0.2, 0.0, 0.5)] * 2 + [(0.0, 1.0, 0.0)] * 8
    return np.array(moves[:count], dtype=np.float32)


def test_gymnasium_finds_no_fault() -> None:
    env = pliant.environments.ScoopSand()
    with warnings.catch_warnings():
        # Numbers of an observation have no bounds that are known before.
        warnings.filterwarnings("ignore", message=".*infinity.*")
        warnings.filterwarnings("ignore", message=".*spec.*")
        check_env(env, skip_render_check=True)


def test_it_is_registered() -> None:
    env = gymnasium.make("pliant/ScoopSand-v0")
    observation, _ = env.reset(seed=1)
    assert observation.shape == (13,)
    envs = gymnasium.make_vec("pliant/ScoopSand-v0", num_envs=2)
    assert envs.reset(seed=1)[0].shape == (2, 13)


def test_sand_is_scooped_and_lifted() -> None:
    env = pliant.environments.ScoopSand()
    env.reset(seed=3)
    observation, total = np.zeros(13, dtype=np.float32), 0.0
    for action in actions(19):
        observation, reward, _, _, _ = env.step(action)
        total += reward
    assert observation[3] > 0.05, "some grains are in the ladle"
    assert total > 0.05


def test_many_have_the_bits_of_one_and_start_again_alone() -> None:
    seeds = [5, 6, 7]
    envs = pliant.environments.ScoopSandVector(3)
    first, _ = envs.reset(seed=seeds[0])
    alone = [pliant.environments.ScoopSand() for _ in seeds]
    starts = [env.reset(seed=seed)[0] for env, seed in zip(alone, seeds)]
    assert (first == np.stack(starts)).all()
    for action in actions(8):
        together, rewards, _, _, _ = envs.step(np.stack([action, -action, 0 * action]))
        for k, sign in enumerate((1, -1, 0)):
            observation, reward, *_ = alone[k].step(sign * action)
            assert (observation == together[k]).all() and reward == rewards[k]


def test_an_episode_ends_and_the_next_step_starts_another() -> None:
    envs = pliant.environments.ScoopSandVector(2)
    envs.reset(seed=1)
    still = np.zeros((2, 3), dtype=np.float32)
    for _ in range(59):
        _, _, _, truncated, _ = envs.step(still)
        assert not truncated.any()
    _, _, terminated, truncated, _ = envs.step(still)
    assert truncated.all() and not terminated.any()
    observation, reward, _, truncated, _ = envs.step(still)
    assert not truncated.any() and (reward == 0.0).all() and (observation[:, 4] == 6.0).all()

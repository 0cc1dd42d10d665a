"""Data sets are what learned simulators read, the same for all executors, and can be gone on with."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pliant import InvalidValueError, SceneError, _trajectory
from pliant.dataset import dataset
from pliant.executors import RayExecutor
from scenes import block

ARGUMENTS: dict[str, Any] = {
    "scene": block(),
    "trajectories": 3,
    "frames": 6,
    "every": 2,
    "seed": 7,
    "values": {
        "collider.floor.friction": lambda random: random.uniform(0.1, 0.9),
        "body.block.velocity": lambda random: random.normal(size=3),
    },
}


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a data set."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_executors_and_repetitions_change_no_byte(tmp_path: Path) -> None:
    metadata = dataset(tmp_path / "a", **ARGUMENTS)
    here = contents(tmp_path / "a")
    assert set(here) == {"metadata.json", "manifest.json", "plan.json"} | {f"trajectories/{k:05}.npz" for k in range(3)}
    assert json.loads(here["metadata.json"]) == metadata
    with ThreadPoolExecutor(2) as threads:
        dataset(tmp_path / "b", **ARGUMENTS, executor=threads)
    with ProcessPoolExecutor(2, get_context("spawn")) as processes:
        dataset(tmp_path / "c", **ARGUMENTS, executor=processes)
    assert contents(tmp_path / "b") == here and contents(tmp_path / "c") == here
    kept = (tmp_path / "a" / "trajectories" / "00000.npz").stat().st_mtime_ns
    (tmp_path / "a" / "trajectories" / "00001.npz").unlink()
    (tmp_path / "a" / "manifest.json").unlink()
    dataset(tmp_path / "a", **ARGUMENTS)
    assert contents(tmp_path / "a") == here
    assert (tmp_path / "a" / "trajectories" / "00000.npz").stat().st_mtime_ns == kept


@pytest.mark.parametrize("format", ["npz", "hdf5"])
def test_arrays_and_statistics_are_those_of_the_simulations(format: str, tmp_path: Path) -> None:
    if format == "hdf5":
        pytest.importorskip("h5py")
    metadata = dataset(tmp_path, **ARGUMENTS, format=format)
    read = [_trajectory.read(path) for path in sorted((tmp_path / "trajectories").iterdir())]
    assert [one["positions"].shape for one in read] == [(4, 64, 3)] * 3
    assert (read[0]["particle_types"] == 0).all() and list(read[0]["type_names"]) == ["block"]
    drawn = [float(one["parameters/collider.floor.friction"]) for one in read]
    assert len(set(drawn)) == 3 and all(0.1 <= value <= 0.9 for value in drawn)
    velocities = np.concatenate([np.diff(one["positions"].astype(float), axis=0).reshape(-1, 3) for one in read])
    assert metadata["vel_mean"] == pytest.approx(velocities.mean(axis=0).tolist())
    assert metadata["vel_std"] == pytest.approx(velocities.std(axis=0).tolist(), rel=1e-6)
    assert metadata["dim"] == 3 and metadata["sequence_length"] == 3 and len(metadata["bounds"]) == 3
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert [entry["values"]["collider.floor.friction"] for entry in manifest["trajectories"]] == drawn


def test_a_seed_and_a_key_draw_alone() -> None:
    from pliant.dataset import _plan

    def drawn(seed: int, keys: list[str]) -> list[dict[str, Any]]:
        values: Any = {key: lambda random: random.uniform() for key in keys}
        return [task.values for task in _plan(block(), 2, 2, seed, values, 1, "npz", 1)]

    assert drawn(1, ["a"]) == drawn(1, ["a"]) != drawn(2, ["a"])
    assert [of["a"] for of in drawn(1, ["b", "a"])] == [of["a"] for of in drawn(1, ["a"])]


def test_what_is_wrong_is_told(tmp_path: Path) -> None:
    dataset(tmp_path / "a", **ARGUMENTS)
    with pytest.raises(InvalidValueError, match="another data set"):
        dataset(tmp_path / "a", **{**ARGUMENTS, "seed": 8})
    with pytest.raises(InvalidValueError, match="npz, hdf5"):
        dataset(tmp_path / "b", **ARGUMENTS, format="csv")
    with pytest.raises(InvalidValueError, match="three rows"):
        dataset(tmp_path / "b", **{**ARGUMENTS, "frames": 3})
    wrong = {**ARGUMENTS, "values": {"body.block.spacing": lambda random: -1.0}}
    with pytest.raises(SceneError) as error:
        dataset(tmp_path / "c", **wrong)
    assert error.value.key == "body.block.spacing"
    with ProcessPoolExecutor(1, get_context("spawn")) as processes, pytest.raises(SceneError):
        dataset(tmp_path / "d", **wrong, executor=processes)


def test_the_executor_of_a_dask_client_changes_no_byte(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        dataset(tmp_path / "a", **ARGUMENTS, executor=client.get_executor())
    dataset(tmp_path / "b", **ARGUMENTS)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


@pytest.fixture(scope="module")
def workers_of_ray() -> Iterator[Executor]:
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    with RayExecutor(num_cpus=1) as executor:
        yield executor
    ray.shutdown()


def test_ray_changes_no_byte(tmp_path: Path, workers_of_ray: Executor) -> None:
    dataset(tmp_path / "a", **ARGUMENTS, executor=workers_of_ray)
    dataset(tmp_path / "b", **ARGUMENTS)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_an_error_in_a_worker_of_ray_says_what_is_wrong(tmp_path: Path, workers_of_ray: Executor) -> None:
    wrong = {**ARGUMENTS, "values": {"body.block.spacing": lambda random: -1.0}}
    with pytest.raises(SceneError):
        dataset(tmp_path / "d", **wrong, executor=workers_of_ray)


def test_an_executor_of_ray_that_was_shut_down_takes_nothing_more(workers_of_ray: Executor) -> None:
    executor = RayExecutor()
    future = executor.submit(divmod, 7, 2)
    executor.shutdown()
    assert future.done() and future.result() == (3, 1)
    with pytest.raises(RuntimeError, match="shut down"):
        executor.submit(divmod, 7, 2)


def dies_once(folder: str, task: _trajectory.Task) -> int:
    """Ends its process in the first try at a trajectory."""
    mark = Path(folder) / "died"
    if task.number == 1 and not mark.exists():
        mark.touch()
        os._exit(1)
    return _trajectory.make(folder, task)


class NewAfterDeath:
    """Executors of one process each; a task whose process dies fails, as on a cluster."""

    def submit(self, _make: Any, folder: str, task: _trajectory.Task) -> Any:
        """Runs a task in a process of its own."""
        pool = ProcessPoolExecutor(1, get_context("spawn"))
        future = pool.submit(dies_once, folder, task)
        pool.shutdown(wait=False)
        return future


def test_what_a_killed_worker_had_is_done_again(tmp_path: Path) -> None:
    executor: Any = NewAfterDeath()
    dataset(tmp_path / "a", **ARGUMENTS, executor=executor)
    (tmp_path / "a" / "died").unlink()
    dataset(tmp_path / "b", **ARGUMENTS)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")

"""Data sets for learned simulators: trajectories of one scene with values drawn from one seed.

The folder that `dataset` writes:

- ``metadata.json``: dimension, time between rows, bounds, normalisation statistics of velocities and accelerations,
  names of particle types, as learned simulators read them;
- ``trajectories/00000.npz``, or ``.h5``: ``positions`` [m] of shape (rows, particles, 3), ``particle_types`` of shape
  (particles,), and the values of the trajectory, one array each, under ``parameters``;
- ``manifest.json``: scene, seed, and of each trajectory its values, its numbers and the hash of its file.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, as_completed
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant import _arguments, _progress, _source, _toml, _trajectory
from pliant.errors import InvalidValueError, PliantError

if TYPE_CHECKING:
    import numpy as np

#: Draws a value of a trajectory: from a generator that belongs to it and to the key.
Draw = Callable[["np.random.Generator"], Any]


def dataset(
    folder: str | os.PathLike[str],
    scene: _source.Scene,
    *,
    trajectories: int,
    frames: int,
    seed: int = 0,
    values: Mapping[str, Draw] | None = None,
    every: int = 1,
    format: str = "npz",
    executor: Executor | None = None,
    threads: int = 1,
    progress: bool = False,
) -> dict[str, Any]:
    """Writes trajectories of a scene, each with values of its own, and what describes them.

    The same arguments give the same bytes, whatever the executor. Trajectories that the folder has already are
    left as they are, so that a call that was ended can be repeated; each file is whole under its name. A task that
    an executor loses is repeated once.

    Args:
        folder: Where to; it is made if it is not there.
        scene: The path of a scene file, or its tables: a dict or a `pliant.scene.Scene`, with paths that start from
            the current folder.
        trajectories: How many.
        frames: Frames of each after the initial one.
        seed: What all values are drawn from.
        values: For each key of the scene that differs, how it is drawn:
            ``{"material.sand.friction_angle": lambda random: random.uniform(20, 40)}``.
        every: Frames between two rows.
        format: ``"npz"``, or ``"hdf5"`` if h5py is there.
        executor: Any executor whose futures are those of `concurrent.futures`, that of a Dask client too; without
            one, trajectories are made here, one after the other.
        threads: Threads of each trajectory.
        progress: Shows a bar.

    Returns:
        What ``metadata.json`` holds.

    Raises:
        InvalidValueError: A number is out of its range, or the folder holds another data set.
        SceneError: The scene is wrong with the values of a trajectory.
        PliantError: Trajectories could not be made; the text names them and why.
    """
    plan = _plan(scene, trajectories, frames, seed, values or {}, every, format, threads)
    root = Path(folder)
    (root / "trajectories").mkdir(parents=True, exist_ok=True)
    _claim(root, plan)
    missing = [task for task in plan if not (root / task.file).exists()]
    steps = iter(_progress.counted(len(missing), "trajectories", progress))
    for _ in _made(root, missing, executor):
        next(steps, None)
    next(steps, None)
    return _describe(root, plan)


def _plan(
    scene: _source.Scene,
    trajectories: int,
    frames: int,
    seed: int,
    values: Mapping[str, Draw],
    every: int,
    format: str,
    threads: int,
) -> list[_trajectory.Task]:
    """What is to be made, decided before anything is."""
    import numpy as np

    if format not in _trajectory.FORMATS:
        raise InvalidValueError(f"a format is one of {', '.join(_trajectory.FORMATS)}, not {format!r}")
    count = _arguments.count(trajectories, "trajectories")
    step, last = _arguments.count(every, "every"), _arguments.count(frames, "frames")
    if step == 0 or last < 2 * step:
        raise InvalidValueError("a trajectory has at least three rows: every >= 1 and frames >= 2 every")
    text, base = _text_and_folder(scene)
    tasks = []
    for number in range(count):
        drawn = {}
        for key in sorted(values):
            # Of the key's letters too: another key does not change what this one draws.
            letters = int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "little")
            random = np.random.default_rng([_arguments.count(seed, "a seed"), number, letters])
            drawn[key] = _plain(values[key](random))
        tasks.append(
            _trajectory.Task(number, text, base, drawn, last, step, format, _arguments.count(threads, "threads"))
        )
    return tasks


def _text_and_folder(scene: _source.Scene) -> tuple[str, str]:
    """The text of a scene, and the folder that its paths start from."""
    if isinstance(scene, (str, os.PathLike)):
        return Path(scene).read_text(encoding="utf-8"), str(Path(scene).resolve().parent)
    return _source.text_of(scene, None)[0], os.getcwd()


def _plain(value: Any) -> Any:
    to_list = getattr(value, "tolist", None)
    return value if to_list is None else to_list()


def _claim(root: Path, plan: list[_trajectory.Task]) -> None:
    """Notes what the folder is to hold, or finds that it is to hold something else."""
    text = json.dumps([task.identity() for task in plan], indent=1) + "\n"
    path = root / "plan.json"
    if not path.exists():
        _trajectory.write_whole(path, text.encode())
    elif path.read_text(encoding="utf-8") != text:
        raise InvalidValueError(f"{root} holds another data set: take an empty folder, or the arguments of that one")


def _made(root: Path, tasks: list[_trajectory.Task], executor: Executor | None) -> Any:
    """Makes trajectories, and yields after each."""
    if executor is None:
        for task in tasks:
            yield _trajectory.make(str(root), task)
        return
    failed = yield from _submitted(root, tasks, executor)
    again = [task for task, error in failed if not isinstance(error, PliantError)]
    refused = [(task, error) for task, error in failed if isinstance(error, PliantError)]
    if again and not refused:
        refused = yield from _submitted(root, again, executor)
    if refused:
        _, first = refused[0]
        if isinstance(first, PliantError):
            raise first
        numbers = ", ".join(str(task.number) for task, _ in refused)
        raise PliantError(f"trajectories {numbers} could not be made: {first}") from first


def _submitted(root: Path, tasks: list[_trajectory.Task], executor: Executor) -> Any:
    """Gives tasks to an executor; returns those that failed, and why."""
    failed: list[tuple[_trajectory.Task, BaseException]] = []
    pending = {}
    for task in tasks:
        try:
            pending[executor.submit(_trajectory.make, str(root.resolve()), task)] = task
        except RuntimeError as error:  # The executor has broken down: `BrokenExecutor` is one.
            failed.append((task, error))
    for future in as_completed(pending):
        why = future.exception()
        if why is None:
            yield future.result()
        else:
            failed.append((pending[future], why))
    return sorted(failed, key=lambda entry: entry[0].number)


def _describe(root: Path, plan: list[_trajectory.Task]) -> dict[str, Any]:
    """Writes metadata and manifest of what there is."""
    told = [_trajectory.look(root / task.file) for task in plan]
    metadata = _trajectory.statistics(told)
    _trajectory.write_whole(root / "metadata.json", _json(metadata))
    entries = []
    for task, of_file in zip(plan, told):
        digest = hashlib.sha256((root / task.file).read_bytes()).hexdigest()
        entry = {"file": task.file, "values": task.values, "rows": of_file.rows, "particles": of_file.particles}
        entries.append({**entry, "sha256": digest})
    _trajectory.write_whole(root / "manifest.json", _json({"trajectories": entries}))
    return metadata


def _json(content: Any) -> bytes:
    return (json.dumps(content, indent=1) + "\n").encode()

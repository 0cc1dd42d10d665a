"""One trajectory of a data set: made, written, looked at."""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.errors import PliantError
from pliant.simulation import Simulation

#: Formats, and the endings of their files.
FORMATS = {"npz": ".npz", "hdf5": ".h5"}

# The oldest date that a ZIP archive can hold: files do not tell when they were written.
_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Task:
    """A trajectory that is to be made."""

    number: int
    scene: str
    """The text of the scene."""
    base: str
    """The folder that paths in it start from."""
    values: dict[str, Any]
    frames: int
    every: int
    format: str
    threads: int

    @property
    def file(self) -> str:
        """Its file, as seen from the folder of the data set."""
        return f"trajectories/{self.number:05}{FORMATS[self.format]}"

    def identity(self) -> dict[str, Any]:
        """All that its bytes depend on."""
        told = asdict(self)
        del told["base"], told["threads"]
        told["scene"] = hashlib.sha256(self.scene.encode()).hexdigest()
        return told


@dataclass(frozen=True)
class Look:
    """What the statistics need of a trajectory."""

    rows: int
    particles: int
    row_time: float
    types: list[str]
    least: NDArray[np.float64]
    most: NDArray[np.float64]
    # Numbers, sums and sums of squares of velocities and accelerations, along each axis.
    velocity: tuple[int, NDArray[np.float64], NDArray[np.float64]]
    acceleration: tuple[int, NDArray[np.float64], NDArray[np.float64]]


def make(folder: str, task: Task) -> int:
    """Makes a trajectory and writes its file, unless it is there."""
    path = Path(folder) / task.file
    if path.exists():
        return task.number
    sim = Simulation.from_text(
        task.scene, name=f"trajectory {task.number}", set=task.values, threads=task.threads, folder=task.base
    )
    start = sim.frame([], surfaces=False)
    rows = [start.position]
    for _ in range(task.frames // task.every):
        sim.step(task.every)
        frame = sim.frame([], surfaces=False)
        if not np.array_equal(frame.id, start.id):
            raise PliantError(
                f"trajectory {task.number}: particles were born or have left by {frame.time:.6g} s, and a trajectory has"
                " the same in all rows: take a scene without emitters, and bounds that none leaves"
            )
        rows.append(frame.position)
    arrays = {
        "positions": np.stack(rows).astype(np.float32),
        "particle_types": start.body.astype(np.int64),
        "row_time": np.float64(task.every / sim.frame_rate),
        "type_names": np.array(sim.bodies, dtype=np.str_),
    }
    parameters = {key: np.asarray(value) for key, value in task.values.items()}
    write_whole(path, _npz(arrays, parameters) if task.format == "npz" else _hdf5(arrays, parameters))
    return task.number


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file that is whole as soon as it has its name."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_bytes(content)
    os.replace(part, path)


def _npz(arrays: dict[str, Any], parameters: dict[str, Any]) -> bytes:
    named = {**arrays, **{f"parameters/{key}": value for key, value in parameters.items()}}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in named.items():
            entry = zipfile.ZipInfo(f"{name}.npy", _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            content = io.BytesIO()
            np.lib.format.write_array(content, np.asarray(array), allow_pickle=False)
            archive.writestr(entry, content.getvalue())
    return buffer.getvalue()


def _hdf5(arrays: dict[str, Any], parameters: dict[str, Any]) -> bytes:
    import h5py

    buffer = io.BytesIO()
    with h5py.File(buffer, "w", track_order=True) as file:
        for name, array in {**arrays, **{f"parameters/{key}": value for key, value in parameters.items()}}.items():
            whole = np.asarray(array)
            if whole.dtype.kind == "U":
                file.create_dataset(name, data=[str(text) for text in whole.ravel()], track_times=False)
            else:
                packed = {"compression": "gzip"} if whole.ndim else {}
                file.create_dataset(name, data=whole, track_times=False, **packed)
    return buffer.getvalue()


def read(path: Path) -> dict[str, Any]:
    """The arrays of a file by their names."""
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as file:
            return dict(file)
    import h5py

    arrays: dict[str, Any] = {}

    def add(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset):
            arrays[name] = item.asstr()[()] if h5py.check_string_dtype(item.dtype) else item[()]

    with h5py.File(path, "r") as file:
        file.visititems(add)
    return arrays


def look(path: Path) -> Look:
    """What the statistics need of a file."""
    arrays = read(path)
    positions = np.asarray(arrays["positions"], dtype=np.float64)
    velocities = np.diff(positions, axis=0)
    return Look(
        rows=len(positions),
        particles=positions.shape[1],
        row_time=float(arrays["row_time"]),
        types=[str(name) for name in arrays["type_names"]],
        least=positions.min(axis=(0, 1)),
        most=positions.max(axis=(0, 1)),
        velocity=_sums(velocities),
        acceleration=_sums(np.diff(velocities, axis=0)),
    )


def _sums(values: NDArray[np.float64]) -> tuple[int, NDArray[np.float64], NDArray[np.float64]]:
    flat = values.reshape(-1, 3)
    return len(flat), flat.sum(axis=0), np.square(flat).sum(axis=0)


def statistics(looks: list[Look]) -> dict[str, Any]:
    """What ``metadata.json`` holds. Velocities and accelerations are differences of rows, not divided by time."""
    if not looks:
        return {"dim": 3, "trajectories": 0}
    least = np.min([one.least for one in looks], axis=0)
    most = np.max([one.most for one in looks], axis=0)
    velocity = _moments([one.velocity for one in looks])
    acceleration = _moments([one.acceleration for one in looks])
    return {
        "dim": 3,
        "trajectories": len(looks),
        "sequence_length": max(one.rows for one in looks) - 1,
        "dt": looks[0].row_time,
        "bounds": [[low, high] for low, high in zip(least.tolist(), most.tolist())],
        "particle_types": looks[0].types,
        "vel_mean": velocity[0],
        "vel_std": velocity[1],
        "acc_mean": acceleration[0],
        "acc_std": acceleration[1],
    }


def _moments(
    sums: list[tuple[int, NDArray[np.float64], NDArray[np.float64]]],
) -> tuple[list[float], list[float]]:
    count = sum(one[0] for one in sums)
    mean = np.sum([one[1] for one in sums], axis=0) / count
    square = np.sum([one[2] for one in sums], axis=0) / count
    deviation = np.sqrt(np.maximum(square - np.square(mean), 0.0))
    return mean.tolist(), deviation.tolist()

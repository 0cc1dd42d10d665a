"""Many worlds of one scene."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from pliant import _arguments, _engine, _source, _toml
from pliant.errors import InvalidValueError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    _Number = TypeVar("_Number", np.float32, np.float64)


class Batch:
    """Many worlds of one scene, each with values of its own, stepped on all cores: one thread a world.

    Each world has the bits that it would have alone. A batch is used by one thread at a time, as a `Simulation`.
    ``w`` is the number of worlds below.

    Args:
        scene: The path of a scene file, a `pliant.scene.Scene`, or a dict of its tables.
        worlds: How many worlds; may be left out if there are values.
        values: For each key of the scene that differs, its value in each world:
            ``{"material.sand.friction_angle": [20.0, 30.0, 40.0], "scene.seed": [1, 2, 3]}``.
        detail: The name of a level ``[detail.NAME]``.
        threads: Threads that compute; 0 takes one a core.
        folder: Where relative paths in a dict start; the current folder if it is left out.

    Raises:
        SceneError: What is wrong with the scene of a world; ``worlds`` has the numbers of those that it is about.
        InvalidValueError: The numbers of values differ.
    """

    def __init__(
        self,
        scene: _source.Scene,
        worlds: int | None = None,
        *,
        values: Mapping[str, Sequence[Any] | NDArray[Any]] | None = None,
        detail: str | None = None,
        threads: int = 0,
        folder: str | os.PathLike[str] | None = None,
    ) -> None:
        of_worlds, threads = _values(worlds, values or {}), _arguments.count(threads, "threads")
        if isinstance(scene, (str, os.PathLike)):
            self._engine = _engine.Batch.open(os.fspath(scene), of_worlds, detail, threads)
        else:
            text, place = _source.text_of(scene, folder)
            self._engine = _engine.Batch.parse(text, place, of_worlds, detail, threads)

    def __len__(self) -> int:
        return self._engine.count()

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} worlds>"

    @property
    def frame_rate(self) -> float:
        """Frames a second of the first world [1/s]."""
        return self._engine.frame_rate()

    @property
    def time(self) -> NDArray[np.float64]:
        """Simulated time of each world [s], of shape (w,)."""
        return self._engine.times()

    @property
    def particle_count(self) -> NDArray[np.uintp]:
        """Number of particles of each world, of shape (w,)."""
        return self._engine.counts()

    def step(self, frames: int = 1, worlds: Iterable[int] | None = None) -> None:
        """Advances worlds by whole frames.

        Args:
            frames: How many.
            worlds: Numbers of the worlds that go on; all if it is left out.

        Raises:
            StepError: Worlds cannot go on; ``worlds`` has their numbers. The others have done their frames.
            KeyboardInterrupt: Ctrl-C; worlds have done as many whole frames as they had come to.
        """
        self._engine.step(_arguments.count(frames, "frames"), _numbers(worlds))

    def reset(self, worlds: Iterable[int] | None = None) -> None:
        """Puts worlds back to their start: those of these numbers, or all.

        Raises:
            UnknownNameError: There is no world of such a number.
        """
        self._engine.reset(_numbers(worlds))

    def measure(self, columns: Sequence[str]) -> NDArray[np.float64]:
        """Probes and statistics of each world now, of shape (w, number of columns).

        Raises:
            UnknownNameError: There is no such column.
        """
        names = [columns] if isinstance(columns, str) else [str(name) for name in columns]
        return self._engine.measure(names).reshape(len(self), len(names))

    def positions(self) -> NDArray[np.float64]:
        """Positions of the particles of each world [m] in the order of ids, of shape (w, n, 3).

        Raises:
            InvalidValueError: The worlds have different numbers of particles; see `motion`.
        """
        return _stacked([position for position, _ in self.motion()])

    def velocities(self) -> NDArray[np.float32]:
        """Velocities of the particles of each world [m/s] in the order of ids, of shape (w, n, 3).

        Raises:
            InvalidValueError: The worlds have different numbers of particles; see `motion`.
        """
        return _stacked([velocity for _, velocity in self.motion()])

    def motion(self) -> list[tuple[NDArray[np.float64], NDArray[np.float32]]]:
        """Positions [m] and velocities [m/s] of each world in the order of ids, each of shape (n, 3)."""
        return self._engine.motion()

    def set_motion(
        self,
        positions: Sequence[ArrayLike] | NDArray[Any] | None = None,
        velocities: Sequence[ArrayLike] | NDArray[Any] | None = None,
        worlds: Iterable[int] | None = None,
    ) -> None:
        """Gives all particles of worlds positions and velocities, in the order of ids: what `motion` tells.

        What is given counts where it differs, as in `Simulation.edit`: particles that are held keep what they have.

        Args:
            positions: An array of shape (n, 3) for each world [m]; left out, positions stay.
            velocities: An array of shape (n, 3) for each world [m/s]; left out, velocities stay.
            worlds: Numbers of the worlds; all if it is left out.

        Raises:
            InvalidValueError: A particle cannot have its value, or a shape is wrong.
            ChangeError: A particle that is held was moved.
            UnknownNameError: There is no world of such a number.

            Where particles are refused, ``worlds`` has the numbers of their worlds, which stay as they were; the others
            are moved.
        """
        import numpy as np

        numbers = _numbers(worlds)
        chosen = list(range(len(self))) if numbers is None else numbers
        if len(set(chosen)) != len(chosen):
            raise InvalidValueError(f"each world is named once, not {chosen}")
        self._engine.set_motion(
            chosen,
            None if positions is None else _of_worlds(positions, len(chosen), np.float64, "positions"),
            None if velocities is None else _of_worlds(velocities, len(chosen), np.float32, "velocities"),
        )

    def collider_poses(self, collider: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Where a collider is in each world: positions [m] of shape (w, 3), quaternions (x, y, z, w) of shape (w, 4).

        Raises:
            UnknownNameError: There is no such collider.
        """
        import numpy as np

        poses = self._engine.poses(collider)
        positions = np.array([position for position, _ in poses]).reshape(-1, 3)
        return positions, np.array([rotation for _, rotation in poses]).reshape(-1, 4)

    def drive(self, collider: str, velocity: ArrayLike, spin: ArrayLike | None = None) -> None:
        """Moves a collider that is ``driven`` in each world, until it is told otherwise.

        Args:
            collider: Its name.
            velocity: Of its origin [m/s], of shape (w, 3).
            spin: About its origin, in world axes [rad/s], of shape (w, 3).

        Raises:
            UnknownNameError: There is no such collider.
            InvalidValueError: It is not driven, a number is not finite, or a shape is wrong.
        """
        count = len(self)
        velocities = _arguments.rows(velocity, count, 3, "a velocity")
        spins = [[0.0] * 3] * count if spin is None else _arguments.rows(spin, count, 3, "a spin")
        self._engine.drive(collider, list(zip(velocities, spins)))

    def drive_to(self, collider: str, position: ArrayLike, duration: float, rotation: ArrayLike | None = None) -> None:
        """Moves a collider that is ``driven`` in each world from where it is to a pose, evenly; then it rests.

        Args:
            collider: Its name.
            position: Of its origin [m], of shape (w, 3).
            duration: The time that it takes [s], above 0.
            rotation: Quaternions (x, y, z, w), of shape (w, 4); left out, it turns to no rotation.

        Raises:
            UnknownNameError: There is no such collider.
            InvalidValueError: It is not driven, a number is out of its range, or a shape is wrong.
        """
        count = len(self)
        places = _arguments.rows(position, count, 3, "a position")
        turned: list[Any] = [None] * count
        if rotation is not None:
            turned = list(_arguments.rows(rotation, count, 4, "a rotation"))
        time = _arguments.number(duration, "a duration")
        self._engine.drive_to(collider, list(zip(places, turned)), time)

    def activate(self, body: str, muscle: str, activation: ArrayLike, duration: float = 0.0) -> None:
        """Changes the activation of a muscle that is ``driven`` in each world, evenly over a time [s].

        Args:
            body: Name of its body.
            muscle: Its name.
            activation: From 0 to 1, of shape (w,).
            duration: The time that it takes [s].

        Raises:
            UnknownNameError: There is no such body.
            InvalidValueError: It is not driven, a number is out of its range, or a shape is wrong.
        """
        wanted = _arguments.numbers(activation, len(self), "an activation of each world")
        self._engine.activate(body, muscle, wanted, _arguments.number(duration, "a duration"))

    def set_velocity(self, body: str, velocity: ArrayLike) -> None:
        """Gives all free particles of a body a velocity [m/s] in each world, of shape (w, 3)."""
        self._engine.set_velocity(body, _arguments.rows(velocity, len(self), 3, "a velocity"))

    def push(self, body: str, impulse: ArrayLike) -> None:
        """Gives the free particles of a body an impulse [N s] together in each world, of shape (w, 3)."""
        self._engine.push(body, _arguments.rows(impulse, len(self), 3, "an impulse"))

    def save(self, world: int) -> bytes:
        """The whole state of a world, as `Simulation.save`."""
        return self._engine.save(_arguments.count(world, "the number of a world"))

    def restore(self, world: int, saved: bytes) -> None:
        """Puts a world back to a state that `save` gave, of this world or of one that differs in constants only.

        Raises:
            StateError: The bytes hold no such state; the world stays as it is then.
        """
        self._engine.restore(_arguments.count(world, "the number of a world"), saved)


def _values(worlds: int | None, values: Mapping[str, Sequence[Any] | NDArray[Any]]) -> list[list[str]]:
    """What replaces values of the scene in each world."""
    counts = {key: len(column) for key, column in values.items()}
    count = next(iter(counts.values()), 1) if worlds is None else _arguments.count(worlds, "worlds")
    for key, given in counts.items():
        if given != count:
            raise InvalidValueError(f"{key} has {given} values for {count} worlds")
    return [_toml.assignments({key: column[k] for key, column in values.items()}) for k in range(count)]


def _numbers(worlds: Iterable[int] | None) -> list[int] | None:
    """Numbers of worlds; an array of truth values means those at which it is true."""
    if worlds is None:
        return None
    listed = list(worlds)
    if listed and all(type(item).__name__ in ("bool", "bool_") for item in listed):
        return [number for number, wanted in enumerate(listed) if wanted]
    return [_arguments.count(number, "the number of a world") for number in listed]


def _of_worlds(
    arrays: Sequence[ArrayLike] | NDArray[Any], count: int, dtype: type[_Number], what: str
) -> list[NDArray[_Number]]:
    """An array of rows of three numbers for each of some worlds."""
    import numpy as np

    try:
        listed = [np.ascontiguousarray(array, dtype) for array in arrays]
    except (TypeError, ValueError):
        listed = []
    if len(listed) != count or any(array.ndim != 2 or array.shape[1] != 3 for array in listed):
        raise InvalidValueError(f"{what} are an array of shape (n, 3) for each of {count} worlds")
    return listed


def _stacked(arrays: list[NDArray[Any]]) -> NDArray[Any]:
    import numpy as np

    counts = sorted({len(array) for array in arrays})
    if len(counts) > 1:
        raise InvalidValueError(f"worlds have {counts[0]} to {counts[-1]} particles: take them one by one by motion()")
    return np.stack(arrays) if arrays else np.empty((0, 0, 3))

"""A simulation of one scene."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pliant import _arguments, _engine, _progress, _source, _toml, _window
from pliant._table import Table
from pliant.errors import InvalidValueError, WindowError
from pliant.frame import Energies, Frame, Pose, Report, frame_of
from pliant.picture import Picture
from pliant.recording import Recording
from pliant.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Three numbers: a list, a tuple, an array.
Vector = Iterable[float]

# A time that is a whole number of frames up to rounding takes no frame more.
_ROUNDING = 1e-9


class Simulation:
    """A scene that a program steps, pushes, reads, saves and puts back, with the bits that ``pliant run`` gives.

    One thread at a time uses a simulation; another that calls it meanwhile gets a `BusyError`. While it computes,
    other threads of Python run. Ctrl-C ends a step between two substeps and leaves the simulation as it was before
    the frame. It can be pickled, and goes on in a process that was forked.

    Args:
        scene: The path of a scene file, a `pliant.scene.Scene`, or a dict of its tables.
        set: Values that replace those of the scene: ``{"material.sand.friction_angle": 35.0}``.
        detail: The name of a level ``[detail.NAME]``.
        threads: Threads that compute; 0 takes one a core. The bits do not depend on it.
        folder: Where relative paths in a dict start; the current folder if it is left out.

    Raises:
        SceneError: Everything that is wrong with the scene.
    """

    # The window that shows it, if one was opened.
    _opened: _window.Window | None = None

    def __init__(
        self,
        scene: _source.Scene,
        *,
        set: Mapping[str, Any] | None = None,
        detail: str | None = None,
        threads: int = 0,
        folder: str | os.PathLike[str] | None = None,
    ) -> None:
        values, threads = _toml.assignments(set), _arguments.count(threads, "threads")
        if isinstance(scene, (str, os.PathLike)):
            self._engine = _engine.Simulation.open(os.fspath(scene), values, detail, threads)
        else:
            text, place = _source.text_of(scene, folder)
            self._engine = _engine.Simulation.parse(text, place, values, detail, threads)

    @classmethod
    def from_text(
        cls,
        text: str,
        *,
        name: str = "scene text",
        set: Mapping[str, Any] | None = None,
        detail: str | None = None,
        threads: int = 0,
        folder: str | os.PathLike[str] | None = None,
    ) -> Simulation:
        """Of the text of a scene file; ``name`` stands for its file in messages, the rest as for the class."""
        values, threads = _toml.assignments(set), _arguments.count(threads, "threads")
        place = (name, _source.folder_of(folder))
        return cls._of(_engine.Simulation.parse(text, place, values, detail, threads))

    @classmethod
    def _of(cls, engine: _engine.Simulation) -> Simulation:
        made = cls.__new__(cls)
        made._engine = engine
        return made

    def __repr__(self) -> str:
        return f"<Simulation of {self.particle_count} particles at {self.time:.6g} s>"

    def __reduce__(self) -> tuple[Any, ...]:
        engine = self._engine
        return (_unpickled, (type(self), engine.scene(), engine.threads(), engine.save()))

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self._engine.time()

    @property
    def frame_number(self) -> int:
        """Number of the last frame reached; 1 is the initial state."""
        return self._engine.frame_number()

    @property
    def frame_rate(self) -> float:
        """Frames a second [1/s]."""
        return self._engine.frame_rate()

    @property
    def duration(self) -> float:
        """The time that the scene is to run [s]; stepping does not end there."""
        return self._engine.duration()

    @property
    def particle_count(self) -> int:
        """Number of particles now."""
        return self._engine.count()

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies."""
        return self._engine.names()[0]

    @property
    def materials(self) -> list[str]:
        """Names of the materials."""
        return self._engine.names()[1]

    @property
    def colliders(self) -> list[str]:
        """Names of the colliders."""
        return self._engine.names()[2]

    @property
    def columns(self) -> dict[str, str]:
        """Names of all that `measure` knows, and their units: probes, then statistics."""
        probes, statistics = self._engine.columns()
        return dict([*probes, *statistics])

    @property
    def scene(self) -> str:
        """The scene as TOML with every default and all changes, paths absolute."""
        return self._engine.scene()

    def step(self, frames: int = 1, *, time: float | None = None, progress: bool = False) -> None:
        """Advances by whole frames, in the substeps that they take.

        Args:
            frames: How many.
            time: In place of it, a time [s]: as many frames as it takes to go on by at least that.
            progress: Shows a bar: tqdm's if it is there.

        Raises:
            StepError: The simulation cannot go on; reset it, or restore a saved state.
            KeyboardInterrupt: Ctrl-C; the simulation is as it was before the frame.
        """
        count = _arguments.count(frames, "frames") if time is None else self._frames_of(time)
        if not progress:
            self._engine.step(count)
            return
        for _ in _progress.counted(count, "frames", True):
            self._engine.step(1)

    def _frames_of(self, time: float) -> int:
        seconds = _arguments.number(time, "a time")
        if not 0.0 <= seconds < math.inf:
            raise InvalidValueError(f"a time to step is finite and at least 0 s, not {time!r}")
        return _arguments.count(math.ceil(seconds * self.frame_rate * (1.0 - _ROUNDING)), "frames")

    def substep(self, dt: float, count: int = 1) -> None:
        """Advances by substeps of a length of your own choice, outside of frames.

        Args:
            dt: Their length [s], above 0.
            count: How many.

        Raises:
            InvalidValueError: The length is no such number.
            StepError: The simulation cannot go on.
        """
        self._engine.substep(_arguments.number(dt, "dt"), _arguments.count(count, "count"))

    @property
    def particles(self) -> _engine.Particles:
        """The particles as they lie in memory, as read-only arrays without a copy.

        Their order changes from step to step: ``particles.id`` says which is which, and `places` where those of a
        body are. An array keeps what it shows: when the simulation changes while one lives, it goes on with a copy.
        """
        return self._engine.particles()

    def edit(self) -> _engine.EditedParticles:
        """Gives particles other positions and velocities between steps, in a block.

        >>> with sim.edit() as particles:
        ...     particles.velocity[particles.position[:, 1] > 0.1] += [1.0, 0.0, 0.0]

        ``position`` and ``velocity`` are arrays in the order of `particles`, with what the particles have now. What is
        in them when the block ends is checked and taken, all of it or nothing; an exception in the block leaves the
        simulation as it was. Until then the simulation can be read, and is as before, but not stepped or changed.
        Arrays that are kept after the block are read-only, and nothing that is done to them or to views of them reaches
        the simulation.

        What is given counts where it differs: an edit that leaves everything as it was changes no bit. Rigid bodies go
        with their particles, which are at their centres of mass, and keep rotation and spin. Particles that are held,
        whose ``inverse_mass`` is 0, cannot be moved. Strain and plastic state stay with each particle. Nothing is
        cleared: overlaps are pushed apart.

        Raises:
            InvalidValueError: A value is not finite, a position is beyond 1e9 m or outside of bounds that stop a run, no
                step resolves a speed, or an array was given another shape or type. The text names column, particle,
                body and value.
            ChangeError: A particle that is held was moved.
            BusyError: Its particles are being edited already, or another thread uses it.
        """
        return self._engine.edit()

    def places(self, body: str) -> NDArray[np.uintp]:
        """Places in `particles` of those of a body, in the order of their ids, of shape (n,).

        Raises:
            UnknownNameError: There is no such body.
        """
        return self._engine.places(body)

    def frame(self, quantities: Sequence[str] | None = None, surfaces: bool = True) -> Frame:
        """Everything that is known of the moment, in the order of ids, in arrays of its own.

        Args:
            quantities: Names of the quantities that are wanted; all if it is left out. Few cost little.
            surfaces: Whether the surfaces that bodies carry are wanted.

        Raises:
            UnknownNameError: There is no quantity of a name.
        """
        names = None if quantities is None else [str(name) for name in quantities]
        return frame_of(*self._engine.frame(names, bool(surfaces)))

    def measure(self, column: str) -> float:
        """A probe or a statistic now: ``"load.y"``, ``"energy_kinetic"``.

        Raises:
            UnknownNameError: There is no such column; `columns` has them.
        """
        return self._engine.measure([str(column)])[0]

    def measure_all(self, columns: Iterable[str]) -> list[float]:
        """Several probes and statistics at once, which costs what the dearest costs.

        Raises:
            UnknownNameError: There is no such column.
        """
        return self._engine.measure([str(name) for name in columns])

    def energies(self) -> Energies:
        """Energies now [J]."""
        return Energies(*self._engine.energies())

    def report(self) -> Report:
        """How the last frame was computed, and the forces on colliders in it."""
        told = self._engine.report()
        forces = {name: tuple(force) for name, force in told.pop("collider_force").items()}
        return Report(**told, collider_force=forces)

    def collider_pose(self, collider: str) -> Pose:
        """Where a collider is now.

        Raises:
            UnknownNameError: There is no such collider.
        """
        (x, y, z), (i, j, k, w) = self._engine.pose(collider)
        return Pose((x, y, z), (i, j, k, w))

    def drive(self, collider: str, velocity: Vector, spin: Vector = (0.0, 0.0, 0.0)) -> None:
        """Moves a collider that is ``driven`` until it is told otherwise.

        Args:
            collider: Its name.
            velocity: Of its origin [m/s].
            spin: About its origin, in world axes [rad/s].

        Raises:
            UnknownNameError: There is no such collider.
            InvalidValueError: It is not driven, or a number is not finite.
        """
        self._engine.drive(collider, _arguments.vector(velocity, "a velocity"), _arguments.vector(spin, "a spin"))

    def drive_to(self, collider: str, position: Vector, duration: float, rotation: Vector | None = None) -> None:
        """Moves a collider that is ``driven`` from where it is to a pose, evenly; then it rests.

        Args:
            collider: Its name.
            position: Of its origin [m].
            duration: The time that it takes [s], above 0.
            rotation: A quaternion (x, y, z, w) of any length; left out, it turns to no rotation.

        Raises:
            UnknownNameError: There is no such collider.
            InvalidValueError: It is not driven, or a number is out of its range.
        """
        turned = None if rotation is None else _arguments.numbers(rotation, 4, "a rotation")
        place = _arguments.vector(position, "a position")
        self._engine.drive_to(collider, place, turned, _arguments.number(duration, "a duration"))

    def activate(self, body: str, muscle: str, activation: float, duration: float = 0.0) -> None:
        """Changes the activation of a muscle that is ``driven``, evenly over a time.

        Args:
            body: Name of its body.
            muscle: Its name.
            activation: From 0 to 1.
            duration: The time that it takes [s].

        Raises:
            UnknownNameError: There is no such body.
            InvalidValueError: There is no such muscle, it is not driven, or a number is out of its range.
        """
        wanted = _arguments.number(activation, "an activation")
        self._engine.activate(body, muscle, wanted, _arguments.number(duration, "a duration"))

    def set_velocity(self, body: str, velocity: Vector) -> None:
        """Gives all free particles of a body a velocity [m/s].

        Raises:
            UnknownNameError: There is no such body.
            InvalidValueError: The velocity is not three finite numbers.
        """
        self._engine.set_velocity(body, _arguments.vector(velocity, "a velocity"))

    def push(self, body: str, impulse: Vector) -> None:
        """Gives the free particles of a body an impulse [N s] together, in proportion to their masses.

        Raises:
            UnknownNameError: There is no such body.
            InvalidValueError: The impulse is not three finite numbers.
        """
        self._engine.push(body, _arguments.vector(impulse, "an impulse"))

    def change(self, values: Mapping[str, Any]) -> None:
        """Changes constants by the keys of the scene: gravity, moduli and friction, colliders, fields, settings.

        The scene is read again with them. If they are refused, nothing is changed.

        Args:
            values: ``{"material.sand.friction_angle": 35.0, "scene.gravity": [0, 0, -9.81]}``

        Raises:
            SceneError: A value is wrong.
            ChangeError: Particles were made with what is changed.
        """
        self._engine.change(_toml.assignments(values))

    def add(self, tables: Mapping[str, Any] | Table, *, folder: str | os.PathLike[str] | None = None) -> None:
        """Adds bodies, and materials for them, between steps. What is there keeps its ids and its state.

        Particles inside colliders are not left out, and overlaps are pushed apart: put the body where there is
        room. Probes are those of the scene. A recording has the bodies from the next frame that is written on.

        Args:
            tables: Tables of a scene, ``body`` and ``material``, as a dict or a `pliant.scene.Scene`:
                ``{"body": [{"name": "ball", "material": "rubber", "shape": {"sphere": {"radius": 0.05}}}]}``
            folder: Where relative paths in it start; the current folder if it is left out.

        Raises:
            SceneError: Everything that is wrong with the tables, names that are taken too. Nothing is added then.
            InvalidValueError: It is no dict.
        """
        if not isinstance(tables, (Mapping, Table)):
            raise InvalidValueError(f"what is added is a dict of tables, not {tables!r}")
        text, (_, place) = _source.text_of(tables, folder)
        self._engine.add(text, ("added dict", place))

    def remove(self, body: str) -> None:
        """Removes the particles of a body, as if they had left the world: its name and all ids stay taken.

        Raises:
            UnknownNameError: There is no such body.
            ChangeError: An emitter feeds it.
        """
        self._engine.remove(str(body))

    def attach(
        self, name: str, body: str, to: str | None = None, within: Callable[[NDArray[np.float64]], Any] | None = None
    ) -> int:
        """Attaches particles of a body, from now on and until they are released; returns how many.

        Args:
            name: What the attachment is called.
            body: The body whose particles are held.
            to: A collider, which takes them along, or a rigid body, which they pull at; left out, they stay where
                they are.
            within: Which of them: takes their positions [m], of shape (n, 3), and returns n truth values,
                ``lambda x: x[:, 1] > 0.5``; all of them if it is left out.

        Raises:
            UnknownNameError: There is no such body or holder.
            ChangeError: The name is taken, or there is no particle to attach.
            InvalidValueError: ``within`` returns something else.
        """
        ids = self._ids(body, within)
        self._engine.attach(str(name), None if to is None else str(to), ids)
        return len(ids)

    def _ids(self, body: str, within: Callable[[NDArray[np.float64]], Any] | None) -> list[int]:
        places, particles = self.places(body), self.particles
        if within is not None:
            places = places[_arguments.chosen(within(particles.position[places]), len(places))]
        ids: list[int] = particles.id[places].tolist()
        return ids

    def release(self, name: str) -> None:
        """Releases what an attachment holds, one of the scene too: its particles go on with the velocity they have.

        Raises:
            ChangeError: There is no such attachment.
        """
        self._engine.release(str(name))

    def record(self, folder: str | os.PathLike[str]) -> Recording:
        """Starts to record to a folder with the files of ``pliant run``, and writes the first frame.

        An older run in the folder is removed. Write each frame that is reached:

        >>> with sim.record("out/fall") as recording:
        ...     while sim.time < 1.0:
        ...         sim.step()
        ...         recording.write()

        Bodies may be added and removed before and meanwhile: each frame has those of its time, for everything that
        reads the folder. ``additions.toml`` in it has what was added to the scene.

        Raises:
            RecordingError: The simulation is not at its first frame, the folder holds something else than a run or
                is written into by another one, or a file cannot be written.
        """
        return Recording(self._engine.record(os.fspath(folder), False), self, os.fspath(folder))

    def resume(self, folder: str | os.PathLike[str]) -> Recording:
        """Goes on with a recording that was broken off.

        The simulation takes the state of the newest checkpoint in the folder, with what was added and attached up
        to it; what came after it is removed. Without a checkpoint the recording starts anew: with the simulation as
        it is at its first frame, or with its start if it has gone on.

        Raises:
            RecordingError: The folder holds something else than a run of this scene, or a file cannot be read or
                written. The simulation stays as it is then.
        """
        return Recording(self._engine.record(os.fspath(folder), True), self, os.fspath(folder))

    def picture(
        self,
        *,
        size: tuple[int, int] | None = None,
        color_by: str | None = None,
        camera: tuple[Vector, Vector] | None = None,
        plain: bool = False,
    ) -> Picture:
        """The picture of the moment, which a notebook shows; by the camera of the scene unless another is given.

        Args:
            size: Columns and rows, from 1 to 16384.
            color_by: ``"body"``, ``"material"``, ``"fragment"``, or the name of a quantity.
            camera: Where it stands and what is in the middle of the picture [m].
            plain: Without title, time and legend.

        Raises:
            UnknownNameError: There is no such quantity.
            InvalidValueError: No picture has that size, or the camera is no pair of places.
        """
        sides = None if size is None else _arguments.pair(size, "a size")
        ends = None if camera is None else _arguments.ends(camera, "a camera")
        name = None if color_by is None else str(color_by)
        return Picture(self._engine.picture(sides, name, ends, bool(plain)))

    def show(self, *, height: int = 480, browser: bool | None = None, window: bool | None = None) -> View:
        """Shows the simulation: this moment, and each frame from now on.

        In a notebook the cell shows it. Elsewhere the window of ``pliant view`` opens, or a browser where that program
        is not installed or there is no display. Frames are kept, up to 256 MB, so that both can go back.

        Args:
            height: Of the picture in a notebook [pixels], from 100 to 4000.
            browser: Whether a browser is opened. If it is left out, where there is neither a notebook nor a window.
            window: Whether a window is opened, unless one of it is open. If both are left out, where there is no
                notebook and one can be opened.

        Raises:
            InvalidValueError: The height is out of its range.
            WindowError: A window was asked for, and none can be opened.
            OSError: This machine has no free port.
        """
        rows = _arguments.count(height, "a height")
        if not 100 <= rows <= 4000:
            raise InvalidValueError(f"a height is from 100 to 4000 pixels, not {rows}")
        notebook = _is_notebook()
        wants_window = browser is None and not notebook if window is None else window
        program = _window_program(is_needed=bool(window)) if wants_window else None
        view = View(self._engine, rows)
        if program is not None:
            self._open_window(view, program, is_needed=bool(window))
        if not view.has_window and browser is None and not notebook or browser:
            import webbrowser

            webbrowser.open(view.address)
        return view

    def _open_window(self, view: View, program: str, *, is_needed: bool) -> None:
        """Shows a view in the window that there is, or in a new one."""
        window = self._opened
        if window is None or not window.is_open or window.address != view.address:
            try:
                window = _window.Window(program, view.address)
            except WindowError:
                if is_needed:
                    raise
                return
        self._opened = view._window = window

    def save(self) -> bytes:
        """The whole state: equal states give equal bytes, and what goes on from them has the same bits."""
        return self._engine.save()

    def restore(self, saved: bytes) -> None:
        """Puts it back to a state that `save` gave, of this scene.

        Raises:
            StateError: The bytes hold no state of it; it stays as it is then.
        """
        self._engine.restore(saved)

    def reset(self) -> None:
        """Puts it back to its start; constants that were changed stay."""
        self._engine.reset()


def _unpickled(cls: type[Simulation], scene: str, threads: int, saved: bytes) -> Simulation:
    # Paths in the scene are absolute: they start from the root.
    engine = _engine.Simulation.parse(scene, ("pickled scene", "/"), [], None, threads)
    engine.restore(saved)
    return cls._of(engine)


def _window_program(*, is_needed: bool) -> str | None:
    """The program with the window, if there is one that can be opened."""
    try:
        return _window.found()
    except WindowError:
        if is_needed:
            raise
        return None


def _is_notebook() -> bool:
    """Whether a notebook shows what a cell results in."""
    import sys

    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell is not None else None
    return running is not None and hasattr(running, "kernel")

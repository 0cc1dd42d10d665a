"""A simulation that is recorded to a folder."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from pliant import _engine

if TYPE_CHECKING:
    from pliant.simulation import Simulation


class Recording:
    """The folder that a simulation is recorded to, with the files of ``pliant run``; see `Simulation.record`.

    Used in a ``with``, it is finished at the end of it. One that ends by an exception, or with its program, can be
    taken up again with `Simulation.resume`.
    """

    def __init__(self, engine: _engine.Recording, simulation: Simulation, folder: str) -> None:
        self._engine = engine
        self._simulation = simulation
        self.folder = folder
        """The folder."""
        self.notes: list[str] = []
        """What was worth saying about it, once it is finished."""

    def __repr__(self) -> str:
        return f"<Recording to {self.folder!r}>"

    @property
    def frames_done(self) -> int:
        """The last frame that is written.

        Raises:
            RecordingError: It has ended.
        """
        return self._engine.frames_done()

    def write(self) -> None:
        """Writes the frame that the simulation has reached, and checkpoints as often as the scene says.

        Raises:
            RecordingError: It is not the frame after the last one, bodies that the recording has are gone because
                the simulation was put back, a file cannot be written, or it has ended.
        """
        self._engine.write(self._simulation._engine)

    def finish(self) -> None:
        """Ends it with a checkpoint, the film and the report.

        Raises:
            RecordingError: The simulation has gone on since the last frame, or a file cannot be written.
        """
        self.notes = self._engine.finish(self._simulation._engine)

    def leave(self) -> None:
        """Leaves it as it is, to be resumed."""
        self._engine.leave()

    def __enter__(self) -> Recording:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.finish()
        else:
            self.leave()

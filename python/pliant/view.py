"""A simulation that is looked at while it goes on."""

from __future__ import annotations

from pliant import _engine
from pliant._window import Window

_FRAME = (
    '<iframe src="{address}" width="100%" height="{height}" style="border: 0" title="{title}" '
    'allow="clipboard-write"></iframe>'
)


class View:
    """A simulation in a window or a browser, which a notebook shows in its place; made by `Simulation.show`.

    Both follow the simulation from frame to frame, and go back along its timeline. It is seen on this machine alone,
    for as long as the simulation lives.
    """

    def __init__(self, engine: _engine.Simulation, height: int) -> None:
        self._engine = engine
        self._height = height
        self._window: Window | None = None
        self.address: str = engine.show()
        """Where a browser finds it, and ``pliant view``."""

    def __repr__(self) -> str:
        return f"<View at {self.address}>"

    def _repr_html_(self) -> str:
        return _FRAME.format(address=self.address, height=self._height, title="The simulation")

    @property
    def has_window(self) -> bool:
        """Whether it is in a window that nobody has closed."""
        return self._window is not None and self._window.is_open

    def close(self) -> None:
        """Shows nothing any more, and closes the window that was opened for it."""
        if self._window is not None:
            self._window.close()
        self._engine.hide()

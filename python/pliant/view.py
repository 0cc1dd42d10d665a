"""A simulation that is looked at in a browser."""

from __future__ import annotations

from pliant import _engine

_FRAME = (
    '<iframe src="{address}" width="100%" height="{height}" style="border: 0" title="{title}" '
    'allow="clipboard-write"></iframe>'
)


class View:
    """A simulation in a browser, which a notebook shows in its place; made by `Simulation.show`.

    The page follows the simulation from frame to frame, and goes back along its timeline. It is seen on this machine
    alone, for as long as the simulation lives.
    """

    def __init__(self, engine: _engine.Simulation, height: int) -> None:
        self._engine = engine
        self._height = height
        self.address: str = engine.show()
        """Where a browser finds it."""

    def __repr__(self) -> str:
        return f"<View at {self.address}>"

    def _repr_html_(self) -> str:
        return _FRAME.format(address=self.address, height=self._height, title="The simulation")

    def close(self) -> None:
        """Shows nothing any more."""
        self._engine.hide()

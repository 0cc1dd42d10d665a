"""What can go wrong, as exceptions.

All of them are a :class:`PliantError`, and of the built-in class that says the same.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Problem(NamedTuple):
    """One thing that is wrong with a scene."""

    message: str
    """What is wrong."""
    file: str | None
    """The file, or the name of the text; for a value that was given with ``set``, that assignment."""
    line: int | None
    """The line, from 1; None if it was not written in a file."""
    column: int | None
    """The column in characters, from 1."""
    key: str
    """The key: ``body.column.spacing``; empty for the scene as a whole."""
    value: str | None
    """The value as it was written."""
    remedy: str | None
    """What would be right."""


class PliantError(Exception):
    """Anything that Pliant refuses or cannot do."""

    worlds: tuple[int, ...] | list[int] = ()
    """Numbers of the worlds of a batch that it is about; empty otherwise."""


class SceneError(PliantError, ValueError):
    """A scene that is wrong.

    ``file``, ``line``, ``column``, ``key``, ``value`` and ``remedy`` are those of the first problem; ``problems``
    has all of them. The text of the exception is what the command prints.
    """

    def __init__(self, text: str, problems: list[Problem]) -> None:
        super().__init__(text)
        self.problems = tuple(problems)
        first = self.problems[0]
        self.file = first.file
        self.line = first.line
        self.column = first.column
        self.key = first.key
        self.value = first.value
        self.remedy = first.remedy

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.args[0], list(self.problems)), {"worlds": self.worlds})


class StepError(PliantError, RuntimeError):
    """A simulation that cannot go on. It can be reset, or restored to a saved state."""


class UnknownNameError(PliantError, LookupError):
    """A name or a number that nothing has; the text has those that there are."""


class InvalidValueError(PliantError, ValueError):
    """An argument out of its range, or of the wrong shape."""


class ChangeError(PliantError, ValueError):
    """What cannot change: a constant that particles were made with, a name that is taken, a particle that is held."""


class StateError(PliantError, ValueError):
    """Bytes that hold no state of the scene."""


class RecordingError(PliantError, RuntimeError):
    """A recording that cannot begin, go on or end: a folder of something else, a full disk, a frame that is left out."""


class WindowError(PliantError, RuntimeError):
    """A window that was asked for and cannot be opened: its program is not installed, or there is no display."""


class BusyError(PliantError, RuntimeError):
    """A simulation or a batch that another thread is using at this moment, or whose particles are being edited."""

"""The window of `pliant view`, which is a program of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
from pathlib import Path
from typing import IO

from pliant.errors import WindowError

_PROGRAM = "pliant-live"
# Time in which it is known whether a window opens [s].
_OPENING = 0.7
# Time that a window which is closed has to go [s].
_CLOSING = 2.0
# Bytes of an error that are told.
_MOST_TOLD = 2000
_INSTALL = "in a clone of Pliant, `cargo install --path crates/pliant-viewer` installs it"


class Window:
    """A window on an address, until it is closed."""

    def __init__(self, program: str, address: str) -> None:
        self.address = address
        self._owner = os.getpid()
        with tempfile.TemporaryFile() as errors:
            try:
                # A session of its own: Ctrl-C, which ends a step, is not for the window.
                self._process = subprocess.Popen(
                    [program, "view", address],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=errors,
                    start_new_session=True,
                )
            except OSError as error:
                raise WindowError(f"cannot start `{program}`: {error}") from error
            self._see_it_open(program, errors)
        # It outlives the simulation until somebody closes it, and is waited for whoever that is.
        self._waiting = threading.Thread(target=self._process.wait, name="window of pliant", daemon=True)
        self._waiting.start()

    def _see_it_open(self, program: str, errors: IO[bytes]) -> None:
        """Waits for what goes wrong when a window opens, such as a display without OpenGL."""
        try:
            status = self._process.wait(_OPENING)
        except subprocess.TimeoutExpired:
            return
        if status != 0:
            errors.seek(0)
            told = errors.read(_MOST_TOLD).decode(errors="replace").strip()
            raise WindowError(f"`{program}` opened no window: {told or f'it ended with status {status}'}")

    @property
    def is_open(self) -> bool:
        """Whether nobody has closed it."""
        return self._process.poll() is None

    def close(self) -> None:
        """Closes it. A process that was forked leaves the window of the other one alone."""
        if self._owner == os.getpid() and self.is_open:
            self._process.terminate()
            self._waiting.join(_CLOSING)


def found() -> str:
    """The program with the window: where `pliant live` finds it, or beside the programs of this Python.

    Raises:
        WindowError: There is none, or no display to open it in.
    """
    if not _has_display():
        raise WindowError(
            "this machine has no display to open a window in; from one that has, come to the simulation by a tunnel, "
            "`ssh -L PORT:localhost:PORT MACHINE`, and look with `pliant view http://localhost:PORT/`"
        )
    for folder in _own_folders():
        program = shutil.which(_PROGRAM, path=str(folder))
        if program is not None:
            return program
    program = shutil.which(_PROGRAM)
    if program is None:
        raise WindowError(
            f"the window is a program of its own, `{_PROGRAM}`, which is neither beside `pliant` or Python's programs "
            f"nor in PATH; {_INSTALL}"
        )
    return program


def _own_folders() -> list[Path]:
    """Where programs of this Python are, and the command."""
    command = shutil.which("pliant")
    beside = [sys.executable, command]
    folders = [Path(program).resolve().parent for program in beside if program]
    return [Path(sysconfig.get_path("scripts")), Path(sys.executable or ".").parent, *folders]


def _has_display() -> bool:
    if os.name != "posix" or sys.platform == "darwin":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))

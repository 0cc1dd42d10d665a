"""A call of `pliant` that goes on in the background. What it prints goes to a file, so that it outlives Blender."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..problem import Problem

_FRAME = re.compile(r"frame (\d+)/(\d+)")
_LEFT = re.compile(r"([0-9][^,]*) left\s*$")

#: The status of a run that was asked to stop and did.
_INTERRUPTED = 130


@dataclass
class Progress:
    """How far a job is."""

    frame: int = 0
    frames: int = 0
    time_left: str = ""

    @property
    def share(self) -> float:
        """Between 0 and 1."""
        return self.frame / self.frames if self.frames else 0.0


class Job:
    """A process, and what it has printed so far."""

    def __init__(self, program: Path, arguments: Sequence[str], log: Path) -> None:
        self.log = log
        self.progress = Progress()
        self.is_cancelled = False
        self._read = 0
        try:
            with log.open("wb") as output:
                self._process = subprocess.Popen(
                    [str(program), *arguments],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    **_in_its_own_group(),
                )
        except OSError as error:
            raise Problem(f"{program} cannot be started: {error.strerror or error}") from error

    def poll(self) -> bool:
        """Brings the progress up to date; whether the process is still there."""
        goes_on = self._process.poll() is None
        try:
            with self.log.open("rb") as log:
                log.seek(self._read)
                content = log.read()
        except OSError:
            # Someone has removed it: the run goes on all the same.
            return goes_on
        # A line that is not whole yet is read the next time.
        whole = content[: content.rfind(b"\n") + 1]
        self._read += len(whole)
        for line in whole.decode("utf-8", errors="replace").splitlines():
            note(line, self.progress)
        return goes_on

    def cancel(self) -> None:
        """Asks it to end its frame and to write a checkpoint; asked again, it stops at once."""
        self.is_cancelled = True
        if self._process.poll() is not None:
            return
        if sys.platform == "win32":
            self._process.send_signal(signal.CTRL_BREAK_EVENT)
        else:
            self._process.send_signal(signal.SIGINT)

    def outcome(self) -> str | None:
        """None if it did all that it was asked to, "cancelled" if it was ended.

        Raises:
            Problem: What it printed, if it failed.
        """
        status = self._process.poll()
        if status == 0:
            return None
        if self.is_cancelled or status == _INTERRUPTED:
            return "cancelled"
        raise Problem(self._last_words() or f"pliant ended with the status {status}")

    def _last_words(self) -> str:
        """Everything from the first line of an error on, or the last lines."""
        try:
            lines = self.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        except OSError:
            return ""
        start = next((place for place, line in enumerate(lines) if line.startswith("error")), max(0, len(lines) - 3))
        return "\n".join(lines[start : start + 20])


def note(line: str, progress: Progress) -> None:
    """Takes from a line of `pliant run --verbose` how far it is."""
    frame = _FRAME.search(line)
    if frame is not None:
        progress.frame, progress.frames = int(frame[1]), int(frame[2])
        left = _LEFT.search(line)
        progress.time_left = left[1].strip() if left else ""


def _in_its_own_group() -> dict[str, Any]:
    """So that Ctrl-C in the terminal of Blender does not end it, and a signal on Windows reaches it alone."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}

"""Progress bars: tqdm's if it is there, else a line on the error stream."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

# Seconds between two updates of the line.
_PAUSE = 0.2


def counted(count: int, what: str, shown: bool) -> Iterator[int]:
    """Counts from 0 to ``count`` - 1, and shows how far it has come if it is to."""
    if not shown:
        yield from range(count)
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield from _line(count, what)
    else:
        yield from tqdm(range(count), unit=what)


def _line(count: int, what: str) -> Iterator[int]:
    start = told = time.monotonic()
    for number in range(count):
        yield number
        now = time.monotonic()
        if now - told >= _PAUSE or number + 1 == count:
            told = now
            rate = (number + 1) / max(now - start, 1e-9)
            left = (count - number - 1) / rate
            print(f"\r{number + 1}/{count} {what}, {left:.0f} s left ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)

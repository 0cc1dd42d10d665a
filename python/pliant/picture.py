"""Pictures and films, which notebooks show."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from pliant import _arguments, _engine
from pliant.errors import InvalidValueError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_Pixels = tuple[int, int, bytes]


class Picture:
    """A picture, which a notebook shows; made by `Simulation.picture`."""

    def __init__(self, pixels: _Pixels) -> None:
        self._pixels = pixels

    def __repr__(self) -> str:
        return f"<Picture of {self.width} x {self.height} pixels>"

    @property
    def width(self) -> int:
        """Columns."""
        return self._pixels[0]

    @property
    def height(self) -> int:
        """Rows."""
        return self._pixels[1]

    @property
    def pixels(self) -> NDArray[np.uint8]:
        """Red, green, blue in sRGB, of shape (height, width, 3), read-only."""
        import numpy as np

        return np.frombuffer(self._pixels[2], np.uint8).reshape(self.height, self.width, 3)

    def png(self) -> bytes:
        """It as a PNG file."""
        return _engine.png(self._pixels)

    _repr_png_ = png

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it as PNG."""
        _write(path, self.png(), (".png",))


class Film:
    """Pictures one after the other, which a notebook plays.

    Args:
        pictures: Of one size.
        frame_rate: Pictures a second [1/s], from 0.1 to 1000.
    """

    def __init__(self, pictures: Iterable[Picture], frame_rate: float) -> None:
        self._pixels = [picture._pixels for picture in pictures]
        self.frame_rate = _arguments.number(frame_rate, "a frame rate")
        """Pictures a second [1/s]."""

    def __repr__(self) -> str:
        return f"<Film of {len(self)} pictures>"

    def __len__(self) -> int:
        return len(self._pixels)

    def png(self) -> bytes:
        """It as an animated PNG, at most 854 pixels wide.

        Raises:
            InvalidValueError: There are no pictures, they are of different sizes, or the rate is out of its range.
        """
        return _engine.film(self._pixels, self.frame_rate, False)

    _repr_png_ = png

    def gif(self) -> bytes:
        """It as a GIF, at most 640 pixels wide.

        Raises:
            InvalidValueError: As for `png`.
        """
        return _engine.film(self._pixels, self.frame_rate, True)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it, as an animated PNG or as a GIF, by the end of the path.

        Raises:
            InvalidValueError: The path ends otherwise, or as for `png`.
        """
        is_gif = Path(path).suffix.lower() == ".gif"
        _write(path, self.gif() if is_gif else self.png(), (".png", ".gif"))


def _write(path: str | os.PathLike[str], content: bytes, endings: tuple[str, ...]) -> None:
    if Path(path).suffix.lower() not in endings:
        raise InvalidValueError(f"a file of it ends in {' or '.join(endings)}, not {os.fspath(path)!r}")
    Path(path).write_bytes(content)

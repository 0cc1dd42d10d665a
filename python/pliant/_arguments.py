"""Arguments as the engine takes them."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

from pliant.errors import InvalidValueError

# Frames and substeps are counted in 32 bits.
_MOST = 2**32 - 1


def numbers(value: Any, count: int, what: str) -> list[float]:
    """So many numbers.

    Raises:
        InvalidValueError: If they are fewer, more, or no numbers.
    """
    try:
        listed = [float(number) for number in value]
    except (TypeError, ValueError):
        listed = []
    if len(listed) != count:
        raise InvalidValueError(f"{what} is {count} numbers, not {value!r}")
    return listed


def vector(value: Any, what: str) -> list[float]:
    """Three numbers."""
    return numbers(value, 3, what)


def rows(value: Any, count: int, width: int, what: str) -> list[list[float]]:
    """So many rows of so many numbers, an array of shape (count, width) for example.

    Raises:
        InvalidValueError: If they are of another shape.
    """
    listed = list(value) if isinstance(value, Iterable) else []
    if len(listed) != count:
        raise InvalidValueError(f"{what} is of shape ({count}, {width}): a row for each world")
    return [numbers(row, width, f"{what} of a world") for row in listed]


def number(value: Any, what: str) -> float:
    """A number."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InvalidValueError(f"{what} is a number, not {value!r}") from None


def count(value: Any, what: str) -> int:
    """A whole number from 0.

    Raises:
        InvalidValueError: If it is none, or above 2^32 - 1.
    """
    try:
        whole = operator.index(value)
    except TypeError:
        raise InvalidValueError(f"{what} is a whole number, not {value!r}") from None
    if not 0 <= whole <= _MOST:
        raise InvalidValueError(f"{what} is a whole number from 0 to {_MOST}, not {whole}")
    return whole

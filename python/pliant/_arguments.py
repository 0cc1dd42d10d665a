"""Arguments as the engine takes them."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pliant.errors import InvalidValueError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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


def pair(value: Any, what: str) -> tuple[int, int]:
    """Two whole numbers.

    Raises:
        InvalidValueError: If they are fewer, more, or no such numbers.
    """
    listed = list(value) if isinstance(value, Iterable) else []
    if len(listed) != 2:
        raise InvalidValueError(f"{what} is two whole numbers, not {value!r}")
    return count(listed[0], what), count(listed[1], what)


def ends(value: Any, what: str) -> tuple[list[float], list[float]]:
    """Two places.

    Raises:
        InvalidValueError: If they are none, or not finite.
    """
    listed = list(value) if isinstance(value, Iterable) else []
    if len(listed) != 2:
        raise InvalidValueError(f"{what} is a pair of places, not {value!r}")
    first, second = (vector(entry, what) for entry in listed)
    if not all(map(math.isfinite, first + second)):
        raise InvalidValueError(f"{what} is a pair of finite places, not {value!r}")
    return first, second


def chosen(value: Any, count: int) -> NDArray[np.bool_]:
    """So many truth values.

    Raises:
        InvalidValueError: If they are fewer, more, or something else.
    """
    import numpy as np

    mask = np.asarray(value)
    if mask.dtype != np.bool_ or mask.shape != (count,):
        raise InvalidValueError(f"a truth value for each of {count} particles is wanted, not {value!r}")
    return mask


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

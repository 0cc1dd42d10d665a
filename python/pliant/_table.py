"""What the dataclasses of all tables share."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Union

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: A list of numbers, a tuple, or an array of NumPy.
Numbers = Union[Sequence[float], "NDArray[np.floating[Any]]", "NDArray[np.integer[Any]]"]

#: The path of a file.
Path = Union[str, "os.PathLike[str]"]


class Table:
    """A table of a scene, whose fields are its keys; those that are `None` are left out."""

    #: Keys of fields that are called otherwise.
    _keys: ClassVar[Mapping[str, str]] = {}
    #: The key that says which of several tables this is, and what it says.
    _tag: ClassVar[tuple[str, str] | None] = None
    #: The key under which the whole table stands, as shapes do.
    _under: ClassVar[str | None] = None

    def to_dict(self) -> dict[str, Any]:
        """It as a dict, with dicts and lists inside, as scenes may be given too."""
        table: dict[str, Any] = dict([self._tag]) if self._tag else {}
        for field in fields(self):  # type: ignore[arg-type]  # All tables are dataclasses.
            value = getattr(self, field.name)
            if value is not None:
                table[self._keys.get(field.name, field.name)] = plain(value)
        return table if self._under is None else {self._under: table}


def plain(value: Any) -> Any:
    """A value with dicts in place of the tables in it."""
    if isinstance(value, Table):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    return value

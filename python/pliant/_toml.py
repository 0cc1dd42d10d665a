"""Python values as TOML: scenes that are dicts, and single values."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

from pliant._table import Table
from pliant.errors import Problem, SceneError

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def dumps(scene: Mapping[str, Any]) -> str:
    """The text of a scene that is a dict, a line for each key of its tables.

    Raises:
        SceneError: A key that is no text, or a value that TOML does not have; it names the key.
    """
    lines: list[str] = []
    scene = {key: item.to_dict() if isinstance(item, Table) else item for key, item in scene.items()}
    plain = {key: item for key, item in scene.items() if not isinstance(item, (Mapping, list, tuple))}
    for key, item in plain.items():
        lines.append(f"{_key(key, '')} = {value(item, str(key))}")
    for key, item in scene.items():
        if isinstance(item, Mapping):
            _dump_table(lines, _key(key, ""), item, "[{}]")
        elif isinstance(item, (list, tuple)):
            for number, entry in enumerate(item):
                address = f"{key}[{number}]"
                entry = entry.to_dict() if isinstance(entry, Table) else entry
                if not isinstance(entry, Mapping):
                    raise _refusal(address, entry, "a table, as all entries of a list at the top of a scene")
                _dump_table(lines, _key(key, ""), entry, "[[{}]]", address)
    return "\n".join(lines) + "\n"


def _dump_table(lines: list[str], name: str, table: Mapping[Any, Any], header: str, address: str | None = None) -> None:
    address = name if address is None else address
    lines.append(header.format(name))
    for key, item in table.items():
        lines.append(f"{_key(key, address)} = {value(item, f'{address}.{key}')}")


def value(item: Any, address: str) -> str:
    """A value as TOML on one line. Arrays and numbers of NumPy are taken as lists and numbers.

    Args:
        item: The value.
        address: Its key, for messages.

    Raises:
        SceneError: A value that TOML does not have.
    """
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, str):
        return _text(item)
    if isinstance(item, int):
        return str(int(item))
    if isinstance(item, float):
        return _number(float(item))
    if isinstance(item, os.PathLike):
        return _text(str(os.fspath(item)))
    if isinstance(item, Table):
        item = item.to_dict()
    if isinstance(item, Mapping):
        entries = (f"{_key(key, address)} = {value(entry, f'{address}.{key}')}" for key, entry in item.items())
        return "{ " + ", ".join(entries) + " }"
    to_list = getattr(item, "tolist", None)
    if to_list is not None:
        return value(to_list(), address)
    if isinstance(item, Iterable) and not isinstance(item, (bytes, bytearray)):
        entries = (value(entry, f"{address}[{number}]") for number, entry in enumerate(item))
        return "[" + ", ".join(entries) + "]"
    raise _refusal(address, item, "a number, a text, True or False, a list, or a dict; leave out what is None")


def assignments(values: Mapping[str, Any] | None) -> list[str]:
    """``KEY=VALUE`` of each entry, as the command takes it with ``--set``."""
    return [f"{key}={value(item, str(key))}" for key, item in (values or {}).items()]


def _number(number: float) -> str:
    if math.isnan(number):
        return "nan"
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    return repr(number)


def _key(key: Any, address: str) -> str:
    if not isinstance(key, str):
        raise _refusal(f"{address}.{key}".lstrip("."), key, "a text as its key")
    return key if _BARE_KEY.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    escaped = []
    for letter in text:
        if letter in '"\\':
            escaped.append("\\" + letter)
        elif letter < " " or letter == "\x7f" or "\ud800" <= letter <= "\udfff":
            # Half of a surrogate pair is no character: TOML refuses it, with the key.
            escaped.append(f"\\u{ord(letter):04x}")
        else:
            escaped.append(letter)
    return '"' + "".join(escaped) + '"'


def _refusal(address: str, item: Any, wanted: str) -> SceneError:
    shown = repr(item)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    message = f"a scene has no value of type {type(item).__name__}"
    problem = Problem(message, "scene dict", None, None, address, shown, f"give {wanted}")
    return SceneError(f"error: {address} = {shown}: {message}\n  = give {wanted}", [problem])

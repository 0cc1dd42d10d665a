"""Tables as TOML."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from ..problem import Problem

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def document(tables: Mapping[str, Any]) -> str:
    """The text of a file: tables, tables of tables, and lists of tables, a line for each of their keys."""
    lines: list[str] = []
    for name, item in tables.items():
        if isinstance(item, Mapping) and all(isinstance(entry, Mapping) for entry in item.values()):
            for key, entry in item.items():
                _table(lines, f"[{_key(name)}.{_key(key)}]", entry)
        elif isinstance(item, Mapping):
            _table(lines, f"[{_key(name)}]", item)
        else:
            for entry in item:
                _table(lines, f"[[{_key(name)}]]", entry)
    return "\n".join(lines)


def value(item: Any) -> str:
    """A value on one line."""
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, str):
        return _text(item)
    if isinstance(item, (int, float)):
        return repr(item)
    if isinstance(item, Mapping):
        entries = ", ".join(f"{_key(key)} = {value(entry)}" for key, entry in item.items())
        return "{ " + entries + " }" if entries else "{}"
    return "[" + ", ".join(value(entry) for entry in item) + "]"


def pairs(text: str, what: str) -> dict[str, Any]:
    """Keys and values that a user wrote in one line: `friction_angle = 25.0, density = 1500`.

    Raises:
        Problem: The text is not that; it names `what` the text is of.
    """
    try:
        entries = tomllib.loads("pairs = {" + text.strip().rstrip(",") + "}")
    except tomllib.TOMLDecodeError as error:
        raise Problem(f"{what}: {text!r} is not of the form `key = value, key = value` ({error})") from error
    if set(entries) != {"pairs"}:
        raise Problem(f"{what}: {text!r} is not of the form `key = value, key = value`")
    return dict(entries["pairs"])


def _table(lines: list[str], header: str, entries: Mapping[str, Any]) -> None:
    lines.append(header)
    lines.extend(f"{_key(key)} = {value(entry)}" for key, entry in entries.items())
    lines.append("")


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    escaped = (
        f"\\u{ord(letter):04x}" if letter < " " or letter == "\x7f" else "\\" + letter if letter in '"\\' else letter
        for letter in text
    )
    return '"' + "".join(escaped) + '"'


def vector(values: Sequence[float]) -> list[float]:
    """Three numbers as a file has them: in double precision, rounded to what single precision knows."""
    return [float(f"{float(component):.9g}") for component in values]

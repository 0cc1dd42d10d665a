"""Colours of scene files, which are sRGB, and of Blender, which are linear."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def linear(color: NDArray[Any]) -> NDArray[np.float32]:
    """Linear components of sRGB ones in [0, 1] (IEC 61966-2-1)."""
    color = np.asarray(color, dtype=np.float64)
    curved = ((np.maximum(color, 0.0) + 0.055) / 1.055) ** 2.4
    return np.where(color <= 0.04045, color / 12.92, curved).astype(np.float32)


def from_hexadecimal(text: str) -> NDArray[np.float32]:
    """A colour such as `#d8b27a` as linear r, g, b and 1; grey if it is none."""
    try:
        parts = [int(text[place : place + 2], 16) / 255.0 for place in (1, 3, 5)]
    except ValueError:
        parts = [0.5, 0.5, 0.5]
    return np.append(linear(np.array(parts)), np.float32(1.0))


def to_hexadecimal(color: Sequence[float]) -> str:
    """A linear colour as scene files have it."""
    values = np.clip(np.asarray(color[:3], dtype=np.float64), 0.0, 1.0)
    curved = np.where(values <= 0.0031308, values * 12.92, 1.055 * values ** (1.0 / 2.4) - 0.055)
    return "#" + "".join(f"{round(float(part) * 255.0):02x}" for part in curved)

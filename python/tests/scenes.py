"""Scenes of the tests, which take hundredths of a second a frame."""

from __future__ import annotations

import copy
from typing import Any

_BLOCK: dict[str, Any] = {
    "scene": {"duration": 1.0},
    "material": {"rubber": {"preset": "rubber"}},
    "body": [
        {
            "name": "block",
            "material": "rubber",
            "shape": {"box": {"size": [0.1, 0.1, 0.1]}},
            "position": [0.0, 0.2, 0.0],
            "spacing": 0.025,
        }
    ],
    "collider": [
        {"name": "floor", "shape": {"plane": {}}},
        {"name": "hand", "shape": {"sphere": {"radius": 0.05}}, "position": [0.3, 0.05, 0.0], "driven": True},
    ],
    "probe": [{"name": "block", "measure": "center-of-mass", "body": "block"}],
}


def block() -> dict[str, Any]:
    """A block of rubber that falls on a floor, and a hand that is driven."""
    return copy.deepcopy(_BLOCK)


def ball(name: str) -> dict[str, Any]:
    """The tables of a ball of rubber that a simulation of the block can take."""
    shape = {"sphere": {"radius": 0.04}}
    body = {"name": name, "material": "rubber", "shape": shape, "position": [0.0, 0.5, 0.0], "spacing": 0.02}
    return {"body": [body]}


BLOCK_TEXT = """\
scene.duration = 1.0
[material.rubber]
preset = "rubber"
[[body]]
name = "block"
material = "rubber"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [0.0, 0.2, 0.0]
spacing = 0.025
[[collider]]
name = "floor"
shape = { plane = {} }
[[collider]]
name = "hand"
shape = { sphere = { radius = 0.05 } }
position = [0.3, 0.05, 0.0]
driven = true
[[probe]]
name = "block"
measure = "center-of-mass"
body = "block"
"""

"""The panels show properties and operators that are there. No window is opened: a layout notes what it is given."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest


class Layout:
    """Stands for a layout of Blender, and refuses what a real one would."""

    def __init__(self, bpy: Any, shown: list[str]) -> None:
        self.bpy = bpy
        self.shown = shown
        self.use_property_split = False

    def row(self, **_: Any) -> Layout:
        return self

    column = row

    def prop(self, data: Any, name: str) -> None:
        assert name in data.bl_rna.properties, name
        self.shown.append(name)

    def operator(self, name: str, text: str = "") -> None:
        category, operator = name.split(".")
        getattr(getattr(self.bpy.ops, category), operator).get_rna_type()
        self.shown.append(name)

    def label(self, text: str, icon: str = "NONE") -> None:
        self.shown.append(text)

    def progress(self, factor: float, text: str) -> None:
        assert 0.0 <= factor <= 1.0
        self.shown.append(text)


def drawn(bpy: Any, panel: Any) -> list[str]:
    """What a panel shows."""
    shown: list[str] = []
    panel.draw(SimpleNamespace(layout=Layout(bpy, shown)), bpy.context)
    return shown


@pytest.mark.parametrize(
    ("role", "first", "last"),
    [
        ("NONE", "role", "role"),
        ("BODY", "preset", "values"),
        ("COLLIDER", "kind", "values"),
        ("EMITTER", "body", "values"),
        ("PIN", "body", "values"),
    ],
)
def test_each_role_has_its_properties(blender: Any, role: str, first: str, last: str) -> None:
    from pliant_blender.interface.mark_panels import ObjectPanel

    blender.ops.mesh.primitive_cube_add()
    mark = blender.context.active_object.pliant
    mark.role = role
    mark.is_limited = True
    assert ObjectPanel.poll(blender.context)
    shown = drawn(blender, ObjectPanel)
    assert shown[0] == "role"
    assert first in shown
    assert shown[-1] == last


def test_the_simulation_shows_how_far_it_is(blender: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pliant_blender.command.job import Progress
    from pliant_blender.interface import background
    from pliant_blender.interface.mark_panels import SimulationPanel

    background.say("first\nsecond")
    shown = drawn(blender, SimulationPanel)
    assert {"pliant.simulate", "pliant.resume", "pliant.check", "first", "second"} <= set(shown)
    job = SimpleNamespace(progress=Progress(3, 12, "2.0 s"), is_cancelled=False)
    monkeypatch.setattr(background, "current", lambda: SimpleNamespace(job=job, what="Simulating"))
    shown = drawn(blender, SimulationPanel)
    assert "Simulating: frame 3 of 12, 2.0 s left" in shown
    assert "pliant.cancel" in shown


def test_a_run_shows_its_state(blender: Any, fall: Path) -> None:
    from pliant_blender.interface.run_panels import RunPanel

    assert not RunPanel.poll(blender.context)
    blender.ops.import_scene.pliant_run(filepath=str(fall))
    root = next(thing for thing in blender.data.objects if thing.pliant_run.folder)
    blender.context.view_layer.objects.active = root.children[0]
    assert RunPanel.poll(blender.context)
    assert {"folder", "start", "speed", "quantities", "pliant.refresh"} <= set(drawn(blender, RunPanel))


def test_presets_are_searched(blender: Any) -> None:
    from pliant_blender.marking.properties import _presets

    assert list(_presets(None, blender.context, "SAND")) == ["dry-sand", "wet-sand"]
    assert "rigid" in list(_presets(None, blender.context, ""))

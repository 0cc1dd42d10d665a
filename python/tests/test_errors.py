"""Errors say what is wrong, where, and what would be right."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any, Callable

import pliant
import pytest
from scenes import BLOCK_TEXT, block


def test_a_wrong_file_is_told_with_line_and_key(tmp_path: Path) -> None:
    file = tmp_path / "block.toml"
    file.write_text(BLOCK_TEXT.replace("spacing = 0.025", "spacing = -1.0").replace("size =", "sizes ="))
    with pytest.raises(pliant.SceneError) as wrong:
        pliant.Simulation(file)
    error = wrong.value
    assert isinstance(error, ValueError) and isinstance(error, pliant.PliantError)
    assert error.file == str(file) and error.line == 7 and error.key.startswith("body.block.shape")
    assert error.remedy is not None and str(file) in str(error)
    assert len(error.problems) >= 2
    spacing = next(problem for problem in error.problems if problem.key == "body.block.spacing")
    assert spacing.line == 9 and spacing.value == "-1.0" and spacing.column is not None
    copied = pickle.loads(pickle.dumps(error))
    assert copied.problems == error.problems and str(copied) == str(error)


def test_a_missing_file_is_told() -> None:
    with pytest.raises(pliant.SceneError, match="nowhere.toml"):
        pliant.Simulation("nowhere.toml")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (("body", 0, "spacing"), None),
        (("body", 0, "shape"), object()),
        (("scene", "duration"), b"1"),
        (("material", "rubber", "preset"), {1: 2}),
    ],
)
def test_a_value_of_a_dict_that_toml_does_not_have_is_told_with_its_key(key: Any, value: Any) -> None:
    scene: Any = block()
    part = scene
    for name in key[:-1]:
        part = part[name]
    part[key[-1]] = value
    with pytest.raises(pliant.SceneError) as wrong:
        pliant.Simulation(scene)
    assert wrong.value.key.split(".")[0].startswith(str(key[0])) and wrong.value.remedy


def test_a_wrong_value_of_a_dict_is_told_by_its_key() -> None:
    scene = block()
    scene["body"][0]["spacing"] = -0.5
    with pytest.raises(pliant.SceneError) as wrong:
        pliant.Simulation(scene)
    assert wrong.value.key == "body.block.spacing" and wrong.value.file == "scene dict"
    with pytest.raises(pliant.SceneError) as wrong:
        pliant.Simulation(block(), set={"body.block.spacings": 0.1})
    assert "body.block.spacings" in str(wrong.value)


def test_texts_numbers_and_arrays_come_through_toml_as_they_are() -> None:
    import numpy as np

    scene = block()
    title = 'a "title"\\ with\nlines, \t tabs and \u00e4'
    scene["scene"]["title"] = title
    scene["body"][0]["position"] = np.array([0.1, 1e-17, 0.3])
    scene["body"][0]["spacing"] = np.float32(0.025)
    sim = pliant.Simulation(scene)
    again = pliant.Simulation.from_text(sim.scene)
    assert again.save() == sim.save()


WRONG: list[tuple[Callable[[pliant.Simulation], object], type[Exception], str]] = [
    (lambda sim: sim.measure("block.q"), pliant.UnknownNameError, "block.x"),
    (lambda sim: sim.places("blok"), pliant.UnknownNameError, '"block"'),
    (lambda sim: sim.set_velocity("blok", [0, 0, 0]), pliant.UnknownNameError, '"block"'),
    (lambda sim: sim.drive("hnad", [0, 0, 0]), pliant.UnknownNameError, '"hand"'),
    (lambda sim: sim.drive("floor", [0, 0, 0]), pliant.InvalidValueError, "floor"),
    (lambda sim: sim.drive("hand", [0, 0]), pliant.InvalidValueError, "3 numbers"),
    (lambda sim: sim.drive("hand", "up"), pliant.InvalidValueError, "3 numbers"),  # type: ignore[arg-type]
    (lambda sim: sim.drive("hand", [0, float("nan"), 0]), pliant.InvalidValueError, "finite"),
    (lambda sim: sim.drive_to("hand", [0, 0, 0], 0.0), pliant.InvalidValueError, "above zero"),
    (lambda sim: sim.drive_to("hand", [0, 0, 0], 1.0, [0, 0, 0, 0]), pliant.InvalidValueError, "quaternion"),
    (lambda sim: sim.push("block", [float("inf"), 0, 0]), pliant.InvalidValueError, "finite"),
    (lambda sim: sim.activate("block", "none", 0.5), pliant.InvalidValueError, "none"),
    (lambda sim: sim.step(-1), pliant.InvalidValueError, "whole number"),
    (lambda sim: sim.step(1.5), pliant.InvalidValueError, "whole number"),  # type: ignore[arg-type]
    (lambda sim: sim.step(2**40), pliant.InvalidValueError, "whole number"),
    (lambda sim: sim.step(time=float("inf")), pliant.InvalidValueError, "finite"),
    (lambda sim: sim.step(time=-1.0), pliant.InvalidValueError, "at least 0"),
    (lambda sim: sim.substep(0.0), pliant.InvalidValueError, "greater than 0"),
    (lambda sim: sim.substep(float("nan")), pliant.InvalidValueError, "greater than 0"),
    (lambda sim: sim.restore(b""), pliant.StateError, "no state"),
    (lambda sim: sim.change({"scene.gravity": 1.0}), pliant.SceneError, "scene.gravity"),
]


@pytest.mark.parametrize(("call", "error", "told"), WRONG)
def test_wrong_arguments_are_refused_and_change_nothing(
    call: Callable[[pliant.Simulation], object], error: type[Exception], told: str
) -> None:
    sim = pliant.Simulation(block())
    before = sim.save()
    with pytest.raises(error, match=told):
        call(sim)
    assert sim.save() == before
    sim.step(1)


def test_a_simulation_that_blows_up_says_so_and_can_be_reset() -> None:
    sim = pliant.Simulation(block(), set={"scene.bounds": {"min": [-1, -1, -1], "max": [1, 1, 1], "on_exit": "stop"}})
    sim.set_velocity("block", [0.0, 100.0, 0.0])
    with pytest.raises(pliant.StepError, match="bounds"):
        sim.step(10)
    with pytest.raises(pliant.StepError, match="restore|reset"):
        sim.step(1)
    sim.reset()
    sim.step(1)

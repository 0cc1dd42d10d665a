"""Scenes that are made of dataclasses are those that are made of dicts."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pliant
import pytest
from pliant.dataset import dataset
from pliant.scene import (
    Attach,
    Body,
    Bounds,
    Collider,
    Expect,
    Motion,
    PoseKeyframe,
    Scene,
    SceneSettings,
    Solver,
    StrainEnergySettings,
    forces,
    materials,
    probes,
    shapes,
)

TOOL = Path(__file__).parents[2] / "tools" / "python" / "scene_classes.py"

SCENE = Scene(
    scene=SceneSettings(duration=1.0, bounds=Bounds(min=[-1, -1, -1], max=np.ones(3))),
    solver=Solver(strain_energy=StrainEnergySettings()),
    material={"rubber": materials.Preset(preset="rubber", density=1000.0)},
    body=[
        Body(
            name="block",
            material="rubber",
            shape=shapes.Sdf(
                difference=[
                    shapes.Box(size=[0.1, 0.1, 0.1]),
                    shapes.Placed(shape=shapes.Sphere(radius=0.04), position=(0.0, 0.05, 0.0)),
                ]
            ),
            position=[0.0, 0.2, 0.0],
            spacing=0.02,
        )
    ],
    collider=[
        Collider(name="floor", shape=shapes.Plane()),
        Collider(
            name="plate",
            shape=shapes.Box(size=[0.1, 0.01, 0.1]),
            position=[0.5, 0.2, 0.0],
            motion=Motion(keyframes=[PoseKeyframe(t=0.0), PoseKeyframe(t=1.0, position=[0.5, 0.3, 0.0])]),
        ),
    ],
    attach=[Attach(name="hook", body="block", position=[0.0, 0.15, 0.0], force=[0.0, 1.0, 0.0])],
    force=[forces.Wind(name="air", velocity=[1.0, 0.0, 0.0], linear=0.1)],
    probe=[probes.CenterOfMass(name="block", body="block")],
    expect=[Expect(column="block.y", from_=0.1, at="min", range=[0.0, 1.0])],
)

TABLES: dict[str, Any] = {
    "scene": {"duration": 1.0, "bounds": {"min": [-1, -1, -1], "max": [1.0, 1.0, 1.0]}},
    "solver": {"strain-energy": {}},
    "material": {"rubber": {"preset": "rubber", "density": 1000.0}},
    "body": [
        {
            "name": "block",
            "material": "rubber",
            "shape": {
                "sdf": {
                    "difference": [
                        {"box": {"size": [0.1, 0.1, 0.1]}},
                        {"sphere": {"radius": 0.04}, "position": [0.0, 0.05, 0.0]},
                    ]
                }
            },
            "position": [0.0, 0.2, 0.0],
            "spacing": 0.02,
        }
    ],
    "collider": [
        {"name": "floor", "shape": {"plane": {}}},
        {
            "name": "plate",
            "shape": {"box": {"size": [0.1, 0.01, 0.1]}},
            "position": [0.5, 0.2, 0.0],
            "motion": {"keyframes": [{"t": 0.0}, {"t": 1.0, "position": [0.5, 0.3, 0.0]}]},
        },
    ],
    "attach": [{"name": "hook", "body": "block", "position": [0.0, 0.15, 0.0], "force": [0.0, 1.0, 0.0]}],
    "force": [{"name": "air", "kind": "wind", "velocity": [1.0, 0.0, 0.0], "linear": 0.1}],
    "probe": [{"name": "block", "measure": "center-of-mass", "body": "block"}],
    "expect": [{"column": "block.y", "from": 0.1, "at": "min", "range": [0.0, 1.0]}],
}


def test_classes_and_dicts_lead_to_the_same_bits(tmp_path: Path) -> None:
    one, two = pliant.Simulation(SCENE), pliant.Simulation(TABLES)
    assert one.scene == two.scene
    one.step(3)
    two.step(3)
    assert one.save() == two.save()
    batch = pliant.Batch(SCENE, 2)
    batch.step(3)
    assert batch.save(1) == one.save()
    # Classes inside of dicts too, wherever values are taken.
    mixed = pliant.Simulation({**TABLES, "body": SCENE.body})
    assert mixed.scene == one.scene
    mixed.add(Scene(body=[Body(name="ball", material="rubber", shape=shapes.Sphere(radius=0.03), spacing=0.02)]))
    assert "ball" in mixed.bodies
    larger = pliant.Simulation(SCENE, set={"body.block.shape": shapes.Box(size=[0.2, 0.1, 0.1])})
    assert larger.particle_count > one.particle_count
    dataset(tmp_path / "a", SCENE, trajectories=1, frames=2)
    dataset(tmp_path / "b", TABLES, trajectories=1, frames=2)
    files = [(tmp_path / name / "trajectories" / "00000.npz").read_bytes() for name in "ab"]
    assert files[0] == files[1]


def test_what_is_wrong_with_a_class_is_told_with_its_key() -> None:
    assert SCENE.body is not None
    wrong = Body(name="block", material="rubber", shape=shapes.Sphere(radius=-1.0), spacing=0.02)
    with pytest.raises(pliant.SceneError) as error:
        pliant.Simulation(Scene(scene=SCENE.scene, material=SCENE.material, body=[wrong]))
    assert error.value.key == "body.block.shape.sphere.radius"
    with pytest.raises(TypeError, match="spacin"):
        Body(name="block", material="rubber", shape=shapes.Plane(), spacin=0.02)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="path"):
        pliant.Simulation(3)  # type: ignore[arg-type]


def test_every_key_of_the_schema_is_a_field() -> None:
    spec = importlib.util.spec_from_file_location("scene_classes", TOOL)
    assert spec is not None and spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    schema = pliant.schema()
    folder = Path(__file__).parents[1] / "pliant" / "scene"
    for name, text in tool.texts(json.loads(schema) if isinstance(schema, str) else schema).items():
        assert (folder / name).read_text(encoding="utf-8") == text, f"write python/pliant/scene anew: {TOOL} tells how"

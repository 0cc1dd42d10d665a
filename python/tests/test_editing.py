"""Contracts of what is added, removed, attached and released between steps."""

from __future__ import annotations

import pickle

import numpy as np
import pliant
import pytest
from scenes import ball, block


def test_a_body_is_added_and_falls_while_others_stay_as_they_are() -> None:
    sim = pliant.Simulation(block())
    sim.step(2)
    before = sim.frame()
    sim.add(ball("ball"))
    after = sim.frame()
    assert sim.bodies == ["block", "ball"]
    assert np.array_equal(after.position[: len(before.id)], before.position)
    sim.step(6)
    height = sim.particles.position[sim.places("ball"), 1].mean()
    assert height == pytest.approx(0.5 - 0.5 * 9.81 * (6 / sim.frame_rate) ** 2, abs=0.005)


def test_saved_and_pickled_simulations_have_what_was_added() -> None:
    sim = pliant.Simulation(block())
    sim.add(ball("ball"))
    sim.step(2)
    saved = sim.save()
    again = pickle.loads(pickle.dumps(sim))
    fresh = pliant.Simulation(block())
    fresh.restore(saved)
    for other in (sim, again, fresh):
        other.step(2)
    assert sim.save() == again.save() == fresh.save()
    sim.reset()
    assert sim.bodies == ["block"]


def test_a_material_comes_with_its_body() -> None:
    sim = pliant.Simulation(block())
    tables = ball("ball")
    tables["material"] = {"lead": {"law": "rigid", "density": 11340.0}}
    tables["body"][0].update(material="lead", position=[0.0, 0.9, 0.0])
    sim.add(tables)
    assert sim.materials == ["rubber", "lead"]
    assert "ball" in sim.colliders


def test_tables_that_are_wrong_are_refused_with_their_key_and_add_nothing() -> None:
    sim = pliant.Simulation(block())
    saved = sim.save()
    wrong = ball("ball")
    wrong["body"][0]["spacing"] = -0.01
    with pytest.raises(pliant.SceneError, match="added dict") as raised:
        sim.add(wrong)
    assert raised.value.key == "body.ball.spacing" and raised.value.line is not None
    with pytest.raises(pliant.SceneError, match="already"):
        sim.add(ball("block"))
    with pytest.raises(pliant.SceneError, match="cannot be added"):
        sim.add({"collider": [{"name": "wall", "shape": {"plane": {}}}]})
    assert sim.save() == saved


def test_a_body_is_removed() -> None:
    sim = pliant.Simulation(block())
    sim.add(ball("ball"))
    count = len(sim.places("block"))
    sim.remove("ball")
    assert sim.particle_count == count and len(sim.places("ball")) == 0
    with pytest.raises(pliant.UnknownNameError, match="block"):
        sim.remove("cow")


def test_what_is_attached_stays_until_it_is_released() -> None:
    sim = pliant.Simulation(block())
    count = sim.attach("grip", "block", within=lambda x: x[:, 1] > 0.22)
    top = sim.places("block")[sim.particles.position[sim.places("block"), 1] > 0.22]
    assert count == len(top)
    ids, held = sim.particles.id[top], sim.particles.position[top].copy()
    sim.step(6)
    now = sim.frame()
    assert np.abs(now.position[np.isin(now.id, ids)] - held).max() < 1e-6
    sim.release("grip")
    sim.step(6)
    now = sim.frame()
    assert (now.position[np.isin(now.id, ids), 1] < held[:, 1]).all()


def test_a_driven_collider_takes_what_is_attached_to_it_along() -> None:
    sim = pliant.Simulation(block())
    count = sim.attach("grip", "block", "hand")
    assert count == len(sim.places("block"))
    start = sim.frame().position
    sim.drive("hand", [0.0, 0.5, 0.0])
    sim.step(time=0.1)
    moved = sim.frame().position - start
    assert np.abs(moved - [0.0, 0.5 * sim.time, 0.0]).max() < 1e-6


def test_a_rigid_body_hangs_on_what_is_attached_to_it() -> None:
    sim = pliant.Simulation(block())
    tables = ball("load")
    tables["material"] = {"wood": {"law": "rigid", "density": 500.0}}
    tables["body"][0].update(material="wood", position=[0.0, 0.1, 0.0])
    sim.add(tables)
    sim.attach("ceiling", "block", within=lambda x: x[:, 1] > 0.23)
    sim.attach("hook", "block", "load", within=lambda x: x[:, 1] < 0.17)
    sim.step(time=0.2)
    assert sim.collider_pose("load").position[1] > 0.05


def test_attachments_that_cannot_be_are_refused() -> None:
    sim = pliant.Simulation(block())
    sim.attach("grip", "block")
    with pytest.raises(pliant.ChangeError):
        sim.attach("grip", "block")
    with pytest.raises(pliant.ChangeError):
        sim.attach("nothing", "block", within=lambda x: x[:, 0] > 100.0)
    with pytest.raises(pliant.InvalidValueError, match="truth value"):
        sim.attach("mask", "block", within=lambda x: x)
    with pytest.raises(pliant.UnknownNameError, match="hand"):
        sim.attach("held", "block", "cow")
    with pytest.raises(pliant.ChangeError):
        sim.release("cow")

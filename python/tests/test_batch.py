"""Contracts of batches."""

from __future__ import annotations

import numpy as np
import pliant
import pytest
from scenes import block

FRICTION = [0.1, 0.5, 0.9, 0.5, 0.3]


def batch_of(threads: int = 0) -> pliant.Batch:
    """Worlds of different friction."""
    return pliant.Batch(block(), values={"collider.floor.friction": FRICTION}, threads=threads)


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_worlds_have_the_bits_that_they_have_alone(threads: int) -> None:
    batch = batch_of(threads)
    velocity = np.zeros((5, 3))
    velocity[:, 0] = [1.0, 2.0, 3.0, 4.0, 5.0]
    batch.set_velocity("block", velocity)
    batch.step(3)
    batch.drive("hand", -0.5 * velocity, spin=np.ones((5, 3)))
    batch.step(3)
    positions, velocities = batch.positions(), batch.velocities()
    measured = batch.measure(["block.x", "energy_kinetic"])
    assert positions.shape == (5, 64, 3) and positions.dtype == np.float64 and velocities.dtype == np.float32
    for k, friction in enumerate(FRICTION):
        alone = pliant.Simulation(block(), set={"collider.floor.friction": friction})
        alone.set_velocity("block", velocity[k])
        alone.step(3)
        alone.drive("hand", -0.5 * velocity[k], spin=[1.0, 1.0, 1.0])
        alone.step(3)
        assert alone.save() == batch.save(k)
        frame = alone.frame()
        assert (frame.position == positions[k]).all() and (frame.velocity == velocities[k]).all()
        assert measured[k].tolist() == alone.measure_all(["block.x", "energy_kinetic"])
        assert alone.collider_pose("hand").position == tuple(batch.collider_poses("hand")[0][k])


def test_single_worlds_go_on_and_start_again() -> None:
    batch = batch_of()
    starts = [batch.save(k) for k in range(5)]
    batch.step(2, worlds=[1, 3])
    assert (batch.time > 0).tolist() == [False, True, False, True, False]
    batch.step(1, worlds=np.array([True, False, False, False, False]))
    batch.reset([3])
    assert batch.save(3) == starts[3] and batch.save(1) != starts[1] and batch.save(0) != starts[0]
    saved = batch.save(1)
    batch.restore(3, saved)
    assert batch.save(3) == saved
    batch.reset()
    assert [batch.save(k) for k in range(5)] == starts


def test_a_world_that_cannot_go_on_is_named_and_stops_no_other() -> None:
    scene = block()
    scene["scene"]["bounds"] = {"min": [-1, -1, -1], "max": [1, 1, 1], "on_exit": "stop"}
    batch = pliant.Batch(scene, 3)
    batch.push("block", [[0.0, 0.0, 0.0], [0.0, 1000.0, 0.0], [0.0, 0.0, 0.0]])
    with pytest.raises(pliant.StepError, match="world 1") as wrong:
        batch.step(5)
    assert list(wrong.value.worlds) == [1]
    assert batch.time[0] == batch.time[2] > 0.1
    batch.reset([1])
    batch.step(1)


def test_wrong_values_are_told_with_their_world() -> None:
    with pytest.raises(pliant.SceneError) as wrong:
        pliant.Batch(block(), values={"body.block.spacing": [0.05, -1.0, 0.05, -2.0]})
    assert wrong.value.key == "body.block.spacing" and list(wrong.value.worlds) == [1, 3]
    with pytest.raises(pliant.InvalidValueError, match="2 values for 3 worlds"):
        pliant.Batch(block(), 3, values={"scene.seed": [1, 2]})
    batch = pliant.Batch(block(), values={"body.block.spacing": [0.05, 0.025]})
    assert batch.particle_count.tolist() == [8, 64]
    with pytest.raises(pliant.InvalidValueError, match="8 to 64"):
        batch.positions()
    assert [len(position) for position, _ in batch.motion()] == [8, 64]
    with pytest.raises(pliant.InvalidValueError, match=r"\(2, 3\)"):
        batch.drive("hand", np.zeros((3, 3)))
    with pytest.raises(pliant.UnknownNameError, match="there are 2"):
        batch.reset([2])
    with pytest.raises(pliant.UnknownNameError, match='"hand"'):
        batch.drive("foot", np.zeros((2, 3)))

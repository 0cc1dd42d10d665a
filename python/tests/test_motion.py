"""Contracts of positions and velocities that are given to particles between steps."""

from __future__ import annotations

import gc
import pickle
import threading
from typing import Any

import numpy as np
import pliant
import pytest
from scenes import ball, block


def rigid(position: list[float]) -> dict[str, Any]:
    """The tables of a stone that a simulation of the block can take."""
    tables = ball("stone")
    tables["material"] = {"stone": {"law": "rigid", "density": 2000.0}}
    tables["body"][0].update(material="stone", position=position)
    return tables


def test_a_selection_is_given_velocities_and_momentum_is_what_they_make() -> None:
    sim = pliant.Simulation(block(), set={"scene.gravity": [0, 0, 0]})
    with sim.edit() as particles:
        upper = particles.position[:, 1] > 0.2
        assert 0 < upper.sum() < len(particles) == sim.particle_count
        particles.velocity[upper] += [0.5, 0.0, -0.25]
        expected = particles.mass[upper].sum() * np.array([0.5, 0.0, -0.25])
    now = sim.particles
    assert (now.velocity[upper] == [0.5, 0.0, -0.25]).all() and not now.velocity[~upper].any()
    sim.step(2)
    momentum = np.array(sim.measure_all(["momentum_x", "momentum_y", "momentum_z"]))
    assert np.abs(momentum - expected).max() < 1e-5 * np.abs(expected).max()


def test_a_body_that_is_put_elsewhere_falls_from_there() -> None:
    sim = pliant.Simulation(block())
    sim.step(2)
    with sim.edit() as particles:
        particles.position += [0.0, 1.0, 0.0]
        particles.velocity = [1.0, 0.0, 0.0]
    start, time = sim.particles.position.mean(axis=0), sim.time
    sim.step(4)
    fallen, flown = sim.particles.position.mean(axis=0) - start, sim.time - time
    off = np.abs(fallen - [flown, -0.5 * 9.81 * flown**2, 0.0]).max()
    assert off < 0.5 * 9.81 * flown * sim.report().dt + 1e-5


def test_an_edit_of_nothing_changes_no_bit() -> None:
    edited, plain = pliant.Simulation(block()), pliant.Simulation(block())
    for sim in (edited, plain):
        sim.step(2)
    with edited.edit():
        pass
    with edited.edit() as particles:
        particles.position += 0.0
        particles.velocity[:] = particles.velocity.copy()
    assert edited.save() == plain.save()
    for sim in (edited, plain):
        sim.step(2)
    assert edited.save() == plain.save()


def test_columns_are_in_the_order_of_particles_and_have_their_types() -> None:
    sim = pliant.Simulation(block())
    sim.add(ball("ball"))
    sim.step(3)
    shown = sim.particles
    with sim.edit() as particles:
        for name in ("position", "velocity", "mass", "inverse_mass", "radius", "body", "id"):
            now, column = getattr(shown, name), getattr(particles, name)
            assert column.dtype == now.dtype and np.array_equal(column, now), name
            assert column.flags.writeable == (name in ("position", "velocity")), name
        assert particles.position is particles.position and particles.velocity.flags.c_contiguous
        with pytest.raises(ValueError, match="read-only"):
            particles.mass[0] = 1.0
        for name in ("mass", "id", "density"):
            with pytest.raises(AttributeError):
                setattr(particles, name, 1.0)


def test_arrays_that_are_kept_do_not_reach_the_simulation() -> None:
    sim = pliant.Simulation(block())
    with sim.edit() as particles:
        position, velocity = particles.position, particles.velocity
        row, numbers = velocity[0], velocity.reshape(-1)
        velocity += 0.1
        kept = position.copy()
    saved, shown = sim.save(), sim.particles.velocity
    for array in (position, velocity):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
    # Views that were made before are of memory that is nobody else's.
    row[:] = 7.0
    numbers[5] = 7.0
    velocity.flags.writeable = True
    velocity[:] = 7.0
    assert sim.save() == saved and (shown == np.float32(0.1)).all()
    sim.step(1)
    other = pliant.Simulation(block())
    other.restore(saved)
    other.step(1)
    assert sim.save() == other.save()
    del sim, particles
    gc.collect()
    assert np.array_equal(position, kept) and (row == 7.0).all()


def test_views_that_were_shown_before_keep_what_they_show() -> None:
    sim = pliant.Simulation(block())
    before = sim.particles
    position = before.position.copy()
    with sim.edit() as particles:
        particles.position[:, 0] += 1.0
        assert np.array_equal(sim.particles.position, position)
    assert np.array_equal(before.position, position)
    assert np.array_equal(sim.particles.position, position + [1.0, 0.0, 0.0])


def test_an_exception_in_the_block_leaves_the_simulation_as_it_was() -> None:
    sim = pliant.Simulation(block())
    saved = sim.save()
    with pytest.raises(ZeroDivisionError):
        with sim.edit() as particles:
            velocity = particles.velocity
            velocity[:] = 3.0
            particles.position.shape = (-1,)
            raise ZeroDivisionError
    assert sim.save() == saved and not velocity.flags.writeable
    sim.step(1)


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("velocity", np.nan, "finite"),
        ("velocity", np.inf, "finite"),
        ("velocity", 1e30, "speed"),
        ("position", -np.inf, "finite"),
        ("position", 1e12, "coordinates"),
    ],
)
def test_what_no_particle_can_have_is_refused_with_its_name(column: str, value: float, said: str) -> None:
    sim = pliant.Simulation(block())
    saved = sim.save()
    with pytest.raises(pliant.InvalidValueError, match=said) as raised:
        with sim.edit() as particles:
            particles.velocity[:, 0] += 1.0
            getattr(particles, column)[3, 1] = value
            particle = int(particles.id[3])
    told = str(raised.value)
    assert column in told and f"particle {particle} " in told and "block" in told
    assert sim.save() == saved
    sim.step(1)


def test_arrays_of_another_shape_or_type_are_refused() -> None:
    sim = pliant.Simulation(block())
    saved = sim.save()
    with sim.edit() as particles:
        with pytest.raises(ValueError, match="broadcast"):
            particles.velocity = np.zeros((2, 2))
        with pytest.raises((TypeError, ValueError)):
            particles.velocity = "fast"
    with pytest.raises(pliant.InvalidValueError, match="shape"):
        with sim.edit() as particles:
            particles.position.shape = (3, -1)
    assert sim.save() == saved


def test_what_is_held_is_refused_until_it_is_released() -> None:
    sim = pliant.Simulation(block())
    sim.attach("grip", "block", "hand", within=lambda x: x[:, 1] > 0.2)
    saved = sim.save()
    for column in ("position", "velocity"):
        with pytest.raises(pliant.ChangeError, match="held"):
            with sim.edit() as particles:
                getattr(particles, column)[:] += 0.01
        assert sim.save() == saved
    with sim.edit() as particles:
        free = particles.inverse_mass > 0.0
        assert 0 < free.sum() < len(particles)
        particles.velocity[free] = [0.0, -0.1, 0.0]
    sim.release("grip")
    with sim.edit() as particles:
        particles.velocity = 0.0
    assert sim.energies().kinetic == 0.0


def test_a_rigid_body_goes_with_its_particle() -> None:
    sim = pliant.Simulation(block())
    sim.add(rigid([0.5, 0.5, 0.0]))
    place = sim.places("stone")[0]
    with sim.edit() as particles:
        particles.position[place] = [1.0, 2.0, 3.0]
        particles.velocity[place] = [0.0, 1.0, 0.0]
    assert sim.collider_pose("stone").position == pytest.approx((1.0, 2.0, 3.0))
    sim.step(3)
    height = 2.0 + sim.time - 0.5 * 9.81 * sim.time**2
    assert sim.collider_pose("stone").position == pytest.approx((1.0, height, 3.0), abs=1e-5)


def test_nothing_else_changes_a_simulation_that_is_edited() -> None:
    sim = pliant.Simulation(block())
    saved = sim.save()
    with sim.edit() as particles:
        particles.velocity += 1.0
        for change in (
            sim.step,
            sim.reset,
            lambda: sim.substep(1e-4),
            lambda: sim.restore(saved),
            lambda: sim.set_velocity("block", [0.0, 0.0, 0.0]),
            lambda: sim.edit().__enter__(),
        ):
            with pytest.raises(pliant.BusyError, match="edit"):
                change()
        # It can be read, and is as before.
        assert sim.save() == saved == pickle.loads(pickle.dumps(sim)).save()
        assert sim.measure("block.vx") == 0.0 and not sim.frame([]).velocity.any()
    assert sim.measure("block.vx") == pytest.approx(1.0)
    sim.step()


def test_an_edit_is_one_block() -> None:
    sim = pliant.Simulation(block())
    edit = sim.edit()
    with pytest.raises(pliant.ChangeError, match="with"):
        edit.velocity  # noqa: B018
    with edit:
        edit.velocity[:] = 1.0
    for use in (lambda: edit.velocity, lambda: edit.id, lambda: len(edit), edit.__enter__):
        with pytest.raises(pliant.ChangeError, match="another"):
            use()
    assert "particles" in repr(edit)
    # One that is forgotten keeps nobody from going on.
    sim.edit().__enter__()
    gc.collect()
    sim.step()


def test_another_thread_is_told_that_it_is_edited() -> None:
    sim, raised = pliant.Simulation(block()), []

    def step() -> None:
        try:
            sim.step()
        except pliant.BusyError as error:
            raised.append(error)

    with sim.edit() as particles:
        particles.velocity += 1.0
        thread = threading.Thread(target=step)
        thread.start()
        thread.join()
    assert len(raised) == 1


def test_threads_and_saved_states_lead_to_the_same_bits_after_an_edit() -> None:
    ends = []
    for threads in (1, 2):
        sim = pliant.Simulation(block(), threads=threads)
        sim.step(2)
        with sim.edit() as particles:
            particles.position[:, 1] += 0.01 * np.sin(particles.id)
            particles.velocity[::2] *= -0.5
        saved = sim.save()
        sim.step(2)
        ends.append(sim.save())
        fresh = pliant.Simulation(block())
        fresh.restore(saved)
        fresh.step(2)
        ends.append(fresh.save())
    assert len(set(ends)) == 1


def test_worlds_of_a_batch_are_given_the_motion_that_they_told() -> None:
    batch = pliant.Batch(block(), 3)
    start = [batch.save(world) for world in range(3)]
    batch.set_motion(batch.positions(), batch.velocities())
    assert [batch.save(world) for world in range(3)] == start
    positions = batch.positions()
    positions[2] += [0.0, 0.5, 0.0]
    batch.set_motion(positions=positions[[2, 0]], worlds=[2, 0])
    batch.set_motion(velocities=np.full_like(positions[:1], 0.25), worlds=[1])
    assert np.array_equal(batch.positions(), positions)
    assert batch.velocities()[1].min() == 0.25 and not batch.velocities()[[0, 2]].any()
    assert batch.save(0) == start[0]
    # In the order of ids also when that of memory is another one.
    alone = pliant.Simulation(block())
    alone.step(3)
    batch.reset()
    batch.step(3)
    given = batch.velocities() + np.arange(3, dtype=np.float32)[:, None, None]
    batch.set_motion(velocities=given)
    with alone.edit() as particles:
        particles.velocity += 1.0
    assert batch.save(1) == alone.save()
    batch.step(2)
    alone.step(2)
    assert batch.save(1) == alone.save()


def test_worlds_that_refuse_a_motion_are_named_and_stay_as_they_are() -> None:
    batch = pliant.Batch(block(), 3)
    start = [batch.save(world) for world in range(3)]
    velocities = np.ones((3, *batch.positions().shape[1:]))
    velocities[1, 2, 0] = np.nan
    with pytest.raises(pliant.InvalidValueError, match="finite") as raised:
        batch.set_motion(velocities=velocities)
    assert list(raised.value.worlds) == [1] and batch.save(1) == start[1]
    assert (batch.velocities()[[0, 2]] == 1.0).all()
    with pytest.raises(pliant.InvalidValueError, match="particles is wanted"):
        batch.set_motion(positions=batch.positions()[:, 1:])
    for wrong in ([1.0], np.zeros((3, 4)), np.zeros((3, 4, 2)), np.zeros((2, 4, 3)), "x"):
        with pytest.raises(pliant.InvalidValueError, match="shape"):
            batch.set_motion(positions=wrong)
    with pytest.raises(pliant.UnknownNameError):
        batch.set_motion(positions=batch.positions()[:1], worlds=[3])
    with pytest.raises(pliant.InvalidValueError, match="once"):
        batch.set_motion(positions=batch.positions()[:2], worlds=[1, 1])

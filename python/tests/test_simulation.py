"""Contracts of a simulation."""

from __future__ import annotations

import pickle
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pliant
import pytest
from scenes import BLOCK_TEXT, block


def test_file_text_and_dict_are_the_same_scene(tmp_path: Path) -> None:
    file = tmp_path / "block.toml"
    file.write_text(BLOCK_TEXT)
    sims = [pliant.Simulation(file), pliant.Simulation.from_text(BLOCK_TEXT), pliant.Simulation(block())]
    for sim in sims:
        sim.step(3)
    assert sims[0].save() == sims[1].save() == sims[2].save()
    assert sims[0].frame_number == 4
    assert sims[0].bodies == ["block"] and sims[0].colliders == ["floor", "hand"]
    assert sims[0].materials == ["rubber"]


def test_threads_and_a_written_out_scene_change_no_bit() -> None:
    one, two = pliant.Simulation(block(), threads=1), pliant.Simulation(block(), threads=2)
    again = pliant.Simulation.from_text(one.scene)
    for sim in (one, two, again):
        sim.step(4)
    assert one.save() == two.save() == again.save()


def test_a_time_is_stepped_in_whole_frames() -> None:
    sim = pliant.Simulation(block())
    sim.step(time=3 / sim.frame_rate)
    assert sim.frame_number == 4 and sim.time == 3 / sim.frame_rate
    sim.step(time=0.1 / sim.frame_rate)
    assert sim.frame_number == 5
    sim.step(time=0.0)
    sim.step(0)
    assert sim.frame_number == 5
    sim.substep(1e-4, 3)
    assert sim.time == pytest.approx(4 / sim.frame_rate + 3e-4)


def test_a_free_fall_is_measured() -> None:
    sim = pliant.Simulation(block())
    sim.step(time=0.125)
    fallen = 0.2 - 0.5 * 9.81 * sim.time**2
    assert sim.measure("block.y") == pytest.approx(fallen, abs=0.01)
    together = sim.measure_all(["block.y", "energy_kinetic"])
    assert together == [sim.measure("block.y"), sim.measure("energy_kinetic")]
    assert sim.columns["block.y"] == "m" and sim.columns["energy_kinetic"] == "J"
    energies = sim.energies()
    assert energies.kinetic == pytest.approx(together[1])
    assert energies.total == pytest.approx(sum(energies))
    report = sim.report()
    assert report.substeps > 0 and set(report.collider_force) == {"floor", "hand"}


def test_frames_are_in_the_order_of_ids_and_particles_in_that_of_memory() -> None:
    sim = pliant.Simulation(block())
    sim.step(2)
    frame, particles = sim.frame(), sim.particles
    n = sim.particle_count
    assert len(particles) == n and frame.position.shape == (n, 3) and frame.velocity.shape == (n, 3)
    assert frame.position.dtype == np.float64 and frame.velocity.dtype == np.float32
    assert (np.diff(frame.id.astype(int)) > 0).all()
    order = np.argsort(particles.id)
    assert (order == sim.places("block")).all()
    assert (particles.position[order] == frame.position).all()
    assert (particles.velocity[order] == frame.velocity).all()
    assert (particles.body[order] == frame.body).all()
    assert (particles.radius[order] == frame.radius).all()
    center = np.average(particles.position, axis=0, weights=particles.mass)
    assert center[1] == pytest.approx(sim.measure("center_of_mass_y"))
    assert "density" in frame.quantities and frame.quantities["density"].shape == (n,)
    few = sim.frame(["density"], surfaces=False)
    assert list(few.quantities) == ["density"] and few.surface is None
    assert (few.quantities["density"] == frame.quantities["density"]).all()
    with pytest.raises(pliant.UnknownNameError, match='densty.*"density"'):
        sim.frame(["densty"])


def test_cloth_keeps_the_texture_coordinates_of_its_file(tmp_path: Path) -> None:
    square = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3 4/4\n"
    (tmp_path / "square.obj").write_text(square)
    scene = tmp_path / "scene.toml"
    scene.write_text(
        'scene.duration = 0.1\nmaterial.cotton = { preset = "cotton" }\n[[body]]\nname = "square"\n'
        'material = "cotton"\nshape = { mesh = { file = "square.obj" } }\nspacing = 0.05\n'
    )
    sim = pliant.Simulation(scene)
    for _ in range(2):
        frame = sim.frame()
        corners = frame.position[frame.triangles][:, :, [0, 2]]
        assert frame.uv.shape == (2, 3, 2) and frame.uv.dtype == np.float32
        assert np.allclose(frame.uv, corners, atol=1e-3)
        assert frame.inside.shape == (0,) and frame.inside.dtype == np.bool_
        sim.step()
    assert pliant.Simulation(block()).frame().uv.shape == (0, 3, 2)


def test_a_column_is_no_copy_and_outlives_steps_and_its_simulation() -> None:
    sim = pliant.Simulation(block())
    first, again = sim.particles.position, sim.particles.position
    assert np.shares_memory(first, again)
    kept = first.copy()
    row = first[3]
    sim.step(5)
    assert (first == kept).all() and (again == kept).all() and (row == kept[3]).all()
    later = sim.particles.position
    assert not np.shares_memory(first, later) and (later != kept).any()
    moved = later.copy()
    changes: list[Callable[[], object]] = [
        lambda: sim.set_velocity("block", [1.0, 0.0, 0.0]),
        lambda: sim.push("block", (0.0, 0.1, 0.0)),
        lambda: sim.reset(),
        lambda: sim.restore(sim.save()),
        lambda: sim.substep(1e-4),
        lambda: sim.change({"scene.gravity": [0.0, 0.0, 0.0]}),
    ]
    for change in changes:
        held = sim.particles.velocity
        before = held.copy()
        change()
        assert (held == before).all()
    assert (later == moved).all()
    del sim
    assert (later == moved).all() and (first == kept).all()


def test_columns_cannot_be_written() -> None:
    particles = pliant.Simulation(block()).particles
    for column in (particles.position, particles.velocity, particles.mass, particles.id, particles.position[1:]):
        with pytest.raises(ValueError):
            column[0] = 0
        with pytest.raises(ValueError):
            column.flags.writeable = True


def test_other_libraries_take_columns_by_dlpack() -> None:
    frame = pliant.Simulation(block()).frame()
    taken = np.from_dlpack(frame.position)
    assert np.shares_memory(taken, frame.position)


def test_a_hand_that_is_driven_pushes_the_block() -> None:
    sim = pliant.Simulation(block())
    sim.step(12)
    sim.drive_to("hand", [0.0, 0.05, 0.0], 0.4)
    sim.step(12)
    assert sim.measure("block.x") < -0.05
    assert sim.collider_pose("hand").position == pytest.approx((0.0, 0.05, 0.0))
    sim.drive("hand", np.array([0.0, 1.0, 0.0]), spin=[0.0, 0.0, 1.0])
    sim.step(1)
    assert sim.collider_pose("hand").position[1] == pytest.approx(0.05 + 1.0 / sim.frame_rate)
    x, y, z, w = sim.collider_pose("hand").rotation
    assert 2 * np.arctan2(z, w) == pytest.approx(1.0 / sim.frame_rate)


def test_a_push_changes_momentum_by_itself() -> None:
    sim = pliant.Simulation(block(), set={"scene.gravity": [0.0, 0.0, 0.0]})
    sim.push("block", [0.3, 0.0, -0.1])
    momentum = sim.measure_all(["momentum_x", "momentum_y", "momentum_z"])
    assert momentum == pytest.approx([0.3, 0.0, -0.1], abs=1e-6)
    sim.set_velocity("block", [0.0, 0.0, 0.0])
    assert sim.energies().kinetic == 0.0


def test_a_saved_state_goes_on_with_the_same_bits() -> None:
    sim = pliant.Simulation(block())
    start = sim.save()
    sim.step(3)
    saved = sim.save()
    sim.step(3)
    end = sim.save()
    sim.restore(saved)
    sim.step(3)
    assert sim.save() == end
    sim.reset()
    assert sim.save() == start and sim.time == 0.0
    with pytest.raises(pliant.StateError):
        sim.restore(saved[:30])
    assert sim.save() == start


def test_constants_change_by_the_keys_of_the_scene() -> None:
    sim = pliant.Simulation(block())
    sim.step(1)
    before = sim.save()
    sim.change({"scene.gravity": [0.0, 0.0, 0.0], "collider.floor.friction": 0.7})
    sim.set_velocity("block", [0.0, 0.0, 0.0])
    sim.step(1)
    assert abs(sim.measure("block.vy")) < 1e-3
    assert "friction = 0.7" in sim.scene
    with pytest.raises(pliant.ChangeError, match="spacing|particles"):
        sim.change({"body.block.spacing": 0.05})
    with pytest.raises(pliant.SceneError) as wrong:
        sim.change({"collider.floor.friction": -1.0})
    assert wrong.value.key == "collider.floor.friction"
    sim.restore(before)


def test_a_pickled_simulation_goes_on_with_the_same_bits() -> None:
    sim = pliant.Simulation(block(), threads=2)
    sim.change({"collider.floor.friction": 0.7})
    sim.step(3)
    other = pickle.loads(pickle.dumps(sim))
    assert other.save() == sim.save() and other.scene == sim.scene
    for one in (sim, other):
        one.step(3)
    assert other.save() == sim.save()


def test_progress_is_shown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    sim = pliant.Simulation(block())
    sim.step(2, progress=True)
    assert sim.frame_number == 3 and "2/2" in capsys.readouterr().err
    monkeypatch.setitem(__import__("sys").modules, "tqdm.auto", None)
    sim.step(2, progress=True)
    assert sim.frame_number == 5 and "2/2 frames" in capsys.readouterr().err


def test_another_thread_runs_while_a_step_computes() -> None:
    sim = pliant.Simulation(block(), threads=1)
    done = threading.Event()

    def steps() -> None:
        sim.step(20)
        done.set()

    thread = threading.Thread(target=steps)
    thread.start()
    refused = turns = 0
    while not done.is_set():
        turns += 1
        try:
            assert sim.time >= 0.0
        except pliant.BusyError:
            refused += 1
        time.sleep(0.001)
    thread.join()
    assert turns > 1 and refused > 0 and sim.frame_number == 21


def test_threads_with_a_simulation_each_have_the_same_bits() -> None:
    ends: list[bytes] = []

    def run() -> None:
        sim = pliant.Simulation(block())
        sim.step(4)
        ends.append(sim.save())

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ends) == 4 and len(set(ends)) == 1


def test_ctrl_c_ends_a_step_and_leaves_the_state_of_the_last_whole_frame(request: pytest.FixtureRequest) -> None:
    # A job in the background is started with the signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    sim = pliant.Simulation(block())
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        sim.step(1_000_000)
    assert time.monotonic() - start < 30.0
    frame = sim.frame_number
    again = pliant.Simulation(block())
    again.step(frame - 1)
    assert again.save() == sim.save()
    sim.step(1)
    assert sim.frame_number == frame + 1

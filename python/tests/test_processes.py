"""Simulations in other processes: forked, spawned, in a pool."""

from __future__ import annotations

import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor

import pliant
import pytest
from scenes import block


def end_of(sim: pliant.Simulation, frames: int) -> bytes:
    """The state after frames."""
    sim.step(frames)
    sim.frame()
    sim.measure_all(["block.y", "energy_kinetic"])
    return sim.save()


def end_of_new(frames: int) -> bytes:
    """The same of a simulation that is started here."""
    return end_of(pliant.Simulation(block()), frames)


def ends_of_batch(frames: int) -> list[bytes]:
    """The same of a batch that is started here."""
    batch = pliant.Batch(block(), 2)
    batch.step(frames)
    return [batch.save(0), batch.save(1)]


def expected(frames: int) -> bytes:
    """What all of them must come to."""
    return end_of_new(frames)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_simulation_goes_on_in_another_process(method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip("this system does not fork")
    sim = pliant.Simulation(block())
    sim.step(2)
    batch = pliant.Batch(block(), 2)
    batch.step(1)
    with ProcessPoolExecutor(2, multiprocessing.get_context(method)) as pool:
        # Of this process by pickling, and two that start there.
        results = [pool.submit(end_of, sim, 2), pool.submit(end_of_new, 4)]
        of_batch = pool.submit(ends_of_batch, 4)
        assert [result.result(120) for result in results] == [expected(4)] * 2
        assert of_batch.result(120) == [expected(4)] * 2


def test_a_forked_process_goes_on_with_what_it_was_left() -> None:
    if sys.platform == "win32" or "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("this system does not fork")
    sim, batch = pliant.Simulation(block(), threads=2), pliant.Batch(block(), 2)
    sim.step(2)
    batch.step(2)
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()

    def child() -> None:
        batch.step(2)
        there.send([end_of(sim, 2), batch.save(0), batch.save(1)])

    process = context.Process(target=child)
    process.start()
    assert here.poll(120), "the child hangs"
    assert here.recv() == [expected(4)] * 3
    process.join(30)
    assert process.exitcode == 0
    assert end_of(sim, 2) == expected(4)

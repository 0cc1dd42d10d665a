"""Calls drawn at random, in random order, with whatever arguments: refused or done, never a crash."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pliant
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scenes import ball, block

NUMBERS = st.one_of(
    # Greater speeds would be simulated for hours.
    st.floats(-1.0, 1.0),
    st.integers(-3, 3),
    st.sampled_from([None, "", b"x", 10**400, math.nan, math.inf, 1e300]),
)
VECTORS = st.one_of(st.lists(st.floats(-1.0, 1.0), min_size=3, max_size=3), st.lists(NUMBERS, max_size=5), NUMBERS)
NAMES = st.one_of(st.sampled_from(["block", "hand", "floor", "block.y", "energy_kinetic"]), st.text(max_size=6))
KEYS = st.one_of(
    st.sampled_from(["scene.gravity", "collider.floor.friction", "body.block.spacing", "solver.iterations"]), NAMES
)
COUNTS = st.one_of(st.integers(-2, 3), st.sampled_from([2**32, 1.5, None]))
WORLDS = st.one_of(st.none(), st.lists(st.integers(-1, 3), max_size=3), st.lists(st.booleans(), max_size=3))
ROWS = st.one_of(st.lists(VECTORS, max_size=3), VECTORS)
TABLES = st.one_of(
    st.just(ball("ball")),
    st.dictionaries(st.sampled_from(["body", "material", "scene"]), st.one_of(NUMBERS, VECTORS), max_size=2),
)
WITHIN = st.sampled_from([None, lambda x: x[:, 0] > 0.0, lambda x: x, lambda x: 1, 1.0])

EDITS = st.lists(
    st.tuples(
        st.sampled_from(["position", "velocity", "mass"]),
        st.sampled_from([0, -1, slice(0, 9, 2), 10**6, None]),
        st.one_of(VECTORS, st.sampled_from(["step", "shape", "keep", "raise"])),
    ),
    max_size=4,
)

OF_SIMULATION = st.one_of(
    st.tuples(st.just("step"), COUNTS),
    st.tuples(st.just("substep"), st.one_of(st.just(1e-4), st.floats(-1.0, 1e-3), NUMBERS)),
    st.tuples(st.just("measure"), NAMES),
    st.tuples(st.just("measure_all"), st.lists(NAMES, max_size=3)),
    st.tuples(st.just("places"), NAMES),
    st.tuples(st.just("frame"), st.one_of(st.none(), st.lists(NAMES, max_size=2))),
    st.tuples(st.just("drive"), NAMES, VECTORS, VECTORS),
    st.tuples(st.just("drive_to"), NAMES, VECTORS, NUMBERS, st.one_of(st.none(), VECTORS)),
    st.tuples(st.just("collider_pose"), NAMES),
    st.tuples(st.just("activate"), NAMES, NAMES, NUMBERS),
    st.tuples(st.just("set_velocity"), NAMES, VECTORS),
    st.tuples(st.just("push"), NAMES, VECTORS),
    st.tuples(st.just("change"), st.dictionaries(KEYS, st.one_of(NUMBERS, VECTORS), max_size=2)),
    st.tuples(st.just("restore"), st.one_of(st.binary(max_size=40), st.just("saved"), NUMBERS)),
    st.tuples(st.just("add"), st.one_of(TABLES, NUMBERS)),
    st.tuples(st.just("remove"), NAMES),
    st.tuples(st.just("attach"), NAMES, NAMES, st.one_of(st.none(), NAMES), WITHIN),
    st.tuples(st.just("release"), NAMES),
    st.tuples(st.sampled_from(["save", "reset", "energies", "report"])),
    st.tuples(st.just("hold")),
    st.tuples(st.just("edit"), EDITS),
)

OF_BATCH = st.one_of(
    st.tuples(st.just("step"), COUNTS, WORLDS),
    st.tuples(st.just("reset"), WORLDS),
    st.tuples(st.just("measure"), st.lists(NAMES, max_size=3)),
    st.tuples(st.just("collider_poses"), NAMES),
    st.tuples(st.just("drive"), NAMES, ROWS, st.one_of(st.none(), ROWS)),
    st.tuples(st.just("drive_to"), NAMES, ROWS, NUMBERS),
    st.tuples(st.just("set_velocity"), NAMES, ROWS),
    st.tuples(st.just("push"), NAMES, ROWS),
    st.tuples(st.just("save"), COUNTS),
    st.tuples(st.just("restore"), COUNTS, st.binary(max_size=20)),
    st.tuples(st.sampled_from(["positions", "velocities", "motion"])),
    st.tuples(st.just("set_motion"), st.one_of(st.none(), ROWS), st.one_of(st.none(), ROWS), WORLDS),
)

REFUSED = (pliant.PliantError, TypeError, ValueError, OverflowError)
QUIET = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


def edit(sim: pliant.Simulation, edits: list[tuple[str, Any, Any]]) -> Any:
    """An array of a block in which columns are written, and whatever else is done there."""
    kept = None
    with sim.edit() as particles:
        for column, place, value in edits:
            array = getattr(particles, column)
            if value == "step":
                sim.step()
            elif value == "shape":
                array.shape = (3, -1)
            elif value == "keep":
                kept = array
            elif value == "raise":
                raise ValueError
            else:
                array[place] = value
    return kept


@QUIET
@given(st.lists(OF_SIMULATION, max_size=12))
def test_a_simulation_stands_any_calls(calls: list[tuple[Any, ...]]) -> None:
    sim = pliant.Simulation(block(), threads=1)
    saved = sim.save()
    held: list[tuple[Any, Any]] = []
    for name, *arguments in calls:
        if name == "hold":
            column = sim.particles.position
            held.append((column, column.copy()))
            continue
        if name == "edit":
            before = sim.save()
            try:
                array = edit(sim, *arguments)
            except (*REFUSED, IndexError):
                assert sim.save() == before
            else:
                if array is not None:
                    held.append((array, array.copy()))
            continue
        if arguments == ["saved"]:
            arguments = [saved]
        try:
            getattr(sim, name)(*arguments)
        except REFUSED:
            pass
    for column, copy in held:
        assert np.array_equal(column, copy, equal_nan=True)
    sim.restore(saved)
    assert sim.save() == saved


@QUIET
@given(st.lists(OF_BATCH, max_size=10))
def test_a_batch_stands_any_calls(calls: list[tuple[Any, ...]]) -> None:
    batch = pliant.Batch(block(), 2)
    start = [batch.save(0), batch.save(1)]
    for name, *arguments in calls:
        try:
            getattr(batch, name)(*arguments)
        except REFUSED:
            pass
    batch.reset()
    assert [batch.save(0), batch.save(1)] == start

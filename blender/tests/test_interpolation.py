"""Between frames particles move as their velocities say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pliant_blender.recording.interpolation import between, frame_at, frame_number
from pliant_blender.recording.run_folder import RunFolder


def test_frame_numbers_follow_the_time_and_not_the_rate() -> None:
    assert frame_number(1, 1, 24, 24) == 1.0
    assert frame_number(11, 1, 24, 24) == 11.0
    # A second of the timeline is a second of the run, whatever both count in.
    assert frame_number(31, 1, 30, 24) == 25.0
    assert frame_number(34, 10, 24, 48) == 49.0
    assert frame_number(25, 1, 24, 24, speed=0.5) == 13.0


def test_whole_frames_are_those_of_the_files(runs: Path) -> None:
    run = RunFolder(runs / "fall")
    assert frame_at(run, "particles", 3.0) is run.read("particles", 3)
    assert frame_at(run, "particles", 3.00001) is run.read("particles", 3)
    assert frame_at(run, "particles", 2.99999) is run.read("particles", 3)


def test_time_before_and_after_a_run_shows_its_ends(runs: Path) -> None:
    run = RunFolder(runs / "fall")
    assert frame_at(run, "particles", -2.5) is run.read("particles", 1)
    assert frame_at(run, "particles", 6.5) is run.read("particles", 6)


def test_free_fall_between_frames_is_a_parabola(runs: Path) -> None:
    run = RunFolder(runs / "fall")
    before, after = run.read("particles", 1), run.read("particles", 2)
    top = between(before, after, 0.5, 1.0 / run.frame_rate).of_body("top")
    start, end = before.of_body("top"), after.of_body("top")
    time = 0.5 / run.frame_rate
    # The engine moves by the velocity at the end of each substep: off by half a substep times the velocity.
    assert top.position[0, 2] == pytest.approx(start.position[0, 2] - 9.81 / 2 * time**2, abs=2e-4)
    assert top.velocity[0, 2] == pytest.approx(end.velocity[0, 2] / 2, rel=0.05)


def test_a_spinning_body_is_between_its_rotations(runs: Path) -> None:
    run = RunFolder(runs / "fall")
    top = frame_at(run, "particles", 3.5).of_body("top")
    half = np.radians(360.0 * 2.5 / run.frame_rate) / 2.0
    assert top.columns["rotation_w"][0] == pytest.approx(np.cos(half), abs=1e-3)
    assert top.columns["rotation_z"][0] == pytest.approx(np.sin(half), abs=1e-3)


def test_particles_that_leave_move_on(runs: Path) -> None:
    run = RunFolder(runs / "fall")
    before, after = run.read("particles", 2), run.read("particles", 3)
    # The emitter adds particles in every frame: those that are in both are interpolated all the same.
    assert len(before.position) < len(after.position)
    there = frame_at(run, "particles", 2.25)
    assert np.array_equal(there.columns["id"], before.columns["id"])
    back = between(after, before, 0.25, -1.0 / run.frame_rate)
    new = ~np.isin(after.columns["id"], before.columns["id"])
    moved = after.velocity.astype(float) * -0.25 / run.frame_rate
    assert np.allclose((back.position - after.position)[new], moved[new])
    assert not np.allclose((back.position - after.position)[~new], moved[~new])
    # What is in memory stays as it was read.
    assert np.array_equal(before.position, run.read("particles", 2).position)


def test_a_surface_with_other_triangles_moves_on(runs: Path) -> None:
    run = RunFolder(runs / "cut")
    numbers = [
        number
        for number in range(1, 6)
        if len(run.read("surface", number).triangles) != len(run.read("surface", number + 1).triangles)
    ]
    assert numbers, "the block is not cut within these frames"
    before = run.read("surface", numbers[0])
    moved = before.velocity.astype(float) * 0.5 / run.frame_rate
    assert np.allclose(frame_at(run, "surface", numbers[0] + 0.5).position - before.position, moved)

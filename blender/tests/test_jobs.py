"""A run in the background: watched, cancelled, continued; and programs that are not there."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pliant_blender.command.job import Job, Progress, note
from pliant_blender.command.program import check_scene, find_program, vocabulary
from pliant_blender.problem import Problem

SCENE = """
scene = { duration = 5.0 }
material.sand = { preset = "dry-sand" }
body = [{ name = "ball", material = "sand", shape = { sphere = { radius = 0.1 } }, spacing = 0.02 }]
"""


def wait(what: Callable[[], bool]) -> None:
    """Waits for at most a minute."""
    for _ in range(1200):
        if what():
            return
        time.sleep(0.05)
    raise AssertionError("it took too long")


def test_lines_of_a_run_are_understood() -> None:
    progress = Progress()
    note("2,424 particles, frames 1 to 13, 2 threads, into out", progress)
    assert progress.share == 0.0
    note(
        "frame 2/13  0.042 s  2,424 particles  74 substeps in 0.2 s  221.0 frames/min, 0.153 s/s, 3.0 s left", progress
    )
    assert (progress.frame, progress.frames, progress.time_left) == (2, 13, "3.0 s")
    note("frame 13/13  0.5 s  2,424 particles  74 substeps in 0.2 s", progress)
    assert (progress.share, progress.time_left) == (1.0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Windows were not tried")
def test_a_run_is_cancelled_and_continued(program: Path, tmp_path: Path) -> None:
    scene = tmp_path / "scene.toml"
    scene.write_text(SCENE)
    out = tmp_path / "run"
    job = Job(
        program,
        ["run", str(scene), "--out", str(out), "--verbose", "--no-preview", "--threads", "1"],
        tmp_path / "run.log",
    )
    wait(lambda: job.poll() and job.progress.frame >= 2)
    job.cancel()
    wait(lambda: not job.poll())
    assert job.outcome() == "cancelled"
    reached = job.progress.frame
    assert 2 <= reached < job.progress.frames == 121
    assert json.loads((out / "run.json").read_text())["frames_done"] == reached
    arguments = ["run", str(out / "scene.toml"), "--out", str(out), "--resume", "--frames", str(reached + 2)]
    job = Job(program, [*arguments, "--verbose", "--no-preview", "--threads", "1"], tmp_path / "run.log")
    wait(lambda: not job.poll())
    assert job.outcome() is None
    assert len(list((out / "particles").glob("*.vtp"))) == reached + 3


def test_a_job_that_fails_says_why(program: Path, tmp_path: Path) -> None:
    job = Job(program, ["run", str(tmp_path / "missing.toml")], tmp_path / "run.log")
    wait(lambda: not job.poll())
    with pytest.raises(Problem, match=r"error: there is no scene file"):
        job.outcome()


def test_a_program_that_is_not_there_is_told_where_to_be_put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Problem, match="Preferences"):
        find_program("")
    with pytest.raises(Problem, match="not found at"):
        find_program(str(tmp_path / "pliant"))
    with pytest.raises(Problem, match="not found at"):
        find_program(str(tmp_path))


def test_another_program_is_refused(tmp_path: Path) -> None:
    unusable = tmp_path / "pliant"
    unusable.write_text("no program")
    with pytest.raises(Problem, match="cannot be started"):
        check_scene(unusable, tmp_path / "scene.toml")
    with pytest.raises(Problem, match="cannot be started"):
        Job(unusable, [], tmp_path / "run.log")
    if os.name == "posix":
        unusable.write_text("#!/bin/sh\necho hello\n")
        unusable.chmod(0o755)
        with pytest.raises(Problem, match="no schema"):
            vocabulary(unusable)

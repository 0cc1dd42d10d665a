"""Frames are what the files hold, in every format, and damaged files are refused in words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pliant_blender.problem import Problem
from pliant_blender.recording.npz import read_npz
from pliant_blender.recording.ply import read_ply
from pliant_blender.recording.vtp import read_vtp

READERS = {"npz": read_npz, "vtp": read_vtp, "ply": read_ply}


@pytest.mark.parametrize(
    "file",
    [
        "fall/particles/particles",
        "fall/surface/surface",
        "cut/particles/particles",
        "cut/surface/surface",
    ],
)
def test_all_formats_hold_the_same(runs: Path, file: str) -> None:
    archive = np.load(f"{runs / file}.0003.npz")
    for suffix, read in READERS.items():
        frame = read(Path(f"{runs / file}.0003.{suffix}"))
        assert np.array_equal(frame.position, archive["position"]), suffix
        assert np.array_equal(frame.velocity, archive["velocity"]), suffix
        assert np.array_equal(frame.triangles, archive["triangles"]), suffix
        assert np.array_equal(frame.body, archive["body"]), suffix
        assert list(frame.body_names) == list(archive["body_names"]), suffix
        assert np.array_equal(frame.uv, archive.get("triangles_uv", np.zeros((0, 3, 2)))), suffix
        assert np.array_equal(frame.inside, archive.get("triangles_inside", [])), suffix
        for name in ("id", "radius", "density", "stress_von_mises"):
            assert np.array_equal(frame.columns[name], archive[name]), (suffix, name)


def test_a_body_has_its_particles_and_its_triangles(runs: Path) -> None:
    frame = read_npz(runs / "fall/particles/particles.0002.npz")
    sheet = frame.of_body("sheet")
    place = frame.body_names.index("sheet")
    assert len(sheet.position) == (frame.body == place).sum() > 0
    assert len(sheet.triangles) == len(frame.triangles) > 0
    assert np.array_equal(sheet.position[sheet.triangles], frame.position[frame.triangles])
    assert len(frame.of_body("heap-of-sand").triangles) == 0
    assert len(frame.of_body("of another run").position) == 0


def test_a_surface_keeps_its_texture_and_tells_which_faces_a_cut_made(runs: Path) -> None:
    before, after = (read_npz(runs / f"cut/surface/surface.{number:04}.npz") for number in (1, 6))
    assert not before.inside.any() and 0 < after.inside.sum() < len(after.triangles)
    assert len(after.uv) == len(after.triangles) and not after.uv[after.inside].any()
    # What the picture has of the surface stays the same: the sides have 0.9 x 0.9 of it.
    for frame in (before, after):
        a, b, c = (frame.uv[:, corner].astype(np.float64) for corner in range(3))
        areas = 0.5 * np.cross(b - a, c - a)
        assert np.abs(areas).sum() == pytest.approx(0.81, rel=1e-3)
        assert (areas > -1e-9).all() or (areas < 1e-9).all()


@pytest.mark.parametrize("suffix", ["npz", "vtp", "ply"])
@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.95])
def test_a_file_that_ends_early_is_refused_by_name(runs: Path, tmp_path: Path, suffix: str, part: float) -> None:
    content = (runs / f"fall/particles/particles.0002.{suffix}").read_bytes()
    path = tmp_path / f"particles.0002.{suffix}"
    path.write_bytes(content[: int(part * len(content))])
    with pytest.raises(Problem, match=f"particles.0002.{suffix} is damaged"):
        READERS[suffix](path)


@pytest.mark.parametrize("suffix", ["npz", "vtp", "ply"])
def test_changed_bytes_raise_nothing_but_problems(runs: Path, tmp_path: Path, suffix: str) -> None:
    content = (runs / f"fall/particles/particles.0002.{suffix}").read_bytes()
    random = np.random.default_rng(1)
    path = tmp_path / f"particles.0002.{suffix}"
    for _ in range(300):
        spoiled = bytearray(content)
        # Half of the changes are where files say what they hold.
        most = len(content) if random.random() < 0.5 else 3000
        for place in random.integers(0, most, size=4):
            spoiled[place] = random.integers(0, 256)
        path.write_bytes(spoiled)
        try:
            READERS[suffix](path)
        except Problem as problem:
            assert "damaged" in str(problem)

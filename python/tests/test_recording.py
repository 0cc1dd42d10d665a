"""Contracts of recordings: the files and the bits of the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pliant
import pytest
from scenes import ball, block


def _recorded() -> pliant.Simulation:
    return pliant.Simulation(block(), set={"output.preview": False, "output.checkpoint_every": 2})


def test_a_recording_has_each_frame_and_is_done(tmp_path: Path) -> None:
    sim, folder = _recorded(), tmp_path / "run"
    with sim.record(folder) as recording:
        for _ in range(3):
            sim.step()
            recording.write()
        assert recording.frames_done == 4
    assert json.loads((folder / "run.json").read_text())["frames_done"] == 4
    for name in ("scene.toml", "stats.csv", "probes.csv", "report.html", "particles/particles.0004.vtp"):
        assert (folder / name).is_file()
    with pytest.raises(pliant.RecordingError, match="ended"):
        recording.write()


def test_one_that_broke_off_is_resumed_to_the_same_bits(tmp_path: Path) -> None:
    whole = _recorded()
    whole.step(6)
    sim, folder = _recorded(), tmp_path / "run"
    with pytest.raises(ZeroDivisionError), sim.record(folder) as recording:
        for _ in range(4):
            sim.step()
            recording.write()
        raise ZeroDivisionError
    again = _recorded()
    with again.resume(folder) as recording:
        assert 1 < again.frame_number <= 5
        while again.frame_number < 7:
            again.step()
            recording.write()
    assert again.save() == whole.save()


def _at(name: str, height: float) -> dict[str, Any]:
    tables = ball(name)
    tables["body"][0]["position"] = [0.0, height, 0.0]
    return tables


def _bodies_in(folder: Path, number: int) -> dict[str, int]:
    """Particles of each body in a frame."""
    frame = np.load(folder / "particles" / f"particles.{number:04}.npz")
    return {str(name): int((frame["body"] == place).sum()) for place, name in enumerate(frame["body_names"])}


def test_bodies_that_are_added_and_removed_are_in_the_frames_of_their_time(tmp_path: Path) -> None:
    def opened() -> pliant.Simulation:
        options = {"output.preview": False, "output.checkpoint_every": 4, "output.particles": ["npz"]}
        return pliant.Simulation(block(), set=options)

    def go_on(sim: pliant.Simulation, recording: pliant.Recording, last: int) -> None:
        while sim.frame_number < last:
            if sim.frame_number == 2:
                sim.add(_at("late", 0.7))
            if sim.frame_number == 4:
                sim.remove("block")
            sim.step()
            recording.write()

    sim, folder = opened(), tmp_path / "run"
    sim.add(_at("early", 0.5))
    with pytest.raises(ZeroDivisionError), sim.record(folder) as recording:
        go_on(sim, recording, 6)
        raise ZeroDivisionError
    count = len(sim.places("early"))
    assert _bodies_in(folder, 1) == _bodies_in(folder, 2) == {"block": 64, "early": count}
    assert _bodies_in(folder, 3) == _bodies_in(folder, 4) == {"block": 64, "early": count, "late": count}
    assert _bodies_in(folder, 6) == {"block": 0, "early": count, "late": count}
    told = (folder / "additions.toml").read_text()
    assert "first_frame = 1" in told and "first_frame = 3" in told

    again = opened()
    with again.resume(folder) as recording:
        assert again.frame_number == 4 and again.bodies == ["block", "early", "late"]
        go_on(again, recording, 6)
    assert again.save() == sim.save()
    (folder / "additions.toml").write_text(told.replace("spacing = 0.02", "spacing = -0.02", 1))
    with pytest.raises(pliant.SceneError, match="spacing") as raised:
        opened().resume(folder)
    assert raised.value.line is not None


def test_a_simulation_that_has_lost_bodies_of_the_recording_is_refused(tmp_path: Path) -> None:
    sim = _recorded()
    start = sim.save()
    with pytest.raises(pliant.RecordingError, match="without bodies"), sim.record(tmp_path / "run") as recording:
        sim.add(_at("late", 0.5))
        sim.step()
        recording.write()
        sim.restore(start)
        sim.step(2)
        recording.write()


def test_what_cannot_be_recorded_is_refused(tmp_path: Path) -> None:
    sim = _recorded()
    sim.step()
    with pytest.raises(pliant.RecordingError, match="frame 1"):
        sim.record(tmp_path / "late")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear")
    sim.reset()
    with pytest.raises(pliant.RecordingError):
        sim.record(tmp_path / "other")
    with sim.record(tmp_path / "run") as recording:
        sim.step(2)
        with pytest.raises(pliant.RecordingError, match="expects frame 2"):
            recording.write()
        sim.reset()


def test_a_picture_has_the_pixels_of_its_file(tmp_path: Path) -> None:
    sim = pliant.Simulation(block())
    picture = sim.picture(size=(160, 90))
    assert picture.pixels.shape == (90, 160, 3) and picture.pixels.std() > 5.0
    assert picture.png().startswith(b"\x89PNG") and picture._repr_png_() == picture.png()
    picture.save(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes() == picture.png()
    assert np.array_equal(picture.pixels, sim.picture(size=(160, 90)).pixels)
    sim.step(4)
    assert not np.array_equal(picture.pixels, sim.picture(size=(160, 90)).pixels)
    above = sim.picture(size=(160, 90), camera=([0, 2, 0.1], [0, 0, 0]), color_by="speed", plain=True)
    assert above.pixels.shape == (90, 160, 3)


def test_pictures_make_a_film(tmp_path: Path) -> None:
    sim = pliant.Simulation(block())
    pictures = []
    for _ in range(3):
        sim.step()
        pictures.append(sim.picture(size=(160, 90)))
    film = pliant.Film(pictures, sim.frame_rate)
    assert len(film) == 3
    assert b"acTL" in film.png() and film.gif().startswith(b"GIF89a")
    film.save(tmp_path / "fall.gif")
    assert (tmp_path / "fall.gif").read_bytes() == film.gif()
    for refused in (
        lambda: film.save(tmp_path / "fall.mov"),
        lambda: pliant.Film([], 24.0).png(),
        lambda: pliant.Film([pictures[0], sim.picture(size=(80, 45))], 24.0).png(),
        lambda: pliant.Film(pictures, 0.0).gif(),
        lambda: sim.picture(size=(0, 10)),
        lambda: sim.picture(size=(100_000, 10)),
        lambda: sim.picture(camera=([0, 0], [1, 1, 1])),
    ):
        with pytest.raises(pliant.InvalidValueError):
            refused()
    with pytest.raises(pliant.UnknownNameError, match="speed"):
        sim.picture(color_by="sped")

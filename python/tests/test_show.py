"""Contracts of simulations that are looked at in a browser."""

from __future__ import annotations

import json
import pickle
import time
import urllib.error
import urllib.request

import numpy as np
import pliant
import pytest
from scenes import block


def _got(view: pliant.View, path: str) -> bytes:
    address = view.address.partition("#")[0]
    with urllib.request.urlopen(address + path, timeout=10) as answer:
        read: bytes = answer.read()
        return read


def test_frames_are_those_that_were_stepped() -> None:
    sim = pliant.Simulation(block())
    view = sim.show(browser=False)
    assert b"<canvas" in _got(view, "")
    sim.step(frames=3)
    (told,) = json.loads(_got(view, "runs.json"))
    assert told["frames"] == [1, 2, 3, 4] and told["isLive"]
    columns = _got(view, "runs/0/4")
    _, count, _, _ = np.frombuffer(columns, "<u4", 4)
    assert np.frombuffer(columns, "<f8", 1, 16) == sim.time
    places = np.frombuffer(columns, "<f4", 4 * count, 32).reshape(-1, 4)
    particles = sim.particles
    assert np.array_equal(places[:, :3], particles.position[np.argsort(particles.id)].astype(np.float32))
    sim.reset()
    assert len(json.loads(_got(view, "runs.json"))[0]["frames"]) == 5


def test_a_notebook_shows_the_page_and_it_ends_when_it_is_closed() -> None:
    sim = pliant.Simulation(block())
    view = sim.show(height=300, browser=False)
    assert view.address in view._repr_html_() and 'height="300"' in view._repr_html_()
    assert sim.show(browser=False).address == view.address
    copy = pickle.loads(pickle.dumps(sim))
    assert copy.show(browser=False).address != view.address
    view.close()
    for _ in range(50):
        try:
            _got(view, "runs.json")
        except (urllib.error.URLError, OSError):
            break
        time.sleep(0.1)
    else:
        pytest.fail("it still answers")
    sim.step()


def test_a_height_out_of_its_range_is_refused() -> None:
    sim = pliant.Simulation(block())
    for height in (0, 99, 4001):
        with pytest.raises(pliant.InvalidValueError, match="height"):
            sim.show(height=height, browser=False)

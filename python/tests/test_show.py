"""Contracts of simulations that are looked at in a browser or a window."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
import webbrowser
from pathlib import Path

import numpy as np
import pliant
import pytest
from pliant import _window
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
    columns = _got(view, "runs/0/4?color=body")
    _, count = np.frombuffer(columns, "<u4", 2)
    assert np.frombuffer(columns, "<f8", 1, 40) == sim.time
    places = np.frombuffer(columns, "<f4", 4 * count, 56).reshape(-1, 4)
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


class Screen:
    """A display, programs in PATH, and a browser, none of which shows anything."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.patch = patch
        self.visited: list[str] = []
        patch.setenv("DISPLAY", ":99")
        patch.setenv("PATH", os.pathsep.join([str(folder), "/usr/bin", "/bin"]))
        patch.setattr(_window, "_own_folders", list)
        patch.setattr(webbrowser, "open", self.visited.append)

    def install(self, script: str) -> None:
        """Puts a program in the place of the window's."""
        program = self.folder / "pliant-live"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)

    def install_window(self) -> None:
        """Puts one there that notes what it is given, and stays open."""
        self.install(f'echo $$ "$@" >> {self.folder}/windows\nexec sleep 60')

    def windows(self) -> list[list[str]]:
        """The process, and what it was given, of each window that was opened."""
        noted = self.folder / "windows"
        return [line.split() for line in noted.read_text().splitlines()] if noted.exists() else []


@pytest.fixture
def screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Screen:
    if os.name != "posix":
        pytest.skip("a script stands in for the window")
    return Screen(tmp_path, monkeypatch)


def _is_running(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    return True


def test_the_window_opens_on_the_simulation_and_closes_with_its_view(screen: Screen) -> None:
    screen.install_window()
    sim = pliant.Simulation(block())
    view = sim.show()
    ((process, *given),) = screen.windows()
    assert given == ["view", view.address] and view.address.startswith("http://localhost:")
    assert view.has_window and not screen.visited
    # The same simulation is in the same window.
    assert sim.show(window=True).has_window and len(screen.windows()) == 1
    view.close()
    assert not view.has_window and not _is_running(process)
    again = sim.show()
    assert again.has_window and len(screen.windows()) == 2
    again.close()


def test_a_window_that_somebody_closed_opens_again(screen: Screen) -> None:
    screen.install_window()
    sim = pliant.Simulation(block())
    view = sim.show()
    os.kill(int(screen.windows()[0][0]), signal.SIGTERM)
    for _ in range(100):
        if not view.has_window:
            break
        time.sleep(0.05)
    assert not view.has_window
    view = sim.show()
    assert view.has_window and [given[1:] for given in screen.windows()] == [["view", view.address]] * 2
    view.close()


def test_what_is_asked_for_is_opened(screen: Screen) -> None:
    screen.install_window()
    choices: list[tuple[bool | None, bool | None, int, int]] = [
        # browser, window, browsers and windows that are opened
        (None, None, 0, 1),
        (True, None, 1, 0),
        (False, None, 0, 0),
        (None, True, 0, 1),
        (None, False, 1, 0),
        (True, True, 1, 1),
        (False, True, 0, 1),
        (False, False, 0, 0),
    ]
    for browser, window, browsers, windows in choices:
        screen.visited.clear()
        before = len(screen.windows())
        view = pliant.Simulation(block()).show(browser=browser, window=window)
        assert screen.visited == [view.address] * browsers, (browser, window)
        assert len(screen.windows()) - before == windows == int(view.has_window), (browser, window)
        view.close()


def test_without_a_window_a_browser_opens(screen: Screen) -> None:
    view = pliant.Simulation(block()).show()
    assert screen.visited == [view.address] and not view.has_window
    # Nor is there one without a display, or with one that it cannot draw in.
    screen.install_window()
    screen.patch.delenv("DISPLAY")
    screen.patch.delenv("WAYLAND_DISPLAY", raising=False)
    if sys.platform != "darwin":
        second = pliant.Simulation(block()).show()
        assert screen.visited[1:] == [second.address] and not screen.windows()
    screen.patch.setenv("DISPLAY", ":99")
    screen.install("echo error: no OpenGL >&2; exit 1")
    third = pliant.Simulation(block()).show()
    assert screen.visited[-1] == third.address and not third.has_window


def test_a_window_that_was_asked_for_and_cannot_open_is_an_error(screen: Screen) -> None:
    sim = pliant.Simulation(block())
    with pytest.raises(pliant.WindowError, match="cargo install --path crates/pliant-viewer"):
        sim.show(window=True)
    screen.install("echo error: no OpenGL >&2; exit 1")
    with pytest.raises(pliant.WindowError, match="no OpenGL"):
        sim.show(window=True)
    screen.install_window()
    (screen.folder / "pliant-live").write_text("no program")
    with pytest.raises(pliant.WindowError, match="cannot start"):
        sim.show(window=True)
    screen.patch.delenv("DISPLAY")
    screen.patch.delenv("WAYLAND_DISPLAY", raising=False)
    if sys.platform != "darwin":
        with pytest.raises(pliant.WindowError, match="ssh -L"):
            sim.show(window=True)
    assert not screen.visited and not screen.windows()


def test_the_program_beside_python_is_taken_first(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    screen.install_window()
    beside = screen.folder / "beside"
    beside.mkdir()
    other = beside / "pliant-live"
    other.write_text("#!/bin/sh\nexec sleep 60\n")
    other.chmod(0o755)
    monkeypatch.setattr(_window, "_own_folders", lambda: [beside])
    assert _window.found() == str(other)


def test_a_fork_leaves_the_window_open(screen: Screen) -> None:
    screen.install_window()
    view = pliant.Simulation(block()).show()
    child = os.fork()
    if child == 0:
        if view._window is not None:
            view._window.close()
        os._exit(0)
    os.waitpid(child, 0)
    time.sleep(0.2)
    assert view.has_window
    view.close()


def test_a_window_outlives_its_simulation_without_a_warning(screen: Screen) -> None:
    screen.install_window()
    script = """
import warnings
warnings.simplefilter("error")
import pliant
from pliant import _window
_window._own_folders = list
from scenes import block
view = pliant.Simulation(block()).show()
assert view.has_window
del view
"""
    folder = Path(__file__).parent
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, timeout=60, check=True)
    assert done.stderr == b""
    ((process, *_),) = screen.windows()
    assert _is_running(process)
    os.kill(int(process), signal.SIGTERM)

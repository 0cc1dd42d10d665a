"""The program pliant, runs of two small scenes in every format that is read, and Blender with the extension."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

if sys.version_info < (3, 11):
    collect_ignore_glob = ["test_*.py"]

ROOT = Path(__file__).resolve().parents[2]
SCENES = ROOT / "tools" / "readback" / "scenes"


@pytest.fixture(scope="session")
def program() -> Path:
    """The command, which another build has made."""
    path = Path(os.environ.get("PLIANT_COMMAND", ROOT / "target" / "release" / "pliant"))
    if not path.exists():
        pytest.skip("there is no pliant command: cargo build --release -p pliant, or tell it by PLIANT_COMMAND")
    return path


@pytest.fixture(scope="session")
def runs(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the runs `fall` and `cut`, six frames each."""
    folder = tmp_path_factory.mktemp("runs")
    for name in ("fall", "cut"):
        arguments = ["run", str(SCENES / f"{name}.toml"), "--out", str(folder / name), "--frames", "5"]
        formats = ["--set", 'output.particles=["npz","vtk","ply"]', "--no-preview", "--quiet", "--threads", "1"]
        subprocess.run([str(program), *arguments, *formats], check=True)
    return folder


@pytest.fixture
def fall(runs: Path, tmp_path: Path) -> Path:
    """The run `fall`, to be spoiled."""
    return Path(shutil.copytree(runs / "fall", tmp_path / "fall"))


@pytest.fixture
def blender(program: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module `bpy` with an empty file and the extension, which finds the program on the PATH."""
    bpy = pytest.importorskip("bpy", reason="Blender's module bpy is not installed: tools/blender/test installs it")
    import pliant_blender

    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    pliant_blender.register()
    yield bpy
    pliant_blender.unregister()

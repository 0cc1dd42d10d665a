"""The bits of the package are those of the command."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import pliant
import pytest
from scenes import BLOCK_TEXT

ROOT = Path(__file__).resolve().parents[2]
# Another place of the command can be told by the environment.
COMMAND = Path(os.environ.get("PLIANT_COMMAND", ROOT / "target" / "release" / "pliant"))

SAND = """\
scene.duration = 0.25
[material.sand]
law = "drucker-prager"
density = 1600.0
youngs_modulus = 3.5e5
friction_angle = 30.0
[[body]]
name = "ball"
material = "sand"
shape = { sphere = { radius = 0.1 } }
position = [0.0, 0.12, 0.0]
spacing = 0.02
[[collider]]
name = "floor"
shape = { plane = { normal = [0, 1, 0] } }
"""


@pytest.mark.skipif(not COMMAND.exists(), reason=f"there is no command {COMMAND}")
@pytest.mark.parametrize("text", [BLOCK_TEXT, SAND], ids=["rubber", "sand"])
def test_particles_are_those_of_the_command_to_the_bit(text: str, tmp_path: Path) -> None:
    file, out = tmp_path / "scene.toml", tmp_path / "out"
    file.write_text(text + '[output]\nparticles = ["npz"]\npreview = false\n')
    frames = 6
    run = [str(COMMAND), "run", str(file), "--frames", str(frames), "--quiet", "--out", str(out)]
    subprocess.run(run, check=True, timeout=600)
    files = sorted((out / "particles").glob("*.npz"))
    assert len(files) == frames + 1
    sim = pliant.Simulation(file)
    for number, written in enumerate(files):
        if number > 0:
            sim.step()
        frame = sim.frame()
        with np.load(written) as columns:
            # Files have positions in single precision.
            position = columns["position"]
            assert (frame.position.astype(position.dtype) == position).all()
            assert (frame.velocity == columns["velocity"]).all()
            assert (frame.id == columns["id"]).all()
            assert (frame.quantities["density"] == columns["density"]).all()

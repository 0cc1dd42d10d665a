"""Reads meshes of USD that OpenUSD wrote with Pliant: `meshes.py FOLDER PROGRAM...`, where PROGRAM is `pliant`."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import clips
import instances
import skel
import stage as still

SCENE = """scene.duration = 0.1
[material.sand]
preset = "dry-sand"
[[body]]
name = "sand"
material = "sand"
spacing = 0.1
shape = {{ box = {{ size = [0.5, 0.5, 0.5] }} }}
position = [0, 50, 0]
[[collider]]
name = "mesh"
shape = {{ {shape} }}
two_sided = true
"""


def agrees(path, expected, program, kinds):
    """Whether `pliant check` says of a file, still and moving, what is expected."""
    triangles, extent, _ = expected
    agree = True
    for kind in kinds:
        scene = path.with_name(f"{path.name}-{kind}.toml")
        scene.write_text(SCENE.format(shape=f'{kind} = {{ file = "{path.name}" }}'))
        said = subprocess.run([*program, "check", str(scene)], capture_output=True, text=True)
        told = said.stdout + said.stderr
        row = re.search(re.escape(path.name) + r"\s+(\d+)\s+(\S+) x (\S+) x (\S+)", told)
        is_same = (
            row and int(row[1]) == triangles and np.allclose([float(x) for x in row.groups()[1:]], extent, rtol=2e-3)
        )
        print(f"{path.name} as {kind}: {'as OpenUSD has it' if is_same else 'DIFFERS: ' + told}")
        agree &= bool(is_same)
    return agree


def main(folder, program):
    """Compares what `pliant check` says of every file with what OpenUSD says of the stage."""
    folder = Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    failed = False
    both = ("mesh", "mesh-sequence")
    # At rest a mesh is as its first keyframe has it, which need not be at the start of the stage.
    moving = [clips, *(skel.Stage(seed) for seed in skel.SEEDS)]
    for written, kinds in ((still, both), (instances, both), *((stage, both[1:]) for stage in moving)):
        stage, paths = written.write(folder)
        expected = written.measured(stage, stage.GetStartTimeCode())
        for path in paths:
            failed |= not agrees(path, expected, program, kinds)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))

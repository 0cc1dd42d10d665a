"""What the package is to reach, measured on this machine.

Goals that compare two times measure both in turns, so that other work on the machine slows both.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pliant

ROOT = Path(__file__).resolve().parents[2]


def sand(particles: int, spacing: float = 0.02) -> dict[str, Any]:
    """A cube of sand of about so many particles on a floor."""
    size = spacing * round(particles ** (1 / 3), 3)
    return {
        "scene": {"duration": 1.0},
        "material": {
            "sand": {
                "law": "drucker-prager",
                "density": 1600.0,
                "youngs_modulus": 1e5,
                "friction_angle": 30.0,
            }
        },
        "body": [
            {
                "name": "sand",
                "material": "sand",
                "shape": {"box": {"size": [size, size, size]}},
                "position": [0.0, 0.5 * size, 0.0],
                "spacing": spacing,
            }
        ],
        "collider": [{"name": "floor", "shape": {"plane": {}}}],
    }


def seconds(work: Callable[[], object]) -> float:
    """Wall time of a call [s]."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def tell(what: str, measured: str, goal: str) -> None:
    """Prints a line of the table."""
    print(f"{what:52} {measured:>16}   {goal}", flush=True)


def imports(rounds: int) -> None:
    """The time of `import pliant` over that of an empty program."""
    run = [sys.executable, "-c"]
    bare = min(seconds(lambda: subprocess.run([*run, "pass"], check=True)) for _ in range(rounds))
    whole = min(seconds(lambda: subprocess.run([*run, "import pliant"], check=True)) for _ in range(rounds))
    tell("import pliant", f"{1e3 * (whole - bare):.0f} ms", "<= 50 ms")


def reading(sim: pliant.Simulation) -> None:
    """The positions of many particles."""
    first = seconds(lambda: sim.particles.position)
    tell(f"positions of {sim.particle_count} particles", f"{1e3 * first:.3f} ms", "<= 1 ms")
    tell("the same in the order of ids, copied", f"{1e3 * seconds(lambda: sim.frame([])):.0f} ms", "")


def editing(sim: pliant.Simulation, rounds: int) -> None:
    """New velocities and positions of many particles, beside columns that are copied out and in and nothing else."""

    def edit(*columns: str) -> None:
        with sim.edit() as particles:
            for name in columns:
                array = getattr(particles, name)
                array += 1e-6

    def copy(*columns: str) -> None:
        for name in columns:
            array = getattr(sim.particles, name).copy()
            array += 1e-6
            array.copy()

    for columns in (("velocity",), ("position",), ("position", "velocity")):
        edits, copies = [], []
        for _ in range(rounds):
            edits.append(seconds(lambda: edit(*columns)))
            copies.append(seconds(lambda: copy(*columns)))
        what = " and ".join(columns)
        tell(f"an edit of {what}", f"{1e3 * min(edits):.1f} ms", f"copies: {1e3 * min(copies):.1f} ms")
    mask = sim.particles.position[:, 1] > 0.5

    def throw() -> None:
        with sim.edit() as particles:
            particles.velocity[mask] += [0.1, 0.0, 0.0]

    thrown = min(seconds(throw) for _ in range(rounds))
    tell(f"an edit of the velocity of {mask.sum()}", f"{1e3 * thrown:.1f} ms", "")


def batch(worlds: int, rounds: int) -> None:
    """Worlds on all cores against one core, and against processes."""
    scene = sand(500)
    cores = os.cpu_count() or 1
    many, one = pliant.Batch(scene, worlds), pliant.Batch(scene, worlds, threads=1)
    for warm in (many, one):
        warm.step(1)
    ratios = []
    for _ in range(rounds):
        of_one, of_many = seconds(lambda: one.step(3)), seconds(lambda: many.step(3))
        ratios.append(of_one / of_many)
    ratios.sort()
    told = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    particles = int(many.particle_count[0])
    tell(
        f"{worlds} worlds of {particles}: {cores} cores over one",
        f"{ratios[len(ratios) // 2]:.2f}",
        f">= 1.7 on two ({told})",
    )
    resets = sorted(seconds(lambda: many.reset([k])) for k in range(worlds))
    tell("reset of one world", f"{1e3 * resets[worlds // 2]:.2f} ms", "<= 2 ms")


def overhead(command: Path, frames: int, rounds: int) -> None:
    """Stepping 10 000 particles against the command, by the wall time that each takes for its frames."""
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder) / "scene.toml", Path(folder) / "out"
        sim = pliant.Simulation(sand(10_000))
        file.write_text(sim.scene)
        ratios = []
        for _ in range(rounds):
            run = [
                str(command),
                "run",
                str(file),
                "--frames",
                str(frames),
                "--quiet",
                "--no-preview",
                "--out",
                str(out),
            ]
            subprocess.run(run, check=True)
            rows = (out / "stats.csv").read_text().splitlines()
            names = rows[0].split(",")
            place = next(k for k, name in enumerate(names) if re.match(r"wall\b(?!_)", name))
            of_command = sum(float(row.split(",")[place]) for row in rows[1:])
            subprocess.run(["rm", "-r", str(out)], check=True)
            sim.reset()
            ratios.append(seconds(lambda: sim.step(frames)) / of_command)
        ratios.sort()
        told = ", ".join(f"{ratio:.3f}" for ratio in ratios)
        tell(
            f"stepping {sim.particle_count} particles over the command",
            f"{ratios[len(ratios) // 2]:.3f}",
            f"<= 1.02 ({told})",
        )


def main() -> None:
    """Measures all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--command", type=Path, default=ROOT / "target" / "release" / "pliant")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--worlds", type=int, default=64)
    given = parser.parse_args()
    imports(3 * given.rounds)
    batch(given.worlds, given.rounds)
    if given.command.exists():
        overhead(given.command, 3, given.rounds)
    many = pliant.Simulation(sand(1_000_000, 0.01))
    reading(many)
    editing(many, 2 * given.rounds)


if __name__ == "__main__":
    main()

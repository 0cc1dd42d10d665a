"""Pliant: sand, snow, goo, water, cloth and rubber in a program of your own.

>>> import pliant
>>> sim = pliant.Simulation("ball.toml")
>>> sim.step(time=0.5)
>>> sim.particles.position.mean(axis=0)

Units are SI; arrays are NumPy's. `Simulation` is one world, `Batch` are many of one scene.
"""

from pliant._engine import EditedParticles, Particles, schema
from pliant.batch import Batch
from pliant.errors import (
    BusyError,
    ChangeError,
    InvalidValueError,
    PliantError,
    Problem,
    RecordingError,
    SceneError,
    StateError,
    StepError,
    UnknownNameError,
    WindowError,
)
from pliant.frame import Energies, Frame, Pose, Report
from pliant.picture import Film, Picture
from pliant.recording import Recording
from pliant.simulation import Simulation
from pliant.view import View

__all__ = [
    "Batch",
    "BusyError",
    "ChangeError",
    "EditedParticles",
    "Energies",
    "Film",
    "Frame",
    "InvalidValueError",
    "Particles",
    "Picture",
    "PliantError",
    "Pose",
    "Problem",
    "Recording",
    "RecordingError",
    "Report",
    "SceneError",
    "Simulation",
    "StateError",
    "StepError",
    "UnknownNameError",
    "View",
    "WindowError",
    "schema",
]

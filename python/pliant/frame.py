"""What a simulation tells of one moment.

Named tuples, not dataclasses: the module `dataclasses` takes longer to import than all of Pliant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Energies(NamedTuple):
    """Energies of a simulation [J]."""

    kinetic: float
    elastic: float
    gravitational: float

    @property
    def total(self) -> float:
        """All of them together [J]."""
        return self.kinetic + self.elastic + self.gravitational


class Pose(NamedTuple):
    """Where something is and how it is turned."""

    position: tuple[float, float, float]
    """Of its origin [m]."""
    rotation: tuple[float, float, float, float]
    """A unit quaternion (x, y, z, w)."""


class Report(NamedTuple):
    """How the last frame was computed."""

    substeps: int
    """Substeps taken; 0 before the first frame."""
    dt: float
    """The substep [s]."""
    wall: float
    """Wall time [s]."""
    contacts: int
    """Contacts that pressed in the last substep."""
    neighbors: float
    """Mean number of neighbours a particle."""
    residual: float
    """Relative residual of the constraints in the last substep."""
    gained: float
    """Energy that appeared without being paid for [J]."""
    redone: int
    """How often the frame was done again with half the step."""
    collider_force: dict[str, tuple[float, float, float]]
    """Mean force [N] on each collider, by its name."""


class Frame(NamedTuple):
    """Everything that is known of one moment, in arrays of its own, in the order of stable ids.

    ``n`` is the number of particles; of a surface, the number of its vertices.
    """

    number: int
    """Number of the frame; 1 is the initial state."""
    time: float
    """Simulated time [s]."""
    position: NDArray[np.float64]
    """Positions [m], of shape (n, 3)."""
    velocity: NDArray[np.float32]
    """Velocities [m/s], of shape (n, 3)."""
    id: NDArray[np.uint32]
    """Stable ids, increasing, of shape (n,)."""
    body: NDArray[np.uint32]
    """Bodies, places in `Simulation.bodies`, of shape (n,)."""
    material: NDArray[np.uint32]
    """Materials, places in `Simulation.materials`, of shape (n,)."""
    radius: NDArray[np.float32]
    """Radii [m], half the spacing, of shape (n,)."""
    triangles: NDArray[np.uint32]
    """Triangles of cloth, or of the surface: places of their corners, of shape (m, 3)."""
    uv: NDArray[np.float32]
    """Texture coordinates u and v at the corners of the triangles, of shape (m, 3, 2), zero for bodies without any;
    of shape (0, 3, 2) if no body has any."""
    inside: NDArray[np.bool_]
    """Of a surface, which triangles are faces of cuts, of shape (m,); of particles, of shape (0,)."""
    quantities: dict[str, NDArray[np.float32]]
    """By name: ``density`` [kg/m3], ``det_F``, ``stress_von_mises`` [Pa], ``plastic_state``, ``fragment``, and what
    each method tells, each of shape (n,)."""
    surface: Frame | None
    """The surfaces that bodies carry, if they are wanted and there are any."""


def frame_of(columns: dict[str, Any], surface: dict[str, Any] | None) -> Frame:
    """A frame of what the engine tells."""
    return Frame(**columns, surface=None if surface is None else frame_of(surface, None))

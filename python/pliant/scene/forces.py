"""What accelerates particles beside gravity.

Written by `tools/python/scene_classes.py` from the schema of scenes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Union

from pliant._table import Numbers, Table
from pliant.scene.shapes import Shape, StrengthKeyframe


@dataclass(kw_only=True)
class Wind(Table):
    """Air that moves at one velocity and takes particles along: a = -(linear + quadratic |w|) w with w the velocity
    relative to the air. `strength` multiplies the velocity of the air. Every particle feels it, also those in the lee
    of others.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("kind", "wind")

    name: str
    """Name, unique among forces."""
    velocity: Numbers
    """Velocity of the air [m/s]."""
    body: str | None = None
    """Name of the body it acts on. If missing, all."""
    ease: Literal["linear", "smooth"] | None = None
    """Interpolation between keyframes: at constant speed, or smoothly accelerated and decelerated. Default: "linear"."""
    keyframes: Sequence[StrengthKeyframe] | None = None
    """Strength over time; constant before the first and after the last."""
    linear: float | None = None
    """Drag that grows with the speed, as a rate: for spheres of diameter d and density rho in a medium of viscosity
    mu, 18 mu / (rho d^2) (Stokes). If missing, 0 [1/s].
    """
    position: Numbers | None = None
    """Position of the region's origin [m]. Default: [0.0, 0.0, 0.0]."""
    quadratic: float | None = None
    """Drag that grows with the square of the speed: for spheres of diameter d and density rho in a medium of density
    rho_m, 3 C rho_m / (4 rho d) with their drag coefficient C. If missing, 0 [1/m].
    """
    rotation: Numbers | None = None
    """Rotations about its own x, then y, then z axis [degrees]. Default: [0.0, 0.0, 0.0]."""
    shape: Shape | None = None
    """The region in which it acts. If missing, everywhere."""
    strength: float | None = None
    """Factor on the force. If missing, 1."""


@dataclass(kw_only=True)
class Drag(Table):
    """A medium at rest that slows particles down: a = -(linear + quadratic |v|) v. `strength` multiplies both
    coefficients and must not be negative.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("kind", "drag")

    name: str
    """Name, unique among forces."""
    body: str | None = None
    """Name of the body it acts on. If missing, all."""
    ease: Literal["linear", "smooth"] | None = None
    """Interpolation between keyframes: at constant speed, or smoothly accelerated and decelerated. Default: "linear"."""
    keyframes: Sequence[StrengthKeyframe] | None = None
    """Strength over time; constant before the first and after the last."""
    linear: float | None = None
    """Drag that grows with the speed, as a rate: for spheres of diameter d and density rho in a medium of viscosity
    mu, 18 mu / (rho d^2) (Stokes). If missing, 0 [1/s].
    """
    position: Numbers | None = None
    """Position of the region's origin [m]. Default: [0.0, 0.0, 0.0]."""
    quadratic: float | None = None
    """Drag that grows with the square of the speed: for spheres of diameter d and density rho in a medium of density
    rho_m, 3 C rho_m / (4 rho d) with their drag coefficient C. If missing, 0 [1/m].
    """
    rotation: Numbers | None = None
    """Rotations about its own x, then y, then z axis [degrees]. Default: [0.0, 0.0, 0.0]."""
    shape: Shape | None = None
    """The region in which it acts. If missing, everywhere."""
    strength: float | None = None
    """Factor on the force. If missing, 1."""


@dataclass(kw_only=True)
class Point(Table):
    """Attraction to a point, or repulsion from it, that falls off with a power of the distance r: a = acceleration
    (distance / r)^falloff. `strength` multiplies the acceleration.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("kind", "point")

    acceleration: float
    """Acceleration towards the point at the distance `distance`; negative pushes away [m/s2]."""
    name: str
    """Name, unique among forces."""
    body: str | None = None
    """Name of the body it acts on. If missing, all."""
    center: Numbers | None = None
    """The point [m]. Default: [0.0, 0.0, 0.0]."""
    core: float | None = None
    """Radius inside of which the acceleration falls to zero linearly. If missing, a tenth of `distance` [m]."""
    distance: float | None = None
    """Distance at which the acceleration has its value [m]. Default: 1.0."""
    ease: Literal["linear", "smooth"] | None = None
    """Interpolation between keyframes: at constant speed, or smoothly accelerated and decelerated. Default: "linear"."""
    falloff: float | None = None
    """Exponent of the decay with distance: 2 as for gravity or charges, 0 for none, -1 for a spring. Default: 2.0."""
    keyframes: Sequence[StrengthKeyframe] | None = None
    """Strength over time; constant before the first and after the last."""
    position: Numbers | None = None
    """Position of the region's origin [m]. Default: [0.0, 0.0, 0.0]."""
    rotation: Numbers | None = None
    """Rotations about its own x, then y, then z axis [degrees]. Default: [0.0, 0.0, 0.0]."""
    shape: Shape | None = None
    """The region in which it acts. If missing, everywhere."""
    strength: float | None = None
    """Factor on the force. If missing, 1."""


@dataclass(kw_only=True)
class Vortex(Table):
    """Air that turns about an axis and takes particles along as `wind` does: like a solid inside a core, ever slower
    outside, with the speed spin core^2 / r at the distance r from the axis (a Rankine vortex). `strength` multiplies
    the velocity of the air.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("kind", "vortex")

    core: float
    """Radius of the core [m]."""
    name: str
    """Name, unique among forces."""
    spin: float
    """Angular velocity inside the core, counter-clockwise seen against the axis [degrees/s]."""
    axis: Numbers | None = None
    """Direction of the axis, of any length but zero. Default: [0.0, 1.0, 0.0]."""
    body: str | None = None
    """Name of the body it acts on. If missing, all."""
    center: Numbers | None = None
    """A point of the axis [m]. Default: [0.0, 0.0, 0.0]."""
    ease: Literal["linear", "smooth"] | None = None
    """Interpolation between keyframes: at constant speed, or smoothly accelerated and decelerated. Default: "linear"."""
    keyframes: Sequence[StrengthKeyframe] | None = None
    """Strength over time; constant before the first and after the last."""
    linear: float | None = None
    """Drag that grows with the speed, as a rate: for spheres of diameter d and density rho in a medium of viscosity
    mu, 18 mu / (rho d^2) (Stokes). If missing, 0 [1/s].
    """
    position: Numbers | None = None
    """Position of the region's origin [m]. Default: [0.0, 0.0, 0.0]."""
    quadratic: float | None = None
    """Drag that grows with the square of the speed: for spheres of diameter d and density rho in a medium of density
    rho_m, 3 C rho_m / (4 rho d) with their drag coefficient C. If missing, 0 [1/m].
    """
    rotation: Numbers | None = None
    """Rotations about its own x, then y, then z axis [degrees]. Default: [0.0, 0.0, 0.0]."""
    shape: Shape | None = None
    """The region in which it acts. If missing, everywhere."""
    strength: float | None = None
    """Factor on the force. If missing, 1."""
    updraft: float | None = None
    """Uniform velocity of the air along the axis [m/s]. Default: 0.0."""


#: Any of them.
Force = Union[Wind, Drag, Point, Vortex]

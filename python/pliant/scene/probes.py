"""Probes: what is measured in each frame.

Written by `tools/python/scene_classes.py` from the schema of scenes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Union

from pliant._table import Numbers, Table
from pliant.scene.shapes import Shape


@dataclass(kw_only=True)
class BoundingBox(Table):
    """Least and greatest coordinates of the particles' centres: min_x to max_z."""

    _tag: ClassVar[tuple[str, str] | None] = ("measure", "bounding-box")

    name: str
    """Name, unique among probes; the first part of its columns."""
    body: str | None = None
    """Name of the body that is measured. If missing, all particles."""


@dataclass(kw_only=True)
class CenterOfMass(Table):
    """Centre of mass x, y, z and its velocity vx, vy, vz."""

    _tag: ClassVar[tuple[str, str] | None] = ("measure", "center-of-mass")

    name: str
    """Name, unique among probes; the first part of its columns."""
    body: str | None = None
    """Name of the body that is measured. If missing, all particles."""


@dataclass(kw_only=True)
class NearestParticle(Table):
    """The particle nearest to a point at the start, followed: its position x, y, z and its way from the start dx, dy,
    dz; zeros once it has left the world.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("measure", "nearest-particle")

    name: str
    """Name, unique among probes; the first part of its columns."""
    point: Numbers
    """The point [m]."""
    body: str | None = None
    """Name of the body that is measured. If missing, all particles."""


@dataclass(kw_only=True)
class Volume(Table):
    """Sum of the particles' rest volumes times their elastic volume ratio det F, of cloth its area ratio."""

    _tag: ClassVar[tuple[str, str] | None] = ("measure", "volume")

    name: str
    """Name, unique among probes; the first part of its columns."""
    body: str | None = None
    """Name of the body that is measured. If missing, all particles."""


@dataclass(kw_only=True)
class ColliderForce(Table):
    """Force fx, fy, fz of the particles on a collider, mean over the frame: of those that touch it, and of those
    attached to it with their weight, their inertia and all that pulls and presses on them.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("measure", "collider-force")

    collider: str
    """Name of the collider."""
    name: str
    """Name, unique among probes; the first part of its columns."""


@dataclass(kw_only=True)
class ReposeAngle(Table):
    """Slope of a heap's flank, between 20 and 80 % of the height of its summit above its foot. Heights are medians
    all around, over rings 1.5 spacings wide, and the slope is the median over pairs of rings: single grains, a crater
    and what lies at a wall hardly move it. A cone 15 spacings in radius is measured within 1 to 2 degrees, one of 30
    within 0.6.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("measure", "repose-angle")

    name: str
    """Name, unique among probes; the first part of its columns."""
    axis: Literal["x", "y", "z"] | None = None
    """The vertical axis. If missing, `scene.up`."""
    body: str | None = None
    """Name of the body that is measured. If missing, all particles."""
    center: Numbers | None = None
    """A point of the axis that radii are measured from, at the height of the ground [m]. Default: [0.0, 0.0, 0.0]."""


@dataclass(kw_only=True)
class RunOut(Table):
    """How far a heap has spread about a vertical axis, and how high it is."""

    _tag: ClassVar[tuple[str, str] | None] = ("measure", "run-out")

    name: str
    """Name, unique among probes; the first part of its columns."""
    axis: Literal["x", "y", "z"] | None = None
    """The vertical axis. If missing, `scene.up`."""
    body: str | None = None
    """Name of the body that is measured. If missing, all particles."""
    center: Numbers | None = None
    """A point of the axis that radii are measured from, at the height of the ground [m]. Default: [0.0, 0.0, 0.0]."""


@dataclass(kw_only=True)
class Energy(Table):
    """Kinetic, elastic and gravitational energy and their total."""

    _tag: ClassVar[tuple[str, str] | None] = ("measure", "energy")

    name: str
    """Name, unique among probes; the first part of its columns."""
    body: str | None = None
    """Name of the body that is measured. If missing, all particles."""


@dataclass(kw_only=True)
class MassInRegion(Table):
    """Mass and number of the particles whose centres are inside a region."""

    _tag: ClassVar[tuple[str, str] | None] = ("measure", "mass-in-region")

    name: str
    """Name, unique among probes; the first part of its columns."""
    shape: Shape
    """The region."""
    body: str | None = None
    """Name of the body that is measured. If missing, all particles."""
    position: Numbers | None = None
    """Position of the region's origin [m]. Default: [0.0, 0.0, 0.0]."""
    rotation: Numbers | None = None
    """Rotations about its own x, then y, then z axis [degrees]. Default: [0.0, 0.0, 0.0]."""


@dataclass(kw_only=True)
class Quantile(Table):
    """The value that a fraction of the particles stays below, of a coordinate or the radius."""

    _tag: ClassVar[tuple[str, str] | None] = ("measure", "quantile")

    fraction: float
    """The fraction."""
    name: str
    """Name, unique among probes; the first part of its columns."""
    of: Literal["x", "y", "z", "radius"]
    """A coordinate, or the distance from the vertical axis."""
    axis: Literal["x", "y", "z"] | None = None
    """The vertical axis. If missing, `scene.up`."""
    body: str | None = None
    """Name of the body that is measured. If missing, all particles."""
    center: Numbers | None = None
    """A point of the axis that radii are measured from, at the height of the ground [m]. Default: [0.0, 0.0, 0.0]."""


@dataclass(kw_only=True)
class Stretch(Table):
    """Elastic principal stretches, length over length without stress, of bodies of `xpbi`, `strain-energy`,
    `shape-groups`, `muscle` and `cloth`, whose stretches are those in the sheet; ones without particles.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("measure", "stretch")

    name: str
    """Name, unique among probes; the first part of its columns."""
    body: str | None = None
    """Name of the body that is measured. If missing, all particles."""


@dataclass(kw_only=True)
class Stress(Table):
    """Cauchy stress, tension positive, of material of `xpbi`, `strain-energy`, `shape-groups` and `muscle`: the mean
    over particles by their masses, and the greatest; zeros without particles.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("measure", "stress")

    name: str
    """Name, unique among probes; the first part of its columns."""
    body: str | None = None
    """Name of the body that is measured. If missing, all particles."""
    position: Numbers | None = None
    """Position of the region's origin [m]. Default: [0.0, 0.0, 0.0]."""
    rotation: Numbers | None = None
    """Rotations about its own x, then y, then z axis [degrees]. Default: [0.0, 0.0, 0.0]."""
    shape: Shape | None = None
    """Only particles whose centres are in this region count. If missing, all of them."""


@dataclass(kw_only=True)
class Deformation(Table):
    """Deformation gradient F of material of `strain-energy`, `shape-groups` and `muscle`, `xy` being the change along
    x by what lay along y: the mean over particles by their masses, and the least and the greatest det F; no
    deformation without particles.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("measure", "deformation")

    name: str
    """Name, unique among probes; the first part of its columns."""
    body: str | None = None
    """Name of the body that is measured. If missing, all particles."""
    position: Numbers | None = None
    """Position of the region's origin [m]. Default: [0.0, 0.0, 0.0]."""
    rotation: Numbers | None = None
    """Rotations about its own x, then y, then z axis [degrees]. Default: [0.0, 0.0, 0.0]."""
    shape: Shape | None = None
    """Only particles whose centres are in this region count. If missing, all of them."""


@dataclass(kw_only=True)
class SpringStretch(Table):
    """Length over rest length of springs along the edges or cells of bodies of `springs`: the least and the greatest,
    min and max, and mean, the mean over particles of the mean at each; ones without springs.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("measure", "spring-stretch")

    name: str
    """Name, unique among probes; the first part of its columns."""
    body: str | None = None
    """Name of the body that is measured. If missing, all particles."""


@dataclass(kw_only=True)
class Muscle(Table):
    """What a muscle does: its activation, the stretch of its fibres, and with which force and power it pulls."""

    _tag: ClassVar[tuple[str, str] | None] = ("measure", "muscle")

    muscle: str
    """Name of the muscle."""
    name: str
    """Name, unique among probes; the first part of its columns."""


@dataclass(kw_only=True)
class Fragments(Table):
    """Pieces: groups of particles that act on each other, directly or through others: those of one continuum within
    the reach of the kernel, granules that touch, corners of triangles of cloth. count is their number, largest the
    share of the mass in the greatest of all.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("measure", "fragments")

    name: str
    """Name, unique among probes; the first part of its columns."""
    body: str | None = None
    """Name of the body that is measured. If missing, all particles."""
    distance: float | None = None
    """If given, particles nearer than this are joined, whatever they belong to, and no others [spacings]."""
    least: int | None = None
    """Particles of the smallest piece that is counted. Default: 1."""


@dataclass(kw_only=True)
class NeighborDistance(Table):
    """Distance of each particle from the nearest other one: the least, the mean and the standard deviation. A
    particle without another within two spacings of the coarsest body does not count; zeros if none counts.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("measure", "neighbor-distance")

    name: str
    """Name, unique among probes; the first part of its columns."""
    body: str | None = None
    """Name of the body that is measured. If missing, all particles."""


@dataclass(kw_only=True)
class KernelDensity(Table):
    """Density as the places of the particles tell it, the kernel summed over all of them times their rest volumes, as
    a multiple of that of a regular packing at rest: the greatest and the mean. Irregular particles inside a body see
    up to 1.23 at rest, those at its surface less.
    """

    _tag: ClassVar[tuple[str, str] | None] = ("measure", "kernel-density")

    name: str
    """Name, unique among probes; the first part of its columns."""
    body: str | None = None
    """Name of the body that is measured. If missing, all particles."""


#: Any of them.
Probe = Union[
    BoundingBox,
    CenterOfMass,
    NearestParticle,
    Volume,
    ColliderForce,
    ReposeAngle,
    RunOut,
    Energy,
    MassInRegion,
    Quantile,
    Stretch,
    Stress,
    Deformation,
    SpringStretch,
    Muscle,
    Fragments,
    NeighborDistance,
    KernelDensity,
]

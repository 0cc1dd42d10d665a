"""Shapes: of bodies, colliders, regions, emitters.

Written by `tools/python/scene_classes.py` from the schema of scenes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Union

from pliant._table import Numbers, Path, Table


@dataclass(kw_only=True)
class StrengthKeyframe(Table):
    """See the scene reference."""

    strength: float
    """Factor on the force, or on the stiffness; a stiffness of 0 lets go."""
    t: float
    """Time, increasing from one keyframe to the next [s]."""


@dataclass(kw_only=True)
class Box(Table):
    """A box with edges along the axes, centred on the origin."""

    _under: ClassVar[str | None] = "box"

    size: Numbers
    """Full edge lengths [m]."""


@dataclass(kw_only=True)
class Sphere(Table):
    """A sphere, centred on the origin."""

    _under: ClassVar[str | None] = "sphere"

    radius: float
    """Radius [m]."""


@dataclass(kw_only=True)
class Ellipsoid(Table):
    """An ellipsoid with its axes along x, y, z, centred on the origin."""

    _under: ClassVar[str | None] = "ellipsoid"

    radii: Numbers
    """Half the lengths of the three axes [m]."""


@dataclass(kw_only=True)
class Cylinder(Table):
    """A cylinder that stands along y, centred on the origin."""

    _under: ClassVar[str | None] = "cylinder"

    height: float
    """Height from end to end [m]."""
    radius: float
    """Radius [m]."""


@dataclass(kw_only=True)
class Capsule(Table):
    """A cylinder along y with half spheres on its ends, centred on the origin."""

    _under: ClassVar[str | None] = "capsule"

    height: float
    """Height of the cylindrical part, without the round ends [m]."""
    radius: float
    """Radius of the cylinder and of its ends [m]."""


@dataclass(kw_only=True)
class Cone(Table):
    """A cone along y with its tip up; the origin is halfway between base and tip."""

    _under: ClassVar[str | None] = "cone"

    height: float
    """Height from base to tip [m]."""
    radius: float
    """Radius of the base [m]."""


@dataclass(kw_only=True)
class Torus(Table):
    """A ring that lies in the plane y = 0 around the origin."""

    _under: ClassVar[str | None] = "torus"

    radius: float
    """Radius of the circle in the middle of the tube [m]."""
    tube_radius: float
    """Radius of the tube, at most `radius` [m]."""


@dataclass(kw_only=True)
class Plane(Table):
    """A plane through the origin with solid below it, without end: for colliders and regions."""

    _under: ClassVar[str | None] = "plane"

    normal: Numbers | None = None
    """Outward normal, of any length but zero. Default: [0.0, 1.0, 0.0]."""


@dataclass(kw_only=True)
class Mesh(Table):
    """The inside of a closed triangle mesh from a file (OBJ, STL, PLY, glTF, USD). For a collider with `two_sided =
    true` and for a body of cloth the mesh may be open.
    """

    _under: ClassVar[str | None] = "mesh"

    file: Path
    """The file, relative to the scene."""
    anchor: Numbers | None = None
    """The point of its bounding box that stands at the origin of the shape, from 0 to 1 along each axis: [0.5, 0.5,
    0.5] is its middle, [0.5, 0, 0.5] the middle of its underside where y is up. If missing, the file's own origin.
    """
    fit: float | None = None
    """Length that the longest edge of its bounding box shall have, whatever the unit of the file: in place of `scale`
    [m].
    """
    gap: float | None = None
    """With `repair = "voxels"`: openings that are narrower are closed. If missing, three cells [m]."""
    repair: Literal["fill-holes", "winding", "voxels"] | None = None
    """What is done with a mesh that encloses nothing as it is. `fill-holes` puts triangles across its holes and turns
    those that face against their neighbours; all others stay. `winding` makes a new surface around what the triangles
    go around more than half, whether they cross, overlap or leave gaps, as long as most of them face outwards.
    `voxels` makes a new surface around what cannot be reached from outside, whichever way triangles face; walls
    thinner than a cell are lost where both their sides are reached. New surfaces are resolved by half a spacing, or a
    256th of the mesh. If missing, the mesh must be closed.
    """
    scale: float | None = None
    """Factor on the coordinates of the file: 0.001 for a file in millimetres. Default: 1.0."""


@dataclass(kw_only=True)
class MeshSequence(Table):
    """A mesh that deforms, for a collider: a file (OBJ, STL, PLY, glTF, USD) for each frame, all with the same
    triangles, or an animated file of glTF or USD, with its skins, morph targets and blend shapes. What is inside is
    told by the nearest triangle; with `two_sided = true` the mesh may be open.
    """

    _under: ClassVar[str | None] = "mesh-sequence"

    file: Path
    """The files, relative to the scene: `#` stands for a digit of a file's number, as in `walk_####.obj`. Without
    `#`, a glTF or USD file with an animation.
    """
    animation: str | None = None
    """Name of the animation in a glTF file. If missing, its first. USD files have one without a name."""
    first: int | None = None
    """Number of the first file. Default: 1."""
    frame_rate: float | None = None
    """Files per second; of an animation, about so many frames are taken a second [1/s]. Default: 24.0."""
    interpolation: Literal["smooth", "linear"] | None = None
    """How vertices move from one frame to the next: with a continuous velocity, or at constant speed, which changes
    at each frame. Default: "smooth".
    """
    last: int | None = None
    """Number of the last file; required where they are numbered, and only there."""
    repeat: bool | None = None
    """Whether the first frame follows on the last, and so on; if not, the mesh rests as in the last. An animation
    repeats after its duration. Default: false.
    """
    scale: float | None = None
    """Factor on the coordinates of the file: 0.001 for a file in millimetres. Default: 1.0."""
    start: float | None = None
    """Time of the first frame; before it the mesh rests as in that [s]. Default: 0.0."""


@dataclass(kw_only=True)
class Tetrahedra(Table):
    """A solid as tetrahedra from a file (VTK, an unstructured grid, `.vtu` or legacy `.vtk`; Gmsh `.msh` of version
    4.1; TetGen `.ele` with its `.node` beside it). A body of springs is made of its points and edges; anything else
    takes it as the closed mesh of its outer faces.
    """

    _under: ClassVar[str | None] = "tetrahedra"

    file: Path
    """The file, relative to the scene."""
    scale: float | None = None
    """Factor on the coordinates of the file: 0.001 for a file in millimetres. Default: 1.0."""


@dataclass(kw_only=True)
class Revolution(Table):
    """A closed outline turned about the y axis: a glass, a bowl, a die."""

    _under: ClassVar[str | None] = "revolution"

    profile: Sequence[Numbers]
    """Corners [radius, y] of the outline in order, either way round; the last joins the first. Radii are zero or
    greater, and the outline does not cross itself [m].
    """


@dataclass(kw_only=True)
class Sdf(Table):
    """Shapes put together by exactly one of `union`, `intersection`, `difference` and `smooth-union`. Each operand is
    a shape with an optional position and rotation: `{ sdf = { difference = [{ box = { size = [1, 1, 1] } }, { sphere
    = { radius = 0.4 }, position = [0, 0.5, 0] }] } }`. Operands may be trees themselves.
    """

    _keys: ClassVar[Mapping[str, str]] = {"smooth_union": "smooth-union"}

    _under: ClassVar[str | None] = "sdf"

    difference: Sequence[Placed | Shape] | None = None
    """The first shape minus the others."""
    intersection: Sequence[Placed | Shape] | None = None
    """Intersection of the shapes."""
    radius: float | None = None
    """Size of the fillet of a `smooth-union`: it begins this far from where the shapes meet. Required there, and
    accepted nowhere else [m].
    """
    smooth_union: Sequence[Placed | Shape] | None = None
    """A union whose inner edges are filled with a fillet of size `radius`."""
    union: Sequence[Placed | Shape] | None = None
    """Union of the shapes."""


@dataclass(kw_only=True)
class Particles(Table):
    """Particles from a file (PLY, VTP, NPZ, or the points of a VTU), positions and, if it has them, velocities. A
    body or an emitter takes them as they are, each with the volume of its spacing cubed; a collider or a region is a
    ball about each, half a spacing in radius.
    """

    _under: ClassVar[str | None] = "particles"

    file: Path
    """The file, relative to the scene."""
    scale: float | None = None
    """Factor on the coordinates of the file: 0.001 for a file in millimetres. Default: 1.0."""


@dataclass(kw_only=True)
class Sheet(Table):
    """A rectangle without thickness in the plane y = 0, centred on the origin. A collider has two sides; a body or an
    emitter is a single layer of particles, a spacing thick; of cloth the outermost particles stand on the edges. It
    has no inside, so it cannot be a region.
    """

    _under: ClassVar[str | None] = "sheet"

    size: Numbers
    """Lengths of the edges along x and along z [m]."""
    resolution: Numbers | None = None
    """Particles along x and along z, whole numbers. If missing, by the spacing."""


@dataclass(kw_only=True)
class Placed(Table):
    """A shape at a place, for combinations of shapes."""

    shape: Shape
    """The shape."""
    position: Numbers | None = None
    """Where its origin is, three numbers [m]."""
    rotation: Numbers | None = None
    """Rotations about its own x, then y, then z axis, three numbers [degrees]."""

    def to_dict(self) -> dict[str, Any]:
        """It as a dict."""
        table = super().to_dict()
        return {**table.pop("shape"), **table}


#: Any shape.
Shape = Union[
    Box,
    Sphere,
    Ellipsoid,
    Cylinder,
    Capsule,
    Cone,
    Torus,
    Plane,
    Mesh,
    MeshSequence,
    Tetrahedra,
    Revolution,
    Sdf,
    Particles,
    Sheet,
]

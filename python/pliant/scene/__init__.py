"""Scenes as dataclasses: `Scene` and its tables.

Every key of the scene reference is a field, with its unit and meaning; those that are left out have the defaults of
scene files. What is wrong with a value is told when the scene is opened, with its key.

>>> from pliant import Simulation
>>> from pliant.scene import Body, Collider, Scene, SceneSettings, materials, shapes
>>> ball = Body(name="ball", material="rubber", shape=shapes.Sphere(radius=0.05), position=[0, 0.2, 0], spacing=0.025)
>>> scene = Scene(
...     scene=SceneSettings(duration=1.0),
...     material={"rubber": materials.Preset(preset="rubber")},
...     body=[ball],
...     collider=[Collider(name="floor", shape=shapes.Plane())],
... )
>>> sim = Simulation(scene)

Written by `tools/python/scene_classes.py` from the schema of scenes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pliant._table import Numbers, Path, Table
from pliant.scene import forces, materials, probes, shapes
from pliant.scene.forces import Force
from pliant.scene.materials import Material
from pliant.scene.probes import Probe
from pliant.scene.shapes import Placed, Shape, StrengthKeyframe


@dataclass(kw_only=True)
class Attach(Table):
    """Attaches the particles of a body that lie inside a region at the start, or the nearest to a point: to the
    world, or, by one of the keys `to_collider`, `to_body`, `force` and `traction`, to a collider, to another body, or
    to a load.
    """

    body: str
    """Name of the body whose particles are held."""
    name: str
    """Name, unique among attachments."""
    area: float | None = None
    """The area that `traction` acts on [m2]."""
    compliance: float | None = None
    """Displacement that a force of 1 N costs: the particles are not held but pulled to their places, in the world or
    on the collider, by springs that share the stiffness in proportion to the masses. A body of `rigid` is pulled at
    the point that is at `position`. If missing, they are held [m/N].
    """
    ease: Literal["linear", "smooth"] | None = None
    """Interpolation between keyframes: at constant speed, or smoothly accelerated and decelerated. Default: "linear"."""
    force: Numbers | None = None
    """Total force in world axes, independent of rotations of body and region, distributed in proportion to the
    masses. The particles are not held [N].
    """
    keyframes: Sequence[StrengthKeyframe] | None = None
    """Strength over time; constant before the first and after the last."""
    position: Numbers | None = None
    """Position of the region's origin, or the point [m]. Default: [0.0, 0.0, 0.0]."""
    rotation: Numbers | None = None
    """Rotations about its own x, then y, then z axis [degrees]. Default: [0.0, 0.0, 0.0]."""
    shape: Shape | None = None
    """The region. If missing, the particle nearest to `position` is attached."""
    to_body: str | None = None
    """Name of another body: each particle is joined by rods of constant length to the nearest particles of that body,
    at most 8, within two spacings of the coarser body. To a body of `rigid` they are tied in place. Where bodies are
    tied they are no contacts of each other: they may touch there from the start.
    """
    to_collider: str | None = None
    """Name of the collider they move with."""
    traction: Numbers | None = None
    """Force per area in world axes, in place of `force`: the total is this times `area`, which does not change with
    the deformation [Pa].
    """


@dataclass(kw_only=True)
class Body(Table):
    """Bodies of particles. Bodies of one method with the same support radius form one continuum."""

    material: str
    """Name of its material."""
    name: str
    """Name, unique among bodies."""
    color: str | None = None
    """Colour in pictures. If missing, that of its preset, blue for other fluids, or one of a palette."""
    friction: float | None = None
    """Coefficient of Coulomb friction: between two bodies the geometric mean, between a body and a collider the
    collider's. Default: 0.5.
    """
    friction_along: float | None = None
    """Factor on the coefficient of friction along `friction_axis`. Default: 1.0."""
    friction_axis: Numbers | None = None
    """An axis of the body at the start, of any length, along which its friction is another, as of scales. It turns
    with rigid bodies, and turns and bends with those that keep their neighbours (`muscle`, `strain-energy`,
    `shape-groups`, `cloth`, `springs`); in others, which forget how they were, it stays. Where two bodies that meet
    have such an axis, that counts along which friction differs more.
    """
    gloss: float | None = None
    """How much it shines in pictures: 0 matt, 1 as if wet. If missing, that of its preset or its law."""
    groups: Literal["hexahedra", "cut-cells", "tetrahedra", "neighborhoods"] | None = None
    """Groups of a body of `shape-groups`: hexahedra of about the spacing that fill the shape; the pieces of its
    surface in such cells, whose surface is that of the shape; tetrahedra of a lattice of cubes of the spacing, cut at
    the surface; or particles and their neighbours within `support_radius`. Shapes of `tetrahedra` are their own
    groups. Default: "hexahedra".
    """
    jitter: float | None = None
    """Greatest random displacement of each particle along each axis, for `grid` and `hexagonal` [spacings]. Default:
    0.0.
    """
    mass: float | None = None
    """Mass of the whole body, instead of its material's density [kg]."""
    method: Literal["xpbi", "fluid", "cloth", "strain-energy", "shape-groups", "muscle", "springs", "rigid"] | None = (
        None
    )
    """Method of simulation. If missing, the method for the law of its material."""
    opacity: float | None = None
    """Share of light that a layer of it keeps back in pictures, where it is shown as a surface: 1 opaque, 0.1 like
    glass. If missing, 0.45 for fluids, otherwise that of its preset or 1. Rigid bodies are always opaque.
    """
    position: Numbers | None = None
    """Position of the shape's origin [m]. Default: [0.0, 0.0, 0.0]."""
    render_mesh: Shape | None = None
    """An embedded surface of a body of `strain-energy` or `shape-groups`, in the coordinates and the scale of its
    `shape`: rendered in place of the particles, and written beside them. A `mesh` may be open and keeps its vertices
    in their order; where the body is cut, the surface is cut too, and closed by inner faces.
    """
    restitution: float | None = None
    """Coefficient of restitution of a body of `rigid`. The greater of both sides applies; bodies of particles have
    none. Default: 0.0.
    """
    rotation: Numbers | None = None
    """Rotations about its own x, then y, then z axis [degrees]. Default: [0.0, 0.0, 0.0]."""
    sampling: Literal["poisson", "relaxed", "grid", "hexagonal", "spheres"] | None = None
    """Arrangement of the particles: irregular, irregular in equilibrium, on a cubic lattice, in the densest packing,
    or as spheres that neither overlap nor leave the shape. If missing, `relaxed` for `strain-energy` and for the laws
    `elastic` and `newtonian`, `spheres` for `contact-friction`, whose granules would be pushed apart otherwise,
    `poisson` for all else.
    """
    scale: float | None = None
    """Factor on the shape's size, about its origin. Default: 1.0."""
    self_contact: bool | None = None
    """Whether parts of a body that touch are contacts: of `strain-energy` and `muscle`, of cloth, and of shape groups
    and springs that are met by triangles. If not, they pass through each other, which saves the search for them.
    Default: true.
    """
    shape: Shape | None = None
    """Shape filled with particles. If missing, an emitter must add them."""
    share_neighbors: bool | None = None
    """Whether its particles and those of other bodies of its method and support radius are neighbours, so that they
    form one continuum. If not, they have contacts. Default: true.
    """
    shown_as: Literal["particles", "surface"] | None = None
    """What pictures show of a body without triangles and without `render_mesh`: its particles as balls, or the
    surface around them, which is made of those of all bodies of its material if they flow together. If missing,
    `surface` for fluids, pastes and what is elastic or a metal, `particles` for sand, snow and clay.
    """
    spacing: float | None = None
    """Distance of neighbouring particles: its cube is a particle's mean volume. Required but for `rigid`, whose
    bodies are not made of particles [m].
    """
    spin: Numbers | None = None
    """Angular velocity at the start, about the body's centre of mass [degrees/s]. Default: [0.0, 0.0, 0.0]."""
    support_radius: float | None = None
    """Distance at which the kernel reaches zero. If missing, 2.0; 2.6 for the law `elastic`, which needs it under
    tension; 1.8 for `strain-energy` [spacings].
    """
    surface_spacing: float | None = None
    """Sides of the triangles of the surface that `cut-cells` are cut from, and of a `render_mesh`, where a shape such
    as `sdf` is made of triangles: sharp edges are cut off by less than that, and what is thinner is lost. If missing,
    a quarter of the spacing for cut cells of `sdf` and `particles`, and what the shape takes for pictures for all
    else [m].
    """
    velocity: Numbers | None = None
    """Velocity at the start [m/s]. Default: [0.0, 0.0, 0.0]."""


@dataclass(kw_only=True)
class CameraKeyframe(Table):
    """See the scene reference."""

    t: float
    """Time, increasing from one keyframe to the next [s]."""
    field_of_view: float | None = None
    """Angle between the lower and the upper edge. If missing, as before [degrees]."""
    position: Numbers | None = None
    """Position of the camera. If missing, as before [m]."""
    target: Numbers | None = None
    """The point in the middle of the picture. If missing, as before [m]."""


@dataclass(kw_only=True)
class Camera(Table):
    """Where pictures are taken from. A sensible one is computed when there is none."""

    position: Numbers
    """Position of the camera [m]."""
    target: Numbers
    """The point in the middle of the picture [m]."""
    ease: Literal["linear", "smooth"] | None = None
    """Interpolation between keyframes: at constant speed, or smoothly accelerated and decelerated. Default: "linear"."""
    field_of_view: float | None = None
    """Angle between the lower and the upper edge of the picture [degrees]. Default: 35.0."""
    keyframes: Sequence[CameraKeyframe] | None = None
    """Where the camera goes; it stays before the first and after the last."""
    turn: float | None = None
    """How fast it turns around the vertical through `target`, as a turntable does [degrees/s]. Default: 0.0."""


@dataclass(kw_only=True)
class PoseKeyframe(Table):
    """See the scene reference."""

    t: float
    """Time, increasing from one keyframe to the next [s]."""
    position: Numbers | None = None
    """Position. If missing, the collider's `position` [m]."""
    rotation: Numbers | None = None
    """Rotations about its own x, then y, then z axis, interpolated one by one: 720 is two turns. If missing, the
    collider's `rotation` [degrees].
    """


@dataclass(kw_only=True)
class Motion(Table):
    """Motion. If missing, it is at rest."""

    ease: Literal["linear", "smooth"] | None = None
    """Interpolation between keyframes: at constant speed, or smoothly accelerated and decelerated. Default: "linear"."""
    keyframes: Sequence[PoseKeyframe] | None = None
    """Poses over time, in place of `position` and `rotation`; constant before the first and after the last."""
    spin: Numbers | None = None
    """Constant angular velocity in world axes about the shape's origin, without keyframes [degrees/s]. Default: [0.0,
    0.0, 0.0].
    """
    velocity: Numbers | None = None
    """Constant velocity, without keyframes [m/s]. Default: [0.0, 0.0, 0.0]."""


@dataclass(kw_only=True)
class Collider(Table):
    """Obstacles with prescribed motion."""

    name: str
    """Name, unique among colliders."""
    color: str | None = None
    """Colour in pictures. Default: "#9aa0a6"."""
    driven: bool | None = None
    """Whether a program that uses the library moves it while the simulation runs (`World::drive_to`), in place of
    `motion`. It rests until it is driven. Default: false.
    """
    friction: float | None = None
    """Coefficient of Coulomb friction with any body, in place of that body's own. For a viscous fluid: no slip above
    0, free slip at 0. Default: 0.5.
    """
    gloss: float | None = None
    """How much it shines in pictures: 0 matt, 1 as if wet. Default: 0.1."""
    motion: Motion | None = None
    """Motion. If missing, it is at rest."""
    opacity: float | None = None
    """Opacity in pictures: 1 opaque, 0 not drawn, between as glass. Default: 1.0."""
    position: Numbers | None = None
    """Position of the shape's origin at time zero [m]. Default: [0.0, 0.0, 0.0]."""
    restitution: float | None = None
    """Coefficient of restitution; the greater of the collider's and a rigid body's applies. Default: 0.0."""
    rotation: Numbers | None = None
    """Rotations about its own x, then y, then z axis [degrees]. Default: [0.0, 0.0, 0.0]."""
    separate: bool | None = None
    """Whether touching particles may separate. If not, they slide along it, with friction under pressure. Default:
    true.
    """
    shape: Shape | None = None
    """The solid region. If missing, nothing touches the collider: it only moves what is attached to it."""
    sticky: bool | None = None
    """Whether touching particles neither slide nor separate, regardless of `friction`, `restitution` and `separate`.
    Default: false.
    """
    two_sided: bool | None = None
    """Whether only its surface is solid, a thin shell that particles cannot pass from either side; a mesh may then be
    open. If not, its inside is solid. Default: false.
    """


@dataclass(kw_only=True)
class Cut(Table):
    """A blade that cuts bodies of `strain-energy`. It cuts the bonds that it crosses when it appears, and from then
    on those that its advancing rim sweeps; its faces and its back cut nothing. It exerts no force: for that, add a
    collider.
    """

    name: str
    """Name, unique among blades."""
    shape: Shape
    """The surface of the blade: a `sheet`, or a `mesh`, which is open if the blade moves."""
    body: str | None = None
    """Name of the only body it cuts. If missing, it cuts all."""
    color: str | None = None
    """Colour in pictures. Default: "#c8ccd2"."""
    motion: Motion | None = None
    """Motion. If missing, it is at rest."""
    opacity: float | None = None
    """Opacity in pictures: 1 opaque, 0 not drawn, between as glass. Default: 1.0."""
    position: Numbers | None = None
    """Position of the shape's origin at time zero [m]. Default: [0.0, 0.0, 0.0]."""
    rotation: Numbers | None = None
    """Rotations about its own x, then y, then z axis [degrees]. Default: [0.0, 0.0, 0.0]."""
    start: float | None = None
    """Time at which it appears [s]. Default: 0.0."""
    stop: float | None = None
    """Time at which it disappears; equal to `start` for a single cut. If missing, it stays [s]."""


@dataclass(kw_only=True)
class Emitter(Table):
    """What adds particles to a body during the run."""

    body: str
    """Name of the body it feeds."""
    name: str
    """Name, unique among emitters."""
    shape: Shape
    """Region in which particles are emitted."""
    position: Numbers | None = None
    """Position of the shape's origin [m]. Default: [0.0, 0.0, 0.0]."""
    rate: float | None = None
    """Particles a second. If missing, as many as find room [1/s]."""
    rotation: Numbers | None = None
    """Rotations about its own x, then y, then z axis [degrees]. Default: [0.0, 0.0, 0.0]."""
    start: float | None = None
    """Time at which emission starts [s]. Default: 0.0."""
    stop: float | None = None
    """Time at which emission ends. If missing, it never ends [s]."""
    velocity: Numbers | None = None
    """Velocity of new particles [m/s]. Default: [0.0, 0.0, 0.0]."""


@dataclass(kw_only=True)
class Expect(Table):
    """What the case must show; `pliant test` checks it."""

    _keys: ClassVar[Mapping[str, str]] = {"from_": "from"}

    column: str
    """A column of `probes.csv` (`<probe>.<quantity>`) or of `stats.csv`."""
    at: float | Literal["end", "min", "max", "mean", "slope", "r2"] | None = None
    """A time, or a statistic of the column: its last, least, greatest or mean value, the slope of a fitted line per
    second, or that line's coefficient of determination [s]. Default: "end".
    """
    converges: bool | None = None
    """Whether `pliant validate` halves the spacing twice and requires decreasing changes. Default: false."""
    from_: float | None = None
    """Rows before this time are ignored [s]."""
    range: Numbers | None = None
    """Least and greatest accepted value."""
    source: str | None = None
    """Source of the value."""
    to: float | None = None
    """Rows after this time are ignored [s]."""
    tolerance: float | None = None
    """Greatest accepted distance from `value`."""
    value: float | None = None
    """The value, with `tolerance`; or give `range`."""


@dataclass(kw_only=True)
class Motor(Table):
    """Motor of a `hinge` or a `slider`: a spring and a damper."""

    damping: float | None = None
    """Strength of its damper [N m s/rad or N s/m]. Default: 0.0."""
    max_force: float | None = None
    """Greatest torque or force of the motor. If missing, unbounded [N m or N]."""
    position: float | None = None
    """Target of the spring: angle or displacement from the start [degrees or m]. Default: 0.0."""
    stiffness: float | None = None
    """Stiffness of its spring [N m/rad or N/m]. Default: 0.0."""
    velocity: float | None = None
    """Target of the damper: angular velocity or velocity [degrees/s or m/s]. Default: 0.0."""


@dataclass(kw_only=True)
class Joint(Table):
    """Joins a body of `rigid` to another, to a collider, or, with neither of the keys `to_body` and `to_collider`, to
    the world, in their relative pose at the start.
    """

    body: str
    """Name of the rigid body."""
    kind: Literal["fixed", "ball", "hinge", "slider"]
    """Degrees of freedom: none, all rotations about the anchor, rotation about the axis, or translation along it."""
    name: str
    """Name, unique among joints."""
    axis: Numbers | None = None
    """Axis of a `hinge` or `slider`, in world axes, of any length but zero. Default: [0.0, 0.0, 1.0]."""
    collide: bool | None = None
    """Whether the joined bodies may have contacts with each other. Default: false."""
    limits: Numbers | None = None
    """Least and greatest angle of a `hinge` in degrees, or displacement of a `slider` in metres, from the start
    [degrees or m].
    """
    motor: Motor | None = None
    """Motor of a `hinge` or a `slider`: a spring and a damper."""
    position: Numbers | None = None
    """The anchor, in world coordinates [m]. Default: [0.0, 0.0, 0.0]."""
    to_body: str | None = None
    """Name of the other rigid body."""
    to_collider: str | None = None
    """Name of the collider that it moves with."""


@dataclass(kw_only=True)
class Field(Table):
    """A field of directions: fibres run as the nearest of its points says. Points and vectors are in the coordinates
    of the body's shape, and are moved and turned with it.
    """

    file: Path
    """The file, relative to the scene: points with vectors (VTP, NPZ, PLY), or a grid with vectors at its points or
    in its cells (VTU).
    """
    array: str | None = None
    """Name of the array of vectors, whose lengths and signs do not matter; `normal` for the normals of a PLY file.
    Default: "fibers".
    """
    scale: float | None = None
    """Factor on the points. Default: 1.0."""


@dataclass(kw_only=True)
class Helix(Table):
    """An axis that fibres wind around, as in the wall of a heart or a gut. A wave travels along the axis."""

    axis: Numbers
    """Direction of the axis, of any length."""
    pitch: float | None = None
    """Angle from the circles around the axis towards it: 0 for rings [degrees]. Default: 0.0."""
    point: Numbers | None = None
    """A point of the axis, in world axes at the start [m]. Default: [0.0, 0.0, 0.0]."""


@dataclass(kw_only=True)
class ActivationKeyframe(Table):
    """See the scene reference."""

    activation: float
    """Activation."""
    t: float
    """Time, increasing from one keyframe to the next [s]."""


@dataclass(kw_only=True)
class Wave(Table):
    """Activation by a travelling wave, mean + amplitude sin(2 pi (frequency t - waves s) + phase), s going from 0 to
    1 along the muscle; what is below 0 or above 1 is cut off.
    """

    frequency: float
    """Frequency [Hz]."""
    amplitude: float | None = None
    """Amplitude. Default: 1.0."""
    mean: float | None = None
    """Mean of the activation. Default: 0.0."""
    phase: float | None = None
    """Phase at the start of the muscle and of the run [degrees]. Default: 0.0."""
    waves: float | None = None
    """Wavelengths along the muscle; negative for a wave that travels from its end to its start. Default: 1.0."""


@dataclass(kw_only=True)
class Muscle(Table):
    """Fibres in a body of `muscle` that are activated together. They run along `direction`, along the curve through
    `spline`, as a `helix` around an axis, from one of two `ends` to the other, or as a `field` in a file says. How
    they are activated is one of `activation`, `keyframes`, `wave`, `expression` and `driven`; without any they are
    passive, as tendons are.
    """

    body: str
    """Name of the body it is in."""
    name: str
    """Name, unique among muscles."""
    activation: float | None = None
    """Constant activation."""
    direction: Numbers | None = None
    """Direction of the fibres at the start in world axes, of any length."""
    driven: bool | None = None
    """Whether the activation is changed from outside while the run goes on, by a program that uses the library. It
    starts at `activation`, or at 0. Default: false.
    """
    ease: Literal["linear", "smooth"] | None = None
    """Interpolation between keyframes: at constant speed, or smoothly accelerated and decelerated. Default: "linear"."""
    ends: Sequence[Placed | Shape] | None = None
    """Two regions, in world axes at the start: the fibres run from the first to the second, around what is in their
    way, along the gradient of a potential without sources.
    """
    expression: str | None = None
    """Activation as a formula of the time `t` [s]: numbers, + - * / ^, parentheses, PI, and the functions sin, cos,
    tan, exp, ln, sqrt, abs, sign, floor and step, which is 1 from 0 on. A sign belongs to what it stands before: `-t
    ^ 2` is `(-t) ^ 2`. What is below 0 or above 1 is cut off.
    """
    field: Field | None = None
    """A field of directions: fibres run as the nearest of its points says. Points and vectors are in the coordinates
    of the body's shape, and are moved and turned with it.
    """
    helix: Helix | None = None
    """An axis that fibres wind around, as in the wall of a heart or a gut. A wave travels along the axis."""
    keyframes: Sequence[ActivationKeyframe] | None = None
    """Activation over time; constant before the first and after the last."""
    peak_stress: float | None = None
    """Stress with which fibres pull at full activation and their length at rest beside that; it falls to zero at
    lengths 40 % shorter and longer [Pa]. Default: 0.0.
    """
    position: Numbers | None = None
    """Position of the region's origin [m]. Default: [0.0, 0.0, 0.0]."""
    rotation: Numbers | None = None
    """Rotations about its own x, then y, then z axis [degrees]. Default: [0.0, 0.0, 0.0]."""
    shape: Shape | None = None
    """The region of the particles that belong to it at the start. If missing, the whole body. Where muscles overlap,
    the last one counts.
    """
    shortening: float | None = None
    """Part of their length by which fibres shorten at full activation where nothing resists. Held at their length,
    they pull with this times `stiffness`. Default: 0.3.
    """
    spline: Sequence[Numbers] | None = None
    """Points of a smooth curve, in world axes at the start: the fibres run as it does where it is nearest [m]."""
    stiffness: float | None = None
    """Stiffness of the fibres along themselves: small strains along them add this to Young's modulus [Pa]. Default:
    0.0.
    """
    wave: Wave | None = None
    """Activation by a travelling wave, mean + amplitude sin(2 pi (frequency t - waves s) + phase), s going from 0 to
    1 along the muscle; what is below 0 or above 1 is cut off.
    """


@dataclass(kw_only=True)
class Output(Table):
    """What a run leaves beside its tables and its report."""

    aperture: float | None = None
    """Depth of field: the diameter of the lens. What is as far away as the camera's `target` is sharp [m]. Default:
    0.0.
    """
    checkpoint_every: int | None = None
    """Frames between two checkpoints [frames]. Default: 24."""
    color_by: (
        Literal[
            "body",
            "material",
            "speed",
            "density",
            "det_F",
            "stress_von_mises",
            "activation",
            "fiber_stretch",
            "fragment",
        ]
        | None
    ) = None
    """What colours the particles in pictures. Default: "body"."""
    environment: str | None = None
    """An environment map (HDRI, equirectangular) that lights the pictures, in place of a lamp and an even sky: a
    Radiance file (`.hdr`). Its brightest spot throws shadows. It is made as bright as level ground is without it.
    """
    environment_strength: float | None = None
    """Factor on the brightness of the environment. Default: 1.0."""
    environment_turn: float | None = None
    """How far the environment is turned about the vertical, to the left. At 0 its middle is towards -z, or y where z
    points up [degrees]. Default: 0.0.
    """
    film: Literal["automatic", "mp4", "apng", "gif", "none"] | None = None
    """What the pictures are put together to: an mp4, for which the program `ffmpeg` is needed, an animated PNG, a
    GIF, or an mp4 if that program is there and otherwise an animated PNG. Default: "automatic".
    """
    particles: Sequence[Literal["vtk", "ply", "npz", "bgeo", "bgeo-classic", "usd"]] | None = None
    """Formats of the particle files. Default: ["vtk"]."""
    preview: bool | None = None
    """Whether pictures and a film are made. Default: true."""
    samples: int | None = None
    """Sharp pictures of which one with `shutter` or `aperture` is made. Default: 16."""
    shows_environment: bool | None = None
    """Whether the environment is seen behind the scene; if not, it only lights it and is mirrored. Default: true."""
    shutter: float | None = None
    """Motion blur: the share of the time between two frames for which the shutter is open; 0.5 as in most films.
    Default: 0.0.
    """
    size: Numbers | None = None
    """Columns and rows of the pictures, whole numbers; most players of films need even ones. If missing, 1280 and 720
    [pixels].
    """
    surface: Sequence[Literal["vtk", "ply", "npz", "bgeo", "usd"]] | None = None
    """Formats of the files of `[[surface]]`; without such a table there are none. Default: ["ply"]."""


@dataclass(kw_only=True)
class Bounds(Table):
    """Bounds of the world. If missing, it is unbounded."""

    max: Numbers
    """Greatest corner [m]."""
    min: Numbers
    """Least corner [m]."""
    on_exit: Literal["remove", "stop"] | None = None
    """Action when a particle leaves: it is removed, or the run stops. Default: "remove"."""


@dataclass(kw_only=True)
class SceneSettings(Table):
    """What is simulated, for how long, and where."""

    duration: float
    """Simulated time [s]."""
    bounds: Bounds | None = None
    """Bounds of the world. If missing, it is unbounded."""
    frame_rate: float | None = None
    """Frames per second of the output [1/s]. Default: 24.0."""
    gravity: Numbers | None = None
    """Acceleration of free fall. If missing, 9.81 downwards along `up` [m/s2]."""
    seed: int | None = None
    """Seed of all random numbers. Default: 1."""
    source: str | None = None
    """Source of the case."""
    title: str | None = None
    """Title of the report and the film. Default: ""."""
    up: Literal["y", "z"] | None = None
    """The axis that points up: sets the default gravity and camera, and how the meshes of files stand that say
    themselves which axis is up (glTF, USD). Default: "y".
    """


@dataclass(kw_only=True)
class FluidSettings(Table):
    """Settings of the method `fluid`."""

    minimum_distance: float | None = None
    """Least distance of two particles of a fluid, which prevents clumping where pressure does not. 0 switches it off
    [spacings]. Default: 0.7.
    """
    vorticity_confinement: float | None = None
    """Vorticity confinement: rate at which vortices are amplified; a few 1/s are visible. Not physical: momentum is
    not conserved. 0 switches it off [1/s]. Default: 0.0.
    """


@dataclass(kw_only=True)
class MuscleSettings(Table):
    """Settings of the method `muscle`."""

    density_tolerance: float | None = None
    """Mean error of the density over that at rest that a substep may leave, with `incompressibility = "density"`; one
    shorter than four of the longest explicit steps leaves less, in proportion. Default: 0.001.
    """
    hourglass: float | None = None
    """Hourglass control of zero-energy modes, a part of the shear modulus. 0 switches it off. Default: 0.1."""
    incompressibility: Literal["velocity", "density", "none"] | None = None
    """What keeps the volume of flesh: velocities that make det F one at the end of each substep; pressure that keeps
    densities from exceeding those at rest (DFSPH), of all bodies of flesh together where they touch; or nothing but
    the law of the material. Default: "velocity".
    """
    integration: Literal["automatic", "explicit", "implicit"] | None = None
    """Integration of the stress: explicit, in steps in which waves cross less than 0.4 spacings; implicit, in longer
    ones; or what costs less, which `pliant check` says. Default: "automatic".
    """
    retardation_time: float | None = None
    """Viscosity of flesh over its shear modulus: the time in which it follows a force. Without any it rings until
    steps have damped that, longer ones sooner. Explicit steps are the shorter, the longer it is [s]. Default: 0.0.
    """
    tolerance: float | None = None
    """Residual of the implicit system over its right side at which its solution ends. Default: 0.001."""
    volume_steps: float | None = None
    """Most iterations for the volume in a substep: steps of conjugate gradients, or of Jacobi's method for each of
    the two pressures that densities need. Default: 20.0.
    """
    volume_tolerance: float | None = None
    """Root mean square of det F - 1 that a substep may leave. Default: 0.001."""


@dataclass(kw_only=True)
class ShapeGroupsSettings(Table):
    """Settings of the method `shape-groups`."""

    damping: float | None = None
    """Damping of what is not a rigid motion of a group [1/s]. Default: 0.0."""
    filter: Literal["compliant", "full"] | None = None
    """What holds the particles of a group where its deformation has them: a stiffness, or their places as published,
    which makes bending stiffer the shorter the step is. Default: "compliant".
    """
    filter_stiffness: float | None = None
    """Stiffness of the compliant filter over that of the bending modes of a hexahedron. Default: 1.0."""
    solve: Literal["automatic", "block", "stress", "energy", "sequential"] | None = None
    """What is projected: `block` solves the two constraints of the law `polynomial-neo-hookean` together, `stress`
    gives what is missing of the stress, for any law, `energy` takes one constraint, the root of twice the energy,
    which gains energy near incompressibility, `sequential` solves the two one after the other, as published, which
    does not stay at rest. `automatic` is `block` for that law in steps in which a wave crosses at most a quarter of a
    spacing, or 0.7 with one sweep, and `stress` else. Default: "automatic".
    """


@dataclass(kw_only=True)
class SpringsSettings(Table):
    """Settings of the method `springs`."""

    cg_iterations: int | None = None
    """Fixed number of conjugate-gradient iterations in a substep, as in papers: a few leave springs too long and too
    slow. 0: as many as `tolerance` needs. Default: 0.
    """
    clamp_jacobian: bool | None = None
    """Whether negative parts of the Jacobian of a compressed spring are left out. If not, compressed springs may be
    unstable. Default: true.
    """
    jacobian_damping: float | None = None
    """Part of the coefficients b and d of the cubic force left out of the Jacobian, published as a damping: 0.01
    already suppresses most motion, and it grows with the inverse square of a1 - 1. Default: 0.0.
    """
    keep_angular_momentum: bool | None = None
    """Whether free bodies get back the angular momentum lost by the linearisation. Default: true."""
    tolerance: float | None = None
    """Relative residual at which the system of a substep is solved. Default: 0.001."""


@dataclass(kw_only=True)
class StrainEnergySettings(Table):
    """Settings of the method `strain-energy`."""

    constraint: Literal["consistent", "energy"] | None = None
    """What is projected: the stress of each particle, so that impulses are those of the stress at the end of a
    substep, consistent with the energy of the material, or the energy as a constraint as published, whose stiffness
    depends on step, sweeps and particle size. Default: "consistent".
    """
    hourglass: float | None = None
    """Hourglass control of zero-energy modes, a part of Young's modulus; at least 0.3 while parts of a body are
    collapsed. 0 switches it off. Default: 0.3.
    """


@dataclass(kw_only=True)
class XpbiSettings(Table):
    """Settings of the method `xpbi`."""

    correction: Literal["distance", "density", "none"] | None = None
    """Correction of irregular particle distributions: pairs keep a minimum distance, the density is bounded, or none.
    Default: "distance".
    """
    gradient_precision: Literal["auto", "full", "half"] | None = None
    """Precision of the stored kernel gradients: half precision needs less memory and is faster; `auto` takes it for
    grains, whose results do not change, and full precision for all else. Default: "auto".
    """
    jacobi_relaxation: float | None = None
    """Factor on each update of the ordering `jacobi`. Default: 0.2."""
    maximum_density: float | None = None
    """Greatest density, as a multiple of that of a regular packing at rest, for correction by density. Irregular
    particles exceed 1: up to 1.23 with Poisson sampling. Default: 1.25.
    """
    minimum_distance: float | None = None
    """Least distance of two particles, for correction by distance [spacings]. Default: 0.75."""
    multiplier: Literal["tensor", "scalar"] | None = None
    """Multiplier of a constraint: a stress tensor, or the scalar of the published method, which does not converge to
    implicit Euler. Default: "tensor".
    """
    plasticity: Literal["implicit", "semi-implicit"] | None = None
    """Whether stress is admissible in every projection or only after the step. Default: "implicit"."""
    warm_start: bool | None = None
    """Warm start: whether the stress at the start of a substep is applied before its first sweep. Without it a few
    sweeps leave a body too soft. The scalar multiplier has no warm start. Default: true.
    """


@dataclass(kw_only=True)
class Solver(Table):
    """How the equations are solved. The defaults suit most scenes."""

    _keys: ClassVar[Mapping[str, str]] = {"shape_groups": "shape-groups", "strain_energy": "strain-energy"}

    allow_unresolved: bool | None = None
    """Accepts a substep that the sweeps do not resolve: results are then softer than the material, and particles may
    be ejected. Default: false.
    """
    backend: Literal["auto", "cpu", "gpu"] | None = None
    """Backend. There is none for GPUs yet. Default: "auto"."""
    damping: float | None = None
    """The rate at which all velocities decay [1/s]. Default: 0.0."""
    fluid: FluidSettings | None = None
    """Settings of the method `fluid`."""
    iterations: int | None = None
    """Number of sweeps in a substep. Default: 4."""
    muscle: MuscleSettings | None = None
    """Settings of the method `muscle`."""
    ordering: Literal["gauss-seidel", "jacobi"] | None = None
    """Whether a projection uses the results of earlier ones, or the state before the sweep. Default: "gauss-seidel"."""
    push_out_speed: float | None = None
    """Greatest speed at which overlaps are corrected. If missing, 0.15 sqrt(g spacing) [m/s]."""
    shape_groups: ShapeGroupsSettings | None = None
    """Settings of the method `shape-groups`."""
    springs: SpringsSettings | None = None
    """Settings of the method `springs`."""
    stop_when_still: float | None = None
    """The run ends when no particle is faster; 0: never [m/s]. Default: 0.0."""
    strain_energy: StrainEnergySettings | None = None
    """Settings of the method `strain-energy`."""
    time_step: float | None = None
    """The largest substep; a frame is divided into equal substeps. If missing, chosen from the materials and the
    speeds [s].
    """
    xpbi: XpbiSettings | None = None
    """Settings of the method `xpbi`."""
    xsph_rate: float | None = None
    """XSPH viscosity: the rate at which velocities are smoothed over neighbours. 0 switches it off [1/s]. Default:
    10.0.
    """


@dataclass(kw_only=True)
class Surface(Table):
    """The surface around the particles of bodies that have none of their own, written with each frame to `mesh/` in
    the formats of `output.surface`. A particle belongs to the first that names it.
    """

    body: str | None = None
    """The body whose particles it is around. Without `body` and `material`, of all bodies that are shown as
    particles.
    """
    cube_size: float | None = None
    """Edge of the cubes of marching cubes; half of it makes four times as many triangles [spacings]. Default: 0.5."""
    material: str | None = None
    """The material of the particles that it is around, in place of `body`."""
    smoothing: int | None = None
    """Passes of smoothing, which keeps the volume; 0 leaves the surface as it comes from the cubes [passes]. Default:
    10.
    """


@dataclass(kw_only=True)
class Scene(Table):
    """A scene: what a scene file holds."""

    attach: Sequence[Attach] | None = None
    """Attaches the particles of a body that lie inside a region at the start, or the nearest to a point: to the
    world, or, by one of the keys `to_collider`, `to_body`, `force` and `traction`, to a collider, to another body, or
    to a load.
    """
    body: Sequence[Body] | None = None
    """Bodies of particles. Bodies of one method with the same support radius form one continuum."""
    camera: Sequence[Camera] | None = None
    """Where pictures are taken from. A sensible one is computed when there is none."""
    collider: Sequence[Collider] | None = None
    """Obstacles with prescribed motion."""
    cut: Sequence[Cut] | None = None
    """A blade that cuts bodies of `strain-energy`. It cuts the bonds that it crosses when it appears, and from then
    on those that its advancing rim sweeps; its faces and its back cut nothing. It exerts no force: for that, add a
    collider.
    """
    detail: Mapping[str, Mapping[str, Any]] | None = None
    """Levels of detail: values that replace others when a run asks for the level."""
    emitter: Sequence[Emitter] | None = None
    """What adds particles to a body during the run."""
    expect: Sequence[Expect] | None = None
    """What the case must show; `pliant test` checks it."""
    force: Sequence[Force] | None = None
    """What accelerates particles beside gravity. Forces act one after the other, in the order of the file."""
    include: Sequence[Path] | None = None
    """Scene files that this one is laid over, key by key."""
    joint: Sequence[Joint] | None = None
    """Joins a body of `rigid` to another, to a collider, or, with neither of the keys `to_body` and `to_collider`, to
    the world, in their relative pose at the start.
    """
    material: Mapping[str, Material] | None = None
    """Materials by their names."""
    muscle: Sequence[Muscle] | None = None
    """Fibres in a body of `muscle` that are activated together. They run along `direction`, along the curve through
    `spline`, as a `helix` around an axis, from one of two `ends` to the other, or as a `field` in a file says. How
    they are activated is one of `activation`, `keyframes`, `wave`, `expression` and `driven`; without any they are
    passive, as tendons are.
    """
    output: Output | None = None
    """What a run leaves beside its tables and its report."""
    probe: Sequence[Probe] | None = None
    """What is measured in each frame and written to `probes.csv`, in columns `<name>.<quantity>`."""
    scene: SceneSettings | None = None
    """What is simulated, for how long, and where."""
    solver: Solver | None = None
    """How the equations are solved. The defaults suit most scenes."""
    surface: Sequence[Surface] | None = None
    """The surface around the particles of bodies that have none of their own, written with each frame to `mesh/` in
    the formats of `output.surface`. A particle belongs to the first that names it.
    """


__all__ = [
    "ActivationKeyframe",
    "Attach",
    "Body",
    "Bounds",
    "Camera",
    "CameraKeyframe",
    "Collider",
    "Cut",
    "Emitter",
    "Expect",
    "Field",
    "FluidSettings",
    "Force",
    "forces",
    "Helix",
    "Joint",
    "Material",
    "materials",
    "Motion",
    "Motor",
    "Muscle",
    "MuscleSettings",
    "Output",
    "PoseKeyframe",
    "Probe",
    "probes",
    "Scene",
    "SceneSettings",
    "Shape",
    "ShapeGroupsSettings",
    "shapes",
    "Solver",
    "SpringsSettings",
    "StrainEnergySettings",
    "StrengthKeyframe",
    "Surface",
    "Wave",
    "XpbiSettings",
]

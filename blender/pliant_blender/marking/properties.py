"""What objects and scenes of a .blend file say about a simulation."""

from collections.abc import Iterator

import bpy

from ..command.program import Vocabulary, vocabulary
from ..preferences import program
from ..playback.properties import MAY_BE_RELATIVE
from ..problem import Problem

#: A material without a preset that the program knows as a law.
RIGID = "rigid"

_ROLES = [
    ("NONE", "Nothing", "It takes no part"),
    ("BODY", "Body", "Filled with a material that deforms, or rigid"),
    ("COLLIDER", "Collider", "An obstacle that moves as its animation says"),
    ("EMITTER", "Emitter", "Adds particles inside of it during the run"),
    ("PIN", "Pin", "Holds the particles of a body that lie inside of it at the start, and takes them along"),
]
_KINDS = [
    ("solid", "Solid", "Nothing gets into it; its mesh must be closed"),
    ("shell", "Shell", "Nothing passes its surface from either side; its mesh may be open"),
    ("plane", "Plane", "An endless plane through its origin, whose upper side is that of its own z axis"),
]
_REPAIRS = [
    ("none", "None", "The mesh must be closed"),
    ("fill-holes", "Fill holes", "Faces across its holes; faces that look the wrong way are turned"),
    ("winding", "Winding", "A new surface around parts that cross or leave gaps, most faces looking outwards"),
    ("voxels", "Voxels", "A new surface around what cannot be reached from outside, however faces look"),
]


def _words() -> Vocabulary:
    try:
        return vocabulary(program())
    except Problem:
        return Vocabulary((), ())


def _presets(_mark: bpy.types.PropertyGroup, _context: bpy.types.Context, text: str) -> Iterator[str]:
    return (name for name in (*_words().presets, RIGID) if text.lower() in name)


def _methods(_mark: bpy.types.PropertyGroup, _context: bpy.types.Context, text: str) -> Iterator[str]:
    return (name for name in _words().methods if text.lower() in name)


def _is_body(_mark: bpy.types.PropertyGroup, thing: bpy.types.Object) -> bool:
    return thing.pliant.role in {"BODY", "EMITTER"}


class ObjectMark(bpy.types.PropertyGroup):
    """What an object is in the simulation. Lengths and speeds are in units of the scene."""

    role: bpy.props.EnumProperty(name="Role", items=_ROLES, description="What the object is in the simulation")
    preset: bpy.props.StringProperty(
        name="Material",
        description="A preset of Pliant, such as dry-sand, water or rubber; or rigid",
        default="dry-sand",
        search=_presets,
    )
    material_values: bpy.props.StringProperty(
        name="Material values",
        description="What differs from the preset: friction_angle = 25.0, density = 1500.0. "
        "The scene reference lists all keys",
    )
    spacing: bpy.props.FloatProperty(
        name="Spacing",
        description="Distance of neighbouring particles: half of it is eight times as many",
        default=0.05,
        min=1e-6,
        precision=4,
        step=0.1,
        subtype="DISTANCE",
    )
    velocity: bpy.props.FloatVectorProperty(
        name="Velocity", description="At the start, or of new particles", subtype="VELOCITY", unit="VELOCITY"
    )
    method: bpy.props.StringProperty(
        name="Method", description="Method of simulation. If empty, that of the material's law", search=_methods
    )
    carries_mesh: bpy.props.BoolProperty(
        name="Carry its mesh",
        description="Embed the mesh of the object in the body, to be shown in place of its particles. "
        "For rubber and other bodies of the methods strain-energy and shape-groups",
    )
    values: bpy.props.StringProperty(
        name="Further values",
        description="Further keys of its table in the scene file: restitution = 0.5, sampling = 'grid'",
    )
    kind: bpy.props.EnumProperty(name="Kind", items=_KINDS)
    repair: bpy.props.EnumProperty(
        name="Repair", items=_REPAIRS, description="What is done with a mesh that is not closed"
    )
    friction: bpy.props.FloatProperty(name="Friction", description="Coefficient of friction", default=0.5, min=0.0)
    body: bpy.props.PointerProperty(
        type=bpy.types.Object,
        name="Of body",
        description="The body that is fed or held. An emitter without one has a body of its own",
        poll=_is_body,
    )
    rate: bpy.props.FloatProperty(
        name="Rate", description="Particles a second; 0: as many as find room", default=0.0, min=0.0
    )
    is_limited: bpy.props.BoolProperty(name="Limit time", description="Whether emission begins and ends at frames")
    first_frame: bpy.props.IntProperty(name="From", description="Frame at which emission begins", default=1)
    last_frame: bpy.props.IntProperty(name="To", description="Frame at which emission ends", default=100)


class SceneMark(bpy.types.PropertyGroup):
    """Where a scene is written to and how it is run."""

    folder: bpy.props.StringProperty(
        name="Folder",
        description="Where the scene file, its meshes and the run are written; // is where the .blend file is",
        default="//pliant",
        subtype="DIR_PATH",
        options={"ANIMATABLE", *MAY_BE_RELATIVE},
    )
    threads: bpy.props.IntProperty(name="Threads", description="Threads of the simulation; 0: one a core", min=0)
    surfaces: bpy.props.BoolProperty(
        name="Surfaces", description="Make surfaces of water, sand, snow and goo when the run has ended"
    )


CLASSES = (ObjectMark, SceneMark)

"""Writes the dataclasses of scenes, `python/pliant/scene`, from the schema that the command prints.

usage: pliant schema > schema.json && python tools/python/scene_classes.py schema.json python/pliant/scene

The files are formatted with ruff, which has to be installed (`pip install ".[test]"`).
"""

from __future__ import annotations

import json
import keyword
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

Schema = dict[str, Any]

#: Names of tables inside tables, by the table around them and the key.
NESTED = {
    ("attach", "keyframes"): "StrengthKeyframe",
    ("force", "keyframes"): "StrengthKeyframe",
    ("muscle", "keyframes"): "ActivationKeyframe",
    ("motion", "keyframes"): "PoseKeyframe",
    ("camera", "keyframes"): "CameraKeyframe",
    ("scene", "bounds"): "Bounds",
}

#: Names of tables at the top that would be those of something else.
TOP = {"scene": "SceneSettings", "emitter": "Emitter"}

TAGS = ("law", "measure", "kind")

WIDTH = 118


def camel(key: str) -> str:
    return "".join(part.capitalize() for part in key.replace("_", "-").split("-"))


def attribute(key: str) -> str:
    name = key.replace("-", "_")
    return f"{name}_" if keyword.iskeyword(name) else name


class Module:
    """A file of dataclasses."""

    def __init__(self, title: str, prefix: str = "") -> None:
        self.title = title
        self.prefix = prefix
        self.classes: dict[str, str] = {}
        self.unions: list[str] = []

    def text(self, imports: str) -> str:
        body = "\n\n".join([*self.classes.values(), *self.unions])
        head = '"""' + self.title + '\n\nWritten by `tools/python/scene_classes.py` from the schema of scenes.\n"""\n\n'
        return head + "from __future__ import annotations\n\n" + imports + "\n\n" + body + "\n"


class Writer:
    """Collects the classes of a schema."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.shapes = Module("Shapes: of bodies, colliders, regions, emitters.")
        self.materials = Module("Materials: a class for each law, and `Preset`.")
        self.probes = Module("Probes: what is measured in each frame.")
        self.forces = Module("What accelerates particles beside gravity.")
        self.tables = Module("Scenes as dataclasses: `Scene` and its tables.\n\n" + ABOUT)

    def write(self) -> dict[str, str]:
        """The text of each file by its name."""
        self.write_shapes()
        self.write_variants(self.forces, self.schema["properties"]["force"]["items"], "force", "Force")
        self.write_variants(self.probes, self.schema["properties"]["probe"]["items"], "probe", "Probe")
        laws, preset = self.schema["properties"]["material"]["additionalProperties"]["anyOf"]
        self.write_variants(self.materials, laws, "material", "Law")
        preset = {**preset, "description": "A preset, any of whose values may be replaced."}
        self.add(self.materials, "Preset", preset, "material")
        self.materials.unions.append("#: Any material.\nMaterial = Union[Law, Preset]")
        self.write_tables()
        common = "from collections.abc import Mapping, Sequence\nfrom dataclasses import dataclass, field\n"
        common += "from typing import Any, ClassVar, Literal, Union\n\n"
        from_table = "from pliant._table import Numbers, Path, Table\n"
        of_shapes = "from pliant.scene.shapes import Placed, Shape\n"
        keyframe = "from pliant.scene.shapes import StrengthKeyframe\n"
        tables = common + "from pliant.scene import forces, materials, probes, shapes\n" + from_table
        tables += "from pliant.scene.forces import Force\nfrom pliant.scene.materials import Material\n"
        tables += "from pliant.scene.probes import Probe\n" + of_shapes
        return {
            "shapes.py": self.shapes.text(common + from_table),
            "forces.py": self.forces.text(common + from_table + of_shapes + keyframe),
            "probes.py": self.probes.text(common + from_table + of_shapes),
            "materials.py": self.materials.text(common + from_table),
            "__init__.py": self.tables.text(tables + keyframe) + f"\n\n__all__ = {self.exported()!r}\n",
        }

    def exported(self) -> list[str]:
        names = [*self.tables.classes, "Force", "Material", "Probe", "Shape", "StrengthKeyframe"]
        return sorted([*names, "forces", "materials", "probes", "shapes"], key=str.lower)

    def write_shapes(self) -> None:
        keyframes = self.schema["properties"]["attach"]["items"]["properties"]["keyframes"]["items"]
        self.add(self.shapes, "StrengthKeyframe", keyframes, "attach")
        names = []
        for variant in self.schema["$defs"]["shape"]["oneOf"]:
            [key] = variant["required"]
            names.append(camel(key))
            self.add(self.shapes, camel(key), variant["properties"][key], key, under=key)
        self.shapes.classes["Placed"] = PLACED
        self.shapes.unions.append(f"#: Any shape.\nShape = Union[{', '.join(names)}]")

    def write_variants(self, module: Module, schema: Schema, around: str, union: str) -> None:
        names = []
        for variant in schema["oneOf"]:
            [tag] = [key for key in TAGS if "const" in variant["properties"].get(key, {})]
            const = variant["properties"][tag]
            names.append(camel(const["const"]))
            described = {**variant, "description": const["description"]}
            self.add(module, names[-1], described, around, tag=(tag, const["const"]))
        module.unions.append(f"#: Any of them.\n{union} = Union[{', '.join(names)}]")

    def write_tables(self) -> None:
        top = self.schema["properties"]
        lines = []
        for key, schema in top.items():
            kind, default, what = self.top_type(key, schema)
            lines.append(f"    {attribute(key)}: {kind} = {default}\n{docstring(what, 4)}")
        scene = "@dataclass(kw_only=True)\nclass Scene(Table):\n" + docstring("A scene: what a scene file holds.", 4)
        self.tables.classes["Scene"] = scene + "\n" + "\n".join(lines)

    def top_type(self, key: str, schema: Schema) -> tuple[str, str, str]:
        what = schema.get("description", "")
        if key == "material":
            return "Mapping[str, Material] | None", "None", "Materials by their names."
        if key in ("force", "probe"):
            return f"Sequence[{camel(key)}] | None", "None", what
        if key == "detail":
            return "Mapping[str, Mapping[str, Any]] | None", "None", what
        if key == "include":
            return "Sequence[Path] | None", "None", what
        name = TOP.get(key, camel(key))
        table = schema.get("items", schema)
        described = {**table, "description": table.get("description", what)}
        self.add(self.tables, name, described, key)
        kind = f"Sequence[{name}]" if "items" in schema else name
        return f"{kind} | None", "None", what

    def add(
        self,
        module: Module,
        name: str,
        schema: Schema,
        around: str,
        tag: tuple[str, str] | None = None,
        under: str | None = None,
    ) -> None:
        """Adds the class of a table, after those of tables in it."""
        required = set(schema.get("required", []))
        properties = {key: of for key, of in schema["properties"].items() if tag is None or key != tag[0]}
        lines, keys = [], {}
        for key in sorted(properties, key=lambda key: key not in required):
            of = properties[key]
            kind = self.type_of(module, of, around, key)
            text = re.sub(r"\. \[([^\]]+)\]$", r" [\1].", of.get("description", ""))
            if key in required:
                lines.append(f"    {attribute(key)}: {kind}\n{docstring(text, 4)}")
            else:
                if "default" in of:
                    text += f" Default: {json.dumps(of['default'])}."
                lines.append(f"    {attribute(key)}: {kind} | None = None\n{docstring(text, 4)}")
            if attribute(key) != key:
                keys[attribute(key)] = key
        head = f"@dataclass(kw_only=True)\nclass {name}(Table):\n{docstring(schema.get('description', ''), 4)}"
        for constant, value in (("_keys", keys), ("_tag", tag), ("_under", under)):
            if value:
                kinds = {"_keys": "Mapping[str, str]", "_tag": "tuple[str, str] | None", "_under": "str | None"}
                head += f"\n    {constant}: ClassVar[{kinds[constant]}] = {value!r}\n"
        module.classes[name] = head + "\n" + "\n".join(lines)

    def type_of(self, module: Module, schema: Schema, around: str, key: str) -> str:
        if "$ref" in schema:
            return "Placed | Shape" if schema["$ref"].endswith("placed-shape") else "Shape"
        if "enum" in schema:
            return "Literal[" + ", ".join(map(repr, schema["enum"])) + "]"
        if "anyOf" in schema:
            return " | ".join(self.type_of(module, of, around, key) for of in schema["anyOf"])
        kind = schema["type"]
        if kind == "array":
            return self.list_type(module, schema, around, key)
        if kind == "object":
            return self.nested_type(module, schema, around, key)
        if kind == "string":
            return "Path" if key in ("file", "files", "path") else "str"
        return {"number": "float", "integer": "int", "boolean": "bool"}[kind]

    def list_type(self, module: Module, schema: Schema, around: str, key: str) -> str:
        items = schema.get("items")
        if isinstance(items, dict) and items.get("type") in ("number", "integer"):
            return "Numbers"
        if not isinstance(items, dict):
            return "Sequence[Any]"
        return f"Sequence[{self.type_of(module, items, around, key)}]"

    def nested_type(self, module: Module, schema: Schema, around: str, key: str) -> str:
        if "properties" not in schema:
            return "Mapping[str, Any]"
        name = NESTED.get((around, key)) or (camel(key) + "Settings" if around == "solver" else camel(key))
        if name not in module.classes and not (name == "StrengthKeyframe"):
            self.add(module, name, schema, key)
        return name


ABOUT = """\
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
>>> sim = Simulation(scene)"""

PLACED = '''@dataclass(kw_only=True)
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
        return {**table.pop("shape"), **table}'''


def docstring(text: str, indent: int) -> str:
    """A docstring whose lines are not too long."""
    margin = " " * indent
    text = text.replace("\\", "\\\\").strip() or "See the scene reference."
    lines, line = [], margin + '"""'
    for word in text.split():
        if len(line) + len(word) + 1 > WIDTH:
            lines.append(line)
            line = margin + word
        else:
            line += word if line.endswith('"""') or line == margin else " " + word
    lines.append(line)
    closed = "\n".join(lines)
    return closed + ("\n" + margin if len(lines) > 1 else "") + '"""'


def texts(schema: Schema) -> dict[str, str]:
    """The formatted text of each file by its name."""
    return {name: formatted(text) for name, text in Writer(schema).write().items()}


def formatted(text: str) -> str:
    options = ["--no-cache", "--line-length", "120", "--stdin-filename", "scene.py", "-"]
    for arguments in (["check", "--quiet", "--fix", "--select", "F401,I001"], ["format", "--quiet"]):
        command = [sys.executable, "-m", "ruff", *arguments, *options]
        text = subprocess.run(command, input=text, capture_output=True, check=True, text=True).stdout
    return text


def main() -> None:
    schema, folder = sys.argv[1:]
    for name, text in texts(json.loads(Path(schema).read_text(encoding="utf-8"))).items():
        (Path(folder) / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

"""A stage of which values lie in clips, and where OpenUSD has them.

`python tools/readback/clips.py FOLDER` writes into the folder the samples `clips.txt`, all files of the stage in one, and
`clips.usdc`, the stage in the binary form, of `crates/pliant-io/src/mesh/usd`. `clips.txt` ends with the places of all
points at times as OpenUSD evaluates them.
"""

import random
import sys
from pathlib import Path

from pxr import Gf, Usd, UsdGeom
from stage import measured

__all__ = ["measured", "write"]

HEAD = '#usda 1.0\n(\n    {}metersPerUnit = 1\n    upAxis = "Y"\n    startTimeCode = 0\n    endTimeCode = 10\n)\n'
MESH = """    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    {points}
    {translate}
    uniform token[] xformOpOrder = ["xformOp:translate"]
"""
DECLARED = {"points": "point3f[] points", "translate": "double3 xformOp:translate"}
# Between, at and beyond keyframes.
TIMES = [-2, 0, 0.3, 1, 1.25, 1.5, 1.9, 2, 2.2, 2.75, 3, 3.4, 4, 4.6, 5, 5.5, 6, 7.1, 8, 9, 9.7, 10, 11, 14]


def write(folder):
    """Writes the stage in both forms with its clips; returns it and the paths of its files."""
    folder = Path(folder)
    for name, text in _files().items():
        (folder / name).write_text(text)
    stage = Usd.Stage.Open(str(folder / "clips.usda"))
    stage.GetRootLayer().Export(str(folder / "clips.usdc"))
    return stage, [folder / "clips.usda", folder / "clips.usdc"]


def evaluated(stage):
    """Lines with a time and the places of all points, in the order of the paths of their prims."""
    for time in TIMES:
        places = []
        for prim in sorted(stage.Traverse(), key=lambda prim: str(prim.GetPath())):
            if prim.GetTypeName() == "Mesh":
                matrix = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(time)
                points = UsdGeom.Mesh(prim).GetPointsAttr().Get(time)
                places += [c for p in points for c in matrix.Transform(Gf.Vec3d(p))]
        yield " ".join(f"{number:.9g}" for number in [time, *places])


def _prim(name, told, more="", points=DECLARED["points"], translate=DECLARED["translate"]):
    sets = "".join(f"            {line}\n" for line in told)
    clips = f"    clips = {{\n        dictionary default = {{\n{sets}        }}\n    }}\n" if told else ""
    body = MESH.format(points=points, translate=translate)
    return f'def Mesh "{name}" (\n{clips}{more})\n{{\n{body}}}\n'


def _clip(samples):
    """A clip with points and places at times, each of a seed number."""
    points, translate = [], []
    for time, seed in samples:
        points.append(f"{time}: [({seed}, 0, 0), ({seed + 1}, 0, {seed}), (0, {seed + 2}, 0)]")
        translate.append(f"{time}: (0, {10 * seed}, {-seed})")
    lines = [f"    point3f[] points.timeSamples = {{ {', '.join(points)} }}"] if points else []
    lines += [f"    double3 xformOp:translate.timeSamples = {{ {', '.join(translate)} }}"] if translate else []
    return '#usda 1.0\nover "m"\n{\n' + "\n".join(lines) + "\n}\n"


def _pairs(pairs):
    return "[" + ", ".join(f"({a}, {b})" for a, b in pairs) + "]"


def _assets(names):
    return "asset[] assetPaths = [" + ", ".join(f"@./{name}@" for name in names) + "]"


def _random(number, chance, files):
    """A set of clips with times, samples and gaps by chance."""
    names = []
    for k in range(chance.randint(1, 4)):
        names.append(f"r{number}_{k}.usda")
        times = sorted(chance.sample(range(-1, 11), chance.choice([0, 1, 2, 3, 4])))
        files[names[-1]] = _clip([(time, chance.randint(-20, 20)) for time in times])
    starts = sorted(chance.sample([0, 1, 1.5, 2, 3, 4.5, 5, 6, 8], chance.randint(1, 6)))
    active = [(start, chance.randrange(len(names))) for start in starts]
    told = [MANIFEST, PRIM, _assets(names), f"double2[] active = {_pairs(active)}"]
    if chance.random() < 0.5:
        # Without a default, between the clips that have values.
        files[names[0]] = _clip([(-1, 3), (0, -5)])
        told[0] = "bool interpolateMissingClipValues = 1"
        told[3] = f"double2[] active = {_pairs([(-1, 0), *active])}"
    # OpenUSD 26.11 jumps, between samples that it lists, where `times` bend in a clip without values that others fill.
    if MANIFEST in told and chance.random() < 0.7:
        knots = []
        for time in sorted(chance.sample([-1, 0, 1, 1.5, 2, 3, 4.5, 5, 7, 9], chance.randint(1, 6))):
            # Often a jump, of which an end may be a clip's.
            for _ in range(chance.choice([1, 1, 2])):
                knots.append((time, chance.choice([0, 1, 2, 2.5, 5, 10])))
        told.append(f"double2[] times = {_pairs(knots)}")
    if chance.random() < 0.3 and MANIFEST in told:
        told.append("bool interpolateMissingClipValues = 1")
    return _prim(f"random{number}", told)


MANIFEST = "asset manifestAssetPath = @./manifest.usda@"
PRIM = 'string primPath = "/m"'


def _files():
    chance = random.Random(7)
    values = {"points": "point3f[] points = [(7, 7, 7), (8, 7, 7), (7, 8, 7)]"}
    values["translate"] = "double3 xformOp:translate = (1, 2, 3)"
    manifest = f'#usda 1.0\nover "m"\n{{\n    {values["points"]}\n    {values["translate"]}\n}}\n'
    # What is uniform is none of the clips'.
    uniform = '#usda 1.0\nover "m"\n{\n    point3f[] points\n    uniform double3 xformOp:translate\n}\n'
    files = {"manifest.usda": manifest, "uniform.usda": uniform}
    for number in (1, 2, 3, 4):
        files[f"t.{number:03}.usda"] = _clip([(number, number * number)])
        files[f"h.{number // 2}.{number % 2 * 5}.usda"] = _clip([(number / 2, 3 * number)])
        around = [(number - 0.5, 10 * number - 2), (number, 10 * number), (number + 0.5, 10 * number + 3)]
        files[f"o.{number}.usda"] = _clip(around)

    def template(name, start, end, stride, *more):
        told = [f'string templateAssetPath = "./{name}"', f"double templateStartTime = {start}"]
        told += [f"double templateEndTime = {end}", f"double templateStride = {stride}"]
        return [MANIFEST, PRIM, *told, *more]

    prims = [_prim("template", template("t.###.usda", 1, 4, 1))]
    prims.append(_prim("halves", template("h.#.#.usda", 0.5, 2, 0.5)))
    for name, offset in (("earlier", -0.5), ("later", 0.25)):
        prims.append(_prim(name, template("o.#.usda", 1, 4, 1, f"double templateActiveOffset = {offset}")))
    prims.append(
        _prim("both", [*template("t.###.usda", 1, 4, 1), _assets(["o.2.usda"]), "double2[] active = [(0, 0)]"])
    )
    one = [PRIM, _assets(["o.1.usda"]), "double2[] active = [(0, 0)]", "double2[] times = [(0, 0), (10, 2)]"]
    prims.append(_prim("declared", one))
    prims.append(_prim("local", one, points=values["points"]))
    prims.append(_prim("uniform", ["asset manifestAssetPath = @./uniform.usda@", *one]))
    # Sets of which the names, or their order, tell which is stronger.
    other = [MANIFEST, PRIM, _assets(["o.3.usda"]), "double2[] active = [(0, 0)]"]
    two = "".join(
        f"        dictionary {name} = {{\n" + "".join(f"            {line}\n" for line in told) + "        }\n"
        for name, told in (("b", [MANIFEST, *one]), ("a", other))
    )
    for name, order in (
        ("named", ""),
        ("ordered", '    clipSets = ["b", "a"]\n'),
        ("put", '    prepend clipSets = ["b"]\n'),
        ("behind", '    append clipSets = ["a"]\n'),
        ("alone", '    delete clipSets = ["a"]\n'),
    ):
        prims.append(_prim(name, [], f"    clips = {{\n{two}    }}\n{order}"))
    # Over layers: clips are stronger than what is weaker than their layer, and times may be told elsewhere.
    files["weak.usda"] = HEAD.format("") + _prim("layered", [], **values)
    set_of = _prim("layered", [MANIFEST, *one]).replace("def Mesh", "over")
    files["middle.usda"] = HEAD.format("subLayers = [@./weak.usda@]\n    ") + set_of
    prims.append(
        'over "layered" (\n    clips = {\n        dictionary default = {\n'
        "            double2[] times = [(0, 2), (5, 0)]\n        }\n    }\n)\n{\n}\n"
    )
    files["model.usda"] = HEAD.format("") + _prim("model", template("t.###.usda", 1, 4, 1))
    prims.append('def "shifted" (\n    references = @./model.usda@</model> (offset = 2; scale = 1.5)\n)\n{\n}\n')
    files["cache.usda"] = HEAD.format("") + _prim("cache", [MANIFEST, *one])
    prims.append(
        'def "slower" (\n    references = @./cache.usda@</cache> (offset = 1; scale = 0.5)\n'
        "    clips = {\n        dictionary default = {\n            double2[] times = [(0, 2), (6, 0.5)]\n"
        "        }\n    }\n)\n{\n}\n"
    )
    # Clips of the prims below one, in a variant.
    below = _clip([(0, 1), (10, 6)]).replace('over "m"\n{', 'over "all"\n{\nover "part"\n{') + "}\n"
    files["below.usda"] = below
    told = ['string primPath = "/all"', _assets(["below.usda"]), "double2[] active = [(0, 0)]"]
    inner = "".join(f"            {line}\n" for line in told)
    prims.append(
        'def Xform "chosen" (\n    variants = { string kind = "moving" }\n    prepend variantSets = "kind"\n)\n{\n'
        'variantSet "kind" = {\n"moving" (\n    clips = {\n        dictionary default = {\n'
        f'{inner}        }}\n    }}\n) {{\n{_prim("part", [])}}}\n"still" {{\n}}\n}}\n}}\n'
    )
    prims += [_random(number, chance, files) for number in range(60)]
    files["clips.usda"] = HEAD.format("subLayers = [@./middle.usda@]\n    ") + "".join(prims)
    return files


def main(folder):
    """Writes the samples."""
    stage, _ = write(folder)
    parts = [f"==== {name}\n{text}" for name, text in _files().items()]
    parts.append("==== evaluated\n" + "".join(f"{line}\n" for line in evaluated(stage)))
    (Path(folder) / "clips.txt").write_text("".join(parts))


if __name__ == "__main__":
    main(sys.argv[1])

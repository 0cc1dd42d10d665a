"""A stage with much of what meshes of USD may have, and where OpenUSD has them.

The samples of `crates/pliant-io/src/mesh/usd` are written by `python tools/readback/stage.py FOLDER`.
"""

import sys
from pathlib import Path

import numpy as np
from pxr import Gf, Sdf, Usd, UsdGeom, UsdUtils, Vt

CORNERS = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
FACES = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]


def write(folder):
    """Writes the stage in all forms; returns it and the paths of its files."""
    folder = Path(folder)
    stage = Usd.Stage.CreateNew(str(folder / "stage.usda"))
    _fill(stage)
    stage.GetRootLayer().Save()
    paths = [folder / f"stage.{form}" for form in ("usda", "usdc", "usd", "usdz")]
    stage.GetRootLayer().Export(str(paths[1]))
    stage.GetRootLayer().Export(str(paths[2]))
    UsdUtils.CreateNewUsdzPackage(str(paths[1]), str(paths[3]))
    return stage, paths


def measured(stage, code):
    """Number of triangles, extent and volume of what is shown at a time code, in metres, y upwards."""
    triangles, volume, points = 0, 0.0, []
    unit = UsdGeom.GetStageMetersPerUnit(stage)
    for prim in Usd.PrimRange(stage.GetPseudoRoot(), Usd.TraverseInstanceProxies()):
        image = UsdGeom.Imageable(prim)
        if prim.GetTypeName() != "Mesh" or image.ComputeVisibility() == UsdGeom.Tokens.invisible:
            continue
        if image.ComputePurpose() in (UsdGeom.Tokens.proxy, UsdGeom.Tokens.guide):
            continue
        mesh = UsdGeom.Mesh(prim)
        matrix = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(code)
        placed = np.array([matrix.Transform(Gf.Vec3d(point)) for point in mesh.GetPointsAttr().Get(code)]) * unit
        if UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.z:
            placed = placed[:, [0, 2, 1]] * [1, 1, -1]
        points.append(placed)
        is_left_handed = mesh.GetOrientationAttr().Get(code) == UsdGeom.Tokens.leftHanded
        is_mirrored = np.linalg.det(np.array(matrix)[:3, :3]) < 0
        sign = -1 if is_left_handed != is_mirrored else 1
        corners = iter(mesh.GetFaceVertexIndicesAttr().Get(code))
        for count in mesh.GetFaceVertexCountsAttr().Get(code):
            face = [next(corners) for _ in range(count)]
            for second, third in zip(face[1:], face[2:]):
                triangles += 1
                volume += sign * np.linalg.det(placed[[face[0], second, third]]) / 6
    points = np.concatenate(points)
    return triangles, np.ptp(points, axis=0), volume


def _box(stage, path, size, left=False):
    prim = UsdGeom.Mesh.Define(stage, path)
    prim.CreatePointsAttr([Gf.Vec3f(*(c * s for c, s in zip(p, size))) for p in CORNERS])
    prim.CreateFaceVertexCountsAttr([4] * 6)
    indices = [i for face in FACES for i in (reversed(face) if left else face)]
    prim.CreateFaceVertexIndicesAttr(indices)
    if left:
        prim.CreateOrientationAttr(UsdGeom.Tokens.leftHanded)
    prim.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    return prim


def _fill(stage):
    UsdGeom.SetStageMetersPerUnit(stage, 0.5)
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    stage.SetTimeCodesPerSecond(10)
    stage.SetStartTimeCode(0)
    stage.SetEndTimeCode(5)
    world = UsdGeom.Xform.Define(stage, "/World")
    stage.SetDefaultPrim(world.GetPrim())
    world.AddTranslateOp().Set(Gf.Vec3d(1, 2, 3))
    # A lever about a pivot, which turns by a quarter from 0 to 5.
    lever = UsdGeom.Xform.Define(stage, "/World/lever")
    lever.AddTranslateOp(opSuffix="pivot").Set(Gf.Vec3d(0.5, 0, 0))
    turn = lever.AddRotateXYZOp()
    turn.Set(Gf.Vec3f(0, 0, 0), 0)
    turn.Set(Gf.Vec3f(0, 0, 90), 5)
    lever.AddTranslateOp(opSuffix="pivot", isInverseOp=True)
    _box(stage, "/World/lever/bar", (2, 0.5, 0.25))
    # Turned by a quaternion and by a matrix, mirrored, left handed.
    turned = _box(stage, "/World/turned", (1, 1, 2), left=True)
    turned.AddTranslateOp().Set(Gf.Vec3d(5, 0, 0))
    turned.AddOrientOp().Set(Gf.Quatf(0.8, 0.6, 0, 0))
    turned.AddScaleOp().Set(Gf.Vec3f(-1, 1, 1.5))
    placed = _box(stage, "/World/placed", (1, 1, 1))
    placed.AddTransformOp().Set(Gf.Matrix4d(0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 2, 0, 0, 7, 0, 1))
    # Points that move.
    wave = _box(stage, "/World/wave", (1, 1, 1))
    wave.AddTranslateOp().Set(Gf.Vec3d(0, -4, 0))
    points = wave.GetPointsAttr()
    still = points.Get()
    points.Clear()
    for code in (0, 2, 5):
        points.Set(Vt.Vec3fArray([p + Gf.Vec3f(0, 0, 0.25 * code * p[0]) for p in still]), code)
    # Not shown.
    _box(stage, "/World/hidden", (9, 9, 9)).MakeInvisible()
    _box(stage, "/World/proxy", (9, 9, 9)).CreatePurposeAttr(UsdGeom.Tokens.proxy)
    _box(stage, "/World/off", (9, 9, 9)).GetPrim().SetActive(False)
    # A class, a prototype that is taken twice, and variants.
    block = stage.CreateClassPrim("/_block")
    _box(stage, "/_block/shape", (0.5, 0.5, 0.5))
    stage.GetPrimAtPath("/_block").SetTypeName("Xform")
    for number in range(2):
        copy = UsdGeom.Xform.Define(stage, f"/World/copy{number}")
        copy.GetPrim().GetReferences().AddInternalReference("/_block")
        copy.GetPrim().SetInstanceable(True)
        copy.AddTranslateOp().Set(Gf.Vec3d(-3 - 2 * number, 0, 0))
    child = UsdGeom.Xform.Define(stage, "/World/heir")
    child.GetPrim().GetInherits().AddInherit("/_block")
    child.AddTranslateOp().Set(Gf.Vec3d(0, 12, 0))
    choice = UsdGeom.Xform.Define(stage, "/World/choice")
    sets = choice.GetPrim().GetVariantSets().AddVariantSet("size")
    for name, size in (("small", 0.25), ("large", 3)):
        sets.AddVariant(name)
        sets.SetVariantSelection(name)
        with sets.GetVariantEditContext():
            _box(stage, "/World/choice/shape", (size, size, size))
    sets.SetVariantSelection("small")
    choice.AddTranslateOp().Set(Gf.Vec3d(0, 0, 20))
    # What is not read.
    UsdGeom.Sphere.Define(stage, "/World/ball")
    extra = placed.GetPrim()
    extra.SetCustomDataByKey("note", {"a": 1, "b": "text; with (brackets"})
    widths = UsdGeom.PrimvarsAPI(placed).CreatePrimvar("weight", Sdf.ValueTypeNames.FloatArray)
    widths.Set([0.5] * 20)


if __name__ == "__main__":
    write(sys.argv[1])

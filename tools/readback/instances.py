"""A stage of point instancers and native instances, and where OpenUSD has them.

The samples `instances.usda` and `instances.usdc` of `crates/pliant-io/src/mesh/usd` are written by
`python tools/readback/instances.py FOLDER`, which prints what its tests compare with.
"""

import sys
from pathlib import Path

from pxr import Gf, Usd, UsdGeom

TEXT = """#usda 1.0
(
    metersPerUnit = 0.5
    upAxis = "Z"
    startTimeCode = 0
    endTimeCode = 4
)

class Mesh "Corner"
{
    int[] faceVertexCounts = [3, 3, 3, 3]
    int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3)]
    texCoord2f[] primvars:st = [(0.25, 0), (0.5, 0), (0.75, 0), (1, 0)] (
        interpolation = "uniform"
    )
}

def Xform "Model"
{
    def PointInstancer "Few"
    {
        point3f[] positions = [(0, 0, 0), (0, 4, 0)]
        int[] protoIndices = [0, 0]
        rel prototypes = </Model/Few/One>

        over "One"
        {
            def Mesh "shape" (
                inherits = </Corner>
            )
            {
                double3 xformOp:translate = (0, 0, 1)
                uniform token[] xformOpOrder = ["xformOp:translate"]
            }
        }
    }
}

def Xform "World"
{
    double3 xformOp:translate = (10, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]

    def Xform "Copy" (
        instanceable = true
        references = </Model>
    )
    {
        double3 xformOp:translate = (0, 0, 20)
        uniform token[] xformOpOrder = ["xformOp:translate"]

        over "Few"
        {
            int[] protoIndices = []
            point3f[] positions = []
        }
    }

    def PointInstancer "Many" (
        inactiveIds = [14]
    )
    {
        int64[] ids = [10, 11, 12, 13, 14]
        int64[] invisibleIds = [12]
        quath[] orientations = [(1, 0, 0, 0), (0.5, 0.5, 0.5, 0.5), (1, 0, 0, 0), (0, 0, 0, 1), (1, 0, 0, 0)]
        quath[] orientations.timeSamples = {
            0: [(1, 0, 0, 0), (0.5, 0.5, 0.5, 0.5), (1, 0, 0, 0), (0, 0, 0, 1), (1, 0, 0, 0)],
            4: [(0, 0, 0, 1), (0.5, 0.5, 0.5, 0.5), (1, 0, 0, 0), (0, 0, 0, 1), (1, 0, 0, 0)],
        }
        point3f[] positions = [(1, 2, 3), (4, 5, 6), (90, 90, 90), (-5, 0, 0), (90, 90, 90)]
        int[] protoIndices = [0, 1, 0, 0, 1]
        rel prototypes = [
            </World/Many/Protos/Big>,
            </World/Many/Protos/Group>,
        ]
        float3[] scales = [(1, 1, 1), (1, 2, 1), (1, 1, 1), (-1, 1, 1), (1, 1, 1)]

        def Scope "Protos"
        {
            token visibility = "invisible"

            def Mesh "Big" (
                inherits = </Corner>
            )
            {
                float3 xformOp:scale = (2, 2, 2)
                uniform token[] xformOpOrder = ["xformOp:scale"]
            }

            def Xform "Group" (
                references = </Model>
            )
            {
                def Mesh "hidden" (
                    inherits = </Corner>
                )
                {
                    token visibility = "invisible"
                }
            }
        }
    }
}
"""


def shown(prim, above, code, with_own=True):
    """The points of meshes at a prim and below, each mesh with whether it is mirrored."""
    if prim.IsAbstract() and with_own or not prim.IsActive():
        return
    if prim.GetAttribute("visibility").Get(code) == "invisible":
        return
    matrix = above
    if with_own and prim.IsA(UsdGeom.Xformable):
        matrix = UsdGeom.Xformable(prim).GetLocalTransformation(code) * above
    if prim.GetTypeName() == "Mesh":
        mesh = UsdGeom.Mesh(prim)
        points = [matrix.Transform(Gf.Vec3d(point)) for point in mesh.GetPointsAttr().Get(code)]
        corners = mesh.GetFaceVertexIndicesAttr().Get(code)
        yield points, corners, matrix.GetDeterminant() < 0
    if prim.GetTypeName() == "PointInstancer":
        instancer = UsdGeom.PointInstancer(prim)
        places = instancer.ComputeInstanceTransformsAtTime(code, code)
        kinds = instancer.GetProtoIndicesAttr().Get(code)
        mask = instancer.ComputeMaskAtTime(code)
        if mask:
            kinds = [kind for kind, keep in zip(kinds, mask) if keep]
        targets = instancer.GetPrototypesRel().GetForwardedTargets()
        stage = prim.GetStage()
        for place, kind in zip(places, kinds):
            # The place has the transform of the prototype in it.
            yield from shown(stage.GetPrimAtPath(targets[kind]), place * matrix, code, with_own=False)
        return
    for child in prim.GetFilteredChildren(Usd.TraverseInstanceProxies(Usd.PrimAllPrimsPredicate)):
        yield from shown(child, matrix, code)


def placed(stage, code):
    """Number of triangles, least and greatest corner, and volume at a time code, in metres, y upwards."""
    triangles, volume, all_points = 0, 0.0, []
    for prim in stage.GetPseudoRoot().GetChildren():
        for points, corners, is_mirrored in shown(prim, Gf.Matrix4d(1), code):
            points = [0.5 * Gf.Vec3d(x, z, -y) for x, y, z in points]
            all_points += points
            for a, b, c in zip(corners[::3], corners[1::3], corners[2::3]):
                triangles += 1
                side = -1 if is_mirrored else 1
                volume += side * Gf.Dot(points[a], Gf.Cross(points[b], points[c])) / 6
    corners = [[side(point[k] for point in all_points) for k in range(3)] for side in (min, max)]
    return triangles, corners, volume


def measured(stage, code):
    """Number of triangles, extent and volume of what is shown at a time code, in metres, y upwards."""
    triangles, (least, greatest), volume = placed(stage, code)
    return triangles, [b - a for a, b in zip(least, greatest)], volume


def write(folder):
    """Writes the stage in both forms; returns it and the paths of its files."""
    paths = [Path(folder) / f"instances.{form}" for form in ("usda", "usdc")]
    paths[0].write_text(TEXT)
    stage = Usd.Stage.Open(str(paths[0]))
    stage.GetRootLayer().Export(str(paths[1]))
    return stage, paths


def main():
    stage, _ = write(sys.argv[1])
    for code in (Usd.TimeCode.Default(), Usd.TimeCode(0), Usd.TimeCode(2), Usd.TimeCode(4)):
        print(code, *placed(stage, code))


if __name__ == "__main__":
    main()

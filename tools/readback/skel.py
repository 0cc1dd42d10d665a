"""Meshes that follow skeletons and blend shapes, and where OpenUSD has them.

`python tools/readback/skel.py FOLDER` writes into the folder the samples `skel.usda`, `skel.usdc` and `skel.txt` of
`crates/pliant-io/src/mesh/usd`. `skel.txt` has the places of all points at times as OpenUSD evaluates them.
"""

import math
import random
import sys
from pathlib import Path

import numpy as np
from pxr import Gf, Usd, UsdGeom, UsdSkel, Vt

# At, between and beyond keyframes.
TIMES = [-1, 0, 0.25, 1.5, 2, 3.25, 6, 9]
POINTS = 5
SEED = 3
CHARACTERS = 12
# Other stages, of one character each, of which `meshes.py` compares how large they are.
SEEDS = range(100, 112)
# How far the places of a stage, all together, may be from those that are baked in single precision.
ROUNDING = 1e-4


def write(folder, seed=SEED, characters=CHARACTERS, name="skel"):
    """Writes a stage with characters by chance in both forms; returns it and the paths of its files."""
    paths = [Path(folder) / f"{name}.{form}" for form in ("usda", "usdc")]
    stage = Usd.Stage.CreateInMemory()
    UsdGeom.SetStageMetersPerUnit(stage, 1)
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    stage.SetStartTimeCode(0)
    stage.SetEndTimeCode(8)
    chance = random.Random(seed)
    for number in range(characters):
        _Character(stage, f"/c{number:02}", chance).write()
    for path in paths:
        stage.GetRootLayer().Export(str(path))
    return Usd.Stage.Open(str(paths[0])), paths


class Stage:
    """A stage of another seed, which is written and measured as those of modules are."""

    def __init__(self, seed):
        self.seed = seed

    def write(self, folder):
        """Writes the stage in both forms; returns it and the paths of its files."""
        return write(folder, self.seed, 1, f"skel{self.seed}")

    @staticmethod
    def measured(stage, code):
        """Number of triangles and extent of what is shown at a time code."""
        assert differs_from_bake(stage) < ROUNDING
        points = np.array([point for _, own in placed(stage, code) for point in own])
        return len(points) // POINTS * (POINTS - 2), np.ptp(points, axis=0), None


def placed(stage, code):
    """The paths of meshes with the places of their points at a time code, in the order of the stage."""
    for root in stage.GetPseudoRoot().GetChildren():
        cache = UsdSkel.Cache()
        cache.Populate(UsdSkel.Root(root), Usd.PrimDefaultPredicate)
        bindings = cache.ComputeSkelBindings(UsdSkel.Root(root), Usd.PrimDefaultPredicate)
        skinned = {
            target.GetPrim().GetPath(): (cache.GetSkelQuery(binding.GetSkeleton()), target)
            for binding in bindings
            for target in binding.GetSkinningTargets()
        }
        for prim in Usd.PrimRange(root):
            if prim.GetTypeName() == "Mesh":
                points = UsdGeom.Mesh(prim).GetPointsAttr().Get(code)
                matrix = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(code)
                if prim.GetPath() in skinned:
                    points, matrix = _skinned(*skinned[prim.GetPath()], points, matrix, code)
                yield prim.GetPath(), [matrix.Transform(Gf.Vec3d(point)) for point in points]


def _skinned(skeleton, target, points, matrix, code):
    """Points as `UsdSkelBakeSkinning` has them, and where they are."""
    animation = skeleton.GetAnimQuery()
    if target.HasBlendShapes() and animation:
        weights = target.GetBlendShapeMapper().Remap(animation.ComputeBlendShapeWeights(code))
        shapes = UsdSkel.BlendShapeQuery(UsdSkel.BindingAPI(target.GetPrim()))
        points = Vt.Vec3fArray(points)
        shapes.ComputeDeformedPoints(
            *shapes.ComputeSubShapeWeights(weights),
            shapes.ComputeBlendShapePointIndices(),
            shapes.ComputeSubShapePointOffsets(),
            points,
        )
    if target.HasJointInfluences():
        points = Vt.Vec3fArray(points)
        target.ComputeSkinnedPoints(skeleton.ComputeSkinningTransforms(code), points, code)
        matrix = UsdGeom.Xformable(skeleton.GetPrim()).ComputeLocalToWorldTransform(code)
    return points, matrix


class _Character:
    """A SkelRoot with a skeleton, mostly an animation, and meshes, all by chance."""

    def __init__(self, stage, path, chance):
        self.stage, self.path, self.chance = stage, path, chance
        self.joints = self._joints()

    def write(self):
        """Puts it into the stage."""
        root = UsdSkel.Root.Define(self.stage, self.path)
        UsdSkel.BindingAPI.Apply(root.GetPrim())
        if self._maybe(0.6):
            self._move(root)
        self.shapes = [f"shape{k}" for k in range(self.chance.choice([0, 0, 1, 3]))]
        self.animation = self._animation() if self._maybe(0.85) else None
        self.skeleton = self._skeleton(root)
        on_root = self._maybe(0.3)
        if on_root:
            UsdSkel.BindingAPI(root.GetPrim()).CreateSkeletonRel().SetTargets([self.skeleton])
        for k in range(self.chance.choice([1, 2])):
            self._mesh(f"{self.path}/mesh{k}", on_root)

    def _maybe(self, share):
        return self.chance.random() < share

    def _number(self, size=1.0):
        return self.chance.uniform(-size, size)

    def _vector(self, size=1.0):
        return Gf.Vec3f(*(self._number(size) for _ in range(3)))

    def _rotation(self):
        w, *xyz = (self.chance.gauss(0, 1) for _ in range(4))
        return Gf.Quatf(w, Gf.Vec3f(*xyz)).GetNormalized()

    def _scale(self):
        return Gf.Vec3h(*(self.chance.randint(24, 48) / 32 for _ in range(3)))

    def _matrix(self):
        turned = Gf.Matrix4d().SetRotate(Gf.Quatd(self._rotation()))
        sized = Gf.Matrix4d().SetScale(Gf.Vec3d(self._scale()))
        return sized * turned * Gf.Matrix4d().SetTranslate(Gf.Vec3d(self._vector()))

    def _move(self, prim):
        """A place that changes with time."""
        operation = UsdGeom.Xformable(prim).AddTranslateOp()
        for time in self._times():
            operation.Set(Gf.Vec3d(self._vector()), time)
        UsdGeom.Xformable(prim).AddTransformOp().Set(self._matrix())

    def _times(self):
        return sorted(self.chance.sample([0, 1, 2, 4, 8], self.chance.randint(1, 4)))

    def _joints(self):
        joints = ["root"]
        for k in range(self.chance.randint(0, 5)):
            # Not all that is above a joint must be one.
            gap = "/gap" if self._maybe(0.2) else ""
            joints.append(f"{self.chance.choice(joints)}{gap}/j{k}")
        if self._maybe(0.2):
            joints.append("other")
        return joints

    def _animation(self):
        path = f"{self.path}/animation"
        animation = UsdSkel.Animation.Define(self.stage, path)
        joints = list(self.joints)
        if self._maybe(0.5):
            # Others stay at rest.
            self.chance.shuffle(joints)
            joints = joints[: self.chance.randint(0, len(joints))] + (["foreign"] if self._maybe(0.3) else [])
        animation.CreateJointsAttr(joints)
        # Scales, of half precision, are to be exact in it between keyframes too.
        dyadic = [0, 1, 2, 4, 8][self.chance.randrange(5) :]
        for attribute, kind, value, times in (
            (animation.CreateTranslationsAttr(), Vt.Vec3fArray, self._vector, self._times()),
            (animation.CreateRotationsAttr(), Vt.QuatfArray, self._rotation, self._times()),
            (animation.CreateScalesAttr(), Vt.Vec3hArray, self._scale, dyadic),
        ):
            for time in times:
                attribute.Set(kind([value() for _ in joints]), time)
        shapes = list(self.shapes)
        self.chance.shuffle(shapes)
        animation.CreateBlendShapesAttr(shapes)
        for time in self._times():
            animation.CreateBlendShapeWeightsAttr().Set([self._number(1.5) for _ in shapes], time)
        return path

    def _skeleton(self, root):
        path = f"{self.path}/skeleton"
        skeleton = UsdSkel.Skeleton.Define(self.stage, path)
        skeleton.CreateJointsAttr(self.joints)
        skeleton.CreateBindTransformsAttr([self._matrix() for _ in self.joints])
        skeleton.CreateRestTransformsAttr([self._matrix() for _ in self.joints])
        if self._maybe(0.5):
            self._move(skeleton)
        owner = self.chance.choice([root.GetPrim(), skeleton.GetPrim()])
        if self.animation:
            UsdSkel.BindingAPI.Apply(owner).CreateAnimationSourceRel().SetTargets([self.animation])
        return path

    def _mesh(self, path, is_bound):
        mesh = UsdGeom.Mesh.Define(self.stage, path)
        mesh.CreatePointsAttr([self._vector(2) for _ in range(POINTS)])
        mesh.CreateFaceVertexCountsAttr([POINTS])
        mesh.CreateFaceVertexIndicesAttr(range(POINTS))
        if self._maybe(0.5):
            self._move(mesh)
        binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
        if not is_bound:
            binding.CreateSkeletonRel().SetTargets([self.skeleton])
        if self._maybe(0.85):
            self._bind(binding)
        if self.shapes and self._maybe(0.8):
            self._blend(path, binding)

    def _bind(self, binding):
        joints = list(self.joints)
        if self._maybe(0.4):
            self.chance.shuffle(joints)
            joints = joints[: self.chance.randint(1, len(joints))]
            binding.CreateJointsAttr(joints)
        each = self.chance.randint(1, 4)
        is_rigid = self._maybe(0.25)
        count = 1 if is_rigid else POINTS
        indices, weights = [], []
        for _ in range(count):
            own = [self.chance.random() * self.chance.choice([0, 1]) for _ in range(each)]
            own[self.chance.randrange(each)] = 0.5
            whole = 1 if self._maybe(0.1) else sum(own)
            weights += [weight / whole for weight in own]
            indices += [self.chance.randrange(len(joints)) for _ in range(each)]
        binding.CreateJointIndicesPrimvar(is_rigid, each).Set(indices)
        binding.CreateJointWeightsPrimvar(is_rigid, each).Set(weights)
        if self._maybe(0.5):
            binding.CreateGeomBindTransformAttr(self._matrix())
        if self._maybe(0.4):
            # Stretches are blended by sums, which only weights that add up to 1 leave as they are.
            whole = np.repeat(np.reshape(weights, (count, each)).sum(1), each)
            binding.CreateJointWeightsPrimvar(is_rigid, each).Set([float(w) for w in weights / whole])
            binding.CreateSkinningMethodAttr(UsdSkel.Tokens.dualQuaternion)

    def _blend(self, path, binding):
        names = self.chance.sample(self.shapes, self.chance.randint(1, len(self.shapes)))
        targets = []
        for name in names:
            shape = UsdSkel.BlendShape.Define(self.stage, f"{path}/{name}")
            targets.append(shape.GetPath())
            points = range(POINTS)
            if self._maybe(0.5):
                points = self.chance.sample(points, 3)
                shape.CreatePointIndicesAttr(points)
            shape.CreateOffsetsAttr([self._vector() for _ in points])
            for weight in self.chance.sample([-1, -0.5, 0.25, 0.5, 0.8, 1.25], self.chance.choice([0, 0, 1, 2])):
                between = shape.CreateInbetween(f"at{round(100 * weight + 200)}")
                between.SetOffsets([self._vector() for _ in points])
                between.SetWeight(weight)
        binding.CreateBlendShapesAttr(names)
        binding.CreateBlendShapeTargetsRel().SetTargets(targets)


def evaluated(stage):
    """Lines with a time and the places of all points, in the order of the stage."""
    for time in TIMES:
        numbers = [number for _, points in placed(stage, time) for point in points for number in point]
        yield " ".join(f"{number:.8g}" for number in [time, *numbers])


def differs_from_bake(stage):
    """How far the places at keyframes are from those that `UsdSkelBakeSkinning` writes."""
    expected = {time: list(placed(stage, time)) for time in (0, 1, 2, 4, 8)}
    flat = Usd.Stage.Open(stage.Flatten())
    for root in flat.GetPseudoRoot().GetChildren():
        UsdSkel.BakeSkinning(UsdSkel.Root(root), Gf.Interval(0, 8))
    most = 0.0
    for time, meshes in expected.items():
        for path, points in meshes:
            mesh = UsdGeom.Mesh(flat.GetPrimAtPath(path))
            matrix = mesh.ComputeLocalToWorldTransform(time)
            baked = [matrix.Transform(Gf.Vec3d(point)) for point in mesh.GetPointsAttr().Get(time)]
            most = max(most, math.dist(np.ravel(baked), np.ravel(points)))
    return most


def main(folder):
    """Writes the samples."""
    stage, _ = write(folder)
    (Path(folder) / "skel.txt").write_text("".join(f"{line}\n" for line in evaluated(stage)))
    print("as far as from what is baked:", differs_from_bake(stage))


if __name__ == "__main__":
    main(sys.argv[1])

"""Reads a scene of USD with Pixar's library."""

from pathlib import Path

import numpy as np
from pxr import Usd, UsdGeom, UsdShade, UsdValidation

# How far a single-precision box may be from one computed in double precision.
ROUNDING = 1e-5


def check(run, frames, check, same):
    """Checks every frame of a run against its archives; returns the frame rate."""
    path = str(run / "particles" / "scene.usda")
    stage = Usd.Stage.Open(path)
    check(UsdGeom.GetStageMetersPerUnit(stage) == 1, "metersPerUnit")
    up = "Z" if 'up = "z"' in (run / "scene.toml").read_text() else "Y"
    check(UsdGeom.GetStageUpAxis(stage) == up, "upAxis")
    rate = stage.GetTimeCodesPerSecond()
    times = (stage.GetStartTimeCode(), stage.GetEndTimeCode())
    check(times == (min(frames), max(frames)), f"time codes {times}")
    # What the command usdchecker does.
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    problems = UsdValidation.ValidationContext(validators).Validate(stage)
    problems = [f"{problem.GetName()}: {problem.GetMessage()}" for problem in problems]
    check(not problems, f"validation: {problems[:3]}")

    world = stage.GetDefaultPrim()
    shown = [prim for prim in world.GetChildren() if prim.GetTypeName() != "Scope"]
    for prim in shown:
        material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
        check(bool(material), f"material of {prim.GetPath()}")
    for number, (particles, surface) in frames.items():
        for prim in shown:
            what = f"usd {number} {prim.GetName()}"
            if prim.GetTypeName() == "Xform":
                _check_placement(prim, number, particles, what, check)
            elif prim.GetName().endswith("_surface"):
                _check_body(prim, number, surface, what, check, same)
            else:
                _check_body(prim, number, particles, what, check, same)
    for prim in shown:
        shape = prim.GetChild("shape")
        if shape and shape.GetAttribute("velocities").IsAuthored():
            _check_deformation(shape, sorted(frames), rate, check)
        if prim.GetTypeName() == "Xform":
            _check_motion(prim, sorted(frames), frames, check)
    deforming = world.GetChild("flap")
    check(run.name != "fall" or deforming and deforming.GetChild("shape"), "the collider that deforms is missing")
    return rate


def places(number):
    """The vertices of a file of the collider that deforms."""
    lines = (Path(__file__).parent / "scenes" / f"flap.{number}.obj").read_text().splitlines()
    return np.array([line.split()[1:] for line in lines if line.startswith("v ")], dtype=float)


def _placed(prim, time):
    """Rotation and translation of a prim at a time code."""
    matrix = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(time).RemoveScaleShear()
    return matrix.ExtractRotation(), np.asarray(matrix.ExtractTranslation())


def _turn(one, other):
    """The angle between two rotations [degrees]."""
    angle = abs((one.GetInverse() * other).GetAngle()) % 360
    return min(angle, 360 - angle)


def _check_motion(prim, numbers, frames, check):
    """In the middle between two frames it has gone and turned half the way: motion blur samples it there."""
    names = [_identifier(str(name)) for name in frames[numbers[0]][0]["body_names"]]
    for before, after in zip(numbers, numbers[1:]):
        what = f"usd {before + 0.5} {prim.GetName()}"
        placed = [_placed(prim, time) for time in (before, before + 0.5, after)]
        (first, _), (middle, _), (last, _) = placed
        turns = [_turn(first, middle), _turn(middle, last), _turn(first, last) / 2]
        check(np.allclose(turns, turns[2], atol=1e-3), f"{what} turns by {turns}")
        if prim.GetName() not in names:
            continue
        # The centre of mass goes straight on; so do the places of all that has no centre of its own.
        centers = []
        for number in (before, after):
            particles, _ = frames[number]
            row = np.flatnonzero(particles["body"] == names.index(prim.GetName()))[0]
            centers.append(particles["position"][row])
        center = np.asarray(UsdGeom.Xformable(prim).GetOrderedXformOps()[0].Get(before + 0.5))
        check(np.allclose(center, np.mean(centers, axis=0), atol=1e-7), f"{what} is at {center}")


def _check_deformation(shape, numbers, rate, check):
    """Its points are on the straight way from file to file, and move by their velocities until the next frame."""
    files, files_a_second = [places(number) for number in (1, 2, 3)], 12
    points = [np.asarray(shape.GetAttribute("points").Get(number), dtype=float) for number in numbers]
    for i, number in enumerate(numbers):
        what = f"usd {number} {shape.GetPath()}"
        progress = min((number - 1) / rate * files_a_second, len(files) - 1)
        before = min(int(progress + 1e-9), len(files) - 2)
        expected = files[before] + (progress - before) * (files[before + 1] - files[before])
        check(np.allclose(points[i], expected, atol=1e-7), f"{what}: points {points[i]} are not {expected}")
        extent = np.asarray(shape.GetAttribute("extent").Get(number))
        check(np.array_equal(extent, np.array([points[i].min(0), points[i].max(0)])), f"{what}: extent {extent}")
        if i + 1 < len(numbers):
            velocities = np.asarray(shape.GetAttribute("velocities").Get(number))
            moved = (points[i + 1] - points[i]) * rate
            check(np.allclose(velocities, moved, atol=1e-5), f"{what}: velocities {velocities} are not {moved}")
        counts, corners = (shape.GetAttribute(f"faceVertex{name}").Get(number) for name in ("Counts", "Indices"))
        valid, why = UsdGeom.Mesh.ValidateTopology(corners, counts, len(points[i]))
        check(valid, f"{what}: {why}")
    check(not np.allclose(points[0], points[-1]), f"{shape.GetPath()} keeps its form")


def _identifier(name):
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in name)


def _check_body(prim, number, expected, what, check, same):
    names = [_identifier(str(name)) for name in expected["body_names"]]
    body = names.index(prim.GetName().removesuffix("_surface"))
    rows = np.flatnonzero(expected["body"] == body)
    points = UsdGeom.PointBased(prim)

    def value(name):
        attribute = prim.GetAttribute(name)
        check(attribute.IsDefined(), f"{what} has no {name}")
        return np.asarray(attribute.Get(number))

    same(np.asarray(points.GetPointsAttr().Get(number)), expected["position"][rows].reshape(-1, 3), f"{what} points")
    same(
        np.asarray(points.GetVelocitiesAttr().Get(number)),
        expected["velocity"][rows].reshape(-1, 3),
        f"{what} velocities",
    )
    is_mesh = prim.GetTypeName() == "Mesh"
    ids = value("primvars:ids" if is_mesh else "ids")
    same(ids, expected["id"][rows], f"{what} ids")
    primvars = UsdGeom.PrimvarsAPI(prim)
    same(np.asarray(primvars.GetPrimvar("density").Get(number)), expected["density"][rows], f"{what} density")
    check(primvars.GetPrimvar("density").GetInterpolation() == "vertex", f"{what} interpolation")
    radius = expected["radius"][rows]
    if is_mesh:
        radius = 0 * radius
        corners = value("faceVertexIndices").reshape(-1, 3)
        place = {row: i for i, row in enumerate(rows)}
        triangles = expected["triangles"]
        of_body = triangles[expected["body"][triangles[:, 0]] == body]
        same(corners, [[place[c] for c in t] for t in of_body], f"{what} corners")
        check((value("faceVertexCounts") == 3).all(), f"{what} counts")
        is_own = expected["body"][triangles[:, 0]] == body
        if "triangles_inside" in expected:
            same(value("primvars:inside"), expected["triangles_inside"][is_own], f"{what} inside")
            check(primvars.GetPrimvar("inside").GetInterpolation() == "uniform", f"{what} interpolation of inside")
        has_uv = "triangles_uv" in expected and expected["triangles_uv"][is_own].any()
        check(prim.HasAttribute("primvars:st") == bool(has_uv), f"{what}: whether there is st")
        if has_uv:
            same(value("primvars:st").reshape(-1, 3, 2), expected["triangles_uv"][is_own], f"{what} st")
            check(primvars.GetPrimvar("st").GetInterpolation() == "faceVarying", f"{what} interpolation of st")
        valid, why = UsdGeom.Mesh.ValidateTopology(
            prim.GetAttribute("faceVertexIndices").Get(number),
            prim.GetAttribute("faceVertexCounts").Get(number),
            len(rows),
        )
        check(valid, f"{what}: {why}")
    else:
        same(value("widths"), 2 * radius, f"{what} widths")
    if len(rows):
        least, greatest = value("extent")
        position = expected["position"][rows]
        check(np.allclose(least, (position - radius[:, None]).min(0), atol=ROUNDING), f"{what} extent")
        check(np.allclose(greatest, (position + radius[:, None]).max(0), atol=ROUNDING), f"{what} extent")


def _check_placement(prim, number, particles, what, check):
    """A rigid body is where its particle is: its box there is symmetric about its centre of mass."""
    matrix = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(number)
    check(abs(abs(np.linalg.det(np.asarray(matrix))) - 1) < 1e-5, f"{what} transform")
    box = UsdGeom.BBoxCache(number, ["default"]).ComputeWorldBound(prim).ComputeAlignedRange()
    check(not box.IsEmpty(), f"{what} has no bound")
    names = [_identifier(str(name)) for name in particles["body_names"]]
    if prim.GetName() in names:
        row = np.flatnonzero(particles["body"] == names.index(prim.GetName()))[0]
        where = np.asarray(box.GetMidpoint())
        check(np.allclose(where, particles["position"][row], atol=1e-4), f"{what} at {where}")
        visible = UsdGeom.Imageable(prim).ComputeVisibility(number)
        check(visible == "inherited", f"{what} is {visible}")

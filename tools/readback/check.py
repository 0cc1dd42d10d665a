"""Compares what Pliant exported of a run, read by other programs, with its NumPy archives.

usage: check.py RUN

RUN holds the formats npz, vtk, vtkhdf, ply, bgeo, bgeo-classic and usd. Positions and velocities are checked to
the bit of single precision; velocities also against differences of positions.
"""

import sys
from pathlib import Path

import numpy as np

import bgeo
import blender
import usd

failures = []


def check(is_right, what):
    """Takes note of what is not right."""
    if not is_right:
        failures.append(what)
        print("WRONG", what)


def same(found, expected, what):
    """Checks that two arrays are equal to the bit, in the type of the first."""
    found = np.asarray(found)
    expected = np.asarray(expected).astype(found.dtype)
    check(
        found.shape == expected.shape and np.array_equal(found, expected, equal_nan=found.dtype.kind == "f"),
        f"{what}: {found.shape} {found.ravel()[:3]} is not {expected.shape} {expected.ravel()[:3]}",
    )


def truth(run):
    """The frames of a run, and their surfaces or None, from its NumPy archives."""
    frames = {}
    for path in sorted((run / "particles").glob("particles.*.npz")):
        particles = dict(np.load(path))
        beside = run / "surface" / path.name.replace("particles", "surface")
        surface = dict(np.load(beside)) if beside.exists() else None
        frames[int(particles["frame"])] = (particles, surface)
    return frames


def check_vtk(run, frames):
    """Reads VTK PolyData with VTK."""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

    for number, (particles, _) in frames.items():
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(str(run / "particles" / f"particles.{number:04}.vtp"))
        reader.Update()
        data = reader.GetOutput()
        same(vtk_to_numpy(data.GetPoints().GetData()), particles["position"], f"vtk {number} points")
        for name in ("velocity", "id", "density"):
            array = vtk_to_numpy(data.GetPointData().GetArray(name))
            same(array, particles[name], f"vtk {number} {name}")


def check_vtkhdf(run, frames):
    """Reads the files of all frames with VTK."""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
    from vtkmodules.vtkIOHDF import vtkHDFReader

    for name, place in (("particles", 0), ("surface", 1)):
        expected = {number: of[place] for number, of in frames.items() if of[place] is not None}
        if not expected:
            continue
        reader = vtkHDFReader()
        reader.SetFileName(str(run / f"{name}.vtkhdf"))
        reader.UpdateInformation()
        times = reader.GetOutputInformation(0).Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS())
        check(times is not None and len(times) == len(expected), f"{name}.vtkhdf: times {times}")
        for time, (number, columns) in zip(times or (), expected.items()):
            reader.UpdateTimeStep(time)
            reader.Update()
            data = reader.GetOutputDataObject(0)
            what = f"{name}.vtkhdf {number}"
            check(abs(time - float(columns["time"])) < 1e-12, f"{what}: time {time}")
            same(vtk_to_numpy(data.GetPoints().GetData()), columns["position"], f"{what} points")
            for column in ("velocity", "id", "density"):
                same(vtk_to_numpy(data.GetPointData().GetArray(column)), columns[column], f"{what} {column}")
            count = len(columns["id"]) if name == "particles" else 0
            check(data.GetNumberOfVerts() == count, f"{what}: {data.GetNumberOfVerts()} vertices")
            if count:
                same(vtk_to_numpy(data.GetVerts().GetConnectivityArray()), np.arange(count), f"{what} vertices")
                same(vtk_to_numpy(data.GetVerts().GetOffsetsArray()), np.arange(count + 1), f"{what} vertex offsets")
            triangles = columns["triangles"].reshape(-1, 3) if "triangles" in columns else np.empty((0, 3))
            check(data.GetNumberOfPolys() == len(triangles), f"{what}: {data.GetNumberOfPolys()} polygons")
            if len(triangles):
                corners = vtk_to_numpy(data.GetPolys().GetConnectivityArray())
                same(corners, triangles.ravel(), f"{what} triangles")
            for array, width, column in (("uv", 6, "triangles_uv"), ("inside", 1, "triangles_inside")):
                check_cells(data.GetCellData().GetArray(array), width, count, columns.get(column), f"{what} {array}")
        if name == "surface":
            check("triangles_inside" in next(iter(expected.values())), f"{name}: no faces of cuts are told")


def check_cells(array, width, particles, expected, what):
    """Checks data of cells: zeros for particles, then the values of triangles."""
    from vtkmodules.util.numpy_support import vtk_to_numpy

    if expected is None:
        # Other frames may have it.
        check(array is None or not vtk_to_numpy(array).any(), f"{what}: there is some")
        return
    check(array is not None, f"{what} is missing")
    rows = vtk_to_numpy(array).reshape(-1, width)
    check(not rows[:particles].any(), f"{what}: particles have some")
    same(rows[particles:], expected.reshape(-1, width), what)


def check_bgeo(run, frames):
    """Reads both kinds of BGEO, the classic one with splashsurf too."""
    import pysplashsurf

    for number, (particles, surface) in frames.items():
        if surface is not None:
            file = bgeo.modern(run / "surface" / f"surface.{number:04}.bgeo")
            same(file.triangles, surface["triangles"], f"bgeo {number} triangles of the surface")
            if "triangles_uv" in surface:
                same(file.corners["uv"][:, :2], surface["triangles_uv"].reshape(-1, 2), f"bgeo {number} uv")
            same(file.faces["inside"], surface["triangles_inside"], f"bgeo {number} inside")
            check_normals(file, surface, f"bgeo {number} surface")
        stem = run / "particles" / f"particles.{number:04}"
        for kind, file in (
            ("bgeo", bgeo.modern(f"{stem}.bgeo")),
            ("bgeo-classic", bgeo.classic(f"{stem}.classic.bgeo")),
        ):
            expected = {
                "P": particles["position"],
                "v": particles["velocity"],
                "id": particles["id"],
                "pscale": particles["radius"],
                "density": particles["density"],
                "body": particles["body"],
            }
            if kind == "bgeo":
                expected["body"] = np.asarray(particles["body_names"])[particles["body"]]
            for name, values in expected.items():
                same(file.points[name], values, f"{kind} {number} {name}")
            check(abs(file.detail["time"] - particles["time"]) < 1e-6, f"{kind} {number} time")
            check_normals(file, particles, f"{kind} {number}")
        corners = particles.get("triangles", np.zeros((0, 3), dtype=np.uint32))
        same(bgeo.modern(f"{stem}.bgeo").triangles, corners, f"bgeo {number} triangles")
    # It can be called once.
    surface = run / "surface-by-splashsurf.vtk"
    arguments = ["reconstruct", f"{stem}.classic.bgeo", "-o", str(surface)]
    settings = ["--quiet", "-r=0.01", "-l=2.0", "-c=1.0", "-t=0.6"]
    pysplashsurf.run_splashsurf(["splashsurf", *arguments, *settings])
    check(surface.stat().st_size > 1000, "splashsurf makes no surface")


def check_normals(file, columns, what):
    """Checks that normals have length 1, and are within 60 degrees of their triangle if they are of its corners."""
    triangles = columns.get("triangles", np.zeros((0, 3), dtype=np.uint32)).reshape(-1, 3)
    has_normals = "N" in file.points or "N" in file.corners
    check(has_normals == bool(len(triangles)), f"{what}: whether there are normals")
    if not len(triangles):
        return
    a, b, c = (columns["position"][triangles[:, k]] for k in range(3))
    facing = np.cross(b - a, c - a)
    size = np.linalg.norm(facing, axis=1)
    facing /= size[:, None]
    if "N" in file.points:
        length = np.linalg.norm(file.points["N"], axis=1)
        is_corner = np.isin(np.arange(len(length)), triangles)
        check(np.allclose(length, is_corner, atol=1e-5), f"{what}: lengths of N of points")
        return
    normals = file.corners["N"].reshape(-1, 3, 3).astype(float)
    # Slivers of cuts have no direction in the single precision of archives of surfaces.
    has_size = size > 1e-9
    check(np.allclose(np.linalg.norm(normals, axis=2)[has_size], 1, atol=1e-5), f"{what}: lengths of N")
    cosines = np.einsum("tkc,tc->tk", normals, facing)[has_size]
    check((cosines > 0.45).all(), f"{what}: N and triangles at {cosines.min(initial=1)}")


def check_ids(frames):
    """Checks that ids increase in each frame, and that each is of the same body in all of them."""
    bodies = {}
    for number, (particles, _) in frames.items():
        check((np.diff(particles["id"].astype(int)) > 0).all(), f"ids of frame {number}")
        for particle, body in zip(particles["id"].tolist(), particles["body"].tolist()):
            check(bodies.setdefault(particle, body) == body, f"body of {particle} in frame {number}")


def check_velocities(frames, rate):
    """Checks that positions move by the mean of the velocities before and after, in free fall.

    A substep moves by the velocity at its end, and velocities of contacts jump: a share of the change
    of velocity is allowed.
    """
    for number in list(frames)[1:]:
        (before, _), (after, _) = frames[number - 1], frames[number]
        common, i, j = np.intersect1d(before["id"], after["id"], return_indices=True)
        check(len(common) == len(before["id"]), f"frame {number} lost particles")
        moved = (after["position"][j] - before["position"][i]) * rate
        mean = (after["velocity"][j] + before["velocity"][i]) / 2
        error = np.linalg.norm(moved - mean, axis=1)
        change = np.linalg.norm(after["velocity"][j] - before["velocity"][i], axis=1)
        allowed = 0.2 * np.median(change) + 0.001 * np.linalg.norm(mean, axis=1).max()
        check(np.median(error) < allowed, f"velocities of frame {number}: {np.median(error)}")


def main():
    run = Path(sys.argv[1])
    frames = truth(run)
    check(len(frames) > 2, "there are few frames")
    rate = usd.check(run, frames, check, same)
    check_ids(frames)
    if run.name == "fall":
        check_velocities(frames, rate)
    check_vtk(run, frames)
    check_vtkhdf(run, frames)
    check_bgeo(run, frames)
    seen = blender.check(run, frames, check)
    count = len(frames[max(frames)][0]["id"])
    print(f"{run}: {len(frames)} frames, {count} particles at the end{seen}: ", end="")
    print(f"{len(failures)} failures" if failures else "all as written")
    sys.exit(bool(failures))


main()

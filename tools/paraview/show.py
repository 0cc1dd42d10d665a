"""Shows a run of Pliant in ParaView, and saves that as a state.

usage: pvpython show.py RUN [QUANTITY]

Opens the VTK files of a run: particles as balls of their radius, coloured by QUANTITY, one of the particle files such
as density, det_F or stress_von_mises; without it by speed. Surfaces that bodies carry, and those that `pliant mesh`
makes, are shown beside them. Written are RUN/paraview.pvsm, which ParaView opens by File > Load State, and a picture of
the last frame, RUN/paraview.png.
"""

import sys
from pathlib import Path

from paraview import simple

# Columns and rows of the picture.
SIZE = [1280, 720]


def show_series(run, name, view):
    """The reader of a series and how it is shown; None if the run has no such series."""
    path = run / name / f"{name}.pvd"
    if not path.is_file():
        return None
    reader = simple.PVDReader(registrationName=name, FileName=str(path))
    return reader, simple.Show(reader, view)


def show_as_balls(shown):
    """Particles as balls whose radius is the array `radius`, in metres."""
    shown.SetRepresentationType("Point Gaussian")
    shown.ShaderPreset = "Sphere"
    shown.GaussianRadius = 1.0
    shown.ScaleByArray = 1
    shown.SetScaleArray = ["POINTS", "radius"]
    shown.UseScaleFunction = 0


def color(shown, quantity, view):
    """Colours by a quantity, by its range in the frame that is shown, with a legend."""
    of_vectors = ("Magnitude",) if quantity == "velocity" else ()
    simple.ColorBy(shown, ("POINTS", quantity, *of_vectors))
    shown.RescaleTransferFunctionToDataRange(True, False)
    shown.SetScalarBarVisibility(view, True)


def main():
    run = Path(sys.argv[1]).resolve()
    quantity = sys.argv[2] if len(sys.argv) > 2 else "velocity"
    view = simple.GetActiveViewOrCreate("RenderView")
    view.ViewSize = SIZE
    particles = show_series(run, "particles", view)
    if particles is None:
        sys.exit(f'{run} has no particles/particles.pvd: run the scene with output.particles = ["vtk"], or export it')
    surfaces = [series for series in (show_series(run, name, view) for name in ("surface", "mesh")) if series]
    for _, shown in surfaces:
        shown.SetRepresentationType("Surface")
        # Vertices are cells of their own in the files.
        shown.PointSize = 1.0
    show_as_balls(particles[1])
    scene = simple.GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    scene.GoToLast()
    color(particles[1], quantity, view)
    view.ResetCamera()
    simple.Render(view)
    simple.SaveState(str(run / "paraview.pvsm"))
    simple.SaveScreenshot(str(run / "paraview.png"), view, ImageResolution=SIZE)


if __name__ == "__main__":
    main()

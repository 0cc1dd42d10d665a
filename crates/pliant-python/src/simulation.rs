//! A simulation of one scene.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use pliant::core::step::FrameReport;
use pliant::math::DVec3;
use pliant::scene::Overrides;
use pliant::serve::{LiveShow, ServeError};
use pliant::{AttachTo, PictureLook};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::edited::EditedParticles;
use crate::recording::Recording;
use crate::shown::Particles;
use crate::signals::Signals;
use crate::source::Source;
use crate::used::Used;
use crate::{arrays, errors, threads};

/// A simulation, used by one thread at a time: another that calls it meanwhile gets a `BusyError`.
#[pyclass(frozen, subclass, module = "pliant._engine")]
pub struct Simulation(pub(crate) Mutex<Used>);

#[pymethods]
impl Simulation {
    #[staticmethod]
    fn open(
        py: Python<'_>,
        path: PathBuf,
        assignments: Vec<String>,
        detail: Option<String>,
        threads: usize,
    ) -> PyResult<Self> {
        let source = Source::file(path, overrides(assignments, detail));
        Self::start(py, source, threads)
    }

    #[staticmethod]
    fn parse(
        py: Python<'_>,
        text: String,
        place: (String, PathBuf),
        assignments: Vec<String>,
        detail: Option<String>,
        threads: usize,
    ) -> PyResult<Self> {
        let source = Source::text(text, place, overrides(assignments, detail));
        Self::start(py, source, threads)
    }

    /// The scene with every default, paths absolute.
    fn scene(&self, py: Python<'_>) -> PyResult<String> {
        self.look(py, |own| Ok(own.scene().to_toml(Path::new("/"))))
    }

    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.look(py, |own| Ok(own.time()))
    }

    fn frame_number(&self, py: Python<'_>) -> PyResult<u32> {
        self.look(py, |own| Ok(own.frame_number()))
    }

    fn frame_rate(&self, py: Python<'_>) -> PyResult<f64> {
        self.look(py, |own| Ok(own.scene().frame_rate()))
    }

    fn duration(&self, py: Python<'_>) -> PyResult<f64> {
        self.look(py, |own| Ok(own.scene().duration()))
    }

    fn threads(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.lock(py)?.threads)
    }

    fn count(&self, py: Python<'_>) -> PyResult<usize> {
        self.look(py, |own| Ok(own.particles().len()))
    }

    /// Names of bodies, materials, colliders.
    fn names(&self, py: Python<'_>) -> PyResult<[Vec<String>; 3]> {
        self.look(py, |own| {
            let setup = own.setup();
            Ok([
                setup.bodies.iter().map(|body| body.name.clone()).collect(),
                setup.materials.iter().map(|of| of.name.clone()).collect(),
                setup.colliders.iter().map(|of| of.name.clone()).collect(),
            ])
        })
    }

    /// So many frames, until a signal raises an exception.
    fn step(&self, py: Python<'_>, frames: u32) -> PyResult<()> {
        let mut signals = Signals::watch();
        let stepped = self.alter(py, |inner| {
            for _ in 0..frames {
                inner.held.change().step_while(&mut |_, _| signals.look())?;
                inner.show_now();
            }
            Ok(())
        });
        signals.raised().map_or(stepped, Err)
    }

    /// So many substeps of a length [s], until a signal raises an exception.
    fn substep(&self, py: Python<'_>, dt: f64, count: u32) -> PyResult<()> {
        let mut signals = Signals::watch();
        let stepped = self.alter(py, |inner| {
            let own = inner.held.change();
            for _ in 0..count {
                own.substep(dt)?;
                if signals.look().is_break() {
                    break;
                }
            }
            inner.show_now();
            Ok(())
        });
        signals.raised().map_or(stepped, Err)
    }

    /// Particles for a block that gives them other positions and velocities.
    fn edit(this: &Bound<'_, Self>) -> EditedParticles {
        EditedParticles::of(this.clone().unbind())
    }

    fn particles(&self, py: Python<'_>) -> PyResult<Particles> {
        Ok(Particles::of(&mut self.lock(py)?.held))
    }

    /// The columns of a frame, and those of the surfaces that bodies carry, if they are wanted and there are any.
    fn frame<'py>(
        &self,
        py: Python<'py>,
        quantities: Option<Vec<String>>,
        surfaces: bool,
    ) -> PyResult<(Bound<'py, PyDict>, Option<Bound<'py, PyDict>>)> {
        let mut used = self.lock(py)?;
        let names: Option<Vec<&str>> = quantities
            .as_ref()
            .map(|names| names.iter().map(String::as_str).collect());
        let held = &mut used.held;
        let updated = py.detach(|| held.update_frame(names.as_deref(), surfaces));
        updated.map_err(|error| errors::raise(py, error))?;
        let own = held.read();
        let surface = own.surface().map(|surface| arrays::of_frame(py, &surface));
        Ok((
            arrays::of_frame(py, &own.last_frame())?,
            surface.transpose()?,
        ))
    }

    /// Places in the particles of those of a body.
    fn places<'py>(
        &self,
        py: Python<'py>,
        body: &str,
    ) -> PyResult<Bound<'py, numpy::PyArray1<usize>>> {
        let places = self.look(py, |own| own.places_of(body))?;
        Ok(numpy::PyArray1::from_vec(py, places))
    }

    fn measure(&self, py: Python<'_>, columns: Vec<String>) -> PyResult<Vec<f64>> {
        self.work(py, |inner| {
            let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
            inner.held.read().measure_all(&columns)
        })
    }

    /// Names and units of the columns that are measured: those of probes, those of statistics.
    fn columns(&self, py: Python<'_>) -> PyResult<[Vec<(String, String)>; 2]> {
        self.look(py, |own| {
            let layout = own.columns();
            Ok([&layout.probes, &layout.stats].map(|columns| {
                let columns = columns.iter();
                columns
                    .map(|c| (c.name.clone(), c.unit.to_owned()))
                    .collect()
            }))
        })
    }

    /// Kinetic, elastic and gravitational energy [J].
    fn energies(&self, py: Python<'_>) -> PyResult<[f64; 3]> {
        self.work(py, |inner| {
            let energies = inner.held.read().energies();
            Ok([energies.kinetic, energies.elastic, energies.gravitational])
        })
    }

    /// What is known of the last frame.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let used = self.lock(py)?;
        let own = used.held.read();
        of_report(py, own.report(), own)
    }

    fn drive_to(
        &self,
        py: Python<'_>,
        collider: &str,
        position: [f64; 3],
        rotation: Option<[f64; 4]>,
        duration: f64,
    ) -> PyResult<()> {
        let pose = arrays::pose(py, position, rotation)?;
        self.act(py, |own| own.drive_to(collider, pose, duration))
    }

    fn drive(
        &self,
        py: Python<'_>,
        collider: &str,
        velocity: [f64; 3],
        spin: [f64; 3],
    ) -> PyResult<()> {
        self.act(py, |own| {
            own.drive(
                collider,
                DVec3::from_array(velocity),
                DVec3::from_array(spin),
            )
        })
    }

    fn pose(&self, py: Python<'_>, collider: &str) -> PyResult<([f64; 3], [f64; 4])> {
        let pose = self.look(py, |own| own.pose_of_collider(collider))?;
        Ok(arrays::of_pose(pose))
    }

    fn activate(
        &self,
        py: Python<'_>,
        body: &str,
        muscle: &str,
        activation: f64,
        duration: f64,
    ) -> PyResult<()> {
        self.act(py, |own| own.activate(body, muscle, activation, duration))
    }

    fn set_velocity(&self, py: Python<'_>, body: &str, velocity: [f64; 3]) -> PyResult<()> {
        self.act(py, |own| {
            own.set_velocity(body, DVec3::from_array(velocity))
        })
    }

    fn push(&self, py: Python<'_>, body: &str, impulse: [f64; 3]) -> PyResult<()> {
        self.act(py, |own| own.push(body, DVec3::from_array(impulse)))
    }

    /// Reads the scene again with further values, and takes the constants from it.
    fn change(&self, py: Python<'_>, assignments: Vec<String>) -> PyResult<()> {
        self.alter(py, |inner| {
            let source = inner.source.with(assignments);
            let pool = threads::pool(inner.threads)?;
            let prepared = source.prepare(&pool)?;
            let own = inner.held.change();
            pool.run(|| own.change_to(prepared))?;
            inner.source = source;
            Ok(())
        })
    }

    /// Adds the tables of a text; its name in messages, and the folder that paths in it start from.
    fn add(&self, py: Python<'_>, text: &str, place: (String, PathBuf)) -> PyResult<()> {
        self.alter(py, |inner| {
            inner.held.change().add_text(text, &place.0, place.1)
        })
    }

    fn remove(&self, py: Python<'_>, body: &str) -> PyResult<()> {
        self.act(py, |own| own.remove(body))
    }

    /// Attaches particles to a collider or a rigid body, to the world without a name.
    fn attach(&self, py: Python<'_>, name: &str, to: Option<&str>, ids: Vec<u32>) -> PyResult<()> {
        self.act(py, |own| {
            let setup = own.setup();
            let rigid = &setup.colliders[setup.first_rigid()..];
            let to = match to {
                None => AttachTo::World,
                Some(name) if rigid.iter().any(|of| of.name == name) => AttachTo::Rigid(name),
                Some(name) => AttachTo::Collider(name),
            };
            own.attach_particles(name, to, &ids)
        })
    }

    fn release(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.act(py, |own| own.release(name))
    }

    /// Records to a folder from the first frame on, or goes on with what was recorded there.
    fn record(&self, py: Python<'_>, folder: PathBuf, resumes: bool) -> PyResult<Recording> {
        let started = self.alter(py, |inner| match resumes {
            true => inner.held.change().resume(folder),
            false => inner.held.change().record(folder),
        });
        started.map(Recording::of)
    }

    /// Columns, rows, and red, green, blue of each pixel.
    fn picture<'py>(
        &self,
        py: Python<'py>,
        size: Option<[u32; 2]>,
        color_by: Option<String>,
        camera: Option<[[f64; 3]; 2]>,
        plain: bool,
    ) -> PyResult<(u32, u32, Bound<'py, PyBytes>)> {
        let look = PictureLook {
            size,
            color_by,
            camera: camera.map(|ends| ends.map(DVec3::from_array)),
            is_plain: plain,
        };
        let picture = self.work(py, |inner| inner.held.paint(&look))?;
        let pixels = PyBytes::new(py, &picture.rgb);
        Ok((picture.width, picture.height, pixels))
    }

    /// Shows this moment and those to come to browsers and windows; the address. The same again as long as it is shown.
    fn show(&self, py: Python<'_>) -> PyResult<String> {
        let mut used = self.lock(py)?;
        if used.show.is_none() {
            let show = LiveShow::of(used.held.read());
            let failed = |error: ServeError| PyOSError::new_err(error.to_string());
            used.show = Some(show.map_err(failed)?);
        }
        Ok(used
            .show
            .as_ref()
            .map_or_else(String::new, LiveShow::address))
    }

    /// Shows nothing any more.
    fn hide(&self, py: Python<'_>) -> PyResult<()> {
        self.lock(py)?.show = None;
        Ok(())
    }

    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let saved = self.work(py, |inner| Ok(inner.held.read().save()))?;
        Ok(PyBytes::new(py, &saved))
    }

    fn restore(&self, py: Python<'_>, saved: &[u8]) -> PyResult<()> {
        self.act(py, |own| own.restore(saved))?;
        self.lock(py)?.show_now();
        Ok(())
    }

    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.alter(py, |inner| {
            inner.held.change().reset();
            inner.show_now();
            Ok(())
        })
    }
}

/// What replaces values of a scene.
pub fn overrides(assignments: Vec<String>, detail: Option<String>) -> Overrides {
    Overrides {
        detail,
        set: assignments,
        ..Overrides::default()
    }
}

fn of_report<'py>(
    py: Python<'py>,
    report: &FrameReport,
    own: &pliant::Simulation,
) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("substeps", report.substeps)?;
    told.set_item("dt", report.dt)?;
    told.set_item("wall", report.wall)?;
    told.set_item("contacts", report.contacts)?;
    told.set_item("neighbors", report.neighbors)?;
    told.set_item("residual", report.residual)?;
    told.set_item("gained", report.gained)?;
    told.set_item("redone", report.redone)?;
    let forces = PyDict::new(py);
    for (collider, force) in own.setup().colliders.iter().zip(&report.collider_force) {
        forces.set_item(&collider.name, force.to_array())?;
    }
    told.set_item("collider_force", forces)?;
    Ok(told)
}

//! Many simulations of one scene, stepped side by side.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use numpy::{PyArray1, PyReadonlyArray2};
use pliant::SimulationError;
use pliant::core::measure::Wanted;
use pliant::core::parallel::Pool;
use pliant::core::step::NewMotion;
use pliant::math::{DVec3, Real, Vec3};
use pliant::prepare::Prepared;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::columns::{by_place, columns};
use crate::simulation::overrides;
use crate::source::Source;
use crate::{arrays, errors, threads};

/// How often the thread that waits for the worlds looks for signals.
const PAUSE: Duration = Duration::from_millis(50);

/// Worlds of one scene, used by one thread at a time.
#[pyclass(frozen, subclass, module = "pliant._engine")]
pub struct Batch(Mutex<Worlds>);

struct Worlds {
    worlds: Vec<pliant::Simulation>,
    threads: usize,
}

/// What came of each world that something was done with, and its number.
type Results<R> = Vec<(usize, Result<R, SimulationError>)>;

impl Batch {
    fn start(
        py: Python<'_>,
        source: &Source,
        values: Vec<Vec<String>>,
        threads: usize,
    ) -> PyResult<Self> {
        let made = py.detach(|| -> Result<_, SimulationError> {
            let workers = threads::workers(threads)?;
            Ok(prepare(source, &values, &workers))
        });
        let made = made.map_err(|error| errors::raise(py, error))?;
        let worlds = all(py, made)?;
        Ok(Self(Mutex::new(Worlds { worlds, threads })))
    }

    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Worlds>> {
        match self.0.try_lock() {
            Ok(worlds) => Ok(worlds),
            Err(TryLockError::WouldBlock) => Err(errors::busy(py)),
            Err(TryLockError::Poisoned(_)) => {
                let message = "the engine has failed in an earlier call: start another batch";
                Err(errors::named(py, "StepError", message))
            }
        }
    }

    /// Does something with some worlds on all threads, with the interpreter free for others.
    fn work<R: Send>(
        &self,
        py: Python<'_>,
        wanted: Option<Vec<usize>>,
        work: impl Fn(usize, &mut pliant::Simulation, &AtomicBool) -> Result<R, SimulationError> + Sync,
    ) -> PyResult<Vec<R>> {
        let mut used = self.lock(py)?;
        let Worlds { worlds, threads } = &mut *used;
        let chosen = choose(py, worlds, wanted)?;
        let workers = threads::workers(*threads).map_err(|error| errors::raise(py, error))?;
        let stop = AtomicBool::new(false);
        let mut raised = None;
        let results = py.detach(|| {
            let mut look = || {
                if raised.is_none() {
                    raised = Python::attach(|py| py.check_signals().err());
                }
                stop.store(raised.is_some(), Ordering::Relaxed);
            };
            side_by_side(
                chosen,
                &workers,
                &|k, world| work(k, world, &stop),
                &mut look,
            )
        });
        match raised {
            Some(raised) => Err(raised),
            None => all(py, results),
        }
    }

    /// Does something with every world, one after the other.
    fn each<T: Copy>(
        &self,
        py: Python<'_>,
        values: &[T],
        act: impl Fn(&mut pliant::Simulation, T) -> Result<(), SimulationError>,
    ) -> PyResult<()> {
        let mut used = self.lock(py)?;
        check_count(py, values.len(), used.worlds.len())?;
        let worlds = used.worlds.iter_mut().zip(values);
        let done = worlds.map(|(world, &value)| act(world, value));
        all(py, done.enumerate().collect()).map(|_| ())
    }
}

#[pymethods]
impl Batch {
    #[staticmethod]
    fn open(
        py: Python<'_>,
        path: PathBuf,
        values: Vec<Vec<String>>,
        detail: Option<String>,
        threads: usize,
    ) -> PyResult<Self> {
        let source = Source::file(path, overrides(Vec::new(), detail));
        Self::start(py, &source, values, threads)
    }

    #[staticmethod]
    fn parse(
        py: Python<'_>,
        text: String,
        place: (String, PathBuf),
        values: Vec<Vec<String>>,
        detail: Option<String>,
        threads: usize,
    ) -> PyResult<Self> {
        let source = Source::text(text, place, overrides(Vec::new(), detail));
        Self::start(py, &source, values, threads)
    }

    fn count(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.lock(py)?.worlds.len())
    }

    fn frame_rate(&self, py: Python<'_>) -> PyResult<f64> {
        let used = self.lock(py)?;
        Ok(used
            .worlds
            .first()
            .map_or(f64::NAN, |world| world.scene().frame_rate()))
    }

    /// Simulated time of each world [s].
    fn times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let used = self.lock(py)?;
        let times = used.worlds.iter().map(pliant::Simulation::time);
        Ok(PyArray1::from_vec(py, times.collect()))
    }

    /// Numbers of particles of each world.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<usize>>> {
        let used = self.lock(py)?;
        let counts = used.worlds.iter().map(|world| world.particles().len());
        Ok(PyArray1::from_vec(py, counts.collect()))
    }

    /// So many frames of some worlds or all.
    fn step(&self, py: Python<'_>, frames: u32, worlds: Option<Vec<usize>>) -> PyResult<()> {
        let stepped = self.work(py, worlds, |_, world, stop| {
            for _ in 0..frames {
                world.step_while(&mut |_, _| match stop.load(Ordering::Relaxed) {
                    true => std::ops::ControlFlow::Break(()),
                    false => std::ops::ControlFlow::Continue(()),
                })?;
            }
            Ok(())
        });
        stepped.map(|_| ())
    }

    // One after the other: to hand a world to another thread takes longer than to reset it.
    fn reset(&self, py: Python<'_>, worlds: Option<Vec<usize>>) -> PyResult<()> {
        let mut used = self.lock(py)?;
        let chosen = choose(py, &mut used.worlds, worlds)?;
        py.detach(|| {
            for (_, world) in chosen {
                world.reset();
            }
        });
        Ok(())
    }

    /// Columns of each world, one after the other.
    fn measure<'py>(
        &self,
        py: Python<'py>,
        columns: Vec<String>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        let rows = self.work(py, None, |_, world, _| world.measure_all(&columns))?;
        Ok(PyArray1::from_vec(py, rows.concat()))
    }

    /// Positions and velocities of each world, of shape (n, 3), in the order of ids.
    #[allow(clippy::type_complexity)] // A list of pairs of arrays.
    fn motion<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<
        Vec<(
            Bound<'py, numpy::PyArray2<f64>>,
            Bound<'py, numpy::PyArray2<f32>>,
        )>,
    > {
        let moved = self.work(py, None, |_, world, _| {
            let frame = world.frame_with(Wanted::MOTION);
            let positions: Vec<[f64; 3]> = frame.position.iter().map(|x| x.to_array()).collect();
            Ok((positions, frame.velocity.to_vec()))
        })?;
        let arrays = moved.into_iter().map(|(positions, velocities)| {
            Ok((arrays::rows(py, positions)?, arrays::rows(py, velocities)?))
        });
        arrays.collect()
    }

    /// Gives the particles of some worlds positions and velocities, arrays of shape (n, 3) in the order of ids.
    fn set_motion(
        &self,
        py: Python<'_>,
        worlds: Vec<usize>,
        positions: Option<Vec<PyReadonlyArray2<'_, f64>>>,
        velocities: Option<Vec<PyReadonlyArray2<'_, Real>>>,
    ) -> PyResult<()> {
        let positions = columns(py, positions, DVec3::from_array)?;
        let velocities = columns(py, velocities, Vec3::from_array)?;
        let chosen = worlds.clone();
        let given = self.work(py, Some(worlds), |number, world, _| {
            let place = chosen.iter().rposition(|&world| world == number);
            let place = place.unwrap_or_default();
            let order = world.particles().places_by_id(|_| true);
            world.give_motion(NewMotion {
                position: positions.as_ref().map(|all| by_place(&all[place], &order)),
                velocity: velocities.as_ref().map(|all| by_place(&all[place], &order)),
            })
        });
        given.map(|_| ())
    }

    fn poses(&self, py: Python<'_>, collider: &str) -> PyResult<Vec<([f64; 3], [f64; 4])>> {
        let used = self.lock(py)?;
        let worlds = used.worlds.iter().enumerate();
        let poses = worlds.map(|(k, world)| (k, world.pose_of_collider(collider)));
        let poses = all(py, poses.collect())?;
        Ok(poses.into_iter().map(arrays::of_pose).collect())
    }

    fn drive(
        &self,
        py: Python<'_>,
        collider: &str,
        motions: Vec<([f64; 3], [f64; 3])>,
    ) -> PyResult<()> {
        self.each(py, &motions, |world, (velocity, spin)| {
            world.drive(
                collider,
                DVec3::from_array(velocity),
                DVec3::from_array(spin),
            )
        })
    }

    fn drive_to(
        &self,
        py: Python<'_>,
        collider: &str,
        poses: Vec<([f64; 3], Option<[f64; 4]>)>,
        duration: f64,
    ) -> PyResult<()> {
        let poses = poses.into_iter();
        let poses: PyResult<Vec<_>> = poses.map(|(x, turn)| arrays::pose(py, x, turn)).collect();
        self.each(py, &poses?, |world, pose| {
            world.drive_to(collider, pose, duration)
        })
    }

    fn activate(
        &self,
        py: Python<'_>,
        body: &str,
        muscle: &str,
        activations: Vec<f64>,
        duration: f64,
    ) -> PyResult<()> {
        self.each(py, &activations, |world, activation| {
            world.activate(body, muscle, activation, duration)
        })
    }

    fn set_velocity(&self, py: Python<'_>, body: &str, velocities: Vec<[f64; 3]>) -> PyResult<()> {
        self.each(py, &velocities, |world, velocity| {
            world.set_velocity(body, DVec3::from_array(velocity))
        })
    }

    fn push(&self, py: Python<'_>, body: &str, impulses: Vec<[f64; 3]>) -> PyResult<()> {
        self.each(py, &impulses, |world, impulse| {
            world.push(body, DVec3::from_array(impulse))
        })
    }

    fn save<'py>(&self, py: Python<'py>, world: usize) -> PyResult<Bound<'py, PyBytes>> {
        let used = self.lock(py)?;
        check_world(py, world, used.worlds.len())?;
        Ok(PyBytes::new(py, &used.worlds[world].save()))
    }

    fn restore(&self, py: Python<'_>, world: usize, saved: &[u8]) -> PyResult<()> {
        let mut used = self.lock(py)?;
        check_world(py, world, used.worlds.len())?;
        let restored = used.worlds[world].restore(saved);
        restored.map_err(|error| errors::raise(py, error))
    }
}

/// The worlds of a scene with values of their own; worlds with equal values are read once.
fn prepare(
    source: &Source,
    values: &[Vec<String>],
    workers: &[Pool],
) -> Results<pliant::Simulation> {
    let first_with = |own: &Vec<String>| values.iter().position(|other| other == own);
    let first: Vec<usize> = values.iter().filter_map(first_with).collect();
    let distinct: Vec<usize> = (0..values.len()).filter(|&k| first[k] == k).collect();
    let read = side_by_side(
        distinct.iter().map(|&k| (k, &values[k])).collect(),
        workers,
        &|_, own: &Vec<String>| Ok(source.with(own.clone()).prepare(&Pool::surrounding())?),
        &mut || (),
    );
    let mut prepared: Vec<Option<Prepared>> = values.iter().map(|_| None).collect();
    let mut failed = Vec::new();
    for (k, result) in read {
        match result {
            Ok(read) => prepared[k] = Some(read),
            Err(error) => failed.push((k, Err(error))),
        }
    }
    if !failed.is_empty() {
        return failed;
    }
    let worlds = first.into_iter().enumerate();
    let of_worlds = worlds.filter_map(|(k, first)| Some((k, prepared[first].clone()?)));
    side_by_side(
        of_worlds.collect(),
        workers,
        &|_, prepared| pliant::Simulation::on(prepared, Pool::surrounding()),
        &mut || (),
    )
}

/// Does something with each item, whoever is free the next one, and calls `wait` now and then meanwhile. The
/// results are in the order of the items' numbers.
fn side_by_side<T: Send, R: Send>(
    items: Vec<(usize, T)>,
    workers: &[Pool],
    work: &(impl Fn(usize, T) -> Result<R, SimulationError> + Sync),
    wait: &mut dyn FnMut(),
) -> Results<R> {
    let queue = Mutex::new(items.into_iter());
    let results = Mutex::new(Vec::new());
    let busy = Busy::new(workers.len());
    // Whoever is free takes the next item.
    let take_all = || {
        while let Some((number, item)) = next(&queue) {
            let result = work(number, item);
            guard(&results).push((number, result));
        }
    };
    std::thread::scope(|scope| {
        for worker in workers {
            let (busy, take_all) = (&busy, &take_all);
            scope.spawn(move || {
                let _busy = Leaves(busy);
                worker.run(take_all);
            });
        }
        while !busy.is_over_within(PAUSE) {
            wait();
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|&(number, _)| number);
    results
}

/// How many workers are still busy.
struct Busy {
    count: Mutex<usize>,
    changed: Condvar,
}

impl Busy {
    fn new(count: usize) -> Self {
        Self {
            count: Mutex::new(count),
            changed: Condvar::new(),
        }
    }

    /// Waits so long, and tells whether all are done.
    fn is_over_within(&self, time: Duration) -> bool {
        let waited = self
            .changed
            .wait_timeout_while(guard(&self.count), time, |count| *count > 0);
        *waited.unwrap_or_else(PoisonError::into_inner).0 == 0
    }
}

/// A worker, who is no longer busy when he is gone, by a panic too.
struct Leaves<'a>(&'a Busy);

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        *guard(&self.0.count) -= 1;
        self.0.changed.notify_all();
    }
}

fn next<T>(queue: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    guard(queue).next()
}

/// What these guard is whole even if a thread has panicked.
fn guard<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Some worlds by their numbers, or all.
fn choose<'a>(
    py: Python<'_>,
    worlds: &'a mut [pliant::Simulation],
    wanted: Option<Vec<usize>>,
) -> PyResult<Vec<(usize, &'a mut pliant::Simulation)>> {
    let count = worlds.len();
    let Some(wanted) = wanted else {
        return Ok(worlds.iter_mut().enumerate().collect());
    };
    let mut is_wanted = vec![false; count];
    for world in wanted {
        check_world(py, world, count)?;
        is_wanted[world] = true;
    }
    let worlds = worlds.iter_mut().enumerate();
    Ok(worlds.filter(|&(k, _)| is_wanted[k]).collect())
}

fn check_world(py: Python<'_>, world: usize, count: usize) -> PyResult<()> {
    match world < count {
        true => Ok(()),
        false => {
            let message = format!("there is no world {world}; there are {count}, from 0");
            Err(errors::named(py, "UnknownNameError", &message))
        }
    }
}

fn check_count(py: Python<'_>, given: usize, count: usize) -> PyResult<()> {
    match given == count {
        true => Ok(()),
        false => {
            let message = format!("a value for each of the {count} worlds is wanted, not {given}");
            Err(errors::named(py, "InvalidValueError", &message))
        }
    }
}

/// All results, or the exception of those that failed.
fn all<R>(py: Python<'_>, results: Results<R>) -> PyResult<Vec<R>> {
    let failed: Vec<usize> = results
        .iter()
        .filter(|(_, result)| result.is_err())
        .map(|&(number, _)| number)
        .collect();
    let results: Result<Vec<R>, _> = results.into_iter().map(|(_, result)| result).collect();
    results.map_err(|error| errors::of_worlds(py, error, &failed))
}

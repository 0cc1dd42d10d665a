//! Heaps poured from a height: their slope.

use std::sync::Arc;

use pliant_core::measure::FrameReport;
use pliant_core::measure::probes::{KINDS, ProbeContext};
use pliant_core::step::StepError;
use pliant_core::world::{Emitter, World};
use pliant_geometry::sampling::{Sampling, fill};
use pliant_geometry::shapes::Cylinder;
use pliant_geometry::{MeshSource, TriangleMesh, in_order};
use pliant_materials::laws::YieldSurface;
use pliant_math::{DQuat, DVec3, Pose, RandomStream};
use pliant_parameters::{Problem, Value, Values};

use crate::{Case, Claim, Expected, Figure, run, sand_of};

/// Heaps whose slopes are averaged: single ones scatter, and the more the steeper they are, by 4 to 8 degrees at 40.
const HEAPS: u64 = 3;

/// Slopes of poured heaps.
pub const SLOPES: Claim = Claim {
    statement: "the flanks of three poured heaps lie within 5 degrees of the friction angle on average, at 40 degrees within 8",
    measure: || slopes(&[(20.0, 5.0), (30.0, 5.0), (40.0, 8.0)], HEAPS),
};

/// Mean slopes of so many heaps by their friction angles, and how far they may be from them [degrees].
fn slopes(angles: &[(f64, f64)], heaps: u64) -> Result<Vec<Figure>, StepError> {
    let mut figures = Vec::new();
    for &(angle, distance) in angles {
        let what = format!("slope of the flank, {angle} degrees [degrees]");
        let heap = |seed| Heap {
            surface: YieldSurface::DruckerPrager,
            friction_angle: angle,
            seed,
        };
        let sum: Result<f64, StepError> = (1..=heaps).map(|seed| heap(seed).slope()).sum();
        let expected = Expected::Near(angle, distance);
        figures.push(Figure::new(what, sum? / heaps as f64, expected));
    }
    Ok(figures)
}

/// A heap poured onto a floor as rough as its sand.
#[derive(Clone, Copy, Debug)]
pub struct Heap {
    /// Surface of the sand.
    pub surface: YieldSurface,
    /// Friction angle [degrees].
    pub friction_angle: f64,
    /// What the grains of the mouth are drawn from.
    pub seed: u64,
}

const SPACING: f64 = 0.03;
const DT: f64 = 1.5e-3;
/// Grains a second, in a jet so thin that the heap is not washed out.
const RATE: f64 = 450.0;
/// How long it is poured, and until it has come to rest [s].
const POURED: f64 = 5.4;
const REST: f64 = 0.6;

impl Heap {
    /// Slope of its flank at rest as the probe `repose-angle` measures it [degrees].
    ///
    /// # Errors
    /// If a substep fails.
    pub fn slope(&self) -> Result<f64, StepError> {
        let mut world = self.world();
        let substeps = ((POURED + REST) / DT).round() as usize;
        run(&mut world, DT, substeps, |_, _| ())?;
        Ok(slope(&world))
    }

    /// Height of the cone of the friction angle that holds all grains [m].
    fn summit(&self) -> f64 {
        let volume = RATE * POURED * SPACING.powi(3);
        let tangent = self.friction_angle.to_radians().tan();
        (3.0 * volume * tangent * tangent / std::f64::consts::PI).cbrt()
    }

    fn world(&self) -> World {
        let mouth = Cylinder {
            radius: 0.07,
            height: 0.05,
        };
        let pose = Pose {
            rotation: DQuat::IDENTITY,
            translation: DVec3::Y * (0.15 + self.summit()),
        };
        let random = RandomStream::new(self.seed, 1);
        let seeds = fill(&mouth, SPACING, Sampling::Poisson, 0.0, random, in_order);
        let material = sand_of(self.surface, 1600.0, 1e6, 0.3, self.friction_angle);
        let roughness = self.friction_angle.to_radians().tan();
        let mut case = Case::new(material, Vec::new(), SPACING).floor(0.0, 0.0, roughness);
        case.setup.emitters.push(Emitter {
            name: "mouth".into(),
            body: 0,
            shape: Arc::new(mouth),
            pose,
            seeds: seeds.iter().map(|&x| pose.to_world(x)).collect(),
            velocity: DVec3::Y * -1.0,
            rate: Some(RATE),
            start: 0.0,
            stop: POURED,
        });
        case.world()
    }
}

/// What the probe `repose-angle` says [degrees].
fn slope(world: &World) -> f64 {
    let center = vec![Value::Number(0.0); 3];
    let mut values = Values::default();
    values.insert("center", Value::List(center));
    let context = ProbeContext {
        setup: &world.setup,
        up: 1,
        meshes: &NoMeshes,
    };
    let probe = KINDS.iter().find(|kind| kind.name == "repose-angle");
    let built = probe.map(|kind| (kind.build)(&values, context));
    match built {
        Some(Ok(probe)) => probe.measure(world, &FrameReport::default())[0],
        other => panic!("no probe measures slopes: {:?}", other.map(|p| p.err())),
    }
}

struct NoMeshes;

impl MeshSource for NoMeshes {
    fn mesh(&self, file: &str) -> Result<Arc<TriangleMesh>, Problem> {
        Err(Problem::at("file", file, "there are none here"))
    }
}

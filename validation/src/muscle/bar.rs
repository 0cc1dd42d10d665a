//! A bar of flesh between two clamps that part or come closer.

use pliant_core::boundaries::Keyframe;
use pliant_core::methods::muscle::{
    Flesh, FleshReading, Incompressibility, Integration, MuscleColumns, MuscleSettings,
    MuscleSetup, body, flesh, read,
};
use pliant_core::step::StepError;
use pliant_core::world::{Setup, World};
use pliant_materials::laws::SolidLaw;
use pliant_math::DVec3;

use super::{DENSITY, SPACING};
use crate::clamps::carry;
use crate::{box_lattice, run, solid};

/// Time in which the clamps come to their goal [s].
const WAY: f64 = 1.0;
/// Time after it in which the bar comes to rest [s], ...
const REST: f64 = 0.6;
/// ... and the last part of it, over which forces are averaged.
const AVERAGED: f64 = 0.2;
/// Substep [s].
const STEP: f64 = 2e-3;
/// Damping [1/s].
const DAMPING: f64 = 8.0;

/// A bar along z.
#[derive(Clone, Debug)]
pub(super) struct Bar {
    /// Particles along each axis.
    pub count: [usize; 3],
    /// Its law.
    pub law: SolidLaw,
    /// Its Young's modulus without fibres [Pa].
    pub youngs_modulus: f64,
    /// What keeps its volume.
    pub incompressibility: Incompressibility,
}

/// What a bar does between its clamps.
#[derive(Clone, Debug)]
pub(super) struct Pulled {
    /// Mean stretch along the bar, and mean det F, of its middle third on the way: clamps hold the ends, so that the
    /// middle is stretched further than the whole.
    pub volumes: Vec<[f64; 2]>,
    /// Force that holds the second clamp along z, over the section at rest [Pa].
    pub stress: f64,
    /// Mean det F of all at the end.
    pub volume: f64,
}

impl Bar {
    /// Its flesh, without fibres.
    pub(super) fn flesh(&self) -> Flesh {
        flesh(SPACING, box_lattice(self.count, SPACING, 0.0))
    }

    /// The bar with its last layer taken to so many times its distance from the first.
    pub(super) fn pulled(&self, flesh: Flesh, stretch: f64) -> Result<Pulled, StepError> {
        let layers = self.count[2];
        let length = (layers - 1) as f64 * SPACING;
        let rest = flesh.shape.position.clone();
        let mut setup = self.setup(flesh);
        for (layer, way) in [(0, 0.0), (layers - 1, length * (stretch - 1.0))] {
            let z = (layer as f64 + 0.5) * SPACING;
            let held = (0_u32..).zip(&rest);
            let held = held.filter(|(_, x)| (x.z - z).abs() < 1e-9);
            let at = |time, z| Keyframe {
                time,
                position: DVec3::Z * z,
                rotation: DVec3::ZERO,
            };
            let keyframes = vec![at(0.0, z), at(WAY, z + way)];
            carry(&mut setup, held.map(|(id, _)| id).collect(), keyframes);
        }
        let dt = STEP;
        let mut world = World::new(setup);
        let count = ((WAY + REST) / dt).ceil() as usize;
        let averaged = (AVERAGED / dt) as usize;
        let (mut volumes, mut impulse, mut done) = (Vec::new(), 0.0, 0);
        run(&mut world, dt, count, |world, report| {
            done += 1;
            if done > count - averaged {
                impulse += report.collider_impulse[1].z;
            }
            if done % (count / 24).max(1) == 0 {
                volumes.push(middle(world, &rest, length));
            }
        })?;
        volumes.push(middle(&world, &rest, length));
        let section = (self.count[0] * self.count[1]) as f64 * SPACING * SPACING;
        Ok(Pulled {
            volumes,
            stress: -impulse / (averaged as f64 * dt) / section,
            volume: mean(&world, |_| true, FleshReading::volume_ratio),
        })
    }

    fn setup(&self, flesh: Flesh) -> Setup {
        let material = solid(DENSITY, self.youngs_modulus, self.law);
        let body = body(0, DENSITY, SPACING, flesh);
        let mut setup = Setup::new(vec![material], vec![body]);
        setup.gravity = DVec3::ZERO;
        setup.solver.xsph_rate = 0.0;
        setup.solver.damping = DAMPING;
        let settings: &mut MuscleSettings = setup.solver.methods.of_mut();
        settings.incompressibility = self.incompressibility;
        settings.integration = Integration::Implicit;
        setup
    }
}

/// Mean stretch along z and mean det F of the middle third of a bar of a length [m].
fn middle(world: &World, rest: &[DVec3], length: f64) -> [f64; 2] {
    let middle = 0.5 * (length + SPACING);
    let is_there = |id: u32| (rest[id as usize].z - middle).abs() <= length / 6.0;
    let mean = |of: fn(&FleshReading) -> f64| mean(world, is_there, of);
    let stretch = |of: &FleshReading| of.deformation_gradient.z_axis.z;
    [mean(stretch), mean(FleshReading::volume_ratio)]
}

/// The mean of a number over those particles whose ids are chosen.
fn mean(
    world: &World,
    is_chosen: impl Fn(u32) -> bool,
    number: impl Fn(&FleshReading) -> f64,
) -> f64 {
    let columns: &MuscleColumns = world.state.methods.of();
    let particles = &world.state.particles;
    let (mut sum, mut count) = (0.0, 0.0);
    let setup = MuscleSetup::of(&world.setup);
    read(&setup, particles, columns, |place, reading| {
        if is_chosen(particles.id[place]) {
            sum += number(&reading);
            count += 1.0;
        }
    });
    sum / count
}

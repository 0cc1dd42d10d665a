//! The method as the bodies of a world name it.

use pliant_materials::{HenckyLaw, ReturnMapping, dispatch_hencky_law};
use pliant_math::{DMat3, Matrix3, Real, SymMat3, hencky_strain};

use super::deformation::volume_ratio;
use super::{Xpbi, XpbiColumns, XpbiSetup};
use crate::method::{
    JoinedBody, LongestStep, Method, MethodState, Reading, Readings, ResolvedStep, StretchOf,
    Tensors, TensorsOf, principal_stretches,
};
use crate::parallel;
use crate::world::{MethodKind, Setup, World};

/// Advised greatest c dt/r of an automatic step.
const ELASTIC_SHARE: f64 = 0.7;

/// Position-based inelasticity.
#[derive(Debug)]
pub(super) struct Kind;

impl MethodKind for Kind {
    fn name(&self) -> &'static str {
        "xpbi"
    }

    fn can_be_fed(&self) -> bool {
        true
    }

    fn solver(&self, setup: &Setup) -> Option<Box<dyn Method>> {
        Some(Box::new(Xpbi::new(XpbiSetup::of(setup))))
    }

    fn initial_state(&self, _: &Setup) -> Option<Box<dyn MethodState>> {
        Some(Box::new(XpbiColumns::default()))
    }

    fn longest_step(&self, setup: &Setup, body: u32) -> LongestStep {
        LongestStep {
            seconds: ELASTIC_SHARE * crossing_time(setup, body),
            reason: "stress may cross 0.7 kernel radii in it",
        }
    }

    fn resolved_step(&self, setup: &Setup, body: u32) -> Option<ResolvedStep> {
        Some(ResolvedStep {
            seconds: crossing_time(setup, body),
            counts_sweeps: false,
        })
    }

    fn read(&self, world: &World, readings: &mut Readings) {
        for_particles(world, &mut readings.of_place, |matter, reading| {
            *reading = matter.reading();
        });
    }

    fn read_energies(&self, world: &World, energies: &mut [f64]) {
        for_particles(world, energies, |matter, energy| *energy = matter.energy());
    }

    fn stretch_of(&self) -> Option<StretchOf> {
        Some(StretchOf::Material)
    }

    fn read_stretches(&self, world: &World, put: &mut dyn FnMut(usize, [f64; 3])) {
        let mut stretches = vec![None; world.state.particles.len()];
        for_particles(world, &mut stretches, |matter, stretch| {
            *stretch = Some(principal_stretches(matter.strain));
        });
        for (place, stretch) in stretches.into_iter().enumerate() {
            if let Some(stretch) = stretch {
                put(place, stretch);
            }
        }
    }

    fn tensors_of(&self) -> Option<TensorsOf> {
        Some(TensorsOf::Flow)
    }

    fn read_tensors(&self, world: &World, put: &mut dyn FnMut(usize, Tensors)) {
        let mut stresses = vec![None; world.state.particles.len()];
        for_particles(world, &mut stresses, |matter, stress| {
            *stress = Some(matter.stress());
        });
        for (place, stress) in stresses.into_iter().enumerate() {
            if let Some(stress) = stress {
                let deformation_gradient = None;
                put(
                    place,
                    Tensors {
                        deformation_gradient,
                        stress,
                    },
                );
            }
        }
    }

    fn joined(&self, setup: &Setup) -> Vec<Vec<JoinedBody>> {
        setup.joined_within_support(XpbiSetup::of(setup).continua())
    }
}

/// Time [s] in which stress crosses r, half the support radius. The density is that of the body's particles,
/// which differs from the material's where a body is given its mass.
fn crossing_time(setup: &Setup, body: u32) -> f64 {
    let body = &setup.bodies[body as usize];
    let density = body.particles.particle_mass / body.particles.particle_volume;
    let modulus = setup.materials[body.material as usize].wave_modulus();
    0.5 * body.support_radius / (modulus / density).sqrt()
}

/// The matter of a particle.
struct Matter<'a> {
    law: &'a HenckyLaw,
    /// E = b - I.
    strain: SymMat3,
    plastic: Real,
    /// Mean rest volume of the body's particles [m3].
    rest_volume: f64,
}

/// Calls `f` with each particle of the method and what belongs to its place.
fn for_particles<T: Send>(
    world: &World,
    of_place: &mut [T],
    f: impl Fn(Matter<'_>, &mut T) + Sync,
) {
    let particles = &world.state.particles;
    let columns: &XpbiColumns = world.state.methods.of();
    let bodies = world.setup.bodies.iter();
    let of_body: Vec<_> = bodies
        .map(|body| {
            let law = world.setup.materials[body.material as usize].law.hencky();
            law.map(|law| (law, body.particles.particle_volume))
        })
        .collect();
    parallel::for_chunks(of_place, |first, of_chunk| {
        for (i, of_particle) in (first..).zip(of_chunk) {
            if let Some((law, rest_volume)) = of_body[particles.body[i] as usize] {
                let matter = Matter {
                    law,
                    strain: columns.strain[i],
                    plastic: columns.plastic[i],
                    rest_volume,
                };
                f(matter, of_particle);
            }
        }
    });
}

impl Matter<'_> {
    fn reading(&self) -> Reading {
        let hencky = hencky_strain(self.strain);
        let stress =
            dispatch_hencky_law!(self.law, |law| law.kirchhoff_stress(hencky, self.plastic));
        let ratio = volume_ratio(self.strain);
        // Cauchy stress is Kirchhoff stress over the volume ratio; its von Mises norm is
        // sqrt(3/2) |dev sigma|.
        let von_mises = stress.deviator().norm() / ratio.max(Real::MIN_POSITIVE) * Real::sqrt(1.5);
        Reading {
            volume_ratio: f64::from(ratio),
            von_mises: f64::from(von_mises),
            energy: self.energy_at(hencky),
            plastic_state: f64::from(self.plastic),
        }
    }

    /// Cauchy stress [Pa]: that of Kirchhoff over the volume ratio.
    fn stress(&self) -> DMat3 {
        let hencky = hencky_strain(self.strain);
        let stress =
            dispatch_hencky_law!(self.law, |law| law.kirchhoff_stress(hencky, self.plastic));
        let ratio = volume_ratio(self.strain).max(Real::MIN_POSITIVE);
        let rows = Matrix3::from(stress).rows;
        DMat3::from_cols_array_2d(&rows.map(|row| row.map(|x| f64::from(x / ratio))))
    }

    /// V0 Psi [J].
    fn energy(&self) -> f64 {
        self.energy_at(hencky_strain(self.strain))
    }

    /// The same, with the Hencky strain known.
    fn energy_at(&self, hencky: SymMat3) -> f64 {
        let density = dispatch_hencky_law!(self.law, |law| {
            law.elasticity().energy_density(hencky) * law.stiffness_factor(self.plastic)
        });
        self.rest_volume * f64::from(density)
    }
}

//! The method as the bodies of a world name it.

use pliant_materials::laws::Solid;
use pliant_math::{DMat3, Real, SymMat3};

use super::{
    SolidReading, StrainEnergy, StrainEnergyColumns, StrainEnergySetup, neighbor_links, read,
};
use crate::constraints::Ordering;
use crate::method::{
    LongestStep, Method, MethodState, MethodStates, Readings, ResolvedStep, StretchOf, Tensors,
    TensorsOf, principal_stretches,
};
use crate::rest::{CutPoint, SurfaceCarrier};
use crate::world::{Body, MethodKind, Setup, State, World};

/// Part of the longest step that sweeps resolve in an automatic one: a bar has its Young's modulus within 2 %.
const SHARE: f64 = 0.5;
/// Spacings that a pressure wave may cross in a step of one sweep in which all projections see the
/// state before: a bar then keeps 97 % of its stiffness, 95 % at 0.7 and three quarters at 0.93.
const JACOBI_CROSSING: f64 = 0.5;

/// Solids with an energy.
#[derive(Debug)]
pub(super) struct Kind;

impl MethodKind for Kind {
    fn name(&self) -> &'static str {
        "strain-energy"
    }

    fn solver(&self, setup: &Setup) -> Option<Box<dyn Method>> {
        Some(Box::new(StrainEnergy::new(StrainEnergySetup::of(setup))))
    }

    fn initial_state(&self, setup: &Setup) -> Option<Box<dyn MethodState>> {
        let solids = StrainEnergySetup::of(setup);
        Some(Box::new(StrainEnergyColumns::at_rest(&solids)))
    }

    fn check_state(&self, setup: &Setup, states: &MethodStates) -> Result<(), String> {
        let columns: &StrainEnergyColumns = states.of();
        columns.check(&StrainEnergySetup::of(setup))
    }

    fn longest_step(&self, setup: &Setup, body: u32) -> LongestStep {
        LongestStep {
            seconds: SHARE * resolved_step(setup, body),
            reason: "sweeps have to follow pressure waves",
        }
    }

    fn resolved_step(&self, setup: &Setup, body: u32) -> Option<ResolvedStep> {
        Some(ResolvedStep {
            seconds: resolved_step(setup, body),
            counts_sweeps: true,
        })
    }

    fn crossing_time(&self, setup: &Setup, body: u32) -> f64 {
        let body = &setup.bodies[body as usize];
        let law = setup.materials[body.material as usize].law.solid();
        law.filter(|law| law.tear_strain.is_none())
            .map_or(f64::INFINITY, |law| crossing_time(body, law))
    }

    fn read(&self, world: &World, readings: &mut Readings) {
        for_particles(
            world,
            |reading| reading,
            |place, solid| {
                let reading = &mut readings.of_place[place];
                reading.volume_ratio = solid.volume_ratio();
                reading.von_mises = solid.von_mises();
                reading.energy = solid.energy;
                if let Some(gradient) = readings.deformation_gradient.get_mut(place) {
                    *gradient = solid.deformation_gradient;
                }
            },
        );
    }

    fn read_energies(&self, world: &World, energies: &mut [f64]) {
        let energy = |reading: SolidReading| reading.energy;
        for_particles(world, energy, |place, energy| energies[place] = energy);
    }

    fn stretch_of(&self) -> Option<StretchOf> {
        Some(StretchOf::Material)
    }

    fn read_stretches(&self, world: &World, put: &mut dyn FnMut(usize, [f64; 3])) {
        let stretches = |reading: SolidReading| stretches_of(reading.deformation_gradient);
        for_particles(world, stretches, put);
    }

    fn tensors_of(&self) -> Option<TensorsOf> {
        Some(TensorsOf::Shape)
    }

    fn read_tensors(&self, world: &World, put: &mut dyn FnMut(usize, Tensors)) {
        for_particles(world, |reading| reading.tensors(), put);
    }

    fn links(&self, world: &World, ids: &[u32]) -> Vec<[u32; 2]> {
        let columns: &StrainEnergyColumns = world.state.methods.of();
        neighbor_links(
            &StrainEnergySetup::of(&world.setup),
            &columns.broken_bonds,
            ids,
        )
    }

    fn carries_surfaces(&self) -> bool {
        true
    }

    fn can_be_cut(&self) -> bool {
        true
    }

    fn surface_carriers(&self, setup: &Setup) -> Vec<SurfaceCarrier> {
        let bodies = StrainEnergySetup::of(setup).bodies;
        bodies.iter().map(|body| body.carrier()).collect()
    }

    fn cut_points<'a>(&self, state: &'a State) -> &'a [CutPoint] {
        state
            .methods
            .of::<StrainEnergyColumns>()
            .broken_bonds
            .cut_points()
    }
}

/// Calls `f(place, what)` for each particle, with what is wanted of its reading.
fn for_particles<T: Clone + Send>(
    world: &World,
    wanted: impl Fn(SolidReading) -> T + Sync,
    f: impl FnMut(usize, T),
) {
    let setup = StrainEnergySetup::of(&world.setup);
    let state = &world.state;
    read(&setup, &state.particles, state.methods.of(), wanted, f);
}

/// The longest step [s] that sweeps over a body resolve: a pressure wave crosses a spacing a sweep, or half of
/// one where projections do not see each other.
fn resolved_step(setup: &Setup, body: u32) -> f64 {
    let body = &setup.bodies[body as usize];
    let Some(law) = setup.materials[body.material as usize].law.solid() else {
        return f64::INFINITY;
    };
    let crossed = match setup.solver.ordering {
        Ordering::GaussSeidel => f64::from(setup.solver.iterations),
        Ordering::Jacobi => JACOBI_CROSSING,
    };
    crossed * crossing_time(body, law)
}

/// Time [s] in which a pressure wave crosses a spacing.
fn crossing_time(body: &Body, law: &Solid) -> f64 {
    let density = body.particles.particle_mass / body.particles.particle_volume;
    body.spacing / (f64::from(law.greatest_stiffness()) / density).sqrt()
}

/// Principal stretches of F, by E = F F^T - I.
fn stretches_of(f: DMat3) -> [f64; 3] {
    let m = f * f.transpose() - DMat3::IDENTITY;
    let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
    let [xx, yy, zz, xy, xz, yz] = [x.x, y.y, z.z, x.y, x.z, y.z].map(|c| c as Real);
    principal_stretches(SymMat3::new(xx, yy, zz, xy, xz, yz))
}

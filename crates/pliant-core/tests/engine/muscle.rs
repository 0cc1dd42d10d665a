//! Flesh and muscle: forces, conservation, volume, what muscles do.

mod balance;
mod bundles;
mod cantilever;
mod contact;
mod densities;
mod failures;
mod forces;
mod lengths;
mod motion;
mod swimming;
mod viscosity;

use pliant_core::methods::muscle::{self, Flesh, Incompressibility, Integration, MuscleSettings};
use pliant_core::world::{Material, Setup};
use pliant_materials::laws::{Corotated, Solid, SolidLaw};
use pliant_materials::{LameModuli, Law};
use pliant_math::{DVec3, Real};

pub const SPACING: f64 = 0.02;
pub const DENSITY: f64 = 1000.0;
pub const YOUNGS_MODULUS: f64 = 5e4;

/// What is lost to rounding in double and in single precision.
pub fn by_precision(double: f64, single: f64) -> f64 {
    if size_of::<Real>() == 8 {
        double
    } else {
        single
    }
}

/// Corotated flesh.
pub fn corotated(poissons_ratio: f64) -> SolidLaw {
    let moduli = LameModuli::from_youngs(YOUNGS_MODULUS, poissons_ratio);
    SolidLaw::Corotated(Corotated { moduli })
}

/// Particles in the middles of so many cells along each axis.
pub fn block([nx, ny, nz]: [usize; 3]) -> Flesh {
    let at = |k: usize| {
        DVec3::new(
            (k % nx) as f64,
            (k / nx % ny) as f64,
            (k / (nx * ny)) as f64,
        )
    };
    let position = (0..nx * ny * nz).map(|k| (at(k) + 0.5) * SPACING);
    muscle::flesh(SPACING, position.collect())
}

/// A weightless world of bodies of a law, without anything that keeps their volume.
pub fn world_of(law: SolidLaw, bodies: Vec<Flesh>) -> Setup {
    let material = Material {
        name: "flesh".into(),
        density: DENSITY,
        youngs_modulus: YOUNGS_MODULUS,
        law: Law::Solid(Solid::elastic(law)),
    };
    let bodies = bodies.into_iter();
    let bodies = bodies.map(|flesh| muscle::body(0, DENSITY, SPACING, flesh));
    let mut setup = Setup::new(vec![material], bodies.collect());
    setup.gravity = DVec3::ZERO;
    setup.solver.xsph_rate = 0.0;
    let settings = settings(&mut setup);
    settings.integration = Integration::Explicit;
    settings.incompressibility = Incompressibility::None;
    setup
}

/// The settings of the method.
pub fn settings(setup: &mut Setup) -> &mut MuscleSettings {
    setup.solver.methods.of_mut()
}

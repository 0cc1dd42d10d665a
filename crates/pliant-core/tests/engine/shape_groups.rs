//! Shape groups: forces, moduli, bending, conservation.

mod coarse;
mod crushed;
mod cut_cells;
mod damping;
mod elements;
mod forces;
mod moduli;
mod momentum;
mod neighborhoods;
mod planar;
mod scales;
mod tearing;

use pliant_core::methods::shape_groups::{self, ParticleGroups};
use pliant_core::world::{Body, Material, Setup, World};
use pliant_materials::laws::{PolynomialNeoHookean, Solid, SolidLaw};
use pliant_materials::{LameModuli, Law};
use pliant_math::{DVec3, Pose, Real, to_double};

const SPACING: f64 = 0.05;
const DENSITY: f64 = 1000.0;
const YOUNGS_MODULUS: f64 = 1e5;

/// What is lost to rounding in single and in double precision.
fn by_precision(double: f64, single: f64) -> f64 {
    if size_of::<Real>() == 8 {
        double
    } else {
        single
    }
}

/// The law of the method with a Poisson's ratio.
pub fn rubber(poissons_ratio: f64) -> Solid {
    let moduli = LameModuli::from_youngs(YOUNGS_MODULUS, poissons_ratio);
    Solid::elastic(SolidLaw::PolynomialNeoHookean(PolynomialNeoHookean {
        moduli,
    }))
}

/// A weightless world of one material.
pub fn world_of(law: Solid, bodies: Vec<Body>) -> Setup {
    let material = Material {
        name: "rubber".into(),
        density: DENSITY,
        youngs_modulus: YOUNGS_MODULUS,
        law: Law::Solid(law),
    };
    let mut setup = Setup::new(vec![material], bodies);
    setup.gravity = DVec3::ZERO;
    setup.solver.iterations = 1;
    setup
}

/// So many hexahedra along each axis from a corner on.
pub fn block([nx, ny, nz]: [i64; 3], corner: DVec3) -> Body {
    let cells: Vec<[i64; 3]> = (0..nx * ny * nz)
        .map(|k| [k % nx, k / nx % ny, k / (nx * ny)])
        .collect();
    let groups = ParticleGroups::hexahedra(&cells, corner, DVec3::splat(SPACING));
    shape_groups::body(0, DENSITY, SPACING, groups, Pose::IDENTITY)
}

/// A step [s] in which a wave crosses so many spacings.
pub fn step(crossed: f64) -> f64 {
    crossed * SPACING / (YOUNGS_MODULUS / DENSITY).sqrt()
}

/// Angular momentum about the origin [kg m2/s].
pub fn angular_momentum(world: &World) -> DVec3 {
    let p = &world.state.particles;
    let of = |i: usize| p.position[i].cross(to_double(p.velocity[i])) * f64::from(p.mass[i]);
    (0..p.len()).map(of).sum()
}

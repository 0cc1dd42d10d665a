//! Shape groups against closed forms, finite elements and what Müller et al. 2022 print.

mod bars;
mod bending;
mod cantilever;
mod dragged;
mod edges;
mod laws;
mod recovery;
mod twist;

pub use bending::{BENDING, BENDING_AS_PUBLISHED};
pub use cantilever::TETRAHEDRA;
pub use dragged::DRAGGED;
pub use laws::{COMPRESSED, STRETCHED};
pub use recovery::RECOVERS;
pub use twist::{TWISTED, TWISTED_AS_PUBLISHED, TWISTED_LAWS};

use pliant_core::methods::shape_groups::{
    self, EnergySolve, Filter, ParticleGroups, ShapeGroupsSettings,
};
use pliant_core::world::Setup;
use pliant_materials::LameModuli;
use pliant_materials::laws::{PolynomialNeoHookean, SolidLaw};
use pliant_math::{DVec3, Pose};

use crate::solid;

/// Side of a hexahedron [m].
const SIDE: f64 = 0.05;
/// Density [kg/m3].
const DENSITY: f64 = 1000.0;
/// Young's modulus [Pa]: waves run 10 m a second along a bar.
const YOUNGS_MODULUS: f64 = 1e5;

/// The law of the paper with a Poisson's ratio.
fn neo_hookean(poissons_ratio: f64) -> SolidLaw {
    let moduli = LameModuli::from_youngs(YOUNGS_MODULUS, poissons_ratio);
    SolidLaw::PolynomialNeoHookean(PolynomialNeoHookean { moduli })
}

/// The filter and the solve of Müller et al. 2022.
fn published() -> ShapeGroupsSettings {
    ShapeGroupsSettings {
        solve: EnergySolve::Sequential,
        filter: Filter::Full,
        ..ShapeGroupsSettings::default()
    }
}

/// A weightless world of one body, swept once a substep. Its surface meets nothing.
fn world_of(law: SolidLaw, mut groups: ParticleGroups) -> Setup {
    let material = solid(DENSITY, YOUNGS_MODULUS, law);
    groups.triangles.clear();
    let body = shape_groups::body(0, DENSITY, SIDE, groups, Pose::IDENTITY);
    let mut setup = Setup::new(vec![material], vec![body]);
    setup.gravity = DVec3::ZERO;
    setup.solver.iterations = 1;
    setup
}

/// Hexahedra, so many along each axis, centred on the z axis from z = 0 on.
fn hexahedra([nx, ny, nz]: [i64; 3]) -> ParticleGroups {
    let cells: Vec<[i64; 3]> = (0..nx * ny * nz)
        .map(|k| [k % nx, k / nx % ny, k / (nx * ny)])
        .collect();
    let corner = DVec3::new(nx as f64, ny as f64, 0.0) * (-0.5 * SIDE);
    ParticleGroups::hexahedra(&cells, corner, DVec3::splat(SIDE))
}

/// A step [s] in which a wave runs along so many sides.
fn step(crossed: f64) -> f64 {
    crossed * SIDE / (YOUNGS_MODULUS / DENSITY).sqrt()
}

//! Blocks of particles above a floor: what tests and benchmarks start from.

use std::sync::Arc;

use pliant_core::boundaries::{Collider, Grip, Motion};
use pliant_core::methods::xpbi::XPBI;
use pliant_core::world::{Body, Material, Setup};
use pliant_geometry::Shape;
use pliant_geometry::shapes::Plane;
use pliant_materials::laws::{
    CamClay, DruckerPrager, Elastic, HerschelBulkley, Snow, VonMises, YieldSurface,
};
use pliant_materials::{HenckyElasticity, HenckyLaw};
use pliant_math::{DVec3, Pose};

/// Young's modulus [Pa] of all materials here.
const YOUNGS_MODULUS: f64 = 2e5;

/// Elastic, von Mises, sand, a pseudoplastic, Cam-Clay and snow, in this order.
pub fn materials() -> Vec<Material> {
    let elasticity = HenckyElasticity::from_youngs(YOUNGS_MODULUS, 0.3);
    let laws = [
        HenckyLaw::Elastic(Elastic { elasticity }),
        HenckyLaw::VonMises(VonMises::new(elasticity, 2e3)),
        HenckyLaw::DruckerPrager(DruckerPrager::new(
            elasticity,
            YieldSurface::default(),
            0.6,
            0.0,
            true,
        )),
        HenckyLaw::HerschelBulkley(HerschelBulkley {
            elasticity,
            yield_deviator: 2e2,
            consistency_deviator: 30.0,
            flow_index: 0.4,
        }),
        HenckyLaw::CamClay(CamClay {
            elasticity,
            initial_volume_strain: -0.005,
            cohesion_ratio: 0.2,
            hardening: 3.0,
            critical_state_slope: 1.85,
        }),
        HenckyLaw::Snow(Snow::new(elasticity, 0.01, 0.005, 10.0)),
    ];
    laws.map(|law| Material {
        name: "material".into(),
        density: 1000.0,
        youngs_modulus: YOUNGS_MODULUS,
        law: law.into(),
    })
    .to_vec()
}

/// A body of a material with particles on a lattice of `size` from a corner on, moving.
pub fn block(
    material: u32,
    size: [usize; 3],
    spacing: f64,
    corner: DVec3,
    velocity: DVec3,
) -> Body {
    let [nx, ny, nz] = size;
    let place = |k: usize| {
        let cell = DVec3::new((k % nx) as f64, (k / nx % ny) as f64, (k / nx / ny) as f64);
        corner + (cell + DVec3::splat(0.5)) * spacing
    };
    body(
        material,
        spacing,
        (0..nx * ny * nz).map(place).collect(),
        velocity,
    )
}

/// A body of a material with given particles.
pub fn body(material: u32, spacing: f64, position: Vec<DVec3>, velocity: DVec3) -> Body {
    let mut body = Body::new(XPBI, material, 1000.0, spacing, position);
    body.particles.velocity.fill(velocity);
    body
}

/// Bodies above a rough floor, under gravity.
pub fn setup(bodies: Vec<Body>) -> Setup {
    Setup {
        colliders: vec![floor()],
        ..Setup::new(materials(), bodies)
    }
}

fn floor() -> Collider {
    collider(Plane { normal: DVec3::Y }, Motion::Rest(Pose::IDENTITY))
}

/// A collider with some friction.
pub fn collider(shape: impl Shape + 'static, motion: Motion) -> Collider {
    Collider {
        name: "collider".into(),
        shape: Arc::new(shape),
        motion,
        two_sided: false,
        grip: Grip::Separate,
        friction: 0.5,
        restitution: 0.0,
        color: [0.5; 3],
        opacity: 1.0,
        gloss: 0.1,
    }
}

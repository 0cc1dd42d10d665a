//! Sheets that the tests are made of.

use pliant_core::methods::cloth;
use pliant_core::rest::{ALTERNATING_DIAGONALS, Fabric};
use pliant_core::world::{Body, Material, Setup};
use pliant_materials::{ClothLaw, Law};
use pliant_math::{DVec3, Pose};

use crate::blocks::setup;

/// Cotton that is somewhat softer than it is.
pub const LAW: ClothLaw = ClothLaw {
    thickness: 4e-4,
    contact_thickness: None,
    warp_stiffness: 400.0,
    weft_stiffness: 400.0,
    shear_stiffness: 30.0,
    bending_stiffness: 1e-5,
    tear_strain: None,
};

/// Density [kg/m3] of the cloth.
pub const DENSITY: f64 = 400.0;

/// Index of the material in [`world_of`], after those of blocks.
const CLOTH: u32 = 6;

/// A world of sheets under gravity above a floor; cloth is the last material.
pub fn world_of(law: ClothLaw, bodies: Vec<Body>) -> Setup {
    let mut setup = setup(Vec::new());
    setup.materials.push(Material {
        name: "cotton".into(),
        density: DENSITY,
        youngs_modulus: 0.0,
        law: Law::Cloth(law),
    });
    setup.bodies = bodies;
    setup
}

/// A sheet of so many vertices along x and z about the origin of a pose.
pub fn sheet(law: ClothLaw, [nx, nz]: [usize; 2], spacing: f64, pose: Pose) -> Body {
    let place = |i: usize, n: usize| (i as f64 - 0.5 * (n - 1) as f64) * spacing;
    let vertices = (0..nz).flat_map(|z| (0..nx).map(move |x| (x, z)));
    let rest_position: Vec<DVec3> = vertices
        .map(|(x, z)| DVec3::new(place(x, nx), 0.0, place(z, nz)))
        .collect();
    let vertex = |x: usize, z: usize| (z * nx + x) as u32;
    let mut triangles = Vec::new();
    for z in 0..nz - 1 {
        for x in 0..nx - 1 {
            let [a, b] = [vertex(x, z), vertex(x + 1, z)];
            let [c, d] = [vertex(x, z + 1), vertex(x + 1, z + 1)];
            if (x + z) % 2 == 0 {
                triangles.extend([[a, c, d], [a, d, b]]);
            } else {
                triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
    }
    let fabric = Fabric::new(triangles, rest_position, DVec3::X, ALTERNATING_DIAGONALS);
    let thickness = (DENSITY * law.thickness, law.thickness);
    Body {
        friction: 0.4,
        ..cloth::body(CLOTH, thickness, spacing, fabric, pose)
    }
}

/// A pose without rotation.
pub fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose {
        translation: DVec3::new(x, y, z),
        ..Pose::IDENTITY
    }
}

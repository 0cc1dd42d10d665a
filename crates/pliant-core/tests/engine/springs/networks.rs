//! Networks that the tests are made of.

use pliant_core::methods::springs::{self, Network};
use pliant_core::world::{Body, Material, Setup, World};
use pliant_materials::springs::{CubicSpring, SpringCurve};
use pliant_materials::{Law, SpringLaw, Springs};
use pliant_math::{DVec3, Pose};

use crate::blocks::setup;

/// Index of the material in [`world_of`], after those of blocks.
const SPRINGS: u32 = 6;

/// K1 = 6 K and K2 = 2 K at a tenth of the length, Vogiannou et al. 2010.
pub fn cubic(stiffness: f64) -> SpringCurve {
    cubic_of(stiffness, [6.0, 2.0], 0.1)
}

/// A cubic curve with stiffnesses over that at rest, at an offset of the length either way.
pub fn cubic_of(stiffness: f64, [stretched, compressed]: [f64; 2], offset: f64) -> SpringCurve {
    let spring = CubicSpring {
        stiffness,
        stretched_stiffness: stretched * stiffness,
        compressed_stiffness: compressed * stiffness,
        stretched_length: 1.0 + offset,
        compressed_length: 1.0 - offset,
    };
    spring.curve().expect("monotone")
}

/// A law of springs of a curve.
pub fn law(curve: SpringCurve) -> Springs {
    Springs::new(SpringLaw::Curve(curve))
}

/// A world without colliders under gravity; springs are the last material.
pub fn world_of(law: Springs, bodies: Vec<Body>) -> Setup {
    let mut setup = setup(Vec::new());
    setup.materials.push(Material {
        name: "springs".into(),
        density: 1000.0,
        youngs_modulus: 0.0,
        law: Law::Springs(law),
    });
    setup.colliders.clear();
    setup.bodies = bodies;
    setup
}

/// A body of a network of particles of equal mass [kg] at a pose.
pub fn network(network: Network, spacing: f64, particle_mass: f64, pose: Pose) -> Body {
    let mass = particle_mass * network.rest_position.len() as f64;
    Body {
        friction: 0.4,
        ..springs::body(SPRINGS, mass, spacing, network, pose)
    }
}

/// A sheet of so many particles along x and z about the origin of a pose, of a mass in all [kg].
pub fn sheet([nx, nz]: [usize; 2], spacing: f64, mass: f64, pose: Pose) -> Body {
    let place = |i: usize, n: usize| (i as f64 - 0.5 * (n - 1) as f64) * spacing;
    let at = |k: usize| DVec3::new(place(k % nx, nx), 0.0, place(k / nx, nz));
    let mut triangles = Vec::new();
    for z in 0..nz - 1 {
        for x in 0..nx - 1 {
            let a = (z * nx + x) as u32;
            let [b, c, d] = [a + 1, a + nx as u32, a + nx as u32 + 1];
            if (x + z) % 2 == 0 {
                triangles.extend([[a, c, d], [a, d, b]]);
            } else {
                triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
    }
    let points = (0..nx * nz).map(at).collect();
    let grid = Network::grid([nx, nz], points, triangles);
    network(grid, spacing, mass / (nx * nz) as f64, pose)
}

/// A lattice of so many particles from a corner on.
pub fn lattice([nx, ny, nz]: [usize; 3], spacing: f64, mass: f64, corner: DVec3) -> Body {
    let at = |k: usize| {
        DVec3::new((k % nx) as f64, (k / nx % ny) as f64, (k / nx / ny) as f64) * spacing + corner
    };
    let count = nx * ny * nz;
    let network_of = Network::lattice((0..count).map(at).collect(), spacing);
    network(network_of, spacing, mass / count as f64, Pose::IDENTITY)
}

/// Positions in order of the ids.
pub fn positions(world: &World) -> Vec<DVec3> {
    let p = &world.state.particles;
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_unstable_by_key(|&i| p.id[i]);
    order.into_iter().map(|i| p.position[i]).collect()
}

/// Kinetic energy [J].
pub fn kinetic_energy(world: &World) -> f64 {
    let p = &world.state.particles;
    let of = |i: usize| 0.5 * f64::from(p.mass[i]) * f64::from(p.velocity[i].length_squared());
    (0..p.len()).map(of).sum()
}

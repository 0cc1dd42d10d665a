//! Momentum of bodies that nothing touches.

use pliant_core::step::StepError;
use pliant_core::world::{Material, World};
use pliant_math::{DVec3, to_double};

use crate::{
    Case, Claim, Expected, Figure, box_lattice, by_precision, center_of_mass, elastic, run,
    von_mises,
};

/// Linear and angular momentum, sums over a hundred steps.
pub const KEPT: Claim = Claim {
    statement: "a rotating, shearing block keeps its linear and angular momentum",
    measure: || {
        let mut figures = Vec::new();
        for (name, material) in materials() {
            for xsph_rate in [0.0, 10.0] {
                let drift = drift(material.clone(), xsph_rate)?;
                let what = format!("linear momentum, {name}, XSPH {xsph_rate}/s");
                let bound = Expected::AtMost(by_precision(1e-12, 1e-5));
                figures.push(Figure::new(what, drift.linear, bound));
                let what = format!("angular momentum, {name}, XSPH {xsph_rate}/s");
                let bound = match xsph_rate {
                    0.0 => Expected::AtMost(by_precision(1e-10, 1e-5)),
                    _ => Expected::Finite,
                };
                figures.push(Figure::new(what, drift.angular, bound));
            }
        }
        Ok(figures)
    },
};

fn materials() -> [(&'static str, Material); 2] {
    [
        ("elastic", elastic(1000.0, 1e5, 0.3)),
        ("von Mises", von_mises(1000.0, 1e5, 0.3, 500.0)),
    ]
}

/// Changes relative to the sums of sizes.
struct MomentumDrift {
    linear: f64,
    angular: f64,
}

fn drift(material: Material, xsph_rate: f64) -> Result<MomentumDrift, StepError> {
    let spacing = 0.1;
    let middle = DVec3::splat(0.5);
    let velocity = |x: DVec3| {
        let d = x - middle;
        DVec3::new(0.4, -0.2, 0.1) + DVec3::new(1.0, 2.0, -1.5).cross(d) + DVec3::X * (3.0 * d.y)
    };
    let mut case = Case::new(material, box_lattice([10; 3], spacing, 0.2), spacing)
        .weightless()
        .moving(velocity);
    case.setup.solver.xsph_rate = xsph_rate;
    let mut world = case.world();
    let start = Momenta::of(&world);
    run(&mut world, 5e-4, 100, |_, _| ())?;
    let end = Momenta::of(&world);
    Ok(MomentumDrift {
        linear: (end.linear - start.linear).length() / start.linear_size,
        angular: (end.angular - start.angular).length() / start.angular_size,
    })
}

struct Momenta {
    linear: DVec3,
    linear_size: f64,
    angular: DVec3,
    angular_size: f64,
}

impl Momenta {
    fn of(world: &World) -> Self {
        let particles = &world.state.particles;
        let center = center_of_mass(world);
        let mut sums = Self {
            linear: DVec3::ZERO,
            linear_size: 0.0,
            angular: DVec3::ZERO,
            angular_size: 0.0,
        };
        for i in 0..particles.len() {
            let momentum = to_double(particles.velocity[i]) * f64::from(particles.mass[i]);
            let arm = particles.position[i] - center;
            sums.linear += momentum;
            sums.linear_size += momentum.length();
            // About the origin: a body that moves carries the centre with it.
            sums.angular += particles.position[i].cross(momentum);
            sums.angular_size += arm.length() * momentum.length();
        }
        sums
    }
}

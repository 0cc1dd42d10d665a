//! Blocks crushed so far that the corotated law applies.

use pliant_core::step::StepError;
use pliant_core::world::World;
use pliant_materials::dispatch_solid_law;
use pliant_materials::laws::SolidLaw;
use pliant_math::DVec3;

use super::curves::{POISSONS_RATIO, STRESSES, laws, least_stretch, mirror};
use crate::backend::stepper;
use crate::{Case, Claim, Curve, Expected, Figure, box_lattice, solid};

/// Between plates, where only the law that takes over in crushed material gives the stress.
pub const BLENDS: Claim = Claim {
    statement: "the stress of a crushed block is that of the corotated law",
    measure: || {
        let mut figures = Vec::new();
        for (name, law) in laws() {
            let Some(least) = dispatch_solid_law!(law, |law| least_stretch(&law)) else {
                continue;
            };
            let mut points = Vec::new();
            for share in [0.95, 0.85, 0.7] {
                let stretch = share * f64::from(least);
                if stretch < FOLDS {
                    continue;
                }
                let measured = held_stress(law, stretch)?;
                points.push([stretch, measured]);
                figures.push(Figure::new(
                    format!("stress in Young's moduli at a stretch of {stretch:.3}, {name}"),
                    measured,
                    // The corotated law is Hooke's where nothing turns.
                    Expected::within(stretch - 1.0, 0.05),
                ));
            }
            if let Some(last) = figures.pop() {
                let name = format!("{name}, crushed");
                figures.push(last.with(Curve::measured(STRESSES, name, points)));
            }
        }
        Ok(figures)
    },
};

/// At smaller stretches blocks fold inside and push less: corotated material so short hardly resists shear.
const FOLDS: f64 = 0.28;
const SIZE: [usize; 3] = [6, 8, 8];
const SPACING: f64 = 0.05;
const DENSITY: f64 = 1000.0;
/// Of [`laws`].
const YOUNGS_MODULUS: f64 = 1e5;
/// dt sqrt(E / rho) / spacing: plates take back what the ends moved in a step.
const COURANT_NUMBER: f64 = 0.1;

/// Stress [Young's moduli] of a block between plates that start and stay at a stretch, and along which
/// its ends may slide. Its sides are free, and start where the corotated law wants them.
fn held_stress(law: SolidLaw, stretch: f64) -> Result<f64, StepError> {
    let points = box_lattice(SIZE, SPACING, 0.0);
    let mut case = Case::new(solid(DENSITY, YOUNGS_MODULUS, law), points, SPACING).weightless();
    // Crushed, what was apart at rest is nearer than contacts allow.
    case.body().meets_itself = false;
    let sound = (YOUNGS_MODULUS / DENSITY).sqrt();
    let height = SIZE[0] as f64 * SPACING;
    case.setup.solver.damping = std::f64::consts::PI * sound / height;
    case.setup.solver.iterations = 1;
    let mut world = case.world();
    let across = 1.0 - POISSONS_RATIO * (stretch - 1.0);
    let middle = 0.5 * SPACING * DVec3::from_array(SIZE.map(|n| n as f64));
    for x in &mut world.state.particles.position {
        *x = middle + (*x - middle) * DVec3::new(stretch, across, across);
    }
    let plate = 0.5 * stretch * (SIZE[0] - 1) as f64 * SPACING;
    let dt = COURANT_NUMBER * SPACING / sound;
    let mut stepper = stepper();
    // The mean over the second half: crushed blocks tremble.
    let steps = (20.0 * height / sound / dt) as usize;
    let mut force = 0.0;
    for step in 0..steps {
        stepper.substep(&mut world, dt)?;
        let impulse = hold_ends(&mut world, middle.x, plate);
        if 2 * step >= steps {
            force += impulse / dt / (0.5 * steps as f64);
        }
        mirror(&mut world, SIZE, middle);
    }
    let area = (SIZE[1] * SIZE[2]) as f64 * SPACING.powi(2);
    Ok(force / (area * YOUNGS_MODULUS))
}

/// Puts both ends where plates are, at a distance [m] of the middle: the impulse [N s] that pulls at one
/// plate.
fn hold_ends(world: &mut World, middle: f64, plate: f64) -> f64 {
    let p = &mut world.state.particles;
    let mut impulse = 0.0;
    for i in 0..p.len() {
        let section = p.id[i] as usize % SIZE[0];
        let side = if section == 0 {
            -1.0
        } else if section == SIZE[0] - 1 {
            1.0
        } else {
            continue;
        };
        impulse -= 0.5 * side * f64::from(p.mass[i]) * f64::from(p.velocity[i].x);
        p.velocity[i].x = 0.0;
        p.position[i].x = middle + side * plate;
    }
    impulse
}

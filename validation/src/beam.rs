//! A clamped beam under its own weight.

use std::f64::consts::TAU;

use pliant_core::methods::xpbi::{PositionCorrection, XpbiSettings};
use pliant_core::step::StepError;
use pliant_core::world::{Material, World};
use pliant_math::DVec3;

use crate::{Case, Claim, Curve, Expected, Figure, Plot, box_lattice, elastic, run};

/// Six rows of particles.
pub const SIX_ROWS: Claim = Claim {
    statement: "a beam of 6 rows sags at most 1.24 times as far as beam theory",
    measure: || figure(6, 2.0, 1.24),
};

/// Eight rows of particles.
pub const EIGHT_ROWS: Claim = Claim {
    statement: "a beam of 8 rows sags at most 1.15 times as far as beam theory",
    measure: || figure(8, 2.0, 1.15),
};

/// Twelve rows of particles.
pub const TWELVE_ROWS: Claim = Claim {
    statement: "a beam of 12 rows sags at most 1.08 times as far as beam theory",
    measure: || figure(12, 2.0, 1.08),
};

/// Eight rows and a wider kernel.
pub const WIDE_SUPPORT: Claim = Claim {
    statement: "a beam of 8 rows with support 2.6 sags at most 1.20 times as far as beam theory",
    measure: || figure(8, 2.6, 1.20),
};

/// A square beam four times as long as thick, its first two rows of particles held.
#[derive(Clone, Copy, Debug)]
pub struct Beam {
    /// Rows of particles across the thickness.
    pub rows: usize,
    /// Kernel support radius in spacings.
    pub support: f64,
    /// Young's modulus [Pa].
    pub youngs_modulus: f64,
    /// Free length [m].
    pub length: f64,
    /// Largest displacement of the lattice, in spacings.
    pub jitter: f64,
    /// How far before the first free row's edge the clamp is thought to be, in spacings.
    pub clamp: f64,
    /// The material of a density [kg/m3], a Young's modulus [Pa] and a Poisson's ratio.
    pub material: fn(f64, f64, f64) -> Material,
}

const DENSITY: f64 = 100.0;
const POISSONS_RATIO: f64 = 0.3;
const GRAVITY: f64 = 9.81;
const CLAMPED_ROWS: usize = 2;

impl Beam {
    /// The beam of the book: E = 1e6 Pa, 0.2 m, which sags by half a per cent of its length.
    pub fn new(rows: usize, support: f64) -> Self {
        Self {
            rows,
            support,
            youngs_modulus: 1e6,
            length: 0.2,
            jitter: 0.0,
            clamp: 0.0,
            material: elastic,
        }
    }

    /// Deflection [m] of the axis at a distance [m] from the clamp by Euler–Bernoulli bending and
    /// Timoshenko shear (shear coefficient of a rectangle by Cowper 1966), small deflections.
    pub fn theory(&self, distance: f64) -> f64 {
        let thickness = self.length / 4.0;
        let area = thickness * thickness;
        let load = DENSITY * GRAVITY * area;
        let bending = self.youngs_modulus * thickness.powi(4) / 12.0;
        let shear_modulus = self.youngs_modulus / (2.0 * (1.0 + POISSONS_RATIO));
        let coefficient = 10.0 * (1.0 + POISSONS_RATIO) / (12.0 + 11.0 * POISSONS_RATIO);
        let before = self.clamp * self.spacing();
        let (x, l) = (distance + before, self.length + before);
        load * x * x * (6.0 * l * l - 4.0 * l * x + x * x) / (24.0 * bending)
            + load * (l * x - 0.5 * x * x) / (coefficient * shear_modulus * area)
    }

    /// The case: the beam lies along x, clamped at x < 0.
    pub fn case(&self) -> Case {
        let spacing = self.spacing();
        let size = [4 * self.rows + CLAMPED_ROWS, self.rows, self.rows];
        let clamp = DVec3::X * (CLAMPED_ROWS as f64 * spacing);
        let points = box_lattice(size, spacing, self.jitter);
        let points = points.into_iter().map(|x| x - clamp).collect();
        let material = (self.material)(DENSITY, self.youngs_modulus, POISSONS_RATIO);
        let mut case = Case::new(material, points, spacing)
            .with_support(self.support)
            .pin(|x| x.x < 0.0);
        case.setup
            .solver
            .methods
            .of_mut::<XpbiSettings>()
            .correction = PositionCorrection::None;
        case
    }

    /// Deflection of the tip row over theory once the beam hangs still: a quarter of the lowest
    /// mode's period moves the tip by less than a thousandth of its sag.
    ///
    /// # Errors
    /// If a substep fails.
    pub fn deflection_ratio(&self) -> Result<f64, StepError> {
        let mut case = self.case();
        case.setup.solver.iterations = 4;
        // About the lowest mode's critical damping brings it to rest fastest.
        case.setup.solver.damping = 2.0 * self.lowest_frequency();
        let mut world = case.world();
        let dt = self.step();
        let quarter = (0.25 * TAU / self.lowest_frequency() / dt).ceil() as usize;
        let mut sag = self.tip(&world);
        loop {
            run(&mut world, dt, quarter, |_, _| ())?;
            let before = std::mem::replace(&mut sag, self.tip(&world));
            if (sag - before).abs() < 1e-3 * sag.abs() {
                return Ok(sag / self.theory(self.length - 0.5 * self.spacing()));
            }
        }
    }

    /// Mean sag [m] of the last row.
    pub fn tip(&self, world: &World) -> f64 {
        let spacing = self.spacing();
        let start = self.case();
        let position = &start.setup.bodies[0].particles.position;
        let particles = &world.state.particles;
        let moved = particles.position.iter().zip(&particles.id);
        let sags: Vec<f64> = moved
            .filter(|&(_, &id)| position[id as usize].x > self.length - spacing)
            .map(|(x, &id)| position[id as usize].y - x.y)
            .collect();
        sags.iter().sum::<f64>() / sags.len() as f64
    }

    fn spacing(&self) -> f64 {
        self.length / (4 * self.rows) as f64
    }

    fn step(&self) -> f64 {
        0.7 * 0.5 * self.support * self.spacing() / (self.youngs_modulus / DENSITY).sqrt()
    }

    /// Angular frequency [rad/s] of the lowest bending mode of a slender cantilever.
    fn lowest_frequency(&self) -> f64 {
        let thickness = self.length / 4.0;
        let radius_of_gyration = thickness / 12f64.sqrt();
        let wave = (self.youngs_modulus / DENSITY).sqrt();
        3.516 * wave * radius_of_gyration / (self.length * self.length)
    }
}

const TIPS: Plot = Plot {
    title: "Deflection of a clamped beam over theory",
    unit: "",
    across: "rows of particles across the thickness",
    across_unit: "",
    is_logarithmic: [false, false],
};

/// At most so many times as far as theory says, and not less far than it says.
fn sags_at_most(ratio: f64) -> Expected {
    let least = 0.97;
    Expected::Near(0.5 * (ratio + least), 0.5 * (ratio - least))
}

fn figure(rows: usize, support: f64, ratio: f64) -> Result<Vec<Figure>, StepError> {
    let what = format!("deflection over theory, {rows} rows, support {support}");
    let measured = Beam::new(rows, support).deflection_ratio()?;
    let figure = Figure::new(what, measured, sags_at_most(ratio + 0.03));
    let point = vec![[rows as f64, measured]];
    let theory = vec![[6.0, 1.0], [12.0, 1.0]];
    Ok(vec![
        figure
            .with(Curve::measured(
                TIPS,
                format!("support {support} spacings"),
                point,
            ))
            .with(Curve::reference(
                TIPS,
                "Euler-Bernoulli and Timoshenko",
                theory,
            )),
    ])
}

//! A bar that yields, drawn by grips and let go.

use pliant_core::methods::strain_energy::{StrainEnergyColumns, StrainEnergySetup, read};
use pliant_core::step::StepError;
use pliant_core::world::{Material, World};
use pliant_materials::laws::{SaintVenantKirchhoff, Solid, SolidLaw};
use pliant_materials::strain_energy::{PlasticSplit, Plasticity};
use pliant_materials::{LameModuli, Law};
use pliant_math::{Real, Vec3};

use super::bar::{DENSITY, Pull, SIZE};
use crate::{Claim, Curve, Expected, Figure, Plot, run};

/// Both splits of the deformation, each as far as it is meant for.
pub const DRAWN: Claim = Claim {
    statement: "a bar drawn beyond yield and released keeps its plastic strain and its volume",
    measure: || {
        let mut figures = Vec::new();
        for (split, name, draws) in [
            (PlasticSplit::Additive, "additive", &[1.05, 1.10][..]),
            (
                PlasticSplit::Multiplicative,
                "multiplicative",
                &[1.05, 1.10, 1.20],
            ),
        ] {
            let mut points = vec![[1.0, 1.0]];
            for &drawn in draws {
                let left = draw(split, drawn)?;
                points.push([drawn, left.stretch]);
                figures.extend(left.figures(split, name, drawn));
            }
            let estimate = draws.iter().map(|&drawn| [drawn, drawn - YIELD_STRAIN]);
            if let Some(last) = figures.pop() {
                let last = last.with(Curve::measured(LEFT, name, points));
                let estimate =
                    Curve::reference(LEFT, "drawn less the yield strain", estimate.collect());
                figures.push(last.with(estimate));
            }
        }
        Ok(figures)
    },
};

const LEFT: Plot = Plot {
    title: "Stretch that a bar keeps",
    unit: "",
    across: "stretch it was drawn to",
    across_unit: "",
    is_logarithmic: [false, false],
};

/// Yield stress over Young's modulus.
const YIELD_STRAIN: f64 = 0.02;
/// Sections that a grip holds.
const HELD: usize = 2;

/// What a bar keeps.
struct Left {
    /// Length over length at rest, between the grips.
    stretch: f64,
    /// Volume over that at rest.
    volume: f64,
}

impl Left {
    fn figures(&self, split: PlasticSplit, name: &str, drawn: f64) -> [Figure; 2] {
        let estimate = drawn - YIELD_STRAIN;
        let volume = match split {
            PlasticSplit::Multiplicative => Expected::Near(1.0, 0.01),
            // Of I + 2 Ep with Ep = (e, -e/2, -e/2) and 1 + 2e = stretch^2.
            PlasticSplit::Additive => {
                let plastic = 0.5 * (estimate * estimate - 1.0);
                Expected::Near(estimate * (1.0 - plastic), 0.01)
            }
        };
        [
            Figure::new(
                format!("stretch that stays, drawn to {drawn:.2}, {name}"),
                self.stretch,
                Expected::within(estimate, 0.01),
            ),
            Figure::new(
                format!("volume over that before, drawn to {drawn:.2}, {name}"),
                self.volume,
                volume,
            ),
        ]
    }
}

/// Draws a bar slowly and lets it come to rest without a load.
fn draw(split: PlasticSplit, drawn: f64) -> Result<Left, StepError> {
    let pull = Pull {
        stress: 0.0,
        ..Pull::default()
    };
    let mut case = pull.case(metal(&pull, split));
    case.setup.attachments.clear();
    let mut world = case.world();
    let sound = (pull.youngs_modulus / DENSITY).sqrt();
    let dt = pull.courant_number * pull.spacing() / sound;
    let period = 2.0 * pull.length / sound;
    let (drawing, resting) = (10.0 * period, 6.0 * period);

    let at_rest = between_grips(&world);
    hold(&mut world, 0.5 * (drawn - 1.0) * at_rest / drawing);
    run(&mut world, dt, (drawing / dt) as usize, |_, _| ())?;
    let_go(&mut world);
    run(&mut world, dt, (resting / dt) as usize, |_, _| ())?;

    Ok(Left {
        stretch: between_grips(&world) / at_rest,
        volume: volume_ratio(&world),
    })
}

/// Distance of the last sections that grips hold [m].
fn between_grips(world: &World) -> f64 {
    let p = &world.state.particles;
    let mean = |section: usize| {
        let there = (0..p.len()).filter(|&i| p.id[i] as usize % SIZE[0] == section);
        there.map(|i| p.position[i].x).sum::<f64>() / (SIZE[1] * SIZE[2]) as f64
    };
    mean(SIZE[0] - HELD) - mean(HELD - 1)
}

/// Volume over that at rest.
fn volume_ratio(world: &World) -> f64 {
    let setup = StrainEnergySetup::of(&world.setup);
    let mut sum = 0.0;
    read(
        &setup,
        &world.state.particles,
        world.state.methods.of::<StrainEnergyColumns>(),
        |reading| reading,
        |_, reading| sum += reading.volume_ratio(),
    );
    sum / world.state.particles.len() as f64
}

/// Moves both ends apart at a speed [m/s] each.
fn hold(world: &mut World, speed: f64) {
    let p = &mut world.state.particles;
    for i in 0..p.len() {
        let section = p.id[i] as usize % SIZE[0];
        let side = if section < HELD {
            -1.0
        } else if section >= SIZE[0] - HELD {
            1.0
        } else {
            continue;
        };
        p.inverse_mass[i] = 0.0;
        p.velocity[i] = Vec3::X * (side * speed) as Real;
    }
}

fn let_go(world: &mut World) {
    let p = &mut world.state.particles;
    for (w, &mass) in p.inverse_mass.iter_mut().zip(&p.mass) {
        *w = 1.0 / mass;
    }
}

/// Steel's law at rubber's stiffness.
fn metal(pull: &Pull, split: PlasticSplit) -> Material {
    let moduli = LameModuli::from_youngs(pull.youngs_modulus, pull.poissons_ratio);
    // Drawn by a stress s, the deviator's norm is sqrt(2/3) s.
    let yield_deviator = (2f64 / 3.0).sqrt() * YIELD_STRAIN * pull.youngs_modulus;
    let plasticity = Plasticity {
        yield_deviator: yield_deviator as Real,
        flow_rate: 42.0,
        max_plastic_strain: 0.5,
        split,
    };
    Material {
        name: "metal".into(),
        density: DENSITY,
        youngs_modulus: pull.youngs_modulus,
        law: Law::Solid(Solid {
            plasticity: Some(plasticity),
            ..Solid::elastic(SolidLaw::SaintVenantKirchhoff(SaintVenantKirchhoff {
                moduli,
            }))
        }),
    }
}

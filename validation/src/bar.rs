//! A bar pulled at its end.

use pliant_core::attachments::{Attachment, AttachmentKind};
use pliant_core::methods::xpbi::{PositionCorrection, XpbiSettings};
use pliant_core::schedule::Schedule;
use pliant_core::step::StepError;
use pliant_core::world::World;
use pliant_math::DVec3;

use crate::{Case, Claim, Expected, Figure, box_lattice, elastic, run};

/// Elongation under a total force on the end.
pub const STRETCHES: Claim = Claim {
    statement: "a bar stretches under an end force by F L / (E A)",
    // Elongation sums over sections, in which the errors of the outer rows cancel.
    measure: || strain_over_theory(&[(24, STRESS, Expected::Near(1.0, 0.05))]),
};

/// The same bar, longer in particles, squeezed and gently pulled.
pub const HOLDS_LONG: Claim = Claim {
    statement: "a lattice 48 rows long carries 0.3 % of compression and 0.07 % of tension",
    measure: || {
        strain_over_theory(&[
            (48, -STRESS, Expected::Near(1.0, 0.02)),
            (48, 0.7e3, Expected::Near(1.0, 0.02)),
        ])
    },
};

/// Rows of an exact lattice move together in pairs under tension: a limit of the method, not a
/// merit. If the number falls to 1, the method's page and the warning of the scene file may go.
pub const PAIRS: Claim = Claim {
    statement: "a lattice 48 rows long under 0.3 % of tension stretches too far, as rows pair",
    measure: || strain_over_theory(&[(48, STRESS, Expected::AtMost(1.9))]),
};

const YOUNGS_MODULUS: f64 = 1e6;
/// F / A [Pa]: a strain of 0.3 %, which 24 rows hold.
const STRESS: f64 = 3e3;
/// Edge of the section [m].
const EDGE: f64 = 0.06;
/// Rows of particles across.
const ROWS: usize = 6;

/// A figure for each number of rows along the bar and end stress [Pa].
fn strain_over_theory(cases: &[(usize, f64, Expected)]) -> Result<Vec<Figure>, StepError> {
    let figure = |&(rows, stress, bound): &(usize, f64, Expected)| {
        let ratio = elongation(rows, stress)? * YOUNGS_MODULUS / stress;
        let percent = 100.0 * stress / YOUNGS_MODULUS;
        let what =
            format!("strain between the quarters over theory, {rows} rows long, at {percent:.2} %");
        Ok(Figure::new(what, ratio, bound))
    };
    cases.iter().map(figure).collect()
}

/// Strain between a quarter and three quarters of the length of a bar of so many rows, at rest
/// under an end stress [Pa].
fn elongation(rows: usize, stress: f64) -> Result<f64, StepError> {
    let spacing = EDGE / ROWS as f64;
    let length = rows as f64 * spacing;
    let points = box_lattice([rows, ROWS, ROWS], spacing, 0.0);
    let loaded =
        (0..points.len() as u32).filter(|&k| points[k as usize].x > length - 2.0 * spacing);
    let pull = Attachment {
        name: "pull".into(),
        particles: loaded.collect(),
        kind: AttachmentKind::Load {
            force: DVec3::X * (stress * EDGE * EDGE),
            strength: Schedule::Constant(1.0),
        },
    };
    let mut case = Case::new(elastic(100.0, YOUNGS_MODULUS, 0.3), points, spacing)
        .weightless()
        .pin(|x| x.x < 2.0 * spacing);
    case.body().support_radius = 2.6 * spacing;
    case.setup.attachments.push(pull);
    case.setup
        .solver
        .methods
        .of_mut::<XpbiSettings>()
        .correction = PositionCorrection::None;
    case.setup.solver.iterations = 8;
    // The lowest mode has a quarter of its wave in the bar; this damps it about critically.
    let sound = (YOUNGS_MODULUS / 100.0).sqrt();
    let period = 4.0 * length / sound;
    case.setup.solver.damping = 2.0 * std::f64::consts::TAU / period;
    let mut world = case.world();
    let start = section_distance(&world, rows);
    let dt = 0.7 * 1.3 * spacing / sound;
    run(&mut world, dt, (4.0 * period / dt) as usize, |_, _| ())?;
    Ok(section_distance(&world, rows) / start - 1.0)
}

/// Distance of the mean positions of the sections at one and three quarters [m].
fn section_distance(world: &World, rows: usize) -> f64 {
    let p = &world.state.particles;
    let mean = |section: usize| {
        let is_there = |&i: &usize| p.id[i] as usize % rows == section;
        let members: Vec<usize> = (0..p.len()).filter(is_there).collect();
        members.iter().map(|&i| p.position[i].x).sum::<f64>() / members.len() as f64
    };
    mean(3 * rows / 4) - mean(rows / 4)
}

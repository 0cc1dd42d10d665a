//! A bar pulled at its end.

use pliant_core::attachments::{Attachment, Hold};
use pliant_core::schedule::Schedule;
use pliant_core::step::StepError;
use pliant_core::world::World;
use pliant_math::DVec3;

use crate::{Bound, Case, Claim, Figure, box_lattice, elastic, run};

/// Elongation under a total force on the end.
pub const STRETCHES: Claim = Claim {
    sentence: "a bar stretches under an end force by F L / (E A)",
    measure: || {
        // Elongation sums over sections, in which the errors of the outer rows cancel.
        let ratio = elongation(6)? * YOUNGS_MODULUS / STRESS;
        let what = "strain between the quarters over theory, 6 rows";
        Ok(vec![Figure::new(what, ratio, Bound::Near(1.0, 0.05))])
    },
};

const YOUNGS_MODULUS: f64 = 1e6;
/// F / A [Pa]: a strain of 0.3 %, which particles of this support hold.
const STRESS: f64 = 3e3;
/// Edge of the section [m]; the bar is four times as long.
const EDGE: f64 = 0.06;

/// Strain between a quarter and three quarters of the length of a bar of so many rows, at rest.
fn elongation(rows: usize) -> Result<f64, StepError> {
    let spacing = EDGE / rows as f64;
    let points = box_lattice([4 * rows, rows, rows], spacing, 0.0);
    let loaded =
        (0..points.len() as u32).filter(|&k| points[k as usize].x > 4.0 * EDGE - 2.0 * spacing);
    let pull = Attachment {
        name: "pull".into(),
        particles: loaded.collect(),
        hold: Hold::Load {
            force: DVec3::X * (STRESS * EDGE * EDGE),
            strength: Schedule::Constant(1.0),
        },
    };
    let mut case = Case::new(elastic(100.0, YOUNGS_MODULUS, 0.3), points, spacing)
        .weightless()
        .pin(|x| x.x < 2.0 * spacing);
    case.body().support_radius = 2.6 * spacing;
    case.setup.attachments.push(pull);
    case.setup.solver.xpbi.minimum_distance = 0.0;
    case.setup.solver.iterations = 8;
    // The lowest mode has a quarter of its wave in the bar; this damps it about critically.
    let sound = (YOUNGS_MODULUS / 100.0).sqrt();
    let period = 16.0 * EDGE / sound;
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
        let is_there = |&i: &usize| p.id[i] as usize % (4 * rows) == section;
        let members: Vec<usize> = (0..p.len()).filter(is_there).collect();
        members.iter().map(|&i| p.position[i].x).sum::<f64>() / members.len() as f64
    };
    mean(3 * rows) - mean(rows)
}

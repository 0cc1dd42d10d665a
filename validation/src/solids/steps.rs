//! Few long substeps of many sweeps, and many short ones of few.

use std::time::Instant;

use pliant_core::step::StepError;
use pliant_core::world::World;

use crate::{Case, Claim, Curve, Expected, Figure, Plot, box_lattice, rubber, run};

/// The pairs of Cao et al. 2023, Table 2.
pub const PAIRS: Claim = Claim {
    statement: "the sag of a beam of a solid is the same with 2, 4, 10 and 21 substeps a frame of 60, 15, 3 and 1 sweeps",
    measure: || {
        let mut hung = Vec::new();
        for (substeps, sweeps) in [(2, 60), (4, 15), (10, 3), (21, 1)] {
            hung.push((substeps, sweeps, hang(substeps, sweeps)?));
        }
        let mean = hung.iter().map(|(.., h)| h.sag()).sum::<f64>() / hung.len() as f64;
        let mut figures = Vec::new();
        for (substeps, sweeps, hung) in hung {
            let what = format!("{substeps} substeps of {sweeps} sweeps");
            let sag = Figure::new(
                format!("sag over the mean of all, {what}"),
                hung.sag() / mean,
                Expected::Near(1.0, 0.03),
            );
            figures.push(sag.with(Curve::measured(SAGS, what.clone(), hung.sags)));
            figures.push(Figure::new(
                format!("seconds for 500 frames, {what}"),
                hung.seconds,
                Expected::Finite,
            ));
        }
        Ok(figures)
    },
};

const SAGS: Plot = Plot {
    title: "Sag of a beam that is let go (Cao et al. 2023, Fig. 10)",
    unit: "m",
    across: "time",
    across_unit: "s",
    is_logarithmic: [false, false],
};

const SIZE: [usize; 3] = [20, 5, 5];
const SPACING: f64 = 0.05;
const FRAMES: usize = 200;

struct Hung {
    /// Time [s] and sag [m] of each frame.
    sags: Vec<[f64; 2]>,
    /// Wall time of 500 frames [s].
    seconds: f64,
}

impl Hung {
    fn sag(&self) -> f64 {
        self.sags.last().map_or(f64::NAN, |last| last[1])
    }
}

/// A beam held at one end: a wave crosses five spacings in the longest of the steps, and half a one in
/// the shortest.
fn hang(substeps: usize, sweeps: u32) -> Result<Hung, StepError> {
    let points = box_lattice(SIZE, SPACING, 0.0);
    let mut case =
        Case::new(rubber(1000.0, 1e6, 0.4), points, SPACING).pin(|x| x.x < 2.0 * SPACING);
    case.setup.solver.iterations = sweeps;
    case.setup.solver.damping = 4.0;
    let mut world = case.world();
    let start = end_height(&world);
    let dt = 1.0 / (60.0 * substeps as f64);
    let (mut sags, mut count) = (vec![[0.0, 0.0]], 0);
    let clock = Instant::now();
    run(&mut world, dt, FRAMES * substeps, |world, _| {
        count += 1;
        if count % substeps == 0 {
            sags.push([count as f64 * dt, start - end_height(world)]);
        }
    })?;
    Ok(Hung {
        sags,
        seconds: clock.elapsed().as_secs_f64() * 500.0 / FRAMES as f64,
    })
}

/// Mean height [m] of the free end.
fn end_height(world: &World) -> f64 {
    let p = &world.state.particles;
    let end = (0..p.len()).filter(|&i| p.id[i] as usize % SIZE[0] == SIZE[0] - 1);
    let heights: Vec<f64> = end.map(|i| p.position[i].y).collect();
    heights.iter().sum::<f64>() / heights.len() as f64
}

//! Thin sheets that are dragged fast: Müller et al. 2022, figure 4.

use pliant_core::boundaries::Keyframe;
use pliant_core::step::StepError;
use pliant_core::world::World;
use pliant_materials::laws::SolidLaw;
use pliant_math::DVec3;

use super::edges::Edges;
use super::laws::materials;
use super::{hexahedra, step, world_of};
use crate::clamps::carry;
use crate::{Claim, Curve, Expected, Figure, Plot, run};

/// A corner of a sheet goes a metre to one side and the other at 100 m/s, and is held where it was.
pub const DRAGGED: Claim = Claim {
    statement: "a thin sheet of shape groups that is dragged by a corner at 100 m/s finds its shape again, whatever its law",
    measure: || {
        let mut figures = Vec::new();
        for material in materials() {
            let points = stretches(material.law)?;
            let end = points[points.len() - 1][1];
            let what = format!("greatest stretch of an edge 3 s later, {}", material.name);
            let curve = Curve::measured(STRETCHES, material.name, points);
            figures.push(Figure::new(what, end, Expected::Near(1.0, 0.1)).with(curve));
        }
        Ok(figures)
    },
};

const STRETCHES: Plot = Plot {
    title: "Greatest stretch of a thin sheet of shape groups dragged by a corner at 100 m/s (Müller et al. 2022, Fig. 4)",
    unit: "",
    across: "time",
    across_unit: "s",
    is_logarithmic: [false, true],
};

/// Hexahedra along each axis.
const CELLS: [i64; 3] = [20, 1, 20];

/// Samples a second, and how long [s].
const RATE: f64 = 100.0;
const DURATION: f64 = 3.0;

/// Times [s] and the greatest stretch of an edge then.
fn stretches(law: SolidLaw) -> Result<Vec<[f64; 2]>, StepError> {
    let mut setup = world_of(law, hexahedra(CELLS));
    setup.solver.damping = 3.0;
    let rest = setup.bodies[0].particles.position.clone();
    let edges = Edges::of(&rest);
    let held = (0_u32..).zip(&rest).filter(|(_, x)| is_corner(**x));
    let keyframes = [(0.0, 0.0), (0.01, 1.0), (0.03, -1.0), (0.04, 0.0)];
    let keyframes = keyframes.map(|(time, way)| Keyframe {
        time,
        position: DVec3::X * way,
        rotation: DVec3::ZERO,
    });
    carry(
        &mut setup,
        held.map(|(id, _)| id).collect(),
        keyframes.to_vec(),
    );
    let mut world = World::new(setup);
    let substeps = (1.0 / RATE / step(0.2)).ceil();
    let mut points = vec![[0.0, 1.0]];
    for sample in 1..=(DURATION * RATE) as usize {
        run(
            &mut world,
            1.0 / RATE / substeps,
            substeps as usize,
            |_, _| (),
        )?;
        points.push([sample as f64 / RATE, edges.greatest(&world)]);
    }
    Ok(points)
}

/// Whether a particle is one of the two at a corner of the sheet.
fn is_corner(rest: DVec3) -> bool {
    let half = 0.5 * CELLS[0] as f64 * super::SIDE;
    (rest.x - half).abs() < 1e-9 && rest.z < 1e-9
}

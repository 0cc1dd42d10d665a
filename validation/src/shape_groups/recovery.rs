//! Recovery of crushed bodies.

use pliant_core::step::StepError;
use pliant_core::world::World;
use pliant_math::{DVec3, RandomStream};

use super::edges::Edges;
use super::{SIDE, hexahedra, neo_hookean, step, world_of};
use crate::{Claim, Expected, Figure, run};

/// Blocks that are stirred, each otherwise.
const STIRRED: u64 = 24;
/// Root mean square error of edges up to which a block has found its shape [sides].
const FOUND: f64 = 0.05;

/// From starts that are far from any shape.
pub const RECOVERS: Claim = Claim {
    statement: "a block of shape groups finds its shape again after it was flat, small or mirrored, and most do after they were stirred",
    measure: || {
        type Crush<'a> = &'a dyn Fn(DVec3) -> DVec3;
        let starts: [(&str, Crush<'_>); 3] = [
            ("flat", &|x| DVec3::new(x.x, 0.0, x.z)),
            ("a tenth of its size", &|x| 0.1 * x),
            ("mirrored", &|x| DVec3::new(-x.x, x.y, x.z)),
        ];
        let mut figures = Vec::new();
        for (how, crush) in starts {
            let what = format!("error of edges in sides, {how}");
            figures.push(Figure::new(
                what,
                shape_error(crush)?,
                Expected::AtMost(FOUND),
            ));
        }
        let mut found = 0.0;
        for seed in 0..STIRRED {
            if shape_error(&|x| stirred(x, seed))? < FOUND {
                found += 1.0 / STIRRED as f64;
            }
        }
        // The others end in a shape in which parts have changed places, which holds itself.
        figures.push(Figure::new(
            "share of stirred ones that find it".to_owned(),
            found,
            Expected::AtLeast(0.5),
        ));
        Ok(figures)
    },
};

/// A place of a corner at random, up to two sides from the middle along each axis.
fn stirred(rest: DVec3, seed: u64) -> DVec3 {
    let random = RandomStream::new(seed, 0);
    let key = (rest / SIDE + DVec3::splat(10.0)).round().as_u64vec3();
    let first = 8 * (key.x + 32 * (key.y + 32 * key.z));
    DVec3::from_array([0, 1, 2].map(|axis| random.unit(first + axis) - 0.5)) * (4.0 * SIDE)
}

/// Root mean square difference of the lengths of edges from those at rest [sides], 4 s after a block was crushed.
fn shape_error(crush: &dyn Fn(DVec3) -> DVec3) -> Result<f64, StepError> {
    // Below 0.44 the energy of the law itself pulls a tenth of the size into a point.
    let mut setup = world_of(neo_hookean(0.45), hexahedra([4, 4, 8]));
    setup.solver.damping = 3.0;
    let rest = setup.bodies[0].particles.position.clone();
    let middle = DVec3::Z * (4.0 * SIDE);
    let mut world = World::new(setup);
    for x in &mut world.state.particles.position {
        *x = crush(*x - middle);
    }
    let dt = step(0.5);
    run(&mut world, dt, (4.0 / dt) as usize, |_, _| ())?;
    Ok(Edges::of(&rest).error(&world))
}

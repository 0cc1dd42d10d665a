//! Recovery of crushed bodies.

use pliant_core::step::StepError;
use pliant_core::world::World;
use pliant_math::{DVec3, RandomStream};

use crate::{Case, Claim, Expected, Figure, box_lattice, rubber, run};

/// Every particle on a plane, and all in a tenth of the size.
pub const CRUSHED: Claim = Claim {
    statement: "a solid crushed flat, or to a tenth of its size, recovers its shape",
    measure: || {
        let flat = |x: DVec3| DVec3::new(x.x, 0.0, x.z);
        let small = |x: DVec3| 0.1 * x;
        Ok(vec![
            figure("flat", &flat, Expected::AtMost(0.05))?,
            figure("a tenth of its size", &small, Expected::AtMost(0.05))?,
        ])
    },
};

/// Every particle at a random place in a ball.
pub const STIRRED: Claim = Claim {
    statement: "most solids whose particles are placed at random in a small ball recover their shape",
    measure: || {
        let mut recovered = 0;
        let mut figures = Vec::new();
        for seed in 0..12 {
            let random = RandomStream::new(seed, 7);
            let place = |x: DVec3| {
                let key = (x / SPACING + DVec3::splat(10.0)).as_u64vec3();
                let first = 64 * (key.x + 32 * (key.y + 32 * key.z));
                let number = |k: u64| 2.0 * random.unit(first + k) - 1.0;
                let mut tries = (0..20)
                    .map(|k| DVec3::new(number(3 * k), number(3 * k + 1), number(3 * k + 2)));
                let inside = tries.find(|x: &DVec3| x.length() < 1.0);
                inside.unwrap_or_default() * 2.0 * SPACING
            };
            let error = shape_error(&place)?;
            recovered += u32::from(error < 0.05);
            figures.push(Figure::new(
                format!("error in spacings, seed {seed}"),
                error,
                Expected::Finite,
            ));
        }
        let bound = Expected::AtLeast(9.0);
        figures.push(Figure::new("recovered of 12", f64::from(recovered), bound));
        Ok(figures)
    },
};

const SPACING: f64 = 0.05;

fn figure(how: &str, crush: &dyn Fn(DVec3) -> DVec3, bound: Expected) -> Result<Figure, StepError> {
    let what = format!("error of distances in spacings, crushed to {how}");
    Ok(Figure::new(what, shape_error(crush)?, bound))
}

/// Root mean square difference of the distances of neighbours from those at rest, in spacings, 4 s
/// after a cube of 9 x 9 x 9 particles was crushed.
fn shape_error(crush: &dyn Fn(DVec3) -> DVec3) -> Result<f64, StepError> {
    let points = box_lattice([9, 9, 9], SPACING, 0.0);
    let middle = DVec3::splat(4.5 * SPACING);
    let points: Vec<DVec3> = points.into_iter().map(|x| x - middle).collect();
    let mut case = Case::new(rubber(1000.0, 1e5, 0.4), points, SPACING).weightless();
    case.setup.solver.iterations = 1;
    case.setup.solver.damping = 3.0;
    case.body().meets_itself = false;
    let mut world = case.world();
    for x in &mut world.state.particles.position {
        *x = crush(*x);
    }
    run(&mut world, 2.5e-3, 1600, |_, _| ())?;
    Ok(distance_error(&world))
}

/// Root mean square difference of the distances of neighbours from those at rest, in spacings.
pub(super) fn distance_error(world: &World) -> f64 {
    let p = &world.state.particles;
    let body = &world.setup.bodies[0];
    let mut place = vec![0; p.len()];
    for (k, &id) in p.id.iter().enumerate() {
        place[id as usize] = k;
    }
    let rest = &body.particles.position;
    let (mut sum, mut count) = (0.0, 0.0);
    for i in 0..p.len() {
        for j in 0..i {
            let at_rest = rest[i].distance(rest[j]);
            if at_rest < body.support_radius {
                let now = p.position[place[i]].distance(p.position[place[j]]);
                sum += (now - at_rest).powi(2);
                count += 1.0;
            }
        }
    }
    (sum / count).sqrt() / body.spacing
}

//! One pass over all constraints of the cloth: colour by colour, the rows of a colour in parallel.
// Rows of one colour write to disjoint places of a shared column; see `parallel::Shared`.
#![allow(unsafe_code)]

use std::ops::Range;

use pliant_math::Real;
use pliant_math::simd::{Instructions, Job, Pack, Places, Row};

use super::bending::Hinge;
use super::membrane::{Membrane, Step};
use super::rows::{HingeRow, HingeRows, ROWS_A_TASK, TriangleRow, TriangleRows};
use crate::methods::vector::{Point, Vector};
use crate::parallel::{self, Shared, View};

/// Sixteen constraints that are projected together.
pub trait Projected: Copy + Send {
    /// Projects them.
    fn project<P: Pack>(&mut self, velocity: &mut View<'_, [Real; 4]>, dt: Real);
}

/// Projects every triangle and then every hinge once.
///
/// * `velocity` — velocities [m/s] and inverse masses [1/kg] of all particles
pub fn sweep(
    instructions: Instructions,
    triangles: &mut TriangleRows,
    hinges: &mut HingeRows,
    velocity: &mut [[Real; 4]],
    dt: Real,
) {
    let TriangleRows { rows, colors, .. } = triangles;
    sweep_rows(instructions, rows, colors, velocity, dt);
    let HingeRows { rows, colors, .. } = hinges;
    sweep_rows(instructions, rows, colors, velocity, dt);
}

fn sweep_rows<R: Projected>(
    instructions: Instructions,
    rows: &mut [R],
    colors: &[Range<usize>],
    velocity: &mut [[Real; 4]],
    dt: Real,
) {
    for color in colors {
        let velocity = Shared::new(velocity);
        parallel::for_chunks_of(&mut rows[color.clone()], ROWS_A_TASK, |first, rows| {
            // SAFETY: constraints of one colour share no particle, and each is in one task.
            let velocity = unsafe { velocity.view(first as u32) };
            instructions.run(SweepRows { rows, velocity, dt });
        });
    }
}

struct SweepRows<'a, R> {
    rows: &'a mut [R],
    velocity: View<'a, [Real; 4]>,
    dt: Real,
}

impl<R: Projected> Job for SweepRows<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(mut self) {
        for row in self.rows {
            row.project::<P>(&mut self.velocity, self.dt);
        }
    }
}

impl Projected for TriangleRow {
    #[inline(always)]
    fn project<P: Pack>(&mut self, velocity: &mut View<'_, [Real; 4]>, dt: Real) {
        let (step, inverse_squared) = steps::<P>(dt);
        let [warp, weft] = &self.start;
        let [warp_strain, weft_strain, shear] = &self.start_strain;
        let [a, b, c] = &self.compliance;
        let [[b_warp, b_weft], [c_warp, c_weft]] = &self.gradient;
        let membrane = Membrane {
            gradient: [
                [P::load(b_warp), P::load(b_weft)],
                [P::load(c_warp), P::load(c_weft)],
            ],
            start: [Vector::load(warp), Vector::load(weft)],
            start_strain: [P::load(warp_strain), P::load(weft_strain), P::load(shear)],
            compliance: [
                P::load(a) * inverse_squared,
                P::load(b) * inverse_squared,
                P::load(c) * inverse_squared,
            ],
        };
        let [first, second, third] = &self.points;
        let mut corners = [
            point(velocity, first),
            point(velocity, second),
            point(velocity, third),
        ];
        let [a, b, c] = &self.multiplier;
        let mut multiplier = [P::load(a), P::load(b), P::load(c)];
        membrane.project(&mut corners, &mut multiplier, step);
        store(&multiplier, &mut self.multiplier);
        let [a, b, c] = corners;
        velocity.scatter(first, a.record());
        velocity.scatter(second, b.record());
        velocity.scatter(third, c.record());
    }
}

impl Projected for HingeRow {
    #[inline(always)]
    fn project<P: Pack>(&mut self, velocity: &mut View<'_, [Real; 4]>, dt: Real) {
        let (step, inverse_squared) = steps::<P>(dt);
        let [edge, one, other] = &self.start;
        let [cosine, sine] = &self.rest;
        let hinge = Hinge {
            start: [Vector::load(edge), Vector::load(one), Vector::load(other)],
            rest: [P::load(cosine), P::load(sine)],
            compliance: P::load(&self.compliance) * inverse_squared,
        };
        let [first, second, one, other] = &self.points;
        let mut points = [
            point(velocity, first),
            point(velocity, second),
            point(velocity, one),
            point(velocity, other),
        ];
        let mut multiplier = P::load(&self.multiplier);
        hinge.project(&mut points, &mut multiplier, step);
        multiplier.store(&mut self.multiplier);
        let [a, b, c, d] = points;
        velocity.scatter(first, a.record());
        velocity.scatter(second, b.record());
        velocity.scatter(one, c.record());
        velocity.scatter(other, d.record());
    }
}

/// A step, and 1/dt^2 [1/s2].
#[inline(always)]
fn steps<P: Pack>(dt: Real) -> (Step<P>, P) {
    let inverse = 1.0 / dt;
    let step = Step {
        dt: P::splat(dt),
        inverse_dt: P::splat(inverse),
    };
    (step, P::splat(inverse * inverse))
}

#[inline(always)]
fn point<P: Pack>(velocity: &View<'_, [Real; 4]>, places: &Places) -> Point<P> {
    Point::new(velocity.gather(places))
}

#[inline(always)]
fn store<P: Pack>([a, b, c]: &[P; 3], [to_a, to_b, to_c]: &mut [Row; 3]) {
    a.store(to_a);
    b.store(to_b);
    c.store(to_c);
}

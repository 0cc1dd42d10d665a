//! One pass over all constraints of the cloth: colour by colour, the rows of a colour in parallel.
// Rows of one colour write to disjoint places of a shared column; see `parallel::Shared`.
#![allow(unsafe_code)]

use std::ops::Range;

use pliant_math::simd::{Instructions, Job, Mask, Pack, Places, Row};
use pliant_math::{Real, Vector3};

use super::bending::Hinge;
use super::membrane::{ClothStep, Membrane};
use super::point::Point;
use super::rows::{HingeRow, HingeRows, ROWS_A_TASK, TriangleRow, TriangleRows};
use crate::parallel::{self, Shared, View};

/// What constraints read and write of particles.
pub struct Columns<'a> {
    /// Velocities [m/s] and inverse masses [1/kg].
    velocity: View<'a, [Real; 4]>,
    /// Impulses on those that are held [kg m/s].
    on_held: View<'a, [Real; 4]>,
}

impl Columns<'_> {
    #[inline(always)]
    fn point<P: Pack>(&self, places: &Places) -> Point<P> {
        Point::new(self.velocity.gather(places))
    }

    #[inline(always)]
    fn put<P: Pack>(&mut self, places: &Places, point: Point<P>) {
        self.velocity.scatter(places, point.record());
        let is_held = !P::ZERO.less(point.inverse_mass);
        if is_held.any() {
            let [x, y, z, rest]: [P; 4] = self.on_held.gather(places);
            let given = point.received;
            let sum = [x + given.x, y + given.y, z + given.z, rest];
            self.on_held.scatter(places, sum);
        }
    }
}

/// Sixteen constraints that are projected together.
pub trait Projected: Copy + Send {
    /// Projects them, or at the start of a step gives the impulses of their stress.
    fn project<P: Pack, const START: bool>(
        &mut self,
        columns: &mut Columns<'_>,
        step: ClothStep<Real>,
    );
}

/// Projects every triangle and then every hinge once, or gives the impulses of the stress at the start.
///
/// * `velocity` — velocities [m/s] and inverse masses [1/kg] of all particles
/// * `on_held` — where impulses on those that are held are added [kg m/s]
pub fn sweep<const START: bool>(
    instructions: Instructions,
    triangles: &mut TriangleRows,
    hinges: &mut HingeRows,
    (velocity, on_held): (&mut [[Real; 4]], &mut [[Real; 4]]),
    step: ClothStep<Real>,
) {
    let TriangleRows { rows, colors, .. } = triangles;
    sweep_rows::<_, START>(instructions, rows, colors, (velocity, on_held), step);
    let HingeRows { rows, colors, .. } = hinges;
    sweep_rows::<_, START>(instructions, rows, colors, (velocity, on_held), step);
}

fn sweep_rows<R: Projected, const START: bool>(
    instructions: Instructions,
    rows: &mut [R],
    colors: &[Range<usize>],
    (velocity, on_held): (&mut [[Real; 4]], &mut [[Real; 4]]),
    step: ClothStep<Real>,
) {
    for color in colors {
        let (velocity, on_held) = (Shared::new(velocity), Shared::new(on_held));
        parallel::for_chunks_of(&mut rows[color.clone()], ROWS_A_TASK, |first, rows| {
            // SAFETY: constraints of one colour share no particle, and each is in one task.
            let columns = unsafe {
                Columns {
                    velocity: velocity.view(first as u32),
                    on_held: on_held.view(first as u32),
                }
            };
            instructions.run(SweepRows::<_, START> {
                rows,
                columns,
                step,
            });
        });
    }
}

struct SweepRows<'a, R, const START: bool> {
    rows: &'a mut [R],
    columns: Columns<'a>,
    step: ClothStep<Real>,
}

impl<R: Projected, const START: bool> Job for SweepRows<'_, R, START> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(mut self) {
        for row in self.rows {
            row.project::<P, START>(&mut self.columns, self.step);
        }
    }
}

impl Projected for TriangleRow {
    #[inline(always)]
    fn project<P: Pack, const START: bool>(
        &mut self,
        columns: &mut Columns<'_>,
        step: ClothStep<Real>,
    ) {
        let inverse_squared = P::splat(step.inverse_dt * step.inverse_dt);
        let step = step.splat::<P>();
        let [warp, weft] = &self.start;
        let [warp_strain, weft_strain, shear] = &self.start_strain;
        let [a, b, c] = &self.compliance;
        let [[b_warp, b_weft], [c_warp, c_weft]] = &self.gradient;
        let membrane = Membrane {
            gradient: [
                [P::load(b_warp), P::load(b_weft)],
                [P::load(c_warp), P::load(c_weft)],
            ],
            start: [Vector3::load(warp), Vector3::load(weft)],
            start_strain: [P::load(warp_strain), P::load(weft_strain), P::load(shear)],
            compliance: [
                P::load(a) * inverse_squared,
                P::load(b) * inverse_squared,
                P::load(c) * inverse_squared,
            ],
        };
        let [first, second, third] = &self.points;
        let mut corners = [
            columns.point(first),
            columns.point(second),
            columns.point(third),
        ];
        let [a, b, c] = &self.multiplier;
        let mut multiplier = [P::load(a), P::load(b), P::load(c)];
        membrane.project::<START>(&mut corners, &mut multiplier, step);
        store(&multiplier, &mut self.multiplier);
        let [a, b, c] = corners;
        columns.put(first, a);
        columns.put(second, b);
        columns.put(third, c);
    }
}

impl Projected for HingeRow {
    #[inline(always)]
    fn project<P: Pack, const START: bool>(
        &mut self,
        columns: &mut Columns<'_>,
        step: ClothStep<Real>,
    ) {
        let inverse_squared = P::splat(step.inverse_dt * step.inverse_dt);
        let step = step.splat::<P>();
        let [edge, one, other] = &self.start;
        let [cosine, sine] = &self.rest;
        let hinge = Hinge {
            start: [
                Vector3::load(edge),
                Vector3::load(one),
                Vector3::load(other),
            ],
            rest: [P::load(cosine), P::load(sine)],
            compliance: P::load(&self.compliance) * inverse_squared,
        };
        let [first, second, one, other] = &self.points;
        let mut points = [
            columns.point(first),
            columns.point(second),
            columns.point(one),
            columns.point(other),
        ];
        let mut multiplier = P::load(&self.multiplier);
        hinge.project::<START>(&mut points, &mut multiplier, step);
        multiplier.store(&mut self.multiplier);
        let [a, b, c, d] = points;
        columns.put(first, a);
        columns.put(second, b);
        columns.put(one, c);
        columns.put(other, d);
    }
}

#[inline(always)]
fn store<P: Pack>([a, b, c]: &[P; 3], [to_a, to_b, to_c]: &mut [Row; 3]) {
    a.store(to_a);
    b.store(to_b);
    c.store(to_c);
}

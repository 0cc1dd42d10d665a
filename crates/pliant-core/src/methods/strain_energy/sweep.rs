//! One pass over all constraints, colour by colour, the rows of a colour in parallel. With Jacobi no
//! constraint uses the results of others: all read the velocities before the sweep. That needs no factor where
//! it is stable.
// Rows of one colour write to disjoint places of a shared column; see `parallel::Shared`.
#![allow(unsafe_code)]

use pliant_math::simd::{LANES, Mask, Pack, Places, RowJob};
use pliant_math::{Real, Vector3};

use super::projection::{ConstraintProjection, NeighborCache, SolidSweepInput, cache_of, evaluate};
use super::rows::{ConstraintRow, ConstraintRows, MaterialStateRow, RowInfo};
use crate::interactions::passes::moved;
use crate::interactions::rows::lanes_in;
use crate::parallel::{self, Scratches, Shared, View, gather};
use crate::rest::BondRow;

/// Rows that one task works on.
const ROWS_A_TASK: usize = 8;

/// Visits every constraint once.
///
/// * `velocity` — velocities [m/s] and inverse masses [1/kg] of all particles
/// * `on_held` — where impulses on those that are held are added [kg m/s]; empty if they are not needed
pub fn sweep(
    input: SolidSweepInput<'_>,
    rows: &mut ConstraintRows,
    scratches: &Scratches<Vec<NeighborCache>>,
    velocity: &mut [[Real; 4]],
    on_held: &mut [[Real; 4]],
) {
    let (edges, material_state) = (&rows.edges, &rows.material_state);
    let tells_held = !on_held.is_empty();
    for color in &rows.colors {
        let (velocity, on_held) = (Shared::new(velocity), Shared::new(on_held));
        let data = Shared::new(&mut rows.rows[color.clone()]);
        let info = &mut rows.info[color.clone()];
        parallel::for_chunks_of(info, ROWS_A_TASK, |first, info| {
            // SAFETY: constraints of one colour share no particle, each is in one row and that in one
            // task.
            let (columns, mut data) = unsafe {
                let columns = Columns {
                    velocity: velocity.view(first as u32),
                    on_held: on_held.view(first as u32),
                    tells_held,
                };
                (columns, data.view(first as u32))
            };
            parallel::with_scratch(scratches, |cache| {
                let sweep = SweepRows {
                    input,
                    rows: data.range(first..first + info.len()),
                    info,
                    edges,
                    material_state,
                    cache,
                    columns,
                };
                input.instructions.run_rows(LANES, sweep);
            });
        });
    }
}

/// What constraints read and write of particles.
struct Columns<'a> {
    /// Velocities [m/s] and inverse masses [1/kg].
    velocity: View<'a, [Real; 4]>,
    /// Impulses on those that are held [kg m/s].
    on_held: View<'a, [Real; 4]>,
    /// Whether they are needed.
    tells_held: bool,
}

impl Columns<'_> {
    /// Gives the particles in the lanes of a pack impulses [kg m/s].
    ///
    /// * `before` — their velocities and inverse masses
    #[inline(always)]
    fn apply<P: Pack>(&mut self, places: &Places, before: [P; 4], impulse: Vector3<P>) {
        let impulse = [impulse.x, impulse.y, impulse.z];
        let inverse_mass = before[3];
        self.velocity
            .scatter(places, moved(before, impulse, inverse_mass));
        if self.tells_held && (!P::ZERO.less(inverse_mass)).any() {
            let sum = moved(self.on_held.gather(places), impulse, P::splat(1.0));
            self.on_held.scatter(places, sum);
        }
    }
}

struct SweepRows<'a> {
    input: SolidSweepInput<'a>,
    rows: &'a mut [ConstraintRow],
    info: &'a mut [RowInfo],
    edges: &'a [BondRow],
    material_state: &'a [MaterialStateRow],
    cache: &'a mut Vec<NeighborCache>,
    columns: Columns<'a>,
}

impl RowJob for SweepRows<'_> {
    #[inline(always)]
    fn rows(&self) -> usize {
        self.info.len()
    }

    #[inline(always)]
    fn row<P: Pack>(&mut self, k: usize) {
        P::prefetch(self.rows, k + 1, size_of::<ConstraintRow>());
        let (row, info) = (&mut self.rows[k], &mut self.info[k]);
        if info.filled & lanes_in::<P>() == 0 {
            return;
        }
        let edges = &self.edges[info.edges.clone()];
        let cache = cache_of(self.cache, edges.len());
        let material_state = info
            .material_state
            .map(|number| &self.material_state[number as usize]);
        let (input, columns) = (self.input, &mut self.columns);
        let row = (row, info);
        if input.is_first {
            project::<P, true>(input, row, edges, material_state, cache, columns);
        } else {
            project::<P, false>(input, row, edges, material_state, cache, columns);
        }
    }
}

/// Projects the constraints in the lanes of a pack.
#[inline(always)]
fn project<P: Pack, const FIRST: bool>(
    input: SolidSweepInput<'_>,
    (row, info): (&mut ConstraintRow, &mut RowInfo),
    edges: &[BondRow],
    material_state: Option<&MaterialStateRow>,
    cache: &mut [NeighborCache],
    columns: &mut Columns<'_>,
) {
    match input.frozen_velocity {
        None => {
            let own: [P; 4] = columns.velocity.gather(&row.rest.particle);
            let both = (&mut *row, info);
            let velocity = &columns.velocity;
            let projection =
                evaluate::<P, FIRST>(input, both, edges, material_state, cache, own, velocity);
            apply::<P, FIRST, false>(input.dt, row, edges, cache, own, projection, columns);
        }
        Some(frozen) => {
            let own: [P; 4] = gather(frozen, &row.rest.particle);
            let both = (&mut *row, info);
            let projection =
                evaluate::<P, FIRST>(input, both, edges, material_state, cache, own, frozen);
            apply::<P, FIRST, true>(input.dt, row, edges, cache, own, projection, columns);
        }
    }
}

/// Changes the velocities: by the projection, and in the first sweep by the control of zero-energy
/// modes (Ganzenmueller 2015), each neighbour drawn to where the deformation of the constraint's
/// particle alone puts it. Seen from both ends that is the mean of both deformations. What all get adds
/// up to zero.
///
/// * `FROZEN` — with Jacobi, whose velocities have changed since they were read
#[inline(always)]
fn apply<P: Pack, const FIRST: bool, const FROZEN: bool>(
    dt: Real,
    row: &ConstraintRow,
    edges: &[BondRow],
    cache: &[NeighborCache],
    own: [P; 4],
    projection: ConstraintProjection<P>,
    columns: &mut Columns<'_>,
) {
    let ConstraintProjection {
        strain,
        impulse_per_gradient,
        hourglass_strength,
    } = projection;
    let dt = P::splat(dt);
    let row = &row.rest;
    let mut recoil = Vector3::ZERO;
    for (edge, cache) in edges.iter().zip(cache) {
        let offset = Vector3::load(&edge.offset);
        let [x, y, z, w] = &cache.velocity;
        let v = [P::load(x), P::load(y), P::load(z), P::load(w)];
        let mut impulse = impulse_per_gradient * row.gradient(offset);
        if FIRST {
            let difference = Vector3::new(v[0] - own[0], v[1] - own[1], v[2] - own[2]);
            let moved = Vector3::load(&cache.displacement) + difference * dt;
            let strength = row.hourglass(hourglass_strength, offset);
            let hourglass = (moved - strain * offset) * strength;
            impulse = impulse + hourglass;
            recoil = recoil + hourglass;
        }
        let before = now::<P, FROZEN>(&columns.velocity, &edge.neighbor, v);
        columns.apply(&edge.neighbor, before, -impulse);
    }
    let back = impulse_per_gradient * Vector3::load(&row.gradient_sum) + recoil;
    let before = now::<P, FROZEN>(&columns.velocity, &row.particle, own);
    columns.apply(&row.particle, before, back);
}

/// Velocities as they are now: with Gauss-Seidel those that were read.
#[inline(always)]
fn now<P: Pack, const FROZEN: bool>(
    velocity: &View<'_, [Real; 4]>,
    places: &Places,
    read: [P; 4],
) -> [P; 4] {
    if FROZEN {
        velocity.gather(places)
    } else {
        read
    }
}

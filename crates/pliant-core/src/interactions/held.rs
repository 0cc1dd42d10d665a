//! Impulses of close pairs and XSPH on held particles, which no pass moves.

use pliant_math::{DVec3, Real, Vec3, to_double};

use super::lists::{Interactions, RowState};
use super::records::{RecordRow, dispatch_records};
use super::rows::{ParticleRows, lanes_of};
use super::smoothing;

/// The impulses of XSPH in a substep on held particles; scratch.
#[derive(Debug, Default)]
pub struct HeldXsphImpulses {
    impulses: Vec<(u32, DVec3)>,
}

impl HeldXsphImpulses {
    /// Those of a pass at a rate [1/s] in a substep of `dt` [s].
    ///
    /// * `before` — velocities [m/s] and inverse masses, spare places included
    pub fn find<S: RowState>(
        &mut self,
        rows: &ParticleRows,
        interactions: &Interactions<S>,
        (rate, dt): (f64, f64),
        before: &[[Real; 4]],
    ) {
        self.impulses.clear();
        let scale = smoothing::coefficient(rate, dt) * interactions.mass_unit;
        let count = before.len() - ParticleRows::spare_places();
        let is_held = |&member: &usize| before[member][3] == 0.0;
        for member in (0..count).filter(is_held) {
            let impulse = xsph_impulse(rows, interactions, before, member) * f64::from(scale);
            self.impulses.push((member as u32, impulse));
        }
    }

    /// Adds the impulses [N s].
    ///
    /// * `place` — where a member stands
    pub fn add(&self, place: impl Fn(usize) -> usize, on_particle: &mut [DVec3]) {
        for &(member, impulse) in &self.impulses {
            on_particle[place(member as usize)] += impulse;
        }
    }
}

/// sum_j w_ij (v_j - v_i) in units of the weights.
fn xsph_impulse<S: RowState>(
    rows: &ParticleRows,
    interactions: &Interactions<S>,
    before: &[[Real; 4]],
    member: usize,
) -> DVec3 {
    let velocity = |member: usize| {
        let [x, y, z, _] = before[member];
        to_double(Vec3::new(x, y, z))
    };
    let (row, lane) = rows.place(member);
    dispatch_records!(&interactions.all_records, |columns| {
        let records = interactions.of_row(&columns.records, row).iter();
        let separate_weights = interactions.of_row(&columns.separate_weights, row);
        let impulses = records
            .zip(separate_weights)
            .map(|(record, separate_weights)| {
                let other = record.neighbors().get(lane);
                let weight = f64::from(record.weight_of_lane(separate_weights, lane));
                (velocity(other) - velocity(member)) * weight
            });
        impulses.sum()
    })
}

/// Adds the impulses [N s] of close pairs to both of their particles.
///
/// * `place` — where a member stands
pub fn add_pairs<S: RowState>(
    rows: &ParticleRows,
    interactions: &Interactions<S>,
    place: impl Fn(usize) -> usize,
    on_particle: &mut [DVec3],
) {
    let (pairs, data) = interactions.pairs();
    let all = rows.particle.iter().zip(&rows.filled).zip(data);
    for ((members, &filled), data) in all {
        for pair in &pairs[data.pairs()] {
            for lane in lanes_of(filled).filter(|&lane| pair.impulse.0[lane] > 0.0) {
                let normal = pair.normal.each_ref().map(|axis| axis.0[lane]);
                let impulse = to_double(Vec3::from_array(normal) * pair.impulse.0[lane]);
                on_particle[place(members.get(lane))] -= impulse;
                on_particle[place(pair.other.get(lane))] += impulse;
            }
        }
    }
}

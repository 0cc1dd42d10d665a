//! Velocities and inverse masses as the sweeps read them: a record of four numbers a particle.

use pliant_math::{Real, Vec3};

use super::rows::ParticleRows;
use crate::parallel;

/// Copies velocities [m/s] and inverse masses [1/kg] into records, with still particles that nothing
/// moves at the spare places. Zeros become positive: a sum with an impulse of nothing is then what it
/// was, to the sign, and sweeps may leave such sums out.
pub fn pack(velocity: &[Vec3], inverse_mass: &[Real], records: &mut Vec<[Real; 4]>) {
    let count = velocity.len();
    records.resize(count + ParticleRows::spare_places(), [0.0; 4]);
    records[count..].fill([0.0; 4]);
    parallel::for_chunks(&mut records[..count], |first, records| {
        let end = first + records.len();
        let columns = velocity[first..end].iter().zip(&inverse_mass[first..end]);
        for (record, (v, &w)) in records.iter_mut().zip(columns) {
            *record = [v.x + 0.0, v.y + 0.0, v.z + 0.0, w];
        }
    });
}

/// Copies the velocities back.
pub fn unpack(records: &[[Real; 4]], velocity: &mut [Vec3]) {
    parallel::for_chunks(velocity, |first, velocity| {
        for (v, &[x, y, z, _]) in velocity.iter_mut().zip(&records[first..]) {
            *v = Vec3::new(x, y, z);
        }
    });
}

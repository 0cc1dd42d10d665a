//! Checks of strains and plastic states before they are committed.

use super::StrainEnergy;
use super::columns::StrainEnergyColumns;
use crate::parallel;
use crate::particles::Particles;

impl StrainEnergy {
    /// The place of the first particle whose plastic history, just committed, is not finite, or whose
    /// squared principal stretches at the start of the substep add up to more than `greatest`; with
    /// that sum, which is NaN where something is not finite.
    pub fn first_absurd(
        &self,
        particles: &Particles,
        columns: &StrainEnergyColumns,
        greatest: f64,
    ) -> Option<(usize, f64)> {
        let wrong = parallel::ordered_fold(
            columns.plastic.len(),
            None,
            |mut numbers| numbers.find(|&n| !columns.plastic[n].is_finite()),
            |a, b| a.or(b),
        );
        let place_of = |number: usize| {
            let is_it = |&place: &usize| {
                let id = particles.id[place] as usize;
                self.numbers[id] as usize == number
            };
            self.range.clone().find(is_it)
        };
        let place = wrong.and_then(place_of);
        place
            .map(|place| (place, f64::NAN))
            .or_else(|| self.first_stretched(greatest))
    }

    /// The same as far as deformation goes.
    fn first_stretched(&self, greatest: f64) -> Option<(usize, f64)> {
        parallel::ordered_fold(
            self.rows.rows.len(),
            None,
            |mut rows| {
                rows.find_map(|number| {
                    let (row, info) = (&self.rows.rows[number], &self.rows.info[number]);
                    super::lanes(info.filled).find_map(|lane| {
                        let squared = squared_stretches(|i, j| row.start[i][j].0[lane].into());
                        // Not a number is not below either.
                        let is_sound = squared <= greatest;
                        let place = self.range.start + row.rest.particle.get(lane);
                        (!is_sound).then_some((place, squared))
                    })
                })
            },
            |a, b| a.or(b),
        )
    }
}

/// The trace of F^T F, from F - I.
fn squared_stretches(strain: impl Fn(usize, usize) -> f64) -> f64 {
    let component = |k: usize| strain(k / 3, k % 3) + f64::from(u8::from(k.is_multiple_of(4)));
    (0..9).map(|k| component(k) * component(k)).sum()
}

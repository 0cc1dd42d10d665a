//! Granules under what is much denser.

use pliant_core::world::{Body, Setup};
use pliant_materials::Law;

use super::Builder;

/// Densities over that of granules that these carry. Contacts are projected one after the other, and move what is light
/// a little at a time: plates and other granules of twenty times the density pressed them into each other.
const CARRIED: f64 = 10.0;

impl Builder<'_> {
    /// A warning for each body of granules beside one that they cannot carry.
    pub(super) fn warn_of_light_granules(&mut self, setup: &Setup) {
        let density = |body: &Body| setup.materials[body.material as usize].density;
        for (granules, (path, _)) in setup.bodies.iter().zip(self.items("body")) {
            let law = &setup.materials[granules.material as usize].law;
            if !matches!(law, Law::ContactFriction(_)) {
                continue;
            }
            let densest = setup
                .bodies
                .iter()
                .max_by(|a, b| density(a).total_cmp(&density(b)));
            let ratio = |heavy: &Body| density(heavy) / density(granules);
            if let Some(heavy) = densest.filter(|heavy| ratio(heavy) > CARRIED) {
                let (name, times) = (&heavy.name, ratio(heavy));
                let message = format!(
                    "its grains carry what has up to {CARRIED} times their density, and \"{name}\" has {times:.0} times as much: on top of them it presses them into each other; give them a density nearer to it, or a law with stress, as `drucker-prager`"
                );
                self.warn(&path, message);
            }
        }
    }
}

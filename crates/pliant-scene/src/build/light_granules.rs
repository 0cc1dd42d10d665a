//! Granules under what is much denser.

use pliant_core::world::{Body, Setup};
use pliant_materials::Law;

use super::Builder;

/// Densities over that of granules beyond which is warned. Contacts are projected one after the other, and move what is
/// light a little at a time: three layers of grains of five and ten times the density pressed those below to 0.63 and
/// 0.15 spacings, plates of ten and twenty times to 0.98 and 0.87.
const MUCH_DENSER: f64 = 10.0;

impl Builder<'_> {
    /// A warning for each body of granules beside one that is much denser.
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
            if let Some(heavy) = densest.filter(|heavy| ratio(heavy) > MUCH_DENSER) {
                let (name, times) = (&heavy.name, ratio(heavy));
                let message = format!(
                    "\"{name}\" has {times:.0} times the density of its grains: on top of them it presses them into each other; give them a density nearer to it, or a law with stress, as `drucker-prager`"
                );
                self.warn(&path, message);
            }
        }
    }
}

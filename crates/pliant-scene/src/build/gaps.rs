//! Rigid bodies that fall through the gaps between the particles of sheets and nets.

use pliant_core::boundaries::Collider;
use pliant_core::world::{Body, Setup};
use pliant_materials::Law;

use super::Builder;

/// Distance [spacings] between opposite corners of a cell of a sheet: what is wider, less what particles keep
/// away on either side, does not pass. Balls on cloth pass up to 1.0 spacings and are held from 1.2.
const DIAGONAL: f64 = std::f64::consts::SQRT_2;

impl Builder<'_> {
    /// A warning for each rigid body that is thinner than the gaps of a sheet or a net, which it meets with the
    /// particles only.
    pub(super) fn warn_of_gaps(&mut self, setup: &Setup) {
        let mut colliders = setup.colliders[setup.first_rigid()..].iter();
        for (body, (path, _)) in setup.bodies.iter().zip(self.items("body")) {
            let collider = body.method.is_rigid().then(|| colliders.next()).flatten();
            let Some(width) = collider.and_then(width) else {
                continue;
            };
            let nets = setup.bodies.iter().filter(|net| is_net(setup, net));
            let gaps = nets.map(|net| (&net.name, gap(setup, net)));
            let widest = gaps.max_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((name, gap)) = widest.filter(|(_, gap)| width < *gap) {
                let [thin, wide] = [width, gap].map(|length| 1e3 * length);
                let message = format!(
                    "it is {thin:.3} mm thin, and can fall through the gaps of {wide:.3} mm between the particles of \"{name}\"; give \"{name}\" a finer spacing"
                );
                self.warn(&path, message);
            }
        }
    }
}

/// Whether rigid bodies meet the particles of a body, and nothing between them.
fn is_net(setup: &Setup, body: &Body) -> bool {
    let law = &setup.materials[body.material as usize].law;
    matches!(law, Law::Cloth(_) | Law::Springs(_))
}

/// The width of what passes between the particles of a net [m].
fn gap(setup: &Setup, net: &Body) -> f64 {
    DIAGONAL * net.spacing - 2.0 * net.method.contact_radius(setup, net)
}

/// The wider side of the narrowest cross-section of a rigid body [m].
fn width(collider: &Collider) -> Option<f64> {
    let mut sides = collider.shape.bounds()?.extent().to_array();
    sides.sort_unstable_by(f64::total_cmp);
    Some(sides[1])
}

//! The methods that a substep asks, in this order.

use crate::methods::Methods;
use crate::methods::cloth::Cloth;
use crate::methods::fluid::Fluid;
use crate::methods::granules::Granules;
use crate::methods::springs::Springs;
use crate::methods::strain_energy::StrainEnergy;
use crate::methods::xpbi::Xpbi;
use crate::world::Setup;

/// All methods of a setup but the rigid bodies. Those that offer sheets stand beside each other, so that the
/// vertices of all follow each other.
pub fn methods(setup: &Setup) -> Methods {
    let list = vec![
        Box::new(Xpbi::new(setup.xpbi())) as _,
        Box::new(Fluid::new(setup.fluid())) as _,
        Box::new(Granules::new(setup.granules())) as _,
        Box::new(StrainEnergy::new(setup.strain_energy())) as _,
        Box::new(Cloth::new(setup.cloth())) as _,
        Box::new(Springs::new(setup.springs())) as _,
    ];
    Methods::new(list, setup.bodies.len())
}

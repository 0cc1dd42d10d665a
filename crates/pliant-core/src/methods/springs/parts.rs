//! Connected components of networks.

use pliant_geometry::topology::DisjointSets;
use pliant_math::Real;

use super::held::HeldPart;
use super::rigid::FreePart;

/// Connected parts of networks.
#[derive(Debug, Default)]
pub struct ConnectedParts {
    /// Those that nothing holds.
    pub free: Vec<FreePart>,
    /// Those of which some particles are held.
    pub held: Vec<HeldPart>,
}

impl ConnectedParts {
    /// The parts that links make of particles.
    pub fn new(links: &[[u32; 2]], inverse_mass: &[Real]) -> Self {
        let mut parts = Self::default();
        let mut link_count = vec![0; inverse_mass.len()];
        for &[a, b] in links {
            for (end, other) in [(a, b), (b, a)] {
                link_count[end as usize] += u32::from(inverse_mass[other as usize] > 0.0);
            }
        }
        for members in DisjointSets::of_edges(inverse_mass.len(), links).members() {
            if members.iter().all(|&i| inverse_mass[i as usize] > 0.0) {
                parts.free.push(FreePart::new(members));
            } else if let Some(part) = HeldPart::new(&members, &link_count, inverse_mass) {
                parts.held.push(part);
            }
        }
        parts
    }
}

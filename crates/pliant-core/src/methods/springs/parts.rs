//! Connected components of networks.

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
        for members in connected(links, inverse_mass.len()) {
            if members.iter().all(|&i| inverse_mass[i as usize] > 0.0) {
                parts.free.push(FreePart::new(members));
            } else if let Some(part) = HeldPart::new(&members, &link_count, inverse_mass) {
                parts.held.push(part);
            }
        }
        parts
    }
}

/// Members of each connected part, in order.
fn connected(links: &[[u32; 2]], count: usize) -> impl Iterator<Item = Vec<u32>> {
    let mut root: Vec<u32> = (0..count as u32).collect();
    for &[a, b] in links {
        let (a, b) = (find(&mut root, a), find(&mut root, b));
        root[a.max(b) as usize] = a.min(b);
    }
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
    for place in 0..count as u32 {
        let first = find(&mut root, place);
        members[first as usize].push(place);
    }
    members.into_iter().filter(|part| !part.is_empty())
}

fn find(root: &mut [u32], place: u32) -> u32 {
    let mut top = place;
    while root[top as usize] != top {
        top = root[top as usize];
    }
    let mut place = place;
    while root[place as usize] != top {
        let next = root[place as usize];
        root[place as usize] = top;
        place = next;
    }
    top
}

//! Particles by the cell of space they are in, to find those near a place.

use pliant_math::DVec3;
use rustc_hash::FxHashMap;

/// Particles by cell. Those near a place are found in an order that depends on the positions and their
/// order only.
#[derive(Debug)]
pub(crate) struct Cells {
    width: f64,
    /// Places of particles, those of a cell together and increasing.
    members: Vec<u32>,
    /// Where the members of a cell start and end.
    ranges: FxHashMap<[i32; 3], [u32; 2]>,
}

impl Cells {
    /// Cells of some width [m] with finite positions [m].
    pub fn new(points: &[DVec3], width: f64) -> Self {
        let cells: Vec<[i32; 3]> = points.iter().map(|p| cell(*p, width)).collect();
        let mut members: Vec<u32> = (0..points.len() as u32).collect();
        members.sort_by_key(|&i| cells[i as usize]);
        let mut ranges = FxHashMap::<[i32; 3], [u32; 2]>::default();
        for (place, &i) in (0..).zip(&members) {
            let range = ranges.entry(cells[i as usize]).or_insert([place, place]);
            range[1] = place + 1;
        }
        Self {
            width,
            members,
            ranges,
        }
    }

    /// Calls `f` with the particles of the cells at most `rings` cells away from that of a place, so
    /// with all within `rings` widths.
    pub fn for_near(&self, place: DVec3, rings: i32, mut f: impl FnMut(u32)) {
        let [x, y, z] = cell(place, self.width);
        let reach = -rings..=rings;
        for (dx, dy) in reach
            .clone()
            .flat_map(|dx| reach.clone().map(move |dy| (dx, dy)))
        {
            for dz in reach.clone() {
                let near = [x + dx, y + dy, z + dz];
                if let Some(&[start, end]) = self.ranges.get(&near) {
                    let members = &self.members[start as usize..end as usize];
                    members.iter().for_each(|&i| f(i));
                }
            }
        }
    }
}

fn cell(point: DVec3, width: f64) -> [i32; 3] {
    (point / width).floor().as_ivec3().to_array()
}

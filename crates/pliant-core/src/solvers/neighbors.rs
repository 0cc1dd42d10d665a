//! Neighbours of sixteen particles put into rows.
//!
//! Every particle lists all of its neighbours, so a link is stored at both of its ends: sums over
//! neighbours then write to one particle only, and their order does not depend on threads.

use pliant_math::simd::LANES;

use super::NeighborRun;

/// A neighbour of a particle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Neighbor {
    /// Its place.
    pub place: u32,
    /// The number of the link to it.
    pub link: u32,
    /// Whether the particle is the link's second end.
    pub is_second: bool,
}

/// The neighbours of each particle, in order of their places.
pub fn by_particle(ends: impl Iterator<Item = [u32; 2]>, count: usize) -> Vec<Vec<Neighbor>> {
    let mut lists = vec![Vec::new(); count];
    for (link, [a, b]) in (0..).zip(ends) {
        for (end, place, is_second) in [(a, b, false), (b, a, true)] {
            lists[end as usize].push(Neighbor {
                place,
                link,
                is_second,
            });
        }
    }
    lists
        .iter_mut()
        .for_each(|list: &mut Vec<Neighbor>| list.sort_unstable());
    lists
}

/// A neighbour for some of sixteen particles, and how they lie.
pub type NeighborRow<'a> = ([Option<&'a Neighbor>; LANES], NeighborRun);

/// The neighbours of sixteen particles put into rows. Those that lie as far from their particles as those
/// of half of the others follow each other in memory.
///
/// * `lists` — of these particles and maybe more
pub fn neighbor_rows(lists: &[Vec<Neighbor>], first: usize) -> Vec<NeighborRow<'_>> {
    let lists = &lists[..lists.len().min(LANES)];
    let shift =
        |lane: usize, neighbor: &Neighbor| i64::from(neighbor.place) - (first + lane) as i64;
    let mut shifts: Vec<i64> = Vec::new();
    for (lane, list) in lists.iter().enumerate() {
        shifts.extend(list.iter().map(|neighbor| shift(lane, neighbor)));
    }
    shifts.sort_unstable();
    let mut rows: Vec<NeighborRow<'_>> = Vec::new();
    let mut left: Vec<Vec<&Neighbor>> = lists.iter().map(|list| list.iter().collect()).collect();
    for same in shifts.chunk_by(|a, b| a == b) {
        if 2 * same.len() < lists.len() {
            continue;
        }
        let mut row = [None; LANES];
        for (lane, list) in left.iter_mut().enumerate() {
            let at = list.iter().position(|n| shift(lane, n) == same[0]);
            row[lane] = at.map(|at| list.remove(at));
        }
        rows.push((row, NeighborRun::From((first as i64 + same[0]) as i32)));
    }
    let depth = left.iter().map(Vec::len).max().unwrap_or(0);
    for k in 0..depth {
        let mut row = [None; LANES];
        for (lane, list) in left.iter().enumerate() {
            row[lane] = list.get(k).copied();
        }
        rows.push((row, NeighborRun::Scattered));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_neighbour_is_in_one_row_and_grid_neighbours_are_contiguous() {
        // Two rows of ten, and a particle far away that is joined to the first one.
        let mut ends: Vec<[u32; 2]> = (0..9).map(|k| [k, k + 1]).collect();
        ends.extend((10..19).map(|k| [k, k + 1]));
        ends.extend((0..10).map(|k| [k, k + 10]));
        ends.push([0, 20]);
        let lists = by_particle(ends.iter().copied(), 21);
        let rows = neighbor_rows(&lists[..], 0);
        let runs: Vec<NeighborRun> = rows.iter().map(|(_, run)| *run).collect();
        let expected = [-1, 1, 10].map(NeighborRun::From);
        assert_eq!(runs[..3], expected);
        // Fewer than half of the first sixteen have a neighbour ten places before them.
        assert!(runs[3..].iter().all(|run| *run == NeighborRun::Scattered));
        for lane in 0..LANES {
            let mut found: Vec<u32> = rows
                .iter()
                .filter_map(|(row, _)| Some(row[lane]?.place))
                .collect();
            found.sort_unstable();
            let expected: Vec<u32> = lists[lane].iter().map(|neighbor| neighbor.place).collect();
            assert_eq!(found, expected);
        }
    }
}

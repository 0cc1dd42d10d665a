//! Into how many pieces matter has come: groups of particles that still act on each other.

use std::ops::Range;

use pliant_geometry::topology::DisjointSets;
use pliant_math::DVec3;

use crate::world::{Setup, World};

/// The piece that each of some points belongs to.
#[derive(Debug, Default)]
pub(crate) struct Pieces {
    /// For each point, the first point of its piece.
    pub first: Vec<u32>,
}

/// A point that may be joined to others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FragmentPoint {
    pub position: DVec3,
    /// Only points of one group are joined by their distance.
    pub group: u32,
    /// Two points nearer than the mean of their reaches are joined [m], >= 0.
    pub reach: f64,
}

/// One piece.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Piece {
    /// Number of its points.
    pub points: usize,
    /// Their mass [kg].
    pub mass: f64,
}

/// Mass of pieces, as the tables tell it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PieceCounts {
    /// Number of pieces.
    pub all: usize,
    /// Number of those that have at least [`LARGE`] of the mass of all.
    pub large: usize,
    /// Share of the mass that the greatest has; 0 without particles.
    pub greatest: f64,
}

/// Share of the mass from which on a piece is no crumb.
const LARGE: f64 = 0.01;

impl Pieces {
    /// Joins what acts on each other: particles of a continuum within the kernel's reach, granules that
    /// touch or nearly do, corners of a triangle of cloth that holds, neighbours of solids, ends of springs.
    ///
    /// * `order` — places of all particles in order of their ids
    pub fn of(world: &World, order: &[u32]) -> Self {
        let particles = &world.state.particles;
        let fragment_points = fragment_points_of_bodies(&world.setup);
        let at = |&i: &u32| {
            let body = particles.body[i as usize] as usize;
            let position = particles.position[i as usize];
            FragmentPoint {
                position,
                ..fragment_points[body]
            }
        };
        let id: Vec<u32> = order.iter().map(|&i| particles.id[i as usize]).collect();
        let points: Vec<FragmentPoint> = order.iter().map(at).collect();
        Self::joined(&points, &links(world, &id))
    }

    /// Joins points by their distances, and those that are linked.
    pub fn joined(points: &[FragmentPoint], links: &[[u32; 2]]) -> Self {
        let mut sets = DisjointSets::of_edges(points.len(), links);
        join_near(points, &mut sets);
        let first = (0..points.len() as u32).map(|i| sets.root(i)).collect();
        Self { first }
    }

    /// The pieces.
    ///
    /// * `mass` — of each point [kg]
    pub fn list(&self, mass: impl Iterator<Item = f64>) -> Vec<Piece> {
        let mut pieces = vec![Piece::default(); self.first.len()];
        for (&first, mass) in self.first.iter().zip(mass) {
            let piece = &mut pieces[first as usize];
            piece.points += 1;
            piece.mass += mass;
        }
        pieces.retain(|piece| piece.points > 0);
        pieces
    }
}

impl PieceCounts {
    /// Counts pieces.
    pub fn of(pieces: &[Piece]) -> Self {
        let total: f64 = pieces.iter().map(|piece| piece.mass).sum();
        let is_large = |piece: &&Piece| piece.mass >= LARGE * total;
        let greatest = pieces.iter().map(|piece| piece.mass).fold(0.0, f64::max);
        Self {
            all: pieces.len(),
            large: pieces.iter().filter(is_large).count(),
            greatest: greatest / total.max(f64::MIN_POSITIVE),
        }
    }
}

/// What is joined however far apart it is, by places among some ids.
///
/// * `ids` — increasing
pub(crate) fn links(world: &World, ids: &[u32]) -> Vec<[u32; 2]> {
    let methods = world.setup.methods().into_iter();
    methods
        .flat_map(|method| method.links(world, ids))
        .collect()
}

/// How far the particles of each body reach, and for whom.
pub(crate) fn fragment_points_of_bodies(setup: &Setup) -> Vec<FragmentPoint> {
    let alone = FragmentPoint {
        position: DVec3::ZERO,
        group: u32::MAX,
        reach: 0.0,
    };
    let mut fragment_points = vec![alone; setup.bodies.len()];
    let methods = setup.methods().into_iter();
    let groups = methods.flat_map(|method| method.joined(setup));
    for (group, bodies) in (0..).zip(groups) {
        for joined in bodies {
            let point = &mut fragment_points[joined.body as usize];
            (point.group, point.reach) = (group, joined.reach);
        }
    }
    fragment_points
}

/// Points in a cube whose edge is the greatest reach.
#[derive(Debug)]
struct Cell {
    /// See [`Cubes::key`].
    key: u64,
    /// Its points, by their places in the order of the cells.
    members: Range<usize>,
    /// Whether they are one piece as it is: then one pair joins them to all of another such cell.
    is_joined: bool,
}

/// A point with its number.
type Numbered = (u32, FragmentPoint);

/// Joins each point with those in its own cell and in the cells around it.
fn join_near(points: &[FragmentPoint], sets: &mut DisjointSets) {
    let (sorted, mut cells) = sorted_into_cells(points);
    for cell in &mut cells {
        let members = &sorted[cell.members.clone()];
        for (k, one) in members.iter().enumerate() {
            for two in &members[k + 1..] {
                join_if_near(one, two, sets);
            }
        }
        let root = sets.root(members[0].0);
        cell.is_joined = members.iter().all(|member| sets.root(member.0) == root);
    }
    for (number, cell) in cells.iter().enumerate() {
        for near in half_around(&cells, number) {
            for other in &cells[near] {
                join_cells(&sorted, [cell, other], sets);
            }
        }
    }
}

/// Joins points of two cells. Matter that holds together takes one near pair, or none.
fn join_cells(sorted: &[Numbered], [one, two]: [&Cell; 2], sets: &mut DisjointSets) {
    let are_joined = one.is_joined && two.is_joined;
    let [ours, theirs] = [one, two].map(|cell| &sorted[cell.members.clone()]);
    if are_joined && sets.root(ours[0].0) == sets.root(theirs[0].0) {
        return;
    }
    for a in ours {
        for b in theirs {
            if join_if_near(a, b, sets) && are_joined {
                return;
            }
        }
    }
}

/// The points that reach others, cell by cell, and the cells by their keys.
fn sorted_into_cells(points: &[FragmentPoint]) -> (Vec<Numbered>, Vec<Cell>) {
    let cubes = Cubes::around(points);
    let reaching = (0..).zip(points).filter(|(_, point)| point.reach > 0.0);
    let mut keys: Vec<(u64, u32)> = reaching
        .map(|(number, point)| (cubes.key(point), number))
        .collect();
    keys.sort_unstable();
    let mut cells = Vec::new();
    let mut start = 0;
    for members in keys.chunk_by(|one, two| one.0 == two.0) {
        let end = start + members.len();
        cells.push(Cell {
            key: members[0].0,
            members: start..end,
            is_joined: false,
        });
        start = end;
    }
    let numbered = |&(_, number): &(_, u32)| (number, points[number as usize]);
    (keys.iter().map(numbered).collect(), cells)
}

/// Half of the cells around one: the next along x, and four rows of three.
fn half_around(cells: &[Cell], number: usize) -> [Range<usize>; 5] {
    let key = cells[number].key;
    let after =
        |below: usize, key: u64| below + cells[below..].partition_point(|cell| cell.key < key);
    let row = |step: u64| {
        let start = after(number, key + step - X);
        start..after(start, key + step + 2 * X)
    };
    [
        after(number, key + X)..after(number, key + 2 * X),
        row(Y),
        row(Z - Y),
        row(Z),
        row(Z + Y),
    ]
}

/// The cubes that points are sorted into.
struct Cubes {
    /// In the midst of the points [m].
    middle: DVec3,
    /// Edge [m].
    size: f64,
}

/// Points that the middle is found from.
const SAMPLES: usize = 1000;

/// Bits for a coordinate in a key, and what a step along each axis adds to it.
const BITS: u32 = 18;
const X: u64 = 1;
const Y: u64 = X << BITS;
const Z: u64 = Y << BITS;

impl Cubes {
    /// With the median of the points that reach others in the middle, so that a few that have gone far
    /// away take no cubes from the rest.
    fn around(points: &[FragmentPoint]) -> Self {
        let reaching: Vec<&FragmentPoint> =
            points.iter().filter(|point| point.reach > 0.0).collect();
        let every = reaching.len() / SAMPLES + 1;
        let median = |axis: usize| {
            let sample = reaching.iter().step_by(every);
            let mut sample: Vec<f64> = sample.map(|point| point.position[axis]).collect();
            let half = sample.len() / 2;
            *sample.select_nth_unstable_by(half, f64::total_cmp).1
        };
        let middle = match reaching.is_empty() {
            true => DVec3::ZERO,
            false => DVec3::from([0, 1, 2].map(median)),
        };
        let reaches = reaching.iter().map(|point| point.reach);
        Self {
            middle,
            size: reaches.fold(f64::MIN_POSITIVE, f64::max),
        }
    }

    /// The group, and below it the coordinates of the cube: z, y, x. What lies farther away than there
    /// are cubes goes to the last ones, and many groups may share bits: who is joined does not hang on
    /// it.
    fn key(&self, point: &FragmentPoint) -> u64 {
        const LAST: f64 = ((1 << BITS) - 2) as f64;
        const MIDDLE: f64 = (1 << (BITS - 1)) as f64;
        let cube = (point.position - self.middle) / self.size + MIDDLE;
        let [x, y, z] = cube.clamp(DVec3::ONE, DVec3::splat(LAST)).to_array();
        let group = u64::from(point.group) << (3 * BITS);
        group + z as u64 * Z + y as u64 * Y + x as u64 * X
    }
}

/// True if the points are near enough to be joined, and then they are.
fn join_if_near(one: &Numbered, two: &Numbered, sets: &mut DisjointSets) -> bool {
    let ((a, one), (b, two)) = (one, two);
    let between = one.position.distance(two.position);
    let is_near = one.group == two.group && between < 0.5 * (one.reach + two.reach);
    if is_near {
        sets.join(*a, *b);
    }
    is_near
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn points(positions: &[[f64; 3]], reach: f64) -> Vec<FragmentPoint> {
        let point = |(number, x): (u32, &[f64; 3])| FragmentPoint {
            position: DVec3::from_array(*x),
            group: number % 2,
            reach,
        };
        (0..).zip(positions).map(point).collect()
    }

    /// The first point of each piece, by spreading from point to point until nothing changes.
    fn by_spreading(points: &[FragmentPoint]) -> Vec<u32> {
        let mut first: Vec<u32> = (0..points.len() as u32).collect();
        loop {
            let before = first.clone();
            for (i, a) in points.iter().enumerate() {
                for (j, b) in points.iter().enumerate() {
                    let is_near = a.position.distance(b.position) < a.reach;
                    if a.group == b.group && is_near {
                        first[i] = first[i].min(first[j]);
                    }
                }
            }
            if first == before {
                return first;
            }
        }
    }

    proptest! {
        #[test]
        fn pieces_are_those_found_by_spreading(
            positions in prop::collection::vec(prop::array::uniform3(-2.0..2.0_f64), 0..120),
            reach in 0.2..1.5_f64,
            is_far in any::<bool>(),
        ) {
            let mut points = points(&positions, reach);
            if is_far {
                // Beyond the last cube, like all others seen from there; and groups that share bits.
                points.push(FragmentPoint { position: DVec3::splat(-1e9), group: 1024, reach });
            }
            prop_assert_eq!(Pieces::joined(&points, &[]).first, by_spreading(&points));
        }
    }

    #[test]
    fn links_join_what_lies_far_apart_and_masses_add_up() {
        let mut points = points(&[[0.0; 3], [9.0; 3], [5.0; 3], [7.0; 3]], 0.0);
        points[3].group = 5;
        let pieces = Pieces::joined(&points, &[[0, 1], [1, 2]]);
        assert_eq!(pieces.first, [0, 0, 0, 3]);
        let list = pieces.list([1.0, 2.0, 3.0, 0.05].into_iter());
        let counts = PieceCounts::of(&list);
        assert_eq!((list.len(), counts.all, counts.large), (2, 2, 1));
        assert!((counts.greatest - 6.0 / 6.05).abs() < 1e-12);
    }
}

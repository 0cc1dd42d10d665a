//! Triangles across a ring of vertices in space.

use pliant_math::DVec3;

/// A ring of more vertices is cut in two before areas are compared, whose number grows with the third power.
const MOST: usize = 200;

/// The triangles across a ring that have the least area in all (Barequet and Sharir 1995).
pub(super) fn least_area(vertices: &[DVec3], ring: &[u32]) -> Vec<[u32; 3]> {
    let mut triangles = Vec::new();
    let mut rings = vec![ring.to_vec()];
    while let Some(ring) = rings.pop() {
        match ring.len() {
            0..3 => {}
            3..=MOST => of_least_area(vertices, &ring, &mut triangles),
            _ => {
                let [from, to] = shortest_cut(vertices, &ring);
                let outer = ring[to..].iter().chain(&ring[..=from]);
                rings.push(outer.copied().collect());
                rings.push(ring[from..=to].to_vec());
            }
        }
    }
    triangles
}

/// The places of two vertices, in order, that are near to each other for how far they are apart along the ring: at
/// least a quarter of it lies on either side.
fn shortest_cut(vertices: &[DVec3], ring: &[u32]) -> [usize; 2] {
    let count = ring.len();
    let place = |k: usize| vertices[ring[k] as usize];
    let pairs = (0..count).flat_map(|from| {
        let to = from + count / 4..=(from + count - count / 4).min(count - 1);
        to.map(move |to| [from, to])
    });
    let square = |[from, to]: [usize; 2]| place(from).distance_squared(place(to));
    let shortest = pairs.min_by(|&a, &b| square(a).total_cmp(&square(b)));
    shortest.unwrap_or([0, count / 2])
}

fn of_least_area(vertices: &[DVec3], ring: &[u32], triangles: &mut Vec<[u32; 3]>) {
    let count = ring.len();
    let place = |k: usize| vertices[ring[k] as usize];
    let area =
        |a: usize, b: usize, c: usize| (place(b) - place(a)).cross(place(c) - place(a)).length();
    // Of the polygon from one vertex to a later one: the least area, and the third corner of the triangle on the
    // edge that closes it.
    let mut least = vec![(0.0, 0); count * count];
    for width in 2..count {
        for from in 0..count - width {
            let to = from + width;
            let split = |k: usize| {
                let parts = least[from * count + k].0 + least[k * count + to].0;
                (parts + area(from, k, to), k)
            };
            let best = (from + 1..to).map(split).min_by(|a, b| a.0.total_cmp(&b.0));
            least[from * count + to] = best.unwrap_or((0.0, from + 1));
        }
    }
    let mut open = vec![[0, count - 1]];
    while let Some([from, to]) = open.pop() {
        if to - from < 2 {
            continue;
        }
        let middle = least[from * count + to].1;
        triangles.push([from, middle, to].map(|k| ring[k]));
        open.extend([[from, middle], [middle, to]]);
    }
}

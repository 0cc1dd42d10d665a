//! Long edges of a mesh divided.

use std::collections::BTreeMap;

use pliant_math::DVec3;

use crate::TriangleMesh;
use crate::topology::first_at_place;

/// The same surface without edges longer than `longest` [m], > 0. The long edges of needles are cut into
/// equal parts; of any other triangle that has long ones the longest is halved (Rivara 1984), until none
/// is left. Vertices keep their numbers, new ones follow, and triangles side by side fit, also where
/// they have vertices of their own at the same places.
pub fn refined(mesh: &TriangleMesh, longest: f64) -> TriangleMesh {
    let welded = Sourced::welded(mesh);
    let fine = halved(without_needles(welded, longest), |_| longest);
    fine.unwelded(mesh)
}

/// The same with edges that are divided in some places only: `longest` [m], > 0, of the middle of an
/// edge [m].
pub fn refined_where(mesh: &TriangleMesh, longest: impl Fn(DVec3) -> f64) -> TriangleMesh {
    halved(Sourced::welded(mesh), longest).unwelded(mesh)
}

/// A mesh of which each triangle is a part of one of another.
struct Sourced {
    mesh: TriangleMesh,
    /// The triangle of that.
    source: Vec<u32>,
    /// For each vertex of that the first at its place.
    first: Vec<u32>,
}

impl Sourced {
    /// A mesh with triangles between the first vertices at each place.
    fn welded(mesh: &TriangleMesh) -> Self {
        let first = first_at_place(mesh);
        let triangles = mesh.triangles.iter();
        Self {
            mesh: TriangleMesh {
                vertices: mesh.vertices.clone(),
                triangles: triangles.map(|t| t.map(|k| first[k as usize])).collect(),
            },
            source: (0..mesh.triangles.len() as u32).collect(),
            first,
        }
    }

    /// The mesh with the vertices that its triangles had at first.
    fn unwelded(mut self, original: &TriangleMesh) -> TriangleMesh {
        for (corners, &source) in self.mesh.triangles.iter_mut().zip(&self.source) {
            let own = original.triangles[source as usize];
            for corner in corners {
                let same = own.iter().find(|k| self.first[**k as usize] == *corner);
                *corner = same.copied().unwrap_or(*corner);
            }
        }
        self.mesh
    }
}

fn halved(mut sourced: Sourced, longest: impl Fn(DVec3) -> f64) -> Sourced {
    loop {
        let mesh = &mut sourced.mesh;
        let mut middles = Middles::new();
        for number in 0..mesh.triangles.len() {
            let ends = longest_edge(mesh, number);
            let [from, to] = ends.map(|k| mesh.vertices[k as usize]);
            let longest = longest(0.5 * (from + to));
            if from.distance_squared(to) > longest * longest {
                add_middle(mesh, &mut middles, ends);
            }
        }
        if middles.is_empty() {
            return sourced;
        }
        while add_longest(mesh, &mut middles) {}
        let mut triangles = Vec::with_capacity(2 * mesh.triangles.len());
        let mut source = Vec::with_capacity(2 * mesh.triangles.len());
        for (&triangle, &of) in mesh.triangles.iter().zip(&sourced.source) {
            let edges = [0, 1, 2].map(|k| sorted([triangle[k], triangle[(k + 1) % 3]]));
            let middle = edges.map(|edge| middles.get(&edge).copied());
            divide(triangle, middle, &mut triangles);
            source.resize(triangles.len(), of);
        }
        mesh.triangles = triangles;
        sourced.source = source;
    }
}

/// The vertices in the middle of edges.
type Middles = BTreeMap<[u32; 2], u32>;

fn add_middle(mesh: &mut TriangleMesh, middles: &mut Middles, ends: [u32; 2]) {
    middles.entry(ends).or_insert_with(|| {
        let [from, to] = ends.map(|k| mesh.vertices[k as usize]);
        mesh.vertices.push(0.5 * (from + to));
        mesh.vertices.len() as u32 - 1
    });
}

/// Halves the longest edge of triangles of which others are halved: they would get ever thinner. True if
/// there were any.
fn add_longest(mesh: &mut TriangleMesh, middles: &mut Middles) -> bool {
    let before = middles.len();
    for number in 0..mesh.triangles.len() {
        let triangle = mesh.triangles[number];
        let edges = [0, 1, 2].map(|k| sorted([triangle[k], triangle[(k + 1) % 3]]));
        if edges.iter().any(|edge| middles.contains_key(edge)) {
            let ends = longest_edge(mesh, number);
            add_middle(mesh, middles, ends);
        }
    }
    middles.len() > before
}

/// The mesh with triangles that have two long edges and a short one cut across: halving would make them
/// ever thinner.
fn without_needles(sourced: Sourced, longest: f64) -> Sourced {
    let mesh = &sourced.mesh;
    let mut cut = Cut {
        mesh: TriangleMesh {
            vertices: mesh.vertices.clone(),
            triangles: Vec::with_capacity(mesh.triangles.len()),
        },
        inner: BTreeMap::new(),
    };
    for &[a, b, c] in &mesh.triangles {
        let edges = [[a, b], [b, c], [c, a]];
        let is_long = edges.map(|edge| cut.length(edge) > longest);
        if is_long.iter().filter(|is_long| **is_long).count() == 2 {
            for (edge, _) in edges
                .into_iter()
                .zip(is_long)
                .filter(|(_, is_long)| *is_long)
            {
                cut.divide(edge, longest);
            }
        }
    }
    let mut source = Vec::with_capacity(mesh.triangles.len());
    for (&triangle, &of) in mesh.triangles.iter().zip(&sourced.source) {
        cut.add(triangle);
        source.resize(cut.mesh.triangles.len(), of);
    }
    Sourced {
        mesh: cut.mesh,
        source,
        first: sourced.first,
    }
}

/// A mesh whose edges are being cut.
struct Cut {
    mesh: TriangleMesh,
    /// Vertices between the ends of edges, from the lesser on.
    inner: BTreeMap<[u32; 2], Vec<u32>>,
}

impl Cut {
    fn length(&self, ends: [u32; 2]) -> f64 {
        let [from, to] = ends.map(|k| self.mesh.vertices[k as usize]);
        from.distance(to)
    }

    /// Cuts an edge into the fewest equal parts that are short.
    fn divide(&mut self, ends: [u32; 2], longest: f64) {
        let ends = sorted(ends);
        let parts = (self.length(ends) / longest).ceil() as u32;
        let [from, to] = ends.map(|k| self.mesh.vertices[k as usize]);
        let vertices = &mut self.mesh.vertices;
        self.inner.entry(ends).or_insert_with(|| {
            let first = vertices.len() as u32;
            let place = |k: u32| from + (to - from) * (f64::from(k) / f64::from(parts));
            vertices.extend((1..parts).map(place));
            (first..first + parts - 1).collect()
        });
    }

    /// The vertices of an edge from its start on, both ends included.
    fn along(&self, [from, to]: [u32; 2]) -> Vec<u32> {
        let inner = self.inner.get(&sorted([from, to]));
        let inner = inner.map_or(&[][..], Vec::as_slice).iter().copied();
        let mut all = vec![from];
        if from < to {
            all.extend(inner);
        } else {
            all.extend(inner.rev());
        }
        all.push(to);
        all
    }

    /// Adds a triangle, in parts if its edges are cut.
    fn add(&mut self, [a, b, c]: [u32; 3]) {
        let edges = [[a, b], [b, c], [c, a]].map(|edge| self.along(edge));
        let is_cut = edges.each_ref().map(|edge| edge.len() > 2);
        match is_cut {
            [false, false, false] => self.mesh.triangles.push([a, b, c]),
            [true, false, true] => self.add_strip(&edges[0], &self.along([a, c])),
            [true, true, false] => self.add_strip(&edges[1], &self.along([b, a])),
            [false, true, true] => self.add_strip(&edges[2], &self.along([c, b])),
            _ => self.add_fan(&edges),
        }
    }

    /// What lies between two edges that start at the same vertex, counter-clockwise from the first to the
    /// second.
    fn add_strip(&mut self, one: &[u32], two: &[u32]) {
        let (mut i, mut j) = (0, 0);
        while i + 1 < one.len() || j + 1 < two.len() {
            let next = |k: usize, of: &[u32]| (k + 1) as f64 / (of.len() - 1) as f64;
            let corners = if next(i, one) <= next(j, two) {
                i += 1;
                [one[i - 1], one[i], two[j]]
            } else {
                j += 1;
                [one[i], two[j], two[j - 1]]
            };
            // At their start both are the same vertex.
            if corners[0] != corners[2] && corners[1] != corners[2] {
                self.mesh.triangles.push(corners);
            }
        }
    }

    /// A triangle around its middle.
    fn add_fan(&mut self, edges: &[Vec<u32>; 3]) {
        let corners = edges
            .each_ref()
            .map(|edge| self.mesh.vertices[edge[0] as usize]);
        let middle = self.mesh.vertices.len() as u32;
        self.mesh.vertices.push(corners.iter().sum::<DVec3>() / 3.0);
        for edge in edges {
            let parts = edge.windows(2).map(|ends| [ends[0], ends[1], middle]);
            self.mesh.triangles.extend(parts);
        }
    }
}

/// The ends of the longest edge of a triangle, the lesser number first.
fn longest_edge(mesh: &TriangleMesh, triangle: usize) -> [u32; 2] {
    let corners = mesh.triangles[triangle];
    let edges = [0, 1, 2].map(|k| sorted([corners[k], corners[(k + 1) % 3]]));
    let squared = |[a, b]: [u32; 2]| {
        let [a, b] = [a, b].map(|k| mesh.vertices[k as usize]);
        a.distance_squared(b)
    };
    let longer = |a: [u32; 2], b: [u32; 2]| if squared(b) > squared(a) { b } else { a };
    longer(longer(edges[0], edges[1]), edges[2])
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// Adds the parts of a triangle; each middle is that of the edge from the corner of its number on.
fn divide([a, b, c]: [u32; 3], middle: [Option<u32>; 3], parts: &mut Vec<[u32; 3]>) {
    match middle {
        [None, None, None] => parts.push([a, b, c]),
        [Some(m), None, None] => parts.extend([[a, m, c], [m, b, c]]),
        [None, Some(m), None] => parts.extend([[b, m, a], [m, c, a]]),
        [None, None, Some(m)] => parts.extend([[c, m, b], [m, a, b]]),
        [Some(m), Some(n), None] => parts.extend([[m, b, n], [a, m, n], [a, n, c]]),
        [None, Some(m), Some(n)] => parts.extend([[m, c, n], [b, m, n], [b, n, a]]),
        [Some(n), None, Some(m)] => parts.extend([[m, a, n], [c, m, n], [c, n, b]]),
        [Some(m), Some(n), Some(o)] => {
            parts.extend([[a, m, o], [m, b, n], [o, n, c], [m, n, o]]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use crate::shapes::{Box, Capsule};
    use crate::topology;

    #[test]
    fn a_box_stays_the_same_closed_box_without_long_edges() {
        let half_size = DVec3::new(1.0, 0.4, 0.13);
        let mesh = Box { half_size }.surface(1.0);
        for longest in [0.1, 0.3, 1.7, 9.0] {
            let fine = refined(&mesh, longest);
            assert!((fine.volume() - mesh.volume()).abs() < 1e-12);
            assert!(topology::closed(&fine).is_ok());
            assert_eq!(fine.vertices[..mesh.vertices.len()], mesh.vertices);
            let lengths = (0..fine.triangles.len()).flat_map(|t| {
                let [a, b, c] = fine.corners(t);
                [a.distance(b), b.distance(c), c.distance(a)]
            });
            assert!(lengths.fold(0.0, f64::max) <= longest);
        }
        assert_eq!(refined(&mesh, 9.0), mesh);
    }

    #[test]
    fn edges_are_divided_where_it_is_asked_for_however_sharp_the_border() {
        let mesh = refined(
            &Box {
                half_size: DVec3::splat(0.5),
            }
            .surface(1.0),
            0.15,
        );
        for k in 0..20 {
            let border = 0.03 * f64::from(k) - 0.3;
            let is_near = |x: DVec3| (x.x - 0.3 * x.y - border).abs() < 0.1;
            let fine = refined_where(&mesh, |x| if is_near(x) { 0.05 } else { f64::INFINITY });
            assert!(topology::closed(&fine).is_ok());
            let least = (0..fine.triangles.len()).map(|t| {
                let [a, b, c] = fine.corners(t);
                let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
                (b - a).cross(c - a).length() / (longest * longest)
            });
            let least = least.fold(1.0, f64::min);
            assert!(least > 0.1, "{least}");
        }
    }

    #[test]
    fn edges_are_divided_where_it_is_asked_for_and_the_rest_keeps_its_triangles() {
        let half_size = DVec3::new(1.0, 0.4, 0.13);
        let mesh = refined(&Box { half_size }.surface(1.0), 0.3);
        let longest = |x: DVec3| if x.x > 0.6 { 0.05 } else { f64::INFINITY };
        let fine = refined_where(&mesh, longest);
        assert!((fine.volume() - mesh.volume()).abs() < 1e-12);
        assert!(topology::closed(&fine).is_ok());
        for t in 0..fine.triangles.len() {
            let corners = fine.corners(t);
            let [a, b, c] = corners;
            let edges = [a.distance(b), b.distance(c), c.distance(a)];
            let is_short = edges.into_iter().fold(0.0, f64::max) <= 0.05;
            let is_inside = corners.iter().all(|x| x.x > 0.75);
            assert!(is_short || !is_inside, "{corners:?}");
        }
        let far = |mesh: &TriangleMesh| {
            let corners = (0..mesh.triangles.len()).map(|t| mesh.corners(t));
            let far = corners.filter(|corners| corners.iter().all(|x| x.x < 0.0));
            far.collect::<Vec<_>>()
        };
        assert_eq!(far(&fine), far(&mesh));
    }

    #[test]
    fn triangles_with_vertices_of_their_own_still_fit() {
        let half_size = DVec3::new(1.0, 0.4, 0.13);
        let shared = Box { half_size }.surface(1.0);
        let corners = (0..shared.triangles.len()).flat_map(|t| shared.corners(t));
        let vertices: Vec<DVec3> = corners.collect();
        let triangles = (0..vertices.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
        let soup = TriangleMesh {
            triangles: triangles.collect(),
            vertices,
        };
        for fine in [
            refined(&soup, 0.1),
            refined_where(&soup, |x| 0.2 - 0.1 * x.x),
        ] {
            assert!(topology::closed(&fine).is_ok());
            assert!((fine.volume() - shared.volume()).abs() < 1e-12);
            let given = soup.vertices.len();
            assert_eq!(fine.vertices[..given], soup.vertices);
            let mut used: Vec<u32> = fine.triangles.as_flattened().to_vec();
            used.sort_unstable();
            used.dedup();
            assert!(
                used.len() == fine.vertices.len(),
                "each is a corner of some triangle"
            );
        }
    }

    #[test]
    fn needles_are_cut_across() {
        let capsule = Capsule {
            radius: 0.03,
            height: 0.44,
        };
        let mesh = capsule.surface(1.0);
        let fine = refined(&mesh, 0.01);
        assert!((fine.volume() / mesh.volume() - 1.0).abs() < 1e-12);
        assert!(topology::closed(&fine).is_ok());
        // 64 times 44 rows of four triangles, and the two ends.
        let count = fine.triangles.len();
        assert!(count < 64 * 44 * 4 + 2 * mesh.triangles.len(), "{count}");
    }
}

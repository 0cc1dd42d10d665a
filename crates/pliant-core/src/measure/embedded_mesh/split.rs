//! A mesh split along cracks.

use std::collections::BTreeSet;

use pliant_geometry::TriangleMesh;
use pliant_math::DVec3;

use super::bound::BoundMesh;
use super::crack_sides::{CrackSides, Side};
use super::duplicated_vertices::{Corner, DuplicatedVertices, between};
use crate::parallel;

/// A mesh with triangles divided where cracks go through them, and apart there. Its vertices stay the first,
/// in their order.
pub(super) fn split(mesh: &TriangleMesh, sides: &CrackSides<'_>) -> BoundMesh {
    let mut side = vec![Side::default(); mesh.vertices.len()];
    parallel::for_chunks(&mut side, |first, side| {
        for (side, &x) in side.iter_mut().zip(&mesh.vertices[first..]) {
            *side = sides.at_or_nearest(x);
        }
    });
    let mut split = Split {
        mesh,
        side: &side,
        parted: parted_edges(mesh, sides, &side),
        copies: DuplicatedVertices::default(),
    };
    for &triangle in &mesh.triangles {
        split.add(triangle);
    }
    split.copies.mesh(sides, &mesh.vertices, &side)
}

/// The edges with a crack between their ends, the lesser first.
fn parted_edges(mesh: &TriangleMesh, sides: &CrackSides<'_>, side: &[Side]) -> BTreeSet<[u32; 2]> {
    let edges = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
    let mut all: Vec<[u32; 2]> = mesh.triangles.iter().flat_map(edges).collect();
    for ends in &mut all {
        ends.sort_unstable();
    }
    all.sort_unstable();
    all.dedup();
    let mut is_parted = vec![false; all.len()];
    parallel::for_chunks(&mut is_parted, |first, is_parted| {
        for (is_parted, ends) in is_parted.iter_mut().zip(&all[first..]) {
            let ends = ends.map(|end| end as usize);
            let places = ends.map(|end| mesh.vertices[end]);
            *is_parted = sides.are_parted(places, ends.map(|end| &side[end]));
        }
    });
    let parted = all.into_iter().zip(is_parted);
    parted
        .filter_map(|(ends, is_parted)| is_parted.then_some(ends))
        .collect()
}

struct Split<'a> {
    mesh: &'a TriangleMesh,
    side: &'a [Side],
    parted: BTreeSet<[u32; 2]>,
    copies: DuplicatedVertices,
}

impl Split<'_> {
    /// Adds a triangle in the parts that cracks make of it.
    fn add(&mut self, triangle: [u32; 3]) {
        let is_parted = [0, 1, 2].map(|k| {
            let [a, b] = [triangle[k], triangle[(k + 1) % 3]];
            self.parted.contains(&[a.min(b), a.max(b)])
        });
        for (k, _) in is_parted.iter().enumerate().filter(|(_, is)| **is) {
            self.put_between(triangle[k], triangle[(k + 1) % 3]);
        }
        // Turned so that the corner or edge that differs from the others comes first.
        let turned = |first: usize| [0, 1, 2].map(|k| triangle[(first + k) % 3]);
        let with = |value: bool| is_parted.iter().position(|is| *is == value).unwrap_or(0);
        match is_parted.iter().filter(|is| **is).count() {
            0 => self.copies.add(triangle.map(Corner::Node)),
            1 => self.end_in(turned(with(true))),
            2 => self.part(turned((with(false) + 2) % 3)),
            _ => self.part_all(triangle),
        }
    }

    fn put_between(&mut self, a: u32, b: u32) {
        let [one, other] = [a.min(b), a.max(b)];
        let [from, to] = [one, other].map(|k| self.mesh.vertices[k as usize]);
        let [lead, next] = [one, other].map(|k| self.side[k as usize].lead);
        let place = from + (to - from) * (lead / (lead + next));
        self.copies.put(between(&[a, b]), place);
    }

    /// A crack ends in the edge from a to b.
    fn end_in(&mut self, [a, b, c]: [u32; 3]) {
        let middle = between(&[a, b]);
        self.copies.join(middle, [a, b]);
        let [to_a, to_b, to_c] = [a, b, c].map(Corner::Node);
        let middle = Corner::Copy(middle, a);
        self.copies.add([to_a, middle, to_c]);
        self.copies.add([middle, to_b, to_c]);
    }

    /// A crack parts a from the others.
    fn part(&mut self, [a, b, c]: [u32; 3]) {
        let (ab, ca) = (between(&[a, b]), between(&[c, a]));
        let [to_a, to_b, to_c] = [a, b, c].map(Corner::Node);
        self.copies
            .add([to_a, Corner::Copy(ab, a), Corner::Copy(ca, a)]);
        self.copies.add([Corner::Copy(ab, b), to_b, to_c]);
        self.copies
            .add([Corner::Copy(ab, b), to_c, Corner::Copy(ca, c)]);
    }

    /// Cracks part all corners from each other.
    fn part_all(&mut self, triangle: [u32; 3]) {
        let middle = between(&triangle);
        let places = triangle.map(|k| self.mesh.vertices[k as usize]);
        self.copies.put(middle, places.iter().sum::<DVec3>() / 3.0);
        for k in 0..3 {
            let [own, next, last] = [0, 1, 2].map(|j| triangle[(k + j) % 3]);
            let [after, before] =
                [next, last].map(|other| Corner::Copy(between(&[own, other]), own));
            let (corner, middle) = (Corner::Node(own), Corner::Copy(middle, own));
            self.copies.add([corner, after, middle]);
            self.copies.add([corner, middle, before]);
        }
    }
}

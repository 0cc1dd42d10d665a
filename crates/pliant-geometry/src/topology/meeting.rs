//! Which triangles meet at the edges and vertices of a mesh.

use std::collections::BTreeMap;

use crate::TriangleMesh;

/// The triangles at each edge and at each vertex, ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct MeetingTriangles {
    /// The numbers of each triangle's edges; the first starts at its first corner.
    edges: Vec<[u32; 3]>,
    of_edge: Lists,
    of_vertex: Lists,
}

/// Lists one behind the other.
#[derive(Clone, Debug, Default, PartialEq)]
struct Lists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl MeetingTriangles {
    /// Of a mesh whose triangles share their vertices.
    pub fn of(mesh: &TriangleMesh) -> Self {
        let mut numbers = BTreeMap::new();
        let numbered = |corners: &[u32; 3]| {
            std::array::from_fn(|k| {
                let next = numbers.len() as u32;
                *numbers.entry(edge(corners, k)).or_insert(next)
            })
        };
        let edges: Vec<[u32; 3]> = mesh.triangles.iter().map(numbered).collect();
        Self {
            of_edge: Lists::of(numbers.len(), &edges),
            of_vertex: Lists::of(mesh.vertices.len(), &mesh.triangles),
            edges,
        }
    }

    /// The triangles at an edge of a triangle; `edge` is the corner at which it starts, going round.
    pub fn at_edge(&self, triangle: usize, edge: usize) -> &[u32] {
        self.of_edge.get(self.edges[triangle][edge])
    }

    /// The triangles at a vertex.
    pub fn at_vertex(&self, vertex: u32) -> &[u32] {
        self.of_vertex.get(vertex)
    }
}

impl Lists {
    /// For each of `count` things the numbers of the items that name it.
    fn of(count: usize, items: &[[u32; 3]]) -> Self {
        let mut ends = vec![0; count];
        for thing in items.iter().flatten() {
            ends[*thing as usize] += 1;
        }
        let mut end = 0;
        for of_thing in &mut ends {
            // Where its list starts, to be counted up as that is filled.
            (*of_thing, end) = (end, end + *of_thing);
        }
        let mut lists = vec![0; end as usize];
        for (number, things) in (0..).zip(items) {
            for thing in things {
                let next = &mut ends[*thing as usize];
                lists[*next as usize] = number;
                *next += 1;
            }
        }
        Self { ends, items: lists }
    }

    fn get(&self, thing: u32) -> &[u32] {
        let thing = thing as usize;
        let start = thing.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start as usize..self.ends[thing] as usize]
    }
}

/// The edge that starts at a corner, its lesser vertex first.
fn edge(vertices: &[u32; 3], corner: usize) -> [u32; 2] {
    let ends = [vertices[corner], vertices[(corner + 1) % 3]];
    [ends[0].min(ends[1]), ends[0].max(ends[1])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use crate::shapes::Box;

    #[test]
    fn triangles_meet_in_pairs_at_the_edges_of_a_box_and_all_around_its_vertices() {
        let half_size = pliant_math::DVec3::ONE;
        let (mesh, _) = super::super::weld::welded(&Box { half_size }.surface(1.0));
        let meeting = MeetingTriangles::of(&mesh);
        for (number, corners) in mesh.triangles.iter().enumerate() {
            for k in 0..3 {
                let ends = edge(corners, k);
                let all = mesh.triangles.iter().enumerate();
                let has_both = |(_, t): &(usize, &[u32; 3])| ends.iter().all(|end| t.contains(end));
                let expected: Vec<u32> = all.filter(has_both).map(|(n, _)| n as u32).collect();
                assert_eq!(meeting.at_edge(number, k), expected);
                assert_eq!(expected.len(), 2);
                assert!(meeting.at_vertex(corners[k]).contains(&(number as u32)));
            }
        }
        let at_vertices = (0..mesh.vertices.len() as u32).map(|v| meeting.at_vertex(v).len());
        assert_eq!(at_vertices.sum::<usize>(), 3 * mesh.triangles.len());
    }
}

//! Which particles springs join, made from grids, meshes and lattices.

use std::collections::HashMap;

use pliant_geometry::TetrahedralMesh;
use pliant_math::DVec3;

/// Springs between the particles of a body, in their order at the start.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// Where the particles are at rest [m].
    pub rest_position: Vec<DVec3>,
    /// The springs, each pair of ends once.
    pub springs: Vec<Spring>,
    /// Triangles of sheets, meshes and outer faces of tetrahedra, for contacts; none for
    /// lattices.
    pub triangles: Vec<[u32; 3]>,
}

/// A spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// The particles it joins, the lesser number first.
    pub ends: [u32; 2],
    /// Its own length without tension [m], > 0.
    pub rest_length: f64,
    /// What it resists.
    pub class: SpringClass,
}

/// What a spring resists (Provot 1995).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpringClass {
    /// Stretch along cells or edges.
    Structural,
    /// Shear: across cells.
    Shear,
    /// Bending: to the neighbour after next, or across an edge.
    Bending,
}

/// Neighbours of a lattice nearer than so many spacings share a side of a cell...
const SIDE: f64 = 1.2;
/// ...nearer than this a cell, whose diagonal is 1.73 spacings...
pub const CELL: f64 = 1.8;
/// ...and nearer than this a neighbour along a line.
const NEXT: f64 = 2.1;

impl Network {
    /// A grid of so many particles along x and z, row after row: springs along its lines, across its
    /// cells, and to the neighbour after next.
    pub fn grid([nx, nz]: [usize; 2], rest_position: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Self {
        let mut network = Self {
            rest_position,
            springs: Vec::with_capacity(6 * nx * nz),
            triangles,
        };
        let to = [
            ([1, 0], SpringClass::Structural),
            ([0, 1], SpringClass::Structural),
            ([1, 1], SpringClass::Shear),
            ([-1, 1], SpringClass::Shear),
            ([2, 0], SpringClass::Bending),
            ([0, 2], SpringClass::Bending),
        ];
        for z in 0..nz {
            for x in 0..nx {
                for ([dx, dz], class) in to {
                    let (ox, oz) = (x as isize + dx, z as isize + dz);
                    if (0..nx as isize).contains(&ox) && (0..nz as isize).contains(&oz) {
                        let other = oz as usize * nx + ox as usize;
                        network.join((z * nx + x) as u32, other as u32, class);
                    }
                }
            }
        }
        network
    }

    /// A triangle mesh: springs along its edges, and across edges between the far corners of the two
    /// triangles there.
    pub fn mesh(rest_position: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Self {
        let mut sides = Vec::with_capacity(3 * triangles.len());
        for &[a, b, c] in &triangles {
            for (from, to, far) in [(a, b, c), (b, c, a), (c, a, b)] {
                sides.push(([from.min(to), from.max(to)], far));
            }
        }
        sides.sort_unstable();
        let mut network = Self {
            rest_position,
            springs: Vec::new(),
            triangles,
        };
        let mut across = Vec::new();
        for edge in sides.chunk_by(|one, two| one.0 == two.0) {
            let [a, b] = edge[0].0;
            network.join(a, b, SpringClass::Structural);
            across.extend(edge.windows(2).map(|pair| [pair[0].1, pair[1].1]));
        }
        for [a, b] in across {
            if a != b {
                network.join(a, b, SpringClass::Bending);
            }
        }
        network.without_repeats()
    }

    /// A solid of tetrahedra: springs along its edges, and across inner faces between the far corners of
    /// the two tetrahedra there, which bending of what lies between would bring nearer.
    pub fn tetrahedra(mesh: &TetrahedralMesh) -> Self {
        let mut network = Self {
            rest_position: mesh.vertices().to_vec(),
            springs: Vec::new(),
            triangles: mesh.boundary(),
        };
        for [a, b] in mesh.edges() {
            network.join(a, b, SpringClass::Structural);
        }
        for [a, b] in mesh.across_faces() {
            network.join(a, b, SpringClass::Bending);
        }
        network.without_repeats()
    }

    /// Particles that fill a body: springs to those that share a side of a cell, to those across it,
    /// and to the neighbour after next.
    ///
    /// * `spacing` — distance of neighbours [m]
    pub fn lattice(rest_position: Vec<DVec3>, spacing: f64) -> Self {
        let reach = NEXT * spacing;
        let cell = |x: DVec3| (x / reach).floor().as_i64vec3().to_array();
        let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
        for (number, &x) in (0..).zip(&rest_position) {
            cells.entry(cell(x)).or_default().push(number);
        }
        let mut springs = Vec::new();
        let mut near = Vec::new();
        for (number, &x) in (0..).zip(&rest_position) {
            near.clear();
            let [cx, cy, cz] = cell(x);
            for k in 0..27 {
                let key = [cx + k % 3 - 1, cy + k / 3 % 3 - 1, cz + k / 9 - 1];
                let there = cells.get(&key).into_iter().flatten();
                near.extend(there.copied().filter(|&other| other > number));
            }
            near.sort_unstable();
            for &other in &near {
                let rest_length = x.distance(rest_position[other as usize]);
                springs.extend(class_at(rest_length / spacing).map(|class| Spring {
                    ends: [number, other],
                    rest_length,
                    class,
                }));
            }
        }
        Self {
            rest_position,
            springs,
            triangles: Vec::new(),
        }
    }

    /// Number of particles.
    pub fn particle_count(&self) -> usize {
        self.rest_position.len()
    }

    /// Those that share a side of a cell or a cell with each particle.
    pub fn neighbors(&self) -> Vec<Vec<u32>> {
        let mut neighbors = vec![Vec::new(); self.particle_count()];
        for spring in &self.springs {
            if spring.class != SpringClass::Bending {
                let [a, b] = spring.ends;
                neighbors[a as usize].push(b);
                neighbors[b as usize].push(a);
            }
        }
        neighbors
    }

    fn join(&mut self, one: u32, other: u32, class: SpringClass) {
        let ends = [one.min(other), one.max(other)];
        let [a, b] = ends.map(|end| self.rest_position[end as usize]);
        self.springs.push(Spring {
            ends,
            rest_length: a.distance(b),
            class,
        });
    }

    /// Of springs with the same ends, the first: an edge is no spring across one.
    fn without_repeats(mut self) -> Self {
        let mut order: Vec<usize> = (0..self.springs.len()).collect();
        order.sort_by_key(|&k| (self.springs[k].ends, k));
        order.dedup_by_key(|k| self.springs[*k].ends);
        order.sort_unstable();
        self.springs = order.into_iter().map(|k| self.springs[k]).collect();
        self
    }
}

/// The class of a spring of a lattice by its length in spacings.
fn class_at(length: f64) -> Option<SpringClass> {
    match length {
        l if l < SIDE => Some(SpringClass::Structural),
        l if l < CELL => Some(SpringClass::Shear),
        l if l < NEXT => Some(SpringClass::Bending),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(network: &Network, class: SpringClass) -> usize {
        let springs = network.springs.iter();
        springs.filter(|spring| spring.class == class).count()
    }

    fn grid_points(nx: usize, nz: usize) -> Vec<DVec3> {
        let at = |k: usize| DVec3::new((k % nx) as f64, 0.0, (k / nx) as f64) * 0.1;
        (0..nx * nz).map(at).collect()
    }

    #[test]
    fn a_grid_has_springs_along_across_and_over_its_cells() {
        let network = Network::grid([5, 4], grid_points(5, 4), Vec::new());
        assert_eq!(count(&network, SpringClass::Structural), 4 * 4 + 5 * 3);
        assert_eq!(count(&network, SpringClass::Shear), 2 * 4 * 3);
        assert_eq!(count(&network, SpringClass::Bending), 3 * 4 + 5 * 2);
        for spring in &network.springs {
            let expected = match spring.class {
                SpringClass::Structural => 0.1,
                SpringClass::Shear => 0.1 * 2f64.sqrt(),
                SpringClass::Bending => 0.2,
            };
            assert!((spring.rest_length - expected).abs() < 1e-15);
        }
    }

    #[test]
    fn a_mesh_has_a_spring_an_edge_and_one_across_each_inner_edge() {
        // A tetrahedron: six edges, and what lies across an edge is an edge itself.
        let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let sides = vec![[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
        let network = Network::mesh(corners, sides);
        assert_eq!(network.springs.len(), 6);
        assert_eq!(count(&network, SpringClass::Structural), 6);
        // Two triangles: five edges and the way across the inner one.
        let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X + DVec3::Y];
        let network = Network::mesh(corners, vec![[0, 1, 2], [2, 1, 3]]);
        assert_eq!(count(&network, SpringClass::Structural), 5);
        let bending = network.springs.last().expect("springs");
        assert_eq!(
            (bending.ends, bending.class),
            ([0, 3], SpringClass::Bending)
        );
    }

    #[test]
    fn tetrahedra_have_a_spring_an_edge_and_one_across_each_inner_face() {
        let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE];
        let both = vec![[0, 1, 2, 3], [1, 2, 3, 4]];
        let mesh = TetrahedralMesh::new(&corners, both).expect("a solid");
        let network = Network::tetrahedra(&mesh);
        assert_eq!(count(&network, SpringClass::Structural), 9);
        let across = network.springs.last().expect("springs");
        assert_eq!((across.ends, across.class), ([0, 4], SpringClass::Bending));
        assert!((across.rest_length - 3f64.sqrt()).abs() < 1e-15);
        assert_eq!(network.triangles.len(), 6);
    }

    #[test]
    fn an_inner_particle_of_a_lattice_has_26_neighbours_and_6_after_next() {
        let at = |k: usize| DVec3::new((k % 5) as f64, (k / 5 % 5) as f64, (k / 25) as f64) * 0.02;
        let network = Network::lattice((0..125).map(at).collect(), 0.02);
        let of_middle = |class: SpringClass| {
            let springs = network.springs.iter();
            springs
                .filter(|s| s.ends.contains(&62) && s.class == class)
                .count()
        };
        assert_eq!(of_middle(SpringClass::Structural), 6);
        assert_eq!(of_middle(SpringClass::Shear), 20);
        assert_eq!(of_middle(SpringClass::Bending), 6);
    }
}

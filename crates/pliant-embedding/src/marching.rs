//! Where bonds were cut, the nodes of a lattice around are on several sides, and a sheet goes through its tetrahedra
//! between them (marching tetrahedra, Doi and Koide 1991, with any number of sides).

use std::collections::BTreeMap;

use pliant_math::{DVec3, RandomStream};

use super::crack_lattice::CrackLattice;
use super::lattice_simplex::{Simplex, simplex};
use super::sheet::Sheet;

/// The sheet between the nodes of a lattice.
///
/// * `variant` — vertices are moved by a ten thousandth of an edge, otherwise for each of these numbers, so that none
///   lies in a face of another mesh
pub(super) fn sheet(lattice: &CrackLattice, variant: u64) -> Sheet {
    let mut building = Building {
        lattice,
        random: RandomStream::new(variant, 0),
        numbers: BTreeMap::new(),
        faces: BTreeMap::new(),
        sheet: Sheet::default(),
    };
    for tetrahedron in lattice.tetrahedra() {
        building.add(&tetrahedron);
    }
    building.join_at_the_border();
    building.sheet
}

/// A tetrahedron, and what cracks part in it.
pub(super) struct Tetrahedron {
    nodes: [u32; 4],
    /// Which two of its corners are parted.
    parted: [[bool; 4]; 4],
    /// For each corner the first that it holds together with, by way of others if need be.
    group: [usize; 4],
}

/// Corners of the edges.
const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// Corners of the faces.
const FACES: [[usize; 3]; 4] = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];

/// All corners.
const MIDDLE: [usize; 4] = [0, 1, 2, 3];

impl Tetrahedron {
    /// Of some nodes.
    ///
    /// * `is_parted` — whether two of its corners are
    pub fn new(nodes: [u32; 4], is_parted: impl Fn(usize, usize) -> bool) -> Self {
        let mut parted = [[false; 4]; 4];
        let mut group = [0, 1, 2, 3];
        for [i, j] in EDGES {
            if is_parted(i, j) {
                (parted[i][j], parted[j][i]) = (true, true);
            } else {
                let (a, b) = (group[i].min(group[j]), group[i].max(group[j]));
                for group in &mut group {
                    if *group == b {
                        *group = a;
                    }
                }
            }
        }
        Self {
            nodes,
            parted,
            group,
        }
    }

    fn parted_edges(&self) -> impl Iterator<Item = [usize; 2]> {
        EDGES.into_iter().filter(|[i, j]| self.parted[*i][*j])
    }

    fn simplex(&self, corners: &[usize]) -> Simplex {
        simplex(corners.iter().map(|&corner| self.nodes[corner]))
    }

    /// The nodes of a group.
    fn nodes_of(&self, group: usize) -> Simplex {
        let corners = (0..4).filter(|&k| self.group[k] == group);
        simplex(corners.map(|k| self.nodes[k]))
    }

    /// Whether all edges of a face are parted.
    fn is_junction(&self, [i, j, k]: [usize; 3]) -> bool {
        self.parted[i][j] && self.parted[j][k] && self.parted[k][i]
    }

    /// Whether more than two groups or cracks meet in it.
    fn has_junction(&self) -> bool {
        let mut groups = self.group;
        groups.sort_unstable();
        let changes = groups.windows(2).filter(|two| two[0] != two[1]).count();
        changes > 1 || FACES.into_iter().any(|face| self.is_junction(face))
    }
}

/// A vertex of a crack: the corners it is between.
type Between<'a> = &'a [usize];

struct Building<'a> {
    lattice: &'a CrackLattice,
    random: RandomStream,
    /// Of the vertices.
    numbers: BTreeMap<Simplex, u32>,
    /// How many tetrahedra with a parted edge have a face.
    faces: BTreeMap<Simplex, u32>,
    sheet: Sheet,
}

impl Building<'_> {
    /// Adds what is in a tetrahedron.
    fn add(&mut self, of: &Tetrahedron) {
        if of.parted_edges().next().is_none() {
            return;
        }
        for face in FACES {
            *self.faces.entry(of.simplex(&face)).or_default() += 1;
        }
        self.join(of);
        if of.group == [0; 4] {
            return;
        }
        if of.has_junction() {
            self.add_around_middle(of);
        } else {
            self.add_between_two(of);
        }
    }

    /// Joins the sides of nodes that hold together in a tetrahedron, wherever a crack goes through some of it.
    fn join(&mut self, of: &Tetrahedron) {
        let edges = EDGES.iter().map(|edge| &edge[..]);
        let faces = FACES.iter().map(|face| &face[..]);
        for corners in edges.chain(faces).chain([&MIDDLE[..]]) {
            let within = of.simplex(corners);
            for (k, &i) in corners.iter().enumerate() {
                for &j in corners[k + 1..]
                    .iter()
                    .filter(|j| of.group[**j] == of.group[i])
                {
                    let nodes = [i, j].map(|corner| of.nodes[corner]);
                    self.sheet.joined.join(within, nodes);
                }
            }
        }
    }

    /// Cracks that reach the border of the lattice end there.
    fn join_at_the_border(&mut self) {
        let border = self.faces.iter().filter(|(_, count)| **count == 1);
        for (&[a, b, c, _], _) in border {
            for nodes in [[a, b], [b, c], [a, c]] {
                self.sheet.joined.join(simplex([a, b, c]), nodes);
                self.sheet.joined.join(simplex(nodes), nodes);
            }
        }
    }

    /// The vertex between some corners, which the sheet has from now on.
    fn vertex(&mut self, of: &Tetrahedron, corners: Between<'_>) -> u32 {
        let within = of.simplex(corners);
        if let Some(&number) = self.numbers.get(&within) {
            return number;
        }
        let place = match corners {
            &[i, j] => self.crossing(of.simplex(&[i, j])),
            _ => {
                let is_parted = |[i, j]: &[usize; 2]| {
                    of.parted[*i][*j] && corners.contains(i) && corners.contains(j)
                };
                let edges = EDGES.into_iter().filter(is_parted);
                let places: Vec<DVec3> =
                    edges.map(|edge| self.crossing(of.simplex(&edge))).collect();
                places.iter().sum::<DVec3>() / places.len() as f64
            }
        };
        let number = self.sheet.mesh.vertices.len() as u32;
        self.sheet.mesh.vertices.push(place);
        self.sheet.simplices.push(within);
        self.numbers.insert(within, number);
        number
    }

    /// Where the crack crosses an edge.
    fn crossing(&self, [a, b, ..]: Simplex) -> DVec3 {
        const MARGIN: f64 = 0.01;
        const NOISE: f64 = 1e-4;
        let [from, to] = [a, b].map(|node| self.lattice.place(node));
        let [lead, next] = [a, b].map(|node| self.lattice.side[node as usize].lead);
        let at = (lead / (lead + next)).clamp(MARGIN, 1.0 - MARGIN);
        let noise = self.random.unit(u64::from(a) << 32 | u64::from(b)) - 0.5;
        from + (to - from) * (at + NOISE * noise)
    }

    /// The crack between two groups of corners.
    fn add_between_two(&mut self, of: &Tetrahedron) {
        let of_group = |is_first: bool| (0..4).filter(move |k| (of.group[*k] == 0) == is_first);
        let [inside, outside]: [Vec<usize>; 2] = [true, false].map(|is| of_group(is).collect());
        let crossings: Vec<[usize; 2]> = match (inside.as_slice(), outside.as_slice()) {
            (&[a], others) | (others, &[a]) => others.iter().map(|&b| [a, b]).collect(),
            (&[a, b], &[c, d]) => vec![[a, c], [a, d], [b, d], [b, c]],
            _ => return,
        };
        for k in 2..crossings.len() {
            let corners = [0, k - 1, k].map(|k| &crossings[k][..]);
            self.add_triangle(of, corners, [inside[0], outside[0]]);
        }
    }

    /// Cracks that meet in a tetrahedron: from the lines in its faces to its middle.
    fn add_around_middle(&mut self, of: &Tetrahedron) {
        for face in FACES {
            let edges = [[0, 1], [1, 2], [2, 0]].map(|edge| edge.map(|k: usize| face[k]));
            let parted: Vec<[usize; 2]> = edges
                .into_iter()
                .filter(|[i, j]| of.parted[*i][*j])
                .collect();
            match parted[..] {
                [one, other] => self.add_triangle(of, [&one, &other, &MIDDLE], one),
                [_, _, _] => {
                    for edge in edges {
                        self.add_triangle(of, [&edge, &face, &MIDDLE], edge);
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds a triangle, if there are two sides.
    ///
    /// * `sides` — a corner on each, ends of an edge that goes through it
    fn add_triangle(&mut self, of: &Tetrahedron, at: [Between<'_>; 3], sides: [usize; 2]) {
        let groups = sides.map(|corner| of.group[corner]);
        if groups[0] == groups[1] {
            return;
        }
        let mut corners = at.map(|corners| self.vertex(of, corners));
        let [a, b, c] = corners.map(|corner| self.sheet.mesh.vertices[corner as usize]);
        let [from, to] = sides.map(|corner| self.lattice.place(of.nodes[corner]));
        let outward = to - from;
        if (b - a).cross(c - a).dot(outward) < 0.0 {
            corners.swap(1, 2);
        }
        self.sheet.mesh.triangles.push(corners);
        let within = simplex(of.nodes);
        self.sheet
            .tetrahedra
            .push((within, groups.map(|group| of.nodes_of(group))));
    }
}

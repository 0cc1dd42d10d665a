//! Meshes of tetrahedra.

use std::collections::BTreeMap;

use pliant_math::DVec3;

use crate::TriangleMesh;

/// A solid as tetrahedra that share faces.
///
/// Every vertex is a corner of one at least, every volume is positive, and no face belongs to more than
/// two tetrahedra, one on either side.
#[derive(Clone, Debug, PartialEq)]
pub struct TetrahedralMesh {
    vertices: Vec<DVec3>,
    tetrahedra: Vec<[u32; 4]>,
    turned: Turned,
}

/// The tetrahedra that were given inside out, and were turned so that their volume is positive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turned {
    /// How many.
    pub count: usize,
    /// Index of the first of them; `None` if there is none.
    pub first: Option<usize>,
}

/// Why tetrahedra are no solid. Numbers are counted from 1, as files are read by people.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TetrahedraFault {
    /// There are none.
    #[error("it has no tetrahedra")]
    Empty,
    /// A coordinate is not a finite number.
    #[error("point {} has a coordinate that is not a finite number", .vertex + 1)]
    NotFinite {
        /// Index of the vertex.
        vertex: usize,
    },
    /// A tetrahedron names a vertex that does not exist.
    #[error("tetrahedron {} names point {vertex}, and there are {count}, counted from 0", .tetrahedron + 1)]
    UnknownVertex {
        /// Index of the tetrahedron.
        tetrahedron: usize,
        /// What it names.
        vertex: u32,
        /// Number of vertices.
        count: usize,
    },
    /// A tetrahedron has next to no volume.
    #[error(
        "tetrahedron {} is flat: its volume is {share:.1e} of the cube of its longest edge",
        .tetrahedron + 1
    )]
    Flat {
        /// Index of the tetrahedron.
        tetrahedron: usize,
        /// Volume over the cube of its longest edge.
        share: f64,
    },
    /// Two tetrahedra lie on the same side of a face.
    #[error(
        "tetrahedra {} and {} lie on the same side of the face that they share",
        .tetrahedra[0] + 1, .tetrahedra[1] + 1
    )]
    Overlap {
        /// Indices of the tetrahedra.
        tetrahedra: [usize; 2],
    },
}

/// Faces of a tetrahedron of positive volume, counter-clockwise seen from outside; each lies across the
/// corner of its number.
const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// Least volume over the cube of the longest edge; 0.118 for equal edges.
const FLAT: f64 = 1e-7;

/// The tetrahedra on the two sides of a face, by index and corner across: that of which the face is
/// counter-clockwise from the least vertex on, and the other.
type Sides = [Option<(usize, u32)>; 2];

impl TetrahedralMesh {
    /// Turns tetrahedra so that volumes are positive, and leaves out vertices that none has.
    ///
    /// # Errors
    /// If they are no solid: [`TetrahedraFault`].
    pub fn new(vertices: &[DVec3], mut tetrahedra: Vec<[u32; 4]>) -> Result<Self, TetrahedraFault> {
        if tetrahedra.is_empty() {
            return Err(TetrahedraFault::Empty);
        }
        let mut turned = Turned::default();
        for (number, corners) in tetrahedra.iter_mut().enumerate() {
            if turn(number, corners, vertices)? {
                turned.count += 1;
                turned.first = turned.first.or(Some(number));
            }
        }
        let mut mesh = Self {
            vertices: Vec::new(),
            tetrahedra,
            turned,
        };
        let mut numbers = vec![u32::MAX; vertices.len()];
        for corner in mesh.tetrahedra.iter_mut().flatten() {
            let number = &mut numbers[*corner as usize];
            if *number == u32::MAX {
                *number = mesh.vertices.len() as u32;
                mesh.vertices.push(vertices[*corner as usize]);
            }
            *corner = *number;
        }
        mesh.faces()?;
        Ok(mesh)
    }

    /// Corner positions [m].
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Four vertices each.
    pub fn tetrahedra(&self) -> &[[u32; 4]] {
        &self.tetrahedra
    }

    /// Those that were given inside out. All of them are where a program counts corners the other way round; where
    /// it is a part, the program has tangled the mesh.
    pub fn turned(&self) -> Turned {
        self.turned
    }

    /// The same with all coordinates multiplied by a factor > 0.
    pub fn scaled(mut self, factor: f64) -> Self {
        for vertex in &mut self.vertices {
            *vertex *= factor;
        }
        self
    }

    /// A quarter of the volume [m3] of the tetrahedra around each vertex: what its mass is in
    /// proportion to.
    pub fn vertex_volumes(&self) -> Vec<f64> {
        let mut volumes = vec![0.0; self.vertices.len()];
        for corners in &self.tetrahedra {
            let share = volume(corners, &self.vertices) / 4.0;
            for &corner in corners {
                volumes[corner as usize] += share;
            }
        }
        volumes
    }

    /// The faces with a tetrahedron on one side only, by the vertices of the mesh, counter-clockwise
    /// seen from outside.
    pub fn boundary(&self) -> Vec<[u32; 3]> {
        let faces = self.faces().unwrap_or_default();
        let outer = |([a, b, c], sides): ([u32; 3], Sides)| match sides {
            [Some(_), None] => Some([a, b, c]),
            [None, Some(_)] => Some([a, c, b]),
            _ => None,
        };
        faces.into_iter().filter_map(outer).collect()
    }

    /// [`Self::boundary`] as a mesh of its own.
    pub fn surface(&self) -> TriangleMesh {
        let mut surface = TriangleMesh {
            vertices: Vec::new(),
            triangles: self.boundary(),
        };
        let mut numbers = vec![u32::MAX; self.vertices.len()];
        for corner in surface.triangles.iter_mut().flatten() {
            let number = &mut numbers[*corner as usize];
            if *number == u32::MAX {
                *number = surface.vertices.len() as u32;
                surface.vertices.push(self.vertices[*corner as usize]);
            }
            *corner = *number;
        }
        surface
    }

    /// The edges, the lesser vertex first, in increasing order.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        let of_one = |&[a, b, c, d]: &[u32; 4]| [[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]];
        let edges = self.tetrahedra.iter().flat_map(of_one);
        let mut edges: Vec<_> = edges.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// The vertices across each inner face from each other, the lesser first, in increasing order.
    pub fn across_faces(&self) -> Vec<[u32; 2]> {
        let faces = self.faces().unwrap_or_default();
        let across = |sides: Sides| match sides {
            [Some((_, a)), Some((_, b))] => Some([a.min(b), a.max(b)]),
            _ => None,
        };
        let mut pairs: Vec<_> = faces.into_values().filter_map(across).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// All faces with what is on their sides, by their vertices from the least on.
    fn faces(&self) -> Result<BTreeMap<[u32; 3], Sides>, TetrahedraFault> {
        let mut faces: BTreeMap<[u32; 3], Sides> = BTreeMap::new();
        for (number, corners) in self.tetrahedra.iter().enumerate() {
            for (across, face) in FACES.iter().enumerate() {
                let (face, side) = from_least(face.map(|corner| corners[corner]));
                let place = &mut faces.entry(face).or_default()[side];
                if let Some((other, _)) = place.replace((number, corners[across])) {
                    let tetrahedra = [other, number];
                    return Err(TetrahedraFault::Overlap { tetrahedra });
                }
            }
        }
        Ok(faces)
    }
}

/// Volume of a tetrahedron [m3], positive if its first three corners are counter-clockwise seen from the
/// last.
fn volume(corners: &[u32; 4], vertices: &[DVec3]) -> f64 {
    let [a, b, c, d] = corners.map(|corner| vertices[corner as usize]);
    (b - a).dot((c - a).cross(d - a)) / 6.0
}

/// Checks a tetrahedron and makes its volume positive.
fn turn(
    number: usize,
    corners: &mut [u32; 4],
    vertices: &[DVec3],
) -> Result<bool, TetrahedraFault> {
    for &vertex in corners.iter() {
        let Some(position) = vertices.get(vertex as usize) else {
            return Err(TetrahedraFault::UnknownVertex {
                tetrahedron: number,
                vertex,
                count: vertices.len(),
            });
        };
        if !position.is_finite() {
            let vertex = vertex as usize;
            return Err(TetrahedraFault::NotFinite { vertex });
        }
    }
    let points = corners.map(|corner| vertices[corner as usize]);
    let lengths = points.map(|a| points.map(|b| a.distance(b)));
    let longest = lengths
        .into_iter()
        .flatten()
        .fold(f64::MIN_POSITIVE, f64::max);
    let volume = volume(corners, vertices);
    let share = volume.abs() / (longest * longest * longest);
    // Coordinates so large or small that their products are not finite are no volume either.
    if !(share > FLAT && share.is_finite()) {
        return Err(TetrahedraFault::Flat {
            tetrahedron: number,
            share,
        });
    }
    let is_inverted = volume < 0.0;
    if is_inverted {
        corners.swap(2, 3);
    }
    Ok(is_inverted)
}

/// A face from its least vertex on with the other two in order, and 0 if they were in that order.
fn from_least(face: [u32; 3]) -> ([u32; 3], usize) {
    let [a, b, c] = face;
    let [a, b, c] = match a.min(b).min(c) {
        least if least == a => [a, b, c],
        least if least == b => [b, c, a],
        _ => [c, a, b],
    };
    if b < c {
        ([a, b, c], 0)
    } else {
        ([a, c, b], 1)
    }
}

#[cfg(test)]
mod tests;

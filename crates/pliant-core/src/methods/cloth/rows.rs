//! Constraints by colour, sixteen side by side.
//!
//! What stays the same while the topology does stands in the rows from when they are built; each
//! substep adds the shape at its start, differences of positions that are taken first and rounded
//! after.

use std::ops::Range;

use pliant_math::simd::{LANES, Places, Row};
use pliant_math::{DVec3, Real};

use crate::constraints::colors;
use crate::parallel;

/// Sixteen triangles of one colour.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct TriangleRow {
    /// Their corners.
    pub points: [Places; 3],
    /// Gradients of the second and third corner along warp and weft [1/m].
    pub gradient: [[Row; 2]; 2],
    /// 1/(A k) [1/N m] of warp, weft and shear.
    pub compliance: [Row; 3],
    /// F_u and F_v at the start.
    pub start: [[Row; 3]; 2],
    /// |F_u|^2 - 1, |F_v|^2 - 1 and F_u . F_v at the start.
    pub start_strain: [Row; 3],
    /// Accumulated impulses [J s].
    pub multiplier: [Row; 3],
}

/// Sixteen hinges of one colour.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct HingeRow {
    /// The ends of the edges and the far corners.
    pub points: [Places; 4],
    /// Cosine and sine of the angle at rest.
    pub rest: [Row; 2],
    /// 1/k [1/J].
    pub compliance: Row,
    /// From the first end to the second, and to the far corners, at the start [m].
    pub start: [[Row; 3]; 3],
    /// Accumulated impulse [J s].
    pub multiplier: Row,
}

/// A triangle to be put into a row.
#[derive(Clone, Copy, Debug)]
pub struct NewTriangle {
    /// Places of its corners.
    pub points: [u32; 3],
    /// Gradients of the second and third corner along warp and weft [1/m].
    pub gradient: [[f64; 2]; 2],
    /// 1/(A k) [1/N m] of warp, weft and shear.
    pub compliance: [f64; 3],
}

/// A hinge to be put into a row.
#[derive(Clone, Copy, Debug)]
pub struct NewHinge {
    /// Places of the ends of its edge and of the far corners.
    pub points: [u32; 4],
    /// Cosine and sine of the angle at rest.
    pub rest: [f64; 2],
    /// 1/k [1/J].
    pub compliance: f64,
}

/// The triangles of all cloth.
#[derive(Debug, Default)]
pub struct TriangleRows {
    /// By colour.
    pub rows: Vec<TriangleRow>,
    /// Gradients in double precision, as in the rows.
    gradient: Vec<[[[f64; LANES]; 2]; 2]>,
    /// The rows of each colour.
    pub colors: Vec<Range<usize>>,
    /// Number of triangles; what is in the rows beyond repeats one of a row.
    pub count: usize,
}

/// The hinges of all cloth.
#[derive(Debug, Default)]
pub struct HingeRows {
    /// By colour.
    pub rows: Vec<HingeRow>,
    /// The rows of each colour.
    pub colors: Vec<Range<usize>>,
    /// Number of hinges; what is in the rows beyond repeats one of a row.
    pub count: usize,
}

impl TriangleRows {
    /// Triangles of `particles` particles.
    pub fn new(triangles: &[NewTriangle], particles: usize) -> Self {
        let points: Vec<[u32; 3]> = triangles.iter().map(|t| t.points).collect();
        let (colors, lanes) = in_rows(colors(points.iter().map(|p| p.as_slice()), particles));
        let mut rows = vec![TriangleRow::default(); lanes.len()];
        let mut gradient = vec![[[[0.0; LANES]; 2]; 2]; lanes.len()];
        for (number, lanes) in lanes.iter().enumerate() {
            let row = &mut rows[number];
            for (lane, &triangle) in lanes.iter().enumerate() {
                let new = &triangles[triangle as usize];
                for (places, &point) in row.points.iter_mut().zip(&new.points) {
                    places.set(lane, point);
                }
                for (compliance, &value) in row.compliance.iter_mut().zip(&new.compliance) {
                    compliance.set(lane, value as Real);
                }
                for corner in 0..2 {
                    for direction in 0..2 {
                        let value = new.gradient[corner][direction];
                        row.gradient[corner][direction].set(lane, value as Real);
                        gradient[number][corner][direction][lane] = value;
                    }
                }
            }
        }
        Self {
            rows,
            gradient,
            colors,
            count: triangles.len(),
        }
    }

    /// Takes over the shape at the start of a substep, with multipliers of zero.
    pub fn start(&mut self, position: &[DVec3]) {
        let gradient = &self.gradient;
        parallel::for_chunks_of(&mut self.rows, ROWS_A_TASK, |first, rows| {
            for (row, gradient) in rows.iter_mut().zip(&gradient[first..]) {
                for lane in 0..LANES {
                    start_triangle(row, lane, gradient, position);
                }
                row.multiplier = Default::default();
            }
        });
    }
}

fn start_triangle(
    row: &mut TriangleRow,
    lane: usize,
    gradient: &[[[f64; LANES]; 2]; 2],
    position: &[DVec3],
) {
    let [a, b, c] = [0, 1, 2].map(|corner| position[row.points[corner].get(lane)]);
    let (second, third) = (b - a, c - a);
    let columns = [0, 1].map(|direction| {
        second * gradient[0][direction][lane] + third * gradient[1][direction][lane]
    });
    for (rows, column) in row.start.iter_mut().zip(columns) {
        set_vector(rows, lane, column);
    }
    let [warp, weft] = columns;
    let strain = [
        warp.length_squared() - 1.0,
        weft.length_squared() - 1.0,
        warp.dot(weft),
    ];
    for (row, strain) in row.start_strain.iter_mut().zip(strain) {
        row.set(lane, strain as Real);
    }
}

impl HingeRows {
    /// Hinges of `particles` particles.
    pub fn new(hinges: &[NewHinge], particles: usize) -> Self {
        let points: Vec<[u32; 4]> = hinges.iter().map(|h| h.points).collect();
        let (colors, lanes) = in_rows(colors(points.iter().map(|p| p.as_slice()), particles));
        let mut rows = vec![HingeRow::default(); lanes.len()];
        for (row, lanes) in rows.iter_mut().zip(&lanes) {
            for (lane, &hinge) in lanes.iter().enumerate() {
                let new = &hinges[hinge as usize];
                for (places, &point) in row.points.iter_mut().zip(&new.points) {
                    places.set(lane, point);
                }
                for (rest, &value) in row.rest.iter_mut().zip(&new.rest) {
                    rest.set(lane, value as Real);
                }
                row.compliance.set(lane, new.compliance as Real);
            }
        }
        Self {
            rows,
            colors,
            count: hinges.len(),
        }
    }

    /// Takes over the shape at the start of a substep, with multipliers of zero.
    pub fn start(&mut self, position: &[DVec3]) {
        parallel::for_chunks_of(&mut self.rows, ROWS_A_TASK, |_, rows| {
            for row in rows {
                for lane in 0..LANES {
                    let at = |point: usize| position[row.points[point].get(lane)];
                    let first = at(0);
                    let sides = [at(1) - first, at(2) - first, at(3) - first];
                    for (rows, side) in row.start.iter_mut().zip(sides) {
                        set_vector(rows, lane, side);
                    }
                }
                row.multiplier = Row::default();
            }
        });
    }
}

/// Rows that one task works on.
pub const ROWS_A_TASK: usize = 8;

/// The constraints of each colour in rows: the rows of each colour, and the constraints of each row. A
/// row that is not full repeats its first: that computes and writes the same twice.
fn in_rows(colors: Vec<Vec<u32>>) -> (Vec<Range<usize>>, Vec<[u32; LANES]>) {
    let mut ranges = Vec::with_capacity(colors.len());
    let mut rows = Vec::new();
    for color in colors {
        let first = rows.len();
        rows.extend(color.chunks(LANES).map(|constraints| {
            let mut row = [constraints[0]; LANES];
            row[..constraints.len()].copy_from_slice(constraints);
            row
        }));
        ranges.push(first..rows.len());
    }
    (ranges, rows)
}

fn set_vector(rows: &mut [Row; 3], lane: usize, vector: DVec3) {
    for (row, component) in rows.iter_mut().zip(vector.to_array()) {
        row.set(lane, component as Real);
    }
}

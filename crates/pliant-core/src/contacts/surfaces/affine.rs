//! Parts of a surface that move so nearly as one affine map that they cannot meet themselves.
//!
//! Let A X + t be any affine map, and d the greatest distance of a corner from where it leads the place X at
//! which that corner once was. No point between corners is further from there than d, and so
//!
//!   |x(u) - x(w)| >= s |X(u) - X(w)| - 2 d,   s = sigma_min(A),
//!
//! for all points u and w of the part. Displacements have a map of their own. Fitted by least squares (as
//! by Müller et al. 2022), the maps follow any rotation and stretch, so that what is left are bends within
//! the part. Certificates over a plane ([`reference`](super::reference)) admit more bending, but only of
//! sheets; these are for surfaces around matter.

use std::ops::Range;

use pliant_math::simd::{Instructions, Job, LANES, Number, Pack, Places, Row};
use pliant_math::{DMat3, DVec3, Matrix3, Real, SymMat3, signed_singular_values, symmetric_eigen};

use super::certificates::Separation;
use super::patches::Patches;
use super::reference::ReferenceShape;
use super::swept::Record;
use crate::contacts::ccd::Trajectories;
use crate::contacts::narrow::{Candidate, nearest_of};
use crate::parallel::gather_eight;

/// Triangles of a part at most: pairs of all its simplices are looked at when it is laid out.
pub const MOST_TRIANGLES: usize = 256;

/// A part is flat if its extent along the third axis is less than this share of the first, squared: there the
/// map follows the normal.
const FLAT: f64 = 1e-2;

/// A part is a line if the same is true along the second axis: there is no map.
const LINE: f64 = 1e-6;

/// What sums in single precision may be off by, as a share of the size of the part.
const ROUNDING: f64 = 16.0 * Real::EPSILON as f64;

/// Patches and those around them, and how their corners once lay.
#[derive(Clone, Debug)]
pub struct AffineRegion {
    /// The patches.
    pub patches: Range<u32>,
    /// These and those around them, in order.
    pub near: Vec<u32>,
    /// The corners, the last of them repeated.
    places: Vec<Places>,
    /// Where they once were from their mean [m], along principal axes; the vectors that sums of products with
    /// make the map [1/m]; shares of the mean.
    rows: Vec<[Row; 7]>,
    is_flat: bool,
    /// Least distance of simplices without a common corner [m].
    least_distance: f64,
    /// Longest of the sides [m].
    longest_side: f64,
    /// Greatest distance of a corner from their mean [m].
    radius: f64,
}

impl AffineRegion {
    /// Of patches and those around them; `None` without an extent.
    pub fn new(shape: &ReferenceShape, all: &Patches, patches: Range<u32>) -> Option<Self> {
        let near = all.grown(patches.clone());
        let mut corners: Vec<u32> = near
            .iter()
            .flat_map(|&patch| all.corners.of(patch))
            .copied()
            .collect();
        corners.sort_unstable();
        corners.dedup();
        let share = 1.0 / corners.len() as f64;
        let at = |&corner: &u32| shape.position[corner as usize];
        let mean = corners.iter().map(at).sum::<DVec3>() * share;
        let arms: Vec<DVec3> = corners.iter().map(|corner| at(corner) - mean).collect();
        let (axes, [first, second, third]) = principal_axes(&arms);
        if second <= LINE * first {
            return None;
        }
        let is_flat = third <= FLAT * first;
        let arms: Vec<DVec3> = arms.iter().map(|&arm| axes.transpose() * arm).collect();
        let mut moment = moment(&arms);
        if is_flat {
            moment.z_axis = DVec3::Z * moment.z_axis.z.max(first);
            moment.x_axis.z = 0.0;
            moment.y_axis.z = 0.0;
        }
        let to_dual = moment.inverse();
        let row = |first: usize| {
            let mut row = [Row::ZERO; 7];
            for lane in 0..LANES {
                let place = (first + lane).min(arms.len() - 1);
                let is_new = if first + lane == place { 1.0 } else { 0.0 };
                let (arm, mut dual) = (arms[place], to_dual * arms[place] * is_new);
                if is_flat {
                    dual.z = 0.0;
                }
                let numbers = arm.to_array().into_iter().chain(dual.to_array());
                let numbers = numbers.chain([share * is_new]);
                numbers
                    .zip(&mut row)
                    .for_each(|(x, row)| row.0[lane] = x as Real);
            }
            row
        };
        let places = |row: &[u32]| Places::from_fn(|lane| row[lane.min(row.len() - 1)]);
        let own = Simplices::new(shape, all, patches.clone());
        let around = Simplices::new(shape, all, near.iter().copied());
        let radius = arms.iter().map(|arm| arm.length()).fold(0.0, f64::max);
        Some(Self {
            least_distance: least_distance(shape, &own, &around) - ROUNDING * radius,
            longest_side: around.longest_side(shape),
            radius,
            patches,
            near,
            places: corners.chunks(LANES).map(places).collect(),
            rows: (0..arms.len()).step_by(LANES).map(row).collect(),
            is_flat,
        })
    }

    /// Whether it cannot meet itself.
    pub fn is_valid(&self, records: &[Record], apart: Separation) -> bool {
        let fit = Instructions::best().run(Fit {
            region: self,
            records,
        });
        self.is_enough(&fit, apart)
    }

    /// Whether maps keep all that is no neighbour apart: see
    /// [`Trajectories::are_followed_to_the_end`]. All bounds are tightest for the least distance. What is not
    /// finite makes maps that are not, which keep nothing.
    fn is_enough(&self, fit: &Maps, apart: Separation) -> bool {
        let [greatest, _, least] = signed_singular_values(fit.position).values;
        let change = norm(fit.displacement);
        let rounding = ROUNDING * (greatest + change) * self.radius + 4.0 * fit.rounding;
        let (off, change_off) = (fit.off + rounding, fit.change_off + rounding);
        let distance = self.least_distance;
        let start = least * distance - 2.0 * off;
        let end = (least - change) * distance - 2.0 * (off + change_off);
        let kept = (end - 2.0 * apart.room) / (greatest * distance + 2.0 * off);
        // Four corners are within a distance and two sides of each other, and each is away from their mean
        // by three quarters of that at most.
        let approach = change * (distance + 2.0 * self.longest_side);
        let approach = 1.5 * (approach + 2.0 * (change_off + apart.room)) / start;
        start > 0.0
            && least > change
            && end > apart.still
            && Trajectories::are_followed_to_the_end(kept - apart.share, approach)
    }
}

/// Affine maps from where corners once were to where they are, and to their displacements.
struct Maps {
    position: Matrix3,
    displacement: Matrix3,
    /// Greatest distance [m] of a corner from where its map leads, ...
    off: f64,
    /// ... and the same of displacements.
    change_off: f64,
    /// Greatest rounding of a corner [m].
    rounding: f64,
}

/// Fits the maps to what corners do in a substep.
struct Fit<'a> {
    region: &'a AffineRegion,
    records: &'a [Record],
}

impl Job for Fit<'_> {
    type Output = Maps;

    #[inline(always)]
    fn run<P: Pack>(self) -> Maps {
        let AffineRegion {
            places,
            rows,
            is_flat,
            ..
        } = self.region;
        let [x, y, z, _, dx, dy, dz, _] = self.records[places[0].get(0)];
        let origin = [x, y, z, dx, dy, dz].map(P::splat);
        // Columns of both maps by dual vectors, then the means.
        let mut sums = [[P::ZERO; 6]; 4];
        for (places, row) in places.iter().zip(rows) {
            let of = relative(gather_eight::<P>(self.records, places), &origin);
            for (sums, weight) in sums.iter_mut().zip(&row[3..]) {
                let weight = P::load(weight);
                for k in 0..6 {
                    sums[k] += of[k] * weight;
                }
            }
        }
        let mut columns = [[0.0; 6]; 4];
        for (column, sums) in columns.iter_mut().zip(sums) {
            for k in 0..6 {
                column[k] = sum(sums[k].lanes());
            }
        }
        if *is_flat {
            let [a, b] =
                [columns[0], columns[1]].map(|c| DVec3::new(c[0].into(), c[1].into(), c[2].into()));
            let normal = a.cross(b).normalize_or_zero();
            columns[2] = [
                normal.x as Real,
                normal.y as Real,
                normal.z as Real,
                0.0,
                0.0,
                0.0,
            ];
        }
        let mut off = [P::ZERO; 3];
        for (places, row) in places.iter().zip(rows) {
            let corners = gather_eight::<P>(self.records, places);
            let of = relative(corners, &origin);
            let mut squared = [P::ZERO; 2];
            for k in 0..6 {
                let mut rest = of[k] - P::splat(columns[3][k]);
                for j in 0..3 {
                    rest = rest - P::load(&row[j]) * P::splat(columns[j][k]);
                }
                squared[k / 3] += rest * rest;
            }
            off[0] = off[0].max(squared[0]);
            off[1] = off[1].max(squared[1]);
            off[2] = off[2].max(corners[7]);
        }
        let matrix = |first: usize| {
            Matrix3::from_rows([0, 1, 2].map(|i| [0, 1, 2].map(|j| columns[j][first + i])))
        };
        Maps {
            position: matrix(0),
            displacement: matrix(3),
            off: greatest(off[0].lanes()).sqrt(),
            change_off: greatest(off[1].lanes()).sqrt(),
            rounding: greatest(off[2].lanes()),
        }
    }
}

/// Positions and displacements of corners from those of another one.
#[inline(always)]
fn relative<N: Number>([x, y, z, _, dx, dy, dz, _]: [N; 8], origin: &[N; 6]) -> [N; 6] {
    [
        x - origin[0],
        y - origin[1],
        z - origin[2],
        dx - origin[3],
        dy - origin[4],
        dz - origin[5],
    ]
}

#[inline(always)]
fn sum(lanes: [Real; LANES]) -> Real {
    lanes.iter().sum()
}

/// The greatest of numbers that are no less than zero.
#[inline(always)]
fn greatest(lanes: [Real; LANES]) -> f64 {
    lanes.iter().fold(0.0, |a: Real, &b| a.max(b)).into()
}

/// Frobenius norm, no less than the greatest singular value.
fn norm(matrix: Matrix3) -> f64 {
    let squares = matrix.rows.iter().flatten();
    squares
        .map(|&x| f64::from(x) * f64::from(x))
        .sum::<f64>()
        .sqrt()
}

/// Sum of the outer products of vectors with themselves.
fn moment(arms: &[DVec3]) -> DMat3 {
    arms.iter().fold(DMat3::ZERO, |sum, &x| {
        sum + DMat3::from_cols(x * x.x, x * x.y, x * x.z)
    })
}

/// The axes along which vectors extend, a rotation, and sums of the squares of their components there, the
/// greatest first.
fn principal_axes(arms: &[DVec3]) -> (DMat3, [f64; 3]) {
    let m = moment(arms);
    let [x, y, z] = [m.x_axis, m.y_axis, m.z_axis];
    let components = [x.x, y.y, z.z, x.y, x.z, y.z].map(|x| x as Real);
    let eigen = symmetric_eigen(SymMat3::from_components(components));
    let vectors = [
        eigen.vectors.x_axis,
        eigen.vectors.y_axis,
        eigen.vectors.z_axis,
    ];
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| eigen.values[b].total_cmp(&eigen.values[a]));
    let axes = order.map(|k| pliant_math::to_double(vectors[k]));
    let axes = DMat3::from_cols(axes[0], axes[1], axes[0].cross(axes[1]));
    (axes, order.map(|k| eigen.values[k].into()))
}

/// A point, an edge or a triangle as it once was: its corners, the last of them repeated, and a ball around it.
#[derive(Clone, Copy, Debug)]
struct Simplex {
    corners: [u32; 3],
    center: DVec3,
    radius: f64,
}

/// The points, edges and triangles of patches.
struct Simplices {
    points: Vec<Simplex>,
    edges: Vec<Simplex>,
    triangles: Vec<Simplex>,
}

impl Simplices {
    fn new(shape: &ReferenceShape, all: &Patches, of: impl Iterator<Item = u32> + Clone) -> Self {
        let simplex = |corners: [u32; 3]| {
            let places = corners.map(|corner| shape.position[corner as usize]);
            let center = places.iter().sum::<DVec3>() / 3.0;
            let radius = places.iter().map(|place| place.distance(center));
            Simplex {
                corners,
                center,
                radius: radius.fold(0.0, f64::max),
            }
        };
        let points = of.clone().flat_map(|patch| all.corners.of(patch));
        let triangles = of.clone().flat_map(|patch| all.tree.items(patch));
        let edges = of
            .flat_map(|patch| all.edge_rows_of(patch))
            .flat_map(|row| {
                let [from, to] = &all.edge_rows[row as usize];
                let count = all.edge_counts[row as usize] as usize;
                (0..count).map(|lane| [from.get(lane), to.get(lane), to.get(lane)])
            });
        Self {
            points: points.map(|&corner| simplex([corner; 3])).collect(),
            edges: edges
                .map(|ends| simplex(ends.map(|end| end as u32)))
                .collect(),
            triangles: triangles
                .map(|&triangle| simplex(shape.triangles[triangle as usize]))
                .collect(),
        }
    }

    fn longest_side(&self, shape: &ReferenceShape) -> f64 {
        let at = |corner: u32| shape.position[corner as usize];
        let triangles = self.triangles.iter().chain(&self.edges);
        let sides = triangles.flat_map(|of| {
            let [a, b, c] = of.corners.map(at);
            [a.distance(b), b.distance(c), c.distance(a)]
        });
        sides.fold(0.0, f64::max)
    }
}

/// The least distance of points from triangles and of edges from edges without a common corner [m], but for those that
/// are left out.
fn least_distance(shape: &ReferenceShape, own: &Simplices, near: &Simplices) -> f64 {
    let mut least = f64::INFINITY;
    let mut reduce = |is_triangle: bool, ones: &[Simplex], others: &[Simplex]| {
        for one in ones {
            for other in others {
                let apart = one.center.distance(other.center) - one.radius - other.radius;
                let is_joined = one
                    .corners
                    .iter()
                    .any(|corner| other.corners.contains(corner));
                if apart >= least || is_joined {
                    continue;
                }
                let ([a, b, _], [p, q, r]) = (one.corners, other.corners);
                let candidate = Candidate {
                    points: if is_triangle {
                        [a, p, q, r]
                    } else {
                        [a, b, p, q]
                    },
                    is_triangle,
                };
                if shape.is_left_out(&candidate) {
                    continue;
                }
                let corners = candidate
                    .points
                    .map(|corner| shape.position[corner as usize]);
                least = least.min(nearest_of(&candidate, &corners).between.length());
            }
        }
    };
    reduce(true, &own.points, &near.triangles);
    reduce(true, &near.points, &own.triangles);
    reduce(false, &own.edges, &near.edges);
    least
}

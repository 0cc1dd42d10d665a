//! Parts of a surface that overlap, moved apart by about as little as that takes.
//!
//! Particles that are in contact overlap a little, and where both faces of a cut are pressed together so do these.
//! Nothing is moved while no two triangles cross. Around those that do, in this order until none do:
//!
//! - what is beside each other as at rest is carried more and more by what is on all sides of the cuts, as if these
//!   were not there: both faces are as far apart as at rest then;
//! - what slid along each other is moved apart, half the way each;
//! - what is left, as where a thin edge is bent, is deformed as it is around on average, so that it is as at rest but
//!   for an affine map.
//!
//! Each of these falls off within a spacing, so that no ridges are left, and triangles much smaller than that keep
//! their shape.
//!
//! | subject | file |
//! | --- | --- |
//! | all of this in turn | `overlap` |
//! | the part of space where triangles cross | `region` |
//! | where vertices would be without cuts | `mended` |
//! | where two triangles look against each other, and how far apart they are | `facing` |
//! | what is around a point of a surface | `disc` |
//! | contacts moved apart | `spreading` |
//! | places deformed evenly | `flattening` |

mod disc;
mod facing;
mod flattening;
mod mended;
mod overlap;
mod region;
mod spreading;

use pliant_geometry::{Aabb, TriangleMesh};
use pliant_math::{DMat3, DVec3};

use self::overlap::Overlap;
use super::crossing;

/// Parts may overlap by as much, as a part of a spacing.
const DEPTH: f64 = 0.3;

/// Surfaces of which more than one pair for so many triangles cross are crushed, and stay as they are.
const FEW: usize = 4;

/// What is farther apart at rest [spacings] has nothing in between.
const FAR: f64 = 1.0;

/// A surface that particles carry.
#[derive(Clone, Debug)]
pub(super) struct RestSurface<'a> {
    /// Its vertices at rest [m], which tell what is inside of it.
    pub vertices: &'a [DVec3],
    /// F at each.
    pub gradients: &'a [DMat3],
    /// Its triangles, of which those at an edge have vertices in common.
    pub triangles: Vec<[u32; 3]>,
    /// Distance of neighbouring particles [m].
    pub spacing: f64,
}

impl RestSurface<'_> {
    /// Where the vertices are so that no triangles cross, if they are at some places [m]; `None` if they may stay.
    pub fn separated(&self, vertices: Vec<DVec3>) -> Option<Vec<DVec3>> {
        let mesh = TriangleMesh {
            vertices,
            triangles: self.triangles.clone(),
        };
        let crossing = crossing(&mesh, 0..mesh.triangles.len() as u32);
        if crossing.is_empty() || crossing.len() > self.triangles.len() / FEW {
            return None;
        }
        let count = crossing.len();
        let overlap = Overlap::new(self, mesh, crossing).separated();
        (overlap.crossing.len() < count).then_some(overlap.mesh.vertices)
    }

    /// Whether two triangles are near each other at rest.
    fn are_beside(&self, pair: &[u32; 2]) -> bool {
        let around = |triangle: u32| {
            let corners = self.triangles[triangle as usize];
            Aabb::around(corners.map(|k| self.vertices[k as usize]))
        };
        around(pair[0])
            .grown(FAR * self.spacing)
            .overlaps(&around(pair[1]))
    }

    fn share_vertex(&self, pair: [u32; 2]) -> bool {
        let [one, other] = pair.map(|t| self.triangles[t as usize]);
        one.iter().any(|corner| other.contains(corner))
    }
}

//! The things drawn, in view space.

use std::sync::Arc;

use glam::Vec3;
use pliant_core::measure::{Frame, FrameCollider};
use pliant_math::DVec3;
use rayon::prelude::*;

use crate::surfaces::{CREASE, Surface};
use crate::view::View;

/// A particle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sphere {
    /// Centre in view space [m].
    pub center: Vec3,
    /// Radius [m].
    pub radius: f32,
    /// Which particle of the frame it is.
    pub particle: u32,
}

/// A triangle of a collider, or of cloth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facet {
    /// Corners in view space [m].
    pub corners: [Vec3; 3],
    /// Unit normals at the corners.
    pub normals: [Vec3; 3],
    /// Which collider of the frame it belongs to; for cloth a number beyond those.
    pub collider: u32,
    /// The particles at the corners, of cloth.
    pub particles: Option<[u32; 3]>,
    /// True if the collider has no end; it then fades into the distance and casts no shadow.
    pub is_endless: bool,
}

/// Everything that is drawn.
#[derive(Debug, Default)]
pub(crate) struct Geometry {
    /// Particles before and behind the camera, with finite position and positive radius.
    pub spheres: Vec<Sphere>,
    /// Triangles of opaque colliders and bodies.
    pub opaque: Vec<Facet>,
    /// Triangles of glass.
    pub glass: Vec<Facet>,
}

/// Colliders and bodies with less opacity than this are glass.
const OPAQUE: f32 = 0.995;

impl Geometry {
    /// What a frame shows; `surfaces` belong to the frame's colliders.
    pub fn new(frame: &Frame, surfaces: &[Option<Arc<Surface>>], view: &View) -> Self {
        let mut geometry = Self {
            spheres: spheres(frame, view),
            ..Self::default()
        };
        for (index, (collider, surface)) in frame.colliders.iter().zip(surfaces).enumerate() {
            let Some(surface) = surface else { continue };
            let facets = facets(collider, index as u32, surface, view);
            if collider.opacity < OPAQUE {
                geometry.glass.extend(facets);
            } else {
                geometry.opaque.extend(facets);
            }
        }
        let colliders = frame.colliders.len() as u32;
        for facet in cloth(frame, view) {
            let body = frame.bodies.get((facet.collider - colliders) as usize);
            match body.is_some_and(|body| body.look.opacity < OPAQUE) {
                true => geometry.glass.push(facet),
                false => geometry.opaque.push(facet),
            }
        }
        geometry
    }
}

/// The triangles of cloth and of surfaces, with normals that are the mean of those around a corner that
/// are not beyond a crease.
fn cloth(frame: &Frame, view: &View) -> Vec<Facet> {
    let normal = |corners: [DVec3; 3]| {
        let [a, b, c] = corners;
        (b - a).cross(c - a)
    };
    let at = |triangle: &[u32; 3]| triangle.map(|i| frame.position[i as usize]);
    let around = TrianglesAround::new(frame);
    let facet = |triangle: &[u32; 3]| {
        let own = normal(at(triangle)).normalize_or(DVec3::Y);
        let smooth = |corner: u32| {
            let around = around.of(corner).iter();
            let normals = around.map(|&t| normal(at(&frame.triangles[t as usize])));
            let is_beside = |other: &DVec3| other.dot(own) >= CREASE * other.length();
            normals.filter(is_beside).sum::<DVec3>().normalize_or(own)
        };
        Facet {
            corners: at(triangle).map(|x| view.to_view(x)),
            normals: triangle.map(|i| view.direction_to_view(smooth(i))),
            collider: frame.colliders.len() as u32 + frame.body[triangle[0] as usize],
            particles: Some(*triangle),
            is_endless: false,
        }
    };
    let facets = frame.triangles.par_iter().map(facet);
    facets
        .filter(|facet| facet.corners.iter().all(|p| p.is_finite()))
        .collect()
}

/// The triangles around each corner.
struct TrianglesAround {
    starts: Vec<u32>,
    triangles: Vec<u32>,
}

impl TrianglesAround {
    fn new(frame: &Frame) -> Self {
        let mut starts = vec![0; frame.particle_count() + 1];
        for &corner in frame.triangles.as_flattened() {
            starts[corner as usize + 1] += 1;
        }
        for k in 1..starts.len() {
            starts[k] += starts[k - 1];
        }
        let mut next = starts.clone();
        let mut triangles = vec![0; frame.triangles.len() * 3];
        for (number, corners) in (0..).zip(frame.triangles) {
            for &corner in corners {
                let place = &mut next[corner as usize];
                triangles[*place as usize] = number;
                *place += 1;
            }
        }
        Self { starts, triangles }
    }

    fn of(&self, corner: u32) -> &[u32] {
        let corner = corner as usize;
        &self.triangles[self.starts[corner] as usize..self.starts[corner + 1] as usize]
    }
}

/// Particles as balls, without those that triangles of cloth show.
fn spheres(frame: &Frame, view: &View) -> Vec<Sphere> {
    let mut is_shown = vec![false; frame.particle_count()];
    for &corner in frame.triangles.iter().flatten() {
        is_shown[corner as usize] = true;
    }
    (0..frame.particle_count())
        .into_par_iter()
        .filter(|&i| !is_shown[i])
        .filter_map(|i| {
            let radius = *frame.radius.get(i)?;
            let center = view.to_view(frame.position[i]);
            let is_drawn = center.is_finite() && radius.is_finite() && radius > 0.0;
            is_drawn.then_some(Sphere {
                center,
                radius,
                particle: i as u32,
            })
        })
        .collect()
}

fn facets<'a>(
    collider: &'a FrameCollider,
    index: u32,
    surface: &'a Surface,
    view: &'a View,
) -> impl Iterator<Item = Facet> + 'a {
    let is_endless = collider.shape.bounds().is_none();
    let point = |p: DVec3| view.to_view(collider.pose.to_world(p));
    let direction = |n: DVec3| view.direction_to_view(collider.pose.direction_to_world(n));
    surface
        .corners
        .iter()
        .zip(&surface.normals)
        .map(move |(corners, normals)| Facet {
            corners: corners.map(point),
            normals: normals.map(direction),
            collider: index,
            particles: None,
            is_endless,
        })
        .filter(|facet| facet.corners.iter().all(|p| p.is_finite()))
        .filter(|facet| !(facet.is_endless && faces_away(facet)))
}

/// True if the camera is behind the triangle.
fn faces_away(facet: &Facet) -> bool {
    let normal = facet.normals.iter().sum::<Vec3>();
    facet.corners[0].dot(normal) >= 0.0
}

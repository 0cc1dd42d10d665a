//! Particles from a file.

use std::sync::Arc;

use pliant_math::DVec3;
use pliant_parameters::Problem;

use super::{FILE, SCALE};
use crate::nearest::NearestPoint;
use crate::tessellation::surface_nets;
use crate::{Aabb, Samples, Shape, ShapeKind, TriangleMesh};

/// Most volume that particles may claim, in volumes of the box around them: in a simple cubic
/// lattice it is at most one, in any packing without overlaps at most 1.4.
const MOST_CROWDED: f64 = 2.0;

/// Particles from a file; as a solid, a ball about each.
#[derive(Debug)]
pub struct Particles {
    samples: Samples,
    bounds: Aabb,
    spacing: f64,
    nearest: NearestPoint,
}

impl Particles {
    pub(super) const KIND: ShapeKind = ShapeKind {
        name: "particles",
        doc: "Particles from a file (PLY, VTP, NPZ, or the points of a VTU), positions and, if it has them, velocities. A \
              body or an emitter takes them as they are, each with the volume of its spacing cubed; \
              a collider or a region is a ball about each, half a spacing in radius.",
        fields: &[FILE, SCALE],
        build: |values, files, use_as| {
            let file = values.text("file");
            let samples = files.particles(file)?;
            let shape = Self::new(&samples, values.number("scale"), use_as.spacing);
            match shape.crowding() {
                Some(crowding) if use_as.is_filled => Err(crowding),
                _ => Ok(Arc::new(shape)),
            }
        },
    };

    /// Particles with positions times `scale`, `spacing` [m] apart.
    pub fn new(samples: &Samples, scale: f64, spacing: f64) -> Self {
        let mut samples = samples.clone();
        for position in &mut samples.position {
            *position *= scale;
        }
        let radius = if spacing.is_finite() {
            0.5 * spacing
        } else {
            0.0
        };
        Self {
            bounds: Aabb::around(samples.position.iter().copied()).grown(radius),
            nearest: NearestPoint::new(samples.position.clone()),
            spacing: 2.0 * radius,
            samples,
        }
    }

    /// What is wrong if the particles cannot be so far apart in the box around them.
    fn crowding(&self) -> Option<Problem> {
        let claimed = self.volume()?;
        let room = self.bounds.extent().element_product();
        (claimed > MOST_CROWDED * room).then(|| {
            let count = self.samples.position.len();
            Problem::at(
                "scale",
                format!(
                    "{count} particles {:?} m apart take {claimed:.1e} m3, but the box around them \
                     has {room:.1e} m3",
                    self.spacing
                ),
                "check the body's spacing and the scale of the file",
            )
        })
    }
}

impl Shape for Particles {
    fn signed_distance(&self, point: DVec3) -> f64 {
        let nearest = self.nearest.of(point);
        nearest.map_or(f64::INFINITY, |p| p.distance(point)) - 0.5 * self.spacing
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        let nearest = self.nearest.of(point).unwrap_or(point);
        (point - nearest).normalize_or(DVec3::Y)
    }

    fn bounds(&self) -> Option<Aabb> {
        Some(self.bounds)
    }

    /// What the particles stand for, whether their balls overlap or leave gaps.
    fn volume(&self) -> Option<f64> {
        let volume = self.spacing * self.spacing * self.spacing;
        Some(self.samples.position.len() as f64 * volume)
    }

    fn surface(&self, _size: f64) -> TriangleMesh {
        surface_nets(self, self.bounds)
    }

    fn samples(&self) -> Option<Samples> {
        Some(self.samples.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::{Sampling, fill};
    use crate::{in_order, topology};
    use pliant_math::RandomStream;

    /// A row of three a metre apart, in millimetres.
    fn row(spacing: f64) -> Particles {
        let samples = Samples {
            position: (0..3).map(|i| DVec3::X * 1000.0 * f64::from(i)).collect(),
            ..Samples::default()
        };
        Particles::new(&samples, 1e-3, spacing)
    }

    #[test]
    fn filling_takes_the_particles_as_they_are() {
        let random = RandomStream::new(1, 0);
        let points = fill(&row(1.0), 1.0, Sampling::Poisson, 0.0, random, in_order);
        assert_eq!(points, [DVec3::ZERO, DVec3::X, 2.0 * DVec3::X]);
        assert_eq!(row(0.5).volume(), Some(3.0 * 0.125));
    }

    #[test]
    fn particles_as_a_solid_are_balls_of_half_a_spacing() {
        let balls = row(0.8);
        assert!((balls.signed_distance(DVec3::new(1.0, 1.0, 0.0)) - 0.6).abs() < 1e-12);
        assert!((balls.signed_distance(DVec3::new(2.1, 0.0, 0.0)) + 0.3).abs() < 1e-12);
        assert_eq!(balls.normal(DVec3::new(1.0, 0.0, -3.0)), DVec3::NEG_Z);
        assert_eq!(balls.bounds().unwrap().max, DVec3::new(2.4, 0.4, 0.4));
        let surface = balls.surface(1.0);
        assert!(topology::closed(&surface).is_ok());
        let volume = 3.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.064;
        assert!((surface.volume() / volume - 1.0).abs() < 0.01);
    }

    #[test]
    fn particles_that_cannot_be_so_far_apart_are_refused() {
        let grid = |n: i32| (0..n * n * n).map(move |i| [i % n, i / n % n, i / n / n]);
        let samples = Samples {
            position: grid(5).map(|i| DVec3::from(i.map(f64::from))).collect(),
            ..Samples::default()
        };
        assert!(Particles::new(&samples, 1.0, 1.0).crowding().is_none());
        let problem = Particles::new(&samples, 1e-3, 1.0).crowding().unwrap();
        assert_eq!(problem.key.as_deref(), Some("scale"));
    }
}

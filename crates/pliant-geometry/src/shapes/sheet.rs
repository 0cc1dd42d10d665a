//! A rectangle without thickness.

use std::sync::Arc;

use pliant_math::{DVec2, DVec3};
use pliant_parameters::{Field, Kind, Problem, Range, Values};

use crate::{Aabb, Samples, Shape, ShapeKind, ShapeUse, TriangleMesh};

/// Greatest ratio of a spacing to what a resolution makes of it.
const MOST_STRETCHED: f64 = 1.5;

/// A rectangle in the plane y = 0 about the origin, without thickness: its distance is nowhere
/// negative, and its normal points away from it on either side.
#[derive(Clone, Copy, Debug)]
pub struct Sheet {
    /// Lengths of its edges along x and z [m], > 0.
    pub size: DVec2,
    /// Particles along x and z; of cloth they stand on the edges too, at least 2.
    pub resolution: [usize; 2],
    /// Distance of its particles [m], which stands for its thickness where it is filled.
    pub spacing: f64,
}

impl Sheet {
    pub(super) const KIND: ShapeKind = ShapeKind {
        name: "sheet",
        doc: "A rectangle without thickness in the plane y = 0, centred on the origin. A collider \
              has two sides; a body or an emitter is a single layer of particles, a spacing thick; \
              of cloth the outermost particles stand on the edges. \
              It has no inside, so it cannot be a region.",
        fields: &[
            Field::required(
                "size",
                Kind::Vector(2, Range::POSITIVE),
                "m",
                "Lengths of the edges along x and along z.",
            ),
            Field::optional(
                "resolution",
                Kind::Vector(2, Range::closed(1.0, 1e5)),
                "",
                "Particles along x and along z, whole numbers. If missing, by the spacing.",
            ),
        ],
        build: |values, _, use_as| Ok(Arc::new(Self::from_values(values, use_as)?)),
    };

    fn from_values(values: &Values, use_as: ShapeUse) -> Result<Self, Problem> {
        let size = DVec2::from_slice(&values.numbers("size"));
        let cells = (size / use_as.spacing).round().max(DVec2::ONE);
        let natural = cells + DVec2::splat(if use_as.is_cloth { 1.0 } else { 0.0 });
        let wanted = if values.has("resolution") {
            DVec2::from_slice(&values.numbers("resolution"))
        } else {
            natural
        };
        let stretch = natural / wanted;
        let is_stretched = stretch.max(stretch.recip()).max_element() > MOST_STRETCHED;
        let is_body = use_as.is_filled || use_as.is_cloth;
        let is_no_cloth = use_as.is_cloth && wanted.min_element() < 2.0;
        if wanted.fract() != DVec2::ZERO || (is_body && is_stretched) || is_no_cloth {
            let apart = size / wanted;
            return Err(Problem::at(
                "resolution",
                format!(
                    "{} by {} particles would be {:?} and {:?} m apart, and the spacing is {:?} m",
                    wanted.x, wanted.y, apart.x, apart.y, use_as.spacing
                ),
                format!("leave it out, or write [{}, {}]", natural.x, natural.y),
            ));
        }
        Ok(Self {
            size,
            resolution: [wanted.x as usize, wanted.y as usize],
            spacing: use_as.spacing,
        })
    }

    fn nearest(&self, point: DVec3) -> DVec3 {
        let reach = 0.5 * DVec3::new(self.size.x, 0.0, self.size.y);
        point.clamp(-reach, reach)
    }
}

impl Shape for Sheet {
    fn signed_distance(&self, point: DVec3) -> f64 {
        point.distance(self.nearest(point))
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        (point - self.nearest(point)).normalize_or(DVec3::Y)
    }

    fn bounds(&self) -> Option<Aabb> {
        let max = 0.5 * DVec3::new(self.size.x, 0.0, self.size.y);
        Some(Aabb { min: -max, max })
    }

    /// That of the layer of particles.
    fn volume(&self) -> Option<f64> {
        Some(self.size.element_product() * self.spacing)
    }

    fn surface(&self, _size: f64) -> TriangleMesh {
        let [x, z] = (0.5 * self.size).to_array();
        let corner = |x, z| DVec3::new(x, 0.0, z);
        TriangleMesh {
            vertices: vec![corner(-x, -z), corner(-x, z), corner(x, z), corner(x, -z)],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        }
    }

    /// One in the middle of each cell of the resolution.
    fn samples(&self) -> Option<Samples> {
        let [nx, nz] = self.resolution;
        let place = |i: usize, n: usize| (i as f64 + 0.5) / n as f64 - 0.5;
        let at = |x, z| DVec3::new(self.size.x * place(x, nx), 0.0, self.size.y * place(z, nz));
        Some(Samples {
            position: (0..nz)
                .flat_map(|z| (0..nx).map(move |x| at(x, z)))
                .collect(),
            ..Samples::default()
        })
    }

    /// A grid with particles on the edges, whose neighbouring cells have different diagonals.
    fn fabric(&self) -> Option<TriangleMesh> {
        let [nx, nz] = self.resolution;
        let place = |i: usize, n: usize| i as f64 / (n.max(2) - 1) as f64 - 0.5;
        let at = |x, z| DVec3::new(self.size.x * place(x, nx), 0.0, self.size.y * place(z, nz));
        let vertex = |x: usize, z: usize| (z * nx + x) as u32;
        let mut triangles = Vec::with_capacity(2 * nx * nz);
        for z in 0..nz.saturating_sub(1) {
            for x in 0..nx.saturating_sub(1) {
                let [a, b] = [vertex(x, z), vertex(x + 1, z)];
                let [c, d] = [vertex(x, z + 1), vertex(x + 1, z + 1)];
                if (x + z) % 2 == 0 {
                    triangles.extend([[a, c, d], [a, d, b]]);
                } else {
                    triangles.extend([[a, c, b], [b, c, d]]);
                }
            }
        }
        Some(TriangleMesh {
            vertices: (0..nz)
                .flat_map(|z| (0..nx).map(move |x| at(x, z)))
                .collect(),
            triangles,
        })
    }

    fn is_thin(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use pliant_parameters::Value;

    use super::*;
    use crate::shapes::build_region;
    use crate::work::tests::NoFiles;

    fn values(size: [f64; 2], resolution: Option<[f64; 2]>) -> Values {
        let list = |v: [f64; 2]| Value::List(v.map(Value::Number).to_vec());
        let mut values = Values::default();
        values.insert("size", list(size));
        if let Some(resolution) = resolution {
            values.insert("resolution", list(resolution));
        }
        values
    }

    fn body(resolution: Option<[f64; 2]>) -> Result<Sheet, Problem> {
        let use_as = ShapeUse {
            is_filled: true,
            is_shell: false,
            is_cloth: false,
            spacing: 0.1,
        };
        Sheet::from_values(&values([2.0, 1.0], resolution), use_as)
    }

    #[test]
    fn distances_are_those_to_the_rectangle_on_both_sides() {
        let sheet = body(None).unwrap();
        for side in [1.0, -1.0] {
            assert_eq!(sheet.signed_distance(DVec3::new(0.9, 0.3 * side, 0.4)), 0.3);
            assert_eq!(
                sheet.normal(DVec3::new(0.9, 0.3 * side, 0.4)),
                side * DVec3::Y
            );
        }
        // Beyond a corner by 3, 12 and 4.
        let beyond = DVec3::new(4.0, 12.0, 4.5);
        assert!((sheet.signed_distance(beyond) - 13.0).abs() < 1e-12);
        assert!((sheet.normal(beyond) - DVec3::new(3.0, 12.0, 4.0) / 13.0).length() < 1e-12);
    }

    #[test]
    fn a_layer_has_a_particle_in_the_middle_of_each_cell_and_the_volume_of_its_thickness() {
        for (resolution, count) in [(None, 200), (Some([16.0, 8.0]), 128)] {
            let sheet = body(resolution).unwrap();
            let points = sheet.samples().unwrap().position;
            assert_eq!(points.len(), count);
            assert!(points.iter().all(|p| p.y == 0.0));
            assert!(points.iter().sum::<DVec3>().length() < 1e-9);
            let reach = Aabb::around(points).max.x;
            assert!((reach - (1.0 - 1.0 / f64::from(sheet.resolution[0] as u32))).abs() < 1e-12);
            assert!((sheet.volume().unwrap() - 0.2).abs() < 1e-12);
        }
    }

    #[test]
    fn a_resolution_that_does_not_suit_the_spacing_is_refused_with_one_that_does() {
        for resolution in [[20.5, 10.0], [40.0, 10.0], [20.0, 5.0]] {
            let problem = body(Some(resolution)).unwrap_err();
            assert!(problem.remedy.unwrap().contains("[20, 10]"));
        }
    }

    #[test]
    fn cloth_covers_the_rectangle_with_particles_on_its_edges() {
        let use_as = ShapeUse {
            is_filled: false,
            is_shell: false,
            is_cloth: true,
            spacing: 0.1,
        };
        for (resolution, [nx, nz]) in [(None, [21, 11]), (Some([16.0, 9.0]), [16, 9])] {
            let sheet = Sheet::from_values(&values([2.0, 1.0], resolution), use_as).unwrap();
            let fabric = sheet.fabric().unwrap();
            assert_eq!(fabric.vertices.len(), nx * nz);
            assert_eq!(fabric.triangles.len(), 2 * (nx - 1) * (nz - 1));
            let area = |t: usize| {
                let [a, b, c] = fabric.corners(t);
                0.5 * (b - a).cross(c - a).dot(DVec3::Y)
            };
            let total: f64 = (0..fabric.triangles.len()).map(area).sum();
            assert!((total - 2.0).abs() < 1e-12);
            assert_eq!(fabric.bounds(), sheet.bounds().unwrap());
        }
    }

    #[test]
    fn a_sheet_cannot_be_a_region_or_part_of_a_tree() {
        let inner = Value::Table(values([1.0, 1.0], None));
        let mut table = Values::default();
        table.insert("sheet", inner);
        let problem = build_region(&table, &NoFiles, 0.1).unwrap_err();
        assert!(problem.message.contains("sheet has no inside"));
        let mut operands = Values::default();
        operands.insert("union", Value::List(vec![Value::Table(table)]));
        let mut tree = Values::default();
        tree.insert("sdf", Value::Table(operands));
        let problem = build_region(&tree, &NoFiles, 0.1).unwrap_err();
        assert!(problem.message.contains("sheet has no inside"));
    }
}

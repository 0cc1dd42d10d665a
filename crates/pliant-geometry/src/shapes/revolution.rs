//! A closed outline turned about the y axis.

use std::sync::Arc;

use pliant_math::{DVec2, DVec3};
use pliant_parameters::{Field, Kind, Problem};

use crate::profile::Profile;
use crate::tessellation::lathe;
use crate::{Aabb, Shape, ShapeKind, TriangleMesh};

/// A closed outline turned about the y axis: glasses, bowls, dies.
#[derive(Clone, Debug)]
pub struct Revolution {
    profile: Profile,
}

impl Revolution {
    pub(super) const KIND: ShapeKind = ShapeKind {
        name: "revolution",
        doc: "A closed outline turned about the y axis: a glass, a bowl, a die.",
        fields: &[Field::required(
            "profile",
            Kind::Points {
                dimension: 2,
                least: 3,
            },
            "m",
            "Corners [radius, y] of the outline in order, either way round; the last joins the \
             first. Radii are zero or greater, and the outline does not cross itself.",
        )],
        build: |values, _, _| Ok(Arc::new(Self::from_outline(&values.points("profile"))?)),
    };

    fn from_outline(points: &[Vec<f64>]) -> Result<Self, Problem> {
        let corners = points.iter().map(|p| DVec2::new(p[0], p[1])).collect();
        let profile = Profile::new(corners).map_err(|fault| {
            Problem::at(
                "profile",
                fault.to_string(),
                "list the corners of a simple closed outline in order, each [radius, y] with \
                 radius >= 0",
            )
        })?;
        Ok(Self { profile })
    }
}

impl Shape for Revolution {
    fn signed_distance(&self, point: DVec3) -> f64 {
        self.profile.signed_distance(point)
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        self.profile.normal(point)
    }

    fn bounds(&self) -> Option<Aabb> {
        Some(self.profile.bounds())
    }

    fn volume(&self) -> Option<f64> {
        Some(self.profile.volume())
    }

    fn surface(&self, _size: f64) -> TriangleMesh {
        lathe(self.profile.points())
    }
}

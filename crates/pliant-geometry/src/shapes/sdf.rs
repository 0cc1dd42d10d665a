//! Shapes put together from others: united, intersected, cut out, melted together.

use std::sync::{Arc, OnceLock};

use pliant_math::{DVec3, Pose};
use pliant_parameters::{Field, Kind, Problem, Range, Value, Values};

use crate::tessellation::surface_nets;
use crate::{Aabb, MeshSource, Shape, ShapeKind, ShapeUse, TriangleMesh, integration};

/// How the operands of a tree are put together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operator {
    /// What lies in any of them.
    Union,
    /// What lies in all of them.
    Intersection,
    /// What lies in the first and in none of the rest.
    Difference,
    /// A union whose inner edges are filled with a fillet that begins this far [m] from them.
    SmoothUnion(f64),
}

/// Shapes put together by an operator.
///
/// The distance has the right sign and never exceeds the true one. It is exact where one operand
/// decides alone: outside a union, inside an intersection, and near every face. Outside the convex
/// edges of an intersection or a difference, and inside the concave ones of a union, it is less
/// than the true distance.
#[derive(Debug)]
pub struct Tree {
    operator: Operator,
    operands: Vec<Placed>,
    volume: OnceLock<Option<f64>>,
}

/// A shape in its place.
#[derive(Clone, Debug)]
struct Placed {
    shape: Arc<dyn Shape>,
    pose: Pose,
}

const SHAPES: Kind = Kind::PlacedShapes(1);

impl Tree {
    pub(super) const KIND: ShapeKind = ShapeKind {
        name: "sdf",
        doc: "Shapes put together by exactly one of `union`, `intersection`, `difference` and \
              `smooth-union`. Each operand is a shape with an optional position and rotation: \
              `{ sdf = { difference = [{ box = { size = [1, 1, 1] } }, { sphere = { radius = 0.4 }, \
              position = [0, 0.5, 0] }] } }`. Operands may be trees themselves.",
        fields: &[
            Field::optional("union", SHAPES, "", "What lies in any of the shapes."),
            Field::optional(
                "intersection",
                SHAPES,
                "",
                "What lies in all of the shapes.",
            ),
            Field::optional(
                "difference",
                SHAPES,
                "",
                "What lies in the first shape and in none of the rest.",
            ),
            Field::optional(
                "smooth-union",
                SHAPES,
                "",
                "A union whose inner edges are filled with a fillet of size `radius`.",
            ),
            Field::optional(
                "radius",
                Kind::Number(Range::POSITIVE),
                "m",
                "Size of the fillet of a `smooth-union`: it begins this far from where the shapes \
                 meet. Required there, and accepted nowhere else.",
            ),
        ],
        build: |values, meshes, use_as| Ok(Arc::new(Self::from_values(values, meshes, use_as)?)),
    };

    fn from_values(
        values: &Values,
        meshes: &dyn MeshSource,
        use_as: ShapeUse,
    ) -> Result<Self, Problem> {
        let (key, operator) = read_operator(values)?;
        let part = ShapeUse {
            is_filled: false,
            ..use_as
        };
        let operands = values
            .tables(key)
            .into_iter()
            .map(|table| Placed::from_table(table, meshes, part))
            .collect::<Result<Vec<_>, _>>()?;
        let tree = Self {
            operator,
            operands,
            volume: OnceLock::new(),
        };
        if use_as.is_filled && tree.bounds().is_none() {
            return Err(Problem::at(
                key,
                format!("this {key} has no end and cannot be filled with particles"),
                "intersect the plane in it with a box or another shape that has an end",
            ));
        }
        Ok(tree)
    }

    /// The distance, and the unit normal if it is asked for: (distance, normal or zero).
    fn evaluate(&self, point: DVec3, with_normal: bool) -> (f64, DVec3) {
        let operand = |placed: &Placed| placed.evaluate(point, with_normal);
        let mut rest = self.operands.iter().map(operand);
        let Some(first) = rest.next() else {
            return (f64::INFINITY, DVec3::Y);
        };
        match self.operator {
            Operator::Union => rest.fold(first, |a, b| if b.0 < a.0 { b } else { a }),
            Operator::Intersection => rest.fold(first, |a, b| if b.0 > a.0 { b } else { a }),
            Operator::Difference => {
                rest.fold(first, |a, b| if -b.0 > a.0 { (-b.0, -b.1) } else { a })
            }
            Operator::SmoothUnion(radius) => rest.fold(first, |a, b| melt(a, b, radius)),
        }
    }
}

impl Shape for Tree {
    fn signed_distance(&self, point: DVec3) -> f64 {
        self.evaluate(point, false).0
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        self.evaluate(point, true).1.normalize_or(DVec3::Y)
    }

    /// A box around it, not always the smallest: turned operands and cuts are not followed.
    fn bounds(&self) -> Option<Aabb> {
        let mut all = self.operands.iter().map(Placed::bounds);
        match self.operator {
            Operator::Union => union_of(all),
            Operator::SmoothUnion(radius) => {
                let bulge = 0.25 * radius * (self.operands.len() - 1) as f64;
                union_of(all).map(|bounds| bounds.grown(bulge))
            }
            Operator::Intersection => all.flatten().reduce(overlap),
            Operator::Difference => all.next().flatten(),
        }
    }

    fn volume(&self) -> Option<f64> {
        let compute = || Some(integration::volume(self, self.bounds()?));
        *self.volume.get_or_init(compute)
    }

    fn surface(&self, size: f64) -> TriangleMesh {
        let whole = Aabb {
            min: DVec3::splat(-size),
            max: DVec3::splat(size),
        };
        surface_nets(self, self.bounds().unwrap_or(whole))
    }
}

impl Placed {
    fn from_table(
        table: &Values,
        meshes: &dyn MeshSource,
        use_as: ShapeUse,
    ) -> Result<Self, Problem> {
        let mut shape = Values::default();
        for (key, value) in table.iter().filter(|(key, _)| !is_place(key)) {
            shape.insert(key, Value::clone(value));
        }
        let name = shape.named_item().0;
        let vector = |key: &str| DVec3::from(table.optional_vector3(key).unwrap_or_default());
        let angles = vector("rotation") * (std::f64::consts::PI / 180.0);
        let built = super::build(&shape, meshes, use_as)?;
        if built.is_thin() {
            return Err(super::without_inside(name));
        }
        Ok(Self {
            shape: built,
            pose: Pose::from_euler(vector("position"), angles),
        })
    }

    fn evaluate(&self, point: DVec3, with_normal: bool) -> (f64, DVec3) {
        let local = self.pose.to_local(point);
        let normal = if with_normal {
            self.pose.direction_to_world(self.shape.normal(local))
        } else {
            DVec3::ZERO
        };
        (self.shape.signed_distance(local), normal)
    }

    fn bounds(&self) -> Option<Aabb> {
        let local = self.shape.bounds()?;
        let corners = local.corners().map(|corner| self.pose.to_world(corner));
        Some(Aabb::around(corners))
    }
}

fn is_place(key: &str) -> bool {
    key == "position" || key == "rotation"
}

fn read_operator(values: &Values) -> Result<(&'static str, Operator), Problem> {
    const KEYS: [&str; 4] = ["union", "intersection", "difference", "smooth-union"];
    let given: Vec<&'static str> = KEYS.into_iter().filter(|key| values.has(key)).collect();
    let [key] = given[..] else {
        return Err(Problem::whole(
            format!("an sdf takes one operator, and {} are given", given.len()),
            "give exactly one of union, intersection, difference, smooth-union",
        ));
    };
    let operator = match (key, values.optional_number("radius")) {
        ("smooth-union", Some(radius)) => Operator::SmoothUnion(radius),
        ("smooth-union", None) => {
            return Err(Problem::at(
                "radius",
                "a smooth-union has no radius",
                "give the size of its fillet in metres, such as radius = 0.02",
            ));
        }
        (_, Some(radius)) => {
            return Err(Problem::at(
                "radius",
                format!("radius = {radius} means nothing for a {key}"),
                "leave radius out, or use smooth-union",
            ));
        }
        ("union", None) => Operator::Union,
        ("intersection", None) => Operator::Intersection,
        _ => Operator::Difference,
    };
    Ok((key, operator))
}

/// Quadratic smooth minimum: the gradient stays a mean of unit vectors, so the result is still a
/// lower bound of the distance.
fn melt(a: (f64, DVec3), b: (f64, DVec3), radius: f64) -> (f64, DVec3) {
    let (near, far) = if b.0 < a.0 { (b, a) } else { (a, b) };
    let overlap = (radius - (far.0 - near.0)).max(0.0) / radius;
    let share = 0.5 * overlap;
    (
        near.0 - 0.25 * radius * overlap * overlap,
        near.1.lerp(far.1, share),
    )
}

fn union_of(all: impl Iterator<Item = Option<Aabb>>) -> Option<Aabb> {
    all.collect::<Option<Vec<_>>>()?
        .into_iter()
        .reduce(Aabb::union)
}

/// The common part of two boxes, a point between them if they have none.
fn overlap(a: Aabb, b: Aabb) -> Aabb {
    let (min, max) = (a.min.max(b.min), a.max.min(b.max));
    if min.cmple(max).all() {
        Aabb { min, max }
    } else {
        let middle = 0.5 * (min + max);
        Aabb {
            min: middle,
            max: middle,
        }
    }
}

//! Shapes put together from others: united, intersected, cut out, melted together.

use std::sync::{Arc, OnceLock};

use pliant_math::{DVec3, Pose};
use pliant_parameters::{Field, Kind, Problem, Range, Value, Values};

use super::common_point::nearest_common_point;
use super::coplanar;
use super::nearest_operand::NearestOperand;
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
/// decides alone: outside a union, inside an intersection, and near every face. Near edges, where
/// operands decide together, it is exact up to a distance of [`REACH`] spacings, and less than the
/// true one beyond. It is less, too, inside a fillet, and in an opening that a cut hardly protrudes
/// from: there the end of the cut counts like a surface.
#[derive(Debug)]
pub struct Tree {
    pub(super) operator: Operator,
    pub(super) operands: Vec<Placed>,
    /// Where distances at edges are exact [m].
    reach: f64,
    /// Of a union all, of a difference the cuts, where they are many.
    nearest: Option<NearestOperand>,
    volume: OnceLock<Option<f64>>,
}

/// Operands that are so many are searched through a tree.
const MANY: usize = 5;

/// Spacings up to which distances at edges are exact.
const REACH: f64 = 2.0;
/// What is left of a distance, as a part of it, that counts as nothing.
const TOLERANCE: f64 = 5e-3;

/// A shape in its place.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) shape: Arc<dyn Shape>,
    pub(super) pose: Pose,
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
            Field::optional("union", SHAPES, "", "Union of the shapes."),
            Field::optional("intersection", SHAPES, "", "Intersection of the shapes."),
            Field::optional(
                "difference",
                SHAPES,
                "",
                "The first shape minus the others.",
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
            is_shell: false,
            is_cloth: false,
            ..use_as
        };
        let operands = values
            .tables(key)
            .into_iter()
            .map(|table| Placed::from_table(table, meshes, part))
            .collect::<Result<Vec<_>, _>>()?;
        let tree = Self::new(operator, operands, use_as.spacing);
        if use_as.is_filled && tree.bounds().is_none() {
            return Err(Problem::at(
                key,
                format!("this {key} has no end and cannot be filled with particles"),
                "intersect the plane in it with a box or another shape that has an end",
            ));
        }
        Ok(tree)
    }

    /// A tree for particles of `spacing` [m].
    pub(super) fn new(operator: Operator, operands: Vec<Placed>, spacing: f64) -> Self {
        let first = match operator {
            Operator::Union => 0,
            Operator::Difference => 1,
            _ => operands.len(),
        };
        let searched = operands.iter().enumerate().skip(first);
        let searched = searched.map(|(i, operand)| (i, operand.bounds()));
        Self {
            nearest: (operands.len() >= first + MANY).then(|| NearestOperand::new(searched)),
            operator,
            operands,
            reach: REACH * spacing,
            volume: OnceLock::new(),
        }
    }

    /// The distance by the operand that decides, a lower bound of the distance, and that operand.
    fn decide(&self, point: DVec3) -> (f64, usize) {
        if let Some(nearest) = &self.nearest {
            let (distance, i) = nearest.of(point, |i| self.operands[i].signed_distance(point));
            if self.operator == Operator::Union {
                return (distance, i);
            }
            let body = self.operands[0].signed_distance(point);
            return if -distance > body {
                (-distance, i)
            } else {
                (body, 0)
            };
        }
        let signed = |i: usize| self.sign(i) * self.operands[i].signed_distance(point);
        let all = (0..self.operands.len()).map(|i| (signed(i), i));
        let chosen = match self.operator {
            Operator::Union => all.reduce(|a, b| if b.0 < a.0 { b } else { a }),
            Operator::Intersection | Operator::Difference => {
                all.reduce(|a, b| if b.0 > a.0 { b } else { a })
            }
            Operator::SmoothUnion(radius) => all.reduce(|a, b| melt(a, b, radius).0),
        };
        chosen.unwrap_or((f64::INFINITY, 0))
    }

    /// The bound of [`Tree::decide`] and its unit gradient.
    fn bound(&self, point: DVec3) -> (f64, DVec3) {
        let Operator::SmoothUnion(radius) = self.operator else {
            let (distance, i) = self.decide(point);
            return (distance, self.sign(i) * self.operands[i].normal(point));
        };
        let all = self.operands.iter();
        let all = all.map(|o| (o.signed_distance(point), o.normal(point)));
        all.reduce(|a, b| {
            let ((distance, normal), other) = melt(a, b, radius);
            (distance, normal.lerp(other.0, other.1))
        })
        .unwrap_or((f64::INFINITY, DVec3::Y))
    }

    /// What an operand's distance counts: a cut turns it round.
    fn sign(&self, operand: usize) -> f64 {
        let is_cut = self.operator == Operator::Difference && operand > 0;
        if is_cut { -1.0 } else { 1.0 }
    }

    /// The distance and its unit gradient.
    fn evaluate(&self, point: DVec3) -> (f64, DVec3) {
        let bound = self.bound(point);
        self.beyond_edge(point, bound).unwrap_or(bound)
    }

    /// True if operands may decide together at this distance, in reach.
    fn may_be_at_edge(&self, distance: f64) -> bool {
        let can_be = match self.operator {
            Operator::Union => distance < 0.0,
            Operator::Intersection | Operator::Difference => distance > 0.0,
            Operator::SmoothUnion(_) => false,
        };
        can_be && distance.abs() <= self.reach
    }

    /// The distance and its unit gradient at a point whose bound does not lead to the surface: the
    /// nearest point lies on an edge. What is outside of all cuts and inside of the rest is the
    /// common part of sets; inside a union the common part is what lies outside of all.
    fn beyond_edge(&self, point: DVec3, (distance, normal): (f64, DVec3)) -> Option<(f64, DVec3)> {
        let tolerance = TOLERANCE * distance.abs();
        let is_edge = self.may_be_at_edge(distance)
            && self.decide(point - distance * normal).0.abs() > tolerance;
        if !is_edge {
            return None;
        }
        let side = distance.signum();
        let sign = |i: usize| side * self.sign(i);
        let set = |i: usize, x: DVec3| sign(i) * self.operands[i].signed_distance(x);
        let gradient = |i: usize, x: DVec3| sign(i) * self.operands[i].normal(x);
        let count = self.operands.len();
        let nearest = nearest_common_point(point, count, tolerance, set, gradient)?;
        let offset = side * (point - nearest);
        Some((side * offset.length(), offset.try_normalize()?))
    }
}

/// A tree whose distance is the bound alone.
#[derive(Debug)]
struct DistanceBound<'a>(&'a Tree);

impl Shape for DistanceBound<'_> {
    fn signed_distance(&self, point: DVec3) -> f64 {
        self.0.decide(point).0
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        self.0.bound(point).1.normalize_or(DVec3::Y)
    }

    fn bounds(&self) -> Option<Aabb> {
        self.0.bounds()
    }

    fn volume(&self) -> Option<f64> {
        self.0.volume()
    }

    fn surface(&self, size: f64) -> TriangleMesh {
        self.0.surface(size)
    }
}

impl Shape for Tree {
    fn signed_distance(&self, point: DVec3) -> f64 {
        let (distance, _) = self.decide(point);
        if self.may_be_at_edge(distance) {
            self.evaluate(point).0
        } else {
            distance
        }
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        self.evaluate(point).1.normalize_or(DVec3::Y)
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
        let compute = || Some(integration::volume(&DistanceBound(self), self.bounds()?));
        *self.volume.get_or_init(compute)
    }

    fn surface(&self, size: f64) -> TriangleMesh {
        let whole = Aabb {
            min: DVec3::splat(-size),
            max: DVec3::splat(size),
        };
        surface_nets(self, self.bounds().unwrap_or(whole))
    }

    fn warnings(&self) -> Vec<Problem> {
        coplanar::warnings(self)
    }
}

impl Operator {
    /// The key of its operands.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Union => "union",
            Self::Intersection => "intersection",
            Self::Difference => "difference",
            Self::SmoothUnion(_) => "smooth-union",
        }
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
        super::keeps_its_form(&*built)?;
        if built.is_thin() {
            return Err(super::without_inside(name));
        }
        Ok(Self {
            shape: built,
            pose: Pose::from_euler(vector("position"), angles),
        })
    }

    pub(super) fn signed_distance(&self, point: DVec3) -> f64 {
        self.shape.signed_distance(self.pose.to_local(point))
    }

    pub(super) fn normal(&self, point: DVec3) -> DVec3 {
        let local = self.shape.normal(self.pose.to_local(point));
        self.pose.direction_to_world(local)
    }

    pub(super) fn bounds(&self) -> Option<Aabb> {
        let local = self.shape.bounds()?;
        let corners = local.corners().map(|corner| self.pose.to_world(corner));
        Some(Aabb::around(corners))
    }

    pub(super) fn surface(&self, size: f64) -> TriangleMesh {
        let mut mesh = self.shape.surface(size);
        for vertex in &mut mesh.vertices {
            *vertex = self.pose.to_world(*vertex);
        }
        mesh
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

/// Quadratic smooth minimum of distances: the gradient stays a mean of unit vectors, so the result is
/// still a lower bound of the distance. Returns it with what belongs to the nearer, and what belongs
/// to the farther with its share.
fn melt<T>(a: (f64, T), b: (f64, T), radius: f64) -> ((f64, T), (T, f64)) {
    let (near, far) = if b.0 < a.0 { (b, a) } else { (a, b) };
    let overlap = (radius - (far.0 - near.0)).max(0.0) / radius;
    let distance = near.0 - 0.25 * radius * overlap * overlap;
    ((distance, near.1), (far.1, 0.5 * overlap))
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

//! Where prims are, seen from the prims above them.

use pliant_math::{DMat3, DVec3};

use super::layer::{Prim, Value};
use super::moment::{Between, Moment, numbers, rotation, texts};
use super::{MeshProblem, Transform, malformed};

/// How the names of operations begin.
pub(super) const OPERATION: &str = "xformOp:";

/// Undoes an operation.
const UNDONE: &str = "!invert!";

/// Forgets where the prims above are.
const RESET: &str = "!resetXformStack!";

/// Where a prim is.
pub(super) struct Place {
    pub(super) transform: Transform,
    /// Seen from the world, not from the prim above.
    pub(super) is_of_world: bool,
}

impl Place {
    /// The place in the world.
    ///
    /// * `above` — where the prim above is
    /// * `world` — where the world is
    pub(super) fn seen_from(self, above: Transform, world: Transform) -> Transform {
        let above = match self.is_of_world {
            true => world,
            false => above,
        };
        above.after(self.transform)
    }
}

/// Where a prim is: the product of its operations, of which the last one acts first (OpenUSD, `UsdGeomXformable`).
pub(super) fn place(prim: &Prim, path: &str, moment: Moment) -> Result<Place, MeshProblem> {
    let mut place = Place {
        transform: Transform::IDENTITY,
        is_of_world: false,
    };
    let order = texts(prim.attribute("xformOpOrder"), moment)?;
    let Some(Value::Texts(order)) = order.as_deref() else {
        return Ok(place);
    };
    for name in order {
        if name == RESET {
            place.transform = Transform::IDENTITY;
            place.is_of_world = true;
            continue;
        }
        let (is_undone, name) = match name.strip_prefix(UNDONE) {
            Some(name) => (true, name),
            None => (false, name.as_str()),
        };
        let operation = operation(prim, name, moment)?;
        let operation = operation.ok_or_else(|| {
            malformed(format!(
                "{path} has an operation `{name}` that is none of a prim's"
            ))
        })?;
        let operation = match is_undone {
            true => undone(operation),
            false => operation,
        };
        place.transform = place.transform.after(operation);
    }
    Ok(place)
}

/// An operation by its name, `xformOp:kind` or `xformOp:kind:more`; what has no value stays.
fn operation(prim: &Prim, name: &str, moment: Moment) -> Result<Option<Transform>, MeshProblem> {
    let Some(rest) = name.strip_prefix(OPERATION) else {
        return Ok(None);
    };
    let kind = rest.split(':').next().unwrap_or(rest);
    let between = match kind {
        "orient" => Between::Turned,
        _ => Between::Even,
    };
    let value = numbers(prim.attribute(name), moment, between)?;
    let Some(Value::Numbers(numbers)) = value.as_deref() else {
        return Ok(Some(Transform::IDENTITY));
    };
    Ok(transform(kind, numbers))
}

/// Where a walk through the prims of a stage begins.
#[derive(Clone, Copy)]
pub(super) struct Origin<'s> {
    /// Path of the prim; empty for the whole stage.
    pub(super) path: &'s str,
    /// Where what is above it is.
    pub(super) transform: Transform,
}

/// Where the prim of a path is: seen from an origin at or above it, and else from the whole stage. `None` if it is not
/// there.
///
/// * `whole` — where the stage is
pub(super) fn world(
    prims: &[Prim],
    path: &str,
    (whole, origin): (Transform, Origin<'_>),
    moment: Moment,
) -> Result<Option<Transform>, MeshProblem> {
    let Some(prims) = Prim::along(prims, path) else {
        return Ok(None);
    };
    let (mut base, mut transform) = (whole, whole);
    let mut here = String::new();
    for prim in prims {
        here = format!("{here}/{}", prim.name);
        if here == origin.path {
            (base, transform) = (origin.transform, origin.transform);
        }
        transform = place(prim, &here, moment)?.seen_from(transform, base);
    }
    Ok(Some(transform))
}

fn transform(kind: &str, numbers: &[f64]) -> Option<Transform> {
    let moved = |offset| Transform {
        offset,
        ..Transform::IDENTITY
    };
    let changed = |linear| Transform {
        linear,
        ..Transform::IDENTITY
    };
    let single = |axis: &str| Some((axis_of(axis)?, *numbers.first()?));
    match kind {
        "translate" => Some(moved(vector(numbers)?)),
        "scale" => Some(changed(DMat3::from_diagonal(vector(numbers)?))),
        "orient" => Some(changed(DMat3::from_quat(rotation(numbers)?))),
        "transform" => {
            let rows = numbers.as_chunks::<4>().0;
            let &[x, y, z, offset] = rows else {
                return None;
            };
            Some(of_rows([x, y, z, offset]))
        }
        _ => {
            if let Some((axis, offset)) = kind.strip_prefix("translate").and_then(single) {
                return Some(moved(axis * offset));
            }
            if let Some((axis, scale)) = kind.strip_prefix("scale").and_then(single) {
                return Some(changed(DMat3::from_diagonal(
                    DVec3::ONE + axis * (scale - 1.0),
                )));
            }
            rotations(kind.strip_prefix("rotate")?, numbers).map(changed)
        }
    }
}

/// The transform of a matrix, which follows points that are rows: its rows are the columns here.
pub(super) fn of_rows(rows: [[f64; 4]; 4]) -> Transform {
    let [x, y, z, offset] = rows.map(|row| DVec3::new(row[0], row[1], row[2]));
    Transform {
        linear: DMat3::from_cols(x, y, z),
        offset,
    }
}

/// Rotations about axes in turn, the first one first [degrees].
fn rotations(axes: &str, angles: &[f64]) -> Option<DMat3> {
    if axes.is_empty() || axes.len() != angles.len() {
        return None;
    }
    let mut whole = DMat3::IDENTITY;
    for (place, angle) in angles.iter().enumerate() {
        let axis = axis_of(axes.get(place..=place)?)?;
        whole = DMat3::from_axis_angle(axis, angle.to_radians()) * whole;
    }
    Some(whole)
}

fn axis_of(name: &str) -> Option<DVec3> {
    match name {
        "X" => Some(DVec3::X),
        "Y" => Some(DVec3::Y),
        "Z" => Some(DVec3::Z),
        _ => None,
    }
}

fn vector(numbers: &[f64]) -> Option<DVec3> {
    let numbers: [f64; 3] = numbers.try_into().ok()?;
    Some(DVec3::from_array(numbers))
}

/// The transform that takes back what another one does; nothing is known of what was made flat.
pub(super) fn undone(transform: Transform) -> Transform {
    let linear = transform.linear.inverse();
    Transform {
        linear,
        offset: -(linear * transform.offset),
    }
}

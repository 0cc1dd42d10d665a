//! Values of attributes at a time.

use std::rc::Rc;

use pliant_math::DQuat;

use super::MeshProblem;
use super::layer::{Attribute, Held, Value};

/// When a stage is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Moment {
    /// What holds at all times, and where there is no such value the first keyframe.
    Rest,
    /// A time code.
    Code(f64),
}

/// How values change from a keyframe to the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Between {
    /// Not before the next one.
    Held,
    /// Evenly.
    Even,
    /// As rotations.
    Turned,
}

/// The numbers of an attribute; `None` if it has none.
///
/// # Errors
/// If its file is damaged there.
pub(super) fn numbers(
    attribute: Option<&Attribute>,
    moment: Moment,
    between: Between,
) -> Result<Option<Rc<Value>>, MeshProblem> {
    let Some(attribute) = attribute else {
        return Ok(None);
    };
    let is_number = |value: &Rc<Value>| matches!(**value, Value::Numbers(_));
    let (earlier, later) = keyframes(attribute, moment);
    let Some(earlier) = earlier else {
        return Ok(None);
    };
    let mut value = value_of(earlier, between)?;
    if let (Some((later, share)), true) = (later, between != Between::Held) {
        value = mixed(value, &*value_of(later, between)?, share, between);
    }
    Ok(Some(value).filter(is_number))
}

/// A value; between two, what is there.
fn value_of(held: &Held, between: Between) -> Result<Rc<Value>, MeshProblem> {
    match held {
        Held::Between(pair) if between != Between::Held => {
            let (earlier, later, share) = &**pair;
            let value = value_of(earlier, between)?;
            Ok(mixed(value, &*value_of(later, between)?, *share, between))
        }
        held => held.value(),
    }
}

/// What is between two values; the first if there is nothing between them.
fn mixed(value: Rc<Value>, next: &Value, share: f64, between: Between) -> Rc<Value> {
    match (&*value, next) {
        (Value::Numbers(a), Value::Numbers(b)) if a.len() == b.len() => {
            let numbers = match between {
                Between::Turned => turned(a, b, share),
                _ => a.iter().zip(b).map(|(a, b)| a + (b - a) * share).collect(),
            };
            Rc::new(Value::Numbers(numbers))
        }
        _ => value,
    }
}

/// The texts of an attribute; `None` if it has none.
///
/// # Errors
/// If its file is damaged there.
pub(super) fn texts(
    attribute: Option<&Attribute>,
    moment: Moment,
) -> Result<Option<Rc<Value>>, MeshProblem> {
    let Some(held) = attribute.and_then(|attribute| keyframes(attribute, moment).0) else {
        return Ok(None);
    };
    let value = held.value()?;
    Ok(Some(value).filter(|value| matches!(**value, Value::Texts(_))))
}

/// The value that holds at a time, and where it changes to another one that, and how far it is on the way to it.
fn keyframes(attribute: &Attribute, moment: Moment) -> (Option<&Held>, Option<(&Held, f64)>) {
    let samples = &attribute.samples;
    let first = samples.first().map(|(_, held)| held);
    let Moment::Code(code) = moment else {
        return (attribute.default.as_ref().or(first), None);
    };
    let after = samples.partition_point(|&(time, _)| time <= code);
    let Some((start, earlier)) = after.checked_sub(1).map(|before| &samples[before]) else {
        return (first.or(attribute.default.as_ref()), None);
    };
    let later = samples.get(after).map(|(end, later)| {
        let share = (code - start) / (end - start);
        (later, share)
    });
    (Some(earlier), later.filter(|(_, share)| *share > 0.0))
}

/// Between quaternions and others, as many of both, the real part first.
fn turned(a: &[f64], b: &[f64], share: f64) -> Vec<f64> {
    let between = |(from, to): (&[f64], &[f64])| {
        let (Some(a), Some(b)) = (rotation(from), rotation(to)) else {
            return from.to_vec();
        };
        let between = a.slerp(b, share);
        vec![between.w, between.x, between.y, between.z]
    };
    a.chunks(4).zip(b.chunks(4)).flat_map(between).collect()
}

/// The rotation of a quaternion, the real part first.
pub(super) fn rotation(numbers: &[f64]) -> Option<DQuat> {
    let &[w, x, y, z] = numbers else {
        return None;
    };
    let rotation = DQuat::from_xyzw(x, y, z, w);
    let length = rotation.length();
    (length.is_finite() && length > 0.0).then(|| rotation.normalize())
}

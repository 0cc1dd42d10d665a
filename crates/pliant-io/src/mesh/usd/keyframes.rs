//! What a layer in the binary form tells at times, for whoever wrote it and goes on with it.

use super::layer::Value;
use super::{MeshProblem, binary, malformed};

/// An attribute of a prim with its values at times.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Keyframes {
    /// Name of the prim.
    pub prim: String,
    /// Name of the attribute.
    pub attribute: String,
    /// Time codes, which rise, and what is told at them.
    pub values: Vec<(f64, Told)>,
}

/// What is told at a time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Told {
    /// A number, or those of a vector; of a quaternion the real part is first.
    Numbers(Vec<f64>),
    /// A name.
    Name(String),
}

/// The keyframes of all prims right below the prims at the root.
///
/// # Errors
/// If the bytes are no layer in the binary form, or damaged, or have values of other kinds at times.
pub(crate) fn keyframes(bytes: &[u8]) -> Result<Vec<Keyframes>, MeshProblem> {
    let layer = binary::read(bytes)?;
    let mut found = Vec::new();
    for prim in layer.prims.into_iter().flat_map(|root| root.children) {
        for (attribute, told) in prim.attributes {
            let samples = told.samples.iter();
            let values = samples.map(|(time, held)| Ok((*time, told_of(&*held.value()?)?)));
            found.push(Keyframes {
                prim: prim.name.clone(),
                attribute,
                values: values.collect::<Result<_, MeshProblem>>()?,
            });
        }
    }
    Ok(found)
}

fn told_of(value: &Value) -> Result<Told, MeshProblem> {
    match value {
        Value::Numbers(numbers) => Ok(Told::Numbers(numbers.clone())),
        Value::Texts(texts) => {
            let name = texts.first().cloned();
            name.map(Told::Name)
                .ok_or_else(|| malformed("a name is missing"))
        }
        Value::Blocked | Value::Other => Err(malformed("a value is of an unknown type")),
    }
}

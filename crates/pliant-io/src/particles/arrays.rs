//! From the named arrays of a file to particles.

use pliant_geometry::{Samples, VectorSamples};
use pliant_math::DVec3;

use super::ParticleProblem;

/// Names of the positions, the first that is there counts.
const POSITIONS: &[&str] = &["position", "positions", "points"];
/// Names of the velocities.
const VELOCITIES: &[&str] = &["velocity", "velocities", "v"];

/// A named array with a row a particle.
#[derive(Debug)]
pub(super) struct Array {
    pub name: String,
    pub rows: NumberRows,
}

/// The rows of an array.
#[derive(Debug)]
pub(super) enum NumberRows {
    /// Three numbers each.
    Vectors(Vec<DVec3>),
    /// Anything else: what it is, for people.
    Other(String),
}

/// Positions and another array; `expected` tells where the format has its positions.
pub(super) fn vectors(
    mut arrays: Vec<Array>,
    array: &str,
    expected: &'static str,
) -> Result<VectorSamples, ParticleProblem> {
    let found = listed(&arrays);
    let Some((name, vector)) = take(&mut arrays, &[array])? else {
        let name = array.into();
        return Err(ParticleProblem::NoArray { name, found });
    };
    let samples = samples(arrays, expected)?;
    check_length(&name, vector.len(), samples.position.len())?;
    check_finite(&name, &vector)?;
    Ok(VectorSamples {
        position: samples.position,
        vector,
    })
}

/// The names of arrays, for people.
fn listed(arrays: &[Array]) -> String {
    let names: Vec<&str> = arrays.iter().map(|a| a.name.as_str()).collect();
    if names.is_empty() {
        "nothing".into()
    } else {
        names.join(", ")
    }
}

/// The particles that arrays describe; `expected` tells where the format has its positions.
pub(super) fn samples(
    mut arrays: Vec<Array>,
    expected: &'static str,
) -> Result<Samples, ParticleProblem> {
    let found = listed(&arrays);
    let (name, position) =
        take(&mut arrays, POSITIONS)?.ok_or(ParticleProblem::NoPositions { expected, found })?;
    if position.is_empty() {
        return Err(ParticleProblem::Empty);
    }
    check_finite(&name, &position)?;
    let velocity = match take(&mut arrays, VELOCITIES)? {
        Some((name, velocity)) => {
            check_length(&name, velocity.len(), position.len())?;
            check_finite(&name, &velocity)?;
            velocity
        }
        None => Vec::new(),
    };
    Ok(Samples {
        position,
        velocity,
        ignored: arrays.into_iter().map(|a| a.name).collect(),
    })
}

/// Takes the first array out that has one of the names, which ignore case.
fn take(
    arrays: &mut Vec<Array>,
    names: &[&str],
) -> Result<Option<(String, Vec<DVec3>)>, ParticleProblem> {
    let place = |name: &&str| {
        arrays
            .iter()
            .position(|a| a.name.eq_ignore_ascii_case(name))
    };
    let Some(index) = names.iter().find_map(place) else {
        return Ok(None);
    };
    let Array { name, rows } = arrays.remove(index);
    match rows {
        NumberRows::Vectors(vectors) => Ok(Some((name, vectors))),
        NumberRows::Other(found) => Err(ParticleProblem::WrongType { name, found }),
    }
}

fn check_length(name: &str, found: usize, expected: usize) -> Result<(), ParticleProblem> {
    if found == expected {
        return Ok(());
    }
    Err(ParticleProblem::WrongLength {
        name: name.into(),
        found,
        expected,
    })
}

fn check_finite(name: &str, vectors: &[DVec3]) -> Result<(), ParticleProblem> {
    match vectors.iter().position(|v| !v.is_finite()) {
        Some(particle) => Err(ParticleProblem::NotFinite {
            name: name.into(),
            particle,
            value: vectors[particle].to_array(),
        }),
        None => Ok(()),
    }
}

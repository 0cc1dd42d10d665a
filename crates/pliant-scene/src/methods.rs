//! The methods a body can be simulated with, and the laws each takes.

use pliant_materials::HenckyLaw;

/// Names of the methods.
pub(crate) const METHOD_NAMES: &[&str] = &["xpbi"];

/// Names of the laws a method takes.
pub(crate) fn laws_of(method: &str) -> Vec<&'static str> {
    match method {
        "xpbi" => HenckyLaw::KINDS.iter().map(|k| k.name).collect(),
        _ => Vec::new(),
    }
}

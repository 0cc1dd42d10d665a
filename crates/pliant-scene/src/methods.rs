//! The methods a body can be simulated with, and the laws each takes.

use pliant_core::methods::Method;
use pliant_materials::{HenckyLaw, Newtonian};

/// Names of the methods.
pub(crate) const METHOD_NAMES: &[&str] = &["xpbi", "fluid"];

/// The method of a name.
pub(crate) fn method(name: &str) -> Option<Method> {
    match name {
        "xpbi" => Some(Method::Xpbi),
        "fluid" => Some(Method::Fluid),
        _ => None,
    }
}

/// Names of the laws a method takes.
pub(crate) fn laws_of(method: Method) -> Vec<&'static str> {
    match method {
        Method::Xpbi => HenckyLaw::KINDS.iter().map(|k| k.name).collect(),
        Method::Fluid => Newtonian::KINDS.iter().map(|k| k.name).collect(),
    }
}

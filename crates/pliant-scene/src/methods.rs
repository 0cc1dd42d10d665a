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

/// The name of the first method that takes a law.
pub(crate) fn method_of(law: &str) -> Option<&'static str> {
    let takes = |name: &&str| method(name).is_some_and(|m| laws_of(m).contains(&law));
    METHOD_NAMES.iter().copied().find(takes)
}

/// Names of the laws a method takes.
pub(crate) fn laws_of(method: Method) -> Vec<&'static str> {
    match method {
        Method::Xpbi => HenckyLaw::KINDS.iter().map(|k| k.name).collect(),
        Method::Fluid => Newtonian::KINDS.iter().map(|k| k.name).collect(),
    }
}

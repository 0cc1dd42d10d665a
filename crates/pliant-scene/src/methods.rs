//! The methods a body can be simulated with, and the laws each takes.

use pliant_core::methods::cloth::CLOTH;
use pliant_core::methods::fluid::FLUID;
use pliant_core::methods::granules::GRANULES;
use pliant_core::methods::rigid::RIGID;
use pliant_core::methods::springs::SPRINGS;
use pliant_core::methods::strain_energy::STRAIN_ENERGY;
use pliant_core::methods::xpbi::XPBI;
use pliant_core::world::MethodKind;
use pliant_materials::laws::{ContactFriction, Rigid, Solid};
use pliant_materials::{ClothLaw, HenckyLaw, Law, LawKind, Newtonian, Springs};

/// Names of the methods.
pub(crate) const METHOD_NAMES: &[&str] = &[
    "xpbi",
    "fluid",
    "cloth",
    "strain-energy",
    "springs",
    "rigid",
];

/// The method of a name for bodies of a law. With `contact-friction`, `xpbi` has no continuum left, and
/// grains meet as contacts only.
pub(crate) fn method(name: &str, law: &Law) -> Option<&'static dyn MethodKind> {
    match (name, law) {
        ("xpbi", Law::ContactFriction(_)) => Some(GRANULES),
        ("xpbi", _) => Some(XPBI),
        ("fluid", _) => Some(FLUID),
        ("cloth", _) => Some(CLOTH),
        ("strain-energy", _) => Some(STRAIN_ENERGY),
        ("springs", _) => Some(SPRINGS),
        ("rigid", _) => Some(RIGID),
        _ => None,
    }
}

/// The name of the first method that takes a law.
pub(crate) fn method_of(law: &str) -> Option<&'static str> {
    let takes = |name: &&str| laws_of(name).is_some_and(|laws| laws.contains(&law));
    METHOD_NAMES.iter().copied().find(takes)
}

/// Names of the laws that the method of a name takes; `None` if there is none of this name.
pub(crate) fn laws_of(name: &str) -> Option<Vec<&'static str>> {
    match name {
        "xpbi" => Some([names(HenckyLaw::KINDS), names(ContactFriction::KINDS)].concat()),
        "fluid" => Some(names(Newtonian::KINDS)),
        "cloth" => Some(vec![ClothLaw::NAME]),
        "strain-energy" => Some(names(Solid::KINDS)),
        "springs" => Some(names(Springs::KINDS)),
        "rigid" => Some(vec![Rigid::KIND.name]),
        _ => None,
    }
}

/// Support radius of bodies that name none, in spacings.
pub(crate) fn usual_support(method: Option<&str>, law: Option<&str>) -> f64 {
    match (method, law) {
        (Some("strain-energy"), _) => 1.8,
        (_, Some("elastic")) => 2.6,
        _ => 2.0,
    }
}

/// How bodies that do not say so are filled with particles. Elastic bodies keep their arrangement, and
/// are as stiff as their material only if it is in balance; fluids that start out of it stir themselves. Granules
/// that overlap at the start would push each other apart.
pub(crate) fn usual_sampling(method: Option<&str>, law: Option<&str>) -> &'static str {
    match (method, law) {
        (Some("strain-energy"), _) | (_, Some("elastic" | "newtonian")) => "relaxed",
        (_, Some("contact-friction")) => "hexagonal",
        _ => "poisson",
    }
}

fn names<L>(kinds: &[LawKind<L>]) -> Vec<&'static str> {
    kinds.iter().map(|kind| kind.name).collect()
}

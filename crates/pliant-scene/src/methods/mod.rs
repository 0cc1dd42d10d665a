//! The methods that bodies of a scene can be simulated with, a file each.

mod cloth;
mod fluid;
mod muscle;
mod rigid;
pub(crate) mod settings;
mod shape_groups;
mod springs;
mod strain_energy;
mod xpbi;

use pliant_core::boundaries::Collider;
use pliant_core::world::{InitialParticles, Material, MethodKind};
use pliant_materials::{Law, LawKind};
use pliant_parameters::Values;

use crate::build::Builder;

/// A method as scenes know it.
pub(crate) struct SceneMethod {
    /// Name in scenes.
    pub name: &'static str,
    /// Names of the laws that it takes.
    laws: fn() -> Vec<&'static str>,
    /// The method for bodies of one of them.
    pub kind: fn(&Law) -> &'static dyn MethodKind,
    /// Support radius of bodies that name none, in spacings, by the law.
    support_radius: fn(Option<&str>) -> f64,
    /// How bodies that do not say so are filled with particles, by the law.
    sampling: fn(Option<&str>) -> &'static str,
    /// Makes the particles of a body; `None` after an error was collected.
    pub particles: fn(&mut Builder<'_>, BodyItem<'_>) -> Option<InitialParticles>,
}

/// A body of a scene that gets its particles.
#[derive(Clone, Copy)]
pub(crate) struct BodyItem<'a> {
    /// Its address in the scene.
    pub path: &'a str,
    /// What is written there.
    pub values: &'a Values,
    /// Its material.
    pub material: &'a Material,
    /// The colliders of the scene.
    pub colliders: &'a [Collider],
    /// Particles of bodies before it.
    pub before: f64,
}

/// All of them, in the order of the reference.
pub(crate) const METHODS: &[SceneMethod] = &[
    xpbi::METHOD,
    fluid::METHOD,
    cloth::METHOD,
    strain_energy::METHOD,
    shape_groups::METHOD,
    muscle::METHOD,
    springs::METHOD,
    rigid::METHOD,
];

/// Their names.
pub(crate) const METHOD_NAMES: &[&str] = &{
    let mut names = [""; METHODS.len()];
    let mut number = 0;
    while number < names.len() {
        names[number] = METHODS[number].name;
        number += 1;
    }
    names
};

/// The method of a name.
pub(crate) fn method(name: &str) -> Option<&'static SceneMethod> {
    METHODS.iter().find(|method| method.name == name)
}

/// The name of the first method that takes a law.
pub(crate) fn method_of(law: &str) -> Option<&'static str> {
    let mut methods = METHODS.iter();
    let found = methods.find(|method| (method.laws)().contains(&law))?;
    Some(found.name)
}

/// Names of the laws that the method of a name takes; `None` if there is none of this name.
pub(crate) fn laws_of(name: &str) -> Option<Vec<&'static str>> {
    method(name).map(|method| (method.laws)())
}

/// Support radius of bodies that name none, in spacings.
pub(crate) fn usual_support(method_name: Option<&str>, law: Option<&str>) -> f64 {
    let method = method_name.and_then(method);
    method.map_or(2.0, |method| (method.support_radius)(law))
}

/// How bodies that do not say so are filled with particles.
pub(crate) fn usual_sampling(method_name: Option<&str>, law: Option<&str>) -> &'static str {
    let method = method_name.and_then(method);
    method.map_or("poisson", |method| (method.sampling)(law))
}

fn names<L>(kinds: &[LawKind<L>]) -> Vec<&'static str> {
    kinds.iter().map(|kind| kind.name).collect()
}

/// Particles that nothing joins.
fn free_particles(builder: &mut Builder<'_>, item: BodyItem<'_>) -> Option<InitialParticles> {
    let density = item.material.density;
    builder.particles(item.path, item.values, density, item.colliders, item.before)
}

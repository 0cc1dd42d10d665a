//! Laws with parameters, deformations, and tolerances.

use pliant_materials::strain_energy::Deformation;
use pliant_materials::{
    LawKind, Solid, SolidLaw, dispatch_solid_law, strain_energy::ElasticEnergy,
};
use pliant_math::{DMat3, DQuat, DVec3, Matrix3, Real};
use pliant_parameters::{Preset, Value, Values};
use proptest::prelude::*;

/// One tolerance for each precision.
pub fn tolerance(single: Real, double: Real) -> Real {
    if cfg!(feature = "double") {
        double
    } else {
        single
    }
}

/// Young's modulus (Pa) and Poisson's ratio.
pub const MODULI: [(f64, f64); 4] = [(1e6, 0.3), (1e3, 0.0), (5e4, 0.48), (1e12, -0.4)];

/// Every law with every pair of moduli.
pub fn laws() -> impl Iterator<Item = (SolidLaw, (f64, f64))> {
    let pairs = Solid::KINDS
        .iter()
        .flat_map(|kind| MODULI.map(|m| (kind, m)));
    pairs.map(|(kind, moduli)| (build(kind, moduli, &[]).law, moduli))
}

/// The law of a name.
pub fn law(name: &str, moduli: (f64, f64)) -> SolidLaw {
    solid(name, moduli, &[]).law
}

/// The solid of a name with more values.
pub fn solid(name: &str, moduli: (f64, f64), given: &[(&str, Value)]) -> Solid {
    let kind = Solid::KINDS.iter().find(|kind| kind.name == name);
    build(kind.expect("the law is registered"), moduli, given)
}

fn build(kind: &LawKind<Solid>, (youngs, poissons): (f64, f64), given: &[(&str, Value)]) -> Solid {
    (kind.build)(&values(kind, (youngs, poissons), given)).expect("sample parameters are valid")
}

/// Values of a law, the defaults of its fields filled in.
pub fn values(
    kind: &LawKind<Solid>,
    (youngs, poissons): (f64, f64),
    given: &[(&str, Value)],
) -> Values {
    let mut values = Values::default();
    for field in kind.fields {
        match field.default {
            Preset::Number(default) => values.insert(field.name, Value::Number(default)),
            Preset::Text(default) => values.insert(field.name, Value::Text(default.into())),
            _ => (),
        }
    }
    values.insert("youngs_modulus", Value::Number(youngs));
    values.insert("poissons_ratio", Value::Number(poissons));
    for (name, value) in given {
        values.insert(*name, value.clone());
    }
    values
}

/// Energy and stress of a law itself, crushed or not.
pub fn energy_and_stress(law: SolidLaw, h: Matrix3) -> (Real, Matrix3) {
    let deformation = Deformation::from_displacement_gradient(h);
    dispatch_solid_law!(law, |law| law.energy_and_stress(&deformation))
}

/// The displacement gradient of stretches along the axes.
pub fn stretched(stretches: [f64; 3]) -> Matrix3 {
    rounded(DMat3::from_diagonal(
        DVec3::from_array(stretches) - DVec3::ONE,
    ))
}

/// A matrix, rounded once.
pub fn rounded(m: DMat3) -> Matrix3 {
    Matrix3::from_rows([0, 1, 2].map(|i| [0, 1, 2].map(|j| m.col(j)[i] as Real)))
}

/// Components between minus and plus a size.
pub fn matrix(size: f64) -> impl Strategy<Value = Matrix3> {
    prop::array::uniform3(prop::array::uniform3(-size..size))
        .prop_map(|rows| Matrix3::from_rows(rows.map(|row| row.map(|x| x as Real))))
}

/// Any rotation.
pub fn rotation() -> impl Strategy<Value = DMat3> {
    prop::array::uniform4(-1.0..1.0)
        .prop_filter("too short to normalise", |q: &[f64; 4]| {
            q.iter().map(|x| x * x).sum::<f64>() > 0.01
        })
        .prop_map(|q| DMat3::from_quat(DQuat::from_array(q).normalize()))
}

/// Greatest absolute component.
pub fn greatest(a: Matrix3) -> Real {
    let components = a.rows.iter().flatten();
    components.fold(0.0, |m: Real, x| m.max(x.abs()))
}

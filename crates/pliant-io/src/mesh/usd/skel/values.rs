//! Values of the prims that meshes are skinned by, checked.

use super::super::layer::{Attribute, Prim, Value};
use super::super::moment::{Between, Moment, numbers, texts};
use super::super::place::of_rows;
use super::super::source::beside;
use super::super::{MeshProblem, Transform, malformed};

/// A prim at a moment, for its values and for what is wrong with them.
#[derive(Clone, Copy)]
pub(in super::super) struct Subject<'s> {
    pub(in super::super) prim: &'s Prim,
    pub(in super::super) path: &'s str,
    pub(in super::super) moment: Moment,
}

impl<'s> Subject<'s> {
    /// The prim of a path, if it is of a type.
    ///
    /// * `from` — the relationship that leads to it, for people: "`skel:skeleton` of the Mesh /a"
    ///
    /// # Errors
    /// If it is not there, or of another type.
    pub(super) fn of_type(
        prims: &'s [Prim],
        path: &'s str,
        (kind, from): (&str, &str),
        moment: Moment,
    ) -> Result<Self, MeshProblem> {
        let prim = Prim::below(prims, path).filter(|prim| prim.is_active != Some(false));
        let prim = prim.ok_or_else(|| {
            malformed(format!(
                "{from} leads to {path}, which is not there; let it lead to a {kind} of the same file"
            ))
        })?;
        match prim.type_name.as_deref() {
            Some(own) if own == kind => Ok(Self { prim, path, moment }),
            own => Err(malformed(format!(
                "{from} leads to {path}, which is a {}; let it lead to a {kind}",
                own.unwrap_or("prim without a type")
            ))),
        }
    }

    /// What is wrong with an attribute.
    pub(super) fn wrong(&self, name: &str, what: &str) -> MeshProblem {
        let kind = self.prim.type_name.as_deref().unwrap_or("prim");
        malformed(format!("`{name}` of the {kind} {} {what}", self.path))
    }

    /// What is wrong with how many values an attribute has.
    pub(super) fn wrong_count(
        &self,
        name: &str,
        found: usize,
        wanted: (usize, &str),
    ) -> MeshProblem {
        let (wanted, of) = wanted;
        let what = format!("has {found} values, where {wanted}, {of}, would fit");
        self.wrong(name, &what)
    }

    /// The numbers of an attribute, all of them finite; `None` if it has none.
    pub(super) fn numbers(
        &self,
        name: &str,
        between: Between,
    ) -> Result<Option<Vec<f64>>, MeshProblem> {
        self.numbers_of(self.prim.attribute(name), name, between)
    }

    /// The same of an attribute that may be one of a prim above.
    pub(super) fn numbers_of(
        &self,
        attribute: Option<&Attribute>,
        name: &str,
        between: Between,
    ) -> Result<Option<Vec<f64>>, MeshProblem> {
        let value = numbers(attribute, self.moment, between)?;
        let Some(Value::Numbers(numbers)) = value.as_deref() else {
            return Ok(None);
        };
        match numbers.iter().position(|number| !number.is_finite()) {
            None => Ok(Some(numbers.clone())),
            Some(place) => {
                let number = numbers[place];
                let what = format!(
                    "has {number} as number {place}, counted from 0, where finite ones would be right"
                );
                Err(self.wrong(name, &what))
            }
        }
    }

    /// The vectors of an attribute, one for each of some things; `None` if it has no value.
    ///
    /// * `count` — how many there must be, and for what
    pub(super) fn vectors<const N: usize>(
        &self,
        name: &str,
        between: Between,
        count: (usize, &str),
    ) -> Result<Option<Vec<[f64; N]>>, MeshProblem> {
        let Some(numbers) = self.numbers(name, between)? else {
            return Ok(None);
        };
        match numbers.len() == count.0 * N {
            true => Ok(Some(numbers.as_chunks::<N>().0.to_vec())),
            false => Err(self.wrong_count(name, numbers.len() / N, count)),
        }
    }

    /// The matrices of an attribute, one for each of some things; `None` if it has no value.
    pub(super) fn matrices(
        &self,
        name: &str,
        count: (usize, &str),
    ) -> Result<Option<Vec<Transform>>, MeshProblem> {
        let matrices = self.vectors::<16>(name, Between::Held, count)?;
        let transform = |numbers: [f64; 16]| {
            let row = |row: usize| std::array::from_fn(|column| numbers[4 * row + column]);
            of_rows([0, 1, 2, 3].map(row))
        };
        Ok(matrices.map(|all| all.into_iter().map(transform).collect()))
    }

    /// The names in an attribute, which do not change with time; `None` if it has none.
    pub(super) fn names(&self, name: &str) -> Result<Option<Vec<String>>, MeshProblem> {
        names(self.prim.attribute(name))
    }
}

/// The names in an attribute, which do not change with time; `None` if it has none.
pub(super) fn names(attribute: Option<&Attribute>) -> Result<Option<Vec<String>>, MeshProblem> {
    let value = texts(attribute, Moment::Rest)?;
    Ok(match value.as_deref() {
        Some(Value::Texts(texts)) => Some(texts.clone()),
        _ => None,
    })
}

/// The path of a prim that one at another path leads to, which may count from there.
pub(super) fn absolute(path: &str, from: &str) -> String {
    beside(&format!("{from}/"), path)
}

//! The two ways to say when a material flows in shear, of which a scene writes one.

use pliant_parameters::{Field, Kind, Problem, Range, Values};

/// Yield stress in uniaxial tension.
pub(super) const YIELD_STRESS: Field = Field::optional(
    "yield_stress",
    Kind::Number(Range::POSITIVE),
    "Pa",
    "Yield stress of a bar under tension; sqrt(3/2) times `yield_deviator`.",
);

/// Yield stress as a norm.
pub(super) const YIELD_DEVIATOR: Field = Field::optional(
    "yield_deviator",
    Kind::Number(Range::POSITIVE),
    "Pa",
    "Frobenius norm of the stress deviator at which the material flows, the number in papers.",
);

/// The Frobenius norm of the stress deviator (Pa) at which the material flows.
///
/// # Errors
/// If none or both of the two are given.
pub(super) fn yield_deviator(values: &Values) -> Result<f64, Problem> {
    optional_yield_deviator(values)?.ok_or_else(|| {
        Problem::whole(
            "the material has neither `yield_stress` nor `yield_deviator`",
            "give one of them, in Pa",
        )
    })
}

/// The Frobenius norm of the stress deviator (Pa) at which the material flows; `None` if it never
/// does.
///
/// # Errors
/// If both of the two are given.
pub(super) fn optional_yield_deviator(values: &Values) -> Result<Option<f64>, Problem> {
    let stress = values.optional_number(YIELD_STRESS.name);
    let deviator = values.optional_number(YIELD_DEVIATOR.name);
    match (stress, deviator) {
        // Uniaxial tension sigma has the deviator sigma (2/3, -1/3, -1/3), of norm sqrt(2/3) sigma.
        (Some(stress), None) => Ok(Some((2.0_f64 / 3.0).sqrt() * stress)),
        (None, deviator) => Ok(deviator),
        (Some(stress), Some(deviator)) => Err(Problem::at(
            YIELD_DEVIATOR.name,
            format!(
                "both `yield_stress` = {stress} and `yield_deviator` = {deviator} say when the material flows"
            ),
            "remove one of them; `yield_stress` is sqrt(3/2) times `yield_deviator`",
        )),
    }
}

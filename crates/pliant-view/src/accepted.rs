//! What a value of a scene may be, in words for whoever changes it.

use pliant_parameters::Kind;

/// What a key of a kind accepts, as a sentence; empty where its documentation says it.
pub fn accepted(kind: &Kind) -> String {
    match kind {
        Kind::Number(range) => format!("A number, {range}."),
        Kind::Integer(range) => format!("A whole number, {range}."),
        Kind::Vector(count, range) => format!("{count} numbers, each {range}."),
        Kind::NumberOrChoice(range, words) => {
            format!("A number, {range}, or one of {}.", words.join(", "))
        }
        Kind::Color => "A colour, \"#rrggbb\".".to_owned(),
        Kind::Choice(words) => format!("One of {}.", words.join(", ")),
        _ => String::new(),
    }
}

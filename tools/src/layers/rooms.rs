//! Which room of `pliant-core` may use which.

use proc_macro2::{TokenStream, TokenTree};

use super::tokens::{self, Name, is_ident, is_separator, names_after_separator};
use crate::{Source, Violation};

/// The rooms from left to right; a room may use those to its left. Rooms of one place do not know
/// each other.
pub const ORDER: &[&[&str]] = &[
    &["clock", "schedule"],
    &["particles"],
    &["neighbors"],
    &["kernels"],
    &[
        "integrator",
        "forces",
        "boundaries",
        "constraints",
        "solvers",
    ],
    &["interactions", "contacts", "attachments", "rest"],
    &["method"],
    &["world"],
    &["methods"],
    &["measure"],
    &["step"],
];

/// The uses of rooms to the right, or beside, in a file of `pliant-core`.
pub fn violations(source: &Source, tokens: &TokenStream) -> Vec<Violation> {
    let module = source.module();
    let Some(room) = module.first() else {
        return Vec::new();
    };
    let Some(own_place) = place(room) else {
        let message = format!("the room {room} has no place: give it one in the check `layers`");
        return vec![Violation::new(&source.path, 0, message)];
    };
    let used = names_below_the_crate(tokens, module.len());
    let is_forbidden = |name: &Name| {
        name.text != *room && place(&name.text).is_some_and(|other| other >= own_place)
    };
    used.into_iter()
        .filter(is_forbidden)
        .map(|name| {
            let message = format!("{room} may not use {}, which is not to its left", name.text);
            Violation::new(&source.path, name.line, message)
        })
        .collect()
}

fn place(room: &str) -> Option<usize> {
    ORDER.iter().position(|rooms| rooms.contains(&room))
}

/// The names that stand right below the crate's root in paths of a file `depth` modules deep:
/// after `crate::`, and after as many `super::` as it takes.
fn names_below_the_crate(tokens: &TokenStream, depth: usize) -> Vec<Name> {
    let mut names = Vec::new();
    tokens::visit(tokens, depth, &mut |tokens, depth| {
        for at in 0..tokens.len() {
            if is_ident(&tokens[at], "crate") {
                names.extend(names_after_separator(&tokens[at + 1..]));
            } else if is_ident(&tokens[at], "super") && !is_after_separator(tokens, at) {
                let (supers, rest) = climb(&tokens[at..]);
                if supers == depth {
                    names.extend(names_after_separator(rest));
                }
            }
        }
    });
    names
}

fn is_after_separator(tokens: &[TokenTree], at: usize) -> bool {
    at >= 2 && is_separator(&tokens[at - 2], &tokens[at - 1])
}

/// Number of `super` in `super::super::...`, and what follows the last.
fn climb(tokens: &[TokenTree]) -> (usize, &[TokenTree]) {
    let mut supers = 1;
    let mut rest = &tokens[1..];
    while let [first, second, next, ..] = rest
        && is_separator(first, second)
        && is_ident(next, "super")
    {
        supers += 1;
        rest = &rest[3..];
    }
    (supers, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::sample;

    fn found(path: &str, text: &str) -> Vec<(usize, String)> {
        let source = sample(path, text);
        let tokens = source.tokens().unwrap();
        violations(&source, &tokens)
            .into_iter()
            .map(|v| (v.line, v.message))
            .collect()
    }

    #[test]
    fn uses_to_the_left_and_inside_a_room_are_accepted() {
        let text = "use crate::clock::{self, Stopwatch};\nuse crate::boundaries::Collider;\n\
                    use super::friction::target_speed;\nfn f() { crate::contacts::g() }";
        assert!(found("contacts/colliders.rs", text).is_empty());
        assert!(found("lib.rs", "pub mod step; use crate::step::Stage;").is_empty());
    }

    #[test]
    fn uses_to_the_right_are_refused_wherever_they_stand() {
        assert_eq!(
            found("kernels/wendland.rs", "\nuse crate::world::World;")[0].0,
            2
        );
        assert_eq!(
            found("kernels/mod.rs", "use crate::{clock, step::Stage};").len(),
            1
        );
        assert_eq!(
            found("particles.rs", "fn f(x: &crate::world::State) {}").len(),
            1
        );
        assert_eq!(
            found("particles.rs", "fn f() { call!(|x| crate::step::g(x)) }").len(),
            1
        );
        assert_eq!(
            found(
                "contacts/impulse/flow.rs",
                "use super::super::super::world::World;"
            )
            .len(),
            1
        );
        assert_eq!(
            found(
                "world/state.rs",
                "mod tests { use super::super::super::step; }"
            )
            .len(),
            1
        );
    }

    #[test]
    fn rooms_of_one_place_do_not_know_each_other() {
        assert_eq!(
            found("boundaries/motion.rs", "use crate::constraints::Ordering;").len(),
            1
        );
    }

    #[test]
    fn names_that_climb_no_further_than_the_room_are_no_rooms() {
        assert!(found("contacts/impulse/flow.rs", "use super::step::limited;").is_empty());
        assert!(found("contacts/mod.rs", "mod tests { use super::world::x; }").is_empty());
    }

    #[test]
    fn a_room_without_a_place_is_refused() {
        assert!(found("misc/mod.rs", "")[0].1.contains("no place"));
    }
}

//! Which files may name a method of simulation.
//!
//! The substep, files, tables, windows and programs ask methods by traits. What names one of them is a list that
//! somebody forgets when a method is added.

use proc_macro2::TokenStream;

use super::CORE;
use super::tokens::{self, Name, is_ident, names_after_separator};
use crate::source::without_tests;
use crate::{Source, Violation};

/// The methods, by their folders.
const METHODS: [&str; 9] = [
    "cloth",
    "fluid",
    "granules",
    "muscle",
    "rigid",
    "shape_groups",
    "springs",
    "strain_energy",
    "xpbi",
];

/// Rigid bodies, which other methods meet as colliders, are asked by their name.
const OF_RIGID_BODIES: [&str; 4] = [
    "measure/buffers",
    "measure/rigid",
    "step/stages",
    "step/time_step",
];

/// Crates that name methods: the one that reads their tables of scenes, and the one that makes claims about each.
const NAME_METHODS: [&str; 2] = ["pliant-scene", "pliant-validation"];

/// Crates and rooms whose files time one method each.
const TIMINGS: [(&str, &str); 1] = [("pliant", "bench")];

/// The methods that a file of a crate names and may not. Tests of other crates than the core may name all.
pub fn violations(crate_name: &str, source: &Source, tokens: &TokenStream) -> Vec<Violation> {
    match crate_name {
        CORE => in_core(source, tokens),
        _ => elsewhere(crate_name, source, tokens),
    }
}

fn elsewhere(crate_name: &str, source: &Source, tokens: &TokenStream) -> Vec<Violation> {
    let module = source.module();
    let room = module.first().map_or("", String::as_str);
    let is_timing = TIMINGS.contains(&(crate_name, room));
    if NAME_METHODS.contains(&crate_name) || is_timing || source.is_test {
        return Vec::new();
    }
    let named = named_methods(&without_tests(tokens.clone())).into_iter();
    let of_others = named.filter(|name| name.text != "rigid");
    of_others
        .map(|name| {
            let message = format!(
                "{crate_name} names the method {}: ask it by the traits `Method` and `MethodKind`",
                name.text
            );
            Violation::new(&source.path, name.line, message)
        })
        .collect()
}

fn in_core(source: &Source, tokens: &TokenStream) -> Vec<Violation> {
    let module = source.module();
    let path = module.join("/");
    let asks_rigid = OF_RIGID_BODIES.contains(&path.as_str());
    if path.is_empty() || path == "methods" {
        return Vec::new();
    }
    let own = match module.as_slice() {
        [room, method, ..] if room == "methods" => Some(method),
        _ => None,
    };
    let named = named_methods(tokens);
    named
        .into_iter()
        .filter(|name| own != Some(&name.text) && !(asks_rigid && name.text == "rigid"))
        .map(|name| {
            let message = format!(
                "{path} names the method {}: ask it by the traits `Method` and `MethodKind`, or read it in its own folder",
                name.text
            );
            Violation::new(&source.path, name.line, message)
        })
        .collect()
}

/// The methods that stand after `methods::`.
fn named_methods(tokens: &TokenStream) -> Vec<Name> {
    let mut names = Vec::new();
    tokens::visit(tokens, 0, &mut |tokens, _| {
        for at in 0..tokens.len() {
            if is_ident(&tokens[at], "methods") {
                names.extend(names_after_separator(&tokens[at + 1..]));
            }
        }
    });
    names.retain(|name| METHODS.contains(&name.text.as_str()));
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::sample;

    fn found(path: &str, text: &str) -> usize {
        found_in(CORE, path, text)
    }

    fn found_in(crate_name: &str, path: &str, text: &str) -> usize {
        let source = sample(path, text);
        violations(crate_name, &source, &source.tokens().unwrap()).len()
    }

    #[test]
    fn every_folder_of_a_method_is_known() {
        let methods = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../crates/pliant-core/src/methods"
        );
        let entries = std::fs::read_dir(methods).expect("the folder of the methods");
        let folders = entries.map(|entry| entry.expect("an entry"));
        let folders = folders.filter(|entry| entry.path().is_dir());
        let mut names: Vec<String> = folders
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        assert_eq!(names, METHODS);
    }

    #[test]
    fn a_method_is_named_in_its_folder_only() {
        let text = "use crate::methods::cloth::Cloth;";
        assert_eq!(found("methods/cloth/tearing.rs", text), 0);
        assert_eq!(found("step/cpu.rs", text), 1);
        assert_eq!(found("methods/springs/mod.rs", text), 1);
    }

    #[test]
    fn rigid_bodies_are_named_where_all_meet_them() {
        let text = "use crate::methods::{rigid::Rigid, cloth::Cloth};";
        assert_eq!(found("step/stages.rs", text), 1);
        assert_eq!(found("step/cpu.rs", text), 2);
    }

    #[test]
    fn programs_name_rigid_bodies_only() {
        let text = "use pliant_core::methods::{muscle, rigid};";
        assert_eq!(found_in("pliant", "simulation/acting.rs", text), 1);
        assert_eq!(found_in("pliant", "bench/muscle.rs", text), 0);
        assert_eq!(found_in("pliant-scene", "methods/muscle.rs", text), 0);
        let test = format!("#[cfg(test)] mod tests {{ {text} }}");
        assert_eq!(found_in("pliant-view", "lib.rs", &test), 0);
    }

    #[test]
    fn what_all_methods_share_is_named_anywhere() {
        let text = "use crate::method::{Method, Substep};";
        assert_eq!(found("step/cpu.rs", text), 0);
        assert_eq!(
            found("step/cpu.rs", "use crate::methods::{Method, xpbi::Xpbi};"),
            1
        );
    }
}

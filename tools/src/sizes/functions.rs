//! The functions of a file, and its tests.

use std::ops::RangeInclusive;

use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Attribute, Block, File, ImplItemFn, Item, ItemFn, Meta, Signature, TraitItemFn};

use super::FunctionSize;
use super::nesting::nesting;

/// Measures every function with a body outside of tests.
pub fn measure(file: &File) -> Vec<FunctionSize> {
    let mut functions = Functions(Vec::new());
    functions.visit_file(file);
    functions.0
}

/// The lines of the items that are compiled for tests only.
pub fn test_lines(file: &File) -> Vec<RangeInclusive<usize>> {
    let mut lines = TestLines(Vec::new());
    lines.visit_file(file);
    lines.0
}

struct Functions(Vec<FunctionSize>);

impl Functions {
    fn add(&mut self, signature: &Signature, block: &Block) {
        let first = signature.span().start().line;
        let last = block.span().end().line;
        self.0.push(FunctionSize {
            name: signature.ident.to_string(),
            line: first,
            lines: last - first + 1,
            arguments: signature.inputs.len(),
            nesting: nesting(block),
        });
    }
}

impl Visit<'_> for Functions {
    fn visit_item(&mut self, item: &Item) {
        if !is_test(attributes(item)) {
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_item_fn(&mut self, function: &ItemFn) {
        self.add(&function.sig, &function.block);
        syn::visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &ImplItemFn) {
        self.add(&function.sig, &function.block);
        syn::visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &TraitItemFn) {
        if let Some(block) = &function.default {
            self.add(&function.sig, block);
        }
        syn::visit::visit_trait_item_fn(self, function);
    }
}

struct TestLines(Vec<RangeInclusive<usize>>);

impl Visit<'_> for TestLines {
    fn visit_item(&mut self, item: &Item) {
        if is_test(attributes(item)) {
            self.0
                .push(item.span().start().line..=item.span().end().line);
        } else {
            syn::visit::visit_item(self, item);
        }
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        Meta::NameValue(_) => false,
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(text: &str) -> Vec<(String, usize, usize, usize)> {
        let functions = measure(&syn::parse_file(text).unwrap());
        functions
            .into_iter()
            .map(|f| (f.name, f.line, f.lines, f.arguments))
            .collect()
    }

    #[test]
    fn functions_methods_and_default_methods_are_measured() {
        let text = "/// Doc.\n#[inline]\nfn a(x: u8,\n     y: u8) {\n}\n\
                    impl S { fn b(&self, x: u8) { x } }\n\
                    trait T { fn c(); fn d() {} }";
        let expected = [("a", 3, 3, 2), ("b", 6, 1, 2), ("d", 7, 1, 0)];
        assert_eq!(
            sizes(text),
            expected.map(|(n, a, b, c)| (n.to_owned(), a, b, c))
        );
    }

    #[test]
    fn tests_are_not_measured() {
        let text = "#[test] fn a() {} #[cfg(test)] mod tests { fn b() {} } #[cfg(feature = \"test\")] fn c() {}";
        assert_eq!(sizes(text).len(), 1);
    }

    #[test]
    fn test_lines_start_at_the_attribute() {
        let file = syn::parse_file("fn a() {}\n\n#[cfg(test)]\nmod tests {\n}\n").unwrap();
        assert_eq!(test_lines(&file), [3..=5]);
    }
}

//! The tables of a file: what they are, and their bytes.

use rustc_hash::FxHashMap;

use super::encoding::{compressed, packed_integers};

/// Ends a set of fields.
const END_OF_SET: i32 = -1;

/// What is at a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum SpecType {
    Attribute = 1,
    Prim = 6,
    Root = 7,
}

/// The tables while a layer is taken into them.
#[derive(Debug, Default)]
pub(super) struct Tables {
    tokens: Vec<String>,
    token_numbers: FxHashMap<String, u32>,
    /// Token and value of each field.
    fields: Vec<(u32, u64)>,
    /// Numbers of fields, each set ended.
    sets: Vec<i32>,
    /// Set and type of each spec, whose path has the number of the spec.
    specs: Vec<(i32, SpecType)>,
    /// The tree of paths, from the root down, children before the next sibling.
    paths: Vec<PathStep>,
}

/// A step of the tree of paths.
#[derive(Clone, Copy, Debug)]
struct PathStep {
    spec: i32,
    /// The name, negative for a property.
    token: i32,
    /// To where the next sibling is: -2 no sibling and no children, -1 children only, 0 the next step,
    /// else so many steps on.
    jump: i32,
}

impl Tables {
    /// Tables with the root, which has the first token, as no property may have it: it has no sign.
    pub fn new() -> Self {
        let mut tables = Self::default();
        tables.token("/");
        tables
    }

    /// Number of a text.
    pub fn token(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.token_numbers.get(text) {
            return number;
        }
        let number = self.tokens.len() as u32;
        self.tokens.push(text.to_owned());
        self.token_numbers.insert(text.to_owned(), number);
        number
    }

    /// Adds what is at a path, with the fields by name and value. Specs are added in the order of the
    /// tree: each before its children, and those before its next sibling.
    pub fn add_spec(&mut self, name: &str, kind: SpecType, fields: &[(&str, u64)]) -> PathNumber {
        let token = self.token(name) as i32;
        let set = self.sets.len() as i32;
        for &(name, value) in fields {
            let token = self.token(name);
            self.sets.push(self.fields.len() as i32);
            self.fields.push((token, value));
        }
        self.sets.push(END_OF_SET);
        let number = self.paths.len();
        self.paths.push(PathStep {
            spec: self.specs.len() as i32,
            token: if matches!(kind, SpecType::Attribute) {
                -token
            } else {
                token
            },
            jump: 0,
        });
        self.specs.push((set, kind));
        PathNumber(number)
    }

    /// Says that a spec and all below it have been added.
    pub fn close(&mut self, PathNumber(number): PathNumber, is_last_sibling: bool) {
        let steps = self.paths.len() - number;
        self.paths[number].jump = match (steps > 1, is_last_sibling) {
            (false, true) => -2,
            (true, true) => -1,
            (false, false) => 0,
            (true, false) => steps as i32,
        };
    }

    /// The sections of the file: name and bytes.
    pub fn sections(&self) -> [(&'static str, Vec<u8>); 6] {
        [
            ("TOKENS", self.token_section()),
            ("STRINGS", 0_u64.to_le_bytes().to_vec()),
            ("FIELDS", self.field_section()),
            (
                "FIELDSETS",
                counted(self.sets.len(), &[integers(&self.sets)]),
            ),
            ("PATHS", self.path_section()),
            ("SPECS", self.spec_section()),
        ]
    }

    fn token_section(&self) -> Vec<u8> {
        let texts: Vec<u8> = self
            .tokens
            .iter()
            .flat_map(|token| token.bytes().chain([0]))
            .collect();
        let length = (texts.len() as u64).to_le_bytes().to_vec();
        counted(self.tokens.len(), &[length, sized(&compressed(&texts))])
    }

    fn field_section(&self) -> Vec<u8> {
        let tokens: Vec<i32> = self.fields.iter().map(|(token, _)| *token as i32).collect();
        let values = self
            .fields
            .iter()
            .flat_map(|(_, value)| value.to_le_bytes());
        let values: Vec<u8> = values.collect();
        counted(
            self.fields.len(),
            &[integers(&tokens), sized(&compressed(&values))],
        )
    }

    fn path_section(&self) -> Vec<u8> {
        let column = |of: fn(&PathStep) -> i32| {
            let values: Vec<i32> = self.paths.iter().map(of).collect();
            integers(&values)
        };
        let count = self.paths.len();
        let columns = [column(|p| p.spec), column(|p| p.token), column(|p| p.jump)];
        // The number of paths, then that of steps, which is the same.
        counted(count, &[counted(count, &columns)])
    }

    fn spec_section(&self) -> Vec<u8> {
        let paths: Vec<i32> = (0..self.specs.len() as i32).collect();
        let sets: Vec<i32> = self.specs.iter().map(|(set, _)| *set).collect();
        let kinds: Vec<i32> = self.specs.iter().map(|(_, kind)| *kind as i32).collect();
        counted(
            self.specs.len(),
            &[integers(&paths), integers(&sets), integers(&kinds)],
        )
    }
}

/// A step of the tree of paths.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathNumber(usize);

fn integers(values: &[i32]) -> Vec<u8> {
    sized(&packed_integers(values))
}

/// Bytes after their number.
fn sized(bytes: &[u8]) -> Vec<u8> {
    counted(bytes.len(), &[bytes.to_vec()])
}

/// Bytes after a number.
fn counted(count: usize, parts: &[Vec<u8>]) -> Vec<u8> {
    [(count as u64).to_le_bytes().to_vec(), parts.concat()].concat()
}

//! From tables in code to a tree.

use std::path::absolute;
use std::sync::Arc;

use super::address::{Lost, address_text};
use super::merge::{lost_error, set};
use super::node::{Data, Entry, Node, Table};
use super::parse::DEEPEST;
use super::read::Document;
use crate::code::{SceneBuilder, SceneTable, SceneValue};
use crate::problems::{Origin, SceneError, Source, Sources};

/// How messages call a scene that no file holds.
const NAME: &str = "scene in code";

/// The document of a scene in code.
pub(crate) fn document_of(builder: &SceneBuilder) -> Document {
    let folder = builder.folder();
    let sources = Sources {
        files: vec![Arc::new(Source {
            name: NAME.into(),
            folder: absolute(folder).unwrap_or_else(|_| folder.to_path_buf()),
            text: String::new(),
        })],
        arguments: Vec::new(),
    };
    let (root, errors) = match root_of(builder, &sources) {
        Ok(root) => (root, Vec::new()),
        Err(errors) => (Table::new(), errors),
    };
    Document {
        sources,
        root,
        other_levels: Vec::new(),
        errors,
    }
}

/// The tables of a scene in code: those of lists first, so that addresses find them.
///
/// # Errors
/// Addresses that lead nowhere, tables that are nested too deeply.
pub(crate) fn root_of(builder: &SceneBuilder, sources: &Sources) -> Result<Table, Vec<SceneError>> {
    let mut root = Table::new();
    let mut converter = Converter {
        sources,
        errors: Vec::new(),
    };
    for (list, item) in &builder.items {
        converter.push(&mut root, list, item);
    }
    converter.fill(&mut root, &builder.root, "", 0);
    match converter.errors.is_empty() {
        true => Ok(root),
        false => Err(converter.errors),
    }
}

struct Converter<'a> {
    sources: &'a Sources,
    errors: Vec<SceneError>,
}

impl Converter<'_> {
    fn push(&mut self, root: &mut Table, list: &str, item: &SceneTable) {
        let origin = Origin::Code(None);
        let entry = root.entry(list.to_owned()).or_insert_with(|| Entry {
            key: origin.clone(),
            node: Node {
                data: Data::List(Vec::new()),
                origin: origin.clone(),
            },
        });
        let path = address_text("", list);
        if let Data::List(nodes) = &mut entry.node.data {
            let path = format!("{path}[{}]", nodes.len());
            let node = self.node(&SceneValue::Table(item.clone()), &path, 1);
            nodes.push(node);
        } else {
            let what = format!("a table is added to {}", entry.node.kind_text());
            self.fail(&path, (what, None));
        }
    }

    fn fill(&mut self, table: &mut Table, values: &SceneTable, path: &str, depth: usize) {
        for (address, value) in &values.values {
            let below = match path {
                "" => address.clone(),
                path => format!("{path}.{address}"),
            };
            let node = self.node(value, &below, depth + 1);
            if let Err(lost) = set(table, address, node) {
                self.fail(&below, lost);
            }
        }
    }

    fn node(&mut self, value: &SceneValue, path: &str, depth: usize) -> Node {
        let data = match value {
            SceneValue::Number(x) => Data::Number(*x),
            SceneValue::Integer(i) => Data::Integer(*i),
            SceneValue::Flag(flag) => Data::Flag(*flag),
            SceneValue::Text(text) => Data::Text(text.clone()),
            SceneValue::List(_) | SceneValue::Table(_) if depth > DEEPEST => {
                let what = format!("tables and lists are nested more than {DEEPEST} deep");
                self.fail(path, (what, None));
                Data::Flag(false)
            }
            SceneValue::List(list) => {
                let items = list.iter().enumerate();
                let node = |(i, item)| self.node(item, &format!("{path}[{i}]"), depth + 1);
                Data::List(items.map(node).collect())
            }
            SceneValue::Table(values) => {
                let mut table = Table::new();
                self.fill(&mut table, values, path, depth);
                Data::Table(table)
            }
        };
        let mut node = Node {
            data,
            origin: Origin::Code(None),
        };
        node.origin = Origin::Code(node.shown());
        node
    }

    fn fail(&mut self, path: &str, lost: Lost) {
        let error = lost_error(self.sources, &Origin::Code(None), path, lost);
        self.errors.push(error);
    }
}

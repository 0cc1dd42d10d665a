//! Laying one document over another, key by key.

use super::address::{Lost, address_text, find_named, find_or_make, parse_address};
use super::node::{Data, Entry, Node, Table};
use crate::problems::{Origin, SceneError, Sources};

/// Lays `over` on `base`. Tables merge key by key, lists of named tables by `name` (also when
/// `over` writes them as a table of names), a shape is replaced when it is another kind of shape,
/// and everything else is replaced. Keys of the top level may be addresses.
pub(crate) fn merge_root(
    sources: &Sources,
    base: &mut Table,
    over: Table,
    errors: &mut Vec<SceneError>,
) {
    let mut merger = Merger { sources, errors };
    for (key, entry) in over {
        if !key.contains(['.', '[']) {
            merger.entry(base, "", key, entry);
            continue;
        }
        let steps = parse_address(&key);
        match steps.and_then(|steps| find_or_make(base, &steps, &entry.key)) {
            Ok(node) => merger.node(node, &key, entry.node),
            Err(lost) => merger
                .errors
                .push(lost_error(sources, &entry.key, &key, lost)),
        }
    }
}

/// Replaces the value at an address by one from an argument.
pub(crate) fn set(base: &mut Table, address: &str, value: Node) -> Result<(), Lost> {
    let steps = parse_address(address)?;
    let origin = value.origin.clone();
    *find_or_make(base, &steps, &origin)? = value;
    Ok(())
}

pub(crate) fn lost_error(
    sources: &Sources,
    origin: &Origin,
    key: &str,
    (message, remedy): Lost,
) -> SceneError {
    SceneError {
        place: sources.place(origin),
        key: key.into(),
        value: None,
        message,
        remedy,
    }
}

struct Merger<'a> {
    sources: &'a Sources,
    errors: &'a mut Vec<SceneError>,
}

impl Merger<'_> {
    fn entry(&mut self, base: &mut Table, path: &str, key: String, entry: Entry) {
        let path = address_text(path, &key);
        match base.get_mut(&key) {
            Some(old) if is_other_shape(&key, &old.node, &entry.node) => *old = entry,
            Some(old) => self.node(&mut old.node, &path, entry.node),
            None => {
                base.insert(key, entry);
            }
        }
    }

    fn node(&mut self, base: &mut Node, path: &str, over: Node) {
        let origin = over.origin;
        match (&mut base.data, over.data) {
            (Data::Table(base), Data::Table(over)) => {
                for (key, entry) in over {
                    self.entry(base, path, key, entry);
                }
            }
            (Data::List(base), Data::List(over)) if are_named(base) && are_named(&over) => {
                self.named_list(base, path, over);
            }
            (Data::List(base), Data::Table(over)) if are_named(base) => {
                self.table_of_names(base, path, over);
            }
            (_, data) => *base = Node { data, origin },
        }
    }

    fn named_list(&mut self, base: &mut Vec<Node>, path: &str, over: Vec<Node>) {
        for node in over {
            let name = node.name().unwrap_or_default().to_string();
            match find_named(base, &name) {
                Ok(old) => self.node(old, &address_text(path, &name), node),
                Err(_) => base.push(node),
            }
        }
    }

    fn table_of_names(&mut self, base: &mut [Node], path: &str, over: Table) {
        for (name, entry) in over {
            let path = address_text(path, &name);
            match find_named(base, &name) {
                Ok(old) => self.node(old, &path, entry.node),
                Err(lost) => {
                    let error = lost_error(self.sources, &entry.key, &path, lost);
                    self.errors.push(error);
                }
            }
        }
    }
}

fn are_named(list: &[Node]) -> bool {
    !list.is_empty() && list.iter().all(|n| n.name().is_some())
}

fn is_other_shape(key: &str, base: &Node, over: &Node) -> bool {
    match (&base.data, &over.data) {
        (Data::Table(base), Data::Table(over)) => {
            key == "shape" && !over.keys().any(|k| base.contains_key(k))
        }
        _ => false,
    }
}

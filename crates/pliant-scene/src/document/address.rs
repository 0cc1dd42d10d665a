//! Addresses of values: `body.column.spacing`, `body[0].spacing`, `solver.time_step`.

use super::node::{Data, Entry, Node, Table};
use super::parse::DEEPEST;
use crate::problems::{Origin, choices_text, nearest};

/// One step of an address.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// A key of a table, or the name of a table in a list.
    Key(String),
    /// A place in a list, from 0.
    Index(usize),
}

/// Why an address leads nowhere: what is wrong, and what would be right.
pub(crate) type Lost = (String, Option<String>);

/// Splits an address into its steps.
pub(crate) fn parse_address(text: &str) -> Result<Vec<Step>, Lost> {
    let bad = |what: &str| {
        let remedy = "write keys with dots, and names or places of lists: body.column.spacing, body[0].spacing";
        (format!("the address '{text}' {what}"), Some(remedy.into()))
    };
    let mut steps = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (step, after) = if let Some(inside) = rest.strip_prefix('[') {
            let (index, after) = inside.split_once(']').ok_or_else(|| bad("lacks a ]"))?;
            let index = index.trim().parse();
            let index = index.map_err(|_| bad("has no whole number between [ and ]"))?;
            (Step::Index(index), after)
        } else if let Some(inside) = rest.strip_prefix('"') {
            let (key, after) = inside
                .split_once('"')
                .ok_or_else(|| bad("lacks a closing quote"))?;
            (Step::Key(key.into()), after)
        } else {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            (Step::Key(rest[..end].trim().into()), &rest[end..])
        };
        if step == Step::Key(String::new()) {
            return Err(bad("has an empty key"));
        }
        steps.push(step);
        rest = match after.strip_prefix('.') {
            Some("") => return Err(bad("ends with a dot")),
            Some(next) => next,
            None if after.is_empty() || after.starts_with('[') => after,
            None => return Err(bad("lacks a dot between two keys")),
        };
    }
    if steps.is_empty() {
        return Err(bad("is empty"));
    }
    if steps.len() > DEEPEST {
        return Err(bad("has too many keys"));
    }
    Ok(steps)
}

/// The address of a key below a path, quoted where a bare key would be read otherwise.
pub(crate) fn address_text(path: &str, key: &str) -> String {
    let is_bare = !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    let key = if is_bare {
        key.to_string()
    } else {
        format!("{key:?}")
    };
    if path.is_empty() {
        key
    } else {
        format!("{path}.{key}")
    }
}

/// The entry an address leads to, ready to be merged into or replaced; tables on the way are
/// made, elements of lists are not.
pub(crate) fn find_or_make<'a>(
    root: &'a mut Table,
    steps: &[Step],
    origin: &Origin,
) -> Result<&'a mut Node, Lost> {
    let (first, rest) = match steps.split_first() {
        Some((Step::Key(key), rest)) => (key, rest),
        _ => return Err(("an address starts with a key".into(), None)),
    };
    let mut node = make_entry(root, first, origin);
    for step in rest {
        node = descend(node, step, origin)?;
    }
    Ok(node)
}

fn descend<'a>(node: &'a mut Node, step: &Step, origin: &Origin) -> Result<&'a mut Node, Lost> {
    let kind = node.kind_text();
    match (&mut node.data, step) {
        (Data::Table(table), Step::Key(key)) => Ok(make_entry(table, key, origin)),
        (Data::List(list), Step::Index(i)) => {
            let count = list.len();
            let remedy = format!("places go from 0 to {}", count.saturating_sub(1));
            list.get_mut(*i).ok_or((
                format!("there is no [{i}] in a list of {count}"),
                Some(remedy),
            ))
        }
        (Data::List(list), Step::Key(name)) => find_named(list, name),
        (_, Step::Key(key)) => Err((format!("'{key}' is asked of {kind}"), None)),
        (_, Step::Index(i)) => Err((format!("[{i}] is asked of {kind}"), None)),
    }
}

/// The element of a list that has a name.
pub(crate) fn find_named<'a>(list: &'a mut [Node], name: &str) -> Result<&'a mut Node, Lost> {
    let names: Vec<String> = list
        .iter()
        .filter_map(|n| n.name().map(String::from))
        .collect();
    match list.iter_mut().find(|n| n.name() == Some(name)) {
        Some(node) => Ok(node),
        None => Err((
            format!("nothing here is named \"{name}\""),
            Some(names_remedy(name, &names)),
        )),
    }
}

fn names_remedy(name: &str, names: &[String]) -> String {
    match nearest(name, names.iter().map(String::as_str)) {
        Some(right) => format!("did you mean \"{right}\"?"),
        None if names.is_empty() => "nothing in this list has a name".into(),
        None => format!(
            "names are {}",
            choices_text(names.iter().map(String::as_str))
        ),
    }
}

fn make_entry<'a>(table: &'a mut Table, key: &str, origin: &Origin) -> &'a mut Node {
    let empty = || Entry {
        key: origin.clone(),
        node: Node {
            data: Data::Table(Table::new()),
            origin: origin.clone(),
        },
    };
    &mut table.entry(key.to_string()).or_insert_with(empty).node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_split_into_keys_names_and_places() {
        let key = |k: &str| Step::Key(k.into());
        assert_eq!(
            parse_address("body.column.spacing"),
            Ok(vec![key("body"), key("column"), key("spacing")])
        );
        assert_eq!(
            parse_address("body[10].spacing"),
            Ok(vec![key("body"), Step::Index(10), key("spacing")])
        );
        assert_eq!(
            parse_address("body.\"a b\".x"),
            Ok(vec![key("body"), key("a b"), key("x")])
        );
    }

    #[test]
    fn malformed_addresses_are_refused() {
        for text in [
            "", ".", "a.", "a..b", "a[", "a[x]", "a[1]b", "\"a", "[", "a[-1]",
        ] {
            assert!(parse_address(text).is_err(), "{text}");
        }
    }
}

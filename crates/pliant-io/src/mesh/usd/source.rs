//! Where layers are read: files, and packages of them.

use std::rc::Rc;

use super::layer::Layer;
use super::package::Package;
use super::{MeshProblem, binary, package, text};
use crate::beside::Beside;

/// Where a layer was read.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// The package it lies in.
    pub(super) package: Option<Rc<Package>>,
    /// Its path, from the file that was opened or within the package.
    pub(super) path: String,
}

impl Source {
    /// A layer from the bytes of the file at a path, which tell what it is.
    pub(super) fn of_bytes(bytes: &[u8], path: &str) -> Result<(Self, Layer), MeshProblem> {
        if !package::is_package(bytes) {
            let source = Self {
                package: None,
                path: path.to_owned(),
            };
            return Ok((source, parsed(bytes)?));
        }
        let package = Rc::new(Package::read(bytes)?);
        let (path, bytes) = package.first()?;
        let source = Self {
            package: Some(package.clone()),
            path: path.to_owned(),
        };
        Ok((source, parsed(bytes)?))
    }

    /// The layer of a file that this one names, and where that is.
    ///
    /// # Errors
    /// If it is not there or cannot be read.
    pub(super) fn open(
        &self,
        file: &str,
        files: &Beside<'_>,
    ) -> Result<(Self, Layer), MeshProblem> {
        let path = beside(&self.path, file);
        let Some(package) = &self.package else {
            return Self::of_bytes(&files.read(&path)?, &path);
        };
        let layer = parsed(package.entry(&path)?)?;
        let package = Some(package.clone());
        Ok((Self { package, path }, layer))
    }
}

fn parsed(bytes: &[u8]) -> Result<Layer, MeshProblem> {
    match binary::is_binary(bytes) {
        true => binary::read(bytes),
        false => text::read(bytes),
    }
}

/// The folder of a path, with its last slash.
pub(super) fn folder(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..=slash])
}

/// The path of a file that the file at `from` names.
pub(super) fn beside(from: &str, file: &str) -> String {
    let file = file.strip_prefix("./").unwrap_or(file);
    let is_absolute = file.starts_with('/');
    let whole = match is_absolute {
        true => file.to_owned(),
        false => format!("{}{file}", folder(from)),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "." => {}
            ".." if parts
                .last()
                .is_some_and(|last| !last.is_empty() && *last != "..") =>
            {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_count_from_the_file_that_names_them() {
        assert_eq!(beside("", "./geo.usdc"), "geo.usdc");
        assert_eq!(beside("a/b.usda", "c.usda"), "a/c.usda");
        assert_eq!(beside("a/b.usda", "../c.usda"), "c.usda");
        assert_eq!(beside("b.usda", "../c.usda"), "../c.usda");
        assert_eq!(beside("a/b.usda", "/c.usda"), "/c.usda");
    }
}

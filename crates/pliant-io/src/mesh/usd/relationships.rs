//! Relationships of a prim: which prims it leads to.

/// Those that are kept.
const KEPT: [&str; 4] = [
    "prototypes",
    "skel:skeleton",
    "skel:animationSource",
    "skel:blendShapeTargets",
];

/// Names with the paths of the prims that they lead to. One that leads to nothing hides what weaker layers say of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Relationships(Vec<(String, Vec<String>)>);

impl Relationships {
    /// Whether a relationship is of those that are kept.
    pub(super) fn has(name: &str) -> bool {
        KEPT.contains(&name)
    }

    /// Lets one lead to prims, after those that it leads to already.
    pub(super) fn add(&mut self, name: &str, paths: impl IntoIterator<Item = String>) {
        match self.0.iter_mut().find(|(own, _)| own == name) {
            Some((_, own)) => own.extend(paths),
            None => self.0.push((name.to_owned(), paths.into_iter().collect())),
        }
    }

    /// Where one leads to; `None` if nothing is said of it.
    pub(super) fn targets(&self, name: &str) -> Option<&[String]> {
        let own = self.0.iter().find(|(own, _)| own == name);
        own.map(|(_, paths)| &paths[..])
    }

    /// What a weaker prim says of those of which nothing is said.
    pub(super) fn take_from(&mut self, weaker: Self) {
        for (name, paths) in weaker.0 {
            if self.targets(&name).is_none() {
                self.0.push((name, paths));
            }
        }
    }

    /// Makes paths below one prim lead to what is below another one.
    pub(super) fn redirect(&mut self, from: &str, to: &str) {
        for path in self.0.iter_mut().flat_map(|(_, paths)| paths) {
            let rest = path.strip_prefix(from);
            if let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with('/')) {
                *path = format!("{to}{rest}");
            }
        }
    }
}

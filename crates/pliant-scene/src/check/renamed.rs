//! Keys that had another name before.

/// A key that scenes may still be written with.
struct Renamed {
    old: &'static str,
    new: &'static str,
    /// How to translate its value; empty if it stays.
    translation: &'static str,
}

const RENAMED: &[Renamed] = &[
    Renamed {
        old: "creep",
        new: "flow_rate",
        translation: "a rate in 1/s in place of a share of each substep: -ln(1 - creep) over the time step flows alike",
    },
    Renamed {
        old: "continuum",
        new: "share_neighbors",
        translation: "",
    },
    Renamed {
        old: "support",
        new: "support_radius",
        translation: "in spacings as before",
    },
    Renamed {
        old: "greatest",
        new: "max_force",
        translation: "",
    },
    Renamed {
        old: "greatest_plastic_strain",
        new: "max_plastic_strain",
        translation: "",
    },
    Renamed {
        old: "jacobian_scale_bd",
        new: "jacobian_damping",
        translation: "the part that is taken away in place of the part that is left: 1 - jacobian_scale_bd",
    },
];

/// What to write in place of an old key, where `names` are the keys accepted now.
pub(super) fn remedy<'b>(key: &str, mut names: impl Iterator<Item = &'b str>) -> Option<String> {
    let renamed = RENAMED.iter().find(|renamed| renamed.old == key)?;
    names.any(|name| name == renamed.new).then(|| {
        let now = format!("it is `{}` now", renamed.new);
        match renamed.translation {
            "" => now,
            translation => format!("{now}, {translation}"),
        }
    })
}

//! The page as it is built into this program: all of it but the engine and the bundled scenes, which nobody needs who
//! looks at runs.

use pliant_view::SHADERS;

/// Names and texts of the files.
pub(super) const FILES: &[(&str, &str)] = &[
    ("index.html", include_str!("../../web/index.html")),
    ("style.css", include_str!("../../web/style.css")),
    ("page.js", include_str!("../../web/page.js")),
    ("bytes.js", include_str!("../../web/bytes.js")),
    ("camera.js", include_str!("../../web/camera.js")),
    ("camera_path.js", include_str!("../../web/camera_path.js")),
    ("columns.js", include_str!("../../web/columns.js")),
    ("draw.js", include_str!("../../web/draw.js")),
    ("shaders.glsl", SHADERS),
    ("editor.js", include_str!("../../web/editor.js")),
    ("files.js", include_str!("../../web/files.js")),
    ("followed.js", include_str!("../../web/followed.js")),
    ("legend.js", include_str!("../../web/legend.js")),
    ("link.js", include_str!("../../web/link.js")),
    ("matrices.js", include_str!("../../web/matrices.js")),
    ("plots.js", include_str!("../../web/plots.js")),
    ("recorded.js", include_str!("../../web/recorded.js")),
    ("schema.js", include_str!("../../web/schema.js")),
    ("simulation.js", include_str!("../../web/simulation.js")),
    ("splats.js", include_str!("../../web/splats.js")),
    ("threads.js", include_str!("../../web/threads.js")),
    ("touch.js", include_str!("../../web/touch.js")),
    ("values.js", include_str!("../../web/values.js")),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// What modules import, and what the page loads.
    #[test]
    fn nothing_is_missing_that_the_files_name() {
        let names: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        for (name, text) in FILES {
            for line in text.lines() {
                let named = line.split("from \"./").nth(1);
                let loaded = ["src=\"", "rel=\"stylesheet\" href=\""]
                    .iter()
                    .find_map(|mark| line.split(mark).nth(1));
                if let Some(named) = named.or(loaded).and_then(|rest| rest.split('"').next()) {
                    assert!(names.contains(&named), "{name} names {named}");
                }
            }
        }
    }
}

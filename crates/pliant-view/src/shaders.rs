//! The shaders that the window and the page share.

/// All of them; see its head.
pub const SHADERS: &str = include_str!("shaders.glsl");

/// The text of a part of [`SHADERS`], empty if there is none of the name.
pub fn shader(name: &str) -> &'static str {
    let mut parts = SHADERS.split("\n//# ").skip(1);
    let own = parts.find_map(|part| part.strip_prefix(name)?.strip_prefix('\n'));
    own.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_by_their_names() {
        for name in ["light", "sphere_vertex", "background_fragment"] {
            assert!(shader(name).contains("void main()") || name == "light");
            assert!(shader(name).len() > 60 && !shader(name).contains("//#"));
        }
        assert_eq!(shader("sphere"), "");
    }
}

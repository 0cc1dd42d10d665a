//! Text as it may stand in a page.

/// The text with what has a meaning in HTML written out.
pub fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            c => html.push(c),
        }
    }
    html
}

/// A unit with its powers raised: `kg m2/s` is `kg m²/s`.
pub fn unit(text: &str) -> String {
    text.replace("m2", "m²")
        .replace("m3", "m³")
        .replace("s2", "s²")
}

/// A name of a column as words: `det_F_min` is `det F min`.
pub fn words(name: &str) -> String {
    name.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_a_title_is_shown_and_not_obeyed() {
        assert_eq!(escaped("<b a=\"&\">"), "&lt;b a=&quot;&amp;&quot;&gt;");
    }
}

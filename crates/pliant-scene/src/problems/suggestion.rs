//! The right word nearest to a misspelt one.

use strsim::osa_distance;

/// The candidate nearest to a word, if one is near enough to be what was meant.
///
/// Distance is the number of insertions, deletions, replacements and swaps of neighbours (Damerau
/// 1964, in the restricted form); accepted up to a third of the word's length. A candidate that
/// starts with the word, or the other way round, is accepted too, unless another is as near by letters.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let plain = plain(word);
    let limit = (plain.chars().count() / 3).clamp(1, 4);
    let distance_to = |candidate: &str| {
        let other = self::plain(candidate);
        let distance = osa_distance(&plain, &other);
        let is_prefix = plain.len() >= 3 && other.len() >= 3;
        match is_prefix && (other.starts_with(&plain) || plain.starts_with(&other)) {
            true => (distance.min(1), distance),
            false => (distance, distance),
        }
    };
    candidates
        .into_iter()
        .map(|c| (distance_to(c), c))
        .filter(|((distance, _), _)| *distance <= limit)
        .min_by_key(|(distances, _)| *distances)
        .map(|(_, c)| c)
}

/// `"a", "b" or "c"`.
pub(crate) fn choices_text<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = words.into_iter().map(|w| format!("\"{w}\"")).collect();
    match quoted.split_last() {
        None => String::from("nothing"),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

/// Lower case, with `-` and `_` alike, shortened: nobody misspells a word of a hundred letters.
fn plain(word: &str) -> String {
    let same = |c: char| if c == '-' { '_' } else { c };
    word.chars()
        .take(64)
        .flat_map(char::to_lowercase)
        .map(same)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_words_find_their_neighbour() {
        let words = ["spacing", "sampling", "shape", "spin"];
        assert_eq!(nearest("spaceing", words), Some("spacing"));
        assert_eq!(nearest("Spacing", words), Some("spacing"));
        assert_eq!(nearest("shpae", words), Some("shape"));
        let words = ["friction", "friction_axis"];
        assert_eq!(nearest("friction_axsi", words), Some("friction_axis"));
        assert_eq!(nearest("friction_coefficient", words), Some("friction"));
        assert_eq!(nearest("gravity", words), None);
        assert_eq!(nearest("", words), None);
    }

    #[test]
    fn choices_read_as_a_sentence() {
        assert_eq!(choices_text(["a", "b", "c"]), "\"a\", \"b\" or \"c\"");
        assert_eq!(choices_text(["a"]), "\"a\"");
    }
}

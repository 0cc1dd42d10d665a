//! Rows of sixteen lanes that are not all needed.

/// Lanes that are done together wherever rows are done in parts: parts have a multiple of them.
const TOGETHER: usize = 4;

/// The lane whose item a lane holds, if the first so many have one of their own. The others repeat the first of their
/// part, so that lanes that are written twice are written with the same in one go. A part without an item of its own is
/// to be left out.
///
/// * `filled` — at least one
pub fn source_lane(lane: usize, filled: usize) -> usize {
    match lane < filled {
        true => lane,
        false => lane.min(filled - 1) / TOGETHER * TOGETHER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_repeat_one_of_their_own_part_if_it_has_any() {
        for filled in 1..=16 {
            for lane in 0..16 {
                let source = source_lane(lane, filled);
                assert!(source < filled && (lane >= filled || source == lane));
                for width in [4, 8, 16] {
                    let has_own = lane / width * width < filled;
                    assert!(!has_own || source / width == lane / width);
                }
            }
        }
    }
}

//! A value that changes from frame to frame, as the fewest keyframes that tell it.

/// Values at frames, of which those between two equal ones, and those that only repeat the last one, are left out.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Track<T> {
    /// Frame and value, by increasing frames.
    keys: Vec<(u32, T)>,
}

impl<T> Default for Track<T> {
    fn default() -> Self {
        Self { keys: Vec::new() }
    }
}

impl<T: Clone + PartialEq> Track<T> {
    /// That of keyframes, by increasing frames.
    pub fn new(keys: Vec<(u32, T)>) -> Self {
        Self { keys }
    }

    /// The keyframes, by increasing frames.
    pub fn keys(&self) -> &[(u32, T)] {
        &self.keys
    }

    /// Whether nothing is known of it.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Sets the value in a frame; returns whether a keyframe changed.
    ///
    /// * `known` — the first frame and the last whose values are told already, which stay as they are
    pub fn set(&mut self, frame: u32, value: T, known: Option<[u32; 2]>) -> bool {
        if self.tells(frame, &value) {
            return false;
        }
        let [first, last] = known.unwrap_or([1, 0]);
        for beside in [frame.saturating_sub(1), frame.saturating_add(1)] {
            let kept = self.at(beside).cloned();
            if let Some(kept) = kept.filter(|_| (first..=last).contains(&beside)) {
                self.put(beside, kept);
            }
        }
        self.put(frame, value);
        self.simplify();
        true
    }

    /// Forgets what comes after a frame.
    pub fn cut(&mut self, last: u32) {
        self.keys.retain(|(frame, _)| *frame <= last);
        self.simplify();
    }

    /// Whether a frame has a value already: by a keyframe of its own, or between equal ones.
    fn tells(&self, frame: u32, value: &T) -> bool {
        let after = self.keys.partition_point(|(key, _)| *key <= frame);
        let is_own = after > 0 && self.keys[after - 1].0 == frame;
        let next = self.keys.get(after).map_or(value, |(_, next)| next);
        self.at(frame) == Some(value) && (is_own || next == value)
    }

    /// The value in a frame; `None` before the first keyframe.
    fn at(&self, frame: u32) -> Option<&T> {
        let after = self.keys.partition_point(|(key, _)| *key <= frame);
        self.keys[..after].last().map(|(_, value)| value)
    }

    fn put(&mut self, frame: u32, value: T) {
        match self.keys.binary_search_by_key(&frame, |(key, _)| *key) {
            Ok(place) => self.keys[place].1 = value,
            Err(place) => self.keys.insert(place, (frame, value)),
        }
    }

    fn simplify(&mut self) {
        let keys = &self.keys;
        let is_as = |place: usize, other: usize| {
            let other = keys.get(other);
            other.is_none_or(|(_, value)| *value == keys[place].1)
        };
        let tells =
            |&place: &usize| place == 0 || !is_as(place, place - 1) || !is_as(place, place + 1);
        let told = (0..keys.len()).filter(tells);
        self.keys = told.map(|place| keys[place].clone()).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(values: &[(u32, char)]) -> Track<char> {
        let mut track = Track::default();
        let mut known: Option<[u32; 2]> = None;
        for &(frame, value) in values {
            track.set(frame, value, known);
            let [first, last] = known.unwrap_or([frame; 2]);
            known = Some([first.min(frame), last.max(frame)]);
        }
        track
    }

    fn values(text: &str) -> Vec<(u32, char)> {
        (1..).zip(text.chars()).collect()
    }

    #[test]
    fn what_rests_has_a_keyframe_where_it_starts_and_where_it_stops_to_rest() {
        for (text, expected) in [
            ("", &[][..]),
            ("aaaa", &[(1, 'a')]),
            ("abbbbc", &[(1, 'a'), (2, 'b'), (5, 'b'), (6, 'c')]),
            ("abcc", &[(1, 'a'), (2, 'b'), (3, 'c')]),
        ] {
            assert_eq!(track(&values(text)).keys(), expected, "{text}");
        }
    }

    #[test]
    fn keyframes_are_the_same_in_any_order_of_the_frames_and_after_a_resume() {
        let all = values("aabbbcaaadd");
        let whole = track(&all);
        for middle in 0..all.len() {
            let (before, after) = all.split_at(middle);
            assert_eq!(track(&[after, before].concat()), whole, "{middle}");
            let mut resumed = whole.clone();
            resumed.cut(middle as u32);
            assert_eq!(resumed, track(before), "{middle}");
            for &(frame, value) in after {
                resumed.set(frame, value, Some([1, frame - 1]));
            }
            assert_eq!(resumed, whole, "{middle}");
        }
    }

    #[test]
    fn a_frame_that_is_written_anew_leaves_those_beside_it() {
        let mut found = track(&values("aaaaa"));
        assert!(found.set(3, 'b', Some([1, 5])));
        assert_eq!(found, track(&values("aabaa")));
        assert!(!found.set(3, 'b', Some([1, 5])));
        assert!(found.set(3, 'a', Some([1, 5])));
        assert_eq!(found, track(&values("aaaaa")));
    }
}

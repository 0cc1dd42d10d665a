//! Which frame of a run is seen, while there come to be more, and the first ones may go.

use std::sync::Arc;

use pliant::live::Ask;

/// The frames that there are, and the one that is to be seen.
#[derive(Debug, Default)]
pub struct Timeline {
    frames: Arc<Vec<u32>>,
    /// The number of the frame that is to be seen.
    number: u32,
    /// Its place among them.
    place: usize,
    follows: bool,
}

impl Timeline {
    /// The frames that there are now.
    ///
    /// * `shown` — the number of the frame that is seen
    pub fn update(&mut self, frames: Arc<Vec<u32>>, shown: Option<u32>) {
        self.frames = frames;
        if self.follows {
            self.number = shown.unwrap_or(self.number);
        }
        let place = self.frames.partition_point(|&frame| frame <= self.number);
        self.place = place.saturating_sub(1);
    }

    /// How many frames there are.
    pub fn count(&self) -> usize {
        self.frames.len()
    }

    /// The place of the last frame.
    pub fn last(&self) -> usize {
        self.count().saturating_sub(1)
    }

    /// The place of the frame that is to be seen.
    pub fn place(&self) -> usize {
        self.place
    }

    /// The number of the frame that is to be seen, if there is one.
    pub fn number(&self) -> Option<u32> {
        self.frames.get(self.place).copied()
    }

    /// Whether each new frame is seen as it comes.
    pub fn follows(&self) -> bool {
        self.follows
    }

    /// Goes to a place, and stays there; what is to be asked for, if it is another one.
    pub fn go_to(&mut self, place: usize) -> Option<Ask> {
        let number = *self.frames.get(place).filter(|_| place != self.place)?;
        (self.place, self.number, self.follows) = (place, number, false);
        Some(Ask::Show(number))
    }

    /// Sees each new frame as it comes, or stays; what is to be asked for.
    pub fn follow(&mut self, follows: bool) -> Ask {
        self.follows = follows;
        Ask::Follow(follows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn update(timeline: &mut Timeline, frames: std::ops::Range<u32>, shown: u32) -> usize {
        timeline.update(Arc::new(frames.collect()), Some(shown));
        timeline.place()
    }

    #[test]
    fn the_frame_that_is_seen_stays_while_others_come_and_go() {
        let mut timeline = Timeline::default();
        assert!(timeline.number().is_none() && timeline.go_to(0).is_none());
        assert_eq!(update(&mut timeline, 1..4, 1), 0);
        assert!(matches!(timeline.go_to(2), Some(Ask::Show(3))));
        assert!(timeline.go_to(2).is_none() && timeline.go_to(3).is_none());
        assert_eq!(update(&mut timeline, 1..10, 3), 2);
        // The first ones are kept no longer, nor is it in the end.
        assert_eq!(update(&mut timeline, 2..10, 3), 1);
        assert_eq!(timeline.number(), Some(3));
        assert_eq!(update(&mut timeline, 6..20, 3), 0);
        assert_eq!(timeline.last(), 13);
    }

    #[test]
    fn the_newest_frame_is_followed_until_another_one_is_chosen() {
        let mut timeline = Timeline::default();
        assert!(matches!(timeline.follow(true), Ask::Follow(true)));
        assert_eq!(update(&mut timeline, 1..4, 3), 2);
        // It is on its way.
        assert_eq!(update(&mut timeline, 1..5, 3), 2);
        assert_eq!(update(&mut timeline, 1..5, 4), 3);
        assert!(timeline.go_to(1).is_some() && !timeline.follows());
        assert_eq!(update(&mut timeline, 1..6, 4), 1);
    }
}

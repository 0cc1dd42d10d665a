//! Times of a stage and of its clips.

use super::super::{MeshProblem, malformed};

/// When which clip is active, and which time it then has.
#[derive(Debug)]
pub(super) struct Timing {
    /// From which times on which files are active, in order. The first is so before its time too.
    active: Vec<(f64, usize)>,
    /// Times of the stage and of clips, in order of the former; two of one time are a jump. None: times are the same.
    knots: Vec<[f64; 2]>,
}

/// A keyframe of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Keyframe {
    /// Of the stage.
    pub(super) time: f64,
    /// Of the clip.
    pub(super) inner: f64,
}

impl Timing {
    /// * `of` — the set, for people
    /// * `file_count` — how many files there are
    ///
    /// # Errors
    /// If a clip is none of the files.
    pub(super) fn new(
        of: &str,
        mut active: Vec<[f64; 2]>,
        mut knots: Vec<[f64; 2]>,
        file_count: usize,
    ) -> Result<Self, MeshProblem> {
        active.sort_by(|a, b| a[0].total_cmp(&b[0]));
        knots.sort_by(|a, b| a[0].total_cmp(&b[0]));
        // What is before the first knot has its time, after a jump if there is one.
        let jumps = knots.windows(2).take_while(|pair| pair[0][0] == pair[1][0]);
        knots.drain(..jumps.count());
        if active.is_empty() {
            return Err(malformed(format!(
                "{of} does not tell when its clips are active; write `active`, pairs of a time and the number of a clip"
            )));
        }
        let checked = |[time, number]: [f64; 2]| {
            let is_known = number.fract() == 0.0 && number >= 0.0 && number < file_count as f64;
            is_known.then_some((time, number as usize)).ok_or_else(|| {
                malformed(format!(
                    "`active` of {of} names clip {number} at time {time}, but it has {file_count} assetPaths, counted \
                     from 0"
                ))
            })
        };
        let active: Result<Vec<_>, _> = active.into_iter().map(checked).collect();
        let active = active?;
        if let Some(pair) = active.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(malformed(format!(
                "`active` of {of} names two clips at time {}; write one for each time",
                pair[0].0
            )));
        }
        Ok(Self { active, knots })
    }

    /// How many times a clip becomes active.
    pub(super) fn count(&self) -> usize {
        self.active.len()
    }

    /// Which of them it is that is active at a time.
    pub(super) fn at(&self, time: f64) -> usize {
        let after = self.active.partition_point(|&(start, _)| start <= time);
        after.saturating_sub(1)
    }

    /// The file of one.
    pub(super) fn file(&self, place: usize) -> usize {
        self.active[place].1
    }

    /// When one becomes active.
    pub(super) fn start(&self, place: usize) -> f64 {
        self.active[place].0
    }

    /// The keyframes of one, by the times of its samples in the clip: these, where `times` bends or jumps, and where it
    /// becomes active. None twice; where times jump, what is before comes before what is after.
    pub(super) fn keyframes(&self, place: usize, samples: &[f64]) -> Vec<Keyframe> {
        let end = self.active.get(place + 1).map_or(f64::INFINITY, |a| a.0);
        let start = match place {
            0 => f64::NEG_INFINITY,
            _ => self.start(place),
        };
        let mut keyframes = self.of_knots(start, end);
        let is_within = |keyframe: &Keyframe| keyframe.time >= start && keyframe.time < end;
        match self.knots.is_empty() {
            true => {
                let same = samples.iter().map(|&time| Keyframe { time, inner: time });
                keyframes.extend(same.filter(is_within));
            }
            false => {
                for pair in self.segments(start, end).windows(2) {
                    keyframes.extend(within(pair[0], pair[1], samples).filter(is_within));
                }
            }
        }
        let time = self.start(place);
        let has_start = keyframes.iter().any(|keyframe| keyframe.time == time);
        if !has_start {
            let inner = self.inner(time);
            keyframes.push(Keyframe { time, inner });
        }
        // Stable: jumps stay as they are.
        keyframes.sort_by(|a, b| a.time.total_cmp(&b.time));
        keyframes
    }

    /// The knots that matter from a time to another one, with those around them.
    fn segments(&self, start: f64, end: f64) -> &[[f64; 2]] {
        let first = self.knots.partition_point(|knot| knot[0] < start);
        let last = self.knots.partition_point(|knot| knot[0] <= end);
        let last = (last + 1).min(self.knots.len());
        &self.knots[first.saturating_sub(1).min(last)..last]
    }

    /// Keyframes at knots. Of a jump the end of what is before belongs to the clip that is active before.
    fn of_knots(&self, start: f64, end: f64) -> Vec<Keyframe> {
        let knots = self.segments(start, end);
        let keyframe = |(i, &[time, inner]): (usize, &[f64; 2])| {
            let is_before_jump = knots.get(i + 1).is_some_and(|next| next[0] == time);
            let is_within = match is_before_jump {
                true => time > start && time <= end,
                false => time >= start && time < end,
            };
            is_within.then_some(Keyframe { time, inner })
        };
        knots.iter().enumerate().filter_map(keyframe).collect()
    }

    /// The time of a clip, after a jump if there is one.
    fn inner(&self, time: f64) -> f64 {
        let after = self.knots.partition_point(|knot| knot[0] <= time);
        let before = after.checked_sub(1).map(|before| self.knots[before]);
        match (before, self.knots.get(after).copied()) {
            (None, None) => time,
            (None, Some(only)) | (Some(only), None) => only[1],
            (Some(from), Some(to)) => {
                from[1] + (to[1] - from[1]) * (time - from[0]) / (to[0] - from[0])
            }
        }
    }
}

/// The samples between two knots, by their times in the clip.
fn within<'s>(
    from: [f64; 2],
    to: [f64; 2],
    samples: &'s [f64],
) -> impl Iterator<Item = Keyframe> + 's {
    let share = move |inner: f64| (inner - from[1]) / (to[1] - from[1]);
    let is_between = move |inner: &f64| {
        let share = share(*inner);
        share > 0.0 && share < 1.0 && from[0] < to[0]
    };
    let inside = samples.iter().copied().filter(is_between);
    inside.map(move |inner| Keyframe {
        time: from[0] + (to[0] - from[0]) * share(inner),
        inner,
    })
}

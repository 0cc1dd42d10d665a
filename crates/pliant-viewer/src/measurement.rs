//! How many pictures a second, and how much is simulated meanwhile.

use std::time::{Duration, Instant};

use pliant::live::Snapshot;

/// Pictures that are drawn before any counts: programs are compiled and columns are sent to the graphics card.
const WARMING_UP: u32 = 8;

/// Pictures are counted.
pub struct Measurement {
    time: Duration,
    renderer: String,
    warm: u32,
    start: Option<Start>,
    pictures: u32,
}

/// Where the count began.
struct Start {
    at: Instant,
    frame: u32,
    simulated: f64,
}

impl Measurement {
    /// A count over a time.
    ///
    /// * `renderer` — what draws
    pub fn over(time: Duration, renderer: String) -> Self {
        Self {
            time,
            renderer,
            warm: 0,
            start: None,
            pictures: 0,
        }
    }

    /// Counts a picture of a moment; what was measured when the time is over.
    pub fn count(&mut self, shown: &Snapshot) -> Option<String> {
        if self.warm < WARMING_UP {
            self.warm += 1;
            return None;
        }
        let start = self.start.get_or_insert_with(|| Start {
            at: Instant::now(),
            frame: shown.frame,
            simulated: shown.time,
        });
        let passed = start.at.elapsed();
        if passed >= self.time {
            let told = told(start, shown, self.pictures, passed.as_secs_f64());
            return Some(format!("{}: {told}", self.renderer));
        }
        self.pictures += 1;
        None
    }
}

fn told(start: &Start, shown: &Snapshot, pictures: u32, seconds: f64) -> String {
    format!(
        "{} particles, {} triangles: {:.1} pictures a second, {:.2} frames a second, {:.4} of real time",
        shown.particles,
        shown.triangles.len(),
        f64::from(pictures) / seconds,
        f64::from(shown.frame.saturating_sub(start.frame)) / seconds,
        (shown.time - start.simulated) / seconds,
    )
}

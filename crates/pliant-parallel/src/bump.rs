//! Room in a column for tasks that learn only while they run how much they write.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Hands out consecutive ranges. Who gets which depends on the threads: what is computed must not
/// depend on it.
#[derive(Debug, Default)]
pub struct Bump(AtomicUsize);

impl Bump {
    /// The next so many places, whether the column has them or not.
    pub fn take(&self, count: usize) -> Range<usize> {
        let start = self.0.fetch_add(count, Ordering::Relaxed);
        start..start + count
    }

    /// Places handed out so far.
    pub fn taken(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_do_not_overlap_and_leave_no_gap() {
        let bump = Bump::default();
        let mut covered = vec![0u8; 1000];
        let shared = crate::Shared::new(&mut covered);
        crate::for_indices(40, |task| {
            let range = bump.take(task % 7 * 8);
            // The checked build finds a place that two tasks touch.
            #[allow(unsafe_code)]
            // SAFETY: ranges of different tasks are disjoint, which is what is tested.
            let mut view = unsafe { shared.view(task as u32) };
            view.range(range).fill(1);
        });
        drop(shared);
        let total = bump.taken();
        assert!(covered[..total].iter().all(|&c| c == 1));
        assert!(covered[total..].iter().all(|&c| c == 0));
    }
}

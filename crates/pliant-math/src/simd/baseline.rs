//! The packs of what every processor of the target has.

#[cfg(all(
    not(feature = "double"),
    any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )
))]
mod of_target {
    use crate::simd::quad::{NAME as INSTRUCTIONS, Quads, Quarter, Register};
    use crate::simd::{Job, Pack, RowJob};

    /// What they are called.
    pub const NAME: &str = INSTRUCTIONS;

    /// Sixteen lanes.
    pub type Baseline = Quads<Register>;

    /// Four of them.
    type Part<const FIRST: usize> = Quarter<Register, FIRST>;

    /// Does a job of which the first so many lanes count.
    pub fn run_lanes<J: Job>(lanes: usize, job: J) -> J::Output {
        match lanes <= 4 {
            true => run_job::<J, Part<0>>(job),
            false => run_job::<J, Baseline>(job),
        }
    }

    /// A function of its own for each pack.
    #[inline(never)]
    fn run_job<J: Job, P: Pack>(job: J) -> J::Output {
        job.run::<P>()
    }

    /// Does rows of which the first so many lanes count.
    pub fn run_rows<J: RowJob>(lanes: usize, mut job: J) {
        for row in 0..job.rows() {
            run_part::<J, 0>(lanes, &mut job, row);
            run_part::<J, 4>(lanes, &mut job, row);
            run_part::<J, 8>(lanes, &mut job, row);
            run_part::<J, 12>(lanes, &mut job, row);
        }
    }

    /// A function for each quarter, so that the compiler need not see them together.
    #[inline(never)]
    fn run_part<J: RowJob, const FIRST: usize>(lanes: usize, job: &mut J, row: usize) {
        if FIRST < lanes {
            job.row::<Part<FIRST>>(row);
        }
    }
}

#[cfg(not(all(
    not(feature = "double"),
    any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )
)))]
mod of_target {
    use crate::simd::{Job, RowJob};

    /// What they are called.
    pub const NAME: &str = "portable";

    /// Sixteen lanes.
    pub type Baseline = crate::simd::Portable;

    /// Does a job; there are no packs of fewer lanes.
    pub fn run_lanes<J: Job>(_lanes: usize, job: J) -> J::Output {
        job.run::<Baseline>()
    }

    /// Does rows of which the first so many lanes count.
    pub fn run_rows<J: RowJob>(_lanes: usize, mut job: J) {
        for row in 0..job.rows() {
            job.row::<Baseline>(row);
        }
    }
}

pub use of_target::{Baseline, NAME, run_lanes, run_rows};

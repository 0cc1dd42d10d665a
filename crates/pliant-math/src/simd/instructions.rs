//! Which vector instructions are used, chosen once a run.
#![allow(unsafe_code)]

use std::fmt;
use std::sync::LazyLock;

use super::Pack;
#[cfg(test)]
use super::Portable;
use super::baseline::{self, Baseline};

/// Whether every processor that this is compiled for has AVX2 (`-C target-cpu=x86-64-v3` and beyond): then nothing is
/// compiled for lesser ones, which is a third of the code. The tests of this crate try those all the same.
const ALWAYS_HAS_AVX2: bool = cfg!(all(
    not(test),
    target_arch = "x86_64",
    target_feature = "avx2",
    target_feature = "f16c",
    target_feature = "popcnt",
    target_feature = "bmi1",
    target_feature = "bmi2",
    target_feature = "lzcnt",
));

/// An instruction set that work is compiled for and that this processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instructions(Set);

/// Private, so that what the processor lacks cannot be named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    /// Plain code, which the tests of this crate check the others with.
    #[cfg(test)]
    Portable,
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(all(target_arch = "x86_64", not(feature = "double")))]
    Avx512,
}

impl fmt::Display for Instructions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Work that is compiled for each instruction set. `run` and what it calls must be
/// `#[inline(always)]`, or it is compiled without them.
pub trait Job {
    /// What it results in.
    type Output;

    /// Does it.
    fn run<P: Pack>(self) -> Self::Output;
}

/// Work on rows of sixteen lanes, one row after the other, whose lanes do not touch each other's data:
/// each row may be done in parts. To be inlined as [`Job`] is.
pub trait RowJob {
    /// How many rows.
    fn rows(&self) -> usize;

    /// Does the lanes of a pack of a row.
    fn row<P: Pack>(&mut self, row: usize);
}

/// All rows, whole.
#[cfg(any(test, target_arch = "x86_64"))]
struct WholeRows<J>(J);

#[cfg(any(test, target_arch = "x86_64"))]
impl<J: RowJob> Job for WholeRows<J> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(mut self) {
        for row in 0..self.0.rows() {
            self.0.row::<P>(row);
        }
    }
}

impl Instructions {
    /// What every processor of the target has.
    #[cfg(target_arch = "x86_64")]
    pub const BASELINE: Self = Self(if ALWAYS_HAS_AVX2 {
        Set::Avx2
    } else {
        Set::Baseline
    });

    /// What every processor of the target has.
    #[cfg(not(target_arch = "x86_64"))]
    pub const BASELINE: Self = Self(Set::Baseline);

    /// Plain code.
    #[cfg(test)]
    pub(super) const PORTABLE: Self = Self(Set::Portable);

    /// Those that this processor has, the slowest first.
    pub fn available() -> Vec<Self> {
        #[cfg(test)]
        let mut available = vec![Self::PORTABLE, Self::BASELINE];
        #[cfg(not(test))]
        let mut available = vec![Self::BASELINE];
        available.extend(Self::beyond_baseline());
        available
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn beyond_baseline() -> Vec<Self> {
        Vec::new()
    }

    #[cfg(target_arch = "x86_64")]
    fn beyond_baseline() -> Vec<Self> {
        let mut available = Vec::new();
        let has_bits = std::arch::is_x86_feature_detected!("popcnt")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2");
        let has_half = std::arch::is_x86_feature_detected!("f16c");
        let has_avx2 = has_bits && has_half && std::arch::is_x86_feature_detected!("avx2");
        if has_avx2 && !ALWAYS_HAS_AVX2 {
            available.push(Self(Set::Avx2));
        }
        // In double precision, packs in registers of AVX2 are all there is.
        #[cfg(not(feature = "double"))]
        if has_bits
            && has_half
            && std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512bw")
            && std::arch::is_x86_feature_detected!("avx512dq")
            && std::arch::is_x86_feature_detected!("avx512vl")
        {
            available.push(Self(Set::Avx512));
        }
        available
    }

    /// The fastest that this processor has.
    pub fn best() -> Self {
        static BEST: LazyLock<Instructions> = LazyLock::new(|| {
            let available = Instructions::available();
            available.last().copied().unwrap_or(Instructions::BASELINE)
        });
        *BEST
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(test)]
            Set::Portable => "portable",
            Set::Baseline => baseline::NAME,
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "AVX2",
            #[cfg(all(target_arch = "x86_64", not(feature = "double")))]
            Set::Avx512 => "AVX-512",
        }
    }

    /// Does a job of which only the first so many lanes count, with packs that may have no more.
    #[inline]
    pub fn run_lanes<J: Job>(self, lanes: usize, job: J) -> J::Output {
        match self.0 {
            Set::Baseline => run_baseline_lanes(lanes, job),
            // SAFETY: the value exists only if `available` has seen the instructions; both have AVX2.
            #[cfg(all(target_arch = "x86_64", not(feature = "double")))]
            Set::Avx2 | Set::Avx512 if lanes <= 4 => unsafe { run_four(job) },
            // SAFETY: as above.
            #[cfg(all(target_arch = "x86_64", not(feature = "double")))]
            Set::Avx2 | Set::Avx512 if lanes <= 8 => unsafe { run_eight(job) },
            #[cfg(any(test, target_arch = "x86_64"))]
            _ => self.run(job),
        }
    }

    /// Does rows of which only the first so many lanes count, in parts where registers are short: sums over neighbours
    /// of sixteen lanes do not fit those of AVX2, nor registers of four numbers.
    #[inline]
    pub fn run_rows<J: RowJob>(self, lanes: usize, job: J) {
        match self.0 {
            #[cfg(test)]
            Set::Portable => WholeRows(job).run::<Portable>(),
            Set::Baseline => run_baseline_rows(lanes, job),
            // SAFETY: the value exists only if `available` has seen the instructions.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { run_avx2_rows(lanes, job) },
            // SAFETY: as above.
            #[cfg(all(target_arch = "x86_64", not(feature = "double")))]
            Set::Avx512 => unsafe { run_avx512_rows(lanes, job) },
        }
    }

    /// Does a job with these instructions.
    #[inline]
    pub fn run<J: Job>(self, job: J) -> J::Output {
        match self.0 {
            #[cfg(test)]
            Set::Portable => job.run::<Portable>(),
            Set::Baseline => run_baseline(job),
            // SAFETY: the value exists only if `available` has seen the instructions.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { run_avx2(job) },
            // SAFETY: as above.
            #[cfg(all(target_arch = "x86_64", not(feature = "double")))]
            Set::Avx512 => unsafe { run_avx512(job) },
        }
    }
}

/// A function of its own for each job: with the jobs of all laws in one, solids take half as long again in WebAssembly.
#[inline(never)]
fn run_baseline<J: Job>(job: J) -> J::Output {
    if ALWAYS_HAS_AVX2 {
        unreachable!("no value is made of it")
    } else {
        job.run::<Baseline>()
    }
}

#[inline]
fn run_baseline_lanes<J: Job>(lanes: usize, job: J) -> J::Output {
    if ALWAYS_HAS_AVX2 {
        unreachable!("no value is made of it")
    } else {
        baseline::run_lanes(lanes, job)
    }
}

#[inline]
fn run_baseline_rows<J: RowJob>(lanes: usize, job: J) {
    if ALWAYS_HAS_AVX2 {
        unreachable!("no value is made of it")
    } else {
        baseline::run_rows(lanes, job);
    }
}

/// A function of its own for each job and pack of AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,f16c,popcnt,bmi1,bmi2,lzcnt")]
#[inline(never)]
pub(super) fn run_with_avx2<P: Pack, J: Job>(job: J) -> J::Output {
    job.run::<P>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,f16c,popcnt,bmi1,bmi2,lzcnt")]
fn run_avx2<J: Job>(job: J) -> J::Output {
    #[cfg(not(feature = "double"))]
    return run_with_avx2::<super::avx2::Avx2, J>(job);
    #[cfg(feature = "double")]
    return run_with_avx2::<super::wide::Wide, J>(job);
}

#[cfg(all(target_arch = "x86_64", not(feature = "double")))]
#[target_feature(enable = "avx2,f16c,popcnt,bmi1,bmi2,lzcnt")]
fn run_four<J: Job>(job: J) -> J::Output {
    run_with_avx2::<super::narrow::Four, J>(job)
}

#[cfg(all(target_arch = "x86_64", not(feature = "double")))]
#[target_feature(enable = "avx2,f16c,popcnt,bmi1,bmi2,lzcnt")]
fn run_eight<J: Job>(job: J) -> J::Output {
    run_with_avx2::<super::narrow::Eight, J>(job)
}

#[cfg(all(target_arch = "x86_64", not(feature = "double")))]
#[target_feature(enable = "avx2,f16c,popcnt,bmi1,bmi2,lzcnt")]
fn run_avx2_rows<J: RowJob>(lanes: usize, mut job: J) {
    if lanes <= 4 {
        return run_four(WholeRows(job));
    }
    if lanes <= 8 {
        return run_eight(WholeRows(job));
    }
    for row in 0..job.rows() {
        run_half::<J, super::narrow::Eight>(&mut job, row);
        run_half::<J, super::narrow::LastEight>(&mut job, row);
    }
}

#[cfg(all(target_arch = "x86_64", feature = "double"))]
#[target_feature(enable = "avx2,f16c,popcnt,bmi1,bmi2,lzcnt")]
fn run_avx2_rows<J: RowJob>(_lanes: usize, job: J) {
    run_avx2(WholeRows(job));
}

/// A function for each half, no larger than those of the other packs: the greater a function, the less
/// is inlined into it, and what is not is compiled without vector instructions.
#[cfg(all(target_arch = "x86_64", not(feature = "double")))]
#[target_feature(enable = "avx2,f16c,popcnt,bmi1,bmi2,lzcnt")]
#[inline(never)]
fn run_half<J: RowJob, P: Pack>(job: &mut J, row: usize) {
    job.row::<P>(row);
}

#[cfg(all(target_arch = "x86_64", not(feature = "double")))]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2,lzcnt")]
#[inline(never)]
pub(super) fn run_avx512<J: Job>(job: J) -> J::Output {
    job.run::<super::avx512::Avx512>()
}

#[cfg(all(target_arch = "x86_64", not(feature = "double")))]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,f16c,popcnt,bmi1,bmi2,lzcnt")]
fn run_avx512_rows<J: RowJob>(lanes: usize, job: J) {
    match lanes {
        0..=4 => run_four(WholeRows(job)),
        5..=8 => run_eight(WholeRows(job)),
        _ => run_avx512(WholeRows(job)),
    }
}

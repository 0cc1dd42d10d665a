//! Parameter sweeps: a scene run once for each combination of values, and the results on one page.
//!
//! | what | where |
//! |---|---|
//! | the keys and the values they take | [`Vary`] |
//! | the combinations, each with a folder | [`Sweep`], `combinations` |
//! | running them, several at once | [`run_all`] |
//! | what each left | [`Outcome`] |
//! | `sweep.csv`, `sweep.html` | [`csv`], [`page`] |
//!
//! The runs share nothing: each leaves the folder that `pliant run` with the same values leaves, with
//! the same bits. What a sweep shows is read back from those folders, so that one that was stopped and
//! resumed shows the same as one that was not.

mod combinations;
mod csv;
mod outcome;
mod page;
mod plots;
mod runs;
mod vary;

pub use combinations::{Combination, Sweep, SweepError};
pub use csv::csv;
pub use outcome::{Ending, Outcome};
pub use page::page;
pub use runs::{Ended, RunOfSweep, SweepOptions, Watch, run_all};
pub use vary::{Vary, VaryError};

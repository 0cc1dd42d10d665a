//! Times of substeps and scenes on this machine.
//!
//! Machines and their load differ from hour to hour, so every time is also given as a multiple of the
//! gather bound, measured in the same run on the same neighbour lists: reading each neighbour's index
//! and velocity once, on one thread.
//!
//! | what | where |
//! |---|---|
//! | the blocks of sand, of other laws and of solid that are timed | `block` |
//! | a substep by stage, in multiples of the gather bound | [`Stages`] |
//! | a sweep of `strain-energy`, in multiples of what reading its neighbours takes | [`Solids`], `edges` |
//! | sheets of springs, beside a sparse product | [`Springs`] |
//! | bars of shape groups, beside reading and writing their members | [`ShapeGroups`] |
//! | cubes of flesh and muscle, explicit and implicit | [`MuscleCost`] |
//! | the step that is chosen for them, beside others | [`MuscleScan`] |
//! | what Cao et al. (2023) print for theirs | [`BesidePrinted`] |
//! | the bundled scenes of `scenes/bench`, in seconds a simulated second | [`BenchScene`] |
//! | printed figures of other simulators for the same scenes | `references` |
//! | threads and vector instructions | [`Processor`] |
//! | everything that was timed, as `bench.csv` and `bench.html` | [`Results`], [`page`] |

mod block;
mod edges;
mod muscle;
mod page;
mod printed;
mod processor;
mod references;
mod results;
mod scenes;
mod shape_groups;
mod solids;
mod springs;
mod stages;

pub use block::{LAWS, free_block, law_block, sand_block, solid_block};
pub use edges::EdgeBounds;
pub use muscle::{MUSCLE_WAYS, MuscleCost, MuscleScan};
pub use page::page;
pub use printed::{BesidePrinted, PrintedRow};
pub use processor::Processor;
pub use references::{Reference, references, table_1};
pub use results::Results;
pub use scenes::{BenchScene, bench_scenes};
pub use shape_groups::{GROUP_LAWS, ShapeGroups, ShapeGroupsFrame};
pub use solids::{ORDERINGS, Solids};
pub use springs::{SOLVES, SPRING_LAWS, Springs};
pub use stages::{StageCost, Stages};

use pliant_core::parallel::PoolError;
use pliant_core::step::StepError;
use pliant_scene::SceneErrors;

/// Why something could not be timed.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A scene is wrong, or there is no memory for it.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// No threads.
    #[error(transparent)]
    Threads(#[from] PoolError),
    /// The simulation cannot go on.
    #[error(transparent)]
    Step(#[from] StepError),
}

/// The value in the middle; 0 for none.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

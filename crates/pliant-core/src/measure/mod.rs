//! What is read off a world: frames for outputs, statistics, probes.

mod buffers;
mod embedded_meshes;
mod energies;
mod frame;
mod frame_analysis;
mod pieces;
pub mod probes;
mod readings;
mod report;
mod rigid;
mod stage;
mod statistics;
mod triangle_uvs;
mod wanted;

pub use crate::method::DrawnAs;
pub use buffers::{FrameBuffers, ROTATION};
pub use energies::Energies;
pub use frame::{Frame, FrameBody, FrameCollider, FrameColumns, Quantity, SceneryKind};
pub use frame_analysis::FrameAnalysis;
pub use report::FrameReport;
pub use stage::{STAGES, Stage, StageTimes};
pub use statistics::{Statistics, statistics_columns};
pub use wanted::Wanted;

/// A column of a table of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name, unique in its table.
    pub name: String,
    /// Unit, empty for none.
    pub unit: &'static str,
}

impl Column {
    /// A column of a name and a unit.
    pub fn new(name: impl Into<String>, unit: &'static str) -> Self {
        Self {
            name: name.into(),
            unit,
        }
    }
}

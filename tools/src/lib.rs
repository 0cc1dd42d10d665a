//! Checks of this repository: which crate and room uses which, how large things are, whether the
//! documents say what is there, whether crates are ready to be published. They read files and know nothing of the engine.

pub mod docs;
pub mod golden;
pub mod layers;
pub mod manifests;
pub mod sizes;
mod source;
pub mod test_run;
mod violation;
mod workspace;

pub use source::Source;
pub use violation::{ToolError, Violation};
pub use workspace::{Member, Workspace};

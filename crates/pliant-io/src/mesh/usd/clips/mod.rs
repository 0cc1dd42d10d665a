//! Value clips: files that hold the samples of attributes, one after the other in time (OpenUSD, "Value Clips").
//!
//! A prim tells sets of clips in its dictionary `clips`: which files there are, from which time on each is active, how
//! times of the stage become times of the clips, and in a manifest which attributes of the prim and those below it they
//! have. What a layer says of an attribute is stronger than its clips, and these are stronger than weaker layers.
//!
//! | what | where |
//! | --- | --- |
//! | what layers tell of a set | `told` |
//! | files by a template | `template` |
//! | times of the stage and of clips | `timing` |
//! | files of sets | `library` |
//! | a set, its files, its samples | `set` |
//! | which attributes have their values from it | `spread` |
//! | what is told of it elsewhere | `retime` |

mod library;
mod retime;
mod set;
mod spread;
mod template;
mod timing;
mod told;

use std::rc::Rc;

use super::MeshProblem;
use super::layer::{Held, Prim, TimeShift};
use super::moment::Moment;
use crate::beside::Beside;
use set::{ClipSet, Wanted};

pub(super) use retime::retime;
pub(super) use spread::spread;
pub(super) use told::{Entry, SetOrder, ToldSet};

/// What an attribute has from clips.
#[derive(Clone, Debug)]
pub(super) struct FromClips {
    set: Rc<ClipSet>,
    wanted: Wanted,
    /// From the times of the set to those of the stage.
    pub(super) shift: TimeShift,
}

impl FromClips {
    /// The first and the last keyframe.
    ///
    /// # Errors
    /// If a clip cannot be read.
    pub(super) fn ends(&self, files: &Beside<'_>) -> Result<Vec<f64>, MeshProblem> {
        let ends = self.set.ends(&self.wanted, files)?;
        Ok(ends.map(|time| self.shift.apply(time)).to_vec())
    }

    /// The keyframes around a time; at rest the first one.
    fn around(&self, moment: Moment, files: &Beside<'_>) -> Result<Vec<(f64, Held)>, MeshProblem> {
        let mut samples = match moment {
            Moment::Rest => vec![self.set.first(&self.wanted, files)?],
            Moment::Code(code) => {
                let time = self.shift.undo(code);
                self.set.around(time, &self.wanted, files)?
            }
        };
        for (time, _) in &mut samples {
            *time = self.shift.apply(*time);
        }
        Ok(samples)
    }
}

/// Gives the attributes of a prim and those below it the keyframes around a time that clips have.
///
/// # Errors
/// If a clip cannot be read.
pub(super) fn look_at(
    prim: &mut Prim,
    moment: Moment,
    files: &Beside<'_>,
) -> Result<(), MeshProblem> {
    for (_, attribute) in &mut prim.attributes {
        if let Some(clips) = &attribute.clips {
            attribute.samples = clips.around(moment, files)?;
        }
    }
    let mut children = prim.children.iter_mut();
    children.try_for_each(|child| look_at(child, moment, files))
}

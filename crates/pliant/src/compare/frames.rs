//! The particle frames of two runs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pliant_io::export::{list_frames, read_frame};

use super::CompareError;
use super::particles::{AttributeDifference, FrameDifference};
use crate::run::OutputFolder;

/// The particle frames of two runs, compared.
#[derive(Clone, Debug)]
pub struct Frames {
    /// Numbers of the frames that each run has files of.
    pub numbers: [Vec<u32>; 2],
    /// Extension of each run's files, empty without any.
    pub formats: [String; 2],
    /// The frames that both have, numbers increasing.
    pub compared: Vec<FrameDifference>,
}

impl Frames {
    pub(super) fn compare(
        folders: [&OutputFolder; 2],
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Self, CompareError> {
        let [one, two] = folders;
        let one: BTreeMap<u32, PathBuf> = list_frames(&one.particles())?.into_iter().collect();
        let two: BTreeMap<u32, PathBuf> = list_frames(&two.particles())?.into_iter().collect();
        let both: Vec<(&PathBuf, &PathBuf)> = one
            .iter()
            .filter_map(|(number, path)| Some((path, two.get(number)?)))
            .collect();
        let mut compared = Vec::new();
        for (done, (one, two)) in both.iter().enumerate() {
            compared.push(FrameDifference::of(&read_frame(one)?, &read_frame(two)?));
            progress(done + 1, both.len());
        }
        Ok(Self {
            formats: [&one, &two].map(format),
            numbers: [one.into_keys().collect(), two.into_keys().collect()],
            compared,
        })
    }

    /// True if one run has no particle files at all.
    pub fn are_missing(&self) -> bool {
        self.numbers.iter().any(Vec::is_empty)
    }

    /// The first frame that differs.
    pub fn first_different(&self) -> Option<&FrameDifference> {
        self.compared.iter().find(|frame| !frame.is_identical())
    }

    /// True if all frames are the same, bit by bit, or one run has none.
    pub fn is_identical(&self) -> bool {
        self.are_missing() || self.numbers[0] == self.numbers[1] && self.first_different().is_none()
    }

    /// The greatest difference of each attribute over all frames, with its frame; attributes in the
    /// order of the files.
    pub fn greatest(&self) -> Vec<(&FrameDifference, &AttributeDifference)> {
        let mut found: Vec<(&FrameDifference, &AttributeDifference)> = Vec::new();
        for frame in &self.compared {
            for attribute in &frame.attributes {
                match found.iter_mut().find(|(_, a)| a.name == attribute.name) {
                    Some(greatest) if attribute.greatest.size > greatest.1.greatest.size => {
                        *greatest = (frame, attribute);
                    }
                    Some(_) => {}
                    None => found.push((frame, attribute)),
                }
            }
        }
        found
    }

    pub(super) fn greatest_relative(&self) -> f64 {
        if self.are_missing() {
            return 0.0;
        }
        if self.numbers[0] != self.numbers[1] {
            return f64::INFINITY;
        }
        let frames = self.compared.iter().map(FrameDifference::greatest_relative);
        frames.fold(0.0, f64::max)
    }
}

fn format(files: &BTreeMap<u32, PathBuf>) -> String {
    let extension = files.values().next().and_then(|path| path.extension());
    extension.map_or(String::new(), |e| e.to_string_lossy().into_owned())
}

//! What does not deform at all.

use super::LawKind;

/// Matter without a strain.
#[derive(Clone, Copy, Debug)]
pub struct Rigid;

impl Rigid {
    /// The only law of its family.
    pub const KIND: LawKind<Self> = LawKind {
        name: "rigid",
        doc: "Does not deform: a body of it moves and turns as a whole.",
        fields: &[],
        build: |_| Ok(Self),
    };
}

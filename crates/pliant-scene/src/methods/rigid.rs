//! `rigid` in scenes.

use pliant_core::methods::rigid::RIGID;
use pliant_materials::laws::Rigid;

use super::SceneMethod;

pub(super) const METHOD: SceneMethod = SceneMethod {
    name: "rigid",
    laws: || vec![Rigid::KIND.name],
    kind: |_| RIGID,
    support_radius: |_| 2.0,
    sampling: |_| "poisson",
    // They are made with their colliders, before all others.
    particles: |_, _| None,
};

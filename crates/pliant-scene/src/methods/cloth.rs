//! `cloth` in scenes.

use pliant_core::methods::cloth::CLOTH;
use pliant_materials::ClothLaw;

use super::SceneMethod;

pub(super) const METHOD: SceneMethod = SceneMethod {
    name: "cloth",
    laws: || vec![ClothLaw::NAME],
    kind: |_| CLOTH,
    support_radius: |_| 2.0,
    sampling: |_| "poisson",
    particles: |builder, item| builder.cloth(item),
};

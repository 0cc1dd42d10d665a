//! The switch to the corotated law, and lanes of packs.

use pliant_materials::laws::Corotated;
use pliant_materials::strain_energy::{ElasticEnergy, Response, response};
use pliant_materials::{SolidLaw, dispatch_solid_law};
use pliant_math::simd::{Instructions, Job, LANES, Mask, Pack, Row};
use pliant_math::{Matrix3, Real, signed_singular_values};
use proptest::prelude::*;

use crate::samples::{energy_and_stress, law, laws, matrix, stretched};

fn responding(law: SolidLaw, h: Matrix3) -> Response<Real> {
    dispatch_solid_law!(law, |law| response(&law, h))
}

/// Energy, stress and mask of sixteen displacement gradients.
struct InLanes<L>(L, [Matrix3; LANES]);

impl<L: ElasticEnergy> Job for InLanes<L> {
    type Output = (Row, [[Row; 3]; 3], u32);

    #[inline(always)]
    fn run<P: Pack>(self) -> Self::Output {
        let mut h = Matrix3::<P>::ZERO;
        for i in 0..3 {
            for j in 0..3 {
                h.rows[i][j] = P::from_lanes(self.1.map(|h| h.rows[i][j]));
            }
        }
        let found = response(&self.0, h);
        let mut energy = Row::ZERO;
        found.energy.store(&mut energy);
        let mut stress = [[Row::ZERO; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                found.stress.rows[i][j].store(&mut stress[i][j]);
            }
        }
        (energy, stress, found.is_crushed.bits())
    }
}

proptest! {
    #[test]
    fn every_lane_has_the_bits_of_a_single_number(
        h in prop::array::uniform16(matrix(1.0)), power in prop::array::uniform16(-5..1_i32),
    ) {
        let mut h = h;
        for (h, power) in h.iter_mut().zip(power) {
            *h = *h * (10.0 as Real).powi(power);
        }
        for (law, _) in laws() {
            for instructions in Instructions::available() {
                let (energy, stress, crushed) =
                    dispatch_solid_law!(law, |law| instructions.run(InLanes(law, h)));
                for lane in 0..LANES {
                    let single = responding(law, h[lane]);
                    prop_assert_eq!(single.energy.to_bits(), energy.0[lane].to_bits(), "{:?}", law);
                    prop_assert_eq!(single.is_crushed, crushed >> lane & 1 == 1);
                    for i in 0..3 {
                        for j in 0..3 {
                            let (x, y) = (single.stress.rows[i][j], stress[i][j].0[lane]);
                            prop_assert_eq!(x.to_bits(), y.to_bits(), "{:?} {}", law, instructions);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn crushed_material_follows_the_corotated_law_and_other_material_its_own(h in matrix(1.2)) {
        let [_, _, smallest] = signed_singular_values(h + Matrix3::IDENTITY).values;
        for (name, least) in [("neo-hookean", 0.3), ("stvk", 0.58)] {
            prop_assume!((smallest - least).abs() > 1e-4);
            let law = law(name, (1e6, 0.3));
            let found = responding(law, h);
            prop_assert_eq!(found.is_crushed, smallest < least);
            let moduli = dispatch_solid_law!(law, |law| law.moduli());
            let instead = SolidLaw::Corotated(Corotated { moduli });
            let expected = if smallest < least { instead } else { law };
            prop_assert_eq!((found.energy, found.stress), energy_and_stress(expected, h));
        }
    }
}

#[test]
fn laws_without_a_least_stretch_are_crushed_when_inverted() {
    for name in ["stable-neo-hookean", "corotated"] {
        let law = law(name, (1e6, 0.3));
        assert!(!responding(law, stretched([1.0, 1.0, 0.01])).is_crushed);
        assert!(responding(law, stretched([1.0, 1.0, -0.01])).is_crushed);
    }
}

#[test]
fn inverted_material_is_pushed_back() {
    for (law, _) in laws() {
        for stretch in [-0.5, -0.1, 0.1] {
            let found = responding(law, stretched([1.0, 1.0, stretch]));
            assert!(found.stress.rows[2][2] < 0.0, "{law:?} {stretch}");
        }
    }
}

//! Flow of bars, and what any flow keeps.

use std::ops::Deref;

use pliant_materials::laws::SaintVenantKirchhoff;
use pliant_materials::strain_energy::{
    ElasticEnergy, PlasticSplit, Plasticity, Response, response,
};
use pliant_materials::{LameModuli, Solid, dispatch_solid_law};
use pliant_math::simd::{Instructions, Job, LANES, Number, Pack, Row};
use pliant_math::{DMat3, Matrix3, Real, SymMat3, hencky_strain, signed_singular_values};
use pliant_parameters::Value;
use proptest::prelude::*;

use crate::samples::{
    MODULI, greatest, law, matrix, rotation, rounded, solid, stretched, tolerance, values,
};

const YOUNGS: f64 = 1e6;
const POISSONS: f64 = 0.3;
const SPLITS: [PlasticSplit; 2] = [PlasticSplit::Multiplicative, PlasticSplit::Additive];

/// The law of most tests here: a single one, because code of all laws takes long to compile.
fn stvk() -> SaintVenantKirchhoff {
    SaintVenantKirchhoff { moduli: moduli() }
}

fn moduli() -> LameModuli {
    LameModuli::from_youngs(YOUNGS, POISSONS)
}

/// Flow at a yield stress of 2 % of Young's modulus.
fn plasticity(split: PlasticSplit, share: Real) -> Flowing {
    let plasticity = Plasticity {
        yield_deviator: (0.02 * YOUNGS * (2.0_f64 / 3.0).sqrt()) as Real,
        flow_rate: 600.0,
        max_plastic_strain: 0.5,
        split,
    };
    Flowing { plasticity, share }
}

/// Plasticity of which a share of the excess flows in each substep.
#[derive(Clone, Copy)]
struct Flowing {
    plasticity: Plasticity,
    share: Real,
}

impl Deref for Flowing {
    type Target = Plasticity;

    fn deref(&self) -> &Plasticity {
        &self.plasticity
    }
}

impl Flowing {
    #[inline(always)]
    fn flow<N: Number>(
        &self,
        moduli: LameModuli,
        h: Matrix3<N>,
        history: SymMat3<N>,
    ) -> SymMat3<N> {
        self.plasticity.flow(moduli, h, history, self.share)
    }
}

fn responding(plasticity: &Plasticity, h: Matrix3, history: SymMat3) -> Response<Real> {
    plasticity.response(&stvk(), h, history)
}

/// A history that flow reaches.
fn history(plasticity: &Flowing, h: Matrix3) -> SymMat3 {
    let mut history = SymMat3::ZERO;
    for _ in 0..5 {
        history = plasticity.flow(moduli(), h, history);
    }
    history
}

/// Squared plastic stretch less one, `Cp - I`.
fn plastic_square(plasticity: &Plasticity, history: SymMat3) -> SymMat3 {
    match plasticity.split {
        PlasticSplit::Additive => history * 2.0,
        PlasticSplit::Multiplicative => {
            let inverse = history + SymMat3::IDENTITY;
            inverse.mul_commuting(inverse).inverse() - SymMat3::IDENTITY
        }
    }
}

/// The stretch across of a bar at a stretch along, its sides free.
fn across(plasticity: &Plasticity, along: f64, history: SymMat3) -> f64 {
    let (mut low, mut high) = (0.5, 1.5);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        let h = stretched([along, middle, middle]);
        if responding(plasticity, h, history).stress.rows[1][1] > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    0.5 * (low + high)
}

/// Stretch along and volume of a bar that was held at a stretch until it stopped flowing.
fn released(plasticity: &Flowing, grip: f64) -> [f64; 2] {
    let mut history = SymMat3::ZERO;
    for step in 0..400 {
        let along = 1.0 + (grip - 1.0) * (f64::from(step) / 200.0).min(1.0);
        let side = across(plasticity, along, history);
        history = plasticity.flow(moduli(), stretched([along, side, side]), history);
    }
    let square = plastic_square(plasticity, history) + SymMat3::IDENTITY;
    let along = f64::from(square.xx).sqrt();
    [along, f64::from(square.determinant()).sqrt()]
}

#[test]
fn a_bar_keeps_what_was_beyond_its_elastic_strain_and_its_volume() {
    for grip in [1.05, 1.1, 1.2] {
        // The logarithmic elastic strain that is left is the yield stress over Young's modulus, but
        // for the law's being quadratic in the Green strain when it frees the sides.
        let [kept, volume] = released(&plasticity(PlasticSplit::Multiplicative, 0.1), grip);
        let expected = grip * (-0.02_f64).exp();
        assert!((kept / expected - 1.0).abs() < 1e-3, "{grip}: {kept}");
        let slack = f64::from(tolerance(3e-6, 1e-13));
        assert!((volume - 1.0).abs() < slack, "{grip}: {volume}");
    }
}

#[test]
fn subtracted_strains_keep_the_same_length_and_lose_volume() {
    for grip in [1.05, 1.1, 1.2] {
        let [kept, volume] = released(&plasticity(PlasticSplit::Additive, 0.1), grip);
        // Half the squares of the stretches less one: the elastic one is that of the yield stress.
        let expected = f64::sqrt(grip * grip - 2.0 * 0.02);
        assert!((kept / expected - 1.0).abs() < 1e-4, "{grip}: {kept}");
        let expected = kept * (1.0 - 0.5 * (kept * kept - 1.0));
        let slack = f64::from(tolerance(3e-6, 1e-13));
        assert!((volume - expected).abs() < slack, "{grip}: {volume}");
    }
}

#[test]
fn a_bar_below_yield_springs_back() {
    for split in SPLITS {
        let plasticity = plasticity(split, 1.0);
        for along in [0.985, 1.015] {
            let side = across(&plasticity, along, SymMat3::ZERO);
            let h = stretched([along, side, side]);
            assert_eq!(plasticity.flow(moduli(), h, SymMat3::ZERO), SymMat3::ZERO);
        }
        let side = across(&plasticity, 1.03, SymMat3::ZERO);
        let h = stretched([1.03, side, side]);
        assert_ne!(plasticity.flow(moduli(), h, SymMat3::ZERO), SymMat3::ZERO);
    }
}

#[test]
fn flow_in_a_time_does_not_depend_on_the_substeps() {
    // Half of the excess is left after ln 2 / 600 of a second.
    let time = std::f64::consts::LN_2 / 600.0;
    let h = Matrix3::from_rows([[0.0, 0.06, 0.0], [0.0; 3], [0.0; 3]]);
    for split in SPLITS {
        let left = |substeps: u32| {
            let plasticity = plasticity(split, 0.0).plasticity;
            let share = plasticity.share(time / f64::from(substeps));
            let flow = |history, _| plasticity.flow(moduli(), h, history, share);
            let history = (0..substeps).fold(SymMat3::ZERO, flow);
            f64::from(plasticity.equivalent_strain(history))
        };
        let fine = left(64);
        for substeps in [1, 4, 16] {
            let error = left(substeps) / fine - 1.0;
            assert!(error.abs() < 5e-3, "{split:?} {substeps}: {error}");
        }
        let whole = f64::from(
            plasticity(split, 1.0)
                .flow(moduli(), h, SymMat3::ZERO)
                .norm(),
        );
        let half = plasticity(split, 0.5).flow(moduli(), h, SymMat3::ZERO);
        assert!((f64::from(half.norm()) / whole - 0.5).abs() < 0.01);
    }
}

#[test]
fn shear_in_a_plane_makes_none_in_the_others() {
    let h = Matrix3::from_rows([[0.0; 3], [0.0; 3], [0.0, 0.072, 0.0]]);
    for split in SPLITS {
        let plasticity = plasticity(split, 0.5);
        let once = plasticity.flow(moduli(), h, SymMat3::ZERO);
        let twice = plasticity.flow(moduli(), h, once);
        assert!(twice.yz != 0.0, "{split:?} {twice:?}");
        assert_eq!((twice.xy, twice.xz), (0.0, 0.0), "{split:?} {twice:?}");
    }
}

#[test]
fn pressure_makes_nothing_flow() {
    for split in SPLITS {
        let h = Matrix3::isotropic(-0.2);
        let flowed = plasticity(split, 1.0).flow(moduli(), h, SymMat3::ZERO);
        assert_eq!(flowed, SymMat3::ZERO);
    }
}

proptest! {
    #[test]
    fn without_history_the_response_is_that_of_the_law(h in matrix(0.5)) {
        let expected = response(&stvk(), h);
        for split in SPLITS {
            let found = responding(&plasticity(split, 0.1), h, SymMat3::ZERO);
            prop_assert_eq!(found.is_crushed, expected.is_crushed);
            prop_assert_eq!((found.energy, found.stress), (expected.energy, expected.stress));
        }
    }

    #[test]
    fn stress_is_the_derivative_of_the_energy_at_fixed_history(h in matrix(0.15), past in matrix(0.3)) {
        for split in SPLITS {
            let plasticity = plasticity(split, 0.1);
            let history = history(&plasticity, past);
            let found = responding(&plasticity, h, history);
            let step = tolerance(0.03, 1e-3);
            for (i, j) in [(0, 0), (0, 1), (2, 1)] {
                let moved = [-2.0, -1.0, 1.0, 2.0].map(|steps: Real| {
                    let mut moved = h;
                    moved.rows[i][j] += steps * step;
                    responding(&plasticity, moved, history)
                });
                // The energy jumps where material is crushed.
                prop_assume!(!found.is_crushed && !moved.iter().any(|m| m.is_crushed));
                let [far_below, below, above, far_above] = moved.map(|m| m.energy);
                let derivative = (8.0 * (above - below) - (far_above - far_below)) / (12.0 * step);
                let error = (derivative - found.stress.rows[i][j]).abs() / YOUNGS as Real;
                prop_assert!(error < tolerance(1e-3, 1e-9), "{split:?} {error:e}");
            }
        }
    }

    #[test]
    fn flow_comes_to_the_yield_surface_and_keeps_volume(h in matrix(0.15)) {
        let plasticity = plasticity(PlasticSplit::Multiplicative, 1.0);
        let history = plasticity.flow(moduli(), h, SymMat3::ZERO);
        let inverse = Matrix3::from(history) + Matrix3::IDENTITY;
        prop_assert!((inverse.determinant() - 1.0).abs() < 16.0 * Real::EPSILON);
        let elastic = (h + Matrix3::IDENTITY) * inverse - Matrix3::IDENTITY;
        let deviator = hencky_strain(elastic.green_strain() * 2.0).deviator().norm();
        let greatest = plasticity.yield_deviator / (2.0 * moduli().shear_modulus);
        prop_assert!(deviator <= greatest * (1.0 + tolerance(2e-4, 1e-12)), "{deviator} {greatest}");
    }

    #[test]
    fn flow_never_raises_the_energy(h in matrix(0.3), past in matrix(0.3), share in 0.05..1.0_f64) {
        // Laws whose stresses have the order of their stretches under any pressure, which that of
        // stvk has not; there it is the subtracted strain that the energy is quadratic in.
        for (name, split) in [
            ("neo-hookean", PlasticSplit::Multiplicative),
            ("stable-neo-hookean", PlasticSplit::Multiplicative),
            ("stvk", PlasticSplit::Additive),
        ] {
            let (plasticity, law) = (plasticity(split, share as Real), law(name, (YOUNGS, POISSONS)));
            let before = history(&plasticity, past);
            let after = plasticity.flow(moduli(), h, before);
            let [before, after] = [before, after]
                .map(|history| dispatch_solid_law!(law, |law| plasticity.response(&law, h, history)));
            prop_assume!(!before.is_crushed && !after.is_crushed);
            let slack = tolerance(1e-5, 1e-13) * YOUNGS as Real;
            prop_assert!(after.energy <= before.energy + slack, "{name} {before:?} {after:?}");
        }
    }

    #[test]
    fn flow_sees_no_rotation_after(h in matrix(0.3), past in matrix(0.3), q in rotation()) {
        let turned = rounded(q) * h + rounded(q - DMat3::IDENTITY);
        for split in SPLITS {
            let plasticity = plasticity(split, 0.5);
            let before = history(&plasticity, past);
            let [a, b] = [h, turned].map(|h| plasticity.flow(moduli(), h, before));
            prop_assert!((a - b).norm() < tolerance(2e-5, 1e-13), "{split:?} {a:?} {b:?}");
        }
    }

    #[test]
    fn plastic_strain_is_bounded_by_max_plastic_strain(h in matrix(1.0)) {
        let [_, _, least] = signed_singular_values(h + Matrix3::IDENTITY).values;
        prop_assume!(least > 0.1);
        for split in SPLITS {
            let mut plasticity = plasticity(split, 1.0);
            plasticity.plasticity.max_plastic_strain = 0.3;
            let history = history(&plasticity, h);
            let equivalent = plasticity.equivalent_strain(history);
            prop_assert!(equivalent <= Real::sqrt(2.0 / 3.0) * 0.3 * 1.0001, "{equivalent}");
            let stress = responding(&plasticity, h, history).stress;
            prop_assert!(stress.is_finite() && greatest(stress) < 100.0 * YOUNGS as Real);
        }
    }

    #[test]
    fn every_lane_flows_as_a_single_number(h in prop::array::uniform16(matrix(0.4))) {
        for split in SPLITS {
            let plasticity = plasticity(split, 0.5);
            for instructions in Instructions::available() {
                let (flowed, energy) = instructions.run(InLanes(plasticity, h));
                for lane in 0..LANES {
                    let single = plasticity.flow(moduli(), h[lane], SymMat3::ZERO);
                    let again = plasticity.flow(moduli(), h[lane], single);
                    for (x, row) in again.components().into_iter().zip(&flowed) {
                        prop_assert_eq!(x.to_bits(), row.0[lane].to_bits());
                    }
                    let found = responding(&plasticity, h[lane], again);
                    prop_assert_eq!(found.energy.to_bits(), energy.0[lane].to_bits());
                }
            }
        }
    }
}

/// The history after two substeps at sixteen displacement gradients, and the energy.
struct InLanes(Flowing, [Matrix3; LANES]);

impl Job for InLanes {
    type Output = ([Row; 6], Row);

    #[inline(always)]
    fn run<P: Pack>(self) -> Self::Output {
        let mut h = Matrix3::<P>::ZERO;
        for i in 0..3 {
            for j in 0..3 {
                h.rows[i][j] = P::from_lanes(self.1.map(|h| h.rows[i][j]));
            }
        }
        let mut history = SymMat3::ZERO;
        for _ in 0..2 {
            history = self.0.flow(moduli(), h, history);
        }
        let found = self.0.response(&stvk(), h, history);
        let (mut rows, mut energy) = ([Row::ZERO; 6], Row::ZERO);
        for (row, component) in rows.iter_mut().zip(history.components()) {
            component.store(row);
        }
        found.energy.store(&mut energy);
        (rows, energy)
    }
}

#[test]
fn long_flow_back_and_forth_keeps_volume() {
    let plasticity = plasticity(PlasticSplit::Multiplicative, 0.1);
    let mut history = SymMat3::ZERO;
    for step in 0..20_000 {
        let shear = 0.3 * (f64::from(step) * 0.01).sin() as Real;
        let h = Matrix3::from_rows([[0.0, shear, 0.0], [0.0, 0.0, 0.5 * shear], [0.0; 3]]);
        history = plasticity.flow(moduli(), h, history);
    }
    let volume = (history + SymMat3::IDENTITY).determinant();
    assert!((volume - 1.0).abs() < 16.0 * Real::EPSILON, "{volume}");
    assert!(plasticity.equivalent_strain(history) > 0.01);
}

#[test]
fn every_law_flows_and_says_so() {
    for kind in Solid::KINDS {
        let elastic = solid(kind.name, MODULI[0], &[]);
        assert_eq!(elastic.plasticity, None);
        let given = [
            ("yield_stress", Value::Number(3e4)),
            ("flow_rate", Value::Number(250.0)),
        ];
        let plastic = solid(kind.name, MODULI[0], &given)
            .plasticity
            .expect("it flows");
        assert!(
            (f64::from(plastic.yield_deviator) / (3e4 * (2.0_f64 / 3.0).sqrt()) - 1.0).abs() < 1e-6
        );
        assert_eq!(
            (plastic.flow_rate, plastic.max_plastic_strain),
            (250.0, 0.5)
        );
        assert_eq!(plastic.split, PlasticSplit::Multiplicative);
    }
}

#[test]
fn contradicting_values_are_refused() {
    let kind = Solid::KINDS
        .iter()
        .find(|kind| kind.name == "stvk")
        .expect("registered");
    let number = |name, x| (name, Value::Number(x));
    let additive = ("plastic_split", Value::Text("additive".into()));
    let yields = number("yield_deviator", 3e4);
    let both = values(
        kind,
        MODULI[0],
        &[yields.clone(), number("yield_stress", 3e4)],
    );
    assert_eq!(problem(kind.build, &both), "yield_deviator");
    let far = number("max_plastic_strain", 0.6);
    let long = values(kind, MODULI[0], &[yields.clone(), far, additive.clone()]);
    assert_eq!(problem(kind.build, &long), "max_plastic_strain");
    let near = values(kind, MODULI[0], &[yields, additive]);
    let built = (kind.build)(&near).expect("it goes together");
    assert_eq!(
        built.plasticity.map(|p| p.split),
        Some(PlasticSplit::Additive)
    );
}

type Build = fn(&pliant_parameters::Values) -> Result<Solid, pliant_parameters::Problem>;

fn problem(build: Build, values: &pliant_parameters::Values) -> String {
    let problem = build(values).expect_err("it is refused");
    problem.key.expect("it names its key")
}

#[test]
fn moduli_of_a_solid_are_those_given() {
    for (youngs, poissons) in MODULI {
        for kind in Solid::KINDS {
            let solid = solid(kind.name, (youngs, poissons), &[]);
            let expected = LameModuli::from_youngs(youngs, poissons);
            assert_eq!(solid.moduli(), expected);
            assert_eq!(
                solid.greatest_stiffness(),
                expected.compression_wave_modulus()
            );
            let of_law = dispatch_solid_law!(solid.law, |law| law.moduli());
            assert_eq!(of_law, expected);
        }
    }
}

//! What every law promises, checked for each row of the registry.

use pliant_materials::{HenckyLaw, LawKind, ReturnMapping, dispatch_hencky_law};
use pliant_math::simd::{Instructions, Job, LANES, Pack, Row};
use pliant_math::{DMat3, DQuat, Mat3, Real, SymMat3};
use pliant_parameters::{Preset, Problem, Value, Values};
use proptest::prelude::*;

const DT: Real = 1e-3;

/// A law with parameters, and which of the optional properties it has with them.
struct Sample {
    law: HenckyLaw,
    /// Projecting a result again, with its new state, changes nothing.
    is_idempotent: bool,
    /// Projection never raises the elastic energy.
    never_gains_energy: bool,
    /// Strain outside the surface flows back to it at a rate, not at once.
    flows_with_time: bool,
}

/// Parameter sets of every law in the registry. A law without one fails here: add a line.
fn samples() -> Vec<Sample> {
    HenckyLaw::KINDS.iter().flat_map(samples_of).collect()
}

fn samples_of(kind: &LawKind<HenckyLaw>) -> Vec<Sample> {
    let stiff = ("youngs_modulus", 1e6);
    let plain = |given: &[(&str, f64)]| Sample {
        law: (kind.build)(&values(kind, given)).expect("sample parameters are valid"),
        is_idempotent: true,
        never_gains_energy: true,
        flows_with_time: false,
    };
    let flowing = |given: &[(&str, f64)]| Sample {
        is_idempotent: false,
        flows_with_time: true,
        ..plain(given)
    };
    let surface = |name: &str, angle: f64| {
        let mut values = values(kind, &[stiff, ("friction_angle", angle)]);
        values.insert("yield_surface", Value::Text(name.into()));
        Sample {
            law: (kind.build)(&values).expect("sample parameters are valid"),
            ..plain(&[stiff, ("friction_angle", angle)])
        }
    };
    match kind.name {
        "elastic" => vec![
            plain(&[stiff]),
            plain(&[stiff, ("poissons_ratio", -0.4)]),
            plain(&[("youngs_modulus", 10.0), ("poissons_ratio", 0.49)]),
        ],
        "von-mises" => vec![
            plain(&[stiff, ("yield_stress", 1e3)]),
            plain(&[stiff, ("yield_deviator", 1e5), ("poissons_ratio", 0.0)]),
            plain(&[("youngs_modulus", 2e11), ("yield_stress", 2.5e8)]),
        ],
        "drucker-prager" => vec![
            plain(&[stiff, ("friction_angle", 30.0)]),
            plain(&[stiff, ("friction_angle", 0.0)]),
            plain(&[stiff, ("friction_angle", 88.0), ("poissons_ratio", 0.45)]),
            plain(&[
                stiff,
                ("friction_angle", 20.0),
                ("cohesion", 3e3),
                ("volume_correction", 0.0),
            ]),
            Sample {
                // Volume that comes back is pressed from the tip, which holds tension: the strain
                // that counts is the trial strain with the gain, not the trial strain alone.
                never_gains_energy: false,
                ..plain(&[stiff, ("friction_angle", 40.0), ("cohesion_strain", 0.01)])
            },
            surface("matsuoka-nakai", 0.0),
            surface("matsuoka-nakai", 30.0),
            surface("matsuoka-nakai", 88.0),
            surface("mohr-coulomb", 0.0),
            surface("mohr-coulomb", 40.0),
            surface("mohr-coulomb", 88.0),
        ],
        "herschel-bulkley" => vec![
            flowing(&[stiff, ("yield_stress", 1e3), ("consistency", 20.0)]),
            flowing(&[
                stiff,
                ("yield_deviator", 50.0),
                ("flow_index", 0.3),
                ("consistency_deviator", 10.0),
            ]),
            flowing(&[
                ("youngs_modulus", 15e3),
                ("poissons_ratio", 0.475),
                ("yield_deviator", 50.0),
                ("flow_index", 3.0),
                ("consistency_deviator", 10.0),
            ]),
        ],
        "cam-clay" => cam_clay_samples(plain),
        "snow" => snow_samples(plain),
        other => panic!("no sample parameters for the law '{other}'"),
    }
}

/// Softening shrinks the surface: the result is outside of it at the new state.
fn cam_clay_samples(plain: impl Fn(&[(&str, f64)]) -> Sample) -> Vec<Sample> {
    let stiff = ("youngs_modulus", 1e6);
    vec![
        Sample {
            is_idempotent: false,
            ..plain(&[stiff, ("critical_state_slope", 2.36)])
        },
        Sample {
            is_idempotent: false,
            ..plain(&[
                stiff,
                ("critical_state_slope", 1.85),
                ("cohesion_ratio", 0.05),
                ("hardening", 30.0),
            ])
        },
        Sample {
            is_idempotent: false,
            ..plain(&[
                stiff,
                ("critical_state_slope", 1.2),
                ("cohesion_ratio", 0.0),
                ("initial_volume_strain", 0.0),
            ])
        },
    ]
}

/// A stretched direction that is limited under all-round pressure costs volume, and energy.
fn snow_samples(plain: impl Fn(&[(&str, f64)]) -> Sample) -> Vec<Sample> {
    let stiff = ("youngs_modulus", 1e6);
    vec![
        Sample {
            never_gains_energy: false,
            ..plain(&[stiff])
        },
        Sample {
            never_gains_energy: false,
            ..plain(&[
                stiff,
                ("critical_compression", 0.3),
                ("critical_stretch", 0.0),
                ("hardening", 5.0),
            ])
        },
    ]
}

/// The given values over the defaults; a flag is given as 0 or 1.
fn values(kind: &LawKind<HenckyLaw>, given: &[(&str, f64)]) -> Values {
    let mut values = Values::default();
    for field in kind.fields {
        let written = given.iter().find(|(name, _)| *name == field.name);
        match (field.default, written) {
            (Preset::Flag(default), w) => {
                let flag = w.map_or(default, |(_, number)| *number != 0.0);
                values.insert(field.name, Value::Flag(flag));
            }
            (_, Some((_, number))) => values.insert(field.name, Value::Number(*number)),
            (Preset::Number(default), None) => values.insert(field.name, Value::Number(default)),
            (_, None) => {}
        }
    }
    values
}

fn problem_of(name: &str, given: &[(&str, f64)]) -> Problem {
    let kind = HenckyLaw::KINDS.iter().find(|k| k.name == name).unwrap();
    (kind.build)(&values(kind, given)).expect_err("parameters contradict each other")
}

fn project(law: &HenckyLaw, trial: SymMat3, state: Real) -> (SymMat3, Real) {
    dispatch_hencky_law!(law, |law| law.project(trial, state, DT))
}

/// The projection of a row of strains: components, states and stiffness factors.
struct ProjectPack {
    law: HenckyLaw,
    trials: [Row; 6],
    states: Row,
}

impl Job for ProjectPack {
    type Output = [Row; 8];

    fn run<P: Pack>(self) -> [Row; 8] {
        let trial = SymMat3::from_components(self.trials.map(|row| P::load(&row)));
        let state = P::load(&self.states);
        let (strain, state, factor) = dispatch_hencky_law!(&self.law, |law| {
            let (strain, state) = law.project(trial, state, DT);
            (strain, state, law.stiffness_factor(state))
        });
        let [xx, yy, zz, xy, xz, yz] = strain.components();
        [xx, yy, zz, xy, xz, yz, state, factor].map(|pack| {
            let mut row = Row::ZERO;
            pack.store(&mut row);
            row
        })
    }
}

fn yield_excess(law: &HenckyLaw, strain: SymMat3, state: Real) -> Real {
    dispatch_hencky_law!(law, |law| law.yield_excess(strain, state))
}

fn energy_density(law: &HenckyLaw, strain: SymMat3) -> Real {
    dispatch_hencky_law!(law, |law| law.elasticity().energy_density(strain))
}

fn initial_state(law: &HenckyLaw) -> Real {
    dispatch_hencky_law!(law, |law| law.initial_state())
}

/// Stress [Pa] of a unit strain, as a scale for rounding.
fn stiffness(law: &HenckyLaw) -> Real {
    let elasticity = dispatch_hencky_law!(law, |law| law.elasticity());
    2.0 * elasticity.shear_modulus + 3.0 * elasticity.bulk_modulus()
}

/// Strains from far below any yield strain to tearing, plus any pressure.
fn strain() -> impl Strategy<Value = SymMat3> {
    (
        prop::array::uniform6(-1.0..1.0_f64),
        -1.0..1.0_f64,
        -6..1_i32,
    )
        .prop_map(|(components, mean, power)| {
            let size = 3.0 * 10.0_f64.powi(power);
            let [a, b, c, d, e, f] = components.map(|x| (size * x) as Real);
            SymMat3::new(a, b, c, d, e, f) + SymMat3::isotropic((size * mean) as Real)
        })
}

/// A state the law can be in: after a strain from its initial state.
fn reached_state(law: &HenckyLaw, history: SymMat3) -> Real {
    project(law, history, initial_state(law)).1
}

fn rotation() -> impl Strategy<Value = Mat3> {
    prop::array::uniform4(-1.0..1.0_f64)
        .prop_filter("too short to normalise", |q| {
            q.iter().map(|x| x * x).sum::<f64>() > 0.01
        })
        .prop_map(|q| {
            let matrix = DMat3::from_quat(DQuat::from_array(q).normalize());
            Mat3::from_cols_array(&matrix.to_cols_array().map(|x| x as Real))
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn projection_ends_inside_the_surface(trial in strain(), history in strain()) {
        for Sample { law, .. } in samples().into_iter().filter(|s| !s.flows_with_time) {
            let state = reached_state(&law, history);
            let (found, _) = project(&law, trial, state);
            let size = trial.norm() + found.norm() + state.abs();
            let excess = yield_excess(&law, found, state);
            prop_assert!(
                excess <= 16.0 * Real::EPSILON * stiffness(&law) * size,
                "{law:?} {found:?}: {excess} Pa outside"
            );
        }
    }

    #[test]
    fn strain_inside_the_surface_stays_to_the_bit(trial in strain()) {
        for Sample { law, .. } in samples() {
            let state = initial_state(&law);
            let rounding = 16.0 * Real::EPSILON * stiffness(&law) * trial.norm();
            if yield_excess(&law, trial, state) < -rounding {
                prop_assert_eq!(project(&law, trial, state), (trial, state), "{:?}", law);
            }
        }
    }

    #[test]
    fn strain_outside_the_surface_is_taken_onto_it(trial in strain()) {
        for Sample { law, flows_with_time, .. } in samples() {
            let state = initial_state(&law);
            let rounding = 16.0 * Real::EPSILON * stiffness(&law) * trial.norm();
            let before = yield_excess(&law, trial, state);
            if before > rounding {
                let (found, _) = project(&law, trial, state);
                let excess = yield_excess(&law, found, state);
                let nearest = if flows_with_time { before } else { 0.0 };
                prop_assert!(
                    -rounding <= excess && excess <= nearest + rounding,
                    "{law:?} {found:?}: {excess} Pa off"
                );
            }
        }
    }

    #[test]
    fn every_lane_has_the_bits_of_a_single_strain(
        strains in prop::collection::vec((strain(), strain()), LANES),
    ) {
        for Sample { law, .. } in samples() {
            let (mut trials, mut states) = ([Row::ZERO; 6], Row::ZERO);
            for (lane, (trial, history)) in strains.iter().enumerate() {
                states.0[lane] = reached_state(&law, *history);
                for (row, component) in trials.iter_mut().zip(trial.components()) {
                    row.0[lane] = component;
                }
            }
            for instructions in Instructions::available() {
                let found = instructions.run(ProjectPack { law, trials, states });
                for (lane, (trial, _)) in strains.iter().enumerate() {
                    let (strain, state) = project(&law, *trial, states.0[lane]);
                    let factor = dispatch_hencky_law!(&law, |law| law.stiffness_factor(state));
                    let [xx, yy, zz, xy, xz, yz] = strain.components();
                    let single = [xx, yy, zz, xy, xz, yz, state, factor];
                    let of_pack = found.map(|row| row.0[lane]);
                    prop_assert_eq!(
                        of_pack.map(Real::to_bits), single.map(Real::to_bits),
                        "{:?} {}: {:?} {:?}", law, instructions.name(), of_pack, single
                    );
                }
            }
        }
    }

    #[test]
    fn projection_turns_with_the_strain(
        trial in strain(), history in strain(), q in rotation(),
    ) {
        for Sample { law, .. } in samples() {
            let state = reached_state(&law, history);
            let state_at = |factor: Real| project(&law, trial * factor, state).1;
            let jump = (state_at(1.0 + 1e-4) - state_at(1.0 - 1e-4)).abs();
            if jump > 2e-3 * trial.norm() {
                continue; // On an edge where the state changes at once, rounding decides.
            }
            let (found, new_state) = project(&law, trial, state);
            let (turned, turned_state) = project(&law, trial.congruence(q), state);
            let tolerance = 1024.0 * Real::EPSILON * (trial.norm() + state.abs());
            prop_assert!(
                (turned - found.congruence(q)).norm() <= tolerance,
                "{law:?} {trial:?} {turned:?}"
            );
            prop_assert!((turned_state - new_state).abs() <= tolerance, "{law:?}");
        }
    }

    #[test]
    fn projecting_twice_is_projecting_once(trial in strain(), history in strain()) {
        for Sample { law, .. } in samples().into_iter().filter(|s| s.is_idempotent) {
            let state = reached_state(&law, history);
            let once = project(&law, trial, state);
            let twice = project(&law, once.0, once.1);
            let tolerance = 32.0 * Real::EPSILON * (trial.norm() + state.abs());
            prop_assert!((twice.0 - once.0).norm() <= tolerance, "{law:?} {once:?} {twice:?}");
            prop_assert!((twice.1 - once.1).abs() <= tolerance, "{law:?} {once:?} {twice:?}");
        }
    }

    #[test]
    fn projection_takes_energy_or_leaves_it(trial in strain(), history in strain()) {
        for Sample { law, .. } in samples().into_iter().filter(|s| s.never_gains_energy) {
            let (found, _) = project(&law, trial, reached_state(&law, history));
            let (before, after) = (energy_density(&law, trial), energy_density(&law, found));
            let rounding = 32.0 * Real::EPSILON * stiffness(&law) * trial.dot(trial);
            prop_assert!(after <= before + rounding, "{law:?}: {before} to {after}");
        }
    }

    #[test]
    fn stress_is_the_derivative_of_energy(at in strain(), along in strain()) {
        for Sample { law, .. } in samples() {
            let elasticity = dispatch_hencky_law!(&law, |law| law.elasticity());
            // The energy is quadratic, so a central difference of any width is exact.
            let step = along * (at.norm() / along.norm());
            let gain = elasticity.energy_density(at + step) - elasticity.energy_density(at - step);
            let work = 2.0 * elasticity.kirchhoff_stress(at).dot(step);
            let rounding = 64.0 * Real::EPSILON * stiffness(&law) * at.dot(at);
            prop_assert!((gain - work).abs() <= rounding, "{law:?}: {gain} {work}");
        }
    }

    #[test]
    fn constraint_is_the_root_of_twice_the_energy(at in strain()) {
        for Sample { law, .. } in samples() {
            let elasticity = dispatch_hencky_law!(&law, |law| law.elasticity());
            let (c, energy) = (elasticity.constraint(at), elasticity.energy_density(at));
            prop_assert!((0.5 * c * c - energy).abs() <= 8.0 * Real::EPSILON * energy);
        }
    }
}

#[test]
fn projection_is_finite_for_any_strain_a_step_can_make() {
    let sizes = [0.0, 1e-30, 1e-12, 1.0, 1e3, 1e12, 1e20, 1e30];
    let shapes = [
        SymMat3::IDENTITY,
        SymMat3::IDENTITY * -1.0,
        SymMat3::diagonal(1.0, -1.0, 0.0),
        SymMat3::diagonal(0.0, 0.0, -1.0),
        SymMat3::new(-0.3, -0.2, -0.1, 1.0, -1.0, 1.0),
        SymMat3::new(0.3, 0.2, 0.1, 1e-10, -1.0, 1e-10),
    ];
    for Sample { law, .. } in samples() {
        for trial in sizes.iter().flat_map(|s| shapes.map(|shape| shape * *s)) {
            for history in shapes {
                let state = reached_state(&law, history);
                let (found, new_state) = project(&law, trial, state);
                assert!(
                    found.is_finite() && new_state.is_finite(),
                    "{law:?} {trial:?}"
                );
                assert!(!yield_excess(&law, found, new_state).is_nan(), "{law:?}");
                let factor = dispatch_hencky_law!(&law, |law| law.stiffness_factor(new_state));
                assert!(factor.is_finite() && factor > 0.0, "{law:?} {new_state}");
            }
        }
    }
}

#[test]
fn strainless_material_stays_as_it_is() {
    for Sample { law, .. } in samples() {
        let state = initial_state(&law);
        let (found, new_state) = project(&law, SymMat3::ZERO, state);
        assert_eq!((found, new_state), (SymMat3::ZERO, state), "{law:?}");
    }
}

#[test]
fn names_are_kebab_case_and_unique() {
    let names: Vec<&str> = HenckyLaw::KINDS.iter().map(|kind| kind.name).collect();
    for (i, name) in names.iter().enumerate() {
        assert!(
            name.chars().all(|c| c.is_ascii_lowercase() || c == '-'),
            "{name}"
        );
        assert!(!names[..i].contains(name), "{name} twice");
    }
}

#[test]
fn moduli_beyond_single_precision_are_refused_by_every_law() {
    for kind in HenckyLaw::KINDS {
        let given = [
            ("youngs_modulus", 1e40),
            ("yield_stress", 1.0),
            ("friction_angle", 30.0),
            ("critical_state_slope", 1.2),
            ("consistency", 1.0),
        ];
        let Err(problem) = (kind.build)(&values(kind, &given)) else {
            panic!("'{}' takes a Young's modulus of 1e40 Pa", kind.name);
        };
        assert_eq!(problem.key.as_deref(), Some("youngs_modulus"));
        assert!(problem.message.contains("1e40"), "{problem}");
    }
}

#[test]
fn yield_must_be_given_exactly_once() {
    let stiff = ("youngs_modulus", 1e6);
    let neither = problem_of("von-mises", &[stiff]);
    assert!(neither.message.contains("yield_stress") && neither.message.contains("yield_deviator"));
    let both = problem_of(
        "von-mises",
        &[stiff, ("yield_stress", 7.0), ("yield_deviator", 5.0)],
    );
    assert!(
        both.message.contains('7') && both.message.contains('5'),
        "{both}"
    );
}

#[test]
fn cohesion_must_be_given_at_most_once_and_within_reach() {
    let sand = [("youngs_modulus", 1e6), ("friction_angle", 30.0)];
    let with = |more: &[(&str, f64)]| problem_of("drucker-prager", &[&sand, more].concat());
    let both = with(&[("cohesion", 7.0), ("cohesion_strain", 0.5)]);
    assert!(
        both.message.contains('7') && both.message.contains("0.5"),
        "{both}"
    );
    let beyond = with(&[("cohesion", 1e9)]);
    assert_eq!(beyond.key.as_deref(), Some("cohesion"));
    assert!(beyond.message.contains("1e9"), "{beyond}");
}

//! Probes on worlds whose numbers are known.

use pliant_core::measure::probes::{KINDS, Probe, ProbeContext};
use pliant_core::measure::{FrameBuffers, FrameReport, Statistics, statistics_columns};
use pliant_core::methods::fluid::FLUID;
use pliant_core::methods::springs::SPRINGS;
use pliant_core::methods::xpbi::XpbiColumns;
use pliant_core::world::{Setup, World};
use pliant_geometry::{MeshSource, TriangleMesh};
use pliant_math::{DVec3, SymMat3};
use pliant_parameters::{Preset, Problem, Value, Values};

use crate::blocks::{block, body, setup};

struct NoMeshes;

impl MeshSource for NoMeshes {
    fn mesh(&self, file: &str) -> Result<std::sync::Arc<TriangleMesh>, Problem> {
        Err(Problem::at("file", file, "none"))
    }
}

/// What a probe with its defaults and some values measures.
pub fn measured(name: &str, given: &[(&str, Value)], world: &World) -> Vec<f64> {
    let probe = built(name, given, &world.setup).expect("a sound probe");
    let numbers = probe.measure(world, &FrameReport::default());
    assert_eq!(numbers.len(), probe.columns().len());
    numbers
}

/// A probe with its defaults and some values.
pub fn built(
    name: &str,
    given: &[(&str, Value)],
    setup: &Setup,
) -> Result<Box<dyn Probe>, Problem> {
    let kind = KINDS
        .iter()
        .find(|k| k.name == name)
        .expect("it is registered");
    let mut values = Values::default();
    for field in kind.fields {
        let preset = match field.default {
            Preset::Number(x) => Value::Number(x),
            Preset::Integer(i) => Value::Integer(i),
            Preset::Vector(list) => Value::List(list.iter().map(|x| Value::Number(*x)).collect()),
            _ => continue,
        };
        values.insert(field.name, preset);
    }
    for (key, value) in given {
        values.insert(*key, value.clone());
    }
    let context = ProbeContext {
        setup,
        up: 1,
        meshes: &NoMeshes,
    };
    (kind.build)(&values, context)
}

/// Three cubes of 27 particles of spacing 0.1 m in a row, 0.45 m from centre to centre, and a stray.
fn cubes() -> Setup {
    let cube = |k: usize| {
        let corner = DVec3::X * (0.45 * k as f64);
        block(0, [3; 3], 0.1, corner, DVec3::X * k as f64)
    };
    let stray = body(0, 0.1, vec![DVec3::Y * 9.0], DVec3::ZERO);
    setup(vec![cube(0), cube(1), cube(2), stray])
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6 * (1.0 + b.abs())
}

#[test]
fn fragments_are_counted_with_and_without_strays() {
    let world = World::new(cubes());
    // Their faces' particles are 0.25 m apart, the kernel reaches 0.2 m.
    let share = 27.0 / 82.0;
    let all = measured("fragments", &[], &world);
    assert!(all[0] == 4.0 && near(all[1], share), "{all:?}");
    let large = measured("fragments", &[("least", Value::Integer(2))], &world);
    assert_eq!(large[0], 3.0);
    let joined = measured("fragments", &[("distance", Value::Number(2.6))], &world);
    assert!(
        joined[0] == 2.0 && near(joined[1], 3.0 * share),
        "{joined:?}"
    );
    let loose = measured("fragments", &[("distance", Value::Number(0.9))], &world);
    assert_eq!(loose[0], 82.0);
    let one = measured("fragments", &[("body", Value::Text("body".into()))], &world);
    assert_eq!(one, [1.0, 1.0]);
}

#[test]
fn statistics_and_frames_contain_the_fragments() {
    let world = World::new(cubes());
    let row = Statistics::of(&world, &FrameReport::default()).row();
    let of = |name: &str| {
        let columns = statistics_columns();
        row[columns.iter().position(|c| c.name == name).unwrap()]
    };
    assert_eq!([of("fragments"), of("fragments_large")], [4.0, 4.0]);
    assert!(near(of("fragment_share_max"), 27.0 / 82.0));
    let mut buffers = FrameBuffers::default();
    buffers.update(&world);
    let frame = buffers.frame();
    // Each piece has the name of its first particle.
    let expected = (0..82).map(|i| (i / 27 * 27) as f32);
    assert!(expected.eq(frame.quantity("fragment").unwrap().values.iter().copied()));
}

#[test]
fn bodies_that_share_no_neighbors_are_separate_fragments() {
    let two = || {
        let cube = |k: usize| block(0, [3; 3], 0.1, DVec3::X * (0.3 * k as f64), DVec3::ZERO);
        setup(vec![cube(0), cube(1)])
    };
    let count = |setup| measured("fragments", &[], &World::new(setup))[0];
    assert_eq!(count(two()), 1.0);
    let mut apart = two();
    apart.bodies[1].shares_neighbors = false;
    assert_eq!(count(apart), 2.0);
}

#[test]
fn neighbor_distances_are_those_of_the_lattice_and_of_a_pair_that_is_nearer() {
    let mut world = World::new(cubes());
    let distances = measured("neighbor-distance", &[], &world);
    assert!(
        near(distances[0], 0.1) && near(distances[1], 0.1),
        "{distances:?}"
    );
    assert!(near(distances[2], 0.0), "{distances:?}");
    // The stray joins a corner of the first cube from outside, two particles at 0.04 m.
    let last = world.state.particles.len() - 1;
    world.state.particles.position[last] = DVec3::splat(0.05) - DVec3::X * 0.04;
    let distances = measured("neighbor-distance", &[], &world);
    let mean = (80.0 * 0.1 + 2.0 * 0.04) / 82.0;
    let variance =
        (80.0 * (0.1 - mean) * (0.1 - mean) + 2.0 * (mean - 0.04) * (mean - 0.04)) / 82.0;
    assert!(
        near(distances[0], 0.04) && near(distances[1], mean),
        "{distances:?}"
    );
    assert!(near(distances[2], variance.sqrt()), "{distances:?}");
}

#[test]
fn kernel_densities_are_one_in_a_lattice_and_less_for_what_is_alone() {
    let size = [7; 3];
    let lattice = block(2, size, 0.1, DVec3::ZERO, DVec3::ZERO);
    let stray = body(2, 0.1, vec![DVec3::Y * 9.0], DVec3::ZERO);
    let world = World::new(setup(vec![lattice, stray]));
    let density = measured("kernel-density", &[], &world);
    assert!((density[0] - 1.0).abs() < 6e-3, "{density:?}");
    assert!((0.6..0.9).contains(&density[1]), "{density:?}");
    let mut alone = World::new(setup(vec![body(2, 0.1, vec![DVec3::ZERO], DVec3::ZERO)]));
    // 21/(16 pi) of the densest packing's 1.04.
    let density = measured("kernel-density", &[], &alone);
    assert!((density[0] - 0.404).abs() < 5e-3, "{density:?}");
    alone.state.particles.position[0] = DVec3::splat(-7.3);
    assert_eq!(measured("kernel-density", &[], &alone), density);
}

#[test]
fn stretches_are_those_of_the_strain() {
    let mut world = World::new(cubes());
    assert_eq!(measured("stretch", &[], &world), [1.0; 3]);
    let rest = SymMat3::IDENTITY;
    world.state.methods.of_mut::<XpbiColumns>().strain[5] =
        SymMat3::diagonal(1.21, 0.81, 1.0) - rest;
    let stretch = measured("stretch", &[], &world);
    let mean = (81.0 + 1.1) / 82.0;
    assert!(
        near(stretch[0], 0.9) && near(stretch[1], mean),
        "{stretch:?}"
    );
    assert!(near(stretch[2], 1.1), "{stretch:?}");
}

#[test]
fn sums_boxes_and_quantiles_are_exact_for_cubes() {
    let world = World::new(cubes());
    let mass = 82.0;
    let center = measured("center-of-mass", &[], &world);
    // Cubes of 27 kg at 0.15, 0.6 and 1.05 m, moving at 0, 1 and 2 m/s.
    assert!(
        near(center[0], 27.0 * 1.8 / mass) && near(center[3], 81.0 / mass),
        "{center:?}"
    );
    let volume = measured("volume", &[], &world);
    assert!(near(volume[0], 0.082), "{volume:?}");
    let energy = measured("energy", &[], &world);
    assert!(
        near(energy[0], 0.5 * 27.0 * 5.0) && near(energy[1], 0.0),
        "{energy:?}"
    );
    let bounds = measured("bounding-box", &[], &world);
    assert!(
        bounds.iter().any(|&x| near(x, 9.0)) || bounds.iter().any(|&x| near(x, 9.05)),
        "{bounds:?}"
    );
    let median = [
        ("of", Value::Text("x".into())),
        ("fraction", Value::Number(0.5)),
    ];
    let median = measured("quantile", &median, &world);
    assert!(near(median[0], 0.6), "{median:?}");
}

#[test]
fn columns_of_probes_are_described_and_have_their_names() {
    for kind in KINDS {
        assert!(!kind.columns.is_empty(), "{}", kind.name);
        for column in kind.columns {
            let is_sentence = column.doc.ends_with('.') && column.doc.len() > 5;
            assert!(is_sentence, "{}.{}", kind.name, column.name);
        }
    }
    let world = World::new(cubes());
    let slope = built("repose-angle", &[], &world.setup).expect("a sound probe");
    let names: Vec<String> = slope.columns().into_iter().map(|c| c.name).collect();
    assert_eq!(names, ["angle", "scatter", "height_over_reach"]);
}

#[test]
fn stretch_of_a_body_without_deformation_is_refused() {
    let mut setup = cubes();
    setup.bodies[0].name = "drop".into();
    setup.bodies[0].method = FLUID;
    let body = ("body", Value::Text("drop".into()));
    let problem = built("stretch", std::slice::from_ref(&body), &setup)
        .err()
        .expect("a refusal");
    assert_eq!(problem.key.as_deref(), Some("body"));
    assert!(problem.message.contains("\"drop\""), "{problem:?}");
    setup.bodies[0].method = SPRINGS;
    let problem = built("stretch", &[body], &setup).err().expect("a refusal");
    assert!(
        problem
            .remedy
            .unwrap_or_default()
            .contains("spring-stretch")
    );
    // The others of the world have one.
    assert!(built("stretch", &[], &setup).is_ok());
    for body in &mut setup.bodies {
        body.method = FLUID;
    }
    assert!(built("stretch", &[], &setup).is_err());
}

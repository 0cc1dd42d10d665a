//! Bodies of `strain-energy`.

use pliant_core::methods::strain_energy::STRAIN_ENERGY;
use pliant_core::rest::RestShape;
use pliant_math::DVec3;

use crate::support::*;

const RUBBER: &str = r#"
scene.duration = 0.1
[solver]
iterations = 4
[material.rubber]
law = "neo-hookean"
density = 1000.0
youngs_modulus = 1e5
poissons_ratio = 0.0
fibers = [{ direction = [2, 0, 0], stiffness = 1e4 }]
[[body]]
name = "bar"
material = "rubber"
shape = { box = { size = [1, 0.5, 0.5] } }
rotation = [0, 0, 90]
spacing = 0.1
sampling = "grid"
"#;

#[test]
fn the_law_brings_its_method_and_neighbours_within_1_8_spacings() {
    let setup = built(RUBBER).setup;
    let body = &setup.bodies[0];
    assert_eq!(body.method, STRAIN_ENERGY);
    assert!((body.support_radius - 0.18).abs() < 1e-12);
    let shape = body.particles.structure_of::<RestShape>().expect("a solid");
    assert_eq!(shape.len(), 250);
    let inner = (0..250).filter(|&k| shape.neighbors_of(k).len() == 26);
    assert_eq!(inner.count(), 8 * 3 * 3);
    // The fibres turn with the body.
    let along = shape.pose.direction_to_world(DVec3::X);
    assert!((along - DVec3::Y).length() < 1e-12);
    assert!((along.dot(DVec3::Y) - 1.0).abs() < 1e-12);
}

#[test]
fn elastic_bodies_are_filled_by_relaxed_sampling_by_default() {
    let filled = |law: &str, sampling: &str| {
        let text = RUBBER
            .replace("law = \"neo-hookean\"", law)
            .replace("fibers = [{ direction = [2, 0, 0], stiffness = 1e4 }]", "")
            .replace("sampling = \"grid\"", sampling);
        built(&text).setup.bodies[0].particles.position.clone()
    };
    let (relaxed, poisson) = ("sampling = \"relaxed\"", "sampling = \"poisson\"");
    for law in ["law = \"neo-hookean\"", "law = \"elastic\""] {
        assert!(filled(law, "") == filled(law, relaxed), "{law}");
        assert!(filled(law, "") != filled(law, poisson), "{law}");
    }
    let flowing = "law = \"von-mises\"\nyield_stress = 1e3";
    assert!(filled(flowing, "") == filled(flowing, poisson));
}

#[test]
fn the_step_follows_the_fastest_wave_with_fibres() {
    // c = sqrt((1e5 + 2e4) / 1000) = 10.95 m/s crosses half a spacing in each of four sweeps.
    let longest = 0.5 * 4.0 * 0.1 / 120f64.sqrt();
    let substep = built(RUBBER).estimate.substep;
    assert!(substep <= longest && substep > 0.5 * longest, "{substep}");
}

#[test]
fn a_step_that_sweeps_do_not_resolve_is_refused_with_what_helps() {
    let stiff = RUBBER.replace("youngs_modulus = 1e5", "youngs_modulus = 1e6");
    let long = stiff.replace("[solver]", "[solver]\ntime_step = 0.05");
    let refused = refusal(&long);
    for told in ["pressure waves", "4 sweeps", "more iterations"] {
        assert!(refused.contains(told), "{refused}");
    }
    let jacobi = stiff.replace(
        "[solver]",
        "[solver]\ntime_step = 8e-3\nordering = \"jacobi\"",
    );
    let refused = refusal(&jacobi);
    assert!(refused.contains("gauss-seidel"), "{refused}");
    assert!(errors_of_step(RUBBER, 8e-3) == 0);
}

fn errors_of_step(text: &str, step: f64) -> usize {
    let text = text.replace("[solver]", &format!("[solver]\ntime_step = {step:?}"));
    built(&text).warnings.len()
}

#[test]
fn fibres_without_a_direction_or_of_too_many_families_are_refused() {
    let none = RUBBER.replace("[2, 0, 0]", "[0, 0, 0]");
    assert!(refusal(&none).contains("direction [0, 0, 0]"));
    let one = "{ direction = [2, 0, 0], stiffness = 1e4 }";
    let four = RUBBER.replace(one, &[one; 4].join(", "));
    assert!(refusal(&four).contains("at most 3"));
}

#[test]
fn a_solid_without_a_shape_or_of_another_methods_law_is_refused() {
    let (before, _) = RUBBER.split_once("shape =").expect("a shape");
    assert!(refusal(&format!("{before}spacing = 0.1\n")).contains("shape"));
    let liquid = RUBBER.replace("spacing = 0.1", "spacing = 0.1\nmethod = \"fluid\"");
    assert!(refusal(&liquid).contains("neo-hookean"));
}

#[test]
fn a_surface_is_refined_to_the_particles_and_placed_as_the_body() {
    let text = RUBBER.replace(
        "sampling = \"grid\"",
        "sampling = \"grid\"\nscale = 2.0\nposition = [5, 0, 0]\nrender_mesh = { box = { size = [1, 0.5, 0.5] } }",
    );
    let setup = built(&text).setup;
    let render = setup.bodies[0].particles.render_mesh.as_ref();
    let mesh = &render.expect("a surface").mesh;
    let bounds = mesh.bounds();
    // Turned by a right angle about z.
    assert!((bounds.min - DVec3::new(4.5, -1.0, -0.5)).length() < 1e-12);
    assert!((bounds.max - DVec3::new(5.5, 1.0, 0.5)).length() < 1e-12);
    let edges = (0..mesh.triangles.len()).flat_map(|t| {
        let [a, b, c] = mesh.corners(t);
        [a.distance(b), b.distance(c), c.distance(a)]
    });
    assert!(edges.fold(0.0, f64::max) <= 0.15);
}

#[test]
fn a_surface_far_from_its_body_gives_a_warning_and_one_without_particles_an_error() {
    let with = |shape: &str| {
        RUBBER.replace(
            "sampling = \"grid\"",
            &format!("sampling = \"grid\"\nrender_mesh = {{ {shape} }}"),
        )
    };
    let warnings = built(&with("sphere = { radius = 1.5 }")).warnings;
    assert!(
        warnings
            .iter()
            .any(|w| w.key == "body.bar.render_mesh" && w.message.contains("away"))
    );
    let told = refusal(&with("box = { size = [4e3, 4e3, 4e3] }"));
    assert!(told.contains("check the scale"), "{told}");
    let sand = with("box = { size = [1, 0.5, 0.5] }").replace("neo-hookean", "elastic");
    let sand = sand.replace(
        "fibers = [{ direction = [2, 0, 0], stiffness = 1e4 }]\n",
        "",
    );
    assert!(refusal(&sand).contains("body.bar.render_mesh"));
}

//! What a world is built from.

use std::sync::Arc;

use pliant_core::boundaries::{Ease, Motion};
use pliant_math::DVec3;

use crate::support::*;

fn positions(text: &str) -> Vec<DVec3> {
    built(text).setup.bodies[0].particles.position.clone()
}

#[test]
fn sand_column_becomes_particles_of_its_mass() {
    let built = built(SAND_COLUMN);
    let body = &built.setup.bodies[0];
    let volume = std::f64::consts::PI * 0.1 * 0.1 * 0.1;
    let count = body.particles.position.len() as f64;
    let mass = count * body.particles.particle_mass;
    assert!((mass / (1600.0 * volume) - 1.0).abs() < 0.01, "{mass} kg");
    assert!(
        (count * 1e-6 / volume - 1.0).abs() < 0.05,
        "{count} particles"
    );
    assert_eq!(body.support_radius, 0.02);
}

#[test]
fn the_estimate_has_particles_substeps_and_the_sound_ratio() {
    let estimate = built(SAND_COLUMN).estimate;
    // A frame of 1/24 s in equal substeps of at most 2e-4 s; c = sqrt(3.5e5 / 1600), r = 0.01.
    assert_eq!(
        (estimate.frame_count, estimate.substeps_per_frame),
        (36, 209)
    );
    let c = (3.5e5f64 / 1600.0).sqrt();
    let body = &estimate.bodies[0];
    assert!((body.speed_of_sound / c - 1.0).abs() < 1e-12);
    assert!((body.sound_ratio - c * estimate.substep / 0.01).abs() < 1e-12);
    assert_eq!(body.particle_count, estimate.particle_count);
    assert_eq!(estimate.memory, 1024 * estimate.particle_count);
}

#[test]
fn step_that_is_not_written_keeps_sound_within_0_7_radii() {
    let estimate = built(CUBE).estimate;
    let ratio = estimate.bodies[0].sound_ratio;
    assert!(ratio <= 0.7 && ratio > 0.5, "{ratio}");
}

#[test]
fn a_scene_without_a_solver_has_the_default_one() {
    let default = pliant_core::world::SolverSettings::default();
    assert_eq!(built(CUBE).setup.solver, default);
}

#[test]
fn scale_enlarges_about_the_origin_of_the_shape() {
    let scaled = CUBE.replace("spacing = 0.1", "scale = 2.0\nspacing = 0.2");
    for (p, q) in positions(CUBE).iter().zip(positions(&scaled)) {
        let center = DVec3::new(0.0, 2.0, 0.0);
        assert!((2.0 * (*p - center) - (q - center)).length() < 1e-12);
    }
    let particles = &built(&scaled).setup.bodies[0].particles;
    let mass = particles.particle_mass * particles.position.len() as f64;
    assert!((mass / 8000.0 - 1.0).abs() < 1e-12, "{mass} kg");
}

#[test]
fn mass_of_a_body_replaces_its_density() {
    let text = CUBE.replace("spacing = 0.1", "spacing = 0.1\nmass = 3.0");
    let particles = &built(&text).setup.bodies[0].particles;
    let mass = particles.particle_mass * particles.position.len() as f64;
    assert!((mass - 3.0).abs() < 1e-12, "{mass} kg");
}

/// Everything that is wrong with a scene.
fn error_text(text: &str) -> String {
    let errors: Vec<String> = errors(text).iter().map(ToString::to_string).collect();
    errors.concat()
}

/// A floor whose top cuts the cube.
fn floor(height: &str) -> String {
    format!(
        "[[collider]]\nname = \"floor\"\nshape = {{ plane = {{}} }}\nposition = [0, {height}, 0]\n"
    )
}

#[test]
fn particles_pushed_out_of_two_colliders_are_counted_once() {
    let wall = "[[collider]]\nname = \"wall\"\nshape = { plane = { normal = [1, 0, 0] } }\nposition = [-0.425, 0, 0]\n";
    let built = built(&format!("{CUBE}{}{wall}", floor("1.575")));
    let messages: Vec<String> = built.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    // The lowest layer, and the outermost without those of its particles that lie in the floor too.
    assert!(messages[0].contains(": 100 particles"), "{messages:?}");
    assert!(messages[1].contains(": 90 particles"), "{messages:?}");
}

#[test]
fn a_mass_is_that_of_the_particles_that_are_left() {
    let text = CUBE.replace("spacing = 0.1", "spacing = 0.1\nmass = 3.0");
    let particles = &built(&format!("{text}{}", floor("1.82"))).setup.bodies[0].particles;
    assert_eq!(particles.position.len(), 700);
    let mass = particles.particle_mass * 700.0;
    assert!((mass - 3.0).abs() < 1e-12, "{mass} kg");
}

#[test]
fn what_has_the_same_shape_shares_it() {
    let ball = |name: &str, radius: &str, x: &str| {
        format!(
            "[[collider]]\nname = \"{name}\"\nshape = {{ sphere = {{ radius = {radius} }} }}\nposition = [{x}, 9, 0]\n"
        )
    };
    let balls = [
        ball("a", "1", "0"),
        ball("b", "1", "4"),
        ball("c", "2", "9"),
    ];
    let setup = built(&format!("{CUBE}{}", balls.concat())).setup;
    let [a, b, c] = [0, 1, 2].map(|k| &setup.colliders[k].shape);
    assert!(Arc::ptr_eq(a, b));
    assert!(!Arc::ptr_eq(a, c));
}

/// A mouth as wide as the cube, above it.
const MOUTH: &str = "[[emitter]]\nname = \"mouth\"\nbody = \"cube\"\nshape = { box = { size = [1, 0.2, 1] } }\nposition = [0, 4, 0]\nvelocity = [0, -1, 0]\n";

#[test]
fn places_of_an_emitter_inside_a_collider_are_dropped_with_a_warning() {
    let ball = "[[collider]]\nname = \"ball\"\nshape = { sphere = { radius = 0.3 } }\nposition = [0, 4, 0]\n";
    let built = built(&format!("{CUBE}{MOUTH}{ball}"));
    let seeds = &built.setup.emitters[0].seeds;
    let ball = &built.setup.colliders[0];
    assert!((130..150).contains(&seeds.len()), "{}", seeds.len());
    assert!(seeds.iter().all(|&x| ball.signed_distance(x, 0.0) >= 0.0));
    assert!(built.warnings[0].to_string().contains("bear nothing"));
}

#[test]
fn an_emitter_inside_a_collider_is_an_error() {
    let ball = "[[collider]]\nname = \"ball\"\nshape = { sphere = { radius = 3 } }\nposition = [0, 4, 0]\n";
    let free = CUBE.replace("position = [0, 2, 0]", "position = [0, -2, 0]");
    let errors = error_text(&format!("{free}{MOUTH}{ball}"));
    assert!(errors.contains("inside colliders"), "{errors}");
}

#[test]
fn the_estimate_counts_emitted_particles() {
    let rated = format!("{CUBE}{MOUTH}rate = 2000\nstart = 0.05\n");
    let estimate = built(&rated).estimate;
    // From 0.05 s to the end of the last frame; three frames of 1/24 s, or two, cover 0.1 s.
    let end = f64::from(estimate.frame_count) / 24.0;
    assert_eq!(estimate.emitted_count, (2000.0 * (end - 0.05)) as u64);
    assert_eq!(estimate.memory, 1024 * (1000 + estimate.emitted_count));
}

#[test]
fn a_body_outside_of_the_bounds_is_warned_of() {
    let text = CUBE.replace(
        "scene.duration = 0.1",
        "scene.duration = 0.1\nscene.bounds = { min = [-1, 0, -1], max = [1, 2, 1] }",
    );
    let warnings = built(&text).warnings;
    assert_eq!(warnings.len(), 1);
    assert!(
        warnings[0].to_string().contains("500 particles"),
        "{}",
        warnings[0]
    );
}

#[test]
fn bodies_that_start_inside_each_other_are_warned_of() {
    let second = |place: &str| built(&format!("{CUBE}{}", another_cube("other", place))).warnings;
    // Half a spacing: each particle of the lowest layer is half a spacing above one of the highest.
    let warnings = second("[0, 2.95, 0]");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let text = warnings[0].to_string();
    assert!(
        text.contains("body.other: 100 of") && text.contains("\"cube\""),
        "{text}"
    );
    assert!(second("[0, 3, 0]").is_empty());
}

#[test]
fn a_rigid_body_thinner_than_the_gaps_of_a_sheet_is_warned_of() {
    let warnings = |radius: f64| {
        let text = format!(
            "[scene]\nduration = 0.1\nframe_rate = 24\n\
             [material.cotton]\nlaw = \"cloth\"\ndensity = 400.0\n[material.stone]\nlaw = \"rigid\"\ndensity = 2000.0\n\
             [[body]]\nname = \"sheet\"\nmaterial = \"cotton\"\nmethod = \"cloth\"\nspacing = 0.02\n\
             shape = {{ sheet = {{ size = [0.4, 0.4] }} }}\n\
             [[body]]\nname = \"marble\"\nmaterial = \"stone\"\nposition = [0, 0.2, 0]\n\
             shape = {{ sphere = {{ radius = {radius} }} }}\n"
        );
        built(&text).warnings
    };
    // Dropped on the sheet, balls of 20 mm fell through, and those of 24 mm stayed.
    let warned = warnings(0.01);
    assert_eq!(warned.len(), 1, "{warned:?}");
    let text = warned[0].to_string();
    assert!(
        text.contains("body.marble") && text.contains("\"sheet\""),
        "{text}"
    );
    assert!(warnings(0.012).is_empty());
}

#[test]
fn granules_under_what_is_much_denser_are_warned_of() {
    let warnings = |density: f64| {
        let text = format!(
            "[scene]\nduration = 0.1\nframe_rate = 24\n\
             [material.husks]\nlaw = \"contact-friction\"\nfriction = 0.5\ndensity = 100.0\n\
             [material.lead]\nlaw = \"contact-friction\"\nfriction = 0.5\ndensity = {density}\n\
             [[body]]\nname = \"bed\"\nmaterial = \"husks\"\nspacing = 0.05\nshape = {{ box = {{ size = [0.2, 0.1, 0.2] }} }}\n\
             [[body]]\nname = \"shot\"\nmaterial = \"lead\"\nspacing = 0.05\nposition = [0, 0.2, 0]\n\
             shape = {{ box = {{ size = [0.2, 0.1, 0.2] }} }}\n"
        );
        built(&text).warnings
    };
    // Plates of 1000 kg/m3 pressed the grains of such a bed to 0.98 spacings, and those of 2000 to 0.87.
    let warned = warnings(2000.0);
    assert_eq!(warned.len(), 1, "{warned:?}");
    let text = warned[0].to_string();
    assert!(
        text.contains("body.bed") && text.contains("\"shot\""),
        "{text}"
    );
    assert!(warnings(1000.0).is_empty());
}

#[test]
fn many_substeps_are_warned_of_and_too_many_are_refused() {
    let with_step = |step: &str| {
        CUBE.replace(
            "scene.duration",
            &format!("solver.time_step = {step}\nscene.duration"),
        )
    };
    let warnings = built(&with_step("2e-6")).warnings;
    assert!(warnings.iter().any(|w| w.to_string().contains("substeps")));
    let errors = error_text(&with_step("2e-9"));
    assert!(errors.contains("solver.time_step = 2e-9"), "{errors}");
    // Nothing is written there: the whole file is the place.
    let errors = error_text(&CUBE.replace("youngs_modulus = 1e5", "youngs_modulus = 1e17"));
    assert!(
        errors.contains("solver.time_step: ") && !errors.contains(":1:1"),
        "{errors}"
    );
}

#[test]
fn rotation_turns_about_x_then_y_then_z_in_degrees() {
    let text = CUBE
        .replace("size = [1, 1, 1]", "size = [2, 0.2, 0.2]")
        .replace("position = [0, 2, 0]", "rotation = [0, 0, 90]");
    let bounds = pliant_geometry::Aabb::around(positions(&text));
    let extent = bounds.extent();
    assert!(
        (extent - DVec3::new(0.1, 1.9, 0.1)).length() < 1e-9,
        "{extent}"
    );
}

#[test]
fn spin_turns_about_the_centre_of_mass() {
    let text = CUBE.replace(
        "spacing = 0.1",
        "spacing = 0.1\nvelocity = [1, 0, 0]\nspin = [0, 180, 0]",
    );
    let built = built(&text);
    let particles = &built.setup.bodies[0].particles;
    let omega = DVec3::new(0.0, std::f64::consts::PI, 0.0);
    for (p, v) in particles.position.iter().zip(&particles.velocity) {
        let expected = DVec3::X + omega.cross(*p - DVec3::new(0.0, 2.0, 0.0));
        assert!((*v - expected).length() < 1e-12);
    }
}

#[test]
fn particles_inside_a_region_are_held() {
    let attach = "[[attach]]\nname = \"root\"\nbody = \"cube\"\nshape = { box = { size = [0.4, 2, 2] } }\nposition = [-0.5, 2, 0]\n";
    let built = built(&format!("{CUBE}{attach}"));
    let particles = &built.setup.bodies[0].particles;
    for (p, is_pinned) in particles.position.iter().zip(&particles.is_pinned) {
        assert_eq!(*is_pinned, p.x < -0.3, "{p}");
    }
    assert_eq!(built.estimate.bodies[0].pinned_count, 200);
}

#[test]
fn region_that_holds_nothing_is_a_warning() {
    let attach =
        "[[attach]]\nname = \"root\"\nbody = \"cube\"\nshape = { sphere = { radius = 0.1 } }\n";
    let warnings = built(&format!("{CUBE}{attach}")).warnings;
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].key, "attach.root");
}

#[test]
fn particles_inside_a_collider_are_pushed_out_or_dropped_and_counted() {
    // The lowest two layers, a quarter of a spacing and more than one deep in the floor.
    let built = built(&format!("{CUBE}{}", floor("1.675")));
    let particles = &built.setup.bodies[0].particles;
    assert_eq!(particles.position.len(), 900);
    let lowest = particles.position.iter().map(|p| p.y).fold(9.0, f64::min);
    assert!((lowest - 1.725).abs() < 1e-12, "{lowest}");
    let messages: Vec<String> = built.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].contains("100 particles") && messages[0].contains("pushed out"));
    assert!(messages[1].contains("100 particles") && messages[1].contains("dropped"));
    assert!(
        messages
            .iter()
            .all(|m| m.contains("body.cube") && m.contains("\"floor\""))
    );
    let mass = particles.particle_mass;
    assert!(
        (mass - 1.0).abs() < 1e-12,
        "dropping particles changes no other's mass: {mass}"
    );
}

#[test]
fn body_whole_inside_a_collider_is_an_error() {
    let rock = "[[collider]]\nname = \"rock\"\nshape = { sphere = { radius = 9 } }\n";
    let errors = errors(&format!("{CUBE}{rock}"));
    assert_eq!(errors[0].key, "body.cube");
}

#[test]
fn emitter_feeds_a_body_without_a_shape() {
    let text = CUBE.replace("shape = { box = { size = [1, 1, 1] } }\n", "")
        + "[[emitter]]\nname = \"tap\"\nbody = \"cube\"\nshape = { box = { size = [1, 0.2, 1] } }\nposition = [0, 3, 0]\nvelocity = [0, -2, 0]\n";
    let setup = built(&text).setup;
    let particles = &setup.bodies[0].particles;
    assert!(particles.position.is_empty());
    assert!((particles.particle_mass - 1.0).abs() < 1e-12);
    let emitter = &setup.emitters[0];
    assert_eq!(emitter.seeds.len(), 200);
    assert!(emitter.seeds.iter().all(|p| p.y > 2.9 && p.y < 3.1));
    assert_eq!(
        (emitter.body, emitter.rate, emitter.stop),
        (0, None, f64::INFINITY)
    );
}

/// A cup whose hollow ends at a height, its rim being at 0.4.
fn cup(top: f64) -> String {
    let middle = top - 0.2;
    format!(
        "{CUBE}[[collider]]\nname = \"cup\"\nposition = [9, 0, 0]\nshape = {{ sdf = {{ difference = [\n\
         {{ cylinder = {{ radius = 0.5, height = 0.8 }} }},\n\
         {{ cylinder = {{ radius = 0.4, height = 0.4 }}, position = [0, {middle}, 0] }},\n] }} }}\n"
    )
}

#[test]
fn a_coplanar_cut_gives_a_warning_with_its_line() {
    let warnings = built(&cup(0.4)).warnings;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let text = warnings[0].to_string();
    assert!(
        text.starts_with("collider.cup.shape.sdf.difference[1]: "),
        "{text}"
    );
    let line = 1 + cup(0.4)
        .lines()
        .position(|l| l.contains("radius = 0.4"))
        .expect("the cut");
    for part in ["coplanar", "stick out", &format!("test.toml, line {line}")] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(built(&cup(0.41)).warnings.is_empty());
}

#[test]
fn keyframes_take_what_they_lack_from_the_collider() {
    let collider = "[[collider]]\nname = \"lid\"\nshape = { plane = {} }\nposition = [0, -1, 0]\nmotion = { keyframes = [{ t = 0 }, { t = 2, rotation = [0, 720, 0] }], ease = \"smooth\" }\n";
    let setup = built(&format!("{CUBE}{collider}")).setup;
    let Motion::Keyframes { keyframes, ease } = &setup.colliders[0].motion else {
        panic!("{:?}", setup.colliders[0].motion);
    };
    assert_eq!(*ease, Ease::Smooth);
    assert_eq!(keyframes[1].position, DVec3::new(0.0, -1.0, 0.0));
    assert!((keyframes[1].rotation.y - 4.0 * std::f64::consts::PI).abs() < 1e-12);
}

#[test]
fn another_body_does_not_change_the_particles_of_the_first() {
    let text = SAND_COLUMN.replace(
        "[[body]]",
        "[[body]]\nname = \"ball\"\nmaterial = \"sand\"\nshape = { sphere = { radius = 0.05 } }\nposition = [1, 1, 0]\nspacing = 0.01\n[[body]]",
    );
    let two = built(&text).setup;
    assert_eq!(two.bodies[1].particles.position, positions(SAND_COLUMN));
}

#[test]
fn another_seed_gives_other_particles_and_the_same_seed_the_same() {
    let other = with("seed = 1", "seed = 2");
    assert_eq!(positions(SAND_COLUMN), positions(SAND_COLUMN));
    assert_ne!(positions(SAND_COLUMN), positions(&other));
}

#[test]
fn up_sets_the_default_gravity_only() {
    let text = CUBE.replace(
        "scene.duration = 0.1",
        "scene.duration = 0.1\nscene.up = \"z\"",
    );
    assert_eq!(built(&text).setup.gravity, DVec3::new(0.0, 0.0, -9.81));
    assert_eq!(built(CUBE).setup.gravity, DVec3::new(0.0, -9.81, 0.0));
    assert_eq!(positions(&text), positions(CUBE));
}

#[test]
fn probes_are_built_in_the_order_of_the_file() {
    let scene = scene(&format!(
        "{SAND_COLUMN}\n[[probe]]\nname = \"all\"\nmeasure = \"energy\"\n"
    ));
    let setup = build(&scene).unwrap_or_else(|e| panic!("{e}")).setup;
    let probes = scene.build_probes(&setup, &NoMeshes);
    let probes = probes.unwrap_or_else(|e| panic!("{e}"));
    let names: Vec<&str> = probes.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["column", "all"]);
    assert!(probes[0].probe.columns().iter().any(|c| c.name == "r99"));
}

#[test]
fn bodies_whose_surfaces_do_not_overlap_are_not_warned_of() {
    let plates = |height: &str, more: &str| {
        let text = format!(
            "scene.duration = 0.1\nmaterial.iron = {{ law = \"rigid\", density = 2000.0 }}\n\
             [[body]]\nname = \"a\"\nmaterial = \"iron\"\nshape = {{ box = {{ size = [0.3, 0.05, 0.3] }} }}\n\
             [[body]]\nname = \"b\"\nmaterial = \"iron\"\nshape = {{ box = {{ size = [0.3, 0.05, 0.3] }} }}\n\
             position = [0, {height}, 0]\n{more}"
        );
        built(&text).warnings
    };
    // 3 cm apart, stacked, and in each other by a centimetre.
    assert!(plates("0.08", "").is_empty());
    assert!(plates("0.05", "").is_empty());
    let warnings = plates("0.04", "");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let text = warnings[0].to_string();
    assert!(
        text.contains("body \"a\"") && !text.contains("spring"),
        "{text}"
    );
    let joint = "[[joint]]\nname = \"j\"\nkind = \"fixed\"\nbody = \"b\"\nto_body = \"a\"\n";
    assert!(plates("0.04", joint).is_empty());

    let sheets = |height: &str| {
        let text = format!(
            "scene.duration = 0.1\nmaterial.cotton = {{ preset = \"cotton\" }}\n\
             [[body]]\nname = \"a\"\nmaterial = \"cotton\"\nshape = {{ sheet = {{ size = [0.2, 0.2] }} }}\n\
             spacing = 0.025\n\
             [[body]]\nname = \"b\"\nmaterial = \"cotton\"\nshape = {{ sheet = {{ size = [0.2, 0.2] }} }}\n\
             spacing = 0.025\nposition = [0, {height}, 0]\n"
        );
        built(&text).warnings.len()
    };
    // Sheets keep a quarter of the spacing apart.
    assert_eq!([sheets("0.012"), sheets("0.007")], [0, 0]);
    assert_eq!(sheets("0.002"), 1);
}

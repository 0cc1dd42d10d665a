//! Contracts of what is added, removed, attached and released between steps.

use pliant_core::step::FrameReport;
use pliant_scene::{SceneBuilder, SceneTable, SceneValue};

use super::*;

const BLOCK: &str = r#"
scene.duration = 1
[material.rubber]
law = "neo-hookean"
density = 1000.0
youngs_modulus = 1e5
poissons_ratio = 0.3
[[body]]
name = "block"
material = "rubber"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [0.0, 0.06, 0.0]
sampling = "grid"
spacing = 0.05
[[attach]]
name = "corner"
body = "block"
position = [1.0, 1.0, 1.0]
[[collider]]
name = "floor"
shape = { plane = {} }
[[collider]]
name = "hand"
driven = true
[[probe]]
name = "block"
measure = "center-of-mass"
body = "block"
"#;

/// On one thread: so little to do is not worth waking others.
pub(super) fn simulation_of(text: &str) -> Simulation {
    let scene = Scene::parse(text, "text", Path::new("."), &Overrides::default());
    let scene = scene.unwrap_or_else(|errors| panic!("{errors}"));
    let prepared = Prepared::of(scene, "a", "a", &|_| ()).expect("sound");
    Simulation::new(prepared, 1).expect("a thread")
}

fn simulation() -> Simulation {
    simulation_of(BLOCK)
}

pub(super) fn step(own: &mut Simulation, frames: u32) -> FrameReport {
    (0..frames).for_each(|_| {
        own.step().expect("sound");
    });
    own.report().clone()
}

/// A body, and values of its material.
pub(super) fn tables(material: &[(&str, SceneValue)], body: SceneTable) -> SceneBuilder {
    let scene = Scene::builder().add("body", body.with("name", "added"));
    material.iter().fold(scene, |scene, (key, value)| {
        scene.with(format!("material.{key}"), value.clone())
    })
}

pub(super) fn cube(material: &str) -> SceneTable {
    SceneTable::new()
        .with("material", material)
        .with("shape.box.size", [0.1, 0.1, 0.1])
        .with("position", [0.0, 0.2, 0.0])
        .with("spacing", 0.05)
}

/// A body of every method. Names of materials come after those that there are, as their numbers do.
pub(super) fn of_all_methods() -> Vec<(&'static str, SceneBuilder)> {
    let preset = |name: &str| vec![("t.preset", name.into())];
    let law = |name: &str, more: &[(&'static str, f64)]| {
        let mut values: Vec<(&str, SceneValue)> =
            vec![("t.law", name.into()), ("t.density", 1000.0.into())];
        values.extend(more.iter().map(|&(key, value)| (key, value.into())));
        values
    };
    let stiff = [("t.youngs_modulus", 1e5), ("t.poissons_ratio", 0.3)];
    let sheet = cube("t").with("shape", SceneTable::new().with("sheet.size", [0.2, 0.2]));
    vec![
        ("xpbi", tables(&preset("dry-sand"), cube("t"))),
        ("fluid", tables(&preset("water"), cube("t"))),
        ("cloth", tables(&preset("cotton"), sheet)),
        ("strain-energy", tables(&[], cube("rubber"))),
        (
            "shape-groups",
            tables(
                &law("neo-hookean", &stiff),
                cube("t").with("method", "shape-groups"),
            ),
        ),
        (
            "muscle",
            tables(
                &law("stable-neo-hookean", &stiff),
                cube("t").with("method", "muscle"),
            ),
        ),
        (
            "springs",
            tables(
                &law("spring-linear", &[("t.stiffness", 1e3)]),
                cube("t").with("method", "springs"),
            ),
        ),
        (
            "granules",
            tables(&law("contact-friction", &[("t.friction", 0.3)]), cube("t")),
        ),
        ("rigid", tables(&law("rigid", &[]), cube("t"))),
    ]
}

#[test]
fn bodies_added_at_the_start_lead_to_the_bits_of_a_scene_that_has_them() {
    for (method, tables) in of_all_methods() {
        let mut added = simulation();
        added
            .add(&tables)
            .unwrap_or_else(|e| panic!("{method}: {e}"));
        let scene = added.scene().to_toml(Path::new("/"));
        let with_body = format!("{scene}\n{}", added.edits.added[0].tables);
        let mut whole = simulation_of(&with_body);
        assert!(whole.setup().bodies[1].method.name() == method);
        let state = |own: &Simulation| own.world.state.to_bytes();
        assert!(state(&added) == state(&whole), "{method} at the start");
        step(&mut added, 2);
        step(&mut whole, 2);
        assert!(state(&added) == state(&whole), "{method} after two frames");
    }
}

#[test]
fn bodies_added_later_leave_others_as_they_are_and_are_saved_and_restored() {
    for (method, tables) in of_all_methods() {
        let mut own = simulation();
        step(&mut own, 1);
        let (before, ids) = (own.save(), own.particles().len());
        let positions = own.frame().position.to_vec();
        own.add(&tables).unwrap_or_else(|e| panic!("{method}: {e}"));
        let frame = own.frame();
        assert!(frame.position[..ids] == positions, "{method}");
        assert!(
            frame.id.iter().copied().eq(0..frame.id.len() as u32),
            "{method}"
        );
        assert!(frame.id.len() > ids, "{method}");
        // It only falls at first: what it brought with it is no gain.
        let report = step(&mut own, 1);
        assert!(report.gained_share < 1e-2, "{method}: {report:?}");
        let saved = own.save();
        step(&mut own, 1);
        let end = own.save();
        let mut fresh = simulation();
        fresh
            .restore(&saved)
            .unwrap_or_else(|e| panic!("{method}: {e}"));
        assert!(fresh.save() == saved, "{method}");
        step(&mut fresh, 1);
        assert!(fresh.save() == end, "{method}");
        // Back before it was added there is none, and after it again there is one.
        fresh.restore(&before).expect("its own state");
        assert!(fresh.setup().bodies.len() == 1 && fresh.save() == before);
        fresh.restore(&saved).expect("its own state");
        fresh.reset();
        assert!(fresh.save() == simulation().save(), "{method}");
    }
}

#[test]
fn removed_bodies_are_gone_and_others_go_on() {
    for (method, tables) in of_all_methods() {
        let mut own = simulation();
        own.add(&tables).expect("sound");
        step(&mut own, 1);
        let count = own.places_of("block").expect("a body").len();
        own.remove("added").expect("a body");
        assert_eq!(
            own.places_of("added").expect("its name").len(),
            0,
            "{method}"
        );
        assert_eq!(own.particles().len(), count, "{method}");
        let saved = own.save();
        let report = step(&mut own, 2);
        assert!(report.gained_share < 1e-2, "{method}: {report:?}");
        let mut fresh = simulation();
        fresh.restore(&saved).expect("its own state");
        step(&mut fresh, 2);
        assert!(fresh.save() == own.save(), "{method}");
        if method == "rigid" {
            assert!(matches!(
                own.pose_of_collider("added"),
                Err(SimulationError::Gone(_))
            ));
        }
        // Its name and its ids stay taken.
        let taken = own.add(&tables).expect_err("a taken name").to_string();
        assert!(taken.contains("body.added.name"), "{taken}");
    }
}

#[test]
fn a_body_that_is_added_and_removed_changes_no_momentum() {
    let text = format!("scene.gravity = [0, 0, 0]\n{}", BLOCK.trim_start());
    let mut own = simulation_of(&text);
    own.release("corner").expect("an attachment");
    own.set_velocity("block", DVec3::X).expect("a body");
    let momentum = |own: &Simulation| own.measure("momentum_x").expect("a column");
    let of_block = momentum(&own);
    let thrown = cube("rubber").with("velocity", [-1.0, 0.0, 0.0]);
    own.add(&tables(&[], thrown)).expect("sound");
    assert!(momentum(&own).abs() < 1e-5 * of_block);
    step(&mut own, 2);
    assert!(momentum(&own).abs() < 1e-5 * of_block);
    own.remove("added").expect("a body");
    step(&mut own, 2);
    assert!((momentum(&own) - of_block).abs() < 1e-5 * of_block);
}

#[test]
fn what_is_attached_moves_with_its_holder_and_what_is_released_flies_on() {
    let mut own = simulation();
    let count = own
        .attach("grip", "block", AttachTo::Collider("hand"), |x| x.y > 0.05)
        .expect("particles");
    assert_eq!(count, 4);
    own.release("corner").expect("an attachment of the scene");
    own.drive("hand", DVec3::Y, DVec3::ZERO).expect("driven");
    step(&mut own, 6);
    let lifted = own.places_of("block").expect("a body").into_iter();
    let lifted = lifted.filter(|&i| own.particles().inverse_mass[i] == 0.0);
    for place in lifted {
        let height = own.particles().position[place].y;
        assert!((height - 0.085 - own.time()).abs() < 1e-6, "{height}");
    }
    let velocity = own.measure("block.vy").expect("a probe");
    let saved = own.save();
    let held = |own: &Simulation| {
        let inverse_mass = &own.particles().inverse_mass;
        inverse_mass.iter().filter(|&&w| w == 0.0).count()
    };
    assert_eq!(held(&own), 4);
    own.release("grip").expect("an attachment");
    assert_eq!(held(&own), 0);
    let (time, height) = (own.time(), own.measure("block.y").expect("a probe"));
    let dt = step(&mut own, 3).dt;
    // The fall of a point, in steps of dt that add up velocities first.
    let flown = own.time() - time;
    let expected = height + velocity * flown - 0.5 * 9.81 * flown * (flown + dt);
    let reached = own.measure("block.y").expect("a probe");
    assert!(
        (reached - expected).abs() < 1e-3,
        "{reached} not {expected}"
    );
    // A saved state brings its attachments along, into another simulation too.
    let mut fresh = simulation();
    fresh.restore(&saved).expect("its own state");
    assert!(fresh.save() == saved && held(&fresh) == 4);
    fresh.release("grip").expect("an attachment");
    step(&mut fresh, 3);
    assert!(fresh.save() == own.save());
    fresh.reset();
    assert!(fresh.save() == simulation().save() && held(&fresh) == 1);
}

#[test]
fn particles_are_held_by_the_world_and_tied_to_rigid_bodies() {
    let mut own = simulation();
    own.release("corner").expect("an attachment");
    own.attach("all", "block", AttachTo::World, |_| true)
        .expect("particles");
    own.attach("twice", "block", AttachTo::World, |x| x.y > 0.05)
        .expect("particles");
    let height = own.measure("block.y").expect("a probe");
    step(&mut own, 2);
    own.release("all").expect("an attachment");
    step(&mut own, 1);
    // Half of it is held still, and the rest hangs on it; free it would have fallen by 8.5 mm.
    let fallen = height - own.measure("block.y").expect("a probe");
    assert!(fallen.abs() < 1e-3, "{fallen}");
    let stone = tables(
        &[("t.law", "rigid".into()), ("t.density", 2000.0.into())],
        cube("t"),
    );
    own.add(&stone).expect("sound");
    own.release("twice").expect("an attachment");
    let tied = own.attach("tie", "block", AttachTo::Rigid("added"), |x| x.y > 0.05);
    assert_eq!(tied.expect("particles"), 4);
    let saved = own.save();
    step(&mut own, 1);
    let mut fresh = simulation();
    fresh.restore(&saved).expect("its own state");
    step(&mut fresh, 1);
    assert!(fresh.save() == own.save());
}

#[test]
fn edits_that_cannot_be_are_refused_and_change_nothing() {
    let mut own = simulation();
    step(&mut own, 1);
    let before = own.save();
    let fine = || tables(&[], cube("rubber"));
    let refused: [(SceneBuilder, &str); 7] = [
        (
            fine().with("body.added.spacing", -1.0),
            "body.added.spacing = -1.0",
        ),
        (
            fine().with("body.added.material", "ruber"),
            "did you mean \"rubber\"?",
        ),
        (fine().with("body.added.name", "block"), "body.block.name"),
        (
            fine().with("material.rubber.density", 1.0),
            "material.rubber",
        ),
        (
            fine().with("scene.gravity", [0.0, 0.0, 0.0]),
            "cannot be added",
        ),
        (fine().with("body.added.spacing", 1e-5), "memory"),
        (Scene::builder(), "body"),
    ];
    for (tables, expected) in refused {
        let said = own.add(&tables).expect_err(expected).to_string();
        assert!(said.contains(expected), "{said}");
    }
    let attach = |own: &mut Simulation, name: &str, body: &str, to: AttachTo<'_>| {
        let attached = own.attach(name, body, to, |x| x.y < 1.0);
        attached.expect_err(name).to_string()
    };
    let said = [
        attach(&mut own, "corner", "block", AttachTo::World),
        attach(&mut own, "a", "blok", AttachTo::World),
        attach(&mut own, "a", "block", AttachTo::Collider("foot")),
        attach(&mut own, "a", "block", AttachTo::Rigid("hand")),
        own.attach("a", "block", AttachTo::World, |_| false)
            .expect_err("none")
            .to_string(),
        own.release("grip").expect_err("none").to_string(),
        own.remove("ball").expect_err("none").to_string(),
    ];
    let expected = [
        "already",
        "\"block\"",
        "\"hand\"",
        "AttachTo::Collider",
        "no particle",
        "\"corner\"",
        "\"block\"",
    ];
    for (said, expected) in said.iter().zip(expected) {
        assert!(said.contains(expected), "{said}");
    }
    assert!(own.save() == before);
}

#[test]
fn damaged_bytes_of_edited_states_are_refused() {
    let mut own = simulation();
    own.add(&tables(&[], cube("rubber"))).expect("sound");
    own.attach("a", "added", AttachTo::Collider("hand"), |_| true)
        .expect("particles");
    let saved = own.save();
    let mut other = simulation();
    let start = other.save();
    for length in (0..saved.len()).step_by(saved.len() / 200 + 1) {
        assert!(other.restore(&saved[..length]).is_err(), "{length}");
    }
    // A damaged byte may be a position; what is accepted is a state.
    for place in (0..saved.len()).step_by(saved.len() / 300 + 1) {
        let mut damaged = saved.clone();
        damaged[place] ^= 0x15;
        if other.restore(&damaged).is_ok() {
            other.reset();
        }
        assert!(other.save() == start, "{place}");
    }
}

#[test]
fn tables_as_text_are_those_of_a_builder_and_errors_name_their_lines() {
    let [mut of_builder, mut of_text] = [simulation(), simulation()];
    let (_, tables) = of_all_methods().remove(0);
    of_builder.add(&tables).expect("sound");
    let text = of_builder.edits.added[0].tables.clone();
    of_text.add_text(&text, "a text", "/").expect("sound");
    assert!(of_builder.save() == of_text.save());

    let wrong = "# a ball\n[[body]]\nname = \"ball\"\nmaterial = \"rubber\"\nspacing = -1.0\n";
    let refused = of_text.add_text(wrong, "a text", ".").expect_err("wrong");
    let said = refused.to_string();
    assert!(said.contains("a text:5:11"), "{said}");
    assert!(of_builder.save() == of_text.save());
}

#[test]
fn particles_are_attached_by_their_ids() {
    let [mut by_region, mut by_id] = [simulation(), simulation()];
    let top = |x: DVec3| x.y > 0.06;
    let particles = by_id.particles();
    let places = 0..particles.len();
    let above = places.filter(|&place| top(particles.position[place]));
    let mut ids: Vec<u32> = above.map(|place| particles.id[place]).collect();
    ids.reverse();
    let attached = by_region.attach("top", "block", AttachTo::Collider("hand"), top);
    assert_eq!(attached.expect("some"), ids.len());
    let twice = [ids.clone(), ids].concat();
    by_id
        .attach_particles("top", AttachTo::Collider("hand"), &twice)
        .expect("some");
    assert!(by_region.save() == by_id.save());
    let refused = by_id.attach_particles("none", AttachTo::World, &[77]);
    assert!(matches!(refused, Err(SimulationError::UnknownParticle(77))));
}

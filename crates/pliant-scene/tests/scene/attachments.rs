//! Forces, attachments and what colliders do at their surface.

use pliant_core::attachments::AttachmentKind;
use pliant_core::boundaries::Grip;
use pliant_math::DVec3;

use crate::support::*;

/// Two rubber cubes of a thousand particles, one on the other, and a sphere.
fn cubes() -> String {
    let (material, _) = CUBE.split_once("[[body]]").expect("a body");
    let lower = another_cube("lower", "[0, 0, 0]");
    let upper = another_cube("upper", "[0, 1, 0]");
    let ball = "[[collider]]\nname = \"ball\"\nshape = { sphere = { radius = 0.2 } }\nposition = [3, 0, 0]\n";
    format!("{material}{lower}{upper}share_neighbors = false\n{ball}")
}

const TOP: &str = "shape = { box = { size = [2, 0.2, 2] } }\nposition = [0, 0.5, 0]\n";

fn with_table(table: &str) -> String {
    format!("{}{table}\n", cubes())
}

fn attach(keys: &str) -> String {
    with_table(&format!(
        "[[attach]]\nname = \"a\"\nbody = \"lower\"\n{TOP}{keys}"
    ))
}

#[test]
fn every_kind_of_force_is_built_with_its_limits() {
    let forces = r#"
[[force]]
name = "gust"
kind = "wind"
velocity = [3, 0, 0]
linear = 2.0
body = "upper"
keyframes = [{ t = 0.0, strength = 0.0 }, { t = 1.0, strength = 2.0 }]
[[force]]
name = "water"
kind = "drag"
quadratic = 0.4
shape = { plane = {} }
position = [0, 0.5, 0]
strength = 3.0
[[force]]
name = "planet"
kind = "point"
acceleration = 1.0
[[force]]
name = "dust-devil"
kind = "vortex"
spin = 360.0
core = 0.5
linear = 1.0
"#;
    let forces = built(&with_table(forces)).setup.forces;
    assert_eq!(forces.len(), 4);
    assert_eq!((forces[0].body, forces[1].body), (Some(1), None));
    assert_eq!(forces[0].strength.at(0.5), 1.0);
    assert_eq!(forces[1].strength.at(0.5), 3.0);
    let water = forces[1].region.as_ref().expect("it has a region");
    assert!(water.contains(DVec3::Y * 0.4) && !water.contains(DVec3::Y * 0.6));
    // A turn a second at a quarter of a metre: pi/2 m/s, all of it after a long step.
    let x = DVec3::X * 0.25;
    let change = forces[3].field.velocity_change(x, DVec3::ZERO, 1.0, 1e9);
    let swirl = std::f64::consts::FRAC_PI_2;
    assert!(change.distance(DVec3::NEG_Z * swirl) < 1e-6, "{change}");
}

#[test]
fn forces_with_contradicting_or_missing_keys_are_refused() {
    let force = |keys: &str| with_table(&format!("[[force]]\nname = \"f\"\n{keys}"));
    let unknown = refusal(&force("kind = \"winds\""));
    assert!(unknown.contains("\"wind\""), "{unknown}");
    let nothing = refusal(&force("kind = \"wind\"\nvelocity = [1, 0, 0]"));
    assert!(
        nothing.contains("no drag") && nothing.contains("linear"),
        "{nothing}"
    );
    let axis = "kind = \"vortex\"\nspin = 9\ncore = 1\nlinear = 1\naxis = [0, 0, 0]";
    let axis = refusal(&force(axis));
    assert!(axis.contains("force.f.axis"), "{axis}");
    let both = "kind = \"drag\"\nlinear = 1\nstrength = 2\nkeyframes = [{ t = 0, strength = 1 }]";
    let both = refusal(&force(both));
    assert!(both.contains("force.f.strength"), "{both}");
    let order = "kind = \"drag\"\nlinear = 1\nkeyframes = [{ t = 1, strength = 1 }, { t = 0, strength = 1 }]";
    let order = refusal(&force(order));
    assert!(order.contains("keyframes[1].t"), "{order}");
    let body = refusal(&force("kind = \"drag\"\nlinear = 1\nbody = \"uper\""));
    assert!(body.contains("\"upper\""), "{body}");
}

#[test]
fn a_traction_times_its_area_is_the_force_on_the_particles_of_the_region() {
    let keys = "traction = [0, 300, 0]\narea = 2.0\nkeyframes = [{ t = 0, strength = 0.5 }]";
    let setup = built(&attach(keys)).setup;
    let [load] = &setup.attachments[..] else {
        panic!("one attachment");
    };
    let AttachmentKind::Load { force, strength } = &load.kind else {
        panic!("a load");
    };
    assert_eq!((*force, strength.at(7.0)), (DVec3::Y * 600.0, 0.5));
    // The topmost layer, and nothing is pinned.
    assert_eq!(load.particles.len(), 100);
    assert!(!setup.bodies[0].particles.is_pinned.iter().any(|p| *p));
}

#[test]
fn particles_are_attached_to_a_collider_or_to_another_body() {
    let setup = built(&attach("to_collider = \"ball\"")).setup;
    let pinned = setup.bodies[0].particles.is_pinned.iter().filter(|p| **p);
    assert_eq!(pinned.count(), 100);
    let AttachmentKind::Collider { collider: 0, local } = &setup.attachments[0].kind else {
        panic!("carried by the ball");
    };
    let id = setup.attachments[0].particles[0] as usize;
    let position = setup.bodies[0].particles.position[id];
    assert!(local[0].distance(position - DVec3::X * 3.0) < 1e-12);

    let setup = built(&attach("to_body = \"upper\"")).setup;
    let AttachmentKind::Body { rods } = &setup.attachments[0].kind else {
        panic!("joined to the other cube");
    };
    // Each has its neighbour above and seven around that, fewer at edges; ids count on.
    assert!(rods.len() > 500 && rods.len() <= 800, "{}", rods.len());
    assert!(rods.iter().all(|b| b.first < 1000 && b.second >= 1000));
    assert!(rods.iter().all(|b| b.length > 0.09 && b.length < 0.201));
}

#[test]
fn a_compliance_pulls_particles_to_places_in_the_world_or_on_a_collider() {
    let setup = built(&attach("compliance = 1e-3\nto_collider = \"ball\"")).setup;
    assert!(!setup.bodies[0].particles.is_pinned.iter().any(|p| *p));
    let AttachmentKind::Pull {
        collider: Some(0),
        target,
        compliance,
        strength,
    } = &setup.attachments[0].kind
    else {
        panic!("pulled to the ball");
    };
    assert_eq!((*compliance, strength.at(1.0)), (1e-3, 1.0));
    let id = setup.attachments[0].particles[99] as usize;
    let position = setup.bodies[0].particles.position[id];
    assert!(target[99].distance(position - DVec3::X * 3.0) < 1e-12);

    let of_the_world = built(&attach("compliance = 1e-3")).setup;
    let AttachmentKind::Pull {
        collider: None,
        target,
        ..
    } = &of_the_world.attachments[0].kind
    else {
        panic!("pulled to the world");
    };
    assert!(target[99].distance(position) < 1e-12);
}

#[test]
fn without_a_region_the_particle_nearest_to_the_point_is_attached() {
    let nearest = "[[attach]]\nname = \"a\"\nbody = \"lower\"\nposition = [9, 9, 9]\n";
    let setup = built(&with_table(nearest)).setup;
    let pinned: Vec<usize> = (0..1000)
        .filter(|&k| setup.bodies[0].particles.is_pinned[k])
        .collect();
    let [corner] = pinned[..] else {
        panic!("one particle: {pinned:?}");
    };
    let place = setup.bodies[0].particles.position[corner];
    assert!(place.distance(DVec3::splat(0.45)) < 1e-9, "{place}");
}

#[test]
fn a_collider_without_a_shape_touches_nothing() {
    let text = cubes().replace("shape = { sphere = { radius = 0.2 } }\n", "");
    let world = built(&text);
    let ball = &world.setup.colliders[0];
    assert!(ball.signed_distance(DVec3::X * 3.0, 0.0) > 1e9);
}

#[test]
fn attachments_that_contradict_themselves_are_refused() {
    let soft = refusal(&attach("compliance = 1e-3\nforce = [0, 1, 0]"));
    assert!(soft.contains("attach.a.compliance"), "{soft}");
    let negative = refusal(&attach("compliance = -1"));
    assert!(negative.contains("greater than 0"), "{negative}");

    let two = refusal(&attach("force = [0, 1, 0]\nto_collider = \"ball\""));
    assert!(two.contains("`to_collider` and `force`"), "{two}");
    let area = refusal(&attach("traction = [0, 1, 0]"));
    assert!(area.contains("`area`"), "{area}");
    let keyframes = refusal(&attach("keyframes = [{ t = 0, strength = 1 }]"));
    assert!(keyframes.contains("attach.a.keyframes"), "{keyframes}");
    let itself = refusal(&attach("to_body = \"lower\""));
    assert!(itself.contains("itself"), "{itself}");
    let nowhere = refusal(&attach("to_collider = \"bal\""));
    assert!(nowhere.contains("\"ball\""), "{nowhere}");
}

#[test]
fn the_grip_of_a_collider_follows_its_flags() {
    let grip = |keys: &str| {
        let setup = built(&cubes().replace("position = [3, 0, 0]", keys)).setup;
        (setup.colliders[0].grip, setup.colliders[0].two_sided)
    };
    let away = "position = [3, 0, 0]\n";
    assert_eq!(grip(away), (Grip::Separate, false));
    assert_eq!(
        grip(&format!("{away}separate = false")),
        (Grip::Slip, false)
    );
    assert_eq!(grip(&format!("{away}sticky = true")), (Grip::Stick, false));
    assert_eq!(
        grip(&format!("{away}two_sided = true")),
        (Grip::Separate, true)
    );
}

#[test]
fn a_body_inside_a_shell_stays_there_and_one_inside_a_solid_is_dropped() {
    let inside = "position = [0, 0, 0]\n";
    let count = |keys: &str| {
        let text = cubes().replace("position = [3, 0, 0]", keys);
        built(&text).setup.bodies[0].particles.position.len()
    };
    assert_eq!(count(&format!("{inside}two_sided = true")), 1000);
    assert!(count(inside) < 1000);
}

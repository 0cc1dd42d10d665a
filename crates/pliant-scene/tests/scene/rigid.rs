//! Rigid bodies and their joints.

use pliant_core::attachments::AttachmentKind;
use pliant_core::boundaries::Motion;
use pliant_core::methods::rigid::{RIGID, RigidSetup};
use pliant_math::DVec3;

use crate::support::*;

/// A door of 40 kg.
const DOOR: &str = r#"
scene.duration = 0.1
[material.oak]
law = "rigid"
density = 500.0
[[body]]
name = "door"
material = "oak"
shape = { box = { size = [0.8, 2.0, 0.05] } }
position = [0.4, 1.0, 0.0]
[[joint]]
name = "hinge"
kind = "hinge"
body = "door"
axis = [0.0, 1.0, 0.0]
limits = [-90.0, 90.0]
"#;

const RUBBER: &str = r#"
[material.rubber]
law = "neo-hookean"
density = 1000.0
youngs_modulus = 1e5
[[body]]
name = "pad"
material = "rubber"
shape = { box = { size = [0.2, 0.2, 0.2] } }
position = [0.4, 2.1, 0.0]
spacing = 0.05
sampling = "grid"
"#;

fn door_with(from: &str, to: &str) -> String {
    assert!(DOOR.contains(from), "{from}");
    DOOR.replace(from, to)
}

#[test]
fn a_rigid_body_is_a_particle_at_its_centre_and_a_collider() {
    let setup = built(DOOR).setup;
    let body = &setup.bodies[0];
    assert_eq!(body.method, RIGID);
    assert!((body.particles.particle_mass - 40.0).abs() < 1e-9);
    assert_eq!(body.particles.position.len(), 1);
    assert!((body.particles.position[0].y - 1.0).abs() < 1e-12);
    assert_eq!((setup.first_rigid(), setup.colliders.len()), (0, 1));
    assert!(matches!(setup.colliders[0].motion, Motion::Free { .. }));
    assert!(setup.rigid_engine.is_some());
}

#[test]
fn mass_overrides_density_and_scale_enlarges() {
    let text = door_with("position =", "mass = 3.0\nscale = 2.0\nposition =");
    let setup = built(&text).setup;
    let particles = &setup.bodies[0].particles;
    assert!((particles.particle_mass - 3.0).abs() < 1e-12);
    assert!((particles.particle_volume - 0.64).abs() < 1e-9);
}

#[test]
fn particles_inside_a_rigid_body_are_pushed_out_and_others_are_tied_to_it() {
    let tie = "[[attach]]\nname = \"glue\"\nbody = \"pad\"\nto_body = \"door\"\nshape = { box = { size = [1, 0.1, 1] } }\nposition = [0.4, 2.0, 0.0]\n";
    let built = built(&format!("{DOOR}{RUBBER}{tie}"));
    let setup = built.setup;
    let AttachmentKind::Rigid { body: 0, local } = &setup.attachments[0].kind else {
        panic!("{:?}", setup.attachments[0].kind);
    };
    assert!(!local.is_empty());
    // The shape's origin is in its middle.
    assert!(local.iter().all(|x| (0.9..1.2).contains(&x.y)), "{local:?}");
}

#[test]
fn a_compliance_pulls_at_a_point_of_a_rigid_body() {
    let pull = |keys: &str| {
        let table = "[[attach]]\nname = \"rope\"\nbody = \"door\"\ncompliance = 1e-4\n";
        format!("{DOOR}{table}{keys}")
    };
    let setup = built(&pull("position = [0.8, 1.5, 0.0]\n")).setup;
    let [rope] = &setup.attachments[..] else {
        panic!("one attachment");
    };
    let AttachmentKind::PullRigid {
        body: 0,
        point,
        collider: None,
        target,
        compliance,
        ..
    } = &rope.kind
    else {
        panic!("{:?}", rope.kind);
    };
    assert!(point.distance(DVec3::new(0.4, 0.5, 0.0)) < 1e-12, "{point}");
    assert!(target.distance(DVec3::new(0.8, 1.5, 0.0)) < 1e-12);
    assert!(*compliance == 1e-4 && rope.particles == [0]);
    assert!(!setup.bodies[0].particles.is_pinned[0]);

    let region = pull("shape = { box = { size = [1, 1, 1] } }\n");
    assert!(refusal(&region).contains("at one point"));
    let far = built(&pull("position = [5, 1, 0]\n"));
    let warned = far
        .warnings
        .iter()
        .any(|w| w.message.contains("4.200 m outside"));
    assert!(warned, "{:?}", far.warnings);
}

#[test]
fn contradicting_keys_are_refused_with_a_remedy() {
    let other = door_with("kind = \"hinge\"", "kind = \"ball\"");
    assert!(refusal(&other).contains("`limits` belongs to a hinge or a slider"));
    let flat = door_with("axis = [0.0, 1.0, 0.0]", "axis = [0, 0, 0]");
    assert!(refusal(&flat).contains("no direction"));
    let turned = door_with("[-90.0, 90.0]", "[90.0, -90.0]");
    assert!(refusal(&turned).contains("limits = [least, greatest]"));
    let itself = door_with("axis =", "to_body = \"door\"\naxis =");
    assert!(refusal(&itself).contains("cannot be joined to itself"));
    let soft = format!(
        "{}{RUBBER}",
        door_with("axis =", "to_body = \"pad\"\naxis =")
    );
    assert!(refusal(&soft).contains("this body is not rigid"));
    let unknown = door_with("axis =", "to_body = \"dor\"\naxis =");
    assert!(refusal(&unknown).contains("did you mean \"door\"?"));
    let endless = door_with("{ box = { size = [0.8, 2.0, 0.05] } }", "{ plane = {} }");
    assert!(refusal(&endless).contains("plane has no end"));
    let held = format!(
        "{DOOR}{RUBBER}[[attach]]\nname = \"glue\"\nbody = \"door\"\nto_body = \"pad\"\nshape = {{ sphere = {{ radius = 9.0 }} }}\n"
    );
    assert!(refusal(&held).contains("[[joint]]"));
}

#[test]
fn friction_of_a_rigid_body_may_have_an_axis_that_its_rotation_at_the_start_does_not_turn() {
    let text = door_with(
        "position =",
        "rotation = [0, 90, 0]\nfriction_axis = [0, 3, 4]\nfriction_along = 0.25\nposition =",
    );
    let setup = built(&text).setup;
    let grain = setup.bodies[0].grain.expect("it has an axis");
    assert!(grain.axis.distance(DVec3::new(0.0, 0.6, 0.8)) < 1e-12);
    assert_eq!(grain.factor, 0.25);
    // In its own axes it is turned back.
    let local = RigidSetup::of(&setup).bodies[0].grain.expect("an axis");
    assert!(local.axis.distance(DVec3::new(-0.8, 0.6, 0.0)) < 1e-12);
}

#[test]
fn other_bodies_need_a_spacing() {
    let text = format!("{DOOR}{RUBBER}").replace("spacing = 0.05\n", "");
    let error = refusal(&text);
    assert!(error.contains("body.pad.spacing"), "{error}");
    assert!(error.contains("this key is missing"), "{error}");
}

#[test]
fn the_force_on_a_rigid_body_can_be_measured() {
    let probe = "[[probe]]\nname = \"load\"\nmeasure = \"collider-force\"\ncollider = \"door\"\n";
    built(&format!("{DOOR}{probe}"));
}

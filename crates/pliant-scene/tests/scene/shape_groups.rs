//! Bodies of shape groups, and what they refuse.

use pliant_core::methods::shape_groups::{ShapeGroupsColumns, ShapeGroupsSetup};
use pliant_core::rest::RestShape;
use pliant_core::world::World;

use crate::support::*;

/// A rubber cube of 4 x 4 x 4 cells with further keys of its material and of itself.
fn cube(material: &str, body: &str) -> String {
    format!(
        "[scene]\nduration = 1.0\n[material.rubber]\nlaw = \"polynomial-neo-hookean\"\ndensity = 1000.0\n\
         youngs_modulus = 1e5\npoissons_ratio = 0.4\n{material}\n[[body]]\nname = \"cube\"\n\
         material = \"rubber\"\nmethod = \"shape-groups\"\nshape = {{ box = {{ size = [1, 1, 1] }} }}\n\
         position = [0, 3, 0]\nrotation = [0, 0, 30]\nspacing = 0.25\n{body}\n"
    )
}

#[test]
fn bodies_are_at_rest_where_they_start() {
    let setup = built(&cube("", "")).setup;
    let groups = ShapeGroupsSetup::of(&setup);
    let body = &groups.bodies[0];
    assert_eq!(body.groups.len(), 64);
    assert_eq!(
        body.groups.rest_position,
        setup.bodies[0].particles.position
    );
}

#[test]
fn groups_of_a_material_that_tears_have_a_state() {
    let world = World::new(built(&cube("tear_strain = 0.5", "")).setup);
    let columns: &ShapeGroupsColumns = world.state.methods.of();
    assert_eq!(columns.is_torn, [false; 64]);
    let cut = built(&cube("tear_strain = 0.5", "groups = \"cut-cells\""));
    let columns = World::new(cut.setup).state.methods;
    assert_eq!(columns.of::<ShapeGroupsColumns>().is_torn, [false; 64]);
    let carried = "render_mesh = { sphere = { radius = 0.5 } }";
    let surface = refusal(&cube("tear_strain = 0.5", carried));
    assert!(surface.contains("render_mesh"), "{surface}");
}

#[test]
fn cells_carry_a_surface() {
    let carried = "render_mesh = { sphere = { radius = 0.6 } }";
    let setup = built(&cube("", carried)).setup;
    let body = &setup.bodies[0];
    assert!(body.particles.render_mesh.is_some());
    let carriers = body.method.surface_carriers(&setup);
    let shape: &RestShape = &carriers[0].shape;
    assert_eq!(shape.position, body.particles.position);
}

//! Shapes as solid bodies: what they weigh, and what they touch others with.

use pliant_core::world::RigidShape;
use pliant_geometry::{Form, Shape, TriangleMesh};
use pliant_math::{DMat3, DQuat, DVec3};
use rapier3d_f64::prelude::{MassProperties, SharedShape};

/// A mesh is convex if its hull has at most this share more volume.
const CONVEX: f64 = 0.01;
/// Extent of the surface of a shape without end [m].
const EXTENT: f64 = 1e3;

/// Volume [m3], and mass, centre and inertia at a density of 1 kg/m3, of a shape; `None` if it encloses
/// no volume or has no end.
fn properties(shape: &dyn Shape) -> Option<(f64, MassProperties)> {
    shape.bounds()?;
    let unit = match simple(shape.form()) {
        Some(solid) => solid.mass_properties(1.0),
        None => {
            let mesh = shape.surface(EXTENT);
            MassProperties::from_trimesh(1.0, &mesh.vertices, &mesh.triangles)
        }
    };
    let volume = unit.mass();
    (volume > 0.0 && volume.is_finite()).then_some((volume, unit))
}

/// The volume [m3] of a shape, and what the method `rigid` needs to know of a body of it; `None` if it
/// encloses no volume.
///
/// * `mass` — of the body for a volume [kg], > 0
/// * `spin` — angular velocity at the start in world axes [rad/s]
pub fn rigid_shape(
    shape: &dyn Shape,
    mass: impl Fn(f64) -> f64,
    rotation: DQuat,
    spin: DVec3,
) -> Option<(f64, RigidShape)> {
    let (volume, unit) = properties(shape)?;
    let mass = mass(volume);
    let turn = DMat3::from_quat(unit.principal_inertia_local_frame);
    let principal = DMat3::from_diagonal(unit.principal_inertia());
    let inertia = turn * principal * turn.transpose() * (mass / volume);
    let corners = shape.bounds()?.corners();
    let extent = corners.map(|x| x.distance(unit.local_com));
    Some((
        volume,
        RigidShape {
            center: unit.local_com,
            inertia,
            extent: extent.into_iter().fold(0.0, f64::max),
            rotation,
            spin,
        },
    ))
}

/// A shape as it touches others.
///
/// * `moves` — a body that moves is made of convex pieces; one that rests may be a surface
/// * `is_shell` — its surface alone is solid
pub fn solid(shape: &dyn Shape, moves: bool, is_shell: bool) -> Option<SharedShape> {
    if !is_shell && let Some(solid) = simple(shape.form()) {
        return Some(solid);
    }
    let mesh = shape.surface(EXTENT);
    if mesh.triangles.is_empty() {
        return None;
    }
    if is_shell || !moves {
        return SharedShape::trimesh(mesh.vertices, mesh.triangles).ok();
    }
    Some(
        hull_if_convex(&mesh)
            .unwrap_or_else(|| SharedShape::convex_decomposition(&mesh.vertices, &mesh.triangles)),
    )
}

fn hull_if_convex(mesh: &TriangleMesh) -> Option<SharedShape> {
    let hull = SharedShape::convex_hull(&mesh.vertices)?;
    let volume = hull.mass_properties(1.0).mass();
    (volume <= (1.0 + CONVEX) * mesh.volume()).then_some(hull)
}

fn simple(form: Form) -> Option<SharedShape> {
    Some(match form {
        Form::Sphere(radius) => SharedShape::ball(radius),
        Form::Box(half) => SharedShape::cuboid(half.x, half.y, half.z),
        Form::Capsule(radius, height) => SharedShape::capsule_y(0.5 * height, radius),
        Form::Cylinder(radius, height) => SharedShape::cylinder(0.5 * height, radius),
        Form::Cone(radius, height) => SharedShape::cone(0.5 * height, radius),
        Form::HalfSpace(normal) => SharedShape::halfspace(normal),
        Form::Other => return None,
    })
}

#[cfg(test)]
mod tests {
    use pliant_geometry::shapes::{Box, Cone, Ellipsoid, Plane, Sphere, Torus};

    use super::*;

    fn shape_of(shape: &dyn Shape, mass: f64) -> (f64, RigidShape) {
        let rigid = rigid_shape(shape, |_| mass, DQuat::IDENTITY, DVec3::ZERO);
        rigid.expect("it encloses a volume")
    }

    #[test]
    fn boxes_and_balls_have_their_moments_of_inertia() {
        let half_size = DVec3::new(0.5, 1.0, 1.5);
        let (volume, rigid) = shape_of(&Box { half_size }, 12.0);
        assert!((volume - 6.0).abs() < 1e-12);
        // m (b^2 + c^2)/12 with the whole edges.
        let expected = DVec3::new(13.0, 10.0, 5.0);
        assert!((rigid.inertia * DVec3::ONE - expected).length() < 1e-9);
        assert!((rigid.extent - half_size.length()).abs() < 1e-12);
        let (_, ball) = shape_of(&Sphere { radius: 2.0 }, 5.0);
        let expected = 0.4 * 5.0 * 4.0;
        assert!((ball.inertia * DVec3::X - DVec3::X * expected).length() < 1e-9);
    }

    #[test]
    fn a_cone_has_its_centre_a_quarter_up() {
        let (_, rigid) = shape_of(&Cone::new(1.0, 4.0), 1.0);
        assert!((rigid.center - DVec3::Y * -1.0).length() < 1e-9);
    }

    #[test]
    fn surfaces_weigh_what_their_shapes_do() {
        let radii = DVec3::new(0.3, 0.2, 0.1);
        let (volume, rigid) = shape_of(&Ellipsoid { radii }, 1.0);
        let expected = 4.0 / 3.0 * std::f64::consts::PI * radii.element_product();
        assert!((volume / expected - 1.0).abs() < 0.01, "{volume}");
        let about_x = (0.04 + 0.01) / 5.0;
        assert!((rigid.inertia.x_axis.x / about_x - 1.0).abs() < 0.02);
    }

    #[test]
    fn what_has_no_end_is_no_body() {
        let plane = Plane { normal: DVec3::Y };
        assert!(rigid_shape(&plane, |_| 1.0, DQuat::IDENTITY, DVec3::ZERO).is_none());
        assert!(solid(&plane, false, false).is_some());
    }

    #[test]
    fn a_torus_keeps_its_hole() {
        let torus = Torus {
            radius: 1.0,
            tube_radius: 0.25,
        };
        let solid = solid(&torus, true, false).expect("it has a surface");
        let pose = rapier3d_f64::math::Pose::IDENTITY;
        assert!(!solid.contains_point(&pose, DVec3::ZERO));
        assert!(solid.contains_point(&pose, DVec3::X));
    }
}

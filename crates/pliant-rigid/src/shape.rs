//! Shapes as solid bodies: what they weigh, and what they touch others with.

use pliant_core::methods::rigid::RigidShape;
use pliant_geometry::{Form, Moments, Shape, TriangleMesh, moments};
use pliant_math::{DMat3, DQuat, DVec3};
use rapier3d_f64::prelude::{MassProperties, SharedShape};

/// A mesh is convex if its hull has at most this share more volume.
const CONVEX: f64 = 0.01;
/// Extent of the surface of a shape without end [m].
const EXTENT: f64 = 1e3;

/// A solid of 1 kg/m3.
struct Solid {
    volume: f64,
    center: DVec3,
    /// About the centre.
    inertia: DMat3,
}

/// What a shape weighs, where its centre is and how it turns; `None` if it encloses no volume or has no
/// end.
fn properties(shape: &dyn Shape) -> Option<Solid> {
    let bounds = shape.bounds()?;
    let solid = match simple(shape.form()) {
        Some(solid) => of_properties(&solid.mass_properties(1.0)),
        None if shape.hides_surface() => of_moments(moments(shape, bounds)),
        None => {
            let mesh = shape.surface(EXTENT);
            let unit = MassProperties::from_trimesh(1.0, &mesh.vertices, &mesh.triangles);
            of_properties(&unit)
        }
    };
    (solid.volume > 0.0 && solid.volume.is_finite()).then_some(solid)
}

fn of_properties(unit: &MassProperties) -> Solid {
    let turn = DMat3::from_quat(unit.principal_inertia_local_frame);
    let principal = DMat3::from_diagonal(unit.principal_inertia());
    Solid {
        volume: unit.mass(),
        center: unit.local_com,
        inertia: turn * principal * turn.transpose(),
    }
}

fn of_moments(moments: Moments) -> Solid {
    let center = moments.first / moments.volume;
    let dyad = DMat3::from_cols(center * center.x, center * center.y, center * center.z);
    let second = moments.second - dyad * moments.volume;
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    Solid {
        volume: moments.volume,
        center,
        inertia: DMat3::from_diagonal(DVec3::splat(trace)) - second,
    }
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
    let Solid {
        volume,
        center,
        inertia,
    } = properties(shape)?;
    let inertia = inertia * (mass(volume) / volume);
    let corners = shape.bounds()?.corners();
    let extent = corners.map(|x| x.distance(center));
    Some((
        volume,
        RigidShape {
            center,
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
    // Where shells overlap, triangles count more than there is.
    let volume = match shape.hides_surface() {
        true => shape.volume()?,
        false => mesh.volume(),
    };
    Some(
        hull_if_convex(&mesh, volume)
            .unwrap_or_else(|| SharedShape::convex_decomposition(&mesh.vertices, &mesh.triangles)),
    )
}

fn hull_if_convex(mesh: &TriangleMesh, inside: f64) -> Option<SharedShape> {
    let hull = SharedShape::convex_hull(&mesh.vertices)?;
    let volume = hull.mass_properties(1.0).mass();
    (volume <= (1.0 + CONVEX) * inside).then_some(hull)
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
    use pliant_geometry::shapes::{Box, Cone, Ellipsoid, MeshShape, Plane, Sphere, Torus};
    use pliant_geometry::{in_order, topology};

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
    fn meshes_have_the_mass_of_their_shapes() {
        let radii = DVec3::new(0.3, 0.2, 0.1);
        let (volume, rigid) = shape_of(&Ellipsoid { radii }, 1.0);
        let expected = 4.0 / 3.0 * std::f64::consts::PI * radii.element_product();
        assert!((volume / expected - 1.0).abs() < 0.01, "{volume}");
        let about_x = (0.04 + 0.01) / 5.0;
        assert!((rigid.inertia.x_axis.x / about_x - 1.0).abs() < 0.02);
    }

    #[test]
    fn overlapping_shells_have_the_mass_of_their_union() {
        // Two bricks that together are one, crosswise a plus.
        let brick = |half_size: DVec3, at: DVec3| {
            let mut mesh = Box { half_size }.surface(1.0);
            mesh.vertices.iter_mut().for_each(|x| *x += at);
            mesh
        };
        let both = |mut one: TriangleMesh, other: TriangleMesh| {
            let first = one.vertices.len() as u32;
            let moved = other.triangles.iter().map(|t| t.map(|v| v + first));
            one.triangles.extend(moved);
            one.vertices.extend(other.vertices);
            let mesh = topology::closed(&one).expect("it is closed");
            MeshShape::new(mesh, 1.0, 0.0, in_order).expect("it is small")
        };
        let half = DVec3::new(0.5, 0.3, 0.2);
        let long = both(
            brick(half, DVec3::ZERO),
            brick(half, DVec3::new(0.43, 0.0, 0.0)),
        );
        let (volume, rigid) = shape_of(&long, 2.0);
        assert!((volume / (1.43 * 0.6 * 0.4) - 1.0).abs() < 2e-3, "{volume}");
        assert!((rigid.center - DVec3::X * 0.215).length() < 1e-3);
        let expected = DVec3::new(0.36 + 0.16, 1.43 * 1.43 + 0.16, 1.43 * 1.43 + 0.36) / 6.0;
        let inertia = DVec3::new(
            rigid.inertia.x_axis.x,
            rigid.inertia.y_axis.y,
            rigid.inertia.z_axis.z,
        );
        assert!(
            ((inertia - expected) / expected).abs().max_element() < 5e-3,
            "{inertia} of {expected}"
        );
        let (one, other) = (DVec3::new(0.5, 0.1, 0.1), DVec3::new(0.1, 0.5, 0.1));
        let plus = both(brick(one, DVec3::ZERO), brick(other, DVec3::ZERO));
        let (volume, _) = shape_of(&plus, 2.0);
        assert!((volume / (0.08 - 0.008) - 1.0).abs() < 5e-3, "{volume}");
        let solid = solid(&plus, true, false).expect("it has a surface");
        let pose = rapier3d_f64::math::Pose::IDENTITY;
        assert!(!solid.contains_point(&pose, DVec3::new(0.3, 0.3, 0.0)));
    }

    #[test]
    fn unbounded_shapes_cannot_be_bodies() {
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

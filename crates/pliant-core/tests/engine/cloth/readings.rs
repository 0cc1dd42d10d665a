//! What probes read off cloth.

use std::sync::Arc;

use pliant_core::measure::FrameBuffers;
use pliant_core::methods::cloth::ClothColumns;
use pliant_core::rest::Fabric;
use pliant_core::world::{Body, World};
use pliant_geometry::{TexturedMesh, TriangleMesh, UvMap};
use pliant_math::{DQuat, DVec3, Pose};

use super::sheets::{LAW, at, sheet, world_of};
use crate::probes::measured;

#[test]
fn stretch_of_cloth_is_that_of_its_triangles() {
    let rotation = DQuat::from_rotation_y(0.3) * DQuat::from_rotation_x(0.7);
    for (along, across) in [(1.0, 1.0), (1.2, 0.9), (1.001, 1.0), (0.5, 2.0)] {
        let flat = sheet(LAW, [6, 5], 0.02, Pose::IDENTITY);
        let mut world = World::new(world_of(LAW, vec![flat]));
        for x in &mut world.state.particles.position {
            *x = rotation * (*x * DVec3::new(along, 1.0, across));
        }
        let [min, mean, max] = measured("stretch", &[], &world)[..] else {
            panic!("three columns");
        };
        let (least, greatest) = (f64::min(along, across), f64::max(along, across));
        assert!((min - least).abs() < 1e-9, "{min} of {least}");
        assert!((max - greatest).abs() < 1e-9, "{max} of {greatest}");
        assert!((mean - greatest).abs() < 1e-9, "{mean} of {greatest}");
    }
}

/// What a picture has at a point of a sheet at rest.
fn uv(x: DVec3) -> [f32; 2] {
    [3.0 * x.x + 0.5, x.x - 2.0 * x.z].map(|c| c as f32)
}

#[test]
fn triangles_keep_their_texture_coordinates_as_they_move_and_tear() {
    let plain = sheet(LAW, [3, 3], 0.02, at(0.0, 1.0, 0.0));
    let mut flat = sheet(LAW, [6, 5], 0.02, Pose::IDENTITY);
    let rest = flat.particles.position.clone();
    let triangles = sheet_triangles(&flat);
    let mesh = TriangleMesh {
        vertices: rest.clone(),
        triangles: triangles.clone(),
    };
    let of_corners = triangles.iter().map(|t| t.map(|k| uv(rest[k as usize])));
    let textured = TexturedMesh {
        uv: of_corners.collect(),
        mesh,
    };
    flat.particles.uv_map = Some(Arc::new(UvMap::new(textured)));
    let first_id = plain.particles.position.len() as u32;
    let mut world = World::new(world_of(LAW, vec![plain.clone(), flat]));
    for x in &mut world.state.particles.position {
        *x = DVec3::new(x.z, 2.0 * x.x, x.x * x.z);
    }
    let mut buffers = FrameBuffers::default();
    for tears in [false, true] {
        if tears {
            let torn = world.state.methods.find_mut::<ClothColumns>();
            let torn = &mut torn.expect("cloth").is_torn;
            torn.iter_mut()
                .step_by(3)
                .for_each(|is_torn| *is_torn = true);
        }
        buffers.update(&world);
        let frame = buffers.frame();
        assert_eq!(frame.uv.len(), frame.triangles.len());
        assert!(frame.inside.is_empty());
        let mut textured = 0;
        for (corners, found) in frame.triangles.iter().zip(frame.uv) {
            for (&corner, found) in corners.iter().zip(found) {
                match frame.id[corner as usize].checked_sub(first_id) {
                    Some(k) => {
                        let expected = uv(rest[k as usize]);
                        let differs = [0, 1].map(|c| (found[c] - expected[c]).abs());
                        assert!(differs < [1e-6; 2], "{found:?} {expected:?}");
                        textured += 1;
                    }
                    None => assert_eq!(*found, [0.0; 2]),
                }
            }
        }
        assert!(textured > 60, "{textured}");
    }
    // Where no body has any there are none.
    let world = World::new(world_of(LAW, vec![plain]));
    buffers.update(&world);
    assert!(buffers.frame().uv.is_empty() && !buffers.frame().triangles.is_empty());
}

/// The triangles of a body of cloth, by its vertices.
fn sheet_triangles(body: &Body) -> Vec<[u32; 3]> {
    let fabric = body.particles.structure_of::<Fabric>();
    fabric.expect("cloth").triangles.clone()
}

#[test]
fn stretch_of_sheared_cloth_is_that_of_the_shear() {
    let flat = sheet(LAW, [6, 5], 0.02, Pose::IDENTITY);
    let mut world = World::new(world_of(LAW, vec![flat]));
    let shear = 0.4;
    for x in &mut world.state.particles.position {
        x.x += shear * x.z;
    }
    // The principal stretches of a simple shear k are the roots of s - 1/s = k.
    let greatest = 0.5 * (shear + f64::sqrt(shear * shear + 4.0));
    let stretch = measured("stretch", &[], &world);
    assert!((stretch[2] - greatest).abs() < 1e-9, "{stretch:?}");
    assert!((stretch[0] - 1.0 / greatest).abs() < 1e-9, "{stretch:?}");
}

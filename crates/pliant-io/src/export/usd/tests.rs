//! A small scene as files.

use std::sync::Arc;

use pliant_core::measure::{Frame, FrameBody, FrameCollider, SceneryKind};
use pliant_core::method::DrawnAs;
use pliant_geometry::shapes::Sphere;
use pliant_geometry::{Course, Frames, MovingMesh, TriangleMesh};
use pliant_math::{DVec3, Pose};

use super::super::tests::two_particles;
use super::super::{
    ParticleFrame, PlacedBy, SceneCollider, SceneFacts, SeriesIndex, SeriesPlace, UpAxis,
    frame_files, write_frame,
};
use super::*;

mod placements;

/// Sand, and a rigid body that is a ball around the place it turns about.
fn scene() -> (ParticleFrame, Vec<FrameBody>, SceneFacts) {
    let (frame, mut bodies) = two_particles();
    bodies[1].drawn_as = DrawnAs::Collider;
    let facts = SceneFacts {
        frame_rate: 30.0,
        up: UpAxis::Z,
        with_triangles: Vec::new(),
        with_surface: Vec::new(),
        with_uv: Vec::new(),
        colliders: vec![SceneCollider {
            name: "cup".to_owned(),
            shape: Arc::new(Sphere { radius: 0.5 }),
            color: [1.0; 3],
            opacity: 1.0,
            gloss: 0.5,
            placed_by: PlacedBy::Body {
                body: 1,
                center: DVec3::new(0.0, 0.25, 0.0),
            },
        }],
        ..SceneFacts::default()
    };
    (frame, bodies, facts)
}

fn written(frame: &Frame, surface: Option<&Frame>, scene: &SceneFacts) -> Vec<u8> {
    let mut bytes = Vec::new();
    let moment = Moment {
        frame,
        surface,
        scene,
    };
    write(&moment, &mut bytes).unwrap();
    bytes
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn singles(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

#[test]
fn a_frame_has_the_values_of_each_body() {
    let (frame, bodies, facts) = scene();
    let file = written(&frame.frame(&bodies, &[]).unwrap(), None, &facts);
    let one = 1_u64.to_le_bytes();
    // The sand is one particle, with its diameter.
    for values in [&[1.0, 2.0, 3.0][..], &[0.5, 0.0, -0.5], &[0.25], &[1600.0]] {
        assert!(
            contains(&file, &[&one[..], &singles(values)].concat()),
            "{values:?}"
        );
    }
    assert!(contains(&file, &[one, 7_u64.to_le_bytes()].concat()));
    assert!(contains(&file, b"primvars:density\0"));
}

/// Leaves the first particle of a frame.
fn keep_the_first(frame: &mut ParticleFrame) {
    for column in [&mut frame.id, &mut frame.body, &mut frame.material] {
        column.truncate(1);
    }
    frame.position.truncate(1);
    frame.velocity.truncate(1);
    frame.radius.truncate(1);
    frame
        .quantities
        .iter_mut()
        .for_each(|q| q.values.truncate(1));
}

#[test]
fn what_is_added_later_gets_the_names_that_are_left_and_the_scene_knows_it_at_once() {
    let (mut frame, mut bodies, mut facts) = scene();
    // The frame has the sand alone; the second body comes later, by the name of a collider.
    keep_the_first(&mut frame);
    facts.colliders.push(SceneCollider {
        name: "wall".to_owned(),
        placed_by: PlacedBy::Collider(0),
        ..facts.colliders[0].clone()
    });
    bodies[1].name = "wall".to_owned();
    facts.colliders[0].name = "wall".to_owned();
    facts.bodies.clone_from(&bodies);
    facts.bodies_at_start = 1;
    facts.later_quantities = vec!["density", "rotation_w"];
    let place = tempfile::tempdir().unwrap();
    let series = SeriesPlace::particles(place.path());
    let mut index = (beside::INDEX.open)(&series, f64::NEG_INFINITY).unwrap();
    let mut append = |frame: &Frame| {
        let moment = Moment {
            frame,
            surface: None,
            scene: &facts,
        };
        index.append(&moment, "particles.0001.usdc").unwrap();
        let read = |name: &str| std::fs::read(place.path().join(name)).unwrap();
        (
            read("scene.usda"),
            read("manifest.usdc"),
            stage::Stage::of(&moment),
        )
    };
    let (text, manifest, before) = append(&frame.frame(&bodies[..1], &[]).unwrap());
    let (later_text, later_manifest, after) = append(&frame.frame(&bodies, &[]).unwrap());
    assert!(text == later_text && manifest == later_manifest);
    assert!(contains(&manifest, b"primvars:rotation_w\0"));
    assert!(after.things.starts_with(&before.things));
    let names: Vec<&str> = after
        .things
        .iter()
        .map(|thing| thing.name.as_str())
        .collect();
    assert_eq!(
        names,
        ["_sand_", "wall", "wall_2"].map(|name| name.trim_matches('_'))
    );
}

#[test]
fn bodies_that_are_mixed_in_the_order_of_ids_are_taken_apart() {
    let (mut frame, mut bodies, mut facts) = scene();
    facts.colliders.clear();
    bodies[1].drawn_as = DrawnAs::Particles;
    facts.with_triangles = vec![1];
    frame.quantities.clear();
    frame.body = vec![1, 0, 1, 1, 0];
    frame.id = vec![1, 2, 3, 4, 5];
    frame.material = vec![0; 5];
    frame.position = (0..5).map(|i| DVec3::splat(i.into())).collect();
    frame.velocity = vec![[0.0; 3]; 5];
    frame.radius = vec![1.0; 5];
    frame.triangles = vec![[0, 2, 3]];
    let file = written(&frame.frame(&bodies, &[]).unwrap(), None, &facts);
    let [two, three] = [2_u64, 3].map(u64::to_le_bytes);
    let sand = [1.0, 4.0].map(|i| singles(&[i; 3])).concat();
    let cloth = [0.0, 2.0, 3.0].map(|i| singles(&[i; 3])).concat();
    assert!(contains(&file, &[&two[..], &sand].concat()));
    assert!(contains(&file, &[&three[..], &cloth].concat()));
    let corners = [0_u32, 1, 2].map(u32::to_le_bytes).concat();
    assert!(contains(&file, &[&three[..], &corners].concat()));
}

#[test]
fn a_surface_is_a_mesh_beside_its_points() {
    let (frame, bodies, mut facts) = scene();
    facts.colliders.clear();
    facts.with_surface = vec![0];
    let mut surface = frame.clone();
    surface.body = vec![0, 0];
    surface.triangles = vec![[0, 1, 0]];
    let lent = frame.frame(&bodies, &[]).unwrap();
    let carried = surface.frame(&bodies, &[]).unwrap();
    let moment = Moment {
        frame: &lent,
        surface: Some(&carried),
        scene: &facts,
    };
    let stage = stage::Stage::of(&moment);
    let names: Vec<&str> = stage.things.iter().map(|thing| &*thing.name).collect();
    assert_eq!(names, ["sand", "sand_surface"]);
    let file = written(&lent, Some(&carried), &facts);
    let corners = [
        3_u64.to_le_bytes().to_vec(),
        [0_u32, 1, 0].map(u32::to_le_bytes).concat(),
    ];
    assert!(contains(&file, &corners.concat()));
    // Texture coordinates of corners, and which faces a cut made.
    facts.with_uv = vec![0];
    surface.uv = vec![[[0.25, 0.5], [0.75, 0.5], [0.25, 1.0]]];
    surface.inside = vec![true];
    let carried = surface.frame(&bodies, &[]).unwrap();
    let file = written(&lent, Some(&carried), &facts);
    let uv = [
        3_u64.to_le_bytes().to_vec(),
        singles(&[0.25, 0.5, 0.75, 0.5, 0.25, 1.0]),
    ];
    assert!(contains(&file, &uv.concat()));
    let inside = [1_u64.to_le_bytes().to_vec(), 1_u32.to_le_bytes().to_vec()];
    assert!(contains(&file, &inside.concat()) && contains(&file, b"primvars:st\0"));
    // Once nothing is left of it, it is empty, and still there.
    let file = written(&lent, None, &facts);
    assert!(contains(&file, b"sand_surface\0"));
}

#[test]
fn the_scene_names_the_frames_it_has_and_is_cut_on_resume() {
    let folder = tempfile::tempdir().unwrap();
    let (mut frame, bodies, facts) = scene();
    let place = SeriesPlace::particles(folder.path());
    let index = EXPORTER.index.unwrap();
    let mut opened = (index.open)(&place, f64::NEG_INFINITY).unwrap();
    let mut add = |opened: &mut Box<dyn SeriesIndex>, number: u32| {
        frame.number = number;
        let lent = frame.frame(&bodies, &[]).unwrap();
        let moment = Moment {
            frame: &lent,
            surface: None,
            scene: &facts,
        };
        write_frame(folder.path(), &EXPORTER, &moment).unwrap();
        let name = frame_files(folder.path(), &EXPORTER).name(number);
        assert!(!opened.has(&name));
        opened.append(&moment, &name).unwrap();
        assert!(opened.has(&name));
        std::fs::read_to_string(index.path(&place)).unwrap()
    };
    (1..=3).for_each(|number| drop(add(&mut opened, number)));
    let text = add(&mut opened, 4);
    for part in [
        "startTimeCode = 1\n",
        "endTimeCode = 4\n",
        "timeCodesPerSecond = 30\n",
        "metersPerUnit = 1\n",
        "upAxis = \"Z\"\n",
        "\"./particles.####.usdc\"",
        "def Points \"sand\"",
        "def Xform \"cup\"",
        "float[] primvars:density",
        "</World/Looks/sand>",
    ] {
        assert!(text.contains(part), "no {part} in {text}");
    }
    // At 30 frames a second the second frame is at 1/30 s.
    let mut resumed = (index.open)(&place, 1.0 / 30.0).unwrap();
    assert!(resumed.has("particles.0002.usdc") && !resumed.has("particles.0003.usdc"));
    assert!(add(&mut resumed, 3).contains("endTimeCode = 3\n"));
    for name in (index.names)("particles") {
        assert!(folder.path().join(&name).is_file(), "no {name}");
    }
    index.remove(&place).unwrap();
    assert!(!index.path(&place).exists());
}

/// The number that the shader of a thing has in the text of a scene.
fn shader_input(text: &str, thing: &str, input: &str) -> f32 {
    let (_, material) = text
        .split_once(&format!("def Material \"{thing}\""))
        .unwrap();
    let (material, _) = material.split_once("token outputs:surface\n").unwrap();
    let (_, value) = material.split_once(&format!("inputs:{input} = ")).unwrap();
    value.lines().next().unwrap().parse().unwrap()
}

#[test]
fn materials_have_the_gloss_and_the_opacity_of_their_bodies() {
    let (frame, mut bodies, mut facts) = scene();
    facts.colliders.clear();
    facts.with_surface = vec![0, 1];
    let looks = [(0.0, 0.25), (0.75, 1.0)];
    for (body, (gloss, opacity)) in bodies.iter_mut().zip(looks) {
        body.drawn_as = DrawnAs::Particles;
        body.look.gloss = gloss;
        body.look.opacity = opacity;
    }
    let lent = frame.frame(&bodies, &[]).unwrap();
    let moment = Moment {
        frame: &lent,
        surface: None,
        scene: &facts,
    };
    let place = tempfile::tempdir().unwrap();
    let series = SeriesPlace::particles(place.path());
    let mut index = (beside::INDEX.open)(&series, f64::NEG_INFINITY).unwrap();
    index.append(&moment, "particles.0001.usdc").unwrap();
    let text = std::fs::read_to_string(place.path().join("scene.usda")).unwrap();
    for (body, (gloss, opacity)) in bodies.iter().zip(looks) {
        let surface = format!("{}_surface", body.name);
        // Guides are seen whole; what is shown in their place is as opaque as the body.
        for (thing, opacity) in [(&body.name, 1.0), (&surface, opacity)] {
            assert_eq!(shader_input(&text, thing, "opacity"), opacity, "{thing}");
            // As rough as paper without gloss, and a fifth of that with all of it.
            let roughness = shader_input(&text, thing, "roughness");
            assert!((roughness - (1.0 - 0.8 * gloss)).abs() < 1e-6, "{thing}");
        }
        let binding = format!("rel material:binding = </World/Looks/{surface}>");
        assert!(text.contains(&binding), "no {binding} in {text}");
    }
}

#[test]
fn a_collider_that_deforms_has_its_points_and_velocities_in_each_frame_and_nowhere_else() {
    let (frame, bodies, mut facts) = scene();
    // A triangle of which a corner goes up by 2 m/s.
    let mesh = TriangleMesh {
        vertices: vec![DVec3::ZERO, DVec3::X, DVec3::Y],
        triangles: vec![[0, 1, 2]],
    };
    let up = |by: f64| vec![DVec3::ZERO, DVec3::X, DVec3::Y + DVec3::Z * by];
    let course = Course {
        rate: 4.0,
        start: 0.0,
        repeats: false,
        is_smooth: false,
    };
    let moving = MovingMesh::new(&mesh, false, Frames::new(vec![up(0.0), up(0.5)], course));
    let mut then = moving.clone();
    then.move_to(0.125, 0.0);
    facts.colliders.push(SceneCollider {
        name: "flap".to_owned(),
        shape: Arc::new(moving),
        placed_by: PlacedBy::Collider(0),
        ..facts.colliders[0].clone()
    });
    let placed = FrameCollider {
        name: "flap".to_owned(),
        shape: Arc::new(then),
        pose: Pose::IDENTITY,
        color: [1.0; 3],
        opacity: 1.0,
        gloss: 0.0,
        kind: SceneryKind::Collider,
    };
    let colliders = [placed];
    let lent = frame.frame(&bodies, &colliders).unwrap();
    let file = written(&lent, None, &facts);
    let three = 3_u64.to_le_bytes().to_vec();
    let array = |values: &[f32]| [three.clone(), singles(values)].concat();
    let points = array(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.25]);
    let velocities = array(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0]);
    assert!(contains(&file, &points) && contains(&file, &velocities));
    assert!(contains(&file, &singles(&[0.0, 0.0, 0.0, 1.0, 1.0, 0.25])));
    let folder = tempfile::tempdir().unwrap();
    let series = SeriesPlace::particles(folder.path());
    let mut index = (beside::INDEX.open)(&series, f64::NEG_INFINITY).unwrap();
    let moment = Moment {
        frame: &lent,
        surface: None,
        scene: &facts,
    };
    index.append(&moment, "particles.0001.usdc").unwrap();
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    // Values beside the frames would hide those of the frames: the triangle is there, its points are only declared.
    let beside = read("colliders.usdc");
    let triangle = [0_u32, 1, 2].map(u32::to_le_bytes).concat();
    assert!(contains(&beside, &[three.clone(), triangle].concat()));
    assert!(!contains(
        &beside,
        &singles(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0])
    ));
    assert!(contains(&read("manifest.usdc"), b"velocities\0"));
    assert!(
        read("scene.usda")
            .windows(16)
            .any(|part| part == b"def Xform \"flap\"")
    );
}

#[test]
fn a_scene_without_particles_is_a_scene() {
    let (_, bodies, facts) = scene();
    let empty = ParticleFrame {
        number: 1,
        ..ParticleFrame::default()
    };
    let file = written(&empty.frame(&bodies, &[]).unwrap(), None, &facts);
    assert!(contains(&file, b"widths\0"));
}

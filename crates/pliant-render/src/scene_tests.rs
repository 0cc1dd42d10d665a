//! What pictures must show: sizes, order, shadows; and what they must survive.

use std::sync::Arc;

use glam::Vec3;
use pliant_math::DVec3;

use crate::camera::Camera;
use crate::color_map::ColorMap;
use crate::coloring::Coloring;
use crate::environment_map::EnvironmentMap;
use crate::picture::Picture;
use crate::raster::{Geometry, SAMPLES, Seen, TILE};
use crate::renderer::{RenderError, Renderer, Settings};
use crate::surroundings::{EnvironmentLight, Surroundings};
use crate::test_scene::{self, Ball, Block, Scene};
use crate::tiles::Prepared;
use crate::view::View;

const WIDTH: u32 = 320;
const HEIGHT: u32 = 180;

/// From z = 4 towards the origin, y up.
fn camera() -> Camera {
    Camera {
        position: DVec3::new(0.0, 0.0, 4.0),
        target: DVec3::ZERO,
        up: DVec3::Y,
        vertical_field_of_view: 0.6,
    }
}

fn renderer() -> Renderer {
    Renderer::new(Settings {
        width: WIDTH,
        height: HEIGHT,
        ..Settings::default()
    })
}

fn picture(scene: &Scene, camera: &Camera) -> Picture {
    renderer().render(&scene.frame(), camera).unwrap()
}

fn brightness(picture: &Picture, x: u32, y: u32) -> f32 {
    picture
        .pixel(x, y)
        .iter()
        .map(|c| f32::from(*c))
        .sum::<f32>()
        / 3.0
}

/// What every sample sees, with its distance.
fn samples(scene: &Scene, camera: &Camera) -> Vec<(Seen, f32)> {
    let view = View::new(camera, WIDTH, HEIGHT);
    let mut cache = crate::surfaces::SurfaceCache::default();
    let surfaces = cache.surfaces(&scene.colliders, 1.0, DVec3::ZERO);
    let prepared = Prepared::new(Geometry::new(&scene.frame(), &surfaces, &view), &view);
    let mut all = Vec::new();
    for row in 0..HEIGHT.div_ceil(TILE) {
        for column in 0..WIDTH.div_ceil(TILE) {
            let tile = prepared.see(column, row, &view);
            for (seen, depth) in tile.seen.iter().zip(&tile.depth) {
                all.extend(seen.iter().copied().zip(depth.iter().copied()));
            }
        }
    }
    all
}

#[test]
fn silhouette_and_depth_of_a_sphere_are_those_of_the_projection() {
    let radius = 0.5;
    let scene = Scene::of_spheres([(DVec3::ZERO, radius)]);
    let samples = samples(&scene, &camera());
    let hits: Vec<f32> = samples
        .iter()
        .filter(|(seen, _)| seen.as_sphere().is_some())
        .map(|(_, depth)| *depth)
        .collect();
    let pixels = hits.len() as f64 / SAMPLES as f64;
    // A sphere straight ahead at distance d covers a circle of tangent r / sqrt(d² - r²).
    let focal = 0.5 * f64::from(HEIGHT) / 0.3f64.tan();
    let tangent = 0.5 / (16.0f64 - 0.25).sqrt();
    let expected = std::f64::consts::PI * (focal * tangent).powi(2);
    assert!(
        (pixels / expected - 1.0).abs() < 3e-3,
        "{pixels} {expected}"
    );
    let nearest = hits.iter().copied().fold(f32::INFINITY, f32::min);
    let farthest = hits.iter().copied().fold(0.0, f32::max);
    assert!((nearest - 3.5).abs() < 1e-3, "{nearest}");
    assert!((farthest - (16.0 - 0.25) / 4.0).abs() < 2e-2, "{farthest}");
}

#[test]
fn small_sphere_far_away_keeps_its_round_outline() {
    let far = Camera {
        position: DVec3::new(0.0, 0.0, 4000.0),
        vertical_field_of_view: 0.002,
        ..camera()
    };
    let scene = Scene::of_spheres([(DVec3::ZERO, 1.0)]);
    let hits = samples(&scene, &far)
        .iter()
        .filter(|(seen, _)| seen.as_sphere().is_some())
        .count();
    let focal = 0.5 * f64::from(HEIGHT) / 0.001f64.tan();
    let expected = std::f64::consts::PI * (focal / 4000.0).powi(2);
    assert!((hits as f64 / SAMPLES as f64 / expected - 1.0).abs() < 0.02);
}

#[test]
fn nearer_things_hide_farther_ones_in_any_order() {
    let near = (DVec3::new(0.0, 0.0, 1.0), 0.2);
    let far = (DVec3::new(0.0, 0.0, -1.0), 0.2);
    for (spheres, wanted) in [([near, far], 0), ([far, near], 1)] {
        let mut scene = Scene::of_spheres(spheres);
        scene
            .colliders
            .push(test_scene::collider(Ball(0.25), [0.5; 3], 1.0));
        let view = View::new(&camera(), WIDTH, HEIGHT);
        let mut cache = crate::surfaces::SurfaceCache::default();
        let surfaces = cache.surfaces(&scene.colliders, 1.0, DVec3::ZERO);
        let prepared = Prepared::new(Geometry::new(&scene.frame(), &surfaces, &view), &view);
        let tile = prepared.see(WIDTH / 2 / TILE, HEIGHT / 2 / TILE, &view);
        let middle = (HEIGHT / 2 % TILE * tile.size[0] + WIDTH / 2 % TILE) as usize;
        let index = tile.seen[middle][0].as_sphere().unwrap();
        assert_eq!(prepared.geometry.spheres[index].particle, wanted);
    }
}

#[test]
fn triangles_of_a_surface_leave_no_gaps_and_do_not_overlap() {
    let mut scene = Scene::of_spheres([]);
    scene.colliders.push(test_scene::collider(
        Block(DVec3::splat(0.4)),
        [0.5; 3],
        1.0,
    ));
    let hits = samples(&scene, &camera())
        .iter()
        .filter(|(seen, _)| seen.as_facet().is_some())
        .count();
    // The front face at distance 3.6 covers all of the box.
    let focal = 0.5 * f64::from(HEIGHT) / 0.3f64.tan();
    let expected = (focal * 0.8 / 3.6).powi(2);
    assert!((hits as f64 / SAMPLES as f64 / expected - 1.0).abs() < 3e-3);
}

#[test]
fn sphere_throws_a_shadow_to_the_right_on_the_floor() {
    let above = Camera {
        position: DVec3::new(0.0, 3.0, 4.0),
        ..camera()
    };
    let mut scene = Scene::of_spheres([(DVec3::new(0.0, 0.3, 0.0), 0.3)]);
    scene.colliders.push(test_scene::floor(0.0));
    let shaded = picture(&scene, &above);
    let view = View::new(&above, WIDTH, HEIGHT);
    let at = |x: f64, z: f64| {
        let (x, y) = view.pixel_of(view.to_view(DVec3::new(x, 0.0, z)));
        brightness(&shaded, x as u32, y as u32)
    };
    assert!(at(0.42, -0.05) < 0.75 * at(-0.8, 0.0));
    assert!((at(-0.8, 0.0) - at(-0.8, 0.1)).abs() < 4.0);
}

#[test]
fn glossy_colliders_show_the_lamp_where_matt_ones_do_not() {
    let brightest = |gloss: f32| {
        let mut scene = Scene::of_spheres([]);
        let mut ball = test_scene::collider(Ball(0.6), [0.2; 3], 1.0);
        ball.gloss = gloss;
        scene.colliders.push(ball);
        let shown = picture(&scene, &camera());
        let seen = (110..210).flat_map(|x| (40..140).map(move |y| (x, y)));
        seen.map(|(x, y)| brightness(&shown, x, y))
            .fold(0.0, f32::max)
    };
    assert!(brightest(1.0) > 1.5 * brightest(0.0));
}

#[test]
fn empty_floor_has_neither_shadow_nor_noise() {
    let above = Camera {
        position: DVec3::new(0.0, 3.0, 4.0),
        ..camera()
    };
    let mut scene = Scene::of_spheres([]);
    scene.colliders.push(test_scene::floor(0.0));
    let floor = picture(&scene, &above);
    for x in 100..220 {
        let steps =
            (100..150).map(|y| (brightness(&floor, x, y) - brightness(&floor, x, y + 1)).abs());
        assert!(steps.fold(0.0, f32::max) < 2.0);
    }
}

#[test]
fn glass_lets_the_particle_behind_it_show() {
    let mut scene = Scene::of_spheres([(DVec3::ZERO, 0.2)]);
    let bare = picture(&scene, &camera());
    scene
        .colliders
        .push(test_scene::collider(Ball(0.6), [0.8, 0.9, 0.9], 0.25));
    let glazed = picture(&scene, &camera());
    let middle = (WIDTH / 2, HEIGHT / 2);
    let through = brightness(&glazed, middle.0, middle.1) - brightness(&bare, middle.0, middle.1);
    assert!(through.abs() < 40.0, "{through}");
    assert_ne!(bare, glazed);
    scene.colliders[0].opacity = 0.0;
    assert_eq!(picture(&scene, &camera()), bare);
}

#[test]
fn quantity_changes_colours_and_adds_a_legend() {
    let mut scene = Scene::of_spheres([(DVec3::ZERO, 0.2)]);
    scene.velocity[0] = [3.0, 0.0, 4.0];
    let mut renderer = renderer();
    renderer.settings.coloring = Coloring::Quantity {
        name: "speed".to_owned(),
        range: Some([0.0, 5.0]),
        color_map: ColorMap::Dusk,
    };
    let shown = renderer.render(&scene.frame(), &camera()).unwrap();
    let [red, green, blue] = shown.pixel(WIDTH / 2, HEIGHT / 2);
    assert!(red > 100 && green > 100 && blue < green);
    renderer.settings.shows_legend = false;
    assert_ne!(renderer.render(&scene.frame(), &camera()).unwrap(), shown);
}

#[test]
fn sizes_that_no_picture_has_are_errors() {
    let scene = Scene::of_spheres([]);
    for (width, height) in [(0, 10), (10, 0), (1_000_000, 10)] {
        let mut renderer = renderer();
        (renderer.settings.width, renderer.settings.height) = (width, height);
        let fault = renderer.render(&scene.frame(), &camera());
        assert_eq!(fault, Err(RenderError::Size { width, height }));
    }
}

#[test]
fn extreme_scenes_do_not_panic() {
    let far = DVec3::splat(1e30);
    let positions = [
        DVec3::ZERO,
        DVec3::new(0.0, 0.0, 9.0),
        DVec3::new(0.0, 0.0, 4.0),
        DVec3::NAN,
        DVec3::INFINITY,
        far,
        -far,
    ];
    for radius in [0.0, -1.0, 1e-20, 0.1, 1e20, f32::NAN, f32::INFINITY] {
        let mut scene = Scene::of_spheres(positions.iter().map(|p| (*p, radius)));
        scene.colliders.push(test_scene::floor(-0.5));
        assert_eq!(
            picture(&scene, &camera()).rgb.len(),
            (3 * WIDTH * HEIGHT) as usize
        );
    }
    let mut nowhere = camera();
    nowhere.target = nowhere.position;
    nowhere.up = DVec3::ZERO;
    picture(&Scene::of_spheres([(DVec3::ZERO, 0.1)]), &nowhere);
    picture(&Scene::default(), &camera());
}

#[test]
fn bytes_do_not_depend_on_the_number_of_threads() {
    let mut scene = Scene::of_spheres((0..500).map(|i| {
        let angle = f64::from(i) * 2.4;
        let center = DVec3::new(angle.cos(), 0.1, angle.sin()) * (0.03 * f64::from(i).sqrt());
        (center, 0.05)
    }));
    scene.colliders.push(test_scene::floor(-0.1));
    scene
        .colliders
        .push(test_scene::collider(Ball(0.5), [0.8; 3], 0.3));
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| picture(&scene, &camera()))
    };
    let one = with_threads(1);
    assert!(one == with_threads(2));
    assert!(one == with_threads(5));
}

#[test]
fn picture_does_not_depend_on_those_made_before() {
    let small = Scene::of_spheres([(DVec3::ZERO, 0.3)]);
    let mut wide = Scene::of_spheres([(DVec3::ZERO, 0.1), (DVec3::new(0.9, 0.4, 0.2), 0.2)]);
    wide.colliders.push(test_scene::floor(-0.3));
    let mut used = renderer();
    for scene in [&small, &wide, &small] {
        let again = used.render(&scene.frame(), &camera()).unwrap();
        assert!(again == picture(scene, &camera()));
    }
}

/// An environment map with a red sun on the right, as seen along -z, on a faint grey sky, and its middle row blue.
fn red_sun() -> EnvironmentLight {
    let (width, height) = (64, 32);
    let pixel = |n: u32| match [n % width, n / width] {
        [46..=50, 9..=12] => [300.0, 30.0, 30.0],
        [_, 16] => [0.0, 0.0, 2.0],
        _ => [0.5; 3],
    };
    let pixels = (0..width * height).map(pixel).collect();
    EnvironmentLight {
        map: Arc::new(EnvironmentMap::new(width, height, pixels).unwrap()),
        turn: 0.0,
        strength: 1.0,
        is_seen: true,
    }
}

#[test]
fn an_environment_map_lights_from_where_it_is_bright_and_is_seen_behind() {
    let scene = Scene::of_spheres([(DVec3::ZERO, 0.3)]);
    let lit_by = |environment: EnvironmentLight| {
        let mut lit = renderer();
        lit.settings.environment = Some(environment);
        lit.render(&scene.frame(), &camera()).unwrap()
    };
    let picture = lit_by(red_sun());
    let (middle, side, row) = (WIDTH / 2, 16, HEIGHT / 2 - 6);
    let [left, right] = [middle - side, middle + side].map(|x| brightness(&picture, x, row));
    assert!(right > left + 30.0, "{left} {right}");
    // The horizon is blue, left and right of the ball.
    let [r, _, b] = picture.pixel(10, HEIGHT / 2 + 2);
    assert!(
        b > r.saturating_add(40),
        "{:?}",
        picture.pixel(10, HEIGHT / 2 + 2)
    );
    // Turned by half a turn, it comes from the left.
    let turned = lit_by(EnvironmentLight {
        turn: std::f64::consts::PI,
        ..red_sun()
    });
    let [left, right] = [middle - side, middle + side].map(|x| brightness(&turned, x, row));
    assert!(left > right + 30.0, "{left} {right}");
    let hidden = lit_by(EnvironmentLight {
        is_seen: false,
        ..red_sun()
    });
    let plain = self::picture(&scene, &camera());
    assert_eq!(
        hidden.pixel(10, HEIGHT / 2 + 2),
        plain.pixel(10, HEIGHT / 2 + 2)
    );
    assert_eq!(
        hidden.pixel(middle, HEIGHT / 2),
        picture.pixel(middle, HEIGHT / 2)
    );
}

#[test]
fn lamp_reaches_open_ground_fully_and_nothing_below_a_plate() {
    let mut scene = Scene::of_spheres([]);
    let mut plate = test_scene::collider(Block(DVec3::new(0.5, 0.01, 0.5)), [0.5; 3], 1.0);
    plate.pose.translation.y = 0.1;
    scene.colliders.push(plate);
    let view = View::new(&camera(), WIDTH, HEIGHT);
    let mut cache = crate::surfaces::SurfaceCache::default();
    let surfaces = cache.surfaces(&scene.colliders, 1.0, DVec3::ZERO);
    let geometry = Geometry::new(&scene.frame(), &surfaces, &view);
    let corners = pliant_geometry::Aabb {
        min: DVec3::new(-0.6, -0.1, -0.6),
        max: DVec3::new(0.6, 0.3, 0.6),
    };
    let lights = crate::lights::Lights::new(
        &geometry,
        &corners.corners().map(|p| view.to_view(p)),
        Surroundings::usual(view.up),
        Vec::new(),
    );
    let share = |p: DVec3| lights.lamp_share(view.to_view(p), Vec3::Y, crate::lights::Care::Full);
    assert_eq!(share(DVec3::new(0.05, 0.0, 0.0)), 0.0);
    assert_eq!(share(DVec3::new(-2.0, 0.0, 0.0)), 1.0);
    let sky = |p: DVec3| lights.sky_light(view.to_view(p), Vec3::Y).w;
    assert!((sky(DVec3::new(-3.0, 0.0, 0.0)) - 1.0).abs() < 0.03);
    assert!(sky(DVec3::ZERO) < 0.1);
}

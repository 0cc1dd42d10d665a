//! Counts, distances and places of samples.

use std::sync::Arc;

use pliant_math::{DVec3, RandomStream};
use proptest::prelude::*;

use super::{Sampling, estimate_count, fill};
use crate::shapes::{Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere, Torus};
use crate::work::tests::backwards_on_threads;
use crate::{Shape, in_order};

const ALL: [Sampling; 4] = [
    Sampling::Grid,
    Sampling::Hexagonal,
    Sampling::Poisson,
    Sampling::Relaxed,
];
const IRREGULAR: [Sampling; 2] = [Sampling::Poisson, Sampling::Relaxed];

fn random() -> RandomStream {
    RandomStream::new(5, 0)
}

fn cube(edge: f64) -> Box {
    Box {
        half_size: DVec3::splat(0.5 * edge),
    }
}

fn round_shapes() -> Vec<Arc<dyn Shape>> {
    vec![
        Arc::new(Sphere { radius: 0.5 }),
        Arc::new(Cylinder {
            radius: 0.3,
            height: 1.0,
        }),
        Arc::new(Capsule {
            radius: 0.25,
            height: 0.5,
        }),
        Arc::new(Torus {
            radius: 0.5,
            tube_radius: 0.2,
        }),
        Arc::new(Ellipsoid {
            radii: DVec3::new(0.5, 0.3, 0.25),
        }),
    ]
}

/// Distance from each point to its nearest other.
fn nearest_distances(points: &[DVec3]) -> Vec<f64> {
    let nearest = |i: usize| {
        let others = points.iter().enumerate().filter(|(j, _)| *j != i);
        let distances = others.map(|(_, p)| p.distance_squared(points[i]));
        distances.fold(f64::INFINITY, f64::min).sqrt()
    };
    (0..points.len()).map(nearest).collect()
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

#[test]
fn a_box_of_whole_spacings_holds_exactly_its_grid() {
    let shape = Box {
        half_size: DVec3::new(0.5, 0.35, 0.15),
    };
    let points = fill(&shape, 0.1, Sampling::Grid, 0.0, random(), in_order);
    assert_eq!(points.len(), 10 * 7 * 3);
    let depth = |p: &DVec3| -shape.signed_distance(*p);
    let outermost = least(&points.iter().map(depth).collect::<Vec<_>>());
    assert!((outermost - 0.05).abs() < 1e-12, "{outermost}");
    assert!((least(&nearest_distances(&points)) - 0.1).abs() < 1e-12);
}

#[test]
fn hexagonal_neighbours_are_twelve_at_the_sixth_root_of_two() {
    let points = fill(
        &cube(1.0),
        0.1,
        Sampling::Hexagonal,
        0.0,
        random(),
        in_order,
    );
    let near = 2f64.powf(1.0 / 6.0) * 0.1;
    let middle = points
        .iter()
        .min_by(|a, b| a.length().total_cmp(&b.length()))
        .unwrap();
    let neighbors = points
        .iter()
        .filter(|p| (p.distance(*middle) - near).abs() < 1e-9);
    assert_eq!(neighbors.count(), 12);
    assert!((least(&nearest_distances(&points)) - near).abs() < 1e-9);
}

#[test]
fn counts_are_volume_over_cubed_spacing() {
    for shape in round_shapes() {
        for sampling in ALL {
            let expected = estimate_count(&*shape, 0.04);
            let count = fill(&*shape, 0.04, sampling, 0.0, random(), in_order).len() as f64;
            let error = (count / expected - 1.0).abs();
            let tolerance = if IRREGULAR.contains(&sampling) {
                1e-3
            } else {
                0.03
            };
            assert!(
                error < tolerance,
                "{shape:?} {sampling:?}: {count}, {expected}"
            );
        }
    }
}

#[test]
fn boxes_of_fractional_spacings_have_about_the_expected_count() {
    for edge in [0.74, 0.75, 0.76, 1.04, 1.05, 1.06] {
        for sampling in [Sampling::Grid, Sampling::Hexagonal] {
            let shape = cube(edge);
            let count = fill(&shape, 0.1, sampling, 0.0, random(), in_order).len() as f64;
            let error = count / estimate_count(&shape, 0.1) - 1.0;
            assert!(error.abs() < 0.07, "{edge} {sampling:?}: {error}");
        }
    }
}

#[test]
fn spheres_neither_overlap_nor_leave_the_shape() {
    let boxes = [[0.2, 0.1, 0.2], [1.0, 0.31, 0.47], [0.11, 2.0, 0.3]];
    let boxes = boxes.map(|[x, y, z]| -> Arc<dyn Shape> {
        Arc::new(Box {
            half_size: 0.5 * DVec3::new(x, y, z),
        })
    });
    let spacing = 0.025;
    for (number, shape) in round_shapes().into_iter().chain(boxes).enumerate() {
        let spheres = fill(&*shape, spacing, Sampling::Spheres, 0.0, random(), in_order);
        let ratio = spheres.len() as f64 / estimate_count(&*shape, spacing);
        assert!((0.8..1.05).contains(&ratio), "{number}: {ratio}");
        let nearest = least(&nearest_distances(&spheres));
        assert!(nearest > spacing * (1.0 - 1e-6), "{number}: {nearest}");
        let depths = spheres.iter().map(|&x| -shape.signed_distance(x));
        let depth = depths.fold(f64::INFINITY, f64::min);
        assert!(depth > spacing * (0.5 - 1e-6), "{number}: {depth}");
    }
    // What is thinner than a sphere has some all the same.
    let plate = Box {
        half_size: DVec3::new(0.1, 0.4 * spacing, 0.1),
    };
    let spheres = fill(&plate, spacing, Sampling::Spheres, 0.0, random(), in_order);
    assert!(spheres.len() > 20, "{}", spheres.len());
}

#[test]
fn every_point_is_inside() {
    for shape in round_shapes() {
        for sampling in ALL {
            let points = fill(&*shape, 0.06, sampling, 0.2, random(), in_order);
            assert!(!points.is_empty());
            assert!(points.iter().all(|p| shape.signed_distance(*p) < 0.0));
        }
    }
}

#[test]
fn irregular_points_keep_their_distance_and_leave_no_holes() {
    let spacing = 0.06;
    let cases = round_shapes().into_iter();
    for (shape, sampling) in cases.flat_map(|s| IRREGULAR.map(|sampling| (s.clone(), sampling))) {
        let points = fill(&*shape, spacing, sampling, 0.0, random(), in_order);
        let least = least(&nearest_distances(&points)) / spacing;
        assert!(least > 0.82, "{shape:?} {sampling:?}: {least}");
        let bounds = shape.bounds().unwrap();
        let stream = RandomStream::new(8, 0);
        for i in 0..3000u64 {
            let unit = |axis| stream.unit(3 * i + axis);
            let probe = bounds.min + bounds.extent() * DVec3::new(unit(0), unit(1), unit(2));
            if shape.signed_distance(probe) < 0.0 {
                let gaps = points.iter().map(|p| p.distance_squared(probe));
                let gap = gaps.fold(f64::INFINITY, f64::min).sqrt() / spacing;
                assert!(gap < 1.2, "{shape:?}: a hole of radius {gap} at {probe}");
            }
        }
    }
}

#[test]
fn outermost_irregular_points_lie_about_half_a_spacing_below_the_surface() {
    let spacing = 0.05;
    let cases = round_shapes().into_iter();
    for (shape, sampling) in cases.flat_map(|s| IRREGULAR.map(|sampling| (s.clone(), sampling))) {
        let points = fill(&*shape, spacing, sampling, 0.0, random(), in_order);
        let depths = points.iter().map(|p| -shape.signed_distance(*p) / spacing);
        let outer: Vec<f64> = depths.filter(|d| *d < 0.75).collect();
        let mean = outer.iter().sum::<f64>() / outer.len() as f64;
        assert!((0.4..0.6).contains(&mean), "{shape:?}: {mean}");
        assert!(least(&outer) > 0.25, "{shape:?}: {}", least(&outer));
    }
}

#[test]
fn irregular_points_have_no_preferred_direction() {
    for sampling in IRREGULAR {
        let points = fill(&cube(1.0), 0.08, sampling, 0.0, random(), in_order);
        let anisotropy = anisotropy(&points);
        assert!(anisotropy < 0.02, "{sampling:?}: {anisotropy}");
    }
}

/// How far the mean of x^4 over the directions to neighbours is from 1/5 along any axis; over those of
/// a cubic lattice it is 1/3.
fn anisotropy(points: &[DVec3]) -> f64 {
    let inner = |p: &&DVec3| p.abs().max_element() < 0.3;
    let (mut sum, mut fourth) = (0.0, DVec3::ZERO);
    for a in points.iter().filter(inner) {
        for b in points {
            let offset = *b - *a;
            if offset.length() > 0.0 && offset.length() < 1.2 * 0.08 {
                let direction = offset.normalize();
                sum += 1.0;
                fourth += direction * direction * direction * direction;
            }
        }
    }
    assert!(sum > 1000.0);
    (fourth / sum - DVec3::splat(0.2)).abs().max_element()
}

/// The root mean square, over points far from the surface, of the sum of the gradients that solids
/// take, in parts of one of them.
fn imbalance(points: &[DVec3], spacing: f64) -> f64 {
    let reach = 1.8 * spacing;
    let gradient = |offset: DVec3| {
        let inside = (1.0 - offset.length_squared() / (reach * reach)).max(0.0);
        offset * (inside * inside)
    };
    let inner = points
        .iter()
        .filter(|p| p.abs().max_element() < 0.5 - reach);
    let sums = inner.map(|a| points.iter().map(|b| gradient(*b - *a)).sum::<DVec3>());
    let squares: Vec<f64> = sums.map(|sum| sum.length_squared()).collect();
    let mean = squares.iter().sum::<f64>() / squares.len() as f64;
    mean.sqrt() / gradient(DVec3::X * spacing).length()
}

#[test]
fn relaxed_points_are_in_balance() {
    let spacing = 0.08;
    let of = |sampling| {
        let points = fill(&cube(1.0), spacing, sampling, 0.0, random(), in_order);
        imbalance(&points, spacing)
    };
    let (relaxed, poisson) = (of(Sampling::Relaxed), of(Sampling::Poisson));
    assert!(relaxed < 0.33 * poisson, "{relaxed}, {poisson}");
}

/// What lies face to face on something touches it and is not pushed out of it.
#[test]
fn no_relaxed_point_is_nearer_to_a_face_than_half_a_spacing() {
    let shape = Box {
        half_size: DVec3::new(0.1, 0.05, 0.1),
    };
    for spacing in [0.025, 0.015] {
        let points = fill(&shape, spacing, Sampling::Relaxed, 0.0, random(), in_order);
        for point in points {
            let depth = (shape.half_size - point.abs()).min_element();
            assert!(depth > (0.5 - 1e-6) * spacing, "{depth} at {point}");
        }
    }
}

#[test]
fn jitter_moves_every_point_and_none_too_far() {
    let shape = cube(1.0);
    let regular = fill(&shape, 0.1, Sampling::Grid, 0.0, random(), in_order);
    let moved = fill(&shape, 0.1, Sampling::Grid, 0.2, random(), in_order);
    assert_eq!(regular.len(), moved.len());
    let offsets = regular.iter().zip(&moved).map(|(a, b)| *b - *a);
    let reach: Vec<f64> = offsets.map(|o| o.abs().max_element()).collect();
    assert!(reach.iter().all(|r| *r <= 0.02));
    let mean = reach.iter().sum::<f64>() / reach.len() as f64;
    // The mean of the greatest of three numbers uniform in [0, 1) is 3/4.
    assert!((mean / 0.02 - 0.75).abs() < 0.02, "{mean}");
}

#[test]
fn the_same_stream_gives_the_same_points_and_another_does_not() {
    let shape = Sphere { radius: 0.5 };
    for sampling in IRREGULAR {
        let sample = |seed| {
            let random = RandomStream::new(seed, 0);
            fill(&shape, 0.08, sampling, 0.0, random, in_order)
        };
        assert_eq!(sample(1), sample(1));
        assert_ne!(sample(1), sample(2));
    }
}

#[test]
fn every_loop_gives_the_same_points() {
    let shape = Sphere { radius: 0.5 };
    for sampling in IRREGULAR {
        let sample = |run| fill(&shape, 0.03, sampling, 0.0, random(), run);
        let points = sample(in_order);
        assert!(points.len() > 15_000);
        assert!(points == sample(backwards_on_threads));
    }
}

#[test]
fn thin_sheets_are_filled_with_one_layer() {
    let sheet = Box {
        half_size: DVec3::new(0.5, 0.005, 0.5),
    };
    let expected = estimate_count(&sheet, 0.02);
    for sampling in IRREGULAR {
        let points = fill(&sheet, 0.02, sampling, 0.0, random(), in_order);
        assert!((points.len() as f64 / expected - 1.0).abs() < 1e-3);
        assert!(least(&nearest_distances(&points)) > 0.8 * 0.02);
    }
}

#[test]
fn shapes_too_small_or_unbounded_give_no_points() {
    let plane = Plane { normal: DVec3::Y };
    for sampling in ALL {
        assert!(fill(&cube(0.01), 1.0, sampling, 0.1, random(), in_order).is_empty());
        assert!(fill(&plane, 1.0, sampling, 0.1, random(), in_order).is_empty());
        assert!(fill(&cube(1.0), 0.0, sampling, 0.1, random(), in_order).is_empty());
        assert!(fill(&cube(1.0), f64::NAN, sampling, 0.1, random(), in_order).is_empty());
    }
    assert_eq!(estimate_count(&plane, 1.0), f64::INFINITY);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn boxes_of_any_size_are_filled_without_panic(
        half in prop::array::uniform3(0.01..0.6f64),
        spacing in 0.05..2.0f64,
        jitter in 0.0..1.0f64,
    ) {
        let shape = Box { half_size: half.into() };
        for sampling in ALL {
            let points = fill(&shape, spacing, sampling, jitter, random(), in_order);
            prop_assert!(points.iter().all(|p| shape.signed_distance(*p) < 0.0));
            let most = (2.0 * shape.half_size / (0.9 * spacing) + 0.75).element_product();
            prop_assert!(points.len() as f64 <= most, "{}", points.len());
        }
    }
}

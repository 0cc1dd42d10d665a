//! Surfaces of lattices, deformed or not, and a particle that moves along them.

use pliant_math::{DMat3, DVec3, RandomStream, Vec3, to_double};

use super::super::{PairSearch, Solids};
use super::shapes::{FacetShape, shape};
use super::{RestBody, SampledContacts, SampledSurface, SampledSurfaces, Surfels};
use crate::contacts::particles::active_set::SearchMargin;
use crate::contacts::solve::{LinearRule, Term};
use crate::particles::{NewParticle, Particles};

const SPACING: f64 = 0.02;

/// Cells of a lattice from the origin on, each moved by up to so many spacings.
fn lattice([nx, ny, nz]: [usize; 3], jitter: f64) -> Vec<DVec3> {
    let random = RandomStream::new(3, 1);
    let cell = |k: usize| DVec3::new((k % nx) as f64, (k / nx % ny) as f64, (k / nx / ny) as f64);
    let noise = |k: u64| jitter * (2.0 * random.unit(k) - 1.0);
    let moved = |k: u64| DVec3::new(noise(3 * k), noise(3 * k + 1), noise(3 * k + 2));
    (0..nx * ny * nz)
        .map(|k| (cell(k) + moved(k as u64)) * SPACING)
        .collect()
}

fn surfels(rest: &[DVec3]) -> Surfels {
    let radius = 1.8 * SPACING;
    let near = |i: usize, list: &mut Vec<u32>| {
        let others = (0..rest.len()).filter(|&j| j != i && rest[i].distance(rest[j]) < radius);
        list.extend(others.map(|j| j as u32));
    };
    let places: Vec<u32> = (0..rest.len() as u32).collect();
    let mut surfels = Surfels::default();
    surfels.clear(rest.len());
    surfels.add(&RestBody {
        position: rest,
        spacing: SPACING,
        support_radius: radius,
        neighbors: &near,
        places: &places,
    });
    surfels
}

fn shapes(surfels: &Surfels, position: &[DVec3]) -> Vec<FacetShape> {
    let mut shapes = Vec::new();
    let sampled_surfaces = SampledSurfaces::from_iter([SampledSurface { first: 0, surfels }]);
    shape(
        &sampled_surfaces,
        position,
        &vec![true; surfels.len()],
        &mut shapes,
    );
    shapes
}

/// How many of three coordinates of a cell of 7 x 6 x 5 are the first or the last.
fn ends(x: DVec3) -> [f64; 3] {
    let cell = (x / SPACING).round();
    let last = DVec3::new(6.0, 5.0, 4.0);
    [0, 1, 2].map(|axis| {
        if cell[axis] == 0.0 {
            -1.0
        } else if cell[axis] == last[axis] {
            1.0
        } else {
            0.0
        }
    })
}

#[test]
fn faces_are_flat_and_edges_and_corners_face_nowhere() {
    let rest = lattice([7, 6, 5], 0.0);
    let shapes = shapes(&surfels(&rest), &rest);
    assert_eq!(shapes.len(), 7 * 6 * 5 - 5 * 4 * 3);
    for shape in shapes {
        let ends = DVec3::from_array(ends(rest[shape.particle as usize]));
        let is_face = ends.abs().element_sum() == 1.0;
        if is_face {
            assert!(shape.normal.distance(ends) < 1e-12, "{}", shape.normal);
            // Beside two edges at once it is told apart from one with a little doubt.
            assert!(shape.weight > 0.9, "{}", shape.weight);
        } else {
            assert_eq!(shape.weight, 0.0);
        }
        assert!(!shape.is_sheet);
    }
}

#[test]
fn normals_are_carried_along_as_areas_are() {
    let map = DMat3::from_rotation_x(2.0)
        * DMat3::from_cols(
            DVec3::new(1.1, 0.1, 0.0),
            DVec3::new(0.3, 0.8, 0.2),
            DVec3::new(0.0, 0.1, 1.2),
        );
    let carried = map.inverse().transpose() * map.determinant();
    for (size, is_sheet) in [([7, 6, 5], false), ([7, 1, 5], true)] {
        let rest = lattice(size, 0.0);
        let moved: Vec<DVec3> = rest.iter().map(|&x| map * x).collect();
        let surfels = surfels(&rest);
        let (before, after) = (shapes(&surfels, &rest), shapes(&surfels, &moved));
        let mut count = 0;
        for (before, after) in before.iter().zip(&after) {
            if before.weight == 0.0 {
                continue;
            }
            let expected = (carried * before.normal).normalize();
            assert!(after.normal.distance(expected) < 1e-12, "{}", after.normal);
            assert_eq!((after.weight, after.is_sheet), (before.weight, is_sheet));
            count += 1;
        }
        assert!(count > 30);
    }
}

#[test]
fn what_is_inside_out_or_crushed_faces_nowhere() {
    let rest = lattice([7, 6, 5], 0.0);
    let surfels = surfels(&rest);
    for squeeze in [-0.5, 0.0] {
        let moved = rest.iter().map(|x| DVec3::new(x.x, x.y * squeeze, x.z));
        let moved: Vec<DVec3> = moved.collect();
        let shapes = shapes(&surfels, &moved);
        assert!(shapes.iter().all(|shape| shape.weight == 0.0), "{squeeze}");
    }
}

/// What a particle above a slab meets, all pairs given.
fn contacts(rest: &[DVec3], particle: DVec3) -> Vec<(LinearRule, Vec<Term>)> {
    let surfels = surfels(rest);
    let mut particles = Particles::default();
    for (id, &position) in (0..).zip(rest.iter().chain([&particle])) {
        particles.push(NewParticle {
            position,
            velocity: Vec3::ZERO,
            mass: 1.0,
            is_pinned: false,
            radius: 0.5 * SPACING as pliant_math::Real,
            body: u32::from(id as usize == rest.len()),
            id,
        });
    }
    let search = PairSearch {
        continuum_of_body: &|body| body,
        friction_of_body: &|_| 0.5,
        inner_friction_of_body: &|_| None,
        grain: None,
        solids: Solids::default(),
        sampled_surfaces: SampledSurfaces::from_iter([SampledSurface {
            first: 0,
            surfels: &surfels,
        }]),
        tied: None,
        kept: None,
        acceleration: 0.0,
        push_out_speed: 0.1,
        dt: 1e-3,
    };
    let last = rest.len() as u32;
    let near = (0..last).filter(|&j| rest[j as usize].distance(particle) < 1.4 * SPACING);
    let mut contacts = SampledContacts::default();
    contacts.find(
        SearchMargin::new(&particles, &search),
        near.map(|j| [last, j]),
    );
    let lists = contacts.chunks.iter();
    let found = lists.flat_map(|list| list.rules().zip(list.terms()));
    found.map(|(rule, terms)| (rule, terms.to_vec())).collect()
}

#[test]
fn a_particle_meets_a_face_once_with_weights_that_sum_to_one() {
    let rest = lattice([9, 3, 9], 0.0);
    let top = 2.0 * SPACING;
    for k in 0..20 {
        let aside = DVec3::new(3.0 + 0.11 * f64::from(k), 0.0, 4.0 + 0.07 * f64::from(k));
        let found = contacts(&rest, aside * SPACING + DVec3::Y * (top + 0.98 * SPACING));
        assert_eq!(found.len(), 1);
        let contact = &found[0];
        let (rule, terms) = contact;
        let support = &terms[1..];
        let sum: f64 = support.iter().map(|term| f64::from(term.weight)).sum();
        assert!((sum + 1.0).abs() < 1e-6, "{sum}");
        assert!(to_double(rule.normal).distance(DVec3::Y) < 1e-6);
        // 2 % of a spacing too deep, so that it is pushed out as fast as may be.
        assert_eq!(rule.target, 0.1);
        // Nobody inside takes part.
        let is_top = |term: &Term| rest[term.place as usize].y == top;
        assert!(support.iter().all(is_top));
    }
}

#[test]
fn beyond_the_end_of_a_face_there_is_no_contact_with_it() {
    let rest = lattice([9, 3, 9], 0.0);
    let above = |cells: f64| DVec3::new(cells * SPACING, 3.0 * SPACING, 4.0 * SPACING);
    assert_eq!(contacts(&rest, above(7.6)).len(), 1);
    assert_eq!(contacts(&rest, above(8.0)).len(), 0);
}

#[test]
fn normals_and_gaps_change_smoothly_along_a_rough_surface() {
    let rest = lattice([9, 3, 9], 0.15);
    let (step, mut before) = (0.005, None);
    for k in 0..400 {
        let aside = DVec3::new(
            3.0 + step * f64::from(k),
            2.98,
            4.0 + 0.4 * step * f64::from(k),
        );
        let found = contacts(&rest, aside * SPACING);
        assert_eq!(found.len(), 1, "{k}");
        let weight = |place: usize| {
            let mut all = found[0].1[1..].iter();
            all.find(|term| term.place as usize == place)
                .map_or(0.0, |term| f64::from(-term.weight))
        };
        let now: Vec<f64> = (0..rest.len()).map(weight).collect();
        if let Some(before) = before.replace(now.clone()) {
            let before: Vec<f64> = before;
            let change = before
                .iter()
                .zip(&now)
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f64::max);
            // A weight falls from 1 to 0 over 1.5 spacings; what is left out beside jumps a little.
            assert!(change < 6.0 * step, "{k}: {change}");
        }
    }
}

//! Starts with overlaps.

use std::sync::Arc;

use pliant_core::boundaries::Motion;
use pliant_core::step::StepError;
use pliant_core::world::Material;
use pliant_geometry::shapes::Plane;
use pliant_math::{DQuat, DVec3, Pose};

use crate::{
    Case, Claim, Expected, Figure, box_lattice, center_of_mass, elastic, greatest_speed, run, sand,
};

/// Two bodies, one half a spacing inside the other.
pub const BODIES: Claim = Claim {
    statement: "two bodies that overlap by half a spacing separate without an explosion",
    measure: || {
        let loose = sand(1600.0, 1e6, 0.3, 35.0);
        let mut figures = Vec::new();
        let mut apart = overlapping_bodies(stiff());
        for body in &mut apart.setup.bodies {
            body.shares_neighbors = false;
        }
        figures.extend(TimeSeries::of(&apart)?.figures("elastic, contact", 1.0));
        // A limit of the method that the book tells, printed to be watched.
        let joined = TimeSeries::of(&overlapping_bodies(stiff()))?;
        figures.push(Figure::new(
            "greatest speed over the push-out cap, elastic, one continuum",
            joined.greatest_speed,
            Expected::Finite,
        ));
        // Between smooth walls: loose sand would run out faster than anything is pushed.
        let one = walled(overlapping_bodies(loose));
        let weightless = TimeSeries::of(&one.clone().weightless())?;
        figures.push(Figure::new(
            "greatest speed over the push-out cap, weightless sand, one continuum",
            weightless.greatest_speed,
            Expected::AtMost(3.0),
        ));
        // Under gravity grains of the loosened rows drop by parts of a spacing, which is faster
        // than pushing: a fall by a tenth of a spacing has three caps.
        let course = TimeSeries::of(&one)?;
        figures.push(Figure::new(
            "greatest speed over the push-out cap, sand, one continuum",
            course.greatest_speed,
            Expected::AtMost(5.0),
        ));
        figures.push(Figure::new(
            "rise of the centre of mass over the overlap, sand, one continuum",
            course.rise / OVERLAP,
            Expected::AtMost(1.0),
        ));
        Ok(figures)
    },
};

/// A body half a spacing inside the floor.
pub const FLOOR: Claim = Claim {
    statement: "a body that starts half a spacing inside the floor rises without an explosion",
    measure: || {
        let points = lifted(box_lattice([6; 3], SPACING, 0.0), -0.5 * SPACING);
        let case = Case::new(stiff(), points, SPACING).floor(0.0, 0.0, 0.5);
        Ok(TimeSeries::of(&case)?.figures("floor", 1.1))
    },
};

/// A heap of particles at random places.
pub const RANDOM_PILE: Claim = Claim {
    statement: "a random pile with 5 % overlap stays where it is",
    measure: || {
        // Neighbours as near as 0.71 spacings, a twentieth below the least distance that particles
        // keep, and the lowest a twentieth inside the floor.
        let overlapping = TimeSeries::of(&pile(0.145, -0.05 * SPACING))?;
        let sound = TimeSeries::of(&pile(0.12, 0.0))?;
        let ratio = overlapping.greatest_speed / sound.greatest_speed;
        let displacement = overlapping.rms_displacement / SPACING;
        Ok(vec![
            Figure::new(
                "greatest speed over that without overlap",
                ratio,
                Expected::AtMost(1.5),
            ),
            Figure::new(
                "rms displacement in spacings after 0.5 s",
                displacement,
                Expected::AtMost(0.2),
            ),
        ])
    },
};

const SPACING: f64 = 0.1;
/// How far bodies start inside each other [m].
const OVERLAP: f64 = 0.5 * SPACING;

/// So stiff that its weight moves it slowly: what is fast is pushed.
fn stiff() -> Material {
    elastic(1000.0, 4e6, 0.3)
}

fn overlapping_bodies(material: Material) -> Case {
    let lower = box_lattice([6, 4, 6], SPACING, 0.0);
    let upper = lifted(box_lattice([6, 4, 6], SPACING, 0.0), 3.5 * SPACING);
    Case::new(material, lower, SPACING)
        .beside(upper)
        .floor(0.0, 0.0, 0.5)
}

/// Four smooth walls around the bodies.
fn walled(mut case: Case) -> Case {
    for normal in [DVec3::X, DVec3::Z] {
        for (normal, place) in [(normal, 0.0), (-normal, 6.0 * SPACING)] {
            let pose = Pose {
                rotation: DQuat::IDENTITY,
                translation: DVec3::splat(place),
            };
            case = case.collider(Arc::new(Plane { normal }), Motion::Rest(pose), 0.0);
        }
    }
    case
}

/// A pile of 20 degrees of sand of 35, its particles at places off a lattice, its base at a height.
fn pile(jitter: f64, base: f64) -> Case {
    let slope = 20f64.to_radians().tan();
    let points = lifted(box_lattice([20, 4, 20], SPACING, jitter), base)
        .into_iter()
        .filter(|x| x.y < 0.36 - slope * (x.x - 1.0).hypot(x.z - 1.0))
        .collect();
    Case::new(sand(1600.0, 1e6, 0.3, 35.0), points, SPACING).floor(0.0, 0.0, 0.7)
}

fn lifted(points: Vec<DVec3>, height: f64) -> Vec<DVec3> {
    points.into_iter().map(|x| x + DVec3::Y * height).collect()
}

/// What happened in half a second.
struct TimeSeries {
    /// Greatest speed of any particle, in push-out caps.
    greatest_speed: f64,
    /// Greatest rise of the centre of mass [m].
    rise: f64,
    /// Root mean square distance from the start at the end [m].
    rms_displacement: f64,
}

impl TimeSeries {
    fn of(case: &Case) -> Result<Self, StepError> {
        let mut world = case.world();
        let cap = case.setup.push_out_speed();
        let start = world.state.particles.position.clone();
        let height = center_of_mass(&world).y;
        let (mut fastest, mut rise) = (0.0f64, 0.0f64);
        run(&mut world, 1e-3, 500, |world, _| {
            fastest = fastest.max(greatest_speed(world));
            rise = rise.max(center_of_mass(world).y - height);
        })?;
        let particles = &world.state.particles;
        let moved = particles.position.iter().zip(&particles.id);
        let squares = moved.map(|(x, &id)| x.distance_squared(start[id as usize]));
        Ok(Self {
            greatest_speed: fastest / cap,
            rise,
            rms_displacement: (squares.sum::<f64>() / start.len() as f64).sqrt(),
        })
    }

    fn figures(&self, name: &str, greatest_rise: f64) -> Vec<Figure> {
        vec![
            Figure::new(
                format!("greatest speed over the push-out cap, {name}"),
                self.greatest_speed,
                Expected::AtMost(3.0),
            ),
            Figure::new(
                format!("rise of the centre of mass over the overlap, {name}"),
                self.rise / OVERLAP,
                Expected::AtMost(greatest_rise),
            ),
        ]
    }
}

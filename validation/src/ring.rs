//! A ring of sand under a tangential force: the angle at which sand flows.

use std::sync::Arc;

use pliant_core::boundaries::Motion;
use pliant_core::forces::{Force, ForceField};
use pliant_core::methods::xpbi::XpbiSettings;
use pliant_core::schedule::{Ease, Schedule};
use pliant_core::step::StepError;
use pliant_core::world::World;
use pliant_geometry::sampling::{Sampling, fill};
use pliant_geometry::{Aabb, Shape, TriangleMesh, in_order};
use pliant_materials::laws::YieldSurface;
use pliant_math::{DVec3, Pose, RandomStream, to_double};

use crate::{Case, Claim, Expected, Figure, run, sand_of};

/// The round cone at three angles.
pub const FLOWS: Claim = Claim {
    statement: "a ring of sand flows where its round cone yields in simple shear, above the friction angle",
    measure: || {
        let mut figures = Vec::new();
        for angle in [20.0, 30.0, 40.0] {
            let ring = Ring::new(YieldSurface::DruckerPrager, angle);
            figures.push(ring.figure("round cone")?);
        }
        Ok(figures)
    },
};

/// The other surfaces.
pub const FLOWS_WITH_LODE_ANGLE: Claim = Claim {
    statement: "a ring of sand flows where a cone with a Lode angle yields in simple shear, below the friction angle",
    measure: || {
        let names = [
            (YieldSurface::MatsuokaNakai, "Matsuoka and Nakai"),
            (YieldSurface::MohrCoulomb, "Mohr and Coulomb"),
        ];
        let figure = |(surface, name)| Ring::new(surface, 30.0).figure(name);
        names.into_iter().map(figure).collect()
    },
};

/// What five cold sweeps leave.
pub const FLOWS_COLD: Claim = Claim {
    statement: "without warm start, a ring of sand flows at up to an eighth more friction",
    measure: || {
        let warm = Ring::new(YieldSurface::DruckerPrager, 30.0);
        let cold = Ring {
            warm_start: false,
            ..warm
        };
        let tangent = |ring: Ring| Ok(ring.flow_angle()?.to_radians().tan());
        let ratio = tangent(cold)? / tangent(warm)?;
        let what = "friction in flow over that from a warm start, 30 degrees";
        Ok(vec![Figure::new(what, ratio, Expected::AtMost(1.125))])
    },
};

/// Bounds of the channel [m].
const INNER: f64 = 0.6;
const OUTER: f64 = 0.95;
/// Depth of the sand [m].
const DEPTH: f64 = 0.35;
const SPACING: f64 = 0.05;
const GRAVITY: f64 = 9.81;

/// Sand in a channel between two smooth cylinders on a floor that it does not slide on, a uniform
/// tangential acceleration growing slowly beside gravity: at any depth the shear stress over the pressure
/// is that of the accelerations, so the whole ring yields at once, in simple shear.
#[derive(Clone, Copy, Debug)]
pub struct Ring {
    /// Surface of the sand.
    pub surface: YieldSurface,
    /// Friction angle [degrees].
    pub friction_angle: f64,
    /// Whether the stress at the start of a substep is applied before its sweeps.
    pub warm_start: bool,
    /// Sweeps a substep.
    pub iterations: u32,
    /// The substep [s].
    pub dt: f64,
}

impl Ring {
    /// With the default solver.
    pub fn new(surface: YieldSurface, friction_angle: f64) -> Self {
        Self {
            surface,
            friction_angle,
            warm_start: true,
            iterations: 5,
            dt: 2e-3,
        }
    }

    /// In simple shear the middle stress is the mean of the others, and the shear stress over the pressure
    /// is the sine of the mobilised friction angle.
    fn promised(&self) -> f64 {
        let sine = self.friction_angle.to_radians().sin();
        let mobilised = match self.surface {
            YieldSurface::DruckerPrager => 2.0 * 3f64.sqrt() * sine / (3.0 - sine),
            YieldSurface::MatsuokaNakai => 2.0 * sine / (3.0 + sine * sine).sqrt(),
            YieldSurface::MohrCoulomb => sine,
        };
        mobilised.atan().to_degrees()
    }

    fn figure(&self, name: &str) -> Result<Figure, StepError> {
        let what = format!(
            "angle of flow, {} degrees, {name} [degrees]",
            self.friction_angle
        );
        let bound = Expected::Near(self.promised(), 1.0);
        Ok(Figure::new(what, self.flow_angle()?, bound))
    }

    /// The angle [degrees] whose tangent is the shear stress on the floor over the pressure there while
    /// the ring flows: what the floor takes of the tangential momentum that the force gives.
    ///
    /// # Errors
    /// If a substep fails.
    pub fn flow_angle(&self) -> Result<f64, StepError> {
        let mut world = self.world();
        let force = self.force();
        let (mut given, mut course) = (0.0, Vec::new());
        let mut speed = 0.0;
        while speed < FLOWING.1 && world.state.time < GROWTH.1 {
            given += force.at(world.state.time + 0.5 * SPAN) * SPAN;
            run(
                &mut world,
                self.dt,
                (SPAN / self.dt).round() as usize,
                |_, _| (),
            )?;
            speed = mean_velocity(&world);
            if speed > FLOWING.0 {
                course.push((world.state.time, given - speed));
            }
        }
        let taken = match (course.first(), course.last()) {
            (Some(first), Some(last)) if last.0 > first.0 => {
                (last.1 - first.1) / (last.0 - first.0)
            }
            _ => f64::NAN,
        };
        Ok((taken / GRAVITY).atan().to_degrees())
    }

    fn world(&self) -> World {
        let material = sand_of(self.surface, 1600.0, 1e6, 0.3, self.friction_angle);
        let channel = Channel;
        let random = RandomStream::new(1, 1);
        let points = fill(&Filling, SPACING, Sampling::Poisson, 0.0, random, in_order);
        let mut case = Case::new(material, points, SPACING)
            .floor(0.0, 0.0, 5.0)
            .collider(Arc::new(channel), Motion::Rest(Pose::IDENTITY), 0.0);
        case.setup.forces.push(Force {
            name: "push".into(),
            field: Arc::new(Tangential),
            strength: self.force(),
            region: None,
            body: None,
        });
        case.setup.solver.iterations = self.iterations;
        case.setup
            .solver
            .methods
            .of_mut::<XpbiSettings>()
            .warm_start = self.warm_start;
        case.world()
    }

    /// Tangential acceleration [m/s2] over time.
    fn force(&self) -> Schedule {
        let promised = GRAVITY * self.friction_angle.to_radians().tan();
        Schedule::Keyframes {
            keyframes: vec![
                (0.0, 0.0),
                (GROWTH.0, 0.6 * promised),
                (GROWTH.1, 1.4 * promised),
            ],
            ease: Ease::Linear,
        }
    }
}

/// The force grows to 0.6 times what a slope at the friction angle would give until the first, and to 1.4
/// times that until the second [s].
const GROWTH: (f64, f64) = (0.3, 1.9);
/// Mean speeds between which the ring is taken to flow [m/s]: beyond, it is thrown against the outer wall.
const FLOWING: (f64, f64) = (0.05, 0.5);
/// Time between two looks at the speed [s].
const SPAN: f64 = 0.02;

/// Mean velocity around [m/s].
fn mean_velocity(world: &World) -> f64 {
    let p = &world.state.particles;
    let around = p.position.iter().zip(&p.velocity);
    let sum: f64 = around.map(|(x, v)| around_at(*x).dot(to_double(*v))).sum();
    sum / p.len() as f64
}

/// Unit vector around the axis.
fn around_at(x: DVec3) -> DVec3 {
    DVec3::new(x.z, 0.0, -x.x).normalize_or_zero()
}

/// A unit acceleration around the axis.
#[derive(Debug)]
struct Tangential;

impl ForceField for Tangential {
    fn velocity_change(&self, position: DVec3, _: DVec3, strength: f64, dt: f64) -> DVec3 {
        around_at(position) * (strength * dt)
    }
}

/// How far a point is from the walls of the channel [m], negative in them.
fn clearance(point: DVec3) -> f64 {
    let radius = point.x.hypot(point.z);
    (radius - INNER).min(OUTER - radius)
}

/// All that is not between the walls.
#[derive(Debug)]
struct Channel;

impl Shape for Channel {
    fn signed_distance(&self, point: DVec3) -> f64 {
        clearance(point)
    }

    fn bounds(&self) -> Option<Aabb> {
        None
    }

    fn volume(&self) -> Option<f64> {
        None
    }

    fn surface(&self, _: f64) -> TriangleMesh {
        TriangleMesh::default()
    }
}

/// The sand between them at its start.
#[derive(Debug)]
struct Filling;

impl Shape for Filling {
    fn signed_distance(&self, point: DVec3) -> f64 {
        (-clearance(point)).max(-point.y).max(point.y - DEPTH)
    }

    fn bounds(&self) -> Option<Aabb> {
        Some(Aabb {
            min: DVec3::new(-OUTER, 0.0, -OUTER),
            max: DVec3::new(OUTER, DEPTH, OUTER),
        })
    }

    fn volume(&self) -> Option<f64> {
        Some(std::f64::consts::PI * (OUTER * OUTER - INNER * INNER) * DEPTH)
    }

    fn surface(&self, _: f64) -> TriangleMesh {
        TriangleMesh::default()
    }
}

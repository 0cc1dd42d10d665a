//! Worlds built by hand.

use std::sync::Arc;

use pliant_core::boundaries::{Collider, Grip, Motion};
use pliant_core::methods::granules::GRANULES;
use pliant_core::methods::rigid::RIGID;
use pliant_core::methods::springs::SPRINGS;
use pliant_core::methods::strain_energy::STRAIN_ENERGY;
use pliant_core::methods::xpbi::XPBI;
use pliant_core::rest::RestShape;
use pliant_core::step::{StepError, StepReport};
use pliant_core::world::{Body, Material, Setup, World};
use pliant_geometry::Shape;
use pliant_materials::laws::{
    ContactFriction, DruckerPrager, Elastic, NeoHookean, VonMises, YieldSurface,
};
use pliant_materials::{HenckyElasticity, HenckyLaw, LameModuli, Law, Solid, SolidLaw};
use pliant_math::{DQuat, DVec3, Pose, RandomStream, Real, to_double};

use crate::backend::stepper;

/// One body of one material among colliders.
#[derive(Clone, Debug)]
pub struct Case {
    /// The setup so far; fields may be changed before [`Case::world`].
    pub setup: Setup,
}

/// A Hencky-elastic material.
pub fn elastic(density: f64, youngs_modulus: f64, poissons_ratio: f64) -> Material {
    let elasticity = HenckyElasticity::from_youngs(youngs_modulus, poissons_ratio);
    material(
        density,
        youngs_modulus,
        HenckyLaw::Elastic(Elastic { elasticity }),
    )
}

/// A von Mises material; `yield_deviator` [Pa] bounds the Frobenius norm of the deviator.
pub fn von_mises(
    density: f64,
    youngs_modulus: f64,
    poissons_ratio: f64,
    yield_deviator: f64,
) -> Material {
    let elasticity = HenckyElasticity::from_youngs(youngs_modulus, poissons_ratio);
    let law = VonMises::new(elasticity, yield_deviator);
    material(density, youngs_modulus, HenckyLaw::VonMises(law))
}

/// Cohesionless sand with the surface that is the default; `friction_angle` in degrees.
pub fn sand(
    density: f64,
    youngs_modulus: f64,
    poissons_ratio: f64,
    friction_angle: f64,
) -> Material {
    let surface = YieldSurface::default();
    sand_of(
        surface,
        density,
        youngs_modulus,
        poissons_ratio,
        friction_angle,
    )
}

/// The same with a yield surface.
pub fn sand_of(
    surface: YieldSurface,
    density: f64,
    youngs_modulus: f64,
    poissons_ratio: f64,
    friction_angle: f64,
) -> Material {
    let elasticity = HenckyElasticity::from_youngs(youngs_modulus, poissons_ratio);
    let law = DruckerPrager::new(elasticity, surface, friction_angle.to_radians(), 0.0, true);
    material(density, youngs_modulus, HenckyLaw::DruckerPrager(law))
}

/// Grains that meet as contacts only.
pub fn granules(density: f64, friction: f64) -> Material {
    let friction = friction as Real;
    Material {
        name: "material".into(),
        density,
        youngs_modulus: 0.0,
        law: Law::ContactFriction(ContactFriction { friction }),
    }
}

/// A neo-Hookean solid with the logarithm of the volume.
pub fn rubber(density: f64, youngs_modulus: f64, poissons_ratio: f64) -> Material {
    let moduli = LameModuli::from_youngs(youngs_modulus, poissons_ratio);
    solid(
        density,
        youngs_modulus,
        SolidLaw::NeoHookean(NeoHookean { moduli }),
    )
}

/// A solid with an energy.
pub fn solid(density: f64, youngs_modulus: f64, law: SolidLaw) -> Material {
    Material {
        name: "material".into(),
        density,
        youngs_modulus,
        law: Law::Solid(Solid::elastic(law)),
    }
}

/// Any other law.
pub fn material(density: f64, youngs_modulus: f64, law: HenckyLaw) -> Material {
    Material {
        name: "material".into(),
        density,
        youngs_modulus,
        law: law.into(),
    }
}

/// Centres of nx x ny x nz cells of a side from the origin on, each moved by up to `jitter` sides
/// along each axis.
pub fn box_lattice([nx, ny, nz]: [usize; 3], spacing: f64, jitter: f64) -> Vec<DVec3> {
    let random = RandomStream::new(1, 1);
    let mut points = Vec::with_capacity(nx * ny * nz);
    for k in 0..nx * ny * nz {
        let cell = DVec3::new((k % nx) as f64, (k / nx % ny) as f64, (k / nx / ny) as f64);
        let noise = |axis: u64| 2.0 * random.unit(3 * k as u64 + axis) - 1.0;
        let moved = jitter * DVec3::new(noise(0), noise(1), noise(2));
        points.push((cell + DVec3::splat(0.5) + moved) * spacing);
    }
    points
}

impl Case {
    /// A body at rest of particles that each stand for a cube of side `spacing` [m].
    pub fn new(material: Material, positions: Vec<DVec3>, spacing: f64) -> Self {
        let method = match material.law {
            Law::ContactFriction(_) => GRANULES,
            Law::Solid(_) => STRAIN_ENERGY,
            Law::Springs(_) => SPRINGS,
            Law::Rigid(_) => RIGID,
            _ => XPBI,
        };
        let mut body = Body::new(method, 0, material.density, spacing, positions);
        body.friction = 0.5;
        let mut case = Self {
            setup: Setup::new(vec![material], vec![body]),
        };
        if matches!(case.setup.materials[0].law, Law::Solid(_)) {
            case = case.with_support(1.8);
        }
        case
    }

    /// Lets neighbours be those closer than so many spacings.
    pub fn with_support(mut self, spacings: f64) -> Self {
        let body = self.body();
        body.support_radius = spacings * body.spacing;
        if body.method == STRAIN_ENERGY {
            let shape = RestShape::new(body.particles.position.clone(), body.support_radius);
            body.particles.structure = Some(Arc::new(shape));
        }
        self
    }

    /// The body.
    pub fn body(&mut self) -> &mut Body {
        &mut self.setup.bodies[0]
    }

    /// Holds the particles for which the predicate is true.
    pub fn pin(mut self, held: impl Fn(DVec3) -> bool) -> Self {
        let particles = &mut self.body().particles;
        for (pinned, &x) in particles.is_pinned.iter_mut().zip(&particles.position) {
            *pinned = held(x);
        }
        self
    }

    /// Gives each particle its velocity [m/s] by its position.
    pub fn moving(mut self, velocity: impl Fn(DVec3) -> DVec3) -> Self {
        let particles = &mut self.body().particles;
        particles.velocity = particles.position.iter().map(|&x| velocity(x)).collect();
        self
    }

    /// Adds another body like the first at rest, with particles elsewhere.
    pub fn beside(mut self, positions: Vec<DVec3>) -> Self {
        let mut body = self.body().clone();
        body.name = format!("body{}", self.setup.bodies.len());
        body.particles.velocity = vec![DVec3::ZERO; positions.len()];
        body.particles.is_pinned = vec![false; positions.len()];
        body.particles.position = positions;
        self.setup.bodies.push(body);
        self
    }

    /// Takes gravity away.
    pub fn weightless(mut self) -> Self {
        self.setup.gravity = DVec3::ZERO;
        self
    }

    /// Adds a collider.
    pub fn collider(mut self, shape: Arc<dyn Shape>, motion: Motion, friction: f64) -> Self {
        self.setup.colliders.push(Collider {
            name: format!("collider{}", self.setup.colliders.len()),
            shape,
            motion,
            two_sided: false,
            grip: Grip::Separate,
            friction,
            restitution: 0.0,
            color: [0.5; 3],
            opacity: 1.0,
            gloss: 0.0,
        });
        self
    }

    /// Adds a half space below a height [m], its normal tilted about z by an angle [rad].
    pub fn floor(self, height: f64, tilt: f64, friction: f64) -> Self {
        let normal = DVec3::new(-tilt.sin(), tilt.cos(), 0.0);
        let pose = Pose {
            rotation: DQuat::IDENTITY,
            translation: DVec3::Y * height,
        };
        let plane = pliant_geometry::shapes::Plane { normal };
        self.collider(Arc::new(plane), Motion::Rest(pose), friction)
    }

    /// The world at its start.
    pub fn world(&self) -> World {
        World::new(self.setup.clone())
    }
}

/// Takes so many substeps of `dt` [s], calling `each` after every one.
///
/// # Errors
/// If a substep fails.
pub fn run(
    world: &mut World,
    dt: f64,
    substeps: usize,
    mut each: impl FnMut(&World, &StepReport),
) -> Result<(), StepError> {
    let mut stepper = stepper();
    for _ in 0..substeps {
        let report = stepper.substep(world, dt)?;
        each(world, &report);
    }
    Ok(())
}

/// Root mean square speed of all particles [m/s].
pub fn rms_speed(world: &World) -> f64 {
    let velocity = &world.state.particles.velocity;
    let squares = velocity.iter().map(|v| to_double(*v).length_squared());
    (squares.sum::<f64>() / velocity.len() as f64).sqrt()
}

/// Greatest speed of a particle [m/s].
pub fn greatest_speed(world: &World) -> f64 {
    let speeds = world.state.particles.velocity.iter();
    speeds.map(|v| to_double(*v).length()).fold(0.0, f64::max)
}

/// What a share of all particles are below, by a number read off their positions.
pub fn quantile(world: &World, share: f64, value: impl Fn(&DVec3) -> f64) -> f64 {
    let mut values: Vec<f64> = world.state.particles.position.iter().map(value).collect();
    values.sort_by(f64::total_cmp);
    values[(share * values.len() as f64) as usize]
}

/// Centre of mass [m].
pub fn center_of_mass(world: &World) -> DVec3 {
    let particles = &world.state.particles;
    let weighted = particles.position.iter().zip(&particles.mass);
    let (moment, mass) = weighted.fold((DVec3::ZERO, 0.0), |(moment, mass), (&x, &m)| {
        (moment + x * f64::from(m), mass + f64::from(m))
    });
    moment / mass
}

/// The tolerance that the precision of this build allows.
pub fn by_precision(double: f64, single: f64) -> f64 {
    if cfg!(feature = "double") {
        double
    } else {
        single
    }
}

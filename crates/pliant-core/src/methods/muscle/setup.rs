//! Constants of the method from bodies and materials.

use std::ops::Range;
use std::sync::Arc;

use pliant_materials::laws::Solid;
use pliant_math::Real;

use super::{Flesh, Incompressibility, MUSCLE, Muscle, MuscleSettings};
use crate::kernels::Wendland;
use crate::particles::IdMap;
use crate::rest::{SurfaceCarrier, weight};
use crate::world::{NumberedBody, Setup};

/// Constants of the method for a run.
#[derive(Clone, Debug, Default)]
pub struct MuscleSetup {
    /// Settings.
    pub settings: MuscleSettings,
    /// The bodies, in their order.
    pub bodies: Vec<MuscleBody>,
}

/// Constants of a body.
#[derive(Clone, Debug)]
pub struct MuscleBody {
    /// Index of the body.
    pub body: u32,
    /// Stable id of its first particle; the others follow.
    pub first_id: u32,
    /// Number of its first muscle among those of all bodies; the others follow.
    pub first_muscle: u32,
    /// Its shape at rest and its muscles.
    pub flesh: Arc<Flesh>,
    /// Rest volume of each particle [m3], > 0.
    pub volume: Vec<f64>,
    /// What it is made of beside muscles.
    pub law: Solid,
    /// Density at rest [kg/m3].
    pub density: f64,
    /// Distance of neighbouring particles [m].
    pub spacing: f64,
    /// Coefficient of friction between its own parts; `None` if they pass through each other.
    pub inner_friction: Option<f64>,
    /// Stiffness of a bond of full weight against zero-energy modes [N/m].
    pub hourglass: f64,
    /// Viscosity in shear [Pa s].
    pub viscosity: f64,
}

impl MuscleSetup {
    /// What a setup tells of it.
    pub fn of(setup: &Setup) -> Self {
        let settings: MuscleSettings = setup.solver.methods.of();
        let mut first_muscle = 0;
        let mut of_body = |numbered: NumberedBody<'_>| {
            let (body, start) = (numbered.body, &numbered.body.particles);
            let flesh: Arc<Flesh> = start.structure_of()?;
            let law = *setup.materials[body.material as usize].law.solid()?;
            let share = |k: usize| start.share.get(k).copied().unwrap_or(1.0);
            let volume = (0..start.position.len()).map(|k| start.particle_volume * share(k));
            let first = first_muscle;
            first_muscle += flesh.muscles.len() as u32;
            Some(MuscleBody {
                body: numbered.number,
                first_id: numbered.first_id,
                first_muscle: first,
                hourglass: settings.hourglass
                    * hourglass_stiffness(&flesh, &law, start.particle_volume),
                flesh,
                volume: volume.collect(),
                viscosity: settings.retardation_time * f64::from(law.moduli().shear_modulus),
                law,
                density: start.particle_mass / start.particle_volume,
                spacing: body.spacing,
                inner_friction: body.meets_itself.then_some(body.friction),
            })
        };
        Self {
            settings,
            bodies: setup.bodies_of(MUSCLE).filter_map(&mut of_body).collect(),
        }
    }

    /// The body of a number, if it is of this method.
    pub fn body(&self, body: u32) -> Option<&MuscleBody> {
        self.bodies.iter().find(|b| b.body == body)
    }

    /// The muscles of all bodies.
    pub fn muscles(&self) -> impl Iterator<Item = &Muscle> {
        self.bodies.iter().flat_map(|body| &body.flesh.muscles)
    }

    /// Number among those of all bodies of a muscle of a body.
    pub fn number_of(&self, body: u32, name: &str) -> Option<u32> {
        let body = self.body(body)?;
        let mut muscles = (body.first_muscle..).zip(&body.flesh.muscles);
        let (number, _) = muscles.find(|(_, muscle)| muscle.name == name)?;
        Some(number)
    }

    /// Multipliers of each particle that are kept for the next substep.
    pub fn pressures_of_particle(&self) -> usize {
        match self.settings.incompressibility {
            Incompressibility::Velocity => 1,
            Incompressibility::Density => 2,
            Incompressibility::None => 0,
        }
    }

    /// Particles of all bodies.
    pub fn particle_count(&self) -> usize {
        self.bodies.iter().map(|body| body.volume.len()).sum()
    }

    /// Room for the places of the particles of all bodies.
    pub fn places(&self) -> IdMap {
        IdMap::new(0..self.id_count() as u32)
    }

    /// Above all ids.
    fn id_count(&self) -> usize {
        let ends = self.bodies.iter().map(|body| body.ids().end as usize);
        ends.max().unwrap_or(0)
    }

    /// For each particle of all bodies, by its id: its number among them, in their order at the start, and its
    /// place among them in space; `u32::MAX` for others.
    pub(super) fn numbers_and_ranks(&self) -> (Vec<u32>, Vec<u32>) {
        let (mut numbers, mut ranks) = (vec![u32::MAX; self.id_count()], Vec::new());
        ranks.clone_from(&numbers);
        let mut first = 0;
        for body in &self.bodies {
            for (k, &particle) in (0..).zip(&body.flesh.shape.order) {
                ranks[(body.first_id + particle) as usize] = first + k;
                numbers[(body.first_id + k) as usize] = first + k;
            }
            first += body.volume.len() as u32;
        }
        (numbers, ranks)
    }
}

/// Bulk modulus that keeps the volume, over the greatest stiffness. At the stress that a strain of one takes, the
/// volume is off by its inverse.
const BULK_FACTOR: f64 = 100.0;

/// Penalty of the augmented Lagrangian in implicit steps: a bulk modulus over what resists other strains. Stress does
/// not follow what keeping the volume changes of velocities, which is to be little. Without this modulus a beam that
/// swings in steps of 4 ms gains as much energy as it has in five periods, and flesh on a floor trembles at 2 mm/s; with
/// it neither happens. Twice as much takes 1.2 times as many steps of conjugate gradients.
const PENALTY: f64 = 0.8;

impl MuscleBody {
    /// Stable ids of its particles.
    pub fn ids(&self) -> Range<u32> {
        self.first_id..self.first_id + self.volume.len() as u32
    }

    /// The muscle of a particle.
    pub fn muscle(&self, number: u32) -> &Muscle {
        &self.flesh.muscles[number as usize]
    }

    /// Greatest modulus [Pa] that small strains show in any direction, full activation included.
    pub fn greatest_stiffness(&self) -> f64 {
        let muscles = self.flesh.muscles.iter();
        let of_fibers = muscles.map(Muscle::greatest_stiffness);
        f64::from(self.law.greatest_stiffness()) + of_fibers.fold(0.0, f64::max)
    }

    /// 1/(K V) of a particle [1/(N m)], K being the bulk modulus that keeps the volume.
    pub fn volume_compliance(&self, particle: usize) -> f64 {
        1.0 / (BULK_FACTOR * self.greatest_stiffness() * self.volume[particle])
    }

    /// Bulk modulus [Pa] by which implicit steps resist changes of the volume beside the law before it is kept, see
    /// `volume`.
    pub fn penalty_modulus(&self) -> f64 {
        let lambda = f64::from(self.law.moduli().lame_lambda);
        PENALTY * (self.greatest_stiffness() - lambda)
    }

    /// The greatest sum of V W at rest, each particle itself included: that of its lattice, if it is thick enough.
    pub fn rest_density(&self, kernel: &Wendland) -> Real {
        let shape = &self.flesh.shape;
        let weight = |i: usize, j: usize| {
            let distance = shape.position[i].distance(shape.position[j]);
            self.volume[j] as Real * kernel.weight(distance as Real)
        };
        let density = |i: usize| {
            let neighbors = shape.neighbors_of(i).iter();
            weight(i, i) + neighbors.map(|&j| weight(i, j as usize)).sum::<Real>()
        };
        (0..shape.len()).map(density).fold(0.0, Real::max)
    }

    /// Its particles at rest, as surfaces that they carry see them.
    pub fn carrier(&self) -> SurfaceCarrier {
        SurfaceCarrier {
            body: self.body,
            first_id: self.first_id,
            shape: Arc::clone(&self.flesh.shape),
            spacing: self.spacing,
        }
    }
}

/// mu V / sum_j phi_ij |X_ij|^2 [N/m] of a particle with neighbours all around.
///
/// With phi in the place of W_ij/|X_ij|^2 of Ganzenmüller 2015 the stiffness does not see any gradient: what is
/// left of displacements is orthogonal to it, so that it needs no stress of its own.
fn hourglass_stiffness(flesh: &Flesh, law: &Solid, volume: f64) -> f64 {
    let shape = &flesh.shape;
    let moment = |particle: usize| {
        let neighbors = shape.neighbors_of(particle).iter();
        let offsets = neighbors.map(|&j| shape.position[j as usize] - shape.position[particle]);
        offsets
            .map(|x| weight(x, shape.support_radius) * x.length_squared())
            .sum::<f64>()
    };
    let greatest = (0..shape.len()).map(moment).fold(0.0, f64::max);
    let shear = f64::from(law.moduli().shear_modulus);
    if greatest > 0.0 {
        shear * volume / greatest
    } else {
        0.0
    }
}

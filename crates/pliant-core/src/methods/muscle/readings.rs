//! Deformation, stress and energy of each particle, and what muscles do.

use pliant_materials::strain_energy::{Deformation, MuscleFiber, Tangent, response};
use pliant_materials::{LameModuli, dispatch_solid_law};
use pliant_math::{DMat3, DVec3, Matrix3, Real, to_double};

use super::setup::MuscleBody;
use super::{Fiber, MuscleColumns, MuscleSetup};
use crate::method::{MuscleReading, Tensors, cauchy_stress, von_mises};
use crate::parallel;
use crate::particles::Particles;
use crate::rest::{RestCorrection, weight};

/// What a particle's neighbours say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FleshReading {
    /// F.
    pub deformation_gradient: DMat3,
    /// First Piola-Kirchhoff stress, that of fibres included [Pa].
    pub stress: DMat3,
    /// Elastic energy, that of fibres and of the control of zero-energy modes included [J].
    pub energy: f64,
    /// What its fibres do, if it has any.
    pub fiber: Option<FiberReading>,
}

/// What fibres do at a particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiberReading {
    /// Number of the muscle among those of all bodies.
    pub muscle: u32,
    /// Activation, from 0 to 1.
    pub activation: f64,
    /// Length over length at rest.
    pub stretch: f64,
    /// Stress along the fibres over the area at rest [Pa].
    pub tension: f64,
    /// Rate of the stretch [1/s].
    pub rate: f64,
    /// Volume at rest [m3].
    pub volume: f64,
}

impl FleshReading {
    /// det F; negative for what is turned inside out.
    pub fn volume_ratio(&self) -> f64 {
        self.deformation_gradient.determinant()
    }

    /// Von Mises norm of the Cauchy stress [Pa]; 0 where that has no meaning.
    pub fn von_mises(&self) -> f64 {
        von_mises(self.tensors().stress)
    }

    /// F and Cauchy stress.
    pub fn tensors(&self) -> Tensors {
        Tensors {
            deformation_gradient: Some(self.deformation_gradient),
            stress: cauchy_stress(self.deformation_gradient, self.stress),
        }
    }
}

/// Calls `f(place, reading)` for every particle of the method.
pub fn read(
    setup: &MuscleSetup,
    particles: &Particles,
    columns: &MuscleColumns,
    mut f: impl FnMut(usize, FleshReading),
) {
    let mut places = setup.places();
    places.update(&particles.id);
    for body in &setup.bodies {
        let place_of_id = places.from(body.first_id);
        let reader = BodyReader {
            body,
            columns,
            particles,
            place_of_id,
        };
        let mut readings = vec![None; body.volume.len()];
        parallel::for_chunks(&mut readings, |first, readings| {
            for (k, reading) in readings.iter_mut().enumerate() {
                *reading = reader.read(first + k);
            }
        });
        for (k, reading) in readings.into_iter().enumerate() {
            if let Some(reading) = reading {
                f(place_of_id[k] as usize, reading);
            }
        }
    }
}

/// What all muscles do, in the order of the bodies.
pub fn read_muscles(
    setup: &MuscleSetup,
    particles: &Particles,
    columns: &MuscleColumns,
) -> Vec<MuscleReading> {
    let mut all: Vec<MuscleReading> = Vec::new();
    let mut volumes: Vec<f64> = Vec::new();
    for body in &setup.bodies {
        for muscle in &body.flesh.muscles {
            all.push(MuscleReading::resting(body.body, muscle.name.clone()));
            volumes.push(0.0);
        }
    }
    read(setup, particles, columns, |_, reading| {
        if let Some(fiber) = reading.fiber {
            let muscle = &mut all[fiber.muscle as usize];
            volumes[fiber.muscle as usize] += fiber.volume;
            muscle.activation += fiber.activation * fiber.volume;
            muscle.stretch += (fiber.stretch - 1.0) * fiber.volume;
            muscle.tension += fiber.tension * fiber.volume;
            muscle.power -= fiber.tension * fiber.rate * fiber.volume;
        }
    });
    let muscles = all.iter_mut().zip(setup.muscles()).zip(volumes);
    for ((reading, muscle), volume) in muscles {
        if volume == 0.0 {
            continue;
        }
        reading.activation /= volume;
        reading.stretch = 1.0 + (reading.stretch - 1.0) / volume;
        reading.tension /= volume;
        if muscle.length > 0.0 {
            reading.force = reading.tension * volume / muscle.length;
        }
    }
    all
}

/// Reads the particles of a body.
struct BodyReader<'a> {
    body: &'a MuscleBody,
    columns: &'a MuscleColumns,
    particles: &'a Particles,
    /// By the numbers of the particles, `u32::MAX` for those that have left.
    place_of_id: &'a [u32],
}

impl BodyReader<'_> {
    /// The reading of a particle; `None` if it has left.
    fn read(&self, particle: usize) -> Option<FleshReading> {
        let Strain {
            gradient: h,
            rough,
            rate,
        } = self.strain(particle)?;
        let body = self.body;
        let strain = to_matrix(h);
        let found = dispatch_solid_law!(&body.law.law, |law| response(law, strain));
        let mut stress = from_matrix(found.stress);
        let mut energy = f64::from(found.energy) * body.volume[particle];
        let fiber = body.flesh.fiber(particle).map(|fiber| {
            let (mut reading, of_fiber, density) = self.fiber(particle, fiber, strain);
            let end = (h + DMat3::IDENTITY) * fiber.direction;
            reading.rate = end.normalize_or_zero().dot(rate * fiber.direction);
            stress += of_fiber;
            energy += density * body.volume[particle];
            reading
        });
        Some(FleshReading {
            deformation_gradient: h + DMat3::IDENTITY,
            stress,
            energy: energy + 0.5 * body.hourglass * rough,
            fiber,
        })
    }

    /// What fibres do, their stress [Pa] and energy density [J/m3].
    fn fiber(&self, particle: usize, fiber: Fiber, strain: Matrix3) -> (FiberReading, DMat3, f64) {
        let muscle = self.body.muscle(fiber.muscle);
        let number = self.body.first_muscle + fiber.muscle;
        let activation = self.columns.activation[number as usize].at(fiber.phase);
        let law = MuscleFiber {
            stiffness: muscle.stiffness as Real,
            shortening: (muscle.shortening * activation) as Real,
            active_stress: (muscle.peak_stress * activation) as Real,
        };
        let along = fiber.direction.to_array().map(|c| c as Real);
        let found = law.response(along, strain, is_turned(strain, along));
        let reading = FiberReading {
            muscle: number,
            activation,
            stretch: f64::from(found.stretch),
            tension: f64::from(found.tension),
            rate: 0.0,
            volume: self.body.volume[particle],
        };
        let stress = from_matrix(found.stress(along));
        (reading, stress, f64::from(found.energy))
    }

    /// How a particle's neighbours have moved; `None` if it has left.
    fn strain(&self, particle: usize) -> Option<Strain> {
        let place = |particle: usize| {
            let place = self.place_of_id[particle];
            (place != u32::MAX).then_some(place as usize)
        };
        let own = place(particle)?;
        let (shape, position) = (&self.body.flesh.shape, &self.particles.position);
        let velocity = |place: usize| to_double(self.particles.velocity[place]);
        let neighbors = shape.neighbors_of(particle).iter();
        let pairs = neighbors.filter_map(|&other| {
            let place = place(other as usize)?;
            let offset = shape.position[other as usize] - shape.position[particle];
            let displacement = position[place] - position[own] - offset;
            let phi = weight(offset, shape.support_radius);
            Some((displacement, velocity(place) - velocity(own), offset, phi))
        });
        let dyad = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
        let (mut moment, mut sum, mut rate) = (DMat3::ZERO, DMat3::ZERO, DMat3::ZERO);
        for (displacement, velocity, offset, phi) in pairs.clone() {
            moment += dyad(offset, offset * phi);
            sum += dyad(displacement, offset * phi);
            rate += dyad(velocity, offset * phi);
        }
        let correction = RestCorrection::of_moment(moment);
        let inverse = match correction.rank {
            3 => correction.inverse,
            _ => DMat3::ZERO,
        };
        let gradient = sum * inverse;
        let rest = pairs.map(|(displacement, _, offset, phi)| {
            phi * (gradient * offset - displacement).length_squared()
        });
        Some(Strain {
            gradient,
            rough: rest.sum(),
            rate: rate * inverse,
        })
    }
}

/// How a particle's neighbours have moved.
struct Strain {
    /// F - I.
    gradient: DMat3,
    /// sum_j phi_ij |e_ij|^2 [m2].
    rough: f64,
    /// dF/dt [1/s].
    rate: DMat3,
}

/// Whether material is turned inside out along a direction.
fn is_turned(strain: Matrix3, along: [Real; 3]) -> bool {
    let deformation = Deformation::from_displacement_gradient(strain);
    if deformation.volume >= 0.0 {
        return false;
    }
    let moduli = LameModuli {
        shear_modulus: 0.0,
        lame_lambda: 0.0,
    };
    let rotation = Tangent::corotated(moduli, &deformation).frame;
    let (a, b) = (
        deformation.gradient.times_vector(along),
        rotation.times_vector(along),
    );
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] < 0.0
}

fn to_matrix(m: DMat3) -> Matrix3 {
    let rows = m.transpose().to_cols_array_2d();
    Matrix3::from_rows(rows.map(|row| row.map(|c| c as Real)))
}

fn from_matrix(m: Matrix3) -> DMat3 {
    let rows = m.rows.map(|row| row.map(f64::from));
    DMat3::from_cols_array_2d(&rows).transpose()
}

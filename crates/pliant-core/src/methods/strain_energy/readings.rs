//! Deformation, stress and energy of each particle of solids.

use pliant_materials::laws::Solid;
use pliant_math::simd::{Instructions, Job, LANES, Pack};
use pliant_math::{DMat3, DVec3, Real, SymMat3};

use super::broken_bonds::BrokenBonds;
use super::columns::StrainEnergyColumns;
use super::response::{MatrixRow, StressResponse, stress_response};
use super::rows::MaterialStateRow;
use super::set_tensor;
use super::setup::{SolidBody, StrainEnergySetup};
use crate::method::{Tensors, cauchy_stress, von_mises};
use crate::parallel;
use crate::particles::Particles;
use crate::rest::{RestCorrection, hourglass_stiffness, hourglass_weight, weight};

/// What a particle's neighbours say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidReading {
    /// F.
    pub deformation_gradient: DMat3,
    /// First Piola-Kirchhoff stress [Pa].
    pub stress: DMat3,
    /// Elastic energy, that of the hourglass control included [J].
    pub energy: f64,
}

impl SolidReading {
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

/// Calls `f(place, what)` for every solid particle, with what is wanted of its reading.
pub fn read<T: Clone + Send>(
    setup: &StrainEnergySetup,
    particles: &Particles,
    columns: &StrainEnergyColumns,
    wanted: impl Fn(SolidReading) -> T + Sync,
    mut f: impl FnMut(usize, T),
) {
    let mut places = setup.places();
    places.update(&particles.id);
    let mut number = 0;
    for body in &setup.bodies {
        let of_body = number..number + body.shape.len();
        number = of_body.end;
        let histories = columns.plastic.get(of_body).unwrap_or_default();
        let mut readings = vec![None; body.shape.len()];
        let reader = BodyReader {
            law: &setup.laws[body.law as usize],
            hourglass: setup.settings.hourglass,
            body,
            histories,
            broken_bonds: &columns.broken_bonds,
            particles,
            place_of_id: places.from(body.first_id),
        };
        parallel::for_chunks(&mut readings, |first, readings| {
            for (k, readings) in readings.chunks_mut(LANES).enumerate() {
                reader.read(first + k * LANES, readings, &wanted);
            }
        });
        for (k, reading) in readings.into_iter().enumerate() {
            if let Some(reading) = reading {
                f(places.from(body.first_id)[k] as usize, reading);
            }
        }
    }
}

/// Reads the particles of a body.
struct BodyReader<'a> {
    law: &'a Solid,
    /// Hourglass control, a part of the stiffness. What collapsed parts have beyond it is no energy that was paid.
    hourglass: f64,
    body: &'a SolidBody,
    /// Plastic histories; empty if it does not flow.
    histories: &'a [SymMat3],
    broken_bonds: &'a BrokenBonds,
    particles: &'a Particles,
    /// By the numbers of the particles, `u32::MAX` for those that have left.
    place_of_id: &'a [u32],
}

impl BodyReader<'_> {
    /// The readings of particles from one on, sixteen at most; `None` for those that have left.
    fn read<T>(
        &self,
        first: usize,
        readings: &mut [Option<T>],
        wanted: &impl Fn(SolidReading) -> T,
    ) {
        let mut strains = [None; LANES];
        let (mut rows, mut material_state) = (MatrixRow::default(), MaterialStateRow::default());
        for (lane, strain) in strains.iter_mut().enumerate().take(readings.len()) {
            let particle = first + lane;
            *strain = self.strain(particle);
            let h = strain.map_or(DMat3::ZERO, |strain: Strain| strain.gradient);
            let h = h.transpose().to_cols_array();
            for (row, component) in rows.iter_mut().flatten().zip(h) {
                row.set(lane, component as Real);
            }
            if let Some(&history) = self.histories.get(particle) {
                set_tensor(&mut material_state.history, lane, history);
            }
            let directions = self.body.fiber_directions(self.law, particle);
            for (rows, direction) in material_state.fibers.iter_mut().zip(directions) {
                for (row, component) in rows.iter_mut().zip(direction.to_array()) {
                    row.set(lane, component as Real);
                }
            }
        }
        let response = Instructions::best().run(Respond {
            law: self.law,
            strain: &rows,
            material_state: &material_state,
        });
        for (lane, reading) in readings.iter_mut().enumerate() {
            let stress = response.stress.map(|row| row.map(|c| f64::from(c.0[lane])));
            *reading = strains[lane].map(|strain| {
                let of_law = f64::from(response.energy.0[lane]) * self.body.volume[first + lane];
                wanted(SolidReading {
                    deformation_gradient: strain.gradient + DMat3::IDENTITY,
                    stress: DMat3::from_cols_array_2d(&stress).transpose(),
                    energy: of_law + strain.of_hourglass,
                })
            });
        }
    }

    /// How a particle's neighbours have moved; `None` if it has left.
    fn strain(&self, particle: usize) -> Option<Strain> {
        let place = |particle: usize| {
            let place = self.place_of_id[particle];
            (place != u32::MAX).then_some(place as usize)
        };
        let own = place(particle)?;
        let (shape, position) = (&self.body.shape, &self.particles.position);
        let neighbors = self.body.neighbors(particle, self.broken_bonds);
        let pairs = neighbors.filter_map(|other| {
            let place = place(other as usize)?;
            let offset = shape.position[other as usize] - shape.position[particle];
            Some((offset, position[place] - position[own] - offset))
        });
        let dyad = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
        let (mut moment, mut sum) = (DMat3::ZERO, DMat3::ZERO);
        for (offset, displacement) in pairs.clone() {
            let g = offset * weight(offset, shape.support_radius);
            moment += dyad(offset, g);
            sum += dyad(displacement, g);
        }
        let correction = RestCorrection::of_moment(moment);
        let gradient = match correction.rank {
            3 => sum * correction.inverse,
            2 => with_normal(sum * correction.inverse, correction.normal),
            _ => return Some(Strain::NONE),
        };
        let squares = pairs.map(|(offset, displacement)| {
            let left = displacement - gradient * offset;
            hourglass_weight(offset, shape.support_radius) * left.length_squared()
        });
        let (modulus, volume) = (self.body.youngs_modulus, self.body.volume[particle]);
        let stiffness = self.hourglass * hourglass_stiffness(modulus, volume, shape.support_radius);
        Some(Strain {
            gradient,
            of_hourglass: 0.5 * stiffness * squares.sum::<f64>(),
        })
    }
}

/// Energy and stress of sixteen particles.
struct Respond<'a> {
    law: &'a Solid,
    strain: &'a MatrixRow,
    material_state: &'a MaterialStateRow,
}

impl Job for Respond<'_> {
    type Output = StressResponse;

    #[inline(always)]
    fn run<P: Pack>(self) -> StressResponse {
        stress_response::<P>(self.law, self.strain, Some(self.material_state))
    }
}

/// How a particle's neighbours have moved.
#[derive(Clone, Copy, Debug)]
struct Strain {
    /// F - I.
    gradient: DMat3,
    /// What the hourglass control holds of what no gradient tells: half its stiffness times the squares [J].
    of_hourglass: f64,
}

impl Strain {
    /// Of what has no neighbours around it: a row of particles, or a lone one.
    const NONE: Self = Self {
        gradient: DMat3::ZERO,
        of_hourglass: 0.0,
    };
}

/// F - I of a sheet, with the normal put where it belongs.
fn with_normal(h: DMat3, rest: DVec3) -> DMat3 {
    let dyad = |a: DVec3| DMat3::from_cols(a * rest.x, a * rest.y, a * rest.z);
    let f = h + DMat3::IDENTITY - dyad(rest);
    let (a, b, c) = (f.x_axis, f.y_axis, f.z_axis);
    let cofactors = DMat3::from_cols(b.cross(c), c.cross(a), a.cross(b));
    let normal = (cofactors * rest).normalize_or_zero();
    h + dyad(normal - rest)
}

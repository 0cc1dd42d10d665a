//! What can be read off the shape of solids: deformation, stress and energy of each particle.

use pliant_materials::laws::Solid;
use pliant_math::simd::Instructions;
use pliant_math::{DMat3, DVec3, Real, SymMat3};

use super::columns::StrainEnergyColumns;
use super::correction::{Correction, weight};
use super::response::{self, Answer, MatrixRow};
use super::rows::ExtraRow;
use super::setup::{SolidBody, StrainEnergySetup};
use super::severed::Severed;
use crate::parallel;
use crate::particles::Particles;

/// What a particle's neighbours say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidReading {
    /// F.
    pub deformation_gradient: DMat3,
    /// First Piola-Kirchhoff stress [Pa].
    pub stress: DMat3,
    /// Elastic energy [J].
    pub energy: f64,
}

impl SolidReading {
    /// det F; negative for what is turned inside out.
    pub fn volume_ratio(&self) -> f64 {
        self.deformation_gradient.determinant()
    }

    /// Von Mises norm of the Cauchy stress P F^T / det F [Pa]; 0 where that has no meaning.
    pub fn von_mises(&self) -> f64 {
        let ratio = self.volume_ratio();
        if ratio <= 0.0 {
            return 0.0;
        }
        let s = self.stress * self.deformation_gradient.transpose() * ratio.recip();
        let (x, y, z) = (s.x_axis, s.y_axis, s.z_axis);
        let normal = (x.x - y.y).powi(2) + (y.y - z.z).powi(2) + (z.z - x.x).powi(2);
        (0.5 * normal + 3.0 * (x.y * x.y + x.z * x.z + y.z * y.z)).sqrt()
    }
}

/// Calls `f(place, reading)` for every solid particle.
pub fn read(
    setup: &StrainEnergySetup,
    particles: &Particles,
    columns: &StrainEnergyColumns,
    mut f: impl FnMut(usize, SolidReading),
) {
    let mut place_of_id = vec![u32::MAX; setup.ranks().len()];
    for (place, &id) in (0..).zip(&particles.id) {
        if let Some(of_id) = place_of_id.get_mut(id as usize) {
            *of_id = place;
        }
    }
    let mut number = 0;
    for body in &setup.bodies {
        let of_body = number..number + body.shape.len();
        number = of_body.end;
        let histories = columns.plastic.get(of_body).unwrap_or_default();
        let mut readings = vec![None; body.shape.len()];
        parallel::for_chunks(&mut readings, |first, readings| {
            for (k, reading) in readings.iter_mut().enumerate() {
                let particle = first + k;
                let history = histories.get(particle).copied().unwrap_or(SymMat3::ZERO);
                let of_particle = Asked {
                    particle,
                    history,
                    severed: &columns.severed,
                };
                *reading = reading_of(setup, body, of_particle, particles, &place_of_id);
            }
        });
        for (k, reading) in readings.into_iter().enumerate() {
            if let Some(reading) = reading {
                f(place_of_id[body.first_id as usize + k] as usize, reading);
            }
        }
    }
}

/// Whose reading is asked.
struct Asked<'a> {
    particle: usize,
    history: SymMat3,
    severed: &'a Severed,
}

/// The reading of a particle of a body, `None` if it has left.
fn reading_of(
    setup: &StrainEnergySetup,
    body: &SolidBody,
    asked: Asked<'_>,
    particles: &Particles,
    place_of_id: &[u32],
) -> Option<SolidReading> {
    let Asked {
        particle,
        history,
        severed,
    } = asked;
    let place = |particle: usize| {
        let place = place_of_id[body.first_id as usize + particle];
        (place != u32::MAX).then_some(place as usize)
    };
    let own = place(particle)?;
    let shape = &body.shape;
    let ways = body.neighbors(particle, severed).filter_map(|other| {
        let other = other as usize;
        let way = particles.position[place(other)?] - particles.position[own];
        Some((shape.position[other] - shape.position[particle], way))
    });
    let offsets = ways.clone().map(|(offset, _)| offset);
    let correction = Correction::new(offsets, shape.support_radius);
    let displacement = ways.fold(DMat3::ZERO, |sum, (offset, way)| {
        let (u, g) = (way - offset, offset * weight(offset, shape.support_radius));
        sum + DMat3::from_cols(u * g.x, u * g.y, u * g.z)
    }) * correction.inverse;
    let h = match correction.rank {
        3 => displacement,
        2 => with_normal(displacement, correction.normal),
        _ => DMat3::ZERO,
    };
    let rows = h.transpose().to_cols_array_2d();
    let rows = rows.map(|row| row.map(|component| component as Real));
    let answer = respond(
        &setup.laws[body.law as usize],
        (body, particle),
        rows,
        history,
    );
    let stress = answer.stress.map(|row| row.map(|c| f64::from(c.0[0])));
    Some(SolidReading {
        deformation_gradient: h + DMat3::IDENTITY,
        stress: DMat3::from_cols_array_2d(&stress).transpose(),
        energy: f64::from(answer.energy.0[0]) * body.volume[particle],
    })
}

/// Energy and stress of a particle, as that of the first of sixteen: laws are large, and compiled once.
fn respond(
    solid: &Solid,
    (body, particle): (&SolidBody, usize),
    strain: [[Real; 3]; 3],
    history: SymMat3,
) -> Answer {
    let mut rows = MatrixRow::default();
    for (row, strain) in rows.iter_mut().flatten().zip(strain.into_iter().flatten()) {
        row.set(0, strain);
    }
    let mut extra = ExtraRow::default();
    let SymMat3 {
        xx,
        yy,
        zz,
        xy,
        xz,
        yz,
    } = history;
    for (row, component) in extra.history.iter_mut().zip([xx, yy, zz, xy, xz, yz]) {
        row.set(0, component);
    }
    let directions = body.fiber_directions(solid, particle);
    for (rows, direction) in extra.fibers.iter_mut().zip(directions) {
        for (row, component) in rows.iter_mut().zip(direction.to_array()) {
            row.set(0, component as Real);
        }
    }
    response::respond(Instructions::best(), solid, &rows, Some(&extra))
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

//! Particles in rows of sixteen that stand beside each other, with their neighbours at rest and their fibres.

use std::f64::consts::TAU;
use std::ops::Range;

use pliant_materials::laws::SolidLaw;
use pliant_math::simd::{LANES, Row};
use pliant_math::{DMat3, DVec3, Real};

use super::activation::ActivationState;
use super::setup::MuscleBody;
use crate::particles::IdMap;
use crate::rest::{
    BondRow, Neighborhood, RestCorrection, RestRow, set_symmetric, set_vector, weight,
};

/// Sixteen particles: what stays the same while the neighbours do.
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub struct MuscleRow {
    /// Their neighbourhoods at rest. Places are those among the particles of the method.
    pub rest: RestRow,
    /// Stiffness of a bond of full weight against zero-energy modes [N/m].
    pub hourglass: Row,
    /// Viscosity in shear [Pa s].
    pub viscosity: Row,
    /// Whether some are viscous.
    pub is_viscous: bool,
    /// 1/(K V) [1/(N m)], K being the bulk modulus that keeps the volume.
    pub compliance: Row,
    /// Bulk modulus [Pa] by which implicit steps resist changes of the volume beside the law.
    pub penalty: Row,
    /// Sum of the weights of the bonds.
    pub weight_sum: Row,
    /// L (sum G G^T + (sum G) (sum G)^T) L [1/m2]: what moves F when a particle moves.
    pub spread: [Row; 6],
    /// sum_j w_j G G^T + w_i (sum G) (sum G)^T [m2/kg].
    pub mobility: [Row; 6],
    /// Its bonds.
    pub bonds: Range<usize>,
    /// Lanes that hold a particle of their own, a bit each; others repeat the last one.
    pub filled: u16,
    /// Laws of the particles, each with its lanes, a bit each: one but where bodies meet.
    pub laws: Vec<(SolidLaw, u16)>,
    /// Number of its fibres, if there are any.
    pub fibers: Option<u32>,
}

/// Fibres of sixteen particles; of those without, their stiffness is zero.
#[derive(Clone, Debug)]
pub struct FiberRow {
    /// Unit vectors along them at rest.
    pub direction: [Row; 3],
    /// Stiffness [Pa].
    pub stiffness: Row,
    /// Shortening as they are activated now.
    pub shortening: Row,
    /// Active stress as they are activated now [Pa].
    pub active_stress: Row,
    /// Both as they were in the substep before.
    pub before: [Row; 2],
    /// What does not change, lane by lane.
    lanes: [FiberLane; LANES],
}

/// Fibres of a particle.
#[derive(Clone, Copy, Debug, Default)]
struct FiberLane {
    /// Number of the muscle among those of all bodies.
    muscle: u32,
    /// Shortening and stress at full activation.
    greatest: [f64; 2],
    /// Cosine and sine of the phase.
    phase: [f64; 2],
}

/// All particles.
#[derive(Debug, Default)]
pub struct MuscleRows {
    /// Row k holds the sixteen particles from place 16 k on.
    pub rows: Vec<MuscleRow>,
    /// Row after row.
    pub bonds: Vec<BondRow>,
    /// Of rows that have any.
    pub fibers: Vec<FiberRow>,
    /// Number of particles.
    pub count: usize,
    /// Bonds from particles to neighbours.
    pub edge_count: usize,
}

/// A particle to be put into a row.
struct NewParticle<'a> {
    rest: Neighborhood,
    body: &'a MuscleBody,
    number: usize,
}

impl MuscleRows {
    /// Of particles that stand in the order of their bodies, and in these as `shape.order` says.
    ///
    /// * `mass` — of each [kg]
    pub fn new(bodies: &[MuscleBody], places: &IdMap, mass: &[Real]) -> Self {
        let mut all = Self {
            count: mass.len(),
            ..Self::default()
        };
        let particles = bodies.iter().flat_map(|body| {
            let order = body.flesh.shape.order.iter();
            order.filter_map(move |&particle| new_particle(body, particle, places))
        });
        let mut lanes: Vec<NewParticle<'_>> = Vec::with_capacity(LANES);
        for particle in particles {
            lanes.push(particle);
            if lanes.len() == LANES {
                all.add_row(&lanes, mass);
                lanes.clear();
            }
        }
        if !lanes.is_empty() {
            all.add_row(&lanes, mass);
        }
        all
    }

    fn add_row(&mut self, lanes: &[NewParticle<'_>], mass: &[Real]) {
        let slots = lanes.iter().map(|new| new.rest.neighbors.len()).max();
        let first = self.bonds.len();
        self.bonds
            .resize_with(first + slots.unwrap_or(0), BondRow::default);
        let mut row = MuscleRow {
            bonds: first..self.bonds.len(),
            filled: ((1u32 << lanes.len()) - 1) as u16,
            laws: laws_of(lanes),
            ..MuscleRow::default()
        };
        let bonds = &mut self.bonds[first..];
        for lane in 0..LANES {
            let new = lanes.get(lane).unwrap_or(&lanes[lanes.len() - 1]);
            let mass = mass[new.rest.particle as usize];
            row.rest.set_lane(bonds, lane, &new.rest, mass);
            row.hourglass.set(lane, new.body.hourglass as Real);
            row.viscosity.set(lane, new.body.viscosity as Real);
            row.is_viscous |= new.body.viscosity > 0.0;
            let compliance = new.body.volume_compliance(new.number);
            row.compliance.set(lane, compliance as Real);
            row.penalty.set(lane, new.body.penalty_modulus() as Real);
            let radius = new.rest.support_radius;
            let weights = new.rest.offsets.iter().map(|&x| weight(x, radius));
            row.weight_sum.set(lane, weights.sum::<f64>() as Real);
            set_symmetric(&mut row.spread, lane, spread(&new.rest));
        }
        self.edge_count += lanes
            .iter()
            .map(|new| new.rest.neighbors.len())
            .sum::<usize>();
        if lanes
            .iter()
            .any(|new| new.body.flesh.fiber(new.number).is_some())
        {
            row.fibers = Some(self.fibers.len() as u32);
            self.fibers.push(fiber_row(lanes));
        }
        self.rows.push(row);
    }

    /// Takes over which particles are held.
    ///
    /// * `inverse_mass` — of each particle [1/kg], 0 if it is held
    pub fn set_mobility(&mut self, inverse_mass: &[Real]) {
        let of = |place: usize| f64::from(inverse_mass[place]);
        for row in &mut self.rows {
            let bonds = &self.bonds[row.bonds.clone()];
            for lane in 0..LANES {
                let (mut sum, mut square) = (DVec3::ZERO, DMat3::ZERO);
                for bond in bonds {
                    let g = bond.gradient(&row.rest, lane);
                    sum += g;
                    square += outer(g) * of(bond.neighbor.get(lane));
                }
                square += outer(sum) * of(row.rest.particle.get(lane));
                set_symmetric(&mut row.mobility, lane, square);
            }
        }
    }

    /// Places of the neighbours of a particle at a place.
    pub fn neighbors_of(&self, place: usize) -> impl Iterator<Item = usize> {
        let (row, lane) = (&self.rows[place / LANES], place % LANES);
        let bonds = self.bonds[row.bonds.clone()].iter();
        let neighbors = bonds.map(move |bond| bond.neighbor.get(lane));
        neighbors.filter(move |&neighbor| neighbor != place)
    }

    /// Takes over how muscles were activated in the substep before.
    pub fn activate(&mut self, activation: &[ActivationState]) {
        for row in &mut self.fibers {
            row.activate(activation);
            row.before = [row.shortening, row.active_stress];
        }
    }

    /// Takes over how they are activated in this one.
    pub fn activate_next(&mut self, activation: &[ActivationState]) {
        for row in &mut self.fibers {
            row.activate(activation);
        }
    }
}

impl FiberRow {
    /// Whether activation differs from that of the substep before.
    pub fn has_changed(&self) -> bool {
        self.before != [self.shortening, self.active_stress]
    }

    fn activate(&mut self, activation: &[ActivationState]) {
        for (lane, fiber) in self.lanes.iter().enumerate() {
            // What has no fibres counts as of the first muscle, with nothing to activate.
            let state = activation[fiber.muscle as usize];
            let wave = state.cosine * fiber.phase[0] + state.sine * fiber.phase[1];
            let active = (state.constant + wave).clamp(0.0, 1.0);
            let [shortening, stress] = fiber.greatest;
            self.shortening.0[lane] = (shortening * active) as Real;
            self.active_stress.0[lane] = (stress * active) as Real;
        }
    }
}

/// A particle of a body, `None` if it has left.
fn new_particle<'a>(
    body: &'a MuscleBody,
    particle: u32,
    places: &IdMap,
) -> Option<NewParticle<'a>> {
    let place = |particle: u32| Some(places.of(body.first_id + particle)? as u32);
    let shape = &body.flesh.shape;
    let own = place(particle)?;
    let number = particle as usize;
    let x = shape.position[number];
    let (mut neighbors, mut offsets) = (Vec::new(), Vec::new());
    for &other in shape.neighbors_of(number) {
        if let Some(neighbor) = place(other) {
            neighbors.push(neighbor);
            offsets.push(shape.position[other as usize] - x);
        }
    }
    let correction = RestCorrection::new(offsets.iter().copied(), shape.support_radius);
    // What has neighbours in a plane only has no volume.
    let correction = match correction.rank {
        3 => correction,
        _ => RestCorrection::NONE,
    };
    Some(NewParticle {
        rest: Neighborhood {
            particle: own,
            neighbors,
            offsets,
            correction,
            volume: body.volume[number],
            support_radius: shape.support_radius,
            youngs_modulus: 0.0,
        },
        body,
        number,
    })
}

fn spread(rest: &Neighborhood) -> DMat3 {
    let gradients = rest
        .offsets
        .iter()
        .map(|&x| x * weight(x, rest.support_radius));
    let (mut sum, mut square) = (DVec3::ZERO, DMat3::ZERO);
    for g in gradients {
        sum += g;
        square += outer(g);
    }
    let inverse = rest.correction.inverse;
    inverse * (square + outer(sum)) * inverse
}

/// Laws of particles, each once, with their lanes; the last law has those that repeat the last particle.
fn laws_of(lanes: &[NewParticle<'_>]) -> Vec<(SolidLaw, u16)> {
    let mut laws: Vec<(u32, SolidLaw, u16)> = Vec::new();
    for (lane, new) in lanes.iter().enumerate() {
        match laws.last_mut() {
            Some((body, _, bits)) if *body == new.body.body => *bits |= 1 << lane,
            _ => laws.push((new.body.body, new.body.law.law, 1 << lane)),
        }
    }
    if let Some((_, _, bits)) = laws.last_mut() {
        *bits |= (u32::from(u16::MAX) << lanes.len()) as u16;
    }
    laws.into_iter().map(|(_, law, bits)| (law, bits)).collect()
}

fn fiber_row(lanes: &[NewParticle<'_>]) -> FiberRow {
    let mut row = FiberRow {
        direction: [Row::ZERO; 3],
        stiffness: Row::ZERO,
        shortening: Row::ZERO,
        active_stress: Row::ZERO,
        before: [Row::ZERO; 2],
        lanes: [FiberLane::default(); LANES],
    };
    for lane in 0..LANES {
        let new = lanes.get(lane).unwrap_or(&lanes[lanes.len() - 1]);
        let Some(fiber) = new.body.flesh.fiber(new.number) else {
            continue;
        };
        let muscle = new.body.muscle(fiber.muscle);
        set_vector(&mut row.direction, lane, fiber.direction);
        row.stiffness.set(lane, muscle.stiffness as Real);
        let angle = TAU * fiber.phase;
        row.lanes[lane] = FiberLane {
            muscle: new.body.first_muscle + fiber.muscle,
            greatest: [muscle.shortening, muscle.peak_stress],
            phase: [libm::cos(angle), libm::sin(angle)],
        };
    }
    row
}

fn outer(a: DVec3) -> DMat3 {
    DMat3::from_cols(a * a.x, a * a.y, a * a.z)
}

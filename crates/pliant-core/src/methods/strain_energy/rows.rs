//! Constraints by colour, sixteen side by side, with their bonds to neighbours in the order in which
//! they are read.

use std::cmp::Reverse;
use std::ops::Range;

use pliant_materials::strain_energy::GREATEST_FAMILIES;
use pliant_math::simd::{LANES, Row};
use pliant_math::{DMat3, DVec3, Real};

use super::response::MatrixRow;
use crate::constraints::{colors, source_lane};
use crate::rest::{BondRow, Neighborhood, RestRow, set_symmetric, set_vector, symmetric};

/// Sixteen constraints of one colour: what stays the same while the neighbours do, and what sweeps leave.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct ConstraintRow {
    /// Their particles at rest.
    pub rest: RestRow,
    /// L K L, K = sum_j w_j G G^T + w_i (sum_j G) (sum_j G)^T [1/(kg m2)].
    pub mobility: [Row; 6],
    /// Hourglass control, a part of the stiffness at rest.
    pub hourglass: Row,
    /// F - I at the start of the substep.
    pub start: MatrixRow,
    /// What projections have given in this substep.
    pub given: Given,
}

/// What projections have given in a substep: the multipliers, which start at zero.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Given {
    /// The first Piola-Kirchhoff stress whose impulses these were [Pa].
    pub stress: MatrixRow,
    /// The multiplier of the energy, where that is the constraint.
    pub multiplier: Row,
}

/// Fibre directions and plastic history of sixteen constraints, if their law has fibres or flows.
#[derive(Clone, Copy, Debug, Default)]
pub struct MaterialStateRow {
    /// Number of their row.
    pub row: u32,
    /// Unit vectors along the families of fibres, at rest.
    pub fibers: [[Row; 3]; GREATEST_FAMILIES],
    /// Plastic history.
    pub history: [Row; 6],
}

/// What all lanes of a row have in common.
#[derive(Clone, Debug)]
pub struct RowInfo {
    /// Number of the law.
    pub law: u32,
    /// The row's edges.
    pub edges: Range<usize>,
    /// Number of its material state, if it has one.
    pub material_state: Option<u32>,
    /// Lanes with particles of sheets, a bit each.
    pub thin: u16,
    /// Lanes that hold a constraint of their own, a bit each; others repeat one ([`source_lane`]).
    pub filled: u16,
    /// Lanes that were so compressed that the law was replaced when visited last, a bit each.
    pub collapsed: u16,
}

/// A constraint to be put into a row.
#[derive(Clone, Debug)]
pub struct NewConstraint {
    /// Its particle, and those of its neighbours that hold it.
    pub rest: Neighborhood,
    /// Places of all that are there of its particle and what were neighbours at rest: colours and rows
    /// go by these, so that they stay the same whatever is cut.
    pub points: Vec<u32>,
    /// Number of the law.
    pub law: u32,
    /// Unit vectors along its families of fibres, if the law has fibres or flows.
    pub fibers: Option<[DVec3; GREATEST_FAMILIES]>,
}

/// All constraints.
#[derive(Debug, Default)]
pub struct ConstraintRows {
    /// By colour.
    pub rows: Vec<ConstraintRow>,
    /// Of each row.
    pub info: Vec<RowInfo>,
    /// Row after row.
    pub edges: Vec<BondRow>,
    /// Fibre directions and plastic histories, of rows whose law has fibres or flows.
    pub material_state: Vec<MaterialStateRow>,
    /// The rows of each colour.
    pub colors: Vec<Range<usize>>,
    /// Row and lane of the constraint of each particle, [`NONE`] if it has none.
    lane_of: Vec<[u32; 2]>,
    /// Bonds from particles to neighbours.
    pub edge_count: usize,
    /// Number of constraints.
    pub count: usize,
}

/// No row.
const NONE: [u32; 2] = [u32::MAX; 2];

impl ConstraintRows {
    /// Constraints, given in an order in which those side by side in space are near each other.
    ///
    /// * `mass` — of each [kg]
    /// * `inverse_mass` — of each [1/kg], 0 if it is held
    pub fn new(constraints: &[NewConstraint], mass: &[Real], inverse_mass: &[Real]) -> Self {
        let points = constraints.iter().map(|c| c.points.as_slice());
        let of_color = colors(points, mass.len());
        let mut all = Self {
            count: constraints.len(),
            edge_count: constraints.iter().map(|c| c.rest.neighbors.len()).sum(),
            lane_of: vec![NONE; mass.len()],
            ..Self::default()
        };
        for mut numbers in of_color {
            // Those of one law, and of like numbers of neighbours, share rows.
            numbers.sort_by_key(|&n| {
                let constraint = &constraints[n as usize];
                (constraint.law, Reverse((constraint.points.len() - 1) / 4))
            });
            let first = all.rows.len();
            let of_law = |&n: &u32| constraints[n as usize].law;
            for of_one_law in numbers.chunk_by(|a, b| of_law(a) == of_law(b)) {
                for lanes in of_one_law.chunks(LANES) {
                    let lanes: Vec<&NewConstraint> =
                        lanes.iter().map(|&n| &constraints[n as usize]).collect();
                    all.add_row(&lanes, mass);
                }
            }
            all.colors.push(first..all.rows.len());
        }
        all.set_mobility(inverse_mass);
        all
    }

    /// Takes over which particles are held.
    ///
    /// * `inverse_mass` — of each particle [1/kg], 0 if it is held
    pub fn set_mobility(&mut self, inverse_mass: &[Real]) {
        for (row, info) in self.rows.iter_mut().zip(&self.info) {
            let edges = &self.edges[info.edges.clone()];
            for lane in 0..LANES {
                set_mobility(row, edges, lane, inverse_mass);
            }
        }
    }

    /// Puts a constraint in the place of that of the same particle, of which neighbours have been cut
    /// off.
    ///
    /// * `mass` — of each particle [kg]
    /// * `inverse_mass` — of each particle [1/kg], 0 if it is held
    pub fn replace(&mut self, constraint: &NewConstraint, mass: &[Real], inverse_mass: &[Real]) {
        let [number, lane] = self.lane_of[constraint.rest.particle as usize];
        let (row, info) = (
            &mut self.rows[number as usize],
            &mut self.info[number as usize],
        );
        let edges = &mut self.edges[info.edges.clone()];
        let (filled, lane) = (info.filled.trailing_ones() as usize, lane as usize);
        self.edge_count += constraint.rest.neighbors.len();
        self.edge_count -= edges
            .iter()
            .filter(|edge| edge.leads_away(&row.rest, lane))
            .count();
        let repeats = |&other: &usize| source_lane(other, filled) == lane;
        for lane in (0..LANES).filter(repeats) {
            set_lane(row, info, edges, lane, constraint, mass);
            set_mobility(row, edges, lane, inverse_mass);
        }
    }

    fn add_row(&mut self, lanes: &[&NewConstraint], mass: &[Real]) {
        let slots = lanes.iter().map(|c| c.points.len() - 1).max().unwrap_or(0);
        let first = self.edges.len();
        let mut row = ConstraintRow::default();
        self.edges.resize_with(first + slots, BondRow::default);
        let number = self.rows.len() as u32;
        let material_state = lanes[0].fibers.map(|_| {
            self.material_state.push(material_state_row(number, lanes));
            self.material_state.len() as u32 - 1
        });
        let mut info = RowInfo {
            law: lanes[0].law,
            edges: first..first + slots,
            material_state,
            thin: 0,
            filled: ((1u32 << lanes.len()) - 1) as u16,
            collapsed: 0,
        };
        let edges = &mut self.edges[first..];
        for lane in 0..LANES {
            let constraint = lanes[source_lane(lane, lanes.len())];
            set_lane(&mut row, &mut info, edges, lane, constraint, mass);
        }
        for (lane, constraint) in (0..).zip(lanes) {
            self.lane_of[constraint.rest.particle as usize] = [number, lane];
        }
        self.rows.push(row);
        self.info.push(info);
    }
}

fn set_lane(
    row: &mut ConstraintRow,
    info: &mut RowInfo,
    edges: &mut [BondRow],
    lane: usize,
    constraint: &NewConstraint,
    mass: &[Real],
) {
    let thin = u16::from(constraint.rest.correction.rank == 2);
    info.thin = info.thin & !(1 << lane) | thin << lane;
    let neighborhood = &constraint.rest;
    let mass = mass[neighborhood.particle as usize];
    row.rest.set_lane(edges, lane, neighborhood, mass);
}

fn set_mobility(row: &mut ConstraintRow, edges: &[BondRow], lane: usize, inverse_mass: &[Real]) {
    let of = |place: usize| f64::from(inverse_mass[place]);
    let (mut sum, mut square) = (DVec3::ZERO, DMat3::ZERO);
    for edge in edges {
        let g = edge.gradient(&row.rest, lane);
        sum += g;
        square += outer(g) * of(edge.neighbor.get(lane));
    }
    square += outer(sum) * of(row.rest.particle.get(lane));
    let inverse = symmetric(&row.rest.inverse, lane);
    set_symmetric(&mut row.mobility, lane, inverse * square * inverse);
}

fn material_state_row(number: u32, lanes: &[&NewConstraint]) -> MaterialStateRow {
    let mut row = MaterialStateRow {
        row: number,
        ..MaterialStateRow::default()
    };
    for lane in 0..LANES {
        let constraint = lanes[source_lane(lane, lanes.len())];
        let families = constraint.fibers.iter().flatten();
        for (rows, &direction) in row.fibers.iter_mut().zip(families) {
            set_vector(rows, lane, direction);
        }
    }
    row
}

fn outer(a: DVec3) -> DMat3 {
    DMat3::from_cols(a * a.x, a * a.y, a * a.z)
}

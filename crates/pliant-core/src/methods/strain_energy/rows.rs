//! Constraints by colour, sixteen side by side, with their bonds to neighbours in the order in which
//! they are read.

use std::cmp::Reverse;
use std::ops::Range;

use pliant_materials::strain_energy::GREATEST_FAMILIES;
use pliant_math::simd::{LANES, Pack, Places, Row};
use pliant_math::{DMat3, DVec3, Real};

use super::correction::{RestCorrection, weight};
use crate::constraints::colors;

/// Sixteen constraints of one colour: what stays the same while the neighbours do, and what sweeps leave.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct ConstraintRow {
    /// Their particles.
    pub particle: Places,
    /// L [1/m2].
    pub inverse: [Row; 6],
    /// K = sum_j w_j G G^T + w_i (sum_j G) (sum_j G)^T [m2/kg].
    pub mobility: [Row; 6],
    /// sum_j G_ij [m].
    pub gradient_sum: [Row; 3],
    /// Normals of sheets at rest; zero for what has neighbours all around.
    pub normal: [Row; 3],
    /// Rest volumes [m3].
    pub volume: Row,
    /// Inverse square of the support radius [1/m2].
    pub inverse_squared_support: Row,
    /// Hourglass stiffness over (1 - q^2)^3 / |X|^2 [N m].
    pub hourglass_stiffness: Row,
    /// Twice the sum of the hourglass stiffnesses over the particle's mass [1/s2].
    pub hourglass_rate: Row,
    /// Hourglass control, a part of the above.
    pub hourglass: Row,
    /// F - I at the start of the substep.
    pub start: [[Row; 3]; 3],
    /// Accumulated multiplier.
    pub multiplier: Row,
}

/// A bond of each of sixteen particles to a neighbour. One that has none left is bound to itself.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct EdgeRow {
    /// The neighbours.
    pub neighbor: Places,
    /// X_ij at rest [m].
    pub offset: [Row; 3],
}

impl EdgeRow {
    /// Prefetches the bond that is read some bonds later, be it of a later row.
    #[inline(always)]
    pub fn prefetch<P: Pack>(edges: &[Self], at: usize) {
        P::prefetch(edges, at + PREFETCH_DISTANCE, size_of::<Self>());
    }
}

/// How many bonds ahead memory is prefetched.
const PREFETCH_DISTANCE: usize = 8;

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
    /// Lanes that hold a constraint of their own, a bit each; others repeat the first.
    pub filled: u16,
    /// Lanes that were so compressed that the law was replaced when visited last, a bit each.
    pub collapsed: u16,
}

/// A constraint to be put into a row.
#[derive(Clone, Debug)]
pub struct NewConstraint {
    /// Place of its particle.
    pub particle: u32,
    /// Places of all that are there of its particle and what were neighbours at rest: colours and rows
    /// go by these, so that they stay the same whatever is cut.
    pub points: Vec<u32>,
    /// Places of the neighbours.
    pub neighbors: Vec<u32>,
    /// X_ij of each [m].
    pub offsets: Vec<DVec3>,
    /// What they allow to be known.
    pub correction: RestCorrection,
    /// Rest volume [m3].
    pub volume: f64,
    /// Support radius [m].
    pub support_radius: f64,
    /// Young's modulus [Pa], which hourglass control goes by.
    pub youngs_modulus: f64,
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
    pub edges: Vec<EdgeRow>,
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
            edge_count: constraints.iter().map(|c| c.neighbors.len()).sum(),
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
        let [number, lane] = self.lane_of[constraint.particle as usize];
        let (row, info) = (
            &mut self.rows[number as usize],
            &mut self.info[number as usize],
        );
        let edges = &mut self.edges[info.edges.clone()];
        let (first, lane) = (info.filled.trailing_ones() as usize, lane as usize);
        self.edge_count += constraint.neighbors.len();
        self.edge_count -= edges
            .iter()
            .filter(|edge| edge.leads_away(row, lane))
            .count();
        // Lanes without a constraint of their own repeat the first.
        let repeated = if lane == 0 { first..LANES } else { 0..0 };
        for lane in repeated.chain([lane]) {
            set_lane(row, info, edges, lane, constraint, mass);
            set_mobility(row, edges, lane, inverse_mass);
        }
    }

    fn add_row(&mut self, lanes: &[&NewConstraint], mass: &[Real]) {
        let slots = lanes.iter().map(|c| c.points.len() - 1).max().unwrap_or(0);
        let first = self.edges.len();
        let mut row = ConstraintRow::default();
        self.edges.resize_with(first + slots, EdgeRow::default);
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
            let constraint = lanes.get(lane).unwrap_or(&lanes[0]);
            set_lane(&mut row, &mut info, edges, lane, constraint, mass);
        }
        for (lane, constraint) in (0..).zip(lanes) {
            self.lane_of[constraint.particle as usize] = [number, lane];
        }
        self.rows.push(row);
        self.info.push(info);
    }
}

impl EdgeRow {
    /// True if the bond of a lane leads to a neighbour.
    fn leads_away(&self, row: &ConstraintRow, lane: usize) -> bool {
        self.neighbor.get(lane) != row.particle.get(lane)
    }
}

impl NewConstraint {
    /// The hourglass stiffness of alpha = 1 over (1 - q^2)^3 / |X|^2 [N m]:
    /// k_ij = E/2 V_i V_j W_ij / |X_ij|^2, with V_i for V_j (Ganzenmueller 2015). Without a plane
    /// the position of neighbours is not determined.
    fn hourglass_stiffness(&self) -> f64 {
        if self.correction.rank == 0 {
            return 0.0;
        }
        let kernel = 315.0 / (64.0 * std::f64::consts::PI * self.support_radius.powi(3));
        0.5 * self.youngs_modulus * self.volume * self.volume * kernel
    }
}

/// Shortest bond at rest that hourglass control takes as it is, in support radii.
pub const SHORTEST: f64 = 0.03;

fn set_lane(
    row: &mut ConstraintRow,
    info: &mut RowInfo,
    edges: &mut [EdgeRow],
    lane: usize,
    constraint: &NewConstraint,
    mass: &[Real],
) {
    for (k, edge) in edges.iter_mut().enumerate() {
        let neighbor = constraint.neighbors.get(k);
        let neighbor = neighbor.unwrap_or(&constraint.particle);
        edge.neighbor.set(lane, *neighbor);
        let offset = constraint.offsets.get(k).copied();
        set_vector(&mut edge.offset, lane, offset.unwrap_or(DVec3::ZERO));
    }
    let thin = u16::from(constraint.correction.rank == 2);
    info.thin = info.thin & !(1 << lane) | thin << lane;
    row.particle.set(lane, constraint.particle);
    set_symmetric(&mut row.inverse, lane, constraint.correction.inverse);
    set_vector(&mut row.normal, lane, constraint.correction.normal);
    let support_radius = constraint.support_radius;
    let offsets = constraint.offsets.iter();
    let gradients = offsets.clone().map(|&x| x * weight(x, support_radius));
    set_vector(&mut row.gradient_sum, lane, gradients.sum());
    row.volume.set(lane, constraint.volume as Real);
    let squared = support_radius * support_radius;
    row.inverse_squared_support
        .set(lane, squared.recip() as Real);
    let stiffness = constraint.hourglass_stiffness();
    row.hourglass_stiffness.set(lane, stiffness as Real);
    let shares = offsets.map(|&x| {
        let inside = 1.0 - x.length_squared() / squared;
        inside.powi(3) / x.length_squared().max(SHORTEST * SHORTEST * squared)
    });
    let total = stiffness * shares.sum::<f64>();
    let rate = 2.0 * total / f64::from(mass[constraint.particle as usize]);
    row.hourglass_rate.set(lane, rate as Real);
}

fn set_mobility(row: &mut ConstraintRow, edges: &[EdgeRow], lane: usize, inverse_mass: &[Real]) {
    let of = |place: usize| f64::from(inverse_mass[place]);
    let support_radius = f64::from(row.inverse_squared_support.0[lane])
        .sqrt()
        .recip();
    let (mut sum, mut square) = (DVec3::ZERO, DMat3::ZERO);
    for edge in edges {
        let offset = vector(&edge.offset, lane);
        let g = offset * weight(offset, support_radius);
        sum += g;
        square += outer(g) * of(edge.neighbor.get(lane));
    }
    square += outer(sum) * of(row.particle.get(lane));
    set_symmetric(&mut row.mobility, lane, square);
}

fn material_state_row(number: u32, lanes: &[&NewConstraint]) -> MaterialStateRow {
    let mut row = MaterialStateRow {
        row: number,
        ..MaterialStateRow::default()
    };
    for lane in 0..LANES {
        let constraint = lanes.get(lane).unwrap_or(&lanes[0]);
        let families = constraint.fibers.iter().flatten();
        for (rows, &direction) in row.fibers.iter_mut().zip(families) {
            set_vector(rows, lane, direction);
        }
    }
    row
}

fn vector([x, y, z]: &[Row; 3], lane: usize) -> DVec3 {
    DVec3::new(x.0[lane].into(), y.0[lane].into(), z.0[lane].into())
}

fn set_vector(rows: &mut [Row; 3], lane: usize, vector: DVec3) {
    for (row, component) in rows.iter_mut().zip(vector.to_array()) {
        row.set(lane, component as Real);
    }
}

fn set_symmetric([xx, yy, zz, xy, xz, yz]: &mut [Row; 6], lane: usize, m: DMat3) {
    xx.set(lane, m.x_axis.x as Real);
    yy.set(lane, m.y_axis.y as Real);
    zz.set(lane, m.z_axis.z as Real);
    xy.set(lane, m.y_axis.x as Real);
    xz.set(lane, m.z_axis.x as Real);
    yz.set(lane, m.z_axis.y as Real);
}

fn outer(a: DVec3) -> DMat3 {
    DMat3::from_cols(a * a.x, a * a.y, a * a.z)
}

//! The time of reading the neighbours at rest of solids, a lower bound for sweeps over them.

use std::hint::black_box;
use std::time::Instant;

use pliant_core::methods::strain_energy::SolidBody;
use pliant_core::particles::{IdMap, Particles};
use pliant_core::rest::weight;
use pliant_math::to_double;

/// Passes for each measurement, of which the best counts.
const PASSES: usize = 3;

/// Times of reading a way from a particle to a neighbour [s].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EdgeBounds {
    /// An index and sixteen bytes at the neighbour: the gather bound of all methods.
    pub gather: f64,
    /// The same with twelve bytes of a gradient: what deformation is read off.
    pub vectors: f64,
    /// An index, a matrix of three times sixteen bytes at the neighbour, and the gradient: what a
    /// particle is asked for.
    pub matrices: f64,
}

impl EdgeBounds {
    /// Both passes of a sweep: neighbours are read once for the deformation, and once more for what
    /// they and the particle ask of each other.
    pub fn both(&self) -> f64 {
        self.vectors + self.matrices
    }
}

/// The neighbours at rest of all particles, bare, in the order in which the particles lie.
#[derive(Debug, Default)]
pub struct EdgeLists {
    /// Neighbours of particle i are `neighbor[start[i]..start[i + 1]]`.
    start: Vec<u32>,
    neighbor: Vec<u32>,
    /// Of each way.
    gradient: Vec<[f32; 3]>,
    vector: Vec<[f32; 4]>,
    matrix: Vec<[[f32; 4]; 3]>,
    sum: Vec<[f32; 4]>,
}

impl EdgeLists {
    /// The lists of bodies whose particles are all there.
    pub fn new(bodies: &[SolidBody], particles: &Particles) -> Self {
        let mut places = IdMap::new(0..particles.len() as u32);
        places.update(&particles.id);
        let mut lists = Self {
            start: vec![0],
            vector: particles.velocity.iter().map(|&v| padded(v)).collect(),
            sum: vec![[0.0; 4]; particles.len()],
            ..Self::default()
        };
        lists.matrix = lists.vector.iter().map(|&v| [v; 3]).collect();
        for &id in &particles.id {
            let number = bodies.partition_point(|body| body.first_id <= id) - 1;
            let body = &bodies[number];
            let (shape, own) = (&body.shape, (id - body.first_id) as usize);
            for &other in shape.neighbors_of(own) {
                let offset = shape.position[other as usize] - shape.position[own];
                let gradient = offset * weight(offset, shape.support_radius);
                lists.gradient.push(gradient.as_vec3().to_array());
                lists
                    .neighbor
                    .push(places.from(body.first_id)[other as usize]);
            }
            lists.start.push(lists.neighbor.len() as u32);
        }
        lists
    }

    /// Ways from particles to neighbours.
    pub fn count(&self) -> usize {
        self.neighbor.len()
    }

    /// Times the passes.
    pub fn measure(&mut self) -> EdgeBounds {
        EdgeBounds {
            gather: self.time(|lists, edge, sum| {
                add(sum, lists.vector[lists.neighbor[edge] as usize]);
            }),
            vectors: self.time(|lists, edge, sum| {
                add(sum, lists.vector[lists.neighbor[edge] as usize]);
                add_gradient(sum, lists.gradient[edge]);
            }),
            matrices: self.time(|lists, edge, sum| {
                for row in lists.matrix[lists.neighbor[edge] as usize] {
                    add(sum, row);
                }
                add_gradient(sum, lists.gradient[edge]);
            }),
        }
    }

    /// Time an edge [s] of a pass that adds up what `read` reads.
    fn time(&mut self, read: impl Fn(&Self, usize, &mut [f32; 4])) -> f64 {
        let mut best = f64::INFINITY;
        for _ in 0..PASSES {
            let mut sums = std::mem::take(&mut self.sum);
            let start = Instant::now();
            let lists = black_box(&*self);
            for (range, sum) in lists.start.windows(2).zip(&mut sums) {
                let mut total = [0.0; 4];
                for edge in range[0] as usize..range[1] as usize {
                    read(lists, edge, &mut total);
                }
                *sum = total;
            }
            best = best.min(start.elapsed().as_secs_f64());
            self.sum = black_box(sums);
        }
        best / self.count().max(1) as f64
    }
}

#[inline(always)]
fn add(sum: &mut [f32; 4], vector: [f32; 4]) {
    for (sum, value) in sum.iter_mut().zip(vector) {
        *sum += value;
    }
}

#[inline(always)]
fn add_gradient(sum: &mut [f32; 4], [x, y, z]: [f32; 3]) {
    add(sum, [x, y, z, 0.0]);
}

fn padded(v: pliant_math::Vec3) -> [f32; 4] {
    let [x, y, z] = to_double(v).as_vec3().to_array();
    [x, y, z, 0.0]
}

//! The solver by itself, on links between particles.

mod two_passes;

use pliant_math::simd::{Instructions, Job, LANES, Pack, Places, Row};
use pliant_math::{DMat3, DVec3, RandomStream, Real, Spatial, SymMat3, Vector3};

use super::cholesky::{Factor, Solve};
use super::*;
use crate::parallel::{CHUNK, Pool};

/// Particles whose links each resist a difference of velocities with a block of their own.
#[derive(Clone, Default)]
struct Links {
    mass: Vec<Real>,
    inverse_mass: Vec<Real>,
    links: Vec<([u32; 2], SymMat3)>,
    /// Neighbours of sixteen particles, row by row.
    rows: Vec<Vec<Slot>>,
    couplings: Vec<Coupling>,
    right: Vec<Vec<VectorRow>>,
}

#[derive(Clone)]
struct Slot {
    neighbors: Places,
    run: NeighborRun,
    block: [Row; 6],
}

impl Links {
    fn new(mass: Vec<Real>, links: Vec<([u32; 2], SymMat3)>) -> Self {
        Self {
            inverse_mass: mass.iter().map(|m| 1.0 / m).collect(),
            mass,
            links,
            ..Self::default()
        }
    }

    /// Random masses between 1 and 2, links and blocks; `count` links beside a chain.
    fn random(particles: u32, count: u32, stiffness: f64, seed: u64) -> Self {
        let stream = RandomStream::new(seed, 0);
        let number = |k: u32| stream.unit(u64::from(k));
        let any = |k: u32| (number(k) * f64::from(particles)) as u32;
        let mut ends: Vec<[u32; 2]> = (1..particles).map(|k| [k - 1, k]).collect();
        ends.extend((0..count).map(|k| [any(100_000 + 2 * k), any(100_001 + 2 * k)]));
        ends.retain(|[a, b]| a != b);
        let block = |k: u32| {
            let v = [0, 1, 2].map(|axis| number(200_000 + 3 * k + axis) as Real - 0.5);
            let outer = SymMat3::outer(v.into());
            (outer + SymMat3::isotropic(0.2)) * (stiffness as Real)
        };
        let mass = (0..particles).map(|k| 1.0 + number(300_000 + k) as Real);
        Self::new(
            mass.collect(),
            ends.into_iter().zip((0..).map(block)).collect(),
        )
    }

    fn hold(&mut self, place: usize) {
        self.inverse_mass[place] = 0.0;
    }

    /// A solver for it with right sides of unit size; what is held has none.
    fn solver(&mut self, bodies: &[BodyParticles]) -> Solver {
        let count = self.mass.len();
        let lists = by_particle(self.links.iter().map(|link| link.0), count);
        self.rows = (0..count)
            .step_by(LANES)
            .map(|first| self.row(&lists, first))
            .collect();
        let mut solver = Solver::default();
        let runs = self.rows.iter().flatten().map(|slot| slot.run);
        solver.build((&self.mass, &self.inverse_mass), bodies, runs);
        let both = self
            .links
            .iter()
            .flat_map(|&([a, b], block)| [([a, b], block), ([b, a], block)]);
        let coupling = |(ends, block): ([u32; 2], SymMat3)| {
            let aggregates = solver.coarse_space().crossing(ends)?;
            let block = [
                block.xx, block.xy, block.xz, block.xy, block.yy, block.yz, block.xz, block.yz,
                block.zz,
            ]
            .map(f64::from);
            Some(Coupling { aggregates, block })
        };
        self.couplings = both.filter_map(coupling).collect();
        let stream = RandomStream::new(5, 1);
        self.right = solver
            .unknowns
            .iter()
            .map(|chunk| chunk.solution.clone())
            .collect();
        for place in (0..count).filter(|&place| self.inverse_mass[place] > 0.0) {
            let value = [0, 1, 2].map(|axis| stream.unit((3 * place + axis) as u64) as Real - 0.5);
            set_lane(
                &mut self.right[place / CHUNK][place % CHUNK / LANES],
                place % LANES,
                value,
            );
        }
        solver
    }

    fn row(&self, lists: &[Vec<Neighbor>], first: usize) -> Vec<Slot> {
        let slot = |(row, run): ([Option<&Neighbor>; LANES], NeighborRun)| {
            let own = |lane: usize| (first + lane).min(lists.len() - 1) as u32;
            let mut block = [Row::ZERO; 6];
            for (lane, neighbor) in row.iter().enumerate() {
                let of_link = neighbor.map(|neighbor| self.links[neighbor.link as usize].1);
                let components = of_link.unwrap_or(SymMat3::ZERO).components();
                block
                    .iter_mut()
                    .zip(components)
                    .for_each(|(row, value)| row.0[lane] = value);
            }
            Slot {
                neighbors: Places::from_fn(|lane| row[lane].map_or(own(lane), |n| n.place)),
                run,
                block,
            }
        };
        neighbor_rows(&lists[first..], first)
            .into_iter()
            .map(slot)
            .collect()
    }

    fn start(&self, solver: &mut Solver) {
        for (chunk, unknowns) in solver.unknowns.iter_mut().enumerate() {
            solver.instructions.run(Start {
                links: self,
                chunk,
                unknowns,
            });
        }
    }

    /// The same system as a dense one, solved.
    fn dense_solution(&self) -> Vec<f64> {
        let size = 3 * self.mass.len();
        let mut matrix = vec![0.0; size * size];
        let mut add = |row: usize, column: usize, block: [[Real; 3]; 3], sign: f64| {
            for k in 0..9 {
                let value = sign * f64::from(block[k / 3][k % 3]);
                matrix[(3 * row + k / 3) * size + 3 * column + k % 3] += value;
            }
        };
        let is_free = |place: usize| self.inverse_mass[place] > 0.0;
        for (place, &mass) in self.mass.iter().enumerate() {
            add(place, place, SymMat3::isotropic(mass).rows(), 1.0);
        }
        for &([a, b], block) in &self.links {
            for [own, other] in [[a, b], [b, a]].map(|ends| ends.map(|end| end as usize)) {
                if is_free(own) {
                    add(own, own, block.rows(), 1.0);
                }
                if is_free(own) && is_free(other) {
                    add(own, other, block.rows(), -1.0);
                }
            }
        }
        let matrix = &mut matrix;
        let mut values: Vec<f64> = (0..self.mass.len())
            .flat_map(|i| self.right_at(i))
            .collect();
        let best = Instructions::best();
        assert!(best.run(Factor { matrix, size }));
        best.run(Solve {
            factor: matrix,
            values: &mut values,
        });
        values
    }

    fn right_at(&self, place: usize) -> [f64; 3] {
        lane(
            &self.right[place / CHUNK][place % CHUNK / LANES],
            place % LANES,
        )
        .map(f64::from)
    }
}

/// Rows of a symmetric block.
trait BlockRows {
    fn rows(self) -> [[Real; 3]; 3];
}

impl BlockRows for SymMat3 {
    fn rows(self) -> [[Real; 3]; 3] {
        pliant_math::Matrix3::from(self).rows
    }
}

impl Stiffness for Links {
    #[inline(always)]
    fn plus_product<P: Pack>(
        &self,
        mut sum: Vector3<P>,
        (chunk, row): (usize, usize),
        own: Vector3<P>,
        field: VectorField<'_>,
    ) -> Vector3<P> {
        for slot in &self.rows[chunk * (CHUNK / LANES) + row] {
            sum = sum + SymMat3::load(&slot.block) * (own - field.at(&slot.neighbors, slot.run));
        }
        sum
    }

    fn couplings(&self) -> impl Iterator<Item = Coupling> {
        self.couplings.iter().copied()
    }
}

struct Start<'a> {
    links: &'a Links,
    chunk: usize,
    unknowns: &'a mut Unknowns,
}

impl Job for Start<'_> {
    type Output = ();

    fn run<P: Pack>(self) {
        let Self {
            links,
            chunk,
            unknowns,
        } = self;
        let mut norms = Norms::<P>::ZERO;
        for k in 0..unknowns.masses.len() {
            let mut diagonal = SymMat3::isotropic(P::load(&unknowns.masses[k].mass));
            for slot in &links.rows[chunk * (CHUNK / LANES) + k] {
                diagonal += SymMat3::load(&slot.block);
            }
            let right = Vector3::load(&links.right[chunk][k]);
            unknowns.start_row(k, diagonal, right, &mut norms);
        }
        unknowns.finish(norms);
    }
}

fn solution(solver: &Solver, place: usize) -> [f64; 3] {
    let rows = &solver.unknowns[place / CHUNK].solution;
    lane(&rows[place % CHUNK / LANES], place % LANES).map(f64::from)
}

/// The greatest difference to a dense solution.
fn defect(solver: &Solver, dense: &[f64]) -> f64 {
    let each = dense.chunks(3).enumerate().flat_map(|(place, exact)| {
        let found = solution(solver, place);
        (0..3)
            .map(move |axis| (found[axis] - exact[axis]).abs())
            .collect::<Vec<_>>()
    });
    each.fold(0.0, f64::max)
}

/// A body of particles in a line.
fn line(count: u32) -> BodyParticles {
    BodyParticles {
        places: (0..count).collect(),
        position: (0..count).map(|k| DVec3::X * f64::from(k)).collect(),
    }
}

const NEAR: f64 = 200.0 * Real::EPSILON as f64;

#[test]
fn random_systems_have_the_solution_of_the_dense_matrix() {
    for seed in 0..20 {
        let particles = 3 + 4 * seed as u32;
        let mut links = Links::random(particles, 2 * particles, 3.0, seed);
        let mut solver = links.solver(&[line(particles)]);
        links.start(&mut solver);
        solver.prepare(&links, true);
        let steps = solver.solve(&mut links, Until::Tolerance(4.0 * f64::from(Real::EPSILON)));
        assert!(steps < 100, "{steps}");
        let defect = defect(&solver, &links.dense_solution());
        assert!(defect < NEAR, "{particles} particles: {defect:e}");
    }
}

#[test]
fn held_particles_have_no_residual_and_stay() {
    let mut links = Links::random(50, 60, 3.0, 3);
    [0, 17, 31].into_iter().for_each(|place| links.hold(place));
    let mut solver = links.solver(&[line(50)]);
    // Whatever pushes them.
    let pushed = &mut links.right[0][1];
    set_lane(pushed, 1, [7.0, 8.0, 9.0]);
    links.start(&mut solver);
    set_lane(&mut links.right[0][1], 1, [0.0; 3]);
    for _ in 0..40 {
        solver.improve(
            &mut links,
            |links, chunk| &links.right[chunk],
            |_| Spatial::ZERO,
            Until::Steps(1),
        );
        for place in [0, 17, 31] {
            assert_eq!(solution(&solver, place), [0.0; 3]);
            let residual = &solver.unknowns[0].residual[place / LANES];
            assert_eq!(lane(residual, place % LANES), [0.0; 3]);
        }
    }
    solver.solve(&mut links, Until::Steps(60));
    let defect = defect(&solver, &links.dense_solution());
    assert!(defect < NEAR, "{defect:e}");
}

#[test]
fn tied_particles_move_with_their_body_which_feels_all_that_they_are_linked_to() {
    for body_mass in [1e-3, 1.0, 1e3] {
        let mut links = Links::random(60, 90, 300.0, 17);
        let mut solver = links.solver(&[]);
        let arm = |place: u32| DVec3::new(f64::from(place % 3), 0.7, f64::from(place) * 0.05);
        let inertia = DMat3::from_diagonal(DVec3::new(0.9, 1.3, 0.6)) * body_mass;
        let tied = [3, 18, 31, 47].map(|place| TiedParticle {
            tie: place,
            place,
            arm: arm(place),
            gap: DVec3::new(0.3, -0.2, 0.1) * f64::from(place % 4),
            residual: DVec3::ZERO,
        });
        let mass = links.mass.clone();
        let mass_at = |place: usize| f64::from(mass[place]);
        solver.tie(|bodies| bodies.add(0, (body_mass, inertia), tied.into_iter(), mass_at));
        links.start(&mut solver);
        solver.start_tied(&mut links);
        let steps = solver.solve(
            &mut links,
            Until::Tolerance(100.0 * f64::from(Real::EPSILON)),
        );
        assert!(steps < 200, "{steps}");
        let (body, members) = solver.tied().iter().next().unwrap();
        let (mut given, mut momentum) = (Spatial::ZERO, DVec3::ZERO);
        for member in members {
            let moved = DVec3::from_array(solution(&solver, member.place as usize));
            let wanted = member.gap + body.change.at(member.arm);
            assert!((moved - wanted).length() < 1e-4, "{moved} for {wanted}");
            given += Spatial::impulse_at(member.arm, member.residual);
            momentum -= member.residual;
        }
        // Links of 300 kg between gaps of 1 m/s.
        let near = 300.0 * NEAR;
        let own = Spatial {
            linear: body.change.linear * body_mass,
            angular: inertia * body.change.angular,
        };
        let missing = given - own;
        assert!(missing.linear.length() < near, "{missing:?} of {own:?}");
        assert!(missing.angular.length() < near, "{missing:?} of {own:?}");
        for place in 0..60 {
            momentum += DVec3::from_array(links.right_at(place));
            momentum -= DVec3::from_array(solution(&solver, place)) * mass_at(place);
        }
        assert!(momentum.length() < near, "{momentum}");
    }
}

#[test]
fn a_coarse_space_carries_a_pull_along_a_chain() {
    let chain = (1..2000).map(|k| ([k - 1, k], SymMat3::isotropic(1e4)));
    let mut links = Links::new(vec![1.0; 2000], chain.collect());
    links.hold(0);
    let mut solver = links.solver(&[line(2000)]);
    let mut steps = |may_use_coarse_space| {
        links.start(&mut solver);
        solver.prepare(&links, may_use_coarse_space);
        solver.solve(&mut links, Until::Tolerance(1e-3))
    };
    let (without, with) = (steps(false), steps(true));
    assert!(3 * with < 2 * without, "{with} steps, {without} without");
}

#[test]
fn a_soft_system_does_without_a_coarse_space() {
    let mut links = Links::random(200, 0, 0.1, 8);
    let mut solver = links.solver(&[line(200)]);
    links.start(&mut solver);
    solver.prepare(&links, true);
    assert!(!links.couplings.is_empty() && solver.correct() == 0.0);
}

#[test]
fn a_solution_is_improved_for_a_right_side_that_has_changed() {
    let mut links = Links::random(40, 40, 2.0, 11);
    let mut solver = links.solver(&[line(40)]);
    links.start(&mut solver);
    let until = Until::Tolerance(4.0 * f64::from(Real::EPSILON));
    solver.solve(&mut links, until);
    set_lane(&mut links.right[0][1], 5, [1.0, -2.0, 3.0]);
    solver.improve(
        &mut links,
        |links, chunk| &links.right[chunk],
        |_| Spatial::ZERO,
        until,
    );
    let defect = defect(&solver, &links.dense_solution());
    assert!(defect < NEAR, "{defect:e}");
}

#[test]
fn the_bits_do_not_depend_on_threads_and_instructions() {
    let solve = |threads: usize, instructions: Instructions| {
        Pool::new(threads).expect("threads").run(|| {
            let mut links = Links::random(2500, 2000, 200.0, 21);
            links.hold(1100);
            let mut solver = links.solver(&[line(2500)]);
            solver.instructions = instructions;
            links.start(&mut solver);
            solver.prepare(&links, true);
            let steps = solver.solve(&mut links, Until::Tolerance(1e-4));
            let all = (0..2500).flat_map(|place| solution(&solver, place).map(f64::to_bits));
            (steps, all.collect::<Vec<u64>>())
        })
    };
    let expected = solve(1, Instructions::best());
    for threads in [2, 3] {
        assert!(solve(threads, Instructions::best()) == expected);
    }
    for instructions in Instructions::available() {
        assert!(solve(1, instructions) == expected, "{instructions}");
    }
}

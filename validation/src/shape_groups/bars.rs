//! A bar between two clamps that move.

use pliant_core::boundaries::Keyframe;
use pliant_core::methods::shape_groups::{ShapeGroupsSettings, ShapeGroupsSetup, read};
use pliant_core::step::StepError;
use pliant_core::world::World;
use pliant_materials::laws::SolidLaw;
use pliant_math::DVec3;

use super::{SIDE, hexahedra, world_of};
use crate::clamps::carry;
use crate::run;

/// A bar along z whose first layer of particles stays and whose last goes somewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bar {
    /// Hexahedra along each axis.
    pub cells: [i64; 3],
    /// What it is made of.
    pub law: SolidLaw,
    /// Substeps in a sixtieth of a second.
    pub substeps: u32,
    /// How it is solved.
    pub settings: ShapeGroupsSettings,
}

/// Where the last layer goes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Goal {
    /// Length over that at rest less 1.
    pub stretch: f64,
    /// Turn about the axis [rad].
    pub turn: f64,
    /// How long it takes [s].
    pub duration: f64,
}

/// Time that a bar is given to come to rest [s].
const REST: f64 = 1.5;

impl Bar {
    /// The bar after its end has come to its goal and it has come to rest.
    pub(super) fn moved(&self, goal: Goal) -> Result<Moved, StepError> {
        let [nx, ny, nz] = self.cells;
        let length = nz as f64 * SIDE;
        let groups = hexahedra([nx, ny, nz]);
        let surface = groups.triangles.clone();
        let mut setup = world_of(self.law, groups);
        setup.solver.damping = 2.0;
        *setup.solver.methods.of_mut() = self.settings;
        let rest = setup.bodies[0].particles.position.clone();
        for (index, z) in [(0, 0.0), (1, length)] {
            let start = DVec3::Z * z;
            let end = match index {
                0 => goal_frame(start, 0.0, goal.duration),
                _ => goal_frame(start * (1.0 + goal.stretch), goal.turn, goal.duration),
            };
            let held = (0_u32..).zip(&rest);
            let held = held.filter(|(_, x)| (x.z - z).abs() < 1e-9);
            let keyframes = vec![goal_frame(start, 0.0, 0.0), end];
            carry(&mut setup, held.map(|(id, _)| id).collect(), keyframes);
        }
        let mut moved = Moved {
            world: World::new(setup),
            rest,
            surface,
            length,
            farthest_off_axis: 0.0,
            least_volume: 1.0,
        };
        let frame = f64::from(self.substeps);
        for _ in 0..((goal.duration + REST) * 60.0).ceil() as usize {
            let dt = 1.0 / 60.0 / frame;
            run(&mut moved.world, dt, self.substeps as usize, |_, _| ())?;
            moved.farthest_off_axis = moved.farthest_off_axis.max(moved.off_axis());
            moved.least_volume = moved.least_volume.min(moved.volume_ratio());
        }
        Ok(moved)
    }
}

fn goal_frame(position: DVec3, turn: f64, time: f64) -> Keyframe {
    Keyframe {
        time,
        position,
        rotation: DVec3::Z * turn,
    }
}

/// A bar at rest between its clamps.
pub(super) struct Moved {
    world: World,
    rest: Vec<DVec3>,
    surface: Vec<[u32; 3]>,
    length: f64,
    /// The greatest of [`Self::off_axis`] at any time.
    pub(super) farthest_off_axis: f64,
    /// The least of [`Self::volume_ratio`] at any time.
    pub(super) least_volume: f64,
}

impl Moved {
    /// Mean det F of the particles in the middle.
    pub(super) fn middle_volume_ratio(&self) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        self.read(|rest, volume_ratio| {
            if self.is_in_the_middle(rest) {
                sum += volume_ratio;
                count += 1.0;
            }
        });
        sum / count
    }

    /// Least det F of all particles.
    pub(super) fn least_volume_ratio(&self) -> f64 {
        let mut least = f64::INFINITY;
        self.read(|_, volume_ratio| least = least.min(volume_ratio));
        least
    }

    /// Distance of the middle section from the axis [sides].
    pub(super) fn off_axis(&self) -> f64 {
        let p = &self.world.state.particles;
        let columns = p.id.iter().zip(&p.position);
        let middle = columns.filter(|(id, _)| self.is_in_the_middle(self.rest[**id as usize]));
        let (sum, count) = middle.fold((DVec3::ZERO, 0.0), |(sum, count), (_, &x)| {
            (sum + x, count + 1.0)
        });
        (sum / count).truncate().length() / SIDE
    }

    /// Volume inside its surface over that at rest.
    pub(super) fn volume_ratio(&self) -> f64 {
        let p = &self.world.state.particles;
        let mut now = self.rest.clone();
        for (&id, &x) in p.id.iter().zip(&p.position) {
            now[id as usize] = x;
        }
        let volume = |x: &[DVec3]| {
            let of_one = |t: &[u32; 3]| {
                let [a, b, c] = t.map(|k| x[k as usize]);
                a.dot(b.cross(c)) / 6.0
            };
            self.surface.iter().map(of_one).sum::<f64>()
        };
        volume(&now) / volume(&self.rest)
    }

    fn is_in_the_middle(&self, rest: DVec3) -> bool {
        (rest.z - 0.5 * self.length).abs() < 0.6 * SIDE
    }

    /// Calls `f(rest position, det F)` for every particle.
    fn read(&self, mut f: impl FnMut(DVec3, f64)) {
        let p = &self.world.state.particles;
        read(
            &ShapeGroupsSetup::of(&self.world.setup),
            &self.world.state,
            |place, reading| {
                f(self.rest[p.id[place] as usize], reading.volume_ratio);
            },
        );
    }
}

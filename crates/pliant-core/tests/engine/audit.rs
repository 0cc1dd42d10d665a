//! The energy balance, and frames that are repeated because they gained energy.

use pliant_core::attachments::{Attachment, AttachmentKind};
use pliant_core::boundaries::Motion;
use pliant_core::measure::{Energies, FrameReport};
use pliant_core::schedule::Schedule;
use pliant_core::step::{
    CpuStepper, Operation, StepError, StepReport, Stepper, Trouble, advance_frame, frame_substeps,
};
use pliant_core::world::{Bounds, OnExit, Setup, State, World};
use pliant_geometry::shapes::Plane;
use pliant_materials::laws::{Elastic, HerschelBulkley, VonMises};
use pliant_materials::{HenckyElasticity, HenckyLaw};
use pliant_math::{DVec3, Pose, Real};

use crate::blocks::{block, collider, setup};

const SPACING: f64 = 0.05;
const FRAME: f64 = 1.0 / 24.0;

/// An elastic block whose corner is at a height [m] above the floor.
fn falling_block(height: f64) -> Setup {
    let corner = DVec3::Y * height;
    let mut setup = setup(vec![block(0, [4; 3], SPACING, corner, DVec3::ZERO)]);
    setup.bodies[0].name = "cube".into();
    setup
}

fn run(world: &mut World, frames: u32) -> Vec<FrameReport> {
    let mut stepper = CpuStepper::new(1).expect("threads");
    let frame = |_| advance_frame(world, &mut stepper, &mut |_| ()).expect("a sound frame");
    (0..frames).map(frame).collect()
}

fn mass_of(world: &World) -> f64 {
    world
        .state
        .particles
        .mass
        .iter()
        .map(|&m| f64::from(m))
        .sum()
}

#[test]
fn the_work_of_a_load_equals_the_energy_it_gives() {
    let mut setup = falling_block(0.0);
    setup.gravity = DVec3::ZERO;
    setup.colliders.clear();
    setup.attachments.push(Attachment {
        name: "pull".into(),
        particles: (0..64).collect(),
        kind: AttachmentKind::Load {
            force: DVec3::X * 16.0,
            strength: Schedule::Constant(1.0),
        },
    });
    let mut world = World::new(setup);
    let reports = run(&mut world, 12);
    let account = world.state.account;
    // 16 N on 8 kg for half a second: 1 m/s.
    assert!((account.work.loads / 4.0 - 1.0).abs() < 0.02, "{account:?}");
    assert!(account.gained < 1e-4 && account.lost < 0.08, "{account:?}");
    assert!(reports.iter().all(|report| report.redone == 0));
}

#[test]
fn the_work_of_a_rising_floor_equals_the_energy_it_gives() {
    let mut setup = falling_block(0.0);
    let motion = Motion::Constant {
        start: Pose::IDENTITY,
        velocity: DVec3::Y * 0.2,
        spin: DVec3::ZERO,
    };
    setup.colliders = vec![collider(Plane { normal: DVec3::Y }, motion)];
    let mut world = World::new(setup);
    run(&mut world, 24);
    let account = world.state.account;
    // m g h, and to set it in motion at most twice what it keeps.
    let lifted = mass_of(&world) * 9.81 * 0.2;
    let motion = 0.5 * mass_of(&world) * 0.04;
    let least = 0.98 * lifted;
    let most = 1.02 * lifted + 2.0 * motion;
    assert!(
        (least..most).contains(&account.work.colliders),
        "{account:?}, {lifted}"
    );
    assert!(account.gained < 0.01 * lifted, "{account:?}");
}

#[test]
fn removed_particles_take_their_energy_with_them() {
    let mut setup = falling_block(1.0);
    setup.colliders.clear();
    setup.bounds = Some(Bounds {
        min: DVec3::splat(-10.0).with_y(0.5),
        max: DVec3::splat(10.0),
        on_exit: OnExit::Remove,
    });
    let mut world = World::new(setup);
    run(&mut world, 16);
    let account = world.state.account;
    assert_eq!(world.state.particles.len(), 0);
    // It falls half a metre to where it is removed; nothing is lost or gained on the way.
    assert!(
        account.energy.expect("balanced").abs() < 1e-6,
        "{account:?}"
    );
    assert!(account.gained < 0.4 && account.lost < 0.8, "{account:?}");
    let taken = account.work.emitted_kinetic + account.work.emitted_potential;
    let start = 8.0 * 9.81 * 1.1;
    assert!((taken / -start - 1.0).abs() < 0.01, "{taken} {start}");
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn nearly_incompressible_bodies_gain_no_energy_at_the_automatic_step() {
    for poissons_ratio in [0.475, 0.49, 0.499] {
        let elasticity = HenckyElasticity::from_youngs(2e5, poissons_ratio);
        let laws = [
            HenckyLaw::Elastic(Elastic { elasticity }),
            HenckyLaw::VonMises(VonMises::new(elasticity, 2e3)),
            HenckyLaw::HerschelBulkley(HerschelBulkley {
                elasticity,
                yield_deviator: 2e2,
                consistency_deviator: 30.0,
                flow_index: 0.4,
            }),
        ];
        for law in laws {
            let mut setup = falling_block(0.05);
            setup.materials[0].law = law.into();
            setup.frame_rate = 48.0;
            let mut world = World::new(setup);
            let reports = run(&mut world, 16);
            let account = world.state.account;
            let name = format!("{law:?}, {account:?}");
            assert!(account.gained < 0.01 * account.scale(), "{name}");
            assert!(reports.iter().all(|report| report.redone == 0), "{name}");
        }
    }
}

/// A stepper whose substeps make energy if they are longer than a limit.
struct Leaky {
    inner: CpuStepper,
    /// The longest sound substep [s] at a time [s].
    limit: fn(f64) -> f64,
    /// Factor on all velocities in a longer one.
    factor: Real,
}

impl Stepper for Leaky {
    fn backend(&self) -> &'static str {
        "leaky"
    }

    fn begin(&mut self, world: &World) {
        self.inner.begin(world);
    }

    fn operate(
        &mut self,
        operation: Operation,
        world: &mut World,
        dt: f64,
    ) -> Result<(), StepError> {
        self.inner.operate(operation, world, dt)
    }

    fn end(&mut self) -> StepReport {
        self.inner.end()
    }

    fn substep(&mut self, world: &mut World, dt: f64) -> Result<StepReport, StepError> {
        let is_long = dt > (self.limit)(world.state.time);
        let report = self.inner.substep(world, dt)?;
        if is_long {
            let velocity = &mut world.state.particles.velocity;
            velocity.iter_mut().for_each(|v| *v *= self.factor);
        }
        Ok(report)
    }

    fn measure_residual(&mut self, wanted: bool) {
        self.inner.measure_residual(wanted);
    }

    fn energies(&self, world: &World) -> Energies {
        self.inner.energies(world)
    }

    fn forget(&mut self) {
        self.inner.forget();
    }
}

fn leaky(threads: usize, limit: fn(f64) -> f64, factor: Real) -> Leaky {
    Leaky {
        inner: CpuStepper::new(threads).expect("threads"),
        limit,
        factor,
    }
}

/// For a while a fifth of the usual step is too long.
fn for_a_while(time: f64) -> f64 {
    if (2.0 * FRAME..5.0 * FRAME).contains(&time) {
        4e-4
    } else {
        1.0
    }
}

#[test]
fn a_frame_that_gained_energy_is_repeated_and_later_frames_try_longer_steps() {
    let mut world = World::new(falling_block(0.2));
    let usual = frame_substeps(&world.setup, &world.state) as u64;
    let mut stepper = leaky(1, for_a_while, 1.2);
    let mut redone = Vec::new();
    let mut shortest = f64::INFINITY;
    for _ in 0..30 {
        let report = advance_frame(&mut world, &mut stepper, &mut |_| ()).expect("mended");
        redone.push(report.redone);
        shortest = report.dt.min(shortest);
        assert!(report.gained_share <= 0.01, "{report:?}");
    }
    assert!(redone[..2].iter().all(|&times| times == 0), "{redone:?}");
    assert!(redone[2] >= 2 && shortest <= 4e-4, "{redone:?} {shortest}");
    assert!(redone[3..].iter().all(|&times| times == 0), "{redone:?}");
    assert_eq!(world.state.refinement.halvings, 0);
    let last = advance_frame(&mut world, &mut stepper, &mut |_| ()).expect("a sound frame");
    assert!(last.substeps <= 2 * usual, "{} {usual}", last.substeps);
    // Nothing of what was taken back is left.
    let mut calm = World::new(falling_block(0.2));
    run(&mut calm, 2);
    let mut again = World::new(falling_block(0.2));
    let mut stepper = leaky(1, for_a_while, 1.2);
    for _ in 0..2 {
        advance_frame(&mut again, &mut stepper, &mut |_| ()).expect("a sound frame");
    }
    assert!(calm.state.to_bytes() == again.state.to_bytes());
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn repeated_frames_have_the_same_bits_for_any_threads_and_after_a_resume() {
    let run = |threads: usize, resumed_after: usize| {
        let mut world = World::new(falling_block(0.2));
        let mut stepper = leaky(threads, for_a_while, 1.2);
        for frame in 0..9 {
            if frame == resumed_after {
                let bytes = world.state.to_bytes();
                world.state = State::from_bytes(&bytes, &world.setup).expect("our own bytes");
                stepper = leaky(threads, for_a_while, 1.2);
            }
            advance_frame(&mut world, &mut stepper, &mut |_| ()).expect("mended");
        }
        world.state.to_bytes()
    };
    let expected = run(1, usize::MAX);
    for (threads, resumed_after) in [(2, usize::MAX), (1, 3), (2, 6)] {
        assert!(
            run(threads, resumed_after) == expected,
            "{threads} {resumed_after}"
        );
    }
}

#[test]
fn energy_gained_at_every_step_ends_the_run_with_body_and_place() {
    let mut world = World::new(falling_block(0.2));
    let mut stepper = leaky(1, |_| 0.0, 1.5);
    let error = (0..20)
        .find_map(|_| advance_frame(&mut world, &mut stepper, &mut |_| ()).err())
        .expect("it grows without end");
    assert!(error.trouble.may_be_the_step(), "{error}");
    let culprit = error.culprit.as_ref().expect("a particle is to blame");
    assert_eq!(culprit.body, "cube");
    let message = error.to_string();
    assert!(!message.contains("leaving time_step out"), "{message}");
    assert!(
        !matches!(error.trouble, Trouble::TooManySubsteps { .. }),
        "{message}"
    );
}

#[test]
fn a_given_step_is_kept_and_its_energy_gain_is_reported() {
    let mut setup = falling_block(0.2);
    setup.solver.time_step = Some(1e-3);
    let mut world = World::new(setup);
    let mut stepper = leaky(1, for_a_while, 1.05);
    let mut shares = Vec::new();
    for _ in 0..4 {
        let report = advance_frame(&mut world, &mut stepper, &mut |_| ()).expect("taken as it is");
        assert_eq!((report.redone, report.substeps), (0, 42));
        shares.push(report.gained_share);
    }
    assert!(shares[0] < 1e-6 && shares[2] > 0.01, "{shares:?}");
}

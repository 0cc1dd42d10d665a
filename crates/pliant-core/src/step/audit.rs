//! Whether a frame was paid for: the energy at its end against that at its start and the work done.
//!
//! Implicit steps, plasticity, friction and viscosity take energy out, and nothing inside a world may
//! put any in. A step that is too long for the sweeps to resolve does, long before anything stops being
//! finite; so a gain tells that a frame has to be done again with a shorter step.

use crate::measure::{Energies, FrameReport};
use crate::parallel;
use crate::world::{Balance, EnergyAccount, World};

/// Part of the energy there was to be spent that may appear without being paid for, in a frame or in many.
const TOLERANCE: f64 = 0.01;
/// What may appear in a frame even where frames before have used that up: the error of a good step.
const LEAST_TOLERANCE: f64 = 5e-4;

/// Whether a frame may stand: it gained little, and not more than losses and frames before have left.
///
/// * `tolerated` — part of the energy there was to be spent that may appear whatever there was before
pub fn is_paid_for(report: &FrameReport, tolerated: f64) -> bool {
    let most = match report.risen_share <= TOLERANCE {
        true => TOLERANCE,
        false => LEAST_TOLERANCE,
    };
    report.gained_share <= most.max(tolerated)
}

/// Sums up what a frame did to the account.
#[derive(Clone, Copy, Debug)]
pub struct Audit {
    /// The account at the start of the frame.
    account: EnergyAccount,
}

impl Audit {
    /// At the start of a frame; `measure` reads the energies of the world if they are not known.
    pub fn start(world: &mut World, measure: impl FnOnce(&World) -> Energies) -> Self {
        if world.state.account.energy.is_none() {
            let balance = balance(world, measure(world));
            world.state.account.balance(balance);
        }
        Self {
            account: world.state.account,
        }
    }

    /// At the end of it: what was gained, into the report, and the account as it is then.
    pub fn close(
        &self,
        world: &World,
        energies: Energies,
        report: &mut FrameReport,
    ) -> EnergyAccount {
        let mut account = self.account;
        let before = account.energy.unwrap_or_default();
        let unpaid = energies.total() - before - report.work.total();
        account.work = account.work.plus(&report.work);
        account.throughput += report.work.throughput();
        account.book(unpaid);
        // What blew up must not be the measure of itself: of this frame only the fall counts.
        let fallen = before + report.work.emitted_potential - energies.gravitational;
        let (scale, fallen) = (account.scale(), fallen.max(0.0));
        account.balance(balance(world, energies));
        report.gained = unpaid.max(0.0);
        report.gained_share = share(report.gained, scale + fallen + settling_energy(world));
        report.risen_share = share(account.risen, scale.max(fallen));
        report.energies = Some(energies);
        account
    }
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

fn balance(world: &World, energies: Energies) -> Balance {
    let (p, gravity) = (&world.state.particles, world.setup.gravity);
    let (mass, lowest) = parallel::ordered_fold(
        p.len(),
        (0.0, f64::INFINITY),
        |range| {
            range.fold((0.0, f64::INFINITY), |(mass, lowest), i| {
                let potential: f64 = -gravity.dot(p.position[i]);
                (mass + f64::from(p.mass[i]), f64::min(lowest, potential))
            })
        },
        |a, b| (a.0 + b.0, a.1.min(b.1)),
    );
    Balance {
        motion: energies.kinetic + energies.elastic,
        potential: energies.gravitational,
        mass,
        lowest: if lowest.is_finite() { lowest } else { 0.0 },
    }
}

/// What bodies that touch settle with [J]: a lift of everything by a spacing, or all of it moving at twice
/// the speed at which overlaps are undone.
fn settling_energy(world: &World) -> f64 {
    let (p, setup) = (&world.state.particles, &world.setup);
    let speed = 2.0 * setup.push_out_speed();
    let gravity = setup.gravity.length();
    let of_particle = |i: usize| {
        let lift = gravity * setup.bodies[p.body[i] as usize].spacing;
        f64::from(p.mass[i]) * lift.max(0.5 * speed * speed)
    };
    parallel::ordered_fold(
        p.len(),
        0.0,
        |range| range.map(of_particle).sum::<f64>(),
        |a, b| a + b,
    )
}

/// The body whose kinetic energy is greatest, by the place of its fastest particle: where a gain is
/// looked for.
pub fn suspect(world: &World) -> Option<usize> {
    let p = &world.state.particles;
    let mut of_body = vec![0.0; world.setup.bodies.len()];
    for i in 0..p.len() {
        of_body[p.body[i] as usize] +=
            f64::from(p.mass[i]) * f64::from(p.velocity[i].length_squared());
    }
    let bodies = of_body.iter().enumerate();
    let (body, _) = bodies.max_by(|a, b| a.1.total_cmp(b.1))?;
    let of_it = (0..p.len()).filter(|&i| p.body[i] as usize == body);
    of_it.max_by(|&a, &b| p.velocity[a].length().total_cmp(&p.velocity[b].length()))
}

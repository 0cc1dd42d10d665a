//! A row of `stats.csv`: what a world does as a whole.

use pliant_math::{DVec3, to_double};

use super::pieces::PieceCounts;
use super::rigid::Turning;
use super::{Column, Energies, FrameAnalysis, FrameReport, STAGES};
use crate::parallel;
use crate::world::{EnergyAccount, World};

/// The state of a world in numbers.
#[derive(Clone, Debug)]
pub struct Statistics {
    frame: u32,
    time: f64,
    energies: Energies,
    account: EnergyAccount,
    sums: Sums,
    particles: usize,
    pieces: PieceCounts,
    report: FrameReport,
}

/// What is summed, or compared, over particles.
#[derive(Clone, Copy, Debug)]
struct Sums {
    mass: f64,
    momentum: DVec3,
    angular_momentum: DVec3,
    moment: DVec3,
    greatest_speed: f64,
    squared_speed: f64,
    least_ratio: f64,
    greatest_ratio: f64,
    ratio: f64,
}

/// The columns, in order.
pub fn statistics_columns() -> Vec<Column> {
    let mut columns = vec![
        Column::new("frame", ""),
        Column::new("time", "s"),
        Column::new("substeps", ""),
        Column::new("wall", "s"),
    ];
    columns.extend(
        STAGES
            .iter()
            .map(|stage| Column::new(format!("wall_{}", stage.name()), "s")),
    );
    let rest = [
        ("particles", ""),
        ("energy_kinetic", "J"),
        ("energy_elastic", "J"),
        ("energy_gravitational", "J"),
        ("work_colliders", "J"),
        ("work_loads", "J"),
        ("work_fields", "J"),
        ("work_emitters", "J"),
        ("work_motors", "J"),
        ("energy_lost", "J"),
        ("energy_gained", "J"),
        ("momentum_x", "kg m/s"),
        ("momentum_y", "kg m/s"),
        ("momentum_z", "kg m/s"),
        ("angular_momentum_x", "kg m2/s"),
        ("angular_momentum_y", "kg m2/s"),
        ("angular_momentum_z", "kg m2/s"),
        ("center_of_mass_x", "m"),
        ("center_of_mass_y", "m"),
        ("center_of_mass_z", "m"),
        ("speed_max", "m/s"),
        ("speed_rms", "m/s"),
        ("det_F_min", ""),
        ("det_F_mean", ""),
        ("det_F_max", ""),
        ("residual", ""),
        ("contacts", ""),
        ("neighbors", ""),
        ("rank_deficient_share", ""),
        ("fragments", ""),
        ("fragments_large", ""),
        ("fragment_share_max", ""),
        ("redone", ""),
    ];
    columns.extend(rest.map(|(name, unit)| Column::new(name, unit)));
    columns
}

impl Statistics {
    /// Reads a world; `report` is that of the frame it has just completed, a default one at the start.
    pub fn of(world: &World, report: &FrameReport) -> Self {
        Self::with(world, report, &FrameAnalysis::of(world))
    }

    /// The same, of a world that has been surveyed.
    pub fn with(world: &World, report: &FrameReport, analysis: &FrameAnalysis) -> Self {
        let particles = &world.state.particles;
        let count = particles.len();
        let (readings, turnings) = (&analysis.readings, Turning::of_bodies(world));
        let mass = analysis.order.iter();
        let mass = mass.map(|&i| f64::from(particles.mass[i as usize]));
        let sums = |range: std::ops::Range<usize>| {
            range
                .map(|i| of_particle(world, &turnings, readings.of_place[i].volume_ratio, i))
                .fold(Sums::NONE, Sums::plus)
        };
        Self {
            frame: world.state.frame,
            time: world.state.time,
            energies: report
                .energies
                .unwrap_or_else(|| Energies::with(world, readings, |_| true)),
            account: world.state.account,
            sums: parallel::ordered_fold(count, Sums::NONE, sums, Sums::plus),
            particles: count,
            pieces: PieceCounts::of(&analysis.pieces.list(mass)),
            report: report.clone(),
        }
    }

    /// The numbers, in order of [`statistics_columns`]; all finite.
    pub fn row(&self) -> Vec<f64> {
        let (sums, report) = (&self.sums, &self.report);
        let count = self.particles.max(1) as f64;
        let mut row = vec![
            f64::from(self.frame),
            self.time,
            report.substeps as f64,
            report.wall,
        ];
        row.extend(STAGES.iter().map(|&stage| report.times.of(stage)));
        row.push(self.particles as f64);
        row.extend([
            self.energies.kinetic,
            self.energies.elastic,
            self.energies.gravitational,
        ]);
        let EnergyAccount {
            work, lost, gained, ..
        } = self.account;
        row.extend([
            work.colliders,
            work.loads,
            work.fields,
            work.emitted_kinetic + work.emitted_potential,
            work.motors,
            lost,
            gained,
        ]);
        row.extend(sums.momentum.to_array());
        row.extend(sums.angular_momentum.to_array());
        row.extend((sums.moment / sums.mass.max(f64::MIN_POSITIVE)).to_array());
        row.extend([sums.greatest_speed, (sums.squared_speed / count).sqrt()]);
        row.extend(self.volume_ratios(count));
        row.push(report.residual);
        row.extend([
            report.contacts as f64,
            report.neighbors,
            report.deficient_share,
        ]);
        let pieces = &self.pieces;
        row.extend([pieces.all as f64, pieces.large as f64, pieces.greatest]);
        row.push(f64::from(report.redone));
        row
    }

    /// Greatest speed of a particle [m/s].
    pub fn greatest_speed(&self) -> f64 {
        self.sums.greatest_speed
    }

    fn volume_ratios(&self, count: f64) -> [f64; 3] {
        if self.particles == 0 {
            return [1.0; 3];
        }
        let sums = &self.sums;
        [sums.least_ratio, sums.ratio / count, sums.greatest_ratio]
    }
}

impl Sums {
    const NONE: Self = Self {
        mass: 0.0,
        momentum: DVec3::ZERO,
        angular_momentum: DVec3::ZERO,
        moment: DVec3::ZERO,
        greatest_speed: 0.0,
        squared_speed: 0.0,
        least_ratio: f64::INFINITY,
        greatest_ratio: f64::NEG_INFINITY,
        ratio: 0.0,
    };

    fn plus(self, other: Self) -> Self {
        Self {
            mass: self.mass + other.mass,
            momentum: self.momentum + other.momentum,
            angular_momentum: self.angular_momentum + other.angular_momentum,
            moment: self.moment + other.moment,
            greatest_speed: self.greatest_speed.max(other.greatest_speed),
            squared_speed: self.squared_speed + other.squared_speed,
            least_ratio: self.least_ratio.min(other.least_ratio),
            greatest_ratio: self.greatest_ratio.max(other.greatest_ratio),
            ratio: self.ratio + other.ratio,
        }
    }
}

fn of_particle(world: &World, turnings: &[Turning], ratio: f64, i: usize) -> Sums {
    let particles = &world.state.particles;
    let (x, v) = (particles.position[i], to_double(particles.velocity[i]));
    let mass = f64::from(particles.mass[i]);
    let own_spin = turnings[particles.body[i] as usize].momentum;
    Sums {
        mass,
        momentum: v * mass,
        angular_momentum: x.cross(v) * mass + own_spin,
        moment: x * mass,
        greatest_speed: v.length(),
        squared_speed: v.length_squared(),
        least_ratio: ratio,
        greatest_ratio: ratio,
        ratio,
    }
}

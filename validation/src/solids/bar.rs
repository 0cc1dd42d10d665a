//! A bar pulled at both ends.

use pliant_core::attachments::{Attachment, AttachmentKind};
use pliant_core::methods::strain_energy::StrainEnergySettings;
use pliant_core::schedule::Schedule;
use pliant_core::step::StepError;
use pliant_core::world::{Material, Ordering, World};
use pliant_math::DVec3;

use crate::{Case, Claim, Curve, Expected, Figure, Plot, box_lattice, rubber, run};

/// How a bar of 20 x 6 x 6 particles is pulled.
#[derive(Clone, Copy, Debug)]
pub struct Pull {
    /// Young's modulus [Pa].
    pub youngs_modulus: f64,
    /// Poisson's ratio.
    pub poissons_ratio: f64,
    /// Force over the area at rest, in Young's moduli; negative presses.
    pub stress: f64,
    /// dt sqrt(E / rho) / spacing.
    pub courant_number: f64,
    /// Sweeps a substep.
    pub sweeps: u32,
    /// Order of the projections.
    pub ordering: Ordering,
    /// Control of zero-energy modes, a part of Young's modulus.
    pub hourglass: f64,
    /// Support radius in spacings.
    pub support: f64,
    /// Length of the bar [m].
    pub length: f64,
    /// Where its end is [m].
    pub origin: DVec3,
}

impl Pull {
    /// One per cent of soft rubber, resolved well.
    const SOFT: Self = Self {
        youngs_modulus: 1e5,
        poissons_ratio: 0.3,
        stress: 0.01,
        courant_number: 0.5,
        sweeps: 1,
        ordering: Ordering::GaussSeidel,
        hourglass: 0.3,
        support: 1.8,
        length: 1.0,
        origin: DVec3::ZERO,
    };
}

impl Default for Pull {
    fn default() -> Self {
        Self::SOFT
    }
}

/// What a pulled bar has become.
#[derive(Clone, Copy, Debug)]
pub struct Pulled {
    /// Length over length at rest, between the quarters.
    pub stretch: f64,
    /// Width over width at rest, in the middle.
    pub width: f64,
    /// Young's modulus it seems to have, over the given one, for small strains.
    pub modulus: f64,
    /// Poisson's ratio it seems to have, for small strains.
    pub poissons_ratio: f64,
}

pub(super) const DENSITY: f64 = 1000.0;
/// Particles along and across.
pub(super) const SIZE: [usize; 3] = [20, 6, 6];

impl Pull {
    /// Pulls and waits.
    ///
    /// # Errors
    /// If a substep fails.
    pub fn run(&self) -> Result<Pulled, StepError> {
        let material = rubber(DENSITY, self.youngs_modulus, self.poissons_ratio);
        self.run_with(material)
    }

    /// The same with another law of the same moduli.
    ///
    /// # Errors
    /// If a substep fails.
    pub fn run_with(&self, material: Material) -> Result<Pulled, StepError> {
        let mut world = self.case(material).world();
        let start = Sections::of(&world);
        let sound = (self.youngs_modulus / DENSITY).sqrt();
        let dt = self.courant_number * self.spacing() / sound;
        // The lowest mode has half a wave in the bar.
        let period = 2.0 * self.length / sound;
        run(&mut world, dt, (6.0 * period / dt) as usize, |_, _| ())?;
        let end = Sections::of(&world);
        let (stretch, width) = (end.length / start.length, end.width / start.width);
        Ok(Pulled {
            stretch,
            width,
            modulus: self.stress / (stretch - 1.0),
            poissons_ratio: (1.0 - width) / (stretch - 1.0),
        })
    }

    pub(super) fn spacing(&self) -> f64 {
        self.length / SIZE[0] as f64
    }

    /// The bar with a load on each end section.
    pub(super) fn case(&self, material: Material) -> Case {
        let spacing = self.spacing();
        let points = box_lattice(SIZE, spacing, 0.0);
        let points = points.into_iter().map(|x| x + self.origin).collect();
        let mut case = Case::new(material, points, spacing).weightless();
        let area = (SIZE[1] * SIZE[2]) as f64 * spacing * spacing;
        let force = DVec3::X * (self.stress * self.youngs_modulus * area);
        for (name, section, force) in [("left", 0, -force), ("right", SIZE[0] - 1, force)] {
            let count = (SIZE[0] * SIZE[1] * SIZE[2]) as u32;
            let is_there = |&k: &u32| k as usize % SIZE[0] == section;
            case.setup.attachments.push(Attachment {
                name: name.into(),
                particles: (0..count).filter(is_there).collect(),
                kind: AttachmentKind::Load {
                    force,
                    strength: Schedule::Constant(1.0),
                },
            });
        }
        case.setup.solver.iterations = self.sweeps;
        case.setup.solver.ordering = self.ordering;
        case.setup
            .solver
            .methods
            .of_mut::<StrainEnergySettings>()
            .hourglass = self.hourglass;
        let sound = (self.youngs_modulus / DENSITY).sqrt();
        case.setup.solver.damping = std::f64::consts::TAU * sound / (2.0 * self.length);
        case.with_support(self.support)
    }
}

/// Distances between sections of the bar [m].
pub(super) struct Sections {
    pub(super) length: f64,
    pub(super) width: f64,
}

impl Sections {
    pub(super) fn of(world: &World) -> Self {
        let p = &world.state.particles;
        let mean = |is_there: &dyn Fn([usize; 3]) -> bool| {
            let cell = |id: usize| [id % SIZE[0], id / SIZE[0] % SIZE[1], id / SIZE[0] / SIZE[1]];
            let there = |&i: &usize| is_there(cell(p.id[i] as usize));
            let members: Vec<usize> = (0..p.len()).filter(there).collect();
            let sum: DVec3 = members.iter().map(|&i| p.position[i]).sum();
            sum / members.len() as f64
        };
        let at = |section: usize| mean(&|cell| cell[0] == section);
        let middle = |[x, ..]: [usize; 3]| (8..12).contains(&x);
        let side = |row: usize| mean(&|cell| middle(cell) && cell[1] == row);
        Self {
            length: at(15).distance(at(4)),
            width: side(SIZE[1] - 1).distance(side(0)),
        }
    }
}

const MODULI: Plot = Plot {
    title: "Young's modulus of a bar over the given one",
    unit: "",
    across: "dt c / spacing",
    across_unit: "",
    is_logarithmic: [true, false],
};

/// Steps, sweeps and neighbours of the scene `bench/bar`.
const AS_TIMED: Pull = Pull {
    poissons_ratio: 0.33,
    courant_number: 1.556,
    sweeps: 2,
    support: 1.7,
    ..Pull::SOFT
};

/// Over steps and sweeps.
pub const STEPS: Claim = Claim {
    statement: "a solid has the given Young's modulus at any step that the sweeps resolve",
    measure: || {
        let mut figures = Vec::new();
        for sweeps in [1, 2, 5] {
            let mut points = Vec::new();
            for courant_number in [0.25, 0.5, 1.0, 2.0] {
                let pull = Pull {
                    courant_number,
                    sweeps,
                    ..Pull::default()
                };
                let pulled = pull.run()?;
                points.push([courant_number, pulled.modulus]);
                let is_resolved = courant_number <= 0.5 * f64::from(sweeps);
                let bound = if is_resolved {
                    Expected::Near(0.98, 0.04)
                } else {
                    Expected::Finite
                };
                let what = format!(
                    "modulus over the given one, c dt/spacing = {courant_number}, {sweeps} sweeps"
                );
                figures.push(Figure::new(what, pulled.modulus, bound));
            }
            let curve = Curve::measured(MODULI, format!("{sweeps} sweeps"), points);
            if let Some(last) = figures.pop() {
                figures.push(last.with(curve));
            }
        }
        let timed = AS_TIMED.run()?;
        let what = "modulus over the given one, as in the scene bench/bar";
        figures.push(Figure::new(what, timed.modulus, Expected::Near(0.98, 0.04)));
        Ok(figures)
    },
};

/// Projections that do not see each other.
pub const JACOBI: Claim = Claim {
    statement: "Jacobi sweeps without relaxation keep the Young's modulus of a solid up to half a spacing a step",
    measure: || {
        let figure = |courant_number: f64| {
            let ordering = Ordering::Jacobi;
            let pulled = Pull {
                courant_number,
                ordering,
                ..Pull::default()
            }
            .run()?;
            let what = format!("modulus over the given one, c dt/spacing = {courant_number}");
            Ok(Figure::new(
                what,
                pulled.modulus,
                Expected::Near(0.98, 0.04),
            ))
        };
        [0.2, 0.5].into_iter().map(figure).collect()
    },
};

/// Nothing but the strain counts: not size, stiffness or place.
pub const WIDELY: Claim = Claim {
    statement: "a solid has the given Young's modulus at any size, stiffness, position and small strain",
    measure: || {
        let base = Pull::default();
        let mut figures = Vec::new();
        let mut moduli = Vec::new();
        for (what, pull) in [
            ("1e5 Pa, 1 m, 1 %", base),
            (
                "1e3 Pa",
                Pull {
                    youngs_modulus: 1e3,
                    ..base
                },
            ),
            (
                "1e7 Pa",
                Pull {
                    youngs_modulus: 1e7,
                    ..base
                },
            ),
            (
                "10 m",
                Pull {
                    length: 10.0,
                    ..base
                },
            ),
            (
                "100 m from the origin",
                Pull {
                    origin: DVec3::splat(100.0),
                    ..base
                },
            ),
            (
                "0.1 %",
                Pull {
                    stress: 1e-3,
                    ..base
                },
            ),
            (
                "0.01 %",
                Pull {
                    stress: 1e-4,
                    ..base
                },
            ),
        ] {
            let pulled = pull.run()?;
            moduli.push(pulled.modulus);
            let bound = Expected::Near(0.98, 0.04);
            figures.push(Figure::new(
                format!("modulus over the given one, {what}"),
                pulled.modulus,
                bound,
            ));
            let bound = Expected::Near(0.3, 0.02);
            figures.push(Figure::new(
                format!("Poisson's ratio of 0.3, {what}"),
                pulled.poissons_ratio,
                bound,
            ));
        }
        let least = moduli.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = moduli.iter().copied().fold(0.0, f64::max);
        figures.push(Figure::new(
            "greatest modulus over the least",
            greatest / least,
            Expected::AtMost(1.03),
        ));
        Ok(figures)
    },
};

/// Strains at which Hooke's law is far off.
pub const LARGE: Claim = Claim {
    statement: "a neo-Hookean bar stretches by its closed form up to three times its length",
    measure: || {
        // Roots of P(stretch) = stress with free sides, Poisson's ratio 0.3.
        let cases = [(0.25, 1.302), (0.5, 1.714), (1.0, 2.780)];
        let figure = |&(stress, stretch): &(f64, f64)| {
            let pulled = Pull {
                stress,
                ..Pull::default()
            }
            .run()?;
            let what = format!("stretch at {stress} Young's moduli");
            Ok(Figure::new(
                what,
                pulled.stretch,
                Expected::within(stretch, 0.025),
            ))
        };
        cases.iter().map(figure).collect()
    },
};

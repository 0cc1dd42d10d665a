//! Collapse of a column of sand on a rough floor.

use pliant_core::methods::xpbi::XpbiSettings;
use pliant_core::step::StepError;
use pliant_core::world::{Material, World};
use pliant_geometry::in_order;
use pliant_geometry::sampling::{Sampling, fill};
use pliant_geometry::shapes::Cylinder;
use pliant_math::{DVec3, RandomStream};

use crate::{Case, Claim, Curve, Expected, Figure, Plot, quantile, run, sand};

/// A gentle angle, started cold.
pub const TWENTY_DEGREES: Claim = Claim {
    statement: "a column of sand of 20 degrees runs out as published prototypes did",
    measure: || Column::new(20.0).figures(1.27, 0.594),
};

/// A common angle, started cold.
pub const THIRTY_DEGREES: Claim = Claim {
    statement: "a column of sand of 30 degrees runs out as published prototypes did",
    measure: || Column::new(30.0).figures(0.68, 0.765),
};

/// A steep angle, started cold.
pub const FORTY_DEGREES: Claim = Claim {
    statement: "a column of sand of 40 degrees runs out as published prototypes did",
    measure: || Column::new(40.0).figures(0.49, 0.877),
};

/// A column half as high as wide.
pub const FLAT: Claim = Claim {
    statement: "a column of half the height keeps its summit",
    measure: || {
        let column = Column {
            aspect: 0.5,
            ..Column::new(30.0)
        };
        column.figures(0.27, 1.01)
    },
};

/// A column twice as high as wide.
pub const TALL: Claim = Claim {
    statement: "a column of twice the height runs out as published prototypes did",
    measure: || {
        let column = Column {
            aspect: 2.0,
            // The published number was measured with a coefficient of 0.01 in steps of 0.5 ms.
            xsph_rate: 20.0,
            ..Column::new(30.0)
        };
        column.figures(1.31, 0.437)
    },
};

/// The default settings, for comparison.
pub const WARM: Claim = Claim {
    statement: "with warm start, columns of 20, 30 and 40 degrees run out in this order",
    measure: || {
        let mut figures = Vec::new();
        let mut greatest = 1.6;
        for angle in [20.0, 30.0, 40.0] {
            let column = Column::warm(angle);
            let deposit = column.collapse()?;
            let what = format!("run-out, {angle} degrees");
            let figure = Figure::new(what, deposit.run_out, Expected::AtMost(greatest));
            figures.push(column.drawn(figure, "started warm, the default"));
            let what = format!("height, {angle} degrees");
            figures.push(Figure::new(what, deposit.height, Expected::Finite));
            greatest = 0.9 * deposit.run_out;
        }
        let tall = Column {
            aspect: 2.0,
            ..Column::warm(30.0)
        };
        let run_out = tall.collapse()?.run_out;
        let figure = Figure::new("run-out, a = 2", run_out, Expected::Finite);
        figures.push(tall.drawn(figure, "started warm, the default"));
        Ok(figures)
    },
};

/// Two steps, of a coarser column.
pub const TWO_STEPS: Claim = Claim {
    statement: "run-out does not depend on the step",
    measure: || steps(8.0, &[1e-3, 5e-4]),
};

/// Three steps.
pub const THREE_STEPS: Claim = Claim {
    statement: "run-out does not depend on the step, down to a fifth",
    measure: || steps(10.0, &[1e-3, 5e-4, 2e-4]),
};

/// Resolution.
pub const FINE: Claim = Claim {
    statement: "at half the spacing a column runs out farther",
    measure: || {
        let coarse = Column::warm(30.0);
        let fine = Column {
            resolution: 2.0 * coarse.resolution,
            dt: 0.5 * coarse.dt,
            ..coarse
        };
        let ratio = fine.collapse()?.run_out / coarse.collapse()?.run_out;
        let what = "run-out over that at twice the spacing";
        Ok(vec![Figure::new(what, ratio, Expected::AtLeast(1.0))])
    },
};

const OVER_ANGLE: Plot = Plot {
    title: "Run-out of columns as high as their radius",
    unit: "radii",
    across: "friction angle",
    across_unit: "degrees",
    is_logarithmic: [false, false],
};

const OVER_ASPECT: Plot = Plot {
    title: "Run-out of columns of 30 degrees",
    across: "height over radius",
    across_unit: "",
    ..OVER_ANGLE
};

/// Run-outs of dry sand in experiments: 1.24 a for a < 1.7, 1.6 sqrt(a) above (Lube et al. 2004).
fn experiment() -> Vec<[f64; 2]> {
    let aspects = (0..=20).map(|k| 0.4 + 0.1 * f64::from(k));
    aspects
        .map(|a| [a, if a < 1.7 { 1.24 * a } else { 1.6 * a.sqrt() }])
        .collect()
}

/// Run-outs, started warm, of 30 degrees with several steps [s].
fn steps(resolution: f64, steps: &[f64]) -> Result<Vec<Figure>, StepError> {
    let mut figures = Vec::new();
    let mut first = None;
    for &dt in steps {
        let column = Column {
            resolution,
            dt,
            ..Column::warm(30.0)
        };
        let run_out = column.collapse()?.run_out;
        let reference = *first.get_or_insert(run_out);
        let what = format!("run-out, dt {dt}");
        figures.push(Figure::new(
            what,
            run_out,
            Expected::within(reference, 0.08),
        ));
    }
    Ok(figures)
}

/// A column and how it is simulated.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Friction angle of the sand, also of the floor [degrees].
    pub friction_angle: f64,
    /// Height over radius.
    pub aspect: f64,
    /// Radius over spacing.
    pub resolution: f64,
    /// The substep [s].
    pub dt: f64,
    /// Sweeps a substep.
    pub iterations: u32,
    /// Simulated time [s].
    pub duration: f64,
    /// How the particles are arranged.
    pub sampling: Sampling,
    /// Displacement of lattice particles, in spacings.
    pub jitter: f64,
    /// What the arrangement is drawn from.
    pub seed: u64,
    /// XSPH viscosity [1/s].
    pub xsph_rate: f64,
    /// Whether the stress at the start of a substep is applied before its sweeps.
    pub warm_start: bool,
}

/// Radius of the column [m].
pub const RADIUS: f64 = 0.5;

/// What remains of a column.
#[derive(Clone, Copy, Debug)]
pub struct Deposit {
    /// (99th percentile of the particles' distance from the axis - r0)/r0.
    pub run_out: f64,
    /// Greatest height over initial height.
    pub height: f64,
}

impl Column {
    /// The column that the numbers of the book are about: a = 1, ten particles across the radius.
    pub fn new(friction_angle: f64) -> Self {
        Self {
            friction_angle,
            aspect: 1.0,
            resolution: 10.0,
            dt: 1e-3,
            iterations: 5,
            duration: 1.5,
            sampling: Sampling::Poisson,
            jitter: 0.0,
            seed: 1,
            xsph_rate: 10.0,
            warm_start: false,
        }
    }

    /// The same with the warm start that is Pliant's default.
    pub fn warm(friction_angle: f64) -> Self {
        Self {
            warm_start: true,
            ..Self::new(friction_angle)
        }
    }

    fn figures(&self, run_out: f64, height: f64) -> Result<Vec<Figure>, StepError> {
        let deposit = self.collapse()?;
        let name = format!("{} degrees, a = {}", self.friction_angle, self.aspect);
        Ok(vec![
            self.drawn(
                Figure::new(
                    format!("run-out, {name}"),
                    deposit.run_out,
                    Expected::within(run_out, 0.08),
                ),
                "started cold",
            ),
            Figure::new(
                format!("height, {name}"),
                deposit.height,
                Expected::within(height, 0.08),
            ),
        ])
    }

    /// The figure with its point in the plots that the column belongs to.
    pub(crate) fn drawn(&self, mut figure: Figure, name: &str) -> Figure {
        let run_out = figure.measured;
        if self.aspect == 1.0 {
            let point = vec![[self.friction_angle, run_out]];
            figure = figure.with(Curve::measured(OVER_ANGLE, name, point));
        }
        if self.friction_angle == 30.0 {
            let point = vec![[self.aspect, run_out]];
            figure = figure
                .with(Curve::measured(OVER_ASPECT, name, point))
                .with(Curve::reference(
                    OVER_ASPECT,
                    "Lube et al. 2004",
                    experiment(),
                ));
        }
        figure
    }

    /// The case: E = 1e6 Pa, nu = 0.3, 1600 kg/m3.
    pub fn case(&self) -> Case {
        let material = sand(1600.0, 1e6, 0.3, self.friction_angle);
        self.case_of(material)
    }

    /// The same of another material.
    pub fn case_of(&self, material: Material) -> Case {
        let spacing = RADIUS / self.resolution;
        let cylinder = Cylinder {
            radius: RADIUS,
            height: self.aspect * RADIUS,
        };
        let lift = DVec3::Y * (0.5 * cylinder.height);
        let points = fill(
            &cylinder,
            spacing,
            self.sampling,
            self.jitter,
            RandomStream::new(self.seed, 1),
            in_order,
        );
        let column = points.into_iter().map(|x| x + lift).collect();
        let roughness = self.friction_angle.to_radians().tan();
        let mut case = Case::new(material, column, spacing).floor(0.0, 0.0, roughness);
        case.setup.solver.iterations = self.iterations;
        case.setup.solver.xsph_rate = self.xsph_rate;
        case.setup
            .solver
            .methods
            .of_mut::<XpbiSettings>()
            .warm_start = self.warm_start;
        case
    }

    /// Lets it collapse.
    ///
    /// # Errors
    /// If a substep fails.
    pub fn collapse(&self) -> Result<Deposit, StepError> {
        let mut world = self.case().world();
        run(
            &mut world,
            self.dt,
            (self.duration / self.dt).round() as usize,
            |_, _| (),
        )?;
        Ok(self.deposit(&world))
    }

    /// Measures what lies there.
    pub fn deposit(&self, world: &World) -> Deposit {
        let particles = &world.state.particles;
        let r99 = quantile(world, 0.99, |x| x.x.hypot(x.z));
        let top = particles.position.iter().map(|x| x.y).fold(0.0, f64::max);
        let spacing = RADIUS / self.resolution;
        Deposit {
            run_out: (r99 - RADIUS) / RADIUS,
            height: (top + 0.5 * spacing) / (self.aspect * RADIUS),
        }
    }
}

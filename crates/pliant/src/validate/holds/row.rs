//! The limits of a method: its ladders, and the figures from them.

use pliant_validation::{Expected, Figure};

use super::super::Measured;
use super::ladder::{Rung, Verdict, last_held};
use super::methods::Method;
use super::quantity::Quantity;
use super::trial::Trial;

/// A ladder of a method.
#[derive(Clone, Debug)]
pub struct Ladder {
    /// What it is of.
    pub quantity: Quantity,
    /// Its values as far as they were tried.
    pub rungs: Vec<Rung<Trial>>,
}

/// A method with its ladders.
#[derive(Clone, Debug)]
pub struct Row {
    /// The method.
    pub method: &'static Method,
    /// One for each quantity that it has.
    pub ladders: Vec<Ladder>,
}

impl Row {
    /// The least and the greatest value of quantities that hold.
    pub fn held(&self, quantities: &[Quantity]) -> Option<[f64; 2]> {
        let ladders = self.ladders.iter();
        let meant = ladders.filter(|ladder| quantities.contains(&ladder.quantity));
        let rungs = meant.flat_map(|ladder| &ladder.rungs);
        let held = rungs.filter(|rung| rung.verdict == Verdict::Held);
        held.map(|rung| rung.value).fold(None, |range, value| {
            let [least, greatest] = range.unwrap_or([value, value]);
            Some([least.min(value), greatest.max(value)])
        })
    }

    /// Substeps that a second of a body thrown at the least speed takes.
    pub fn substeps(&self) -> f64 {
        let mut speeds = self
            .ladders
            .iter()
            .filter(|l| l.quantity == Quantity::Speed);
        let first = speeds.next().and_then(|ladder| ladder.rungs.first());
        first.map_or(f64::NAN, |rung| rung.measured.substeps)
    }

    /// Frames that were done again, in all cases that hold.
    pub fn redone(&self) -> u32 {
        let rungs = self.ladders.iter().flat_map(|ladder| &ladder.rungs);
        let held = rungs.filter(|rung| rung.verdict == Verdict::Held);
        held.map(|rung| rung.measured.redone).sum()
    }

    /// What is held, beside what must be.
    pub fn measured(&self) -> Measured {
        let trials = self.ladders.iter().flat_map(|ladder| &ladder.rungs);
        Measured {
            statement: format!("what {} holds with default settings", self.method.name),
            outcome: Ok(self.figures()),
            seconds: trials.map(|rung| rung.measured.seconds).sum(),
        }
    }

    fn figures(&self) -> Vec<Figure> {
        let least = &self.method.least;
        let mass = [Quantity::Heavier, Quantity::Lighter];
        let [lightest, heaviest] = self.held(&mass).unwrap_or([f64::NAN; 2]);
        let what = "mass of a load over that of the body";
        let mut figures = vec![
            Figure::new(
                format!("greatest {what}"),
                heaviest,
                Expected::AtLeast(least.heaviest),
            ),
            Figure::new(
                format!("smallest {what}"),
                lightest,
                Expected::AtMost(least.lightest),
            ),
        ];
        if let Some([soft, stiff]) = least.stiffness {
            let both = [Quantity::Softer, Quantity::Stiffer];
            let [softest, stiffest] = self.held(&both).unwrap_or([f64::NAN; 2]);
            let what = format!(
                "{}, {}",
                Quantity::Stiffer.name(self.method),
                self.method.stiffness_unit
            );
            figures.push(Figure::new(
                format!("smallest {what}"),
                softest,
                Expected::AtMost(soft),
            ));
            figures.push(Figure::new(
                format!("greatest {what}"),
                stiffest,
                Expected::AtLeast(stiff),
            ));
        }
        if let Some(poissons_ratio) = least.poissons_ratio {
            figures.push(Figure::new(
                "greatest Poisson's ratio",
                self.greatest(Quantity::PoissonsRatio),
                Expected::AtLeast(poissons_ratio),
            ));
        }
        let speed = self.greatest(Quantity::Speed);
        let substeps = Expected::AtMost(least.substeps);
        figures.extend([
            Figure::new(
                "greatest speed at a plate, m/s",
                speed,
                Expected::AtLeast(least.speed),
            ),
            Figure::new("substeps a second", self.substeps(), substeps),
            Figure::new(
                "frames repeated",
                f64::from(self.redone()),
                Expected::Finite,
            ),
        ]);
        figures
    }

    fn greatest(&self, quantity: Quantity) -> f64 {
        let mut ladders = self.ladders.iter().filter(|l| l.quantity == quantity);
        let ladder = ladders.next();
        ladder.and_then(|l| last_held(&l.rungs)).unwrap_or(f64::NAN)
    }
}

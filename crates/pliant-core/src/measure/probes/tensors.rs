//! Stress and deformation of material: means over particles, and the worst of them.

use pliant_math::DMat3;
use pliant_parameters::{Field, Kind, Problem, Values};

use super::region::{POSITION, ROTATION, Region};
use super::{BODY, Probe, ProbeColumn, ProbeContext, ProbeKind, Selection, column, columns};
use crate::measure::readings::tensors;
use crate::measure::{Column, FrameReport};
use crate::method::{Tensors, TensorsOf, von_mises};
use crate::world::{Body, World};

const SHAPE: Field = Field::optional(
    "shape",
    Kind::Shape,
    "",
    "Only particles whose centres are in this region count. If missing, all of them.",
);

pub(super) const STRESS: ProbeKind = ProbeKind {
    name: "stress",
    doc: "Cauchy stress, tension positive, of material of `xpbi`, `strain-energy`, `shape-groups` and `muscle`: the mean over particles by their masses, and the greatest; zeros without particles.",
    fields: &[BODY, SHAPE, POSITION, ROTATION],
    columns: &[
        column("xx", "Pa", "Mean tension along x."),
        column("yy", "Pa", "Mean tension along y."),
        column("zz", "Pa", "Mean tension along z."),
        column("xy", "Pa", "Mean shear of x and y."),
        column("yz", "Pa", "Mean shear of y and z."),
        column("zx", "Pa", "Mean shear of z and x."),
        column("von_mises", "Pa", "Mean von Mises norm."),
        column(
            "von_mises_max",
            "Pa",
            "Greatest von Mises norm of any particle.",
        ),
    ],
    build: build_stress,
};

pub(super) const DEFORMATION: ProbeKind = ProbeKind {
    name: "deformation",
    doc: "Deformation gradient F of material of `strain-energy`, `shape-groups` and `muscle`, `xy` being the change along x by what lay along y: the mean over particles by their masses, and the least and the greatest det F; no deformation without particles.",
    fields: &[BODY, SHAPE, POSITION, ROTATION],
    columns: &[
        column("xx", "", "Mean of the row x and the column x."),
        column("xy", "", "Mean of the row x and the column y."),
        column("xz", "", "Mean of the row x and the column z."),
        column("yx", "", "Mean of the row y and the column x."),
        column("yy", "", "Mean of the row y and the column y."),
        column("yz", "", "Mean of the row y and the column z."),
        column("zx", "", "Mean of the row z and the column x."),
        column("zy", "", "Mean of the row z and the column y."),
        column("zz", "", "Mean of the row z and the column z."),
        column(
            "det_min",
            "",
            "Least det F of any particle; negative where it is turned inside out.",
        ),
        column("det_max", "", "Greatest det F of any particle."),
    ],
    build: build_deformation,
};

/// What is written of particles, each with its share of the mass.
#[derive(Clone, Copy)]
struct Mean {
    of: &'static [ProbeColumn],
    numbers: fn(&[(f64, Tensors)]) -> Vec<f64>,
}

struct OfParticles {
    mean: Mean,
    selection: Selection,
    region: Option<Region>,
}

fn build_stress(values: &Values, context: ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem> {
    let mean = Mean {
        of: STRESS.columns,
        numbers: of_stress,
    };
    mean.over(
        values,
        context,
        STRESS.name,
        &[TensorsOf::Shape, TensorsOf::Flow],
    )
}

fn build_deformation(
    values: &Values,
    context: ProbeContext<'_>,
) -> Result<Box<dyn Probe>, Problem> {
    let mean = Mean {
        of: DEFORMATION.columns,
        numbers: of_deformation,
    };
    mean.over(values, context, DEFORMATION.name, &[TensorsOf::Shape])
}

impl Mean {
    fn over(
        self,
        values: &Values,
        context: ProbeContext<'_>,
        name: &str,
        known: &[TensorsOf],
    ) -> Result<Box<dyn Probe>, Problem> {
        let selection = Selection::read(values, context.setup)?;
        let tells = |body: &Body| {
            body.method
                .tensors_of()
                .is_some_and(|of| known.contains(&of))
        };
        let bodies = &context.setup.bodies;
        if let Some(body) = selection.body.map(|body| &bodies[body as usize])
            && !tells(body)
        {
            let method = body.method.name();
            let message = format!(
                "\"{}\" is made by `{method}`, which has no {name}",
                body.name
            );
            let telling: Vec<&str> = bodies
                .iter()
                .filter(|b| tells(b))
                .map(|b| &b.name[..])
                .collect();
            let remedy = match telling.is_empty() {
                true => "take the probe out, or another measure".to_owned(),
                false => format!("name one of: {}", telling.join(", ")),
            };
            return Err(Problem::at("body", message, remedy));
        }
        if !bodies.iter().any(tells) {
            let message = format!("no body of the scene has a {name}");
            return Err(Problem::whole(
                message,
                "take the probe out, or another measure",
            ));
        }
        let region = Region::read(values, context)?;
        Ok(Box::new(OfParticles {
            mean: self,
            selection,
            region,
        }))
    }
}

impl Probe for OfParticles {
    fn columns(&self) -> Vec<Column> {
        columns(self.mean.of)
    }

    fn measure(&self, world: &World, _: &FrameReport) -> Vec<f64> {
        let particles = &world.state.particles;
        let all = tensors(world);
        let is_in = |&i: &usize| {
            let region = self.region.as_ref();
            region.is_none_or(|region| region.has(particles.position[i]))
        };
        let places = self.selection.particles(world).into_iter().filter(is_in);
        let told: Vec<(f64, Tensors)> = places
            .filter_map(|i| Some((f64::from(particles.mass[i]), all[i]?)))
            .collect();
        (self.mean.numbers)(&told)
    }
}

/// Mean by mass; 0 of nothing.
fn mean(of: impl Iterator<Item = (f64, DMat3)>) -> DMat3 {
    let (total, sum) = of.fold((0.0, DMat3::ZERO), |(total, sum), (mass, tensor)| {
        (total + mass, sum + tensor * mass)
    });
    if total > 0.0 {
        sum * total.recip()
    } else {
        sum
    }
}

fn of_stress(told: &[(f64, Tensors)]) -> Vec<f64> {
    let stress = mean(told.iter().map(|&(mass, of)| (mass, of.stress)));
    let norms = told.iter().map(|(_, of)| von_mises(of.stress));
    let total: f64 = told.iter().map(|&(mass, _)| mass).sum();
    let sum: f64 = told
        .iter()
        .zip(norms.clone())
        .map(|((mass, _), norm)| mass * norm)
        .sum();
    let (x, y, z) = (stress.x_axis, stress.y_axis, stress.z_axis);
    vec![
        x.x,
        y.y,
        z.z,
        0.5 * (x.y + y.x),
        0.5 * (y.z + z.y),
        0.5 * (z.x + x.z),
        if total > 0.0 { sum / total } else { 0.0 },
        norms.fold(0.0, f64::max),
    ]
}

fn of_deformation(told: &[(f64, Tensors)]) -> Vec<f64> {
    let known = told
        .iter()
        .filter_map(|&(mass, of)| Some((mass, of.deformation_gradient?)));
    if known.clone().next().is_none() {
        let rows = DMat3::IDENTITY.to_cols_array().into_iter();
        return rows.chain([1.0, 1.0]).collect();
    }
    let ratios = known.clone().map(|(_, f)| f.determinant());
    let least = ratios.clone().fold(f64::INFINITY, f64::min);
    let greatest = ratios.fold(f64::NEG_INFINITY, f64::max);
    let rows = mean(known).transpose().to_cols_array().into_iter();
    rows.chain([least, greatest]).collect()
}

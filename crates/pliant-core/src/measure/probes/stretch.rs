//! How far material is stretched and squeezed.

use pliant_parameters::{Problem, Values};

use super::{BODY, Probe, ProbeContext, ProbeKind, Selection, column, columns};
use crate::measure::readings::stretches;
use crate::measure::{Column, FrameReport};
use crate::method::StretchOf;
use crate::world::{Body, World};

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "stretch",
    doc: "Elastic principal stretches, length over length without stress, of bodies of `xpbi`, `strain-energy`, `shape-groups`, `muscle` and `cloth`, whose stretches are those in the sheet; ones without particles.",
    fields: &[BODY],
    columns: &[
        column("min", "", "Least principal stretch of any particle."),
        column("mean", "", "Mean over particles of the greatest at each."),
        column("max", "", "Greatest principal stretch of any particle."),
    ],
    build,
};

struct Stretch {
    selection: Selection,
    /// Whether a body's particles have one.
    is_stretched: Vec<bool>,
}

fn build(values: &Values, context: ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem> {
    let selection = Selection::read(values, context.setup)?;
    let bodies = context.setup.bodies.iter();
    let has_stretch = |b: &Body| b.method.stretch_of() == Some(StretchOf::Material);
    let is_stretched: Vec<bool> = bodies.map(has_stretch).collect();
    if let Some(body) = selection.body.filter(|&body| !is_stretched[body as usize]) {
        let Body { name, method, .. } = &context.setup.bodies[body as usize];
        let (what, remedy) = match method.stretch_of() {
            Some(StretchOf::Springs) => ("springs", "take the measure `spring-stretch`"),
            _ if method.is_rigid() => ("a rigid body", "name a body that is deformed"),
            _ => (
                "particles that keep no shape",
                "name a body that is deformed",
            ),
        };
        let message = format!("\"{name}\" is made of {what}, of which `stretch` tells nothing");
        return Err(Problem::at("body", message, remedy));
    }
    if !is_stretched.contains(&true) {
        let message = "no body of the scene has a stretch";
        return Err(Problem::whole(
            message,
            "take the probe out, or another measure",
        ));
    }
    Ok(Box::new(Stretch {
        selection,
        is_stretched,
    }))
}

impl Probe for Stretch {
    fn columns(&self) -> Vec<Column> {
        columns(KIND.columns)
    }

    fn measure(&self, world: &World, _: &FrameReport) -> Vec<f64> {
        let body = &world.state.particles.body;
        let mut places = self.selection.particles(world);
        places.retain(|&i| self.is_stretched[body[i] as usize]);
        if places.is_empty() {
            return vec![1.0; 3];
        }
        let (mut least, mut greatest, mut sum) = (f64::INFINITY, 0.0f64, 0.0);
        let stretches = stretches(world, StretchOf::Material);
        for &i in &places {
            let [min, mean, max] = stretches[i].unwrap_or([1.0; 3]);
            (least, greatest) = (least.min(min), greatest.max(max));
            sum += mean;
        }
        vec![least, sum / places.len() as f64, greatest]
    }
}

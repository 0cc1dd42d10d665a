//! How far material is stretched and squeezed.

use pliant_math::{DMat3, Real, SymMat3, symmetric_eigen};
use pliant_parameters::{Problem, Values};

use super::{BODY, Probe, ProbeContext, ProbeKind, Selection, column, columns};
use crate::measure::shapes::Shapes;
use crate::measure::{Column, FrameReport};
use crate::methods::MethodKind;
use crate::methods::xpbi::XpbiColumns;
use crate::world::{Body, World};

pub(super) const KIND: ProbeKind = ProbeKind {
    name: "stretch",
    doc: "Elastic principal stretches, length over length without stress, of bodies of `xpbi`, `strain-energy` and `cloth`, whose stretches are those in the sheet; ones without particles.",
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
    let has_stretch = |b: &Body| {
        matches!(
            b.method,
            MethodKind::Xpbi | MethodKind::StrainEnergy | MethodKind::Cloth
        )
    };
    let is_stretched: Vec<bool> = bodies.map(has_stretch).collect();
    if let Some(body) = selection.body.filter(|&body| !is_stretched[body as usize]) {
        let Body { name, method, .. } = &context.setup.bodies[body as usize];
        let (what, remedy) = match method {
            MethodKind::Springs => ("springs", "take the measure `spring-stretch`"),
            MethodKind::Rigid => ("a rigid body", "name a body that is deformed"),
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
        let shapes = Shapes::of(world);
        for &i in &places {
            let of_cloth = shapes.reading(i).and_then(|r| r.cloth_stretch);
            let [min, mean, max] = of_cloth.unwrap_or_else(|| of_particle(world, &shapes, i));
            (least, greatest) = (least.min(min), greatest.max(max));
            sum += mean;
        }
        vec![least, sum / places.len() as f64, greatest]
    }
}

/// The least principal stretch of a particle, then the greatest in place of mean and greatest.
fn of_particle(world: &World, shapes: &Shapes, place: usize) -> [f64; 3] {
    // The eigenvalues of b = E + I are the squared stretches.
    let of_solid = shapes.reading(place).and_then(|r| r.deformation_gradient);
    let strain = of_solid.map_or(
        world.state.methods.of::<XpbiColumns>().strain[place],
        left_strain,
    );
    let squares = symmetric_eigen(strain).values;
    let stretch = |e| libm::sqrt((1.0 + f64::from(e)).max(0.0));
    let stretches = [0, 1, 2].map(|k| stretch(squares[k]));
    let largest = stretches.into_iter().fold(0.0, f64::max);
    let least = stretches.into_iter().fold(f64::INFINITY, f64::min);
    [least, largest, largest]
}

/// F F^T - I.
fn left_strain(f: DMat3) -> SymMat3 {
    let m = f * f.transpose() - DMat3::IDENTITY;
    let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
    let [xx, yy, zz, xy, xz, yz] = [x.x, y.y, z.z, x.y, x.z, y.z].map(|c| c as Real);
    SymMat3::new(xx, yy, zz, xy, xz, yz)
}

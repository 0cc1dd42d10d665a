//! Velocity gradients of linear fields.

use pliant_core::methods::xpbi::{Xpbi, XpbiColumns, XpbiSetup};
use pliant_core::particles::ReorderScratch;
use pliant_core::world::{State, World};
use pliant_geometry::sampling::{Sampling, fill};
use pliant_geometry::shapes;
use pliant_geometry::{Shape, in_order};
use pliant_math::{DMat3, DVec3, Mat3, RandomStream, Vec3, to_double, to_real};

use crate::{Case, Claim, Expected, Figure, box_lattice, by_precision, elastic};

/// Gradients of lattices.
pub const LATTICES: Claim = Claim {
    statement: "the velocity gradient of a linear field is exact inside, at faces, edges and corners",
    measure: || {
        let mut figures = Vec::new();
        for (jitter, support) in [(0.0, 2.0), (0.2, 2.0), (0.0, 2.6), (0.2, 2.6)] {
            let found = Gradients::of(box_lattice([9; 3], 1.0, jitter), support);
            let what = format!("{} % jitter, support {support}", 100.0 * jitter);
            let exact = Expected::AtMost(by_precision(1e-12, 1e-5));
            let error = format!("greatest relative error, {what}");
            figures.push(Figure::new(error, found.greatest_error, exact));
            let cut = format!("share of cut particles, {what}");
            figures.push(Figure::new(cut, found.cut_share, Expected::AtMost(0.0)));
        }
        Ok(figures)
    },
};

/// Gradients of Poisson sets.
pub const POISSON_SETS: Claim = Claim {
    statement: "in Poisson samples less than one particle in a hundred has a cut-off gradient",
    measure: || {
        let half_size = DVec3::splat(5.0);
        let (radius, height) = (5.0, 10.0);
        // Along a sharp rim a single row of particles has its neighbours in a sheet.
        let solids: [(&str, &dyn Shape, Expected); 4] = [
            ("box", &shapes::Box { half_size }, Expected::AtMost(0.01)),
            ("sphere", &shapes::Sphere { radius }, Expected::AtMost(0.01)),
            (
                "cylinder",
                &shapes::Cylinder { radius, height },
                Expected::AtMost(0.01),
            ),
            (
                "cone with a rim of 31 degrees",
                &shapes::Cone::new(10.0, 6.0),
                Expected::Finite,
            ),
        ];
        let mut figures = Vec::new();
        for (name, solid, share) in solids {
            let points = fill(
                solid,
                1.0,
                Sampling::Poisson,
                0.0,
                RandomStream::new(1, 1),
                in_order,
            );
            let found = Gradients::of(points, 2.0);
            // What is neither cut nor faded is exact; a sharp rim fades gradients that are hardly known.
            let exact = match share {
                Expected::AtMost(_) => Expected::AtMost(by_precision(1e-12, 1e-5)),
                _ => Expected::AtMost(1.0),
            };
            let error = format!("greatest relative error where not cut, {name}");
            figures.push(Figure::new(error, found.greatest_error, exact));
            let cut = format!("share of cut particles, {name}");
            figures.push(Figure::new(cut, found.cut_share, share));
        }
        Ok(figures)
    },
};

/// How well the gradients of a set of points are.
#[derive(Clone, Copy, Debug)]
struct Gradients {
    /// Greatest error relative to the field's gradient, where three directions are kept.
    greatest_error: f64,
    /// Share of particles with fewer.
    cut_share: f64,
}

impl Gradients {
    fn of(points: Vec<DVec3>, support: f64) -> Self {
        let mut case = Case::new(elastic(1000.0, 1e5, 0.3), points, 1.0);
        case.body().support_radius = support;
        let (xpbi, state) = searched(case.world());
        let middle = state.particles.position.iter().sum::<DVec3>() / state.particles.len() as f64;
        let velocity: Vec<Vec3> = state
            .particles
            .position
            .iter()
            .map(|&x| to_real(FIELD * (x - middle) + DVec3::new(0.3, -0.2, 0.1)))
            .collect();
        let lists = &xpbi.continua[0].neighbors;
        let errors = (0..velocity.len())
            .filter(|&i| lists.rank(i) == 3)
            .map(|i| distance(lists.velocity_gradient(i, |j| velocity[j]), FIELD));
        Self {
            greatest_error: errors.fold(0.0, f64::max) / norm(FIELD),
            cut_share: xpbi.deficient_share(),
        }
    }
}

/// A gradient [1/s] without any symmetry.
const FIELD: DMat3 = DMat3::from_cols(
    DVec3::new(0.5, -0.3, 0.8),
    DVec3::new(0.2, 0.4, -0.6),
    DVec3::new(-0.7, 0.1, -0.2),
);

/// The method after its search, with the state in its order.
pub fn searched(world: World) -> (Xpbi, State) {
    let World { setup, mut state } = world;
    let mut xpbi = Xpbi::new(XpbiSetup::of(&setup));
    xpbi.find(
        &mut state.particles,
        state.methods.of_mut::<XpbiColumns>(),
        &mut ReorderScratch::default(),
        1e-3,
    );
    (xpbi, state)
}

fn distance(found: Mat3, exact: DMat3) -> f64 {
    let columns = [found.x_axis, found.y_axis, found.z_axis].map(to_double);
    norm(DMat3::from_cols(columns[0], columns[1], columns[2]) - exact)
}

fn norm(m: DMat3) -> f64 {
    m.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt()
}

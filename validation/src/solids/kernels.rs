//! The deformation gradient of a turned body, by the engine's kernel and by two others.

use std::f64::consts::PI;
use std::time::Instant;

use pliant_core::methods::strain_energy::{StrainEnergyColumns, StrainEnergySetup, read};
use pliant_core::rest::{RestCorrection, RestShape, weight};
use pliant_core::world::World;
use pliant_math::{DMat3, DVec3};

use crate::{Case, Claim, Curve, Expected, Figure, Plot, box_lattice, rubber};

/// Cao et al. 2023, Figs. 11 and 12, Table 3.
pub const KERNELS: Claim = Claim {
    statement: "the corrected kernel gives the rotation of a body to rounding, like moving least squares and unlike the uncorrected kernel",
    measure: || {
        let points = box_lattice(SIZE, SPACING, JITTER);
        let case = Case::new(rubber(1000.0, 1e5, 0.3), points, SPACING);
        let mut world = case.world();
        let Some(shape) = world.setup.bodies[0].particles.structure_of::<RestShape>() else {
            return Ok(Vec::new());
        };
        let mut errors = [const { Vec::new() }; 3];
        for degrees in (0..=180).step_by(15) {
            let rotation = turn(f64::from(degrees));
            let moved: Vec<DVec3> = shape.position.iter().map(|&x| rotation * x).collect();
            let error = |of: GradientOf| {
                let gradients = (0..shape.len()).map(|i| of(&shape, &moved, i));
                greatest_error(gradients, rotation)
            };
            let all = [
                engine_error(&mut world, &shape, rotation),
                error(uncorrected),
                error(least_squares),
            ];
            for (errors, error) in errors.iter_mut().zip(all) {
                errors.push([f64::from(degrees), error]);
            }
        }
        Ok(figures(&shape, errors))
    },
};

const ERRORS: Plot = Plot {
    title: "Greatest error of the deformation gradient of a turned body (Cao et al. 2023, Fig. 12)",
    unit: "",
    across: "angle",
    across_unit: "degrees",
    is_logarithmic: [false, true],
};

/// 17 325 particles, as many as those of Table 3.
const SIZE: [usize; 3] = [25, 21, 33];
const SPACING: f64 = 0.04;
const JITTER: f64 = 0.1;

/// The deformation gradient of a particle of a body whose particles have moved.
type GradientOf = fn(&RestShape, &[DVec3], usize) -> DMat3;

const KERNEL_NAMES: [(&str, GradientOf); 3] = [
    ("corrected", corrected),
    ("uncorrected", uncorrected),
    ("moving least squares", least_squares),
];

fn figures(shape: &RestShape, errors: [Vec<[f64; 2]>; 3]) -> Vec<Figure> {
    let bounds = [
        Expected::AtMost(3e-14),
        Expected::AtLeast(0.01),
        Expected::AtMost(3e-14),
    ];
    let mut figures = Vec::new();
    for (((name, _), errors), bound) in KERNEL_NAMES.iter().zip(errors).zip(bounds) {
        let greatest = errors.iter().map(|e| e[1]).fold(0.0, f64::max);
        let what = format!("greatest error of F over all angles, {name} kernel");
        // Logarithms have no place for zero.
        let points = errors.into_iter().filter(|e| e[1] > 0.0).collect();
        let curve = Curve::measured(ERRORS, *name, points);
        figures.push(Figure::new(what, greatest, bound).with(curve));
    }
    for (name, of) in KERNEL_NAMES {
        let what = format!("milliseconds for kernels and F of 17 325 particles, {name}");
        figures.push(Figure::new(what, milliseconds(shape, of), Expected::Finite));
    }
    figures
}

fn turn(degrees: f64) -> DMat3 {
    let axis = DVec3::new(1.0, 2.0, 3.0).normalize();
    DMat3::from_axis_angle(axis, degrees * PI / 180.0)
}

/// Greatest |F - R| / |R|.
fn greatest_error(gradients: impl Iterator<Item = DMat3>, rotation: DMat3) -> f64 {
    let norm = |m: DMat3| m.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt();
    let error = |f: DMat3| norm(f - rotation) / norm(rotation);
    gradients.map(error).fold(0.0, f64::max)
}

/// What the engine reads of a turned body.
fn engine_error(world: &mut World, shape: &RestShape, rotation: DMat3) -> f64 {
    let p = &mut world.state.particles;
    for (x, &id) in p.position.iter_mut().zip(&p.id) {
        *x = rotation * shape.position[id as usize];
    }
    let setup = StrainEnergySetup::of(&world.setup);
    let mut gradients = Vec::with_capacity(shape.len());
    read(
        &setup,
        &world.state.particles,
        world.state.methods.of::<StrainEnergyColumns>(),
        |reading| reading,
        |_, reading| gradients.push(reading.deformation_gradient),
    );
    greatest_error(gradients.into_iter(), rotation)
}

/// Least time of a few passes over all particles on one thread.
fn milliseconds(shape: &RestShape, of: GradientOf) -> f64 {
    let rotation = turn(30.0);
    let moved: Vec<DVec3> = shape.position.iter().map(|&x| rotation * x).collect();
    let pass = |_| {
        let clock = Instant::now();
        let gradients = (0..shape.len()).map(|i| of(shape, &moved, i));
        std::hint::black_box(gradients.fold(DMat3::ZERO, |sum, f| sum + f));
        1e3 * clock.elapsed().as_secs_f64()
    };
    (0..5).map(pass).fold(f64::INFINITY, f64::min)
}

/// Offset at rest and way now of the neighbours of a particle.
fn ways<'a>(
    shape: &'a RestShape,
    moved: &'a [DVec3],
    i: usize,
) -> impl Iterator<Item = (DVec3, DVec3)> + Clone + 'a {
    shape.neighbors_of(i).iter().map(move |&j| {
        let j = j as usize;
        (shape.position[j] - shape.position[i], moved[j] - moved[i])
    })
}

fn dyad(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

fn corrected(shape: &RestShape, moved: &[DVec3], i: usize) -> DMat3 {
    let ways = ways(shape, moved, i);
    let offsets = ways.clone().map(|(offset, _)| offset);
    let correction = RestCorrection::new(offsets, shape.support_radius);
    ways.fold(DMat3::ZERO, |sum, (offset, way)| {
        sum + dyad(way, offset * weight(offset, shape.support_radius))
    }) * correction.inverse
}

/// I + sum_j V (u_j - u_i) grad W^T with the normalised kernel 315/(64 pi h^3) (1 - q^2)^3.
fn uncorrected(shape: &RestShape, moved: &[DVec3], i: usize) -> DMat3 {
    let h = shape.support_radius;
    let scale = SPACING.powi(3) * 315.0 / (64.0 * PI * h.powi(3)) * 6.0 / (h * h);
    ways(shape, moved, i).fold(DMat3::IDENTITY, |sum, (offset, way)| {
        sum + dyad(way - offset, offset * (scale * weight(offset, h)))
    })
}

/// Moving least squares with a linear basis and the same kernel, and the whole gradient of its shape
/// functions.
// phi_j(x) = p(x)^T A(x)^-1 p_j W_j(x) with A = sum W_j p_j p_j^T, p_j = (1, X_j - X_i), at x = X_i:
// d_k phi_j = (A^-1 e_k - A^-1 (d_k A) A^-1 e_0) . p_j W_j + (A^-1 e_0) . p_j d_k W_j.
fn least_squares(shape: &RestShape, moved: &[DVec3], i: usize) -> DMat3 {
    let h = shape.support_radius;
    // In units of the support radius; neither the kernel's scale counts nor the origin of the ways.
    let own = std::iter::once((DVec3::ZERO, DVec3::ZERO));
    let terms = ways(shape, moved, i).chain(own).map(|(offset, way)| {
        let r = offset / h;
        let inside = 1.0 - r.length_squared();
        (r, inside.powi(3), 6.0 * inside * inside * r, way / h)
    });
    let (mut moment, mut slopes) = (Moment::ZERO, [Moment::ZERO; 3]);
    for (r, w, slope, _) in terms.clone() {
        moment.add(r, w);
        for (sum, slope) in slopes.iter_mut().zip(slope.to_array()) {
            sum.add(r, slope);
        }
    }
    let solve = moment.solver();
    let constant = solve((1.0, DVec3::ZERO));
    let factors = [0, 1, 2].map(|axis| {
        let (zeroth, first) = slopes[axis].times(constant);
        solve((-zeroth, DVec3::AXES[axis] - first))
    });
    terms.fold(DMat3::ZERO, |sum, (r, w, slope, way)| {
        let at = |(zeroth, first): Affine| zeroth + r.dot(first);
        let [x, y, z] = factors.map(|factor| at(factor) * w);
        sum + dyad(way, DVec3::new(x, y, z) + slope * at(constant))
    })
}

/// A number and a vector: the coefficients of an affine function.
type Affine = (f64, DVec3);

/// A sum of w p p^T with p = (1, r).
#[derive(Clone, Copy, Debug)]
struct Moment {
    zeroth: f64,
    first: DVec3,
    second: DMat3,
}

impl Moment {
    const ZERO: Self = Self {
        zeroth: 0.0,
        first: DVec3::ZERO,
        second: DMat3::ZERO,
    };

    fn add(&mut self, r: DVec3, w: f64) {
        self.zeroth += w;
        self.first += w * r;
        self.second += dyad(w * r, r);
    }

    fn times(&self, (zeroth, first): Affine) -> Affine {
        (
            self.zeroth * zeroth + self.first.dot(first),
            self.first * zeroth + self.second * first,
        )
    }

    /// The inverse, by the complement of the number.
    fn solver(self) -> impl Fn(Affine) -> Affine {
        let mean = self.first / self.zeroth;
        let inverse = (self.second - dyad(mean, self.first)).inverse();
        move |(zeroth, first)| {
            let linear = inverse * (first - mean * zeroth);
            (zeroth / self.zeroth - mean.dot(linear), linear)
        }
    }
}

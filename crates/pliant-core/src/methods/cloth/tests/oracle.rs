//! The constraints against their definitions, with gradients by finite differences in double precision.

use pliant_math::{DVec2, DVec3, RandomStream, Real, Vector3};

use super::super::bending::Hinge;
use super::super::membrane::{ClothStep, Membrane};
use super::super::point::Point;

const DT: f64 = 0.01;

/// What rounding of single, or double, precision and of differences leaves.
const TOLERANCE: f64 = if size_of::<Real>() == 4 { 2e-4 } else { 1e-7 };

fn random(stream: &RandomStream, key: u64) -> DVec3 {
    let unit = |k: u64| 2.0 * stream.unit(16 * key + k) - 1.0;
    DVec3::new(unit(0), unit(1), unit(2))
}

fn vector(v: DVec3) -> Vector3<Real> {
    let [x, y, z] = v.to_array().map(|c| c as Real);
    Vector3 { x, y, z }
}

fn double(v: Vector3<Real>) -> DVec3 {
    DVec3::new(f64::from(v.x), f64::from(v.y), f64::from(v.z))
}

/// Central differences of a constraint.
fn gradient<const N: usize>(constraint: impl Fn(&[DVec3; N]) -> f64, x: &[DVec3; N]) -> [DVec3; N] {
    let step = 1e-6;
    std::array::from_fn(|k| {
        let along = |axis: DVec3| {
            let (mut ahead, mut behind) = (*x, *x);
            ahead[k] += axis * step;
            behind[k] -= axis * step;
            (constraint(&ahead) - constraint(&behind)) / (2.0 * step)
        };
        DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z))
    })
}

/// Macklin et al. 2016, eq. 18 and 17, in positions; returns the multiplier lambda.
fn project<const N: usize>(
    constraint: impl Fn(&[DVec3; N]) -> f64 + Copy,
    x: &mut [DVec3; N],
    w: &[f64; N],
    compliance: f64,
) -> f64 {
    let gradients = gradient(constraint, x);
    let scaled = compliance / (DT * DT);
    let weight: f64 = (0..N).map(|k| w[k] * gradients[k].length_squared()).sum();
    let change = -constraint(x) / (weight + scaled);
    for k in 0..N {
        x[k] += gradients[k] * (w[k] * change);
    }
    change
}

struct Shape<const N: usize> {
    start: [DVec3; N],
    velocity: [DVec3; N],
    inverse_mass: [f64; N],
}

impl<const N: usize> Shape<N> {
    fn random(key: u64) -> Self {
        let stream = RandomStream::new(7, key);
        Self {
            start: std::array::from_fn(|k| random(&stream, k as u64)),
            velocity: std::array::from_fn(|k| random(&stream, 20 + k as u64) * 20.0),
            inverse_mass: std::array::from_fn(|k| stream.unit(1000 + k as u64) + 0.1),
        }
    }

    fn end(&self) -> [DVec3; N] {
        std::array::from_fn(|k| self.start[k] + self.velocity[k] * DT)
    }

    fn points(&self) -> [Point<Real>; N] {
        std::array::from_fn(|k| {
            let Vector3 { x, y, z } = vector(self.velocity[k]);
            Point::new([x, y, z, self.inverse_mass[k] as Real])
        })
    }

    fn compare(&self, points: &[Point<Real>; N], end: &[DVec3; N]) {
        for k in 0..N {
            let expected = (end[k] - self.start[k]) / DT;
            let error = (double(points[k].velocity) - expected).length();
            assert!(
                error < TOLERANCE * (1.0 + expected.length()),
                "{error} at {expected}"
            );
        }
    }
}

fn step() -> ClothStep<Real> {
    ClothStep::new(DT, 1)
}

#[test]
fn stretch_and_shear_are_projected_as_defined() {
    let gradients = [DVec2::new(0.8, -0.3), DVec2::new(0.2, 1.1)];
    let compliance = [0.02, 0.01, 0.05];
    let column = |x: &[DVec3; 3], k: usize| {
        (x[1] - x[0]) * gradients[0][k] + (x[2] - x[0]) * gradients[1][k]
    };
    for key in 0..50 {
        let shape = Shape::<3>::random(key);
        let columns = [0, 1].map(|k| column(&shape.start, k));
        let membrane = Membrane {
            gradient: gradients.map(|g| g.to_array().map(|c| c as Real)),
            start: columns.map(vector),
            start_strain: [
                columns[0].length_squared() - 1.0,
                columns[1].length_squared() - 1.0,
                columns[0].dot(columns[1]),
            ]
            .map(|e| e as Real),
            compliance: compliance.map(|a| (a / (DT * DT)) as Real),
        };
        let mut points = shape.points();
        let mut multiplier = [0.0; 3];
        membrane.project::<false>(&mut points, &mut multiplier, step());
        let mut end = shape.end();
        let w = &shape.inverse_mass;
        let expected = [
            project(|x| column(x, 0).length() - 1.0, &mut end, w, compliance[0]),
            project(|x| column(x, 1).length() - 1.0, &mut end, w, compliance[1]),
            project(
                |x| column(x, 0).dot(column(x, 1)),
                &mut end,
                w,
                compliance[2],
            ),
        ];
        shape.compare(&points, &end);
        for (p, lambda) in multiplier.iter().zip(expected) {
            let error = (f64::from(*p) * DT - lambda).abs();
            assert!(
                error < TOLERANCE * (lambda.abs() + 1e-3),
                "{error} {lambda}"
            );
        }
    }
}

/// The angle between triangles (0, 1, 2) and (1, 0, 3), by its definition.
fn angle(x: &[DVec3; 4]) -> f64 {
    let edge = (x[1] - x[0]).normalize();
    let one = (x[1] - x[0]).cross(x[2] - x[0]);
    let other = (x[3] - x[0]).cross(x[1] - x[0]);
    libm::atan2(one.cross(other).dot(edge), one.dot(other))
}

#[test]
fn bending_is_projected_as_defined() {
    for key in 0..200 {
        let shape = Shape::<4>::random(100 + key);
        let rest = 0.4 * (key % 7) as f64 - 1.2;
        let constraint = |x: &[DVec3; 4]| libm::remainder(angle(x) - rest, std::f64::consts::TAU);
        let mut end = shape.end();
        // Where the angle jumps from half a turn to minus half a turn nothing is differentiable.
        let sharp = gradient(constraint, &end).iter().any(|g| g.length() > 30.0);
        if sharp || constraint(&end).abs() > 3.0 {
            continue;
        }
        let compliance = 0.05;
        let [a, b, c, d] = shape.start;
        let hinge = Hinge {
            start: [vector(b - a), vector(c - a), vector(d - a)],
            rest: [rest.cos() as Real, rest.sin() as Real],
            compliance: (compliance / (DT * DT)) as Real,
        };
        let mut points = shape.points();
        let difference = f64::from(hinge.angle(&points, DT as Real)) - constraint(&end);
        assert!(difference.abs() < TOLERANCE, "{difference}");
        let mut multiplier = 0.0;
        hinge.project::<false>(&mut points, &mut multiplier, step());
        project(constraint, &mut end, &shape.inverse_mass, compliance);
        shape.compare(&points, &end);
    }
}

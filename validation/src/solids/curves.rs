//! Bars of every law under every load.

use pliant_core::step::StepError;
use pliant_core::world::World;
use pliant_materials::laws::{
    Corotated, NeoHookean, SaintVenantKirchhoff, SolidLaw, StableNeoHookean,
};
use pliant_materials::strain_energy::{Deformation, ElasticEnergy, bare_response, response};
use pliant_materials::{LameModuli, dispatch_solid_law};
use pliant_math::{DVec3, Matrix3, Real, to_double, to_real};

use super::bar::{DENSITY, Pull, SIZE, Sections};
use crate::backend::stepper;
use crate::{Claim, Curve, Expected, Figure, Plot, solid};

/// Under loads that the law stands.
pub const CURVES: Claim = Claim {
    statement: "a bar of any law of solids stretches and shortens by the closed form of its law",
    measure: || {
        let mut figures = Vec::new();
        for (name, law) in laws() {
            let mut points = vec![[1.0, 0.0]];
            for stress in [-0.25, -0.15, -0.05, 0.25, 0.5, 1.0] {
                if stress < greatest_compression(&law) {
                    continue;
                }
                let measured = loaded_stretch(law, stress)?;
                points.push([measured, stress]);
                figures.extend(loaded_figures(name, &law, stress, measured));
            }
            points.sort_by(|a, b| a[0].total_cmp(&b[0]));
            add_curves(&mut figures, name, &law, points);
        }
        Ok(figures)
    },
};

pub(super) const STRESSES: Plot = Plot {
    title: "Stress of a bar with free sides over its stretch (Cao et al. 2023, Fig. 2)",
    unit: "Young's moduli",
    across: "stretch",
    across_unit: "",
    is_logarithmic: [false, false],
};

pub(super) const POISSONS_RATIO: f64 = 0.3;

/// All laws with a Young's modulus of 1e5 Pa.
pub(super) fn laws() -> [(&'static str, SolidLaw); 4] {
    let moduli = LameModuli::from_youngs(Pull::default().youngs_modulus, POISSONS_RATIO);
    [
        ("neo-hookean", SolidLaw::NeoHookean(NeoHookean { moduli })),
        (
            "stable-neo-hookean",
            SolidLaw::StableNeoHookean(StableNeoHookean { moduli }),
        ),
        ("corotated", SolidLaw::Corotated(Corotated { moduli })),
        (
            "stvk",
            SolidLaw::SaintVenantKirchhoff(SaintVenantKirchhoff { moduli }),
        ),
    ]
}

pub(super) fn least_stretch<L: ElasticEnergy>(_: &L) -> Option<Real> {
    L::LEAST_STRETCH
}

/// The load [Young's moduli] beyond which a law's bar collapses.
fn greatest_compression(law: &SolidLaw) -> f64 {
    match law {
        // (l^3 - l) / 2 is least at l = 1 / sqrt(3).
        SolidLaw::SaintVenantKirchhoff(_) => -(27f64.sqrt().recip()),
        _ => f64::NEG_INFINITY,
    }
}

fn loaded_figures(name: &str, law: &SolidLaw, stress: f64, measured: f64) -> [Figure; 2] {
    let theory = stretch_under(law, stress);
    [
        Figure::new(
            format!("stretch under {stress} Young's moduli, {name}"),
            measured,
            Expected::within(theory, 0.025),
        ),
        Figure::new(
            format!("strain over the closed form under {stress} Young's moduli, {name}"),
            (measured - 1.0) / (theory - 1.0),
            Expected::Near(1.0, 0.02),
        ),
    ]
}

fn add_curves(figures: &mut Vec<Figure>, name: &str, law: &SolidLaw, points: Vec<[f64; 2]>) {
    let Some(last) = figures.pop() else {
        return;
    };
    let stretches = || (-40..=300).map(|k| 0.01 * f64::from(k));
    let curve = |from: f64, with_blend: bool| {
        let at = |l: f64| [l, stress_at(law, l, with_blend)];
        let points: Vec<[f64; 2]> = stretches().filter(|&l| l >= from).map(at).collect();
        points.into_iter().filter(|p| p[1].abs() < 2.0).collect()
    };
    let mut last = last
        .with(Curve::measured(STRESSES, name, points))
        .with(Curve::reference(
            STRESSES,
            format!("{name}, closed form"),
            curve(-0.4, true),
        ));
    if dispatch_solid_law!(*law, |law| least_stretch(&law)).is_some() {
        let name = format!("{name} without blend, closed form");
        last = last.with(Curve::reference(STRESSES, name, curve(0.05, false)));
    }
    figures.push(last);
}

/// Stretch at rest of a bar under a load [Young's moduli].
///
/// A free column under compression turns over: mirror images in the three planes of symmetry are kept
/// mirror images, as if it were an eighth of a bar on smooth planes.
fn loaded_stretch(law: SolidLaw, stress: f64) -> Result<f64, StepError> {
    let pull = Pull {
        stress,
        poissons_ratio: POISSONS_RATIO,
        ..Pull::default()
    };
    let mut world = pull.case(solid(DENSITY, pull.youngs_modulus, law)).world();
    let start = Sections::of(&world).length;
    let middle = 0.5 * pull.spacing() * DVec3::from_array(SIZE.map(|n| n as f64));
    let sound = (pull.youngs_modulus / DENSITY).sqrt();
    let dt = pull.courant_number * pull.spacing() / sound;
    let period = 2.0 * pull.length / sound;
    let mut stepper = stepper();
    for _ in 0..(6.0 * period / dt) as usize {
        stepper.substep(&mut world, dt)?;
        mirror(&mut world, SIZE, middle);
    }
    Ok(Sections::of(&world).length / start)
}

/// Makes a lattice symmetric about three planes through a point [m].
pub(super) fn mirror(world: &mut World, size: [usize; 3], middle: DVec3) {
    let p = &mut world.state.particles;
    let count = size[0] * size[1] * size[2];
    // Of the eighth with the least indices, means over the images.
    let mut means = vec![[DVec3::ZERO; 2]; count];
    for i in 0..p.len() {
        let (image, sign) = eighth(p.id[i], size);
        let [x, v] = &mut means[image];
        *x += 0.125 * sign * (p.position[i] - middle);
        *v += 0.125 * sign * to_double(p.velocity[i]);
    }
    for i in 0..p.len() {
        let (image, sign) = eighth(p.id[i], size);
        let [x, v] = means[image];
        p.position[i] = middle + sign * x;
        p.velocity[i] = to_real(sign * v);
    }
}

/// The image of a particle in the eighth with the least indices, and the signs of its axes.
fn eighth(id: u32, size: [usize; 3]) -> (usize, DVec3) {
    let id = id as usize;
    let cell = [id % size[0], id / size[0] % size[1], id / size[0] / size[1]];
    let mut sign = [1.0; 3];
    let mut image = cell;
    for axis in 0..3 {
        if 2 * cell[axis] >= size[axis] {
            image[axis] = size[axis] - 1 - cell[axis];
            sign[axis] = -1.0;
        }
    }
    let number = image[0] + size[0] * (image[1] + size[1] * image[2]);
    (number, DVec3::from_array(sign))
}

/// Stretch of a bar with free sides under a load [Young's moduli], by bisection on the branch that
/// holds 1.
fn stretch_under(law: &SolidLaw, stress: f64) -> f64 {
    let bounds = if stress > 0.0 { (1.0, 4.0) } else { (0.6, 1.0) };
    bisect(bounds, |stretch| stress_at(law, stretch, true) - stress)
}

/// Stress [Young's moduli] of a bar with free sides at a stretch, with what takes over in crushed
/// material or without.
fn stress_at(law: &SolidLaw, stretch: f64, with_blend: bool) -> f64 {
    let stress = |across: f64| {
        let h = [stretch - 1.0, across - 1.0, across - 1.0].map(|x| x as Real);
        let h = Matrix3::from_rows([[h[0], 0.0, 0.0], [0.0, h[1], 0.0], [0.0, 0.0, h[2]]]);
        let found = dispatch_solid_law!(*law, |law| if with_blend {
            response(&law, h)
        } else {
            bare_response(&law, &Deformation::from_displacement_gradient(h))
        });
        found.stress.rows
    };
    let across = bisect((0.3, 2.5), |across| f64::from(stress(across)[1][1]));
    f64::from(stress(across)[0][0]) / Pull::default().youngs_modulus
}

/// The root of a growing function between bounds.
fn bisect((mut low, mut high): (f64, f64), f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

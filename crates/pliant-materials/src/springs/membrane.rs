//! A triangle of St. Venant-Kirchhoff material, with which springs are compared (Volino et al. 2009).

use pliant_math::{DMat3, DVec2, DVec3};

/// Plane-stress moduli [N/m]: those of the material times the thickness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Membrane {
    /// Stress along a direction over strain along it.
    pub direct: f64,
    /// Stress along a direction over strain across it.
    pub cross: f64,
    /// Shear stress over twice the shear strain.
    pub shear: f64,
}

/// What a deformed triangle does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MembraneResponse {
    /// Force on each corner [N]; they sum to zero.
    pub force: [DVec3; 3],
    /// Derivatives of the force on a corner by the position of the next [N/m]: 0 by 1, 1 by 2, 2 by 0.
    /// The other way round they are transposed.
    pub stiffness: [DMat3; 3],
    /// Energy [J].
    pub energy: f64,
}

impl Membrane {
    /// From Young's modulus times thickness [N/m] and Poisson's ratio.
    pub fn new(youngs_modulus: f64, poissons_ratio: f64) -> Self {
        let direct = youngs_modulus / (1.0 - poissons_ratio * poissons_ratio);
        Self {
            direct,
            cross: poissons_ratio * direct,
            shear: 0.5 * youngs_modulus / (1.0 + poissons_ratio),
        }
    }

    /// Forces and their derivatives.
    ///
    /// * `area` — at rest [m2]
    /// * `gradients` — of the shape functions of the corners at rest [1/m]; they sum to zero
    /// * `points` — the corners [m]
    /// * `clamped` — the derivatives without what stress in compression takes from them, so that they
    ///   never push: minus their matrix is positive semi-definite
    pub fn response(
        &self,
        area: f64,
        gradients: [DVec2; 3],
        points: [DVec3; 3],
        clamped: bool,
    ) -> MembraneResponse {
        // Differences first: U = sum r_u P = sum over two edges, as the gradients sum to zero.
        let (second, third) = (points[1] - points[0], points[2] - points[0]);
        let u = second * gradients[1].x + third * gradients[2].x;
        let w = second * gradients[1].y + third * gradients[2].y;
        let strain = [
            0.5 * (u.length_squared() - 1.0),
            0.5 * (w.length_squared() - 1.0),
            u.dot(w),
        ];
        let stress = [
            self.direct * strain[0] + self.cross * strain[1],
            self.cross * strain[0] + self.direct * strain[1],
            self.shear * strain[2],
        ];
        let force = |g: DVec2| {
            -area
                * (u * (stress[0] * g.x + stress[2] * g.y)
                    + w * (stress[1] * g.y + stress[2] * g.x))
        };
        let geometric = if clamped {
            positive_part(stress)
        } else {
            stress
        };
        let pair = |k: usize, l: usize| {
            let (g, h) = (gradients[k], gradients[l]);
            let of_stress = geometric[0] * g.x * h.x
                + geometric[1] * g.y * h.y
                + geometric[2] * (g.x * h.y + g.y * h.x);
            let elastic = self.elastic(strain_gradients(u, w, g), strain_gradients(u, w, h));
            (elastic + DMat3::from_diagonal(DVec3::splat(of_stress))) * -area
        };
        MembraneResponse {
            force: gradients.map(force),
            stiffness: [pair(0, 1), pair(1, 2), pair(2, 0)],
            energy: 0.5 * area * (0..3).map(|m| strain[m] * stress[m]).sum::<f64>(),
        }
    }

    /// sum_mn a_m C_mn b_n^T.
    fn elastic(&self, a: [DVec3; 3], b: [DVec3; 3]) -> DMat3 {
        outer(a[0], b[0] * self.direct + b[1] * self.cross)
            + outer(a[1], b[0] * self.cross + b[1] * self.direct)
            + outer(a[2], b[2] * self.shear)
    }
}

/// Derivatives of the three strains by the position of a corner.
fn strain_gradients(u: DVec3, w: DVec3, gradient: DVec2) -> [DVec3; 3] {
    [
        u * gradient.x,
        w * gradient.y,
        w * gradient.x + u * gradient.y,
    ]
}

/// a b^T.
fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The stress (uu, ww, uw) without its compression.
fn positive_part([uu, ww, uw]: [f64; 3]) -> [f64; 3] {
    let (mean, half) = (0.5 * (uu + ww), 0.5 * (uu - ww));
    let radius = libm::sqrt(half * half + uw * uw);
    let (greater, lesser) = (mean + radius, mean - radius);
    if lesser >= 0.0 {
        return [uu, ww, uw];
    }
    if greater <= 0.0 {
        return [0.0; 3];
    }
    // The greater eigenvalue times its projector.
    let scale = greater / (greater - lesser);
    [uu - lesser, ww - lesser, uw].map(|x| x * scale)
}

//! Plastic flow of solids given by their energy.

use pliant_math::simd::{Mask, Number};
use pliant_math::{
    Matrix3, Real, SymMat3, hencky_strain, ln_1p_and_rest, map_eigenvalues, strain_from_hencky,
};

use super::{Deformation, ElasticEnergy, Response, response, response_to};
use crate::LameModuli;

/// How a deformation is split into an elastic and a plastic part. Each has its own tensor of history,
/// zero in material that never flowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlasticSplit {
    /// `F = Fe Up`: history is `Up^-1 - I`, with `det Up = 1`. Flow keeps volume, however large.
    Multiplicative,
    /// `E = Ee + Ep` in Green strains: history is `Ep`, without trace. For `stvk` only, and small
    /// strains: a bar that stays longer by a tenth loses 1.5 % of its volume, by a fifth 6 %.
    Additive,
}

/// Flow at a fixed size of the stress deviator (von Mises), at a rate in proportion to the excess
/// (Perzyna 1966).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plasticity {
    /// Frobenius norm of the stress deviator [Pa] at which material flows, > 0.
    pub yield_deviator: Real,
    /// Rate [1/s], > 0, at which elastic strain beyond yield turns plastic.
    pub flow_rate: Real,
    /// Greatest Frobenius norm of the plastic strain, > 0: of `ln Up`, or of `Ep`.
    pub max_plastic_strain: Real,
    /// The split.
    pub split: PlasticSplit,
}

impl Plasticity {
    /// Energy and stress at a displacement gradient and a history, with what is crushed answered as
    /// in [`response`].
    ///
    /// Derivatives are those at fixed history, per volume at rest.
    #[inline(always)]
    pub fn response<L: ElasticEnergy, N: Number>(
        &self,
        law: &L,
        displacement_gradient: Matrix3<N>,
        history: SymMat3<N>,
    ) -> Response<N> {
        match self.split {
            PlasticSplit::Multiplicative => multiplicative(law, displacement_gradient, history),
            PlasticSplit::Additive => additive(law, displacement_gradient, history),
        }
    }

    /// The share of the elastic strain beyond yield that turns plastic in a substep of `dt` [s], in
    /// (0, 1]: so what is left decays as exp(-rate t), however long the substeps are.
    pub fn share(&self, dt: f64) -> Real {
        -libm::expm1(-f64::from(self.flow_rate) * dt) as Real
    }

    /// The history after a substep that ended at a displacement gradient, of which a share of the
    /// excess flows; unchanged, bit for bit, where material does not flow.
    ///
    /// The measure of stress is `2 mu |dev(strain)|` of the elastic strain, logarithmic for the
    /// multiplicative split and Green's for the additive one. Flow takes energy out of the material,
    /// except with `stvk` and `corotated` where they are crushed and soften.
    // Cao et al. 2023, sec. 4.3, with the deviator in the place of the whole strain: pressure
    // makes nothing flow.
    #[inline(always)]
    pub fn flow<N: Number>(
        &self,
        moduli: LameModuli,
        displacement_gradient: Matrix3<N>,
        history: SymMat3<N>,
        share: Real,
    ) -> SymMat3<N> {
        let strain = match self.split {
            PlasticSplit::Multiplicative => {
                let elastic = elastic_gradient(displacement_gradient, history);
                logarithmic_strain(elastic.green_strain() * N::splat(2.0))
            }
            PlasticSplit::Additive => displacement_gradient.green_strain() - history,
        };
        let deviator = strain.deviator();
        let norm = deviator.norm();
        let greatest = N::splat(self.yield_deviator / (2.0 * moduli.shear_modulus));
        let flows = greatest.less(norm);
        if !flows.any() {
            return history;
        }
        let share = N::splat(share) * (N::splat(1.0) - greatest / norm);
        let increment = (deviator * share).or_where_not(flows, SymMat3::ZERO);
        let flowed = match self.split {
            PlasticSplit::Multiplicative => self.flowed(history, increment),
            PlasticSplit::Additive => self.capped(history + increment),
        };
        flowed.or_where_not(flows, history)
    }

    /// The equivalent plastic strain `sqrt(2/3) |ln Up|` or `sqrt(2/3) |Ep|` of a history: the
    /// lengthening of a bar.
    pub fn equivalent_strain(&self, history: SymMat3) -> Real {
        let strain = match self.split {
            PlasticSplit::Multiplicative => hencky_strain(history) * 2.0,
            PlasticSplit::Additive => history,
        };
        Real::sqrt(2.0 / 3.0) * strain.norm()
    }

    /// `Up^-1 - I` after a logarithmic increment in the frame between plastic and elastic part.
    // Fp^-1 becomes Up^-1 exp(-D). Only Cp^-1 = Fp^-1 Fp^-T counts in isotropic material, and
    // exp(ln(Cp^-1) / 2) is the new Up^-1; its logarithm is kept free of trace.
    #[inline(always)]
    fn flowed<N: Number>(&self, history: SymMat3<N>, increment: SymMat3<N>) -> SymMat3<N> {
        let inverse = Matrix3::from(history) + Matrix3::identity();
        let change = Matrix3::from(strain_from_hencky(-increment));
        let square = history * N::splat(2.0) + history.mul_commuting(history);
        let square = square + (inverse * change * inverse).symmetric_part();
        let logarithm = self.capped(logarithmic_strain(square).deviator());
        // exp(L) - I of the quarter: the series reach further, to norms of 0.8.
        let root = strain_from_hencky(logarithm * N::splat(0.25));
        root * N::splat(2.0) + root.mul_commuting(root)
    }

    /// A plastic strain, shortened to the greatest.
    #[inline(always)]
    fn capped<N: Number>(&self, strain: SymMat3<N>) -> SymMat3<N> {
        let greatest = N::splat(self.max_plastic_strain);
        strain * (greatest / strain.norm().max(greatest))
    }
}

/// Greatest Frobenius norm for which [`hencky_strain`] takes its series.
const GREATEST_OF_SERIES: Real = 0.2;

/// Least squared stretch that the logarithm takes.
const LEAST_SQUARED_STRETCH: Real = 1e-6;

/// `ln(I + E) / 2`, as [`hencky_strain`], with packs of large strains kept together: flowing
/// material has many.
#[inline(always)]
fn logarithmic_strain<N: Number>(e: SymMat3<N>) -> SymMat3<N> {
    let is_small = e
        .dot(e)
        .less(N::splat(GREATEST_OF_SERIES * GREATEST_OF_SERIES));
    let small = hencky_strain(e.or_where_not(is_small, SymMat3::ZERO));
    if !(!is_small).any() {
        return small;
    }
    small.or_where_not(is_small, map_eigenvalues(e, half_logarithm))
}

/// `ln(1 + x) / 2`; a function, because closures are compiled without vector instructions.
#[inline(always)]
fn half_logarithm<N: Number>(x: N) -> N {
    let (logarithm, _) = ln_1p_and_rest(x.max(N::splat(LEAST_SQUARED_STRETCH - 1.0)));
    logarithm * N::splat(0.5)
}

/// `Fe - I = H + W + H W` of the displacement gradient H and `W = Up^-1 - I`.
#[inline(always)]
pub fn elastic_gradient<N: Number>(h: Matrix3<N>, history: SymMat3<N>) -> Matrix3<N> {
    h + Matrix3::from(history) + h.times_symmetric(history)
}

/// The stress `P = Pe Up^-1` of the whole deformation from that of its elastic part.
#[inline(always)]
pub fn whole_stress<N: Number>(stress: Matrix3<N>, history: SymMat3<N>) -> Matrix3<N> {
    stress + stress.times_symmetric(history)
}

// Psi(F Up^-1).
#[inline(always)]
fn multiplicative<L: ElasticEnergy, N: Number>(
    law: &L,
    h: Matrix3<N>,
    history: SymMat3<N>,
) -> Response<N> {
    let mut found = response(law, elastic_gradient(h, history));
    found.stress = whole_stress(found.stress, history);
    found
}

// Psi(E - Ep), P = F S(E - Ep). What is crushed is answered as if the split were multiplicative.
#[inline(always)]
fn additive<L: ElasticEnergy, N: Number>(
    law: &L,
    h: Matrix3<N>,
    history: SymMat3<N>,
) -> Response<N> {
    let found = subtracted(law, h, history);
    if !found.is_crushed.any() {
        return found;
    }
    let logarithm = hencky_strain(history * N::splat(2.0));
    let inverse = strain_from_hencky(logarithm * N::splat(-0.5));
    let elastic = Deformation::from_displacement_gradient(elastic_gradient(h, inverse));
    let mut instead = response_to(law, &elastic);
    instead.stress = whole_stress(instead.stress, inverse);
    Response {
        energy: instead.energy.or_where_not(found.is_crushed, found.energy),
        stress: instead.stress.or_where_not(found.is_crushed, found.stress),
        is_crushed: found.is_crushed,
    }
}

/// Energy and stress of a deformation from whose Green strain a plastic one is subtracted, without
/// anything in the place of the law where material is crushed.
// Least stretches are those of F Up^-1, Up^2 = I + 2 Ep.
#[inline(always)]
pub fn subtracted<L: ElasticEnergy, N: Number>(
    law: &L,
    displacement_gradient: Matrix3<N>,
    plastic: SymMat3<N>,
) -> Response<N> {
    let mut deformation = Deformation::from_displacement_gradient(displacement_gradient);
    let total = deformation.strain;
    deformation.strain = total - plastic;
    let (energy, stress) = law.energy_and_stress(&deformation);
    let least = L::LEAST_STRETCH.unwrap_or(0.0);
    let (two, square) = (N::splat(2.0), least * least);
    let excess =
        (total - plastic * N::splat(square)) * two + SymMat3::isotropic(N::splat(1.0 - square));
    let is_sound = N::ZERO.less(deformation.volume) & excess.is_positive_definite();
    Response {
        energy,
        stress,
        is_crushed: !is_sound,
    }
}

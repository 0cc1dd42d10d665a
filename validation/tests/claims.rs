//! Claims that hang on rounding, which are tested in both precisions, and a few beside them. The others take minutes:
//! `.ci/run` measures them by `pliant validate`, compiled with all optimisation.

use pliant_validation::{
    bar, column, constraint, convergence, gradient, momentum, rotation, shape_groups,
    spring_curves, starts,
};

#[test]
fn velocity_gradient_of_a_linear_field_is_exact_on_lattices() {
    gradient::LATTICES.assert();
}

#[test]
fn few_gradients_of_a_poisson_sample_are_cut_off() {
    gradient::POISSON_SETS.assert();
}

#[test]
fn a_beam_of_tetrahedral_groups_sinks_as_finite_elements_say() {
    shape_groups::TETRAHEDRA.assert();
}

#[test]
fn constraint_gradient_agrees_with_finite_differences() {
    constraint::EXACT_GRADIENT.assert();
}

#[test]
fn solver_gradient_is_exact_at_zero_velocity_gradient() {
    constraint::SOLVER_GRADIENT.assert();
}

#[test]
fn tensor_multiplier_converges_to_implicit_euler() {
    convergence::TENSOR.assert();
}

#[test]
fn scalar_multiplier_stagnates() {
    convergence::SCALAR.assert();
}

#[test]
fn relaxed_jacobi_converges_slowly_and_does_not_diverge() {
    convergence::JACOBI.assert();
}

#[test]
fn momentum_is_kept() {
    momentum::KEPT.assert();
}

#[test]
fn imposed_rotation_grows_the_volume_as_predicted() {
    rotation::ROTATION.assert();
}

#[test]
fn translation_leaves_no_strain() {
    rotation::TRANSLATION.assert();
}

#[test]
fn bar_stretches_as_hooke_says() {
    bar::STRETCHES.assert();
}

#[test]
fn body_inside_the_floor_rises_without_an_explosion() {
    starts::FLOOR.assert();
}

#[test]
fn random_pile_with_overlaps_stays() {
    starts::RANDOM_PILE.assert();
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn run_out_does_not_depend_on_the_step() {
    column::TWO_STEPS.assert();
}

#[test]
fn single_springs_have_the_published_forces() {
    spring_curves::FORCES.assert();
    spring_curves::STIFFNESSES.assert();
}

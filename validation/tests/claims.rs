//! The quick claims, and some that take longer; `pliant validate --full` tells all of them. What bundled scenes expect
//! of themselves, run-outs of columns and the sag of the cantilever, is not measured again here.

use pliant_validation::{
    ablation, bar, constraint, convergence, gradient, incline, momentum, residual, rotation,
    shape_groups, solids, spring_curves, starts,
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
fn residual_of_a_cantilever_falls_as_far_as_its_step_allows() {
    residual::SOFT.assert();
    residual::MIDDLE.assert();
    residual::STIFF.assert();
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn long_steps_take_more_sweeps_a_second() {
    ablation::STEPS_OF_SOFT.assert();
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
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn block_slides_down_an_incline_as_coulomb_says() {
    incline::SLIDES.assert();
}

#[test]
fn body_inside_the_floor_rises_without_an_explosion() {
    starts::FLOOR.assert();
}

#[test]
fn random_pile_with_overlaps_stays() {
    starts::RANDOM_PILE.assert();
}

/// Claims that take many seconds and do not hang on rounding, in the precision of production only.
#[cfg(not(feature = "double"))]
mod slow {
    use pliant_validation::{beam, column, grains, heap, incline, pile, press, solids, starts};

    #[test]
    fn solids_have_the_modulus_they_were_given() {
        solids::STEPS.assert();
        solids::JACOBI.assert();
    }

    #[test]
    fn solids_of_every_law_stretch_by_its_closed_form() {
        solids::CURVES.assert();
    }

    #[test]
    fn crushed_solids_push_back_and_recover() {
        solids::BLENDS.assert();
        solids::CRUSHED.assert();
    }

    #[test]
    fn drawn_bars_keep_the_strain_beyond_yield() {
        solids::DRAWN.assert();
    }

    #[test]
    fn block_sticks_below_the_friction_angle() {
        incline::STICKS.assert();
    }

    #[test]
    fn compressed_block_pushes_back_with_its_yield_stress() {
        press::PLATE_FORCE.assert();
    }

    #[test]
    fn overlapping_bodies_part_without_an_explosion() {
        starts::BODIES.assert();
    }

    #[test]
    fn implicit_plasticity_lets_a_pile_rest() {
        pile::RESTS.assert();
    }

    #[test]
    fn colliding_blocks_of_sand_keep_their_particles_apart() {
        grains::BLOCKS_COLLIDE.assert();
    }

    #[test]
    fn slope_of_a_heap_is_near_the_friction_angle() {
        heap::SLOPE.assert();
    }

    #[test]
    fn beam_of_six_rows_sags_within_its_bound() {
        beam::SIX_ROWS.assert();
    }

    #[test]
    fn run_out_does_not_depend_on_the_step() {
        column::TWO_STEPS.assert();
    }

    #[test]
    fn corrections_by_distance_and_by_density_both_bound_the_density() {
        grains::CORRECTIONS.assert();
    }
}

#[test]
fn single_springs_have_the_published_forces() {
    spring_curves::FORCES.assert();
    spring_curves::STIFFNESSES.assert();
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn solids_have_their_modulus_with_every_sampling() {
    solids::SAMPLED.assert();
}

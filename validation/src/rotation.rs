//! Rigid motions of updated-Lagrangian bodies.

use pliant_core::methods::xpbi::{
    PositionCorrection, Xpbi, XpbiColumns, XpbiSettings, XpbiSetup, volume_ratio,
};
use pliant_core::particles::ReorderScratch;
use pliant_math::{DMat3, DVec3, SymMat3, to_real};

use crate::{Case, Claim, Expected, Figure, box_lattice, elastic, run};

/// Imposed rotation.
pub const ROTATION: Claim = Claim {
    statement: "an imposed rotation increases det F by exp(omega dt angle) - 1",
    measure: || {
        let angle = std::f64::consts::PI;
        let mut figures = Vec::new();
        for steps in [100, 400] {
            let theory = (angle * angle / f64::from(steps)).exp_m1();
            let measured = imposed_rotation(angle, steps);
            let what = format!("growth over theory, half a turn in {steps} steps");
            figures.push(Figure::new(
                what,
                measured / theory,
                Expected::Near(1.0, 0.05),
            ));
        }
        Ok(figures)
    },
};

/// Free translation.
pub const TRANSLATION: Claim = Claim {
    statement: "a translation leaves a body exactly without strain",
    measure: || {
        let points = box_lattice([8; 3], 0.1, 0.2);
        let mut case = Case::new(elastic(1000.0, 1e5, 0.3), points, 0.1)
            .weightless()
            .moving(|_| DVec3::new(3.1, -1.7, 0.9));
        case.setup
            .solver
            .methods
            .of_mut::<XpbiSettings>()
            .correction = PositionCorrection::None;
        let mut world = case.world();
        run(&mut world, 1e-3, 100, |_, _| ())?;
        let strains = world.state.methods.of::<XpbiColumns>().strain.iter();
        let greatest = strains.map(|e| f64::from(e.norm())).fold(0.0, f64::max);
        Ok(vec![Figure::new(
            "greatest |b - I|",
            greatest,
            Expected::AtMost(0.0),
        )])
    },
};

/// Mean det F - 1 of a block after it was turned by an angle [rad] in so many steps.
fn imposed_rotation(angle: f64, steps: u32) -> f64 {
    let case = Case::new(
        elastic(1000.0, 1e5, 0.3),
        box_lattice([6; 3], 0.1, 0.2),
        0.1,
    );
    let mut state = case.world().state;
    let mut xpbi = Xpbi::new(XpbiSetup::of(&case.setup));
    let mut scratch = ReorderScratch::default();
    let (middle, dt) = (DVec3::splat(0.3), 1e-3);
    let turn = angle / f64::from(steps);
    let rotation = DMat3::from_rotation_z(turn);
    for _ in 0..steps {
        xpbi.find(
            &mut state.particles,
            state.methods.of_mut::<XpbiColumns>(),
            &mut scratch,
            dt,
        );
        let spin = DVec3::Z * (turn / dt);
        for (v, x) in state
            .particles
            .velocity
            .iter_mut()
            .zip(&state.particles.position)
        {
            *v = to_real(spin.cross(*x - middle));
        }
        xpbi.flow(&state.particles, state.methods.of_mut::<XpbiColumns>(), dt);
        for x in &mut state.particles.position {
            *x = rotation * (*x - middle) + middle;
        }
    }
    let growth = |e: &SymMat3| f64::from(volume_ratio(*e)) - 1.0;
    let strains = &state.methods.of::<XpbiColumns>().strain;
    strains.iter().map(growth).sum::<f64>() / strains.len() as f64
}

//! Bodies that were crushed.

use pliant_core::methods::shape_groups::{self, ParticleGroups};
use pliant_core::world::World;
use pliant_math::{DVec3, Pose};

use super::{DENSITY, SPACING, block, rubber, step, world_of};
use crate::worlds::advance;

/// A block without a surface that could get in its own way.
fn bare_block() -> pliant_core::world::Body {
    let cells: Vec<[i64; 3]> = (0..36).map(|k| [k % 3, k / 3 % 3, k / 9]).collect();
    let mut groups = ParticleGroups::hexahedra(&cells, DVec3::ZERO, DVec3::splat(SPACING));
    groups.triangles.clear();
    shape_groups::body(0, DENSITY, SPACING, groups, Pose::IDENTITY)
}

/// A crushed block after 3 s: the greatest error of an edge [spacings]. Its Poisson's ratio is 0.45: below 0.44 the
/// energy of the law itself pulls a tenth of the size into a point.
fn worst_edge(crush: &dyn Fn(DVec3) -> DVec3) -> f64 {
    let mut setup = world_of(rubber(0.45), vec![bare_block()]);
    setup.solver.damping = 3.0;
    let mut world = World::new(setup);
    let rest = world.state.particles.position.clone();
    for x in &mut world.state.particles.position {
        *x = crush(*x);
    }
    let dt = step(0.2);
    advance(&mut world, dt, (3.0 / dt) as usize, 2).expect("a sound block");
    let p = &world.state.particles;
    let mut worst = 0.0_f64;
    for i in 0..p.len() {
        for j in 0..i {
            let at_rest = rest[p.id[i] as usize].distance(rest[p.id[j] as usize]);
            if at_rest < 1.01 * SPACING {
                let now = p.position[i].distance(p.position[j]);
                worst = worst.max((now - at_rest).abs());
            }
        }
    }
    worst / SPACING
}

#[test]
fn a_crushed_block_finds_its_shape_again() {
    let flat = worst_edge(&|x| DVec3::new(x.x, 0.0, x.z));
    assert!(flat < 0.05, "{flat}");
    let small = worst_edge(&|x| 0.1 * x);
    assert!(small < 0.05, "{small}");
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn a_block_whose_surface_has_no_area_left_moves_on() {
    for crush in [|x: DVec3| DVec3::new(x.x, 0.0, x.z), |_| DVec3::ZERO] {
        let setup = world_of(rubber(0.4), vec![block([3, 3, 4], DVec3::ZERO)]);
        let mut world = World::new(setup);
        for x in &mut world.state.particles.position {
            *x = crush(*x);
        }
        advance(&mut world, step(0.2), 20, 2).expect("finite velocities");
    }
}

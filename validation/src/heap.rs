//! Heaps poured from a height: their slope and their flow.

use std::sync::Arc;

use pliant_core::step::StepError;
use pliant_core::world::Emitter;
use pliant_geometry::in_order;
use pliant_geometry::sampling::{Sampling, fill};
use pliant_geometry::shapes::Cylinder;
use pliant_math::{DQuat, DVec3, Pose, RandomStream};

use crate::{Bound, Case, Claim, Figure, run, sand};

/// Slopes of poured heaps.
pub const SLOPES: Claim = Claim {
    sentence: "the slope of a poured heap follows the friction angle",
    measure: || {
        let gentle = Heap::poured(20.0)?;
        let steep = Heap::poured(40.0)?;
        Ok(vec![
            Figure::new("slope at 20 degrees [degrees]", gentle.slope, Bound::Finite),
            Figure::new("slope at 40 degrees [degrees]", steep.slope, Bound::Finite),
            Figure::new(
                "difference [degrees]",
                steep.slope - gentle.slope,
                Bound::AtLeast(5.0),
            ),
        ])
    },
};

struct Heap {
    /// Mean slope [degrees].
    slope: f64,
}

impl Heap {
    /// Pours sand of a friction angle [degrees] onto a floor as rough as itself.
    fn poured(friction_angle: f64) -> Result<Self, StepError> {
        let spacing = 0.05;
        let mouth = Cylinder {
            radius: 0.15,
            height: 0.1,
        };
        let pose = Pose {
            rotation: DQuat::IDENTITY,
            translation: DVec3::Y * 0.7,
        };
        let seeds = fill(
            &mouth,
            spacing,
            Sampling::Poisson,
            0.0,
            RandomStream::new(1, 1),
            in_order,
        );
        let mut case = Case::new(sand(1600.0, 1e6, 0.3, friction_angle), Vec::new(), spacing)
            .floor(0.0, 0.0, friction_angle.to_radians().tan());
        case.setup.emitters.push(Emitter {
            name: "mouth".into(),
            body: 0,
            shape: Arc::new(mouth),
            pose,
            seeds: seeds.iter().map(|&x| pose.to_world(x)).collect(),
            velocity: DVec3::Y * -1.0,
            rate: Some(600.0),
            start: 0.0,
            stop: 1.2,
        });
        let mut world = case.world();
        run(&mut world, 1e-3, 1700, |_, _| ())?;
        Ok(Self {
            slope: slope(&world.state.particles.position),
        })
    }
}

/// Slope [degrees] of the cone that has the height and the volume's mean radius of the particles:
/// in a cone the mean distance from the axis is half the radius of the base.
fn slope(positions: &[DVec3]) -> f64 {
    let count = positions.len() as f64;
    let mean_radius = positions.iter().map(|x| x.x.hypot(x.z)).sum::<f64>() / count;
    // And the mean height is a quarter of the cone's.
    let mean_height = positions.iter().map(|x| x.y).sum::<f64>() / count;
    (4.0 * mean_height).atan2(2.0 * mean_radius).to_degrees()
}

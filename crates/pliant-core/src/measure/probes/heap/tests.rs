//! Heaps whose slope is known.

use pliant_math::RandomStream;

use super::*;

/// A cone of grains 1 m in diameter on a floor.
#[derive(Clone, Copy, Debug)]
struct Cone {
    /// Slope [degrees].
    angle: f64,
    /// Radius of the foot, in grains.
    reach: f64,
    /// Share of the height over which the summit is rounded off.
    rounding: f64,
    /// Radius and depth of a crater, in shares of the reach and the height.
    crater: [f64; 2],
    /// Height of a cylinder below it, as between walls [grains].
    cylinder: f64,
    seed: u64,
}

impl Cone {
    fn of(angle: f64) -> Self {
        Self {
            angle,
            reach: 30.0,
            rounding: 0.15,
            crater: [0.0; 2],
            cylinder: 0.0,
            seed: 1,
        }
    }

    fn slope(&self) -> f64 {
        self.angle.to_radians().tan()
    }

    /// Height of the surface above the floor at a radius.
    fn height(&self, radius: f64) -> f64 {
        let height = self.slope() * self.reach;
        let plain = height - self.slope() * radius;
        // A parabola that meets the cone with its slope.
        let rounded_to = 2.0 * self.rounding * self.reach;
        let rounded =
            height * (1.0 - self.rounding) - 0.5 * self.slope() * radius * radius / rounded_to;
        let top = if radius < rounded_to { rounded } else { plain };
        let [width, depth] = self.crater;
        let crater = depth * height * (1.0 - radius / (width * self.reach).max(1e-9)).max(0.0);
        self.cylinder + top - crater
    }

    /// Its grains on a lattice, each anywhere in its cell.
    fn grains(&self) -> Vec<Grain> {
        let random = RandomStream::new(self.seed, 7);
        let side = self.reach.ceil() as i64;
        let (mut grains, mut count) = (Vec::new(), 0);
        for cell in (-side..=side).flat_map(|x| (-side..=side).map(move |z| (x, z))) {
            for level in 0..(self.cylinder + 1.1 * self.slope() * self.reach).ceil() as i64 {
                let jitter = [0, 1, 2].map(|k| random.unit(3 * count + k) - 0.5);
                count += 1;
                let x = cell.0 as f64 + 0.5 + jitter[0];
                let z = cell.1 as f64 + 0.5 + jitter[1];
                let y = level as f64 + 0.5 + jitter[2];
                let radius = x.hypot(z);
                if y + 0.5 <= self.height(radius) + 0.5 && radius <= self.reach {
                    grains.push(grain([x, y, z]));
                }
            }
        }
        grains
    }

    fn measured(&self) -> Heap {
        of_grains(&self.grains(), 1.0)
    }
}

fn grain([x, y, z]: [f64; 3]) -> Grain {
    Grain {
        distance: x.hypot(z),
        turn: (0.5 + z.atan2(x) / std::f64::consts::TAU).rem_euclid(1.0),
        top: y + 0.5,
    }
}

/// Checks that a cone is measured within a degree.
fn assert_is_measured(cone: Cone) {
    let heap = cone.measured();
    let found = heap.slope.to_degrees();
    assert!(
        (found - cone.angle).abs() < 1.0,
        "{cone:?}: {found} degrees"
    );
}

#[test]
fn cones_are_measured_within_a_degree() {
    for angle in [15.0, 20.0, 25.0, 30.0, 35.0, 40.0, 45.0] {
        for seed in 1..4 {
            assert_is_measured(Cone {
                seed,
                ..Cone::of(angle)
            });
        }
    }
}

#[test]
fn rounded_summits_and_craters_are_no_flank() {
    for angle in [20.0, 30.0, 40.0] {
        assert_is_measured(Cone {
            rounding: 0.2,
            ..Cone::of(angle)
        });
        assert_is_measured(Cone {
            crater: [0.25, 0.3],
            ..Cone::of(angle)
        });
    }
}

#[test]
fn heaps_between_walls_have_the_slope_of_their_top() {
    for angle in [15.0, 30.0] {
        let cone = Cone {
            cylinder: 12.0,
            ..Cone::of(angle)
        };
        assert_is_measured(cone);
        // A grain on the wall in every other sector.
        let mut grains = cone.grains();
        for k in 0..100 {
            let turn = f64::from(k) / 100.0 * std::f64::consts::TAU;
            let wall = [29.5 * turn.cos(), 16.0, 29.5 * turn.sin()];
            grains.push(grain(wall));
        }
        let found = of_grains(&grains, 1.0).slope.to_degrees();
        assert!((found - angle).abs() < 1.0, "{found} degrees of {angle}");
    }
}

#[test]
fn few_grains_are_enough() {
    for angle in [20.0, 30.0, 40.0] {
        let cones = (1..9).map(|seed| Cone {
            reach: 16.0,
            seed,
            ..Cone::of(angle)
        });
        let found: Vec<f64> = cones.map(|c| c.measured().slope.to_degrees()).collect();
        let mean = found.iter().sum::<f64>() / found.len() as f64;
        assert!((mean - angle).abs() < 1.0, "{found:?} of {angle}");
        assert!(deviation(&found) < 2.0, "{found:?} of {angle}");
    }
}

#[test]
fn scatter_is_small_around_a_cone_and_large_around_a_lopsided_heap() {
    let even = Cone::of(30.0).grains();
    let heap = of_grains(&even, 1.0);
    assert!(heap.scatter.to_degrees() < 2.0, "{heap:?}");
    // Half as steep on one side.
    let lopsided: Vec<Grain> = even
        .into_iter()
        .map(|g| match g.turn < 0.5 {
            true => Grain {
                distance: 2.0 * g.distance,
                ..g
            },
            false => g,
        })
        .collect();
    let heap = of_grains(&lopsided, 1.0);
    assert!(heap.scatter.to_degrees() > 5.0, "{heap:?}");
}

#[test]
fn height_over_reach_is_that_of_the_heap() {
    for angle in [15.0, 30.0, 45.0] {
        let cone = Cone::of(angle);
        let expected = cone.height(0.0) / cone.reach;
        let found = cone.measured().height_over_reach;
        assert!(
            (found / expected - 1.0).abs() < 0.12,
            "{found} of {expected}"
        );
    }
}

#[test]
fn what_is_no_heap_has_no_slope() {
    assert_eq!(of_grains(&[], 0.0), Heap::default());
    assert_eq!(of_grains(&[grain([0.0, 0.5, 0.0])], 1.0).slope, 0.0);
    let layer = Cone {
        angle: 0.0,
        cylinder: 3.0,
        ..Cone::of(0.0)
    };
    assert!(layer.measured().slope.abs().to_degrees() < 2.0);
}

#[test]
fn the_surface_of_a_ring_is_that_of_most_of_its_sectors() {
    assert_eq!(surface(vec![1.0, 9.0, 1.1, 0.9, 1.2], 5), Some(1.1));
    assert_eq!(surface(vec![1.0, 9.0, 1.1], 5), Some(1.0));
    assert_eq!(surface(vec![9.0, 8.0], 5), None);
}

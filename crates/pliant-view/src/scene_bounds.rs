//! Bounds of a scene during its run, estimated before it: of emitted particles, and
//! where moving colliders go.

use pliant_core::boundaries::Collider;
use pliant_core::world::{Emitter, Setup};
use pliant_geometry::{Aabb, MovingMesh};
use pliant_math::{DVec3, Pose};

/// Moments at which the path of a collider is looked at.
const MOMENTS: u32 = 32;
/// A flight is followed in steps of at least this part of its time.
const SHORTEST_STEP: f64 = 1.0 / 2000.0;
/// Particles that land on nothing are followed over so many edges of their emitter.
const LOST_FLIGHT_EXTENTS: f64 = 8.0;
/// Tangent of the slope of the heaps that are made room for: 30 degrees.
const SLOPE: f64 = 0.577;

/// The emitters, the flight of their particles until they land on a collider, and room for the heap
/// they make there, in so many seconds; empty without emitters. `up` is the scene's vertical, a
/// coordinate axis.
pub fn emission_bounds(setup: &Setup, up: DVec3, duration: f64) -> Aabb {
    let emitters = setup.emitters.iter().filter(|e| e.start < duration);
    emitters.fold(Aabb::EMPTY, |all, emitter| {
        all.union(fed_by(emitter, setup, up, duration))
    })
}

/// The boxes around drawn colliders that have an end, along their paths in so many seconds; empty if
/// none moves.
pub fn collider_path_bounds(setup: &Setup, duration: f64) -> Aabb {
    let is_seen = |c: &&Collider| c.opacity > 0.0 && !c.is_at_rest();
    let mut all = Aabb::EMPTY;
    for collider in setup.colliders.iter().filter(is_seen) {
        let frames = collider.shape.moving().map(MovingMesh::bounds_of_frames);
        let Some(local) = frames.or_else(|| collider.shape.bounds()) else {
            continue;
        };
        for moment in 0..MOMENTS {
            let time = duration * f64::from(moment) / f64::from(MOMENTS - 1);
            all = all.union(placed(local, &collider.motion.pose(time)));
        }
    }
    all
}

fn fed_by(emitter: &Emitter, setup: &Setup, up: DVec3, duration: f64) -> Aabb {
    let Some(local) = emitter.shape.bounds() else {
        return Aabb::EMPTY;
    };
    let source = placed(local, &emitter.pose);
    let starts = source.corners().into_iter().chain([source.center()]);
    let flight = Flight {
        setup,
        velocity: emitter.velocity,
        start: emitter.start,
        end: duration,
        lost: LOST_FLIGHT_EXTENTS * source.extent().max_element(),
    };
    let mut fed = source;
    let mut landings = Aabb::EMPTY;
    for from in starts {
        let landing = flight.follow(from, |point| fed = fed.including(point));
        landings = landing.map_or(landings, |point| landings.including(point));
    }
    if landings == Aabb::EMPTY {
        return fed;
    }
    let sideways = (DVec3::ONE - up.abs()) * heap_radius(emitter, setup, &source, duration);
    fed.union(Aabb {
        min: landings.min - sideways,
        max: landings.max + sideways,
    })
}

/// Radius [m] of a cone of everything that an emitter feeds. An emitter without a rate is taken to
/// feed its box anew each time that its particles have left it.
fn heap_radius(emitter: &Emitter, setup: &Setup, source: &Aabb, duration: f64) -> f64 {
    let seconds = emitter.stop.min(duration) - emitter.start;
    let edge = source.extent().max_element();
    let volume = match emitter.rate {
        Some(rate) => {
            let body = &setup.bodies[emitter.body as usize];
            rate * seconds * body.particles.particle_volume
        }
        None => {
            let fall = (setup.gravity.length() * edge).sqrt();
            let speed = emitter.velocity.length().max(fall);
            let inside = emitter.shape.volume().unwrap_or(0.0);
            inside * (1.0 + speed * seconds / edge)
        }
    };
    // A cone of radius r and slope s has the volume pi s r³ / 3.
    (3.0 * volume.max(0.0) / (std::f64::consts::PI * SLOPE)).cbrt()
}

/// The first particles of an emitter on their way.
struct Flight<'a> {
    setup: &'a Setup,
    velocity: DVec3,
    /// When they are born and how long they are followed [s].
    start: f64,
    end: f64,
    /// How far those that land nowhere are followed [m].
    lost: f64,
}

impl Flight<'_> {
    /// Visits the points of a free flight until it ends on a collider, and returns where. Where it
    /// does not, only the points near the start are visited.
    fn follow(&self, from: DVec3, mut visit: impl FnMut(DVec3)) -> Option<DVec3> {
        let time = self.end - self.start;
        let place = |t: f64| from + self.velocity * t + 0.5 * self.setup.gravity * t * t;
        let mut path = Vec::new();
        let mut t = 0.0;
        let mut landing = None;
        while t < time && landing.is_none() {
            let point = place(t);
            let gap = self.gap(point, self.start + t);
            path.push(point);
            landing = (gap <= 0.0 && t > 0.0).then_some(point);
            let speed = (self.velocity + self.setup.gravity * t).length();
            // Half the gap, because the flight may become faster on the way.
            t += (0.5 * gap / speed.max(1e-9)).clamp(SHORTEST_STEP * time, 0.02 * time);
        }
        let is_near = |point: &&DVec3| landing.is_some() || point.distance(from) <= self.lost;
        path.iter().filter(is_near).for_each(|p| visit(*p));
        landing
    }

    /// Distance [m] to the nearest collider at a time, infinite without colliders.
    fn gap(&self, point: DVec3, time: f64) -> f64 {
        let colliders = self.setup.colliders.iter();
        let gaps = colliders.map(|collider| collider.signed_distance(point, time));
        gaps.fold(f64::INFINITY, f64::min)
    }
}

/// The box around a box at a pose.
fn placed(local: Aabb, pose: &Pose) -> Aabb {
    Aabb::around(local.corners().map(|corner| pose.to_world(corner)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_geometry::{MeshSource, TriangleMesh};
    use pliant_parameters::Problem;
    use pliant_scene::{BuildWith, Overrides, Scene};

    use super::*;

    struct NoMeshes;

    impl MeshSource for NoMeshes {
        fn mesh(&self, file: &str) -> Result<Arc<TriangleMesh>, Problem> {
            Err(Problem::at("file", file, "this test has no meshes"))
        }
    }

    const BODY: &str = "[scene]\nduration = 2.0\n[material.sand]\nlaw = \"drucker-prager\"\n\
        density = 1600.0\nyoungs_modulus = 1e5\nfriction_angle = 30.0\n[[body]]\nname = \"sand\"\n\
        material = \"sand\"\nspacing = 0.02\n";
    const EMITTER: &str = "[[emitter]]\nname = \"tap\"\nbody = \"sand\"\n\
        shape = { box = { size = [0.1, 0.1, 0.1] } }\nposition = [0.0, 1.0, 0.0]\n\
        velocity = [2.0, 0.0, 0.0]\nrate = 10.0\n";
    const FLOOR: &str = "[[collider]]\nname = \"floor\"\nshape = { plane = {} }\n";

    fn setup(rest: &str) -> Setup {
        let text = format!("{BODY}{rest}");
        let folder = std::path::Path::new("");
        let scene = Scene::parse(text, "bounds.toml", folder, &Overrides::default()).unwrap();
        let with = BuildWith {
            meshes: &NoMeshes,
            memory: u64::MAX,
        };
        scene.build(with).unwrap().setup
    }

    #[test]
    fn jet_reaches_where_a_thrown_stone_lands() {
        let found = emission_bounds(&setup(&format!("{EMITTER}{FLOOR}")), DVec3::Y, 2.0);
        assert!(found.contains(DVec3::new(-0.05, 1.05, 0.05)));
        // From the upper edge at 1.05 m: t = sqrt(2 h / g), beyond the front face at 0.05 m.
        let stone = 0.05 + 2.0 * (2.0 * 1.05 / 9.81f64).sqrt();
        let grains = 10.0 * 2.0 * 0.02f64.powi(3);
        let heap = (3.0 * grains / (std::f64::consts::PI * SLOPE)).cbrt();
        assert!((found.max.x - stone - heap).abs() < 0.01, "{}", found.max.x);
        assert!(found.min.y.abs() < 0.01, "{}", found.min.y);
    }

    #[test]
    fn flight_ends_on_a_table_above_the_floor() {
        let table = "[[collider]]\nname = \"table\"\nshape = { box = { size = [9, 0.1, 9] } }\n\
            position = [0.0, 0.5, 0.0]\n";
        let found = emission_bounds(&setup(&format!("{EMITTER}{FLOOR}{table}")), DVec3::Y, 2.0);
        assert!((found.min.y - 0.55).abs() < 0.01, "{}", found.min.y);
    }

    #[test]
    fn particles_that_land_nowhere_do_not_take_the_picture_with_them() {
        let found = emission_bounds(&setup(EMITTER), DVec3::Y, 2.0);
        assert!(found.min.y < 0.9 && found.min.y > 0.0, "{}", found.min.y);
    }

    #[test]
    fn emitter_after_the_end_counts_for_nothing() {
        let late = format!("{EMITTER}start = 3.0\n");
        assert_eq!(emission_bounds(&setup(&late), DVec3::Y, 2.0), Aabb::EMPTY);
    }

    #[test]
    fn path_of_a_collider_is_followed_to_the_end_of_the_run() {
        let moving = |shape: &str| {
            format!(
                "shape = {{ box = {{ size = [0.2, 0.2, 0.2] }} }}\nposition = [0, 1, 0]\n[[collider]]\n\
                 name = \"cart\"\nshape = {shape}\nmotion = {{ velocity = [0.5, 0.0, 0.0] }}\n"
            )
        };
        let sphere = setup(&moving("{ sphere = { radius = 0.1 } }"));
        let found = collider_path_bounds(&sphere, 2.0);
        assert!((found.max.x - 1.1).abs() < 1e-9 && (found.min.x + 0.1).abs() < 1e-9);
        let plane = setup(&moving("{ plane = {} }"));
        assert_eq!(collider_path_bounds(&plane, 2.0), Aabb::EMPTY);
    }
}

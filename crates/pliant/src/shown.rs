//! What pictures show of a moment: surfaces around loose particles in place of these, where their bodies are shown so.

use std::collections::BTreeMap;

use pliant_core::measure::{Frame, FrameBody, FrameColumns};
use pliant_core::method::DrawnAs;
use pliant_core::world::ShownAs;
use pliant_math::DVec3;
use pliant_surface::{Carrier, Share, SurfaceSettings, reconstruct};

/// A quantity whose values are names: between two of them there is none.
const NAMES: &[&str] = &["fragment"];

/// The columns of a picture.
///
/// * `surface` — surfaces that bodies carry, of the same moment and with the same quantities
pub fn in_pictures(particles: &Frame<'_>, surface: Option<&Frame<'_>>) -> FrameColumns {
    let mut hidden: Vec<FrameBody> = particles.bodies.to_vec();
    let mut made = Vec::new();
    for group in groups(particles, surface) {
        // A surface that cannot be made is of particles scattered over all bounds: they are shown as they are.
        if let Ok(surface) = reconstruct(&group.position, &group.settings()) {
            for &place in &group.places {
                hidden[particles.body[place] as usize].drawn_as = DrawnAs::Collider;
            }
            made.push((group, surface));
        }
    }
    let rest = Frame {
        bodies: &hidden,
        ..*particles
    };
    let mut all = FrameColumns::in_pictures(&rest, surface);
    for (group, surface) in &made {
        group.add(
            particles,
            &surface.mesh.vertices,
            &surface.mesh.triangles,
            &mut all,
        );
    }
    all
}

/// Particles that have a surface together: of one material and size, so that pools that meet become one.
struct Group {
    places: Vec<usize>,
    position: Vec<DVec3>,
    material: u32,
    radius: f32,
}

/// The groups, by material and the bits of the radius, which order as radii do.
fn groups(frame: &Frame<'_>, surface: Option<&Frame<'_>>) -> Vec<Group> {
    let mut is_shown: Vec<bool> = frame
        .bodies
        .iter()
        .map(|body| body.look.shown_as == ShownAs::Surface && body.drawn_as == DrawnAs::Particles)
        .collect();
    let corners = frame.triangles.iter().flatten();
    let of_triangles = corners.map(|&corner| frame.body[corner as usize]);
    let carried = surface.map_or(&[][..], |surface| surface.body);
    for body in of_triangles.chain(carried.iter().copied()) {
        is_shown[body as usize] = false;
    }
    let mut groups = BTreeMap::<_, Group>::new();
    for place in 0..frame.particle_count() {
        if !is_shown[frame.body[place] as usize] {
            continue;
        }
        let (material, radius) = (frame.material[place], frame.radius[place]);
        let group = groups
            .entry((material, radius.to_bits()))
            .or_insert_with(|| Group {
                places: Vec::new(),
                position: Vec::new(),
                material,
                radius,
            });
        group.places.push(place);
        group.position.push(frame.position[place]);
    }
    groups.into_values().collect()
}

impl Group {
    fn settings(&self) -> SurfaceSettings {
        SurfaceSettings::of_spacing(2.0 * f64::from(self.radius))
    }

    /// Adds its surface, whose vertices have what the particles around have.
    fn add(
        &self,
        frame: &Frame<'_>,
        vertices: &[DVec3],
        triangles: &[[u32; 3]],
        all: &mut FrameColumns,
    ) {
        let settings = self.settings();
        let carrier = Carrier::new(&self.position, &settings);
        let nearest = carrier.map(vertices, |shares| self.places[nearest_of(shares)]);
        let velocity: Vec<[f32; 3]> = self.places.iter().map(|&i| frame.velocity[i]).collect();
        let first = all.position.len() as u32;
        all.position.extend(vertices);
        all.velocity.extend(carrier.carry(&velocity, vertices));
        all.id.extend(first..all.position.len() as u32);
        all.body.extend(nearest.iter().map(|&i| frame.body[i]));
        all.material.resize(all.position.len(), self.material);
        all.radius.resize(all.position.len(), self.radius);
        let numbered = triangles
            .iter()
            .map(|corners| corners.map(|corner| first + corner));
        all.triangles.extend(numbered);
        for quantity in &mut all.quantities {
            let Some(of_particles) = frame.quantity(quantity.name) else {
                quantity.values.resize(all.position.len(), 0.0);
                continue;
            };
            let value = |&i: &usize| of_particles.values[i];
            if NAMES.contains(&quantity.name) {
                quantity.values.extend(nearest.iter().map(value));
            } else {
                let values: Vec<[f32; 1]> = self.places.iter().map(|i| [value(i)]).collect();
                let carried = carrier.carry(&values, vertices);
                quantity
                    .values
                    .extend(carried.into_iter().map(|[value]| value));
            }
        }
    }
}

/// The particle that a place is nearest to; the first where there is none.
fn nearest_of(shares: &[Share]) -> usize {
    let by_distance = |a: &&Share, b: &&Share| a.distance.total_cmp(&b.distance);
    let nearest = shares.iter().min_by(by_distance);
    nearest.map_or(0, |share| share.particle as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Simulation;

    fn shown(body: &str) -> FrameColumns {
        let text = format!(
            r#"
scene.duration = 1
[material.water]
preset = "water"
[[body]]
name = "pool"
material = "water"
shape = {{ box = {{ size = [0.2, 0.1, 0.1] }} }}
spacing = 0.02
velocity = [1.0, 0.0, 0.0]
{body}
"#
        );
        let mut simulation = Simulation::from_text(&text).expect("a sound scene");
        in_pictures(&simulation.frame(), None)
    }

    #[test]
    fn a_fluid_is_shown_by_its_surface_which_moves_with_it() {
        let shown = shown("");
        assert!(shown.triangles.len() > 100);
        let corners: std::collections::BTreeSet<u32> =
            shown.triangles.iter().flatten().copied().collect();
        assert_eq!(corners.len(), shown.position.len());
        for v in &shown.velocity {
            assert!((v[0] - 1.0).abs() < 1e-4 && v[1].abs() < 1e-4, "{v:?}");
        }
        for quantity in &shown.quantities {
            assert_eq!(quantity.values.len(), shown.position.len());
        }
    }

    #[test]
    fn or_by_its_particles_if_the_scene_says_so() {
        let shown = shown("shown_as = \"particles\"");
        assert!(shown.triangles.is_empty() && !shown.position.is_empty());
    }
}

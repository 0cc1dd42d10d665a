//! What pictures show of a moment: surfaces around loose particles in place of these, where their bodies are shown so.

use pliant_core::measure::{Frame, FrameBody, FrameColumns};
use pliant_core::method::DrawnAs;
use pliant_core::world::ShownAs;
use pliant_geometry::TriangleMesh;
use pliant_surface::{Carrier, Share, reconstruct};

use crate::particle_surface::{Group, groups};

/// A quantity whose values are names: between two of them there is none.
const NAMES: &[&str] = &["fragment"];

/// The columns of a picture.
///
/// * `surface` — surfaces that bodies carry, of the same moment and with the same quantities
pub fn in_pictures(particles: &Frame<'_>, surface: Option<&Frame<'_>>) -> FrameColumns {
    let is_shown = shown_as_surfaces(particles, surface);
    let mut hidden: Vec<FrameBody> = particles.bodies.to_vec();
    let mut made = Vec::new();
    for group in groups(particles, |place| is_shown[particles.body[place] as usize]) {
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
        add(&mut all, particles, group, &surface.mesh);
    }
    all
}

/// Whether the particles of each body are shown by the surface around them: not where it has triangles.
fn shown_as_surfaces(frame: &Frame<'_>, surface: Option<&Frame<'_>>) -> Vec<bool> {
    let is_loose = |body: &FrameBody| {
        body.look.shown_as == ShownAs::Surface && body.drawn_as == DrawnAs::Particles
    };
    let mut is_shown: Vec<bool> = frame.bodies.iter().map(is_loose).collect();
    let corners = frame.triangles.iter().flatten();
    let of_triangles = corners.map(|&corner| frame.body[corner as usize]);
    let carried = surface.map_or(&[][..], |surface| surface.body);
    for body in of_triangles.chain(carried.iter().copied()) {
        is_shown[body as usize] = false;
    }
    is_shown
}

/// Adds a surface, whose vertices have what the particles around have, and the body of the nearest.
fn add(all: &mut FrameColumns, frame: &Frame<'_>, group: &Group, mesh: &TriangleMesh) {
    let carrier = Carrier::new(&group.position, &group.settings());
    let nearest = carrier.map(&mesh.vertices, |shares| group.places[nearest_of(shares)]);
    group.add(frame, (mesh, &carrier), all);
    all.body.extend(nearest.iter().map(|&i| frame.body[i]));
    for quantity in &mut all.quantities {
        let Some(of_particles) = frame.quantity(quantity.name) else {
            quantity.values.resize(all.position.len(), 0.0);
            continue;
        };
        if NAMES.contains(&quantity.name) {
            let names = nearest.iter().map(|&i| of_particles.values[i]);
            quantity.values.extend(names);
        } else {
            let values = group.values(|place| [of_particles.values[place]]);
            let carried = carrier.carry(&values, &mesh.vertices);
            quantity
                .values
                .extend(carried.into_iter().map(|[value]| value));
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

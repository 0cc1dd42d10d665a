//! The surfaces of a frame as its columns.

use std::collections::BTreeMap;

use pliant_core::measure::{Frame, FrameColumns, Quantity};
use pliant_math::DVec3;
use pliant_surface::{Carrier, Surface, SurfaceSettings, reconstruct};

use super::{MeshError, MeshOf, MeshOptions};

/// What vertices have beside the columns: the names that PLY has for normals, and the colour of the
/// bodies around, sRGB.
const QUANTITIES: [&str; 6] = ["nx", "ny", "nz", "color_r", "color_g", "color_b"];

/// Particles that have a surface together: of one material and size, so that pools that meet become one.
#[derive(Default)]
struct Group {
    position: Vec<DVec3>,
    velocity: Vec<[f32; 3]>,
    color: Vec<[f32; 3]>,
    /// The least of their bodies, under which the surface goes.
    body: u32,
}

/// The surfaces of the particles of chosen bodies. Vertices have the velocities of the particles around.
pub(super) fn surfaces(
    frame: &Frame<'_>,
    chosen: &[bool],
    options: &MeshOptions,
) -> Result<FrameColumns, MeshError> {
    let mut all = FrameColumns {
        quantities: QUANTITIES.map(no_values).into(),
        ..FrameColumns::default()
    };
    for ((material, radius), group) in groups(frame, chosen, &options.of) {
        let radius = f32::from_bits(radius);
        let settings = SurfaceSettings {
            cube_size: options.cube_size,
            smoothing_passes: options.smoothing_passes,
            ..SurfaceSettings::of_spacing(2.0 * f64::from(radius))
        };
        let surface = reconstruct(&group.position, &settings).map_err(|error| {
            let name = frame.material_names.get(material as usize);
            MeshError::Surface {
                frame: frame.number,
                material: name.cloned().unwrap_or_default(),
                error,
            }
        })?;
        add(&mut all, &group, &surface, &settings);
        let count = all.position.len();
        all.material.resize(count, material);
        all.radius.resize(count, radius);
    }
    Ok(all)
}

fn no_values(name: &'static str) -> Quantity {
    Quantity {
        name,
        ..Quantity::default()
    }
}

/// The groups by material and the bits of the radius, which order as radii do.
fn groups(frame: &Frame<'_>, chosen: &[bool], of: &MeshOf) -> BTreeMap<(u32, u32), Group> {
    let is_of_material = |material: u32| match of {
        MeshOf::Material(name) => frame.material_names.get(material as usize) == Some(name),
        MeshOf::All | MeshOf::Body(_) => true,
    };
    let mut groups = BTreeMap::<_, Group>::new();
    for i in 0..frame.particle_count() {
        let (body, material) = (frame.body[i], frame.material[i]);
        if chosen[body as usize] && is_of_material(material) {
            let key = (material, frame.radius[i].to_bits());
            let group = groups.entry(key).or_insert_with(|| Group {
                body,
                ..Group::default()
            });
            group.body = group.body.min(body);
            group.position.push(frame.position[i]);
            group.velocity.push(frame.velocity[i]);
            group.color.push(frame.bodies[body as usize].color);
        }
    }
    groups
}

fn add(all: &mut FrameColumns, group: &Group, surface: &Surface, settings: &SurfaceSettings) {
    let vertices = &surface.mesh.vertices;
    let first = all.position.len() as u32;
    let end = first + vertices.len() as u32;
    let carrier = Carrier::new(&group.position, settings);
    all.position.extend(vertices);
    all.velocity
        .extend(carrier.carry(&group.velocity, vertices));
    all.id.extend(first..end);
    all.body.resize(end as usize, group.body);
    let triangles = surface.mesh.triangles.iter();
    all.triangles
        .extend(triangles.map(|corners| corners.map(|corner| first + corner)));
    let colors = carrier.carry(&group.color, vertices);
    for (normal, color) in surface.normals.iter().zip(colors) {
        let color = color.map(|c| c.clamp(0.0, 1.0));
        let values = normal.iter().copied().chain(color);
        let quantities = all.quantities.iter_mut();
        quantities
            .zip(values)
            .for_each(|(quantity, value)| quantity.values.push(value));
    }
}

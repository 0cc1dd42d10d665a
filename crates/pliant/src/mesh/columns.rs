//! The surfaces of a frame as its columns.

use pliant_core::measure::{Frame, FrameColumns, Quantity};
use pliant_surface::{Carrier, Surface, SurfaceSettings, reconstruct};

use super::{MeshError, MeshOf, MeshOptions};
use crate::particle_surface::{Group, groups};

/// What vertices have beside the columns: the names that PLY has for normals, and the colour of the
/// bodies around, sRGB.
const QUANTITIES: [&str; 6] = ["nx", "ny", "nz", "color_r", "color_g", "color_b"];

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
    let is_of_material = |material: u32| match &options.of {
        MeshOf::Material(name) => frame.material_names.get(material as usize) == Some(name),
        MeshOf::All | MeshOf::Body(_) => true,
    };
    let is_chosen =
        |place: usize| chosen[frame.body[place] as usize] && is_of_material(frame.material[place]);
    for group in groups(frame, is_chosen) {
        let settings = SurfaceSettings {
            cube_size: options.cube_size,
            smoothing_passes: options.smoothing_passes,
            ..group.settings()
        };
        let surface = reconstruct(&group.position, &settings).map_err(|error| {
            let name = frame.material_names.get(group.material as usize);
            MeshError::Surface {
                frame: frame.number,
                material: name.cloned().unwrap_or_default(),
                error,
            }
        })?;
        add(&mut all, frame, &group, &surface, &settings);
    }
    Ok(all)
}

fn no_values(name: &'static str) -> Quantity {
    Quantity {
        name,
        ..Quantity::default()
    }
}

/// Adds a surface, which goes under the least body of its particles.
fn add(
    all: &mut FrameColumns,
    frame: &Frame<'_>,
    group: &Group,
    surface: &Surface,
    settings: &SurfaceSettings,
) {
    let carrier = Carrier::new(&group.position, settings);
    group.add(frame, (&surface.mesh, &carrier), all);
    let bodies = group.places.iter().map(|&place| frame.body[place]);
    all.body
        .resize(all.position.len(), bodies.min().unwrap_or_default());
    let colors = group.values(|place| frame.bodies[frame.body[place] as usize].color);
    let colors = carrier.carry(&colors, &surface.mesh.vertices);
    for (normal, color) in surface.normals.iter().zip(colors) {
        let color = color.map(|c| c.clamp(0.0, 1.0));
        let values = normal.iter().copied().chain(color);
        let quantities = all.quantities.iter_mut();
        quantities
            .zip(values)
            .for_each(|(quantity, value)| quantity.values.push(value));
    }
}

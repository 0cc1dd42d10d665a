//! The surfaces of a frame as its columns.

use pliant_core::measure::{Frame, FrameColumns, Quantity};
use pliant_surface::{Carrier, SurfaceError, SurfaceSettings, reconstruct};

use super::group::Group;
use super::maker::SurfaceRequest;

/// What vertices have beside the columns: the names that PLY has for normals, and the colour of the
/// bodies around, sRGB.
const QUANTITIES: [&str; 6] = ["nx", "ny", "nz", "color_r", "color_g", "color_b"];

/// Columns for surfaces, without any.
pub(super) fn empty_columns() -> FrameColumns {
    FrameColumns {
        quantities: QUANTITIES.map(no_values).into(),
        ..FrameColumns::default()
    }
}

fn no_values(name: &'static str) -> Quantity {
    Quantity {
        name,
        ..Quantity::default()
    }
}

/// Adds the surface around some particles, which goes under the least of their bodies.
pub(super) fn add(
    all: &mut FrameColumns,
    frame: &Frame<'_>,
    group: &Group,
    request: &SurfaceRequest,
) -> Result<(), SurfaceError> {
    let settings = SurfaceSettings {
        cube_size: request.cube_size,
        smoothing_passes: request.smoothing_passes,
        ..group.settings()
    };
    let surface = reconstruct(&group.position, &settings)?;
    let carrier = Carrier::new(&group.position, &settings);
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
    Ok(())
}

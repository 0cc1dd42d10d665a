//! Bodies of groups of particles: hexahedra that fill a shape, tetrahedra, or the neighbourhoods of particles.

use std::sync::Arc;

use pliant_core::methods::shape_groups::ParticleGroups;
use pliant_core::world::InitialParticles;
use pliant_geometry::topology::closed;
use pliant_geometry::{CutGrid, Shape, ShapeUse, stuffed};
use pliant_materials::laws::Solid;
use pliant_math::DVec3;
use pliant_parameters::Values;

use super::Builder;
use super::uv_map::uv_map;
use crate::document::address_text;
use crate::methods::BodyItem;
use crate::units::pose;

/// Sides of triangles along a side of a cell that is cut from a surface which has none of its own.
const TRIANGLES_A_CELL: f64 = 4.0;

impl Builder<'_> {
    /// The particles of a body of groups beside others, or `None` after an error was collected.
    pub(crate) fn shape_groups(&mut self, item: BodyItem<'_>) -> Option<InitialParticles> {
        let (path, values) = (item.path, item.values);
        self.check_group_law(path, values, item.material.law.solid()?)?;
        let shape = values.table("shape").map(|shape| shape.named_item().0);
        match shape {
            None => {
                let message = "a body of `shape-groups` has a shape: no emitter can feed it";
                self.fail(path, message, "give it a shape");
                None
            }
            Some("tetrahedra") => {
                let shape = self.shape_of_corners(path, values)?;
                let groups = ParticleGroups::tetrahedra(&shape.tetrahedra()?);
                self.with_groups(item, &shape, groups)
            }
            Some(_) if values.text("groups") == "neighborhoods" => self.neighborhoods(item),
            Some(_) => {
                let shape = self.filled_by_cells(path, values, item.before)?;
                let groups = match values.text("groups") {
                    "cut-cells" => {
                        let may_tear = item.material.law.solid()?.tear_strain.is_some();
                        self.cut_cells((path, values), shape.as_ref(), may_tear)?
                    }
                    "tetrahedra" => self.filled_by_tetrahedra(path, values, shape.as_ref())?,
                    _ => self.hexahedra(path, values, shape.as_ref())?,
                };
                self.with_groups(item, &shape, groups)
            }
        }
    }

    /// Refuses what groups do not do.
    fn check_group_law(&mut self, path: &str, values: &Values, law: &Solid) -> Option<()> {
        let does_not = [
            ("flow", law.plasticity.is_some()),
            ("have fibres", law.fibers.count > 0),
            (
                "tear with a `render_mesh`",
                law.tear_strain.is_some() && values.has("render_mesh"),
            ),
        ];
        let asked = does_not.into_iter().find(|&(_, asked)| asked);
        let Some((what, _)) = asked else {
            return Some(());
        };
        let material = values.text("material");
        let message = format!("bodies of `shape-groups` do not {what}, and its material does");
        let remedy = format!("take `strain-energy`, or another material than \"{material}\"");
        self.fail(&address_text(path, "method"), message, remedy);
        None
    }

    fn with_groups(
        &mut self,
        item: BodyItem<'_>,
        shape: &Arc<dyn Shape>,
        groups: ParticleGroups,
    ) -> Option<InitialParticles> {
        let render_mesh = self.render_mesh(item.path, item.values, shape);
        let volumes = groups.particle_volumes();
        let corners = (groups.rest_position.as_slice(), volumes.as_slice());
        let particles = self.corners(item.path, item.values, item.material, corners)?;
        Some(InitialParticles {
            structure: Some(Arc::new(groups.at(particles.position.clone()))),
            render_mesh,
            uv_map: uv_map(shape.as_ref(), pose(item.values)),
            ..particles
        })
    }

    /// A shape with an end that there is memory for.
    fn filled_by_cells(
        &mut self,
        path: &str,
        values: &Values,
        before: f64,
    ) -> Option<Arc<dyn Shape>> {
        let spacing = values.number("spacing");
        let use_as = ShapeUse {
            is_filled: true,
            is_shell: false,
            is_cloth: false,
            spacing: spacing / values.number("scale"),
        };
        let shape = self.shape(path, values, use_as)?;
        let shape = self.scaled(shape, values);
        if shape.bounds().is_none() || shape.is_thin() {
            let message = "this shape encloses no volume that cells could fill";
            let remedy = "take one such as a box or a closed mesh";
            self.fail(&address_text(path, "shape"), message, remedy);
            return None;
        }
        let spacing_path = address_text(path, "spacing");
        self.has_memory(&spacing_path, shape.as_ref(), spacing, before)
            .then_some(shape)
    }

    /// Cells of a grid whose middles are inside of the shape; the grid fits the box around it.
    fn hexahedra(
        &mut self,
        path: &str,
        values: &Values,
        shape: &dyn Shape,
    ) -> Option<ParticleGroups> {
        let spacing_path = address_text(path, "spacing");
        let (origin, side, count) = fitted_grid(shape, values.number("spacing"))?;
        let cells = cells_inside(shape, origin, side, count);
        if cells.is_empty() {
            let message = "no cell of this spacing has its middle inside of the shape";
            self.fail(&spacing_path, message, "take a smaller spacing");
            return None;
        }
        let filled = cells.len() as f64 * side.x * side.y * side.z;
        let others = "a smaller spacing, or `groups = \"cut-cells\"`, comes closer";
        self.warn_of_volume(&spacing_path, shape, ("hexahedra", filled), others);
        Some(ParticleGroups::hexahedra(&cells, origin, side))
    }

    /// Tetrahedra of a lattice of cubes of the spacing, cut at the surface of the shape.
    fn filled_by_tetrahedra(
        &mut self,
        path: &str,
        values: &Values,
        shape: &dyn Shape,
    ) -> Option<ParticleGroups> {
        let spacing_path = address_text(path, "spacing");
        let mesh = match stuffed(shape, values.number("spacing")) {
            Ok(mesh) => mesh,
            Err(fault) => {
                let message = format!("tetrahedra of this spacing do not fill the shape: {fault}");
                self.fail(&spacing_path, &message, "take a smaller spacing");
                return None;
            }
        };
        let filled = mesh.vertex_volumes().iter().sum();
        let others = "a smaller spacing comes closer";
        self.warn_of_volume(&spacing_path, shape, ("tetrahedra", filled), others);
        Some(ParticleGroups::tetrahedra(&mesh))
    }

    /// The pieces of the surface of the shape in the cells of the grid that fits it.
    fn cut_cells(
        &mut self,
        (path, values): (&str, &Values),
        shape: &dyn Shape,
        may_tear: bool,
    ) -> Option<ParticleGroups> {
        let (origin, side, _) = fitted_grid(shape, values.number("spacing"))?;
        let kind = values.table("shape").map(|shape| shape.named_item().0);
        let is_distance = matches!(kind, Some("sdf" | "particles"));
        let by_default = is_distance.then(|| values.number("spacing") / TRIANGLES_A_CELL);
        let size = shape.bounds()?.extent().length();
        let surface = self.triangles_of((path, values), shape, size, by_default)?;
        match closed(&surface) {
            Ok(mesh) => {
                let grid = CutGrid { origin, side };
                Some(match may_tear {
                    true => ParticleGroups::cut_cells_that_tear(&mesh, grid),
                    false => ParticleGroups::cut_cells(&mesh, grid),
                })
            }
            Err(fault) => {
                let message = format!("cells are cut from a closed surface: {fault}");
                self.fail(&address_text(path, "shape"), &message, fault.remedy());
                None
            }
        }
    }

    /// Particles that fill the shape; each and those around it are a group.
    fn neighborhoods(&mut self, item: BodyItem<'_>) -> Option<InitialParticles> {
        let (path, values) = (item.path, item.values);
        let density = item.material.density;
        let particles = self.particles(path, values, density, item.colliders, item.before)?;
        let support_radius = values.number("support_radius") * values.number("spacing");
        let groups = ParticleGroups::neighborhoods(
            particles.position.clone(),
            support_radius,
            particles.particle_volume,
        );
        if groups.is_empty() {
            let message = "no particle has neighbours on three sides, so that there is no group";
            let remedy = "take a smaller spacing or a larger `support_radius`";
            self.fail(&address_text(path, "spacing"), message, remedy);
            return None;
        }
        Some(InitialParticles {
            structure: Some(Arc::new(groups)),
            ..particles
        })
    }
}

/// The grid that fits the box around a shape: its corner, the sides of cells of about a spacing [m], and how many
/// there are along each axis.
fn fitted_grid(shape: &dyn Shape, spacing: f64) -> Option<(DVec3, DVec3, DVec3)> {
    let bounds = shape.bounds()?;
    let extent = bounds.max - bounds.min;
    let count = (extent / spacing).round().max(DVec3::ONE);
    Some((bounds.min, extent / count, count))
}

/// The cells whose middles are inside of a shape.
///
/// * `origin` — a corner of the grid [m]
/// * `side` — of the cells [m]
/// * `count` — of cells along each axis
fn cells_inside(shape: &dyn Shape, origin: DVec3, side: DVec3, count: DVec3) -> Vec<[i64; 3]> {
    let [nx, ny, nz] = count.to_array().map(|n| n as i64);
    let all = (0..nx * ny * nz).map(|k| [k % nx, k / nx % ny, k / (nx * ny)]);
    let middle =
        |cell: &[i64; 3]| origin + side * (DVec3::from_array(cell.map(|c| c as f64)) + 0.5);
    all.filter(|cell| shape.signed_distance(middle(cell)) < 0.0)
        .collect()
}

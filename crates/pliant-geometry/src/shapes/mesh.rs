//! The inside of a closed triangle mesh.

use std::sync::{Arc, OnceLock};

use pliant_math::DVec3;
use pliant_parameters::{Field, Kind, Problem, Range, Values};

use super::{FILE, SCALE, Shell};
use crate::bake::{BakeFault, DistanceGrid};
use crate::repair::{self, Repair};
use crate::{
    Aabb, Loop, MeshSource, Shape, ShapeKind, ShapeUse, TexturedMesh, TriangleMesh, integration,
    topology,
};

/// Cells along the longest edge of a mesh, at least, however coarse the particles.
const LEAST_CELLS: f64 = 100.0;

const FIT: Field = Field::optional(
    "fit",
    Kind::Number(Range::POSITIVE),
    "m",
    "Length that the longest edge of its bounding box shall have, whatever the unit of the file: in place of `scale`.",
);

const ANCHOR: Field = Field::optional(
    "anchor",
    Kind::Vector(3, Range::UNIT),
    "",
    "The point of its bounding box that stands at the origin of the shape, from 0 to 1 along each axis: [0.5, 0.5, 0.5] is its middle, [0.5, 0, 0.5] the middle of its underside where y is up. If missing, the file's own origin.",
);

const REPAIR: Field = Field::optional(
    "repair",
    Kind::Choice(&["fill-holes", "winding", "voxels"]),
    "",
    "What is done with a mesh that encloses nothing as it is. `fill-holes` puts triangles across its holes and turns those that face against their neighbours; all others stay. `winding` makes a new surface around what the triangles go around more than half, whether they cross, overlap or leave gaps, as long as most of them face outwards. `voxels` makes a new surface around what cannot be reached from outside, whichever way triangles face; walls thinner than a cell are lost where both their sides are reached. New surfaces are resolved by half a spacing, or a 256th of the mesh. If missing, the mesh must be closed.",
);

const GAP: Field = Field::optional(
    "gap",
    Kind::Number(Range::POSITIVE),
    "m",
    "With `repair = \"voxels\"`: openings that are narrower are closed. If missing, three cells.",
);

/// The point of a mesh that is the origin of the shape.
fn origin(mesh: &TriangleMesh, values: &Values) -> DVec3 {
    let Some(anchor) = values.optional_vector3("anchor") else {
        return DVec3::ZERO;
    };
    let bounds = mesh.bounds();
    bounds.min + DVec3::from_array(anchor) * bounds.extent()
}

/// A mesh with its anchor at the origin.
fn placed(mut mesh: Arc<TriangleMesh>, origin: DVec3) -> Arc<TriangleMesh> {
    if origin != DVec3::ZERO {
        for vertex in &mut Arc::make_mut(&mut mesh).vertices {
            *vertex -= origin;
        }
    }
    mesh
}

/// What is wrong with the texture coordinates of a file.
fn texture_warning(meshes: &dyn MeshSource, file: &str) -> Option<Problem> {
    let damage = meshes.texture_damage(file)?;
    Some(Problem::at(
        "file",
        format!("{file}: texture coordinates are left out where they are damaged: {damage}"),
        "unwrap the mesh anew in the program that made it, or export it without texture coordinates",
    ))
}

/// What shall be done with a mesh that is not closed.
fn repair(values: &Values) -> Result<Option<Repair>, Problem> {
    let gap = values.optional_number("gap");
    let repair = values.optional_text("repair").map(|how| match how {
        "fill-holes" => Repair::FillHoles,
        "winding" => Repair::Winding,
        _ => Repair::Voxels(gap.unwrap_or(0.0)),
    });
    match (repair, gap) {
        (Some(Repair::Voxels(_)), _) | (_, None) => Ok(repair),
        (_, Some(_)) => Err(Problem::at(
            "gap",
            "only voxels know of a gap",
            "write repair = \"voxels\", or leave the key out",
        )),
    }
}

/// The inside of a mesh that is closed first.
fn repaired(
    mesh: &TriangleMesh,
    how: Repair,
    scale: f64,
    use_as: ShapeUse,
    meshes: &dyn MeshSource,
    file: &str,
) -> Result<MeshShape, Problem> {
    if use_as.is_cloth {
        return Err(Problem::at(
            "repair",
            "a body of cloth is the surface of its mesh, which need not enclose anything",
            "leave the key out",
        ));
    }
    meshes.report_progress("repairing a mesh");
    let mut mesh = mesh.clone();
    for vertex in &mut mesh.vertices {
        *vertex *= scale;
    }
    let (bounds, cell) = (mesh.bounds(), cell(&mesh, use_as.spacing));
    DistanceGrid::check(bounds, cell)
        .map_err(|fault| too_fine(fault, bounds.extent().max_element()))?;
    let repaired = repair::repaired(&mesh, how, cell, meshes.work()).map_err(|fault| {
        let message = format!("{file}, once repaired: {fault}");
        Problem::at("repair", message, fault.remedy_after_repair())
    })?;
    let mut shape = MeshShape::new(repaired.mesh, 1.0, use_as.spacing, meshes.work())?;
    let told = |done| format!("{file} was repaired: {done}");
    shape.repair = repaired.done.map(told);
    Ok(shape)
}

/// Cells that resolve a mesh for particles of `spacing` [m].
fn cell(mesh: &TriangleMesh, spacing: f64) -> f64 {
    let coarsest = mesh.bounds().extent().max_element() / LEAST_CELLS;
    match spacing > 0.0 {
        true => coarsest.min(0.5 * spacing),
        false => coarsest,
    }
}

/// What is wrong with a mesh of a size [m] whose distance needs too many cells.
fn too_fine(fault: BakeFault, size: f64) -> Problem {
    Problem::at(
        "scale",
        format!(
            "the mesh is {size:.3} m long, which at half the particle spacing makes {:.0} grid cells a side: its \
             distance needs more than 2 GB",
            fault.cells
        ),
        "check the scale of the file (0.001 if it is in millimetres), take a larger spacing or a smaller mesh",
    )
}

/// The inside of a closed triangle mesh, through a distance baked on a grid.
///
/// Shells that overlap count as one solid, but the distance inside it still falls to zero at the
/// hidden parts of the surface.
#[derive(Debug)]
pub struct MeshShape {
    mesh: TriangleMesh,
    distance: DistanceGrid,
    volume: OnceLock<f64>,
    /// What was done to close it.
    repair: Option<String>,
    textured: Option<TexturedMesh>,
    /// What its texture coordinates are warned of.
    texture_warning: Option<Problem>,
}

impl MeshShape {
    pub(super) const KIND: ShapeKind = ShapeKind {
        name: "mesh",
        doc: "The inside of a closed triangle mesh from a file (OBJ, STL, PLY, glTF, USD). For a collider with \
              `two_sided = true` and for a body of cloth the mesh may be open.",
        fields: &[FILE, SCALE, FIT, ANCHOR, REPAIR, GAP],
        build: |values, meshes, use_as| {
            let file = values.text("file");
            let mesh = meshes.mesh(file)?;
            let origin = origin(&mesh, values);
            let mesh = placed(mesh, origin);
            let scale = match values.optional_number("fit") {
                Some(fit) => fit / mesh.bounds().extent().max_element(),
                None => values.number("scale"),
            };
            let is_body = use_as.is_filled || use_as.is_cloth;
            let textured = is_body.then(|| meshes.textured(file)).flatten();
            let textured = textured.map(|textured| textured.moved(|x| (x - origin) * scale));
            let warning = is_body.then(|| texture_warning(meshes, file)).flatten();
            if let Some(repair) = repair(values)? {
                let mut shape = repaired(&mesh, repair, scale, use_as, meshes, file)?;
                shape.textured = textured;
                shape.texture_warning = warning;
                return Ok(Arc::new(shape));
            }
            let closed = match topology::closed(&mesh) {
                _ if use_as.is_cloth => None,
                Err(fault) if !use_as.is_shell => return Err(fault.problem("file", file)),
                closed => closed.ok(),
            };
            match closed {
                Some(closed) => {
                    let mut shape = Self::new(closed, scale, use_as.spacing, meshes.work())?;
                    shape.textured = textured;
                    shape.texture_warning = warning;
                    Ok(Arc::new(shape))
                }
                None => {
                    let shell = Shell::new(&mesh, scale);
                    let mut shell = shell.map_err(|fault| fault.problem("file", file))?;
                    shell.textured = textured;
                    shell.warning = warning;
                    Ok(Arc::new(shell))
                }
            }
        },
    };

    /// Bakes a mesh that [`topology::closed`] returned, for particles of `spacing` [m], in the pieces
    /// of a loop.
    ///
    /// # Errors
    /// If cells of half the spacing are too many for the size of the mesh.
    pub fn new(
        mut mesh: TriangleMesh,
        scale: f64,
        spacing: f64,
        run: Loop,
    ) -> Result<Self, Problem> {
        for vertex in &mut mesh.vertices {
            *vertex *= scale;
        }
        let size = mesh.bounds().extent().max_element();
        let cell = cell(&mesh, spacing);
        let distance = DistanceGrid::bake(&mesh, cell, run).map_err(|f| too_fine(f, size))?;
        Ok(Self {
            mesh,
            distance,
            volume: OnceLock::new(),
            repair: None,
            textured: None,
            texture_warning: None,
        })
    }
}

impl Shape for MeshShape {
    fn signed_distance(&self, point: DVec3) -> f64 {
        self.distance.signed_distance(point)
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        self.distance.normal(point)
    }

    fn bounds(&self) -> Option<Aabb> {
        Some(self.mesh.bounds())
    }

    fn volume(&self) -> Option<f64> {
        let compute = || {
            if self.distance.is_simple() {
                self.mesh.volume()
            } else {
                integration::volume(self, self.mesh.bounds())
            }
        };
        Some(*self.volume.get_or_init(compute))
    }

    fn surface(&self, _size: f64) -> TriangleMesh {
        self.mesh.clone()
    }

    fn textured(&self) -> Option<TexturedMesh> {
        self.textured.clone()
    }

    fn hides_surface(&self) -> bool {
        !self.distance.is_simple()
    }

    fn warnings(&self) -> Vec<Problem> {
        let told = |done: &String| Problem {
            key: Some("repair".into()),
            message: done.clone(),
            remedy: None,
        };
        let repair = self.repair.iter().map(told);
        repair.chain(self.texture_warning.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use pliant_parameters::Value;

    use super::*;
    use crate::ShapeUse;
    use crate::shapes::{Cylinder, build};

    /// A can 200 wide and 500 high, somewhere: in millimetres, as files often are.
    struct Can;

    impl MeshSource for Can {
        fn mesh(&self, _: &str) -> Result<Arc<TriangleMesh>, Problem> {
            let can = Cylinder {
                radius: 100.0,
                height: 500.0,
            };
            let mut mesh = can.surface(1.0);
            for vertex in &mut mesh.vertices {
                *vertex += DVec3::new(1e3, -4e3, 70.0);
            }
            Ok(Arc::new(mesh))
        }
    }

    fn can(keys: &[(&str, Value)]) -> Aabb {
        let mut file = Values::default();
        file.insert("file", Value::Text("can.obj".into()));
        file.insert("scale", Value::Number(1e-3));
        for (key, value) in keys {
            file.insert(*key, value.clone());
        }
        let mut table = Values::default();
        table.insert("mesh", Value::Table(file));
        let use_as = ShapeUse {
            is_filled: true,
            is_shell: false,
            is_cloth: false,
            spacing: 0.05,
        };
        build(&table, &Can, use_as).unwrap().bounds().unwrap()
    }

    #[test]
    fn a_mesh_is_fitted_and_stands_on_its_anchor() {
        let anchor = |at: [f64; 3]| Value::List(at.map(Value::Number).to_vec());
        let fitted = can(&[
            ("fit", Value::Number(1.0)),
            ("anchor", anchor([0.5, 0.0, 0.5])),
        ]);
        assert!(fitted.min.y.abs() < 1e-9 && (fitted.max.y - 1.0).abs() < 1e-9);
        assert!((fitted.max.x - 0.2).abs() < 1e-3 && (fitted.max.x + fitted.min.x).abs() < 1e-9);
        let scaled = can(&[("anchor", anchor([0.5, 0.5, 0.5]))]);
        assert!(scaled.center().length() < 1e-9);
        assert!((scaled.extent().y - 0.5).abs() < 1e-9);
        let own = can(&[]);
        assert!((own.center() - DVec3::new(1.0, -4.0, 0.07)).length() < 1e-3);
    }
}

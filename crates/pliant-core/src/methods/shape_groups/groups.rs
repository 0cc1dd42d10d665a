//! Bodies at rest as groups of particles: hexahedra, tetrahedra, neighbourhoods, or any other sets.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use pliant_geometry::{CutCells, CutGrid, CutSurface, TetrahedralMesh, TriangleMesh};
use pliant_math::DVec3;

use super::heights::Heights;
use super::moments::Moments;
use crate::contacts::RADII_SHARE;
use crate::rest::RestShape;

/// Half of the distance that surfaces keep is this part of the height of their triangles, which would push their own
/// neighbours away otherwise...
const SHARE_OF_HEIGHT: f64 = 0.25;
/// ...at most so many spacings...
const GREATEST_RADIUS: f64 = 0.05;
/// ...and at least so many, so that it is not zero where triangles are.
const LEAST_RADIUS: f64 = 1e-6;

/// Triangles are slivers whose height would admit less than this part of the distance.
const LOW: f64 = 0.8;

/// A body at rest, made of groups of particles, each of which deforms as one.
#[derive(Clone, Debug, Default)]
pub struct ParticleGroups {
    /// Where the particles are at rest [m].
    pub rest_position: Vec<DVec3>,
    /// Where the members of each group begin, and the end.
    starts: Vec<u32>,
    /// Particles of each group.
    members: Vec<u32>,
    /// Volume of each group [m3], > 0.
    pub volume: Vec<f64>,
    /// Corners of the triangles of the surface, counter-clockwise seen from outside; empty if its particles
    /// are met as balls.
    pub triangles: Vec<[u32; 3]>,
    /// Corners of the faces of each group, as many of each, counter-clockwise seen from outside, the last one twice for
    /// triangles; empty if they are not known.
    faces: Vec<[u32; 4]>,
    /// The faces of cut cells that may tear.
    cut: Option<CutSurface>,
    /// How fine the surface is, if there is one.
    heights: Option<Heights>,
    /// The longest side of the box around them, as they were made [m].
    extent: f64,
    /// The shortest side of their cells [m]; `None` if they are none of a grid.
    least_side: Option<f64>,
    /// Whether members are finer than their groups, whose shape they are to have.
    holds_fine_modes: bool,
    /// Who is near whom, once it was asked for.
    rest_shape: OnceLock<Arc<RestShape>>,
    /// See [`Self::squared_frequency`], once it was asked for.
    squared_frequency: OnceLock<f64>,
}

/// Pieces of a smaller part of a cell than this join a neighbour.
const SLIVER: f64 = 0.05;

/// The corners of a cell, x fastest.
const CORNERS: [[i64; 3]; 8] = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [1, 1, 0],
    [0, 0, 1],
    [1, 0, 1],
    [0, 1, 1],
    [1, 1, 1],
];

/// The faces of a cell as corners, counter-clockwise seen from outside, and the way to the cell beyond.
const FACES: [([usize; 4], [i64; 3]); 6] = [
    ([0, 4, 6, 2], [-1, 0, 0]),
    ([1, 3, 7, 5], [1, 0, 0]),
    ([0, 1, 5, 4], [0, -1, 0]),
    ([2, 6, 7, 3], [0, 1, 0]),
    ([0, 2, 3, 1], [0, 0, -1]),
    ([4, 5, 7, 6], [0, 0, 1]),
];

impl ParticleGroups {
    /// Groups of any particles.
    ///
    /// * `groups` — particles of each, each once
    /// * `volume` — of each [m3], > 0
    /// * `triangles` — of the surface, counter-clockwise seen from outside
    pub fn new(
        rest_position: Vec<DVec3>,
        groups: &[Vec<u32>],
        volume: Vec<f64>,
        triangles: Vec<[u32; 3]>,
    ) -> Self {
        let mut starts = vec![0];
        let mut members = Vec::new();
        for group in groups {
            members.extend_from_slice(group);
            starts.push(members.len() as u32);
        }
        let heights = Heights::of(&rest_position, &triangles);
        let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let around = |(least, most): (DVec3, DVec3), &x: &DVec3| (least.min(x), most.max(x));
        let (least, most) = rest_position.iter().fold(none, around);
        Self {
            rest_position,
            starts,
            members,
            volume,
            triangles,
            faces: Vec::new(),
            cut: None,
            heights,
            extent: (most - least).max_element(),
            least_side: None,
            holds_fine_modes: false,
            rest_shape: OnceLock::new(),
            squared_frequency: OnceLock::new(),
        }
    }

    /// Hexahedra: cells of a grid, whose corners are the particles, in order of their cells.
    ///
    /// * `cells` — the cells, each once
    /// * `origin` — corner of the cell [0, 0, 0] [m]
    /// * `side` — of the cells along each axis [m], > 0
    pub fn hexahedra(cells: &[[i64; 3]], origin: DVec3, side: DVec3) -> Self {
        let mut number: BTreeMap<[i64; 3], u32> = BTreeMap::new();
        let corner = |cell: [i64; 3], k: usize| {
            let [x, y, z] = CORNERS[k];
            // z first, so that the order of the map is that of the planes.
            [cell[2] + z, cell[1] + y, cell[0] + x]
        };
        for &cell in cells {
            for k in 0..8 {
                number.insert(corner(cell, k), 0);
            }
        }
        let mut rest_position = Vec::with_capacity(number.len());
        for (k, (&[z, y, x], value)) in (0..).zip(number.iter_mut()) {
            *value = k;
            rest_position.push(origin + side * DVec3::new(x as f64, y as f64, z as f64));
        }
        let place = |cell: [i64; 3], k: usize| number[&corner(cell, k)];
        let groups: Vec<Vec<u32>> = cells
            .iter()
            .map(|&cell| (0..8).map(|k| place(cell, k)).collect())
            .collect();
        let volume = vec![side.x * side.y * side.z; cells.len()];
        let is_full: HashMap<[i64; 3], ()> = cells.iter().map(|&cell| (cell, ())).collect();
        let (mut triangles, mut faces) = (Vec::new(), Vec::new());
        for &cell in cells {
            for (face, [x, y, z]) in FACES {
                let beyond = [cell[0] + x, cell[1] + y, cell[2] + z];
                let corners = face.map(|k| place(cell, k));
                faces.push(corners);
                if !is_full.contains_key(&beyond) {
                    let [a, b, c, d] = corners;
                    // The diagonal changes from face to face, so that none is weaker than the others.
                    match cell.iter().sum::<i64>() % 2 == 0 {
                        true => triangles.extend([[a, b, c], [a, c, d]]),
                        false => triangles.extend([[a, b, d], [b, c, d]]),
                    }
                }
            }
        }
        Self {
            faces,
            least_side: Some(side.min_element()),
            ..Self::new(rest_position, &groups, volume, triangles)
        }
    }

    /// Tetrahedra, which give the forces of linear finite elements.
    pub fn tetrahedra(mesh: &TetrahedralMesh) -> Self {
        let position = mesh.vertices().to_vec();
        let groups: Vec<Vec<u32>> = mesh.tetrahedra().iter().map(|t| t.to_vec()).collect();
        let volume = |t: &[u32; 4]| {
            let [a, b, c, d] = t.map(|k| position[k as usize]);
            (b - a).cross(c - a).dot(d - a).abs() / 6.0
        };
        let volumes = mesh.tetrahedra().iter().map(volume).collect();
        let faces = |t: &[u32; 4]| {
            let [a, b, c, d] = *t;
            [[b, c, d, d], [a, d, c, c], [a, b, d, d], [a, c, b, b]]
        };
        Self {
            faces: mesh.tetrahedra().iter().flat_map(faces).collect(),
            ..Self::new(position, &groups, volumes, mesh.boundary())
        }
    }

    /// Cells of a closed mesh cut by a grid: one group for each connected piece, whose volume is exact. The vertices
    /// of the mesh are particles, so that the surface that moves is the given one, and so are the corners that the
    /// cuts make.
    ///
    /// They do not tear: see [`Self::cut_cells_that_tear`].
    ///
    /// * `mesh` — closed, counter-clockwise seen from outside
    /// * `grid` — the planes; pieces of less than a twentieth of a cell join a neighbour
    pub fn cut_cells(mesh: &TriangleMesh, grid: CutGrid) -> Self {
        Self::of_cells(mesh, merged_cells(mesh, grid), grid)
    }

    /// The same of what may tear: the surface closes with the faces of the cells behind those that are taken away.
    pub fn cut_cells_that_tear(mesh: &TriangleMesh, grid: CutGrid) -> Self {
        let cells = merged_cells(mesh, grid);
        let cut = CutSurface::new(mesh, &cells);
        let mut groups = Self::of_cells(mesh, cells, grid);
        if let Some(heights) = &mut groups.heights {
            // Planes make slivers of any height.
            heights.least = 0.0;
        }
        Self {
            cut: Some(cut),
            ..groups
        }
    }

    fn of_cells(mesh: &TriangleMesh, cut: CutCells, grid: CutGrid) -> Self {
        let volume = cut.cells.iter().map(|cell| cell.volume).collect();
        let groups: Vec<Vec<u32>> = cut.cells.into_iter().map(|cell| cell.vertices).collect();
        Self {
            holds_fine_modes: true,
            least_side: Some(grid.side.min_element()),
            ..Self::new(cut.vertices, &groups, volume, mesh.triangles.clone())
        }
    }

    /// Neighbourhoods: each particle and those around it, with the volume of that particle. They overlap, and have
    /// no surface: particles are met as balls. Those that lie on a line are left out.
    ///
    /// * `support_radius` — particles closer than this [m] are neighbours
    /// * `particle_volume` — of each particle [m3]
    pub fn neighborhoods(
        rest_position: Vec<DVec3>,
        support_radius: f64,
        particle_volume: f64,
    ) -> Self {
        let shape = RestShape::new(rest_position.clone(), support_radius);
        let group = |particle: usize| {
            let mut members = vec![particle as u32];
            members.extend_from_slice(shape.neighbors_of(particle));
            members
        };
        let groups = (0..shape.len()).map(group);
        let spans_plane = |members: &Vec<u32>| {
            let position = members.iter().map(|&k| rest_position[k as usize]);
            let position: Vec<DVec3> = position.collect();
            Moments::of(&position, &vec![1.0; position.len()]).has_plane()
        };
        let groups: Vec<Vec<u32>> = groups.filter(spans_plane).collect();
        let volume = vec![particle_volume; groups.len()];
        Self::new(rest_position, &groups, volume, Vec::new())
    }

    /// The same at rest elsewhere.
    ///
    /// * `rest_position` — of the same particles [m], moved and turned as one
    pub fn at(self, rest_position: Vec<DVec3>) -> Self {
        Self {
            rest_position,
            rest_shape: OnceLock::new(),
            ..self
        }
    }

    /// The particles with those nearer than a radius [m], that of the first call.
    pub fn rest_shape(&self, support_radius: f64) -> &Arc<RestShape> {
        let shape = || Arc::new(RestShape::new(self.rest_position.clone(), support_radius));
        self.rest_shape.get_or_init(shape)
    }

    /// Square of the frequency of groups whose members move freely, over the modulus [1/(Pa s2)]: V over a third of the
    /// trace of Q, as of the cube of that moment, since stress goes on along the long sides of thin groups. The mean of
    /// fourth powers by volumes: those of light corners count, but no single sliver decides. Where there are more groups
    /// than particles, as with tetrahedra, the groups of a particle act on it together: a factor of their ratio, whose
    /// power is fitted to balls and boxes that fall.
    ///
    /// * `mass` — of each particle [kg], > 0, that of the first call
    pub fn squared_frequency(&self, mass: impl Fn(usize) -> f64) -> f64 {
        let of_group = |group: usize| {
            let members = self.members_of(group).iter().map(|&k| k as usize);
            let (position, mass): (Vec<DVec3>, Vec<f64>) =
                members.map(|k| (self.rest_position[k], mass(k))).unzip();
            3.0 * self.volume[group] / Moments::of(&position, &mass).trace()
        };
        let mean = || {
            let (mut sum, mut total) = (0.0, 0.0);
            for (group, &volume) in self.volume.iter().enumerate() {
                sum += of_group(group).powi(4) * volume;
                total += volume;
            }
            let a_particle = self.len() as f64 / self.rest_position.len().max(1) as f64;
            (sum / total).sqrt().sqrt() * libm::pow(a_particle.max(1.0), 1.25)
        };
        *self.squared_frequency.get_or_init(mean)
    }

    /// Number of groups.
    pub fn len(&self) -> usize {
        self.volume.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.volume.is_empty()
    }

    /// The particles of a group.
    pub fn members_of(&self, group: usize) -> &[u32] {
        let [start, end] = [group, group + 1].map(|k| self.starts[k] as usize);
        &self.members[start..end]
    }

    /// Whether groups can be taken away: their faces are known, or they have none.
    pub fn can_tear(&self) -> bool {
        self.triangles.is_empty() || !self.faces.is_empty() || self.cut.is_some()
    }

    /// The triangles of the surface of what is left.
    ///
    /// * `is_torn` — whether each group is no longer there
    pub fn surface_of_rest(&self, is_torn: &[bool]) -> Vec<[u32; 3]> {
        if !is_torn.contains(&true) {
            return self.triangles.clone();
        }
        if let Some(cut) = &self.cut {
            return cut.of_rest(&self.rest_position, is_torn);
        }
        let of_one = self.faces.len() / self.len();
        let left = self.faces.chunks(of_one.max(1)).zip(is_torn);
        let left = left.filter(|(_, is_torn)| !**is_torn);
        let mut sides: BTreeMap<[u32; 4], Option<[u32; 4]>> = BTreeMap::new();
        for &face in left.flat_map(|(faces, _)| faces) {
            let mut key = face;
            key.sort_unstable();
            // What two groups share lies inside.
            sides
                .entry(key)
                .and_modify(|side| *side = None)
                .or_insert(Some(face));
        }
        let outer = sides.into_values().flatten();
        outer
            .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]])
            .filter(|[_, b, c]| b != c)
            .collect()
    }

    /// The share of each particle in the volumes of its groups [m3]: as much of each as any other.
    pub fn particle_volumes(&self) -> Vec<f64> {
        let mut volumes = vec![0.0; self.rest_position.len()];
        for group in 0..self.len() {
            let members = self.members_of(group);
            let share = self.volume[group] / members.len() as f64;
            for &particle in members {
                volumes[particle as usize] += share;
            }
        }
        volumes
    }

    /// Whether members are finer than their groups: beside stretch and shear, these bend and twist as hexahedra do,
    /// and members go with them.
    pub fn holds_fine_modes(&self) -> bool {
        self.holds_fine_modes
    }

    /// The mean distance of particles that were asked to be so far apart [m]: a body that is smaller is one cell.
    pub fn spacing(&self, asked: f64) -> f64 {
        asked.min(self.extent)
    }

    /// The same across the body where it is thinnest: the shortest side of its cells [m].
    pub fn least_side(&self, asked: f64) -> f64 {
        let spacing = self.spacing(asked);
        self.least_side.map_or(spacing, |side| side.min(spacing))
    }

    /// Half of the distance [m] that its surface keeps; `None` without triangles.
    ///
    /// * `spacing` — of the body [m]
    pub fn surface_radius(&self, spacing: f64) -> Option<f64> {
        let has_slivers = self.distance_of_slivers(spacing).is_some();
        let share = if has_slivers { 0.5 } else { 1.0 };
        Some(share * self.radius_of_most(spacing)?)
    }

    /// The same for most of the triangles.
    fn radius_of_most(&self, spacing: f64) -> Option<f64> {
        let spacing = self.spacing(spacing);
        let bounds = [LEAST_RADIUS * spacing, GREATEST_RADIUS * spacing];
        Some((SHARE_OF_HEIGHT * self.heights?.most).clamp(bounds[0], bounds[1]))
    }

    /// A distance [m], if some triangles are so low that parts of the surface are nearer to each other at rest and would
    /// meet: twice that up to which surfaces meet, which then is half of what it is otherwise, so that parts at rest are
    /// soon told to be far enough apart.
    ///
    /// * `spacing` — of the body [m]
    pub fn distance_of_slivers(&self, spacing: f64) -> Option<f64> {
        let radius = self.radius_of_most(spacing)?;
        (SHARE_OF_HEIGHT * self.heights?.least < LOW * radius).then_some(2.0 * RADII_SHARE * radius)
    }

    /// Pairs of particles that hold each other: a chain through each group.
    ///
    /// * `is_torn` — whether each group is no longer there; empty if all are
    pub fn links<'a>(&'a self, is_torn: &'a [bool]) -> impl Iterator<Item = [u32; 2]> + 'a {
        let is_there = |group: &usize| !is_torn.get(*group).copied().unwrap_or(false);
        let groups = (0..self.len()).filter(is_there);
        let groups = groups.map(|group| self.members_of(group));
        groups.flat_map(|members| members.windows(2).map(|pair| [pair[0], pair[1]]))
    }
}

/// The pieces of a mesh in the cells of a grid, slivers joined with a neighbour.
fn merged_cells(mesh: &TriangleMesh, grid: CutGrid) -> CutCells {
    let cell = grid.side.x * grid.side.y * grid.side.z;
    CutCells::new(mesh, grid).merged(SLIVER * cell)
}

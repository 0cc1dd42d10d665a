//! The surface of a signed distance as triangles, by naive surface nets (Gibson 1998): a vertex in
//! every cell that the surface passes through, a quadrilateral across every grid edge it cuts.

use pliant_math::DVec3;

use crate::{Aabb, Shape, TriangleMesh};

/// Cells along the longest edge of the bounds, of a surface for pictures.
const CELLS: f64 = 96.0;
/// Nodes that a grid may have: their numbers take eight bytes each.
const MOST_NODES: f64 = 3e7;
/// Blocks up to so many nodes wide are evaluated node by node.
const SMALL_BLOCK: usize = 4;
const NO_VERTEX: u32 = u32::MAX;

/// The closed surface of the part of `shape` inside `bounds`, caps included where bounds cut it.
pub(crate) fn surface_nets(shape: &dyn Shape, bounds: Aabb) -> TriangleMesh {
    let cell = bounds.extent().max_element() / CELLS;
    match cell > 0.0 && cell.is_finite() {
        true => with_cells(shape, bounds, cell),
        false => TriangleMesh::default(),
    }
}

/// The closed surface of a shape with an end, of triangles with sides of about `spacing` [m]: vertices lie on it, sharp
/// edges are cut off by less than that, and what is thinner is not seen. `None` if it has no end, or too many triangles.
pub fn meshed(shape: &dyn Shape, spacing: f64) -> Option<TriangleMesh> {
    let bounds = shape.bounds()?;
    let nodes = (bounds.extent() / spacing + 4.0).to_array();
    (nodes.iter().product::<f64>() <= MOST_NODES).then(|| with_cells(shape, bounds, spacing))
}

fn with_cells(shape: &dyn Shape, bounds: Aabb, cell: f64) -> TriangleMesh {
    let mut grid = NodeGrid::around(bounds, cell, 1.5 * cell);
    grid.evaluate(shape, [0; 3], grid.nodes);
    grid.close_rim();
    grid.surface(|start| onto_surface(shape, start, cell))
}

/// Newton steps along the normal, at most a cell away.
fn onto_surface(shape: &dyn Shape, start: DVec3, cell: f64) -> DVec3 {
    let mut point = start;
    for _ in 0..2 {
        let distance = shape.signed_distance(point);
        point -= distance.clamp(-cell, cell) * shape.normal(point);
    }
    start + (point - start).clamp_length_max(cell)
}

/// Numbers at the nodes of a grid, negative inside.
pub(crate) struct NodeGrid {
    origin: DVec3,
    /// Between neighbours [m].
    pub(crate) cell: f64,
    /// How many there are along each axis.
    pub(crate) nodes: [usize; 3],
    /// In the order of x, then y, then z.
    pub(crate) values: Vec<f64>,
}

impl NodeGrid {
    /// Zeros on a grid that reaches beyond bounds by a margin [m].
    pub(crate) fn around(bounds: Aabb, cell: f64, margin: f64) -> Self {
        let extent = bounds.extent() + DVec3::splat(2.0 * margin);
        let nodes = extent.to_array().map(|e| (e / cell).ceil() as usize + 1);
        Self {
            origin: bounds.min - DVec3::splat(margin),
            cell,
            nodes,
            values: vec![0.0; nodes[0] * nodes[1] * nodes[2]],
        }
    }

    /// The closed surface where the numbers change their sign, positive at the outermost nodes; `onto` says where a
    /// vertex shall be that is about there.
    pub(crate) fn surface(&self, onto: impl Fn(DVec3) -> DVec3) -> TriangleMesh {
        let (vertices, vertex_of_cell) = self.place_vertices(onto);
        TriangleMesh {
            vertices,
            triangles: self.connect(&vertex_of_cell),
        }
    }

    /// The place of a node among the numbers.
    pub(crate) fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.nodes[1] + y) * self.nodes[0] + x
    }

    /// Where a node is [m].
    pub(crate) fn position(&self, node: [usize; 3]) -> DVec3 {
        self.origin + self.cell * DVec3::from(node.map(|i| i as f64))
    }

    /// Fills a block of nodes, halving it until the distance at its middle settles the sign.
    fn evaluate(&mut self, shape: &dyn Shape, low: [usize; 3], high: [usize; 3]) {
        let widths: [usize; 3] = std::array::from_fn(|a| high[a] - low[a]);
        let middle = 0.5 * (self.position(low) + self.position(high.map(|i| i - 1)));
        let distance = shape.signed_distance(middle);
        if distance.abs() > middle.distance(self.position(low)) {
            self.for_nodes(low, high, |_| distance);
        } else if widths.iter().all(|w| *w <= SMALL_BLOCK) {
            self.for_nodes(low, high, |point| shape.signed_distance(point));
        } else {
            let axis = (0..3).max_by_key(|a| widths[*a]).unwrap_or(0);
            let (mut lower_high, mut upper_low) = (high, low);
            lower_high[axis] = low[axis] + widths[axis] / 2;
            upper_low[axis] = lower_high[axis];
            self.evaluate(shape, low, lower_high);
            self.evaluate(shape, upper_low, high);
        }
    }

    fn for_nodes(&mut self, low: [usize; 3], high: [usize; 3], value: impl Fn(DVec3) -> f64) {
        for node in nodes(low, high) {
            let index = self.index(node);
            self.values[index] = value(self.position(node));
        }
    }

    /// Makes the outermost nodes lie outside, so that the surface closes there.
    pub(crate) fn close_rim(&mut self) {
        for node in nodes([0; 3], self.nodes) {
            let is_rim = (0..3).any(|a| node[a] == 0 || node[a] + 1 == self.nodes[a]);
            if is_rim {
                let index = self.index(node);
                self.values[index] = self.values[index].max(1e-3 * self.cell);
            }
        }
    }

    fn place_vertices(&self, onto: impl Fn(DVec3) -> DVec3) -> (Vec<DVec3>, Vec<u32>) {
        let mut vertices = Vec::new();
        let mut vertex_of_cell = vec![NO_VERTEX; self.values.len()];
        for cell in nodes([0; 3], self.nodes.map(|n| n - 1)) {
            if let Some(start) = self.mean_crossing(cell) {
                vertex_of_cell[self.index(cell)] = vertices.len() as u32;
                vertices.push(onto(start));
            }
        }
        (vertices, vertex_of_cell)
    }

    /// The mean of the points where the surface cuts the edges of a cell.
    fn mean_crossing(&self, cell: [usize; 3]) -> Option<DVec3> {
        let (mut sum, mut count) = (DVec3::ZERO, 0);
        for corner in 0..8 {
            let a: [usize; 3] = std::array::from_fn(|axis| cell[axis] + (corner >> axis & 1));
            for axis in (0..3).filter(|axis| corner >> axis & 1 == 0) {
                let mut b = a;
                b[axis] += 1;
                let (va, vb) = (self.values[self.index(a)], self.values[self.index(b)]);
                if (va < 0.0) != (vb < 0.0) {
                    let from = self.position(a);
                    sum += from + (self.position(b) - from) * (va / (va - vb)).clamp(0.0, 1.0);
                    count += 1;
                }
            }
        }
        (count > 0).then(|| sum / f64::from(count))
    }

    fn connect(&self, vertex_of_cell: &[u32]) -> Vec<[u32; 3]> {
        let mut triangles = Vec::new();
        for node in nodes([1; 3], self.nodes.map(|n| n - 1)) {
            for axis in 0..3 {
                let mut next = node;
                next[axis] += 1;
                let is_inside = self.values[self.index(node)] < 0.0;
                if is_inside == (self.values[self.index(next)] < 0.0) {
                    continue;
                }
                let [a, b, c, d] = self
                    .cells_around(node, axis)
                    .map(|cell| vertex_of_cell[self.index(cell)]);
                if is_inside {
                    triangles.extend([[a, b, c], [a, c, d]]);
                } else {
                    triangles.extend([[a, c, b], [a, d, c]]);
                }
            }
        }
        triangles
    }

    /// The four cells that share the edge from `node` along `axis`, counter-clockwise about it.
    fn cells_around(&self, node: [usize; 3], axis: usize) -> [[usize; 3]; 4] {
        let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
        [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[back_b, back_c]| {
            let mut cell = node;
            cell[b] -= back_b;
            cell[c] -= back_c;
            cell
        })
    }
}

fn nodes(low: [usize; 3], high: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (low[2]..high[2]).flat_map(move |z| {
        (low[1]..high[1]).flat_map(move |y| (low[0]..high[0]).map(move |x| [x, y, z]))
    })
}

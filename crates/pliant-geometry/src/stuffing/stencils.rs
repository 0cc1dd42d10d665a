//! What is left of a tetrahedron of the lattice inside of the shape (Labelle and Shewchuk 2007, fig. 3).
//!
//! Where a face of three corners has two inside and one outside, a quadrilateral is left of it, and the tetrahedra on
//! both sides must cut it along the same diagonal: the rule looks at the face alone.

/// The corners of a tetrahedron, of which the first two and the last two are joined by long edges, by sign, and the cut
/// points of its edges.
struct Cut<F> {
    corners: [u32; 4],
    cut: F,
}

/// Appends the tetrahedra that are left of one.
///
/// * `corners` — of which the first two and the last two are joined by long edges
/// * `signs` — 1 inside, 0 on the surface, -1 outside
/// * `cut` — the cut point of an edge from inside to outside, by its ends among the corners
pub(super) fn fill(
    corners: [u32; 4],
    signs: [i8; 4],
    cut: impl Fn([usize; 2]) -> u32,
    tetrahedra: &mut Vec<[u32; 4]>,
) {
    let of = |sign: i8| (0..4).filter(move |&k| signs[k] == sign);
    let mut inside = [0; 4];
    let count = of(1).zip(&mut inside).map(|(k, place)| *place = k).count();
    let mut outside = of(-1);
    let cell = Cut { corners, cut };
    match (count, outside.next(), outside.next()) {
        (0, ..) => {}
        (_, None, _) => tetrahedra.push(corners),
        (1, ..) => {
            let inner = inside[0];
            tetrahedra.push([0, 1, 2, 3].map(|k| match signs[k] {
                -1 => (cell.cut)([inner, k]),
                _ => corners[k],
            }));
        }
        (2, Some(outer), None) => {
            let apex = of(0).next().map_or(corners[0], |k| corners[k]);
            let quadrilateral = cell.quadrilateral([inside[0], inside[1]], outer);
            tetrahedra.extend(from(apex, &quadrilateral));
        }
        (2, Some(first), Some(second)) => {
            tetrahedra.extend(cell.wedge([inside[0], inside[1]], [first, second]));
        }
        (_, Some(outer), _) => tetrahedra.extend(cell.prism(outer)),
    }
}

impl<F: Fn([usize; 2]) -> u32> Cut<F> {
    /// What is left of a face with two corners inside and one outside, as two triangles. With one long cut edge the
    /// diagonal ends at its cut point. Else the edge inside is the long one, and it begins at the end of that with the
    /// lesser number.
    fn quadrilateral(&self, [p, q]: [usize; 2], outer: usize) -> [[u32; 3]; 2] {
        let [a, b] = if is_long(p, outer) { [q, p] } else { [p, q] };
        let [cut_a, cut_b] = [a, b].map(|k| (self.cut)([k, outer]));
        let [a, b] = [a, b].map(|k| self.corners[k]);
        [[a, b, cut_b], [a, cut_b, cut_a]]
    }

    /// Three corners inside and one outside. Two of the quadrilaterals have their diagonals at the cut point of the
    /// long edge, which sees what is left.
    fn prism(&self, outer: usize) -> [[u32; 4]; 3] {
        let far = across_long(outer);
        let [a, b] = if outer < 2 { [2, 3] } else { [0, 1] };
        let apex = (self.cut)([far, outer]);
        let [first, second] = from(apex, &self.quadrilateral([a, b], outer));
        let [far, a, b] = [far, a, b].map(|k| self.corners[k]);
        [[apex, far, a, b], first, second]
    }

    /// Two corners inside and two outside.
    fn wedge(&self, [p, q]: [usize; 2], outer: [usize; 2]) -> [[u32; 4]; 3] {
        let cut = &self.cut;
        if is_long(p, q) {
            // Both quadrilaterals have their diagonals at p.
            let [m, n] = outer;
            let [near, far] = [p, q].map(|k| [cut([k, m]), cut([k, n])]);
            let [p, q] = [p, q].map(|k| self.corners[k]);
            let [first, second] = from(p, &[[near[0], near[1], far[1]], [near[0], far[1], far[0]]]);
            [[p, q, far[0], far[1]], first, second]
        } else {
            // One quadrilateral has its diagonal at the cut point of the long edge of p, and so has the part of the
            // surface, which is free.
            let (m, n) = (across_long(p), across_long(q));
            let apex = cut([p, m]);
            let [first, second] = from(apex, &self.quadrilateral([p, q], n));
            let end = [self.corners[q], cut([q, m]), cut([q, n])];
            [[apex, end[0], end[1], end[2]], first, second]
        }
    }
}

/// Triangles joined to a point.
fn from(apex: u32, triangles: &[[u32; 3]; 2]) -> [[u32; 4]; 2] {
    triangles.map(|[a, b, c]| [apex, a, b, c])
}

/// The corner at the other end of the long edge.
fn across_long(corner: usize) -> usize {
    corner ^ 1
}

fn is_long(a: usize, b: usize) -> bool {
    across_long(a) == b
}
